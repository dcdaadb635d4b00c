"""The columns of a survey: how many people a row stands for, and who lives together."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from anonymizer_gui.ui.i18n import tr

if TYPE_CHECKING:
    from anonymizer_gui.ui.rooms.microdata.data.page import DataPage


def mark_weight(page: "DataPage", name: str = "") -> None:
    """Let the named column, or the selected one, be the sampling weight; said again, there is none."""
    chosen = name or next(iter(page.selected_columns()), "")
    project = page.document.project
    if chosen and project.sampling_weight == chosen:
        page.document.take(project.surveyed(weight=""), tr("No sampling weight"))
    elif chosen:
        page.document.take(project.surveyed(weight=chosen), tr("Mark {column} as the sampling weight", column=chosen))


def mark_household(page: "DataPage", name: str = "") -> None:
    """Let the named column, or the selected one, say who lives together; said again, none does."""
    chosen = name or next(iter(page.selected_columns()), "")
    project = page.document.project
    if chosen and project.household == chosen:
        page.document.take(project.surveyed(household=""), tr("No household column"))
    elif chosen:
        page.document.take(project.surveyed(household=chosen), tr("Mark {column} as the household", column=chosen))


def add_survey_entries(menu: QMenu, page: "DataPage", name: str) -> None:
    """Offer both in the menu of a column, with a mark where it is one of them."""
    project = page.document.project
    for text, marked, mark in (
        (tr("Sampling Weight"), project.sampling_weight, mark_weight),
        (tr("Household"), project.household, mark_household),
    ):
        entry = menu.addAction(text)
        entry.setCheckable(True)
        entry.setChecked(marked == name)
        entry.triggered.connect(lambda _checked=False, mark=mark: mark(page, name))
