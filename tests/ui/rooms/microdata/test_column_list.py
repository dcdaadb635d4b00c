"""The list of columns: figures, sorting, filtering, many at once; what is left out; and the sets that identify."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.data.tables.suggestions import guess_types, guessed_schema
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.ui.page import StepState
from anonymizer_gui.ui.rooms.microdata.data.column_list import DISTINCT, FATE, NAME, ROLE, UNIQUE, ColumnModel
from anonymizer_gui.ui.rooms.microdata.data.page import DataPage
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.workspace.document import Document
from tests.engine.data.tables.court_records import IDENTIFYING, court_records


@pytest.fixture
def court_document(document: Document) -> Document:
    table = court_records(120)
    document.set_table(table, Project(name="court", schema=guessed_schema(guess_types(table))))
    return document


@pytest.fixture
def page(qtbot: QtBot, court_document: Document) -> DataPage:
    made = DataPage(court_document)
    qtbot.addWidget(made)
    made.resize(1100, 650)
    made.show()
    made.show_columns()
    return made


def cells(page: DataPage, column: int) -> list[str]:
    return [page.columns.filter.index(row, column).data() for row in range(page.columns.filter.rowCount())]


def cell(page: DataPage, name: str, column: int) -> str:
    return cells(page, column)[cells(page, NAME).index(name)]


def choose(page: DataPage, *names: str) -> None:
    listed = cells(page, NAME)
    page.columns.view.clearSelection()
    for name in names:
        flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
        page.columns.view.selectionModel().select(page.columns.filter.index(listed.index(name), 0), flags)


def role_of(page: DataPage, name: str) -> Role:
    return page.document.project.schema.column(name).role


def test_every_column_is_listed_with_its_figures(page: DataPage) -> None:
    assert len(cells(page, NAME)) == 47
    assert page.views.tabText(1) == "Columns (47)"
    assert (cell(page, "sex", DISTINCT), cell(page, "sex", UNIQUE)) == ("2", "0.0%")
    assert cell(page, "r_case_number", UNIQUE) == "100.0%"


def test_a_click_on_the_head_sorts_by_number(qtbot: QtBot, page: DataPage) -> None:
    head = page.columns.view.horizontalHeader()
    for _ in range(2):
        where = head.sectionViewportPosition(DISTINCT) + 5
        point = head.viewport().rect().topLeft() + head.viewport().rect().bottomLeft() / 2
        point.setX(where)
        qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=point)
    counts = [int(text.replace(",", "")) for text in cells(page, DISTINCT)]
    assert counts in (sorted(counts), sorted(counts, reverse=True))
    assert counts[0] != counts[-1]


def test_the_list_is_filtered_by_name_and_by_what_is_to_look_at(qtbot: QtBot, page: DataPage) -> None:
    qtbot.keyClicks(page.columns.field, "CASE")
    assert cells(page, NAME) == ["c_case_number", "r_case_number", "vr_case_number"]
    assert page.columns.count.text() == "3 of 47 columns"
    page.columns.field.clear()
    page.columns.show_sort("open")
    assert set(IDENTIFYING) <= set(cells(page, NAME))
    assert "sex" not in cells(page, NAME)


def test_several_columns_get_a_role_by_key_and_are_left_out_together(qtbot: QtBot, page: DataPage) -> None:
    choose(page, "sex", "age", "race")
    qtbot.keyClick(page.columns.view, "Q")
    assert page.document.project.schema.names(Role.QI) == ("sex", "age", "race")
    choose(page, "race", "score_text")
    qtbot.mouseClick(page.panel.left_out, Qt.MouseButton.LeftButton)
    assert role_of(page, "race") is Role.OTHER
    assert page.document.project.left_out_columns() == ["race", "score_text"]
    assert cell(page, "race", FATE) == "left out"
    assert page.document.undo_stack.undoText() == "Leave out 2 columns"
    page.document.undo_stack.undo()
    assert role_of(page, "race") is Role.QI


def test_left_out_and_agreed_are_taken_back_by_a_second_click(qtbot: QtBot, page: DataPage) -> None:
    choose(page, "start")
    for button, words in ((page.panel.left_out, "left out"), (page.panel.agree, "unchanged, agreed")):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert cell(page, "start", FATE) == words
        assert button.isChecked()
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert cell(page, "start", FATE) == "unchanged, not yet agreed"


def test_delete_leaves_out_and_return_goes_to_the_table(qtbot: QtBot, page: DataPage) -> None:
    choose(page, "end")
    qtbot.keyClick(page.columns.view, Qt.Key.Key_Delete)
    assert page.document.project.left_out_columns() == ["end"]
    qtbot.keyClick(page.columns.view, Qt.Key.Key_Return)
    assert page.views.currentIndex() == 0
    assert page.view.selected_columns() == ["end"]


def test_an_identifier_is_removed_anyway_and_cannot_be_left_out(page: DataPage) -> None:
    choose(page, "name")
    page.mark_columns(Role.EI)
    assert cell(page, "name", FATE) == "removed"
    assert not page.panel.left_out.isEnabled()


def test_the_step_is_not_done_while_columns_that_point_to_people_were_never_looked_at(page: DataPage) -> None:
    document = page.document
    page.mark_columns(Role.QI, ["sex", "age"])
    mark = DataPage.mark(document)
    assert mark.state is StepState.READY
    assert "to look at" in mark.text
    page.columns.show_sort("open")
    unseen = cells(page, NAME)
    page.mark_columns(Role.EI, unseen[:3])
    page.leave_out(unseen[3:-1])
    assert not {"sex", "age"} & set(unseen)
    assert DataPage.mark(document).text == "1 column to look at"
    choose(page, unseen[-1])
    page.agree()
    assert DataPage.mark(document).state is StepState.DONE


def test_the_mark_follows_when_the_answer_comes_later(
    qtbot: QtBot, make_window: Callable[[Document], MainWindow]
) -> None:
    document = Document()
    window = make_window(document)
    table = court_records(60)
    schema = guessed_schema(guess_types(table)).with_roles({"sex": Role.QI})
    document.set_table(table, Project(schema=schema))
    qtbot.waitUntil(lambda: "to look at" in getattr(window.rail.mark("data"), "text", ""))
    document.close()


def test_the_sets_that_identify_are_found_and_marked(qtbot: QtBot, page: DataPage) -> None:
    page.views.setCurrentWidget(page.identifying)
    qtbot.mouseClick(page.identifying.start, Qt.MouseButton.LeftButton)
    sets = page.identifying
    assert sets.list.rowCount() > 3
    assert sets.list.item(0, 1).text() == "1"
    qtbot.mouseClick(sets.mark, Qt.MouseButton.LeftButton)
    first = sets.list.item(0, 0).text()
    assert page.document.project.schema.names(Role.QI) == (first,)


def test_columns_that_leave_anyway_are_not_asked_about(page: DataPage) -> None:
    page.mark_columns(Role.EI, ["id", "name"])
    page.leave_out(["dob"])
    page.find_identifying()
    listed = {page.identifying.list.item(row, 0).text() for row in range(page.identifying.list.rowCount())}
    assert listed
    assert not {name for text in listed for name in text.split(", ")} & {"id", "name", "dob"}


def test_the_search_can_be_stopped(qtbot: QtBot) -> None:
    document = Document()
    table = court_records(300)
    document.set_table(table, Project(schema=guessed_schema(guess_types(table))))
    page = DataPage(document)
    qtbot.addWidget(page)
    page.show()
    page.find_identifying()
    assert page.identifying.stop.isVisible()
    qtbot.mouseClick(page.identifying.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not document.jobs.active)
    assert page.identifying.list.rowCount() == 0
    assert page.identifying.start.isEnabled()
    document.close()


def test_only_the_rows_a_check_has_found_are_shown(qtbot: QtBot, page: DataPage) -> None:
    page.document.point_to("last", (3, 8, 15))
    assert page.views.currentIndex() == 0
    assert [page.model.headerData(row, Qt.Orientation.Vertical) for row in range(3)] == ["4", "9", "16"]
    assert page.view.selected_columns() == ["last"]
    assert "3 rows" in page.only_rows.note.label.text()
    qtbot.mouseClick(page.only_rows.button, Qt.MouseButton.LeftButton)
    assert page.model.rowCount() == 120
    assert not page.only_rows.isVisible()


def test_qt_finds_no_fault_with_the_model(qtmodeltester: ModelTester, page: DataPage) -> None:
    qtmodeltester.check(page.columns.model)
    qtmodeltester.check(page.columns.filter)
    assert isinstance(page.columns.model, ColumnModel)
    assert page.columns.filter.index(0, ROLE).data() == "No role"
