"""The menu of a column: roles, the person, leaving out, sorting, copying."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.rooms.microdata.data.survey_columns import add_survey_entries
from anonymizer_gui.ui.widgets.role_chip import ROLE_LETTERS, role_icon, role_name

if TYPE_CHECKING:
    from anonymizer_gui.ui.rooms.microdata.data.page import DataPage


def column_menu(page: "DataPage", name: str) -> QMenu:
    """Make the menu of a column; roles are given to all that are selected."""
    menu = QMenu(page)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for role in Role:
        entry = menu.addAction(role_icon(role), f"{role_name(role)}\t{ROLE_LETTERS[role]}")
        entry.triggered.connect(lambda _checked=False, role=role: page.mark_columns(role))
    person = menu.addAction(theme.icon("person"), tr("The Person"))
    person.setCheckable(True)
    person.setChecked(page.document.project.person == name)
    person.triggered.connect(lambda: page.mark_person(name))
    add_survey_entries(menu, page, name)
    menu.addAction(tr("Leave Out of the Release")).triggered.connect(lambda: page.leave_out())
    menu.addSeparator()
    menu.addAction(tr("Sort Ascending")).triggered.connect(lambda: page.sort(name))
    menu.addAction(tr("Sort Descending")).triggered.connect(lambda: page.sort(name, True))
    menu.addAction(tr("Order of the File")).triggered.connect(lambda: page.sort(""))
    menu.addSeparator()
    menu.addAction(tr("Copy")).triggered.connect(lambda: page.view.copy())
    menu.addAction(tr("Copy with Names")).triggered.connect(lambda: page.view.copy(header=True))
    return menu
