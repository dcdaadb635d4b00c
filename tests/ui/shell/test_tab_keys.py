"""The Tab key goes through every page as one reads it, and out of every list."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from anonymizer_gui.ui.rooms.microdata.protect.page import ProtectPage
from anonymizer_gui.ui.rooms.microdata.risk_page import RiskPage
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.workspace.document import Document

MOST = 4000
PAGES = ("protect", "compare", "risk", "utility", "release")


def after(widget: QWidget) -> list[QWidget]:
    """Give what the Tab key reaches from a widget, in order, until it is back or was everywhere."""
    found: list[QWidget] = []
    at = widget.nextInFocusChain()
    while at is not widget and len(found) < MOST:
        if at.focusPolicy() & Qt.FocusPolicy.TabFocus and at.isVisible():
            found.append(at)
        at = at.nextInFocusChain()
    return found


@pytest.fixture
def window(finished_document: Document, make_window: Callable[[Document], MainWindow]) -> MainWindow:
    return make_window(finished_document)


@pytest.mark.parametrize("name", PAGES)
def test_no_list_of_a_page_keeps_the_tab_key(window: MainWindow, name: str) -> None:
    page = window.show_page(name)
    for tabs in page.findChildren(QTabWidget):
        for place in range(tabs.count()):
            tabs.setCurrentIndex(place)
    lists = [view for view in page.findChildren(QTableView) if view.tabKeyNavigation()]
    assert [view.objectName() or type(view).__name__ for view in lists] == []
    assert name == "protect" or page.findChildren(QTableView)


def test_on_protect_the_tab_key_reads_goals_then_method_then_run(window: MainWindow, qtbot: QtBot) -> None:
    page = window.show_page("protect")
    assert isinstance(page, ProtectPage)
    page.goals.add_goal("l")
    page.method.fold.setChecked(True)
    qtbot.waitUntil(lambda: page.goals.cards[1].isVisible())
    wanted = [
        page.goals.add,
        page.goals.cards[0].form.fields["k"].widget,
        page.goals.cards[1].form.fields["l"].widget,
        page.method.algorithm,
        page.method.seed,
        page.run_button,
    ]
    reached = [page.goals.add, *after(page.goals.add)]
    places = [reached.index(widget) for widget in wanted]
    assert places == sorted(places)


def test_an_attack_is_chosen_then_set_then_its_worst_classes_read(window: MainWindow, qtbot: QtBot) -> None:
    page = window.show_page("risk")
    assert isinstance(page, RiskPage)
    page.tabs.setCurrentIndex(1)
    page.bench.choose("background")
    assert page.bench.form is not None
    qtbot.waitUntil(page.bench.form.isVisible)
    reached = after(page.bench.list)
    fields = [reached.index(field.widget) for field in page.bench.form.fields.values()]
    assert fields
    assert max(fields) < reached.index(page.bench.worst)
