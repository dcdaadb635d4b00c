"""People, not rows, in the window: the mark, the suggestion, figures and words."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.ui.rooms.microdata.compare.class_panel import EquivalenceClassPanel
from anonymizer_gui.ui.rooms.microdata.data.column_list import FATE, ROLE
from anonymizer_gui.ui.rooms.microdata.data.page import DataPage, column_menu
from anonymizer_gui.ui.rooms.microdata.figures import release_figures, risk_figures
from anonymizer_gui.ui.rooms.microdata.risk_page import RiskPage
from anonymizer_gui.ui.rooms.microdata.view import VIEW
from anonymizer_gui.workspace.document import Document
from tests.engine.rooms.microdata.making import hospital_project
from tests.engine.rooms.microdata.test_people import visits


@pytest.fixture
def document() -> Iterator[Document]:
    """A hospital in which everybody came twice."""
    made = Document(inline_jobs=True)
    made.set_table(visits(2), hospital_project(goals=(KAnonymity(3),)))
    yield made
    made.close()


@pytest.fixture
def page(qtbot: QtBot, document: Document) -> DataPage:
    made = DataPage(document)
    qtbot.addWidget(made)
    made.resize(1000, 650)
    made.show()
    return made


def texts_of(page: DataPage, column: int) -> list[str]:
    model = page.columns.model
    return [model.index(row, column).data() for row in range(model.rowCount())]


def test_a_repeated_identifier_is_suggested_with_its_reason_and_accepted(qtbot: QtBot, page: DataPage) -> None:
    assert "1" in page.side.tabText(page.side.indexOf(page.suggestions))
    page.side.setCurrentWidget(page.suggestions)
    button = page.suggestions.findChild(QToolButton, "accept_person")
    assert "The Person" in button.accessibleName()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert page.document.project.person == "name"
    assert page.suggestions.findChild(QToolButton, "accept_person") is None or not page.side.isTabVisible(
        page.side.indexOf(page.suggestions)
    )
    page.document.undo_stack.undo()
    assert page.document.project.person == ""


def test_the_button_beside_the_table_marks_and_takes_back(qtbot: QtBot, page: DataPage) -> None:
    page.view.select_column("age")
    assert page.panel.person.isHidden()
    page.view.select_column("name")
    qtbot.mouseClick(page.panel.person, Qt.MouseButton.LeftButton)
    assert page.document.project.person == "name"
    assert page.panel.person.isChecked()
    assert texts_of(page, ROLE)[0] == "Identifier, the person"
    assert "whom a row is about" in texts_of(page, FATE)[0]
    qtbot.mouseClick(page.panel.person, Qt.MouseButton.LeftButton)
    assert page.document.project.person == ""


def test_the_menu_of_a_column_marks_it_and_makes_it_an_identifier(page: DataPage) -> None:
    menu = column_menu(page, "ward")
    entry = next(action for action in menu.actions() if action.text() == "The Person")
    entry.trigger()
    assert page.document.project.person == "ward"
    assert page.document.project.schema.column("ward").role is Role.EI


def test_another_role_takes_the_mark_away(page: DataPage) -> None:
    page.mark_person("name")
    page.mark_columns(Role.OTHER, ["name"])
    assert page.document.project.person == ""


def test_figures_and_status_say_people(document: Document) -> None:
    document.take(document.project.about("name"), "mark")
    document.run()
    release = document.selected
    told = {figure.name: figure.words for figure in release_figures(release, None)}
    assert told["k"].startswith("Everybody looks like at least")
    assert told["classes"].endswith("people")
    titles = {figure.name: figure.title for figure in risk_figures(release, release.measured)}
    assert titles["unique"] == "People on their own"
    assert "people by “name”" in VIEW.status(document).size
    assert "3 people" in VIEW.status(document).more


def test_figures_say_rows_without_the_mark(document: Document) -> None:
    document.run()
    told = {figure.name: figure.words for figure in release_figures(document.selected, None)}
    assert told["k"].startswith("Every row")
    assert "record" in told["classes"]


def test_attacks_and_charts_speak_of_people(qtbot: QtBot, document: Document) -> None:
    document.take(document.project.about("name"), "mark")
    document.run()
    page = RiskPage(document)
    qtbot.addWidget(page)
    page.show()
    page.bench.choose("prosecutor")
    headers = [page.bench.worst.horizontalHeaderItem(place).text() for place in range(page.bench.worst.columnCount())]
    assert "People" in headers


def test_the_list_of_classes_counts_people(qtbot: QtBot, document: Document) -> None:
    document.take(document.project.about("name"), "mark")
    document.run()
    panel = EquivalenceClassPanel(document)
    qtbot.addWidget(panel)
    panel.show_release(document.selected)
    assert panel.model.headerData(0, Qt.Orientation.Horizontal) == "People"
    assert int(panel.model.index(0, 0).data()) == document.selected.measured.k
