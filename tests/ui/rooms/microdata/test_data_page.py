"""The data page: roles by button, key and menu; suggestions; finding, sorting, copying; the column beside."""

import time

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QStandardItemModel
from PySide6.QtWidgets import QMenu, QSplitter, QTableView
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.data.tables.table import (
    MISSING,
    Column,
    ColumnSchema,
    ColumnType,
    Role,
    Schema,
    Table,
    smallest_codes,
)
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.ui.rooms.microdata.data.page import DataPage
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.widgets import table_view
from anonymizer_gui.ui.widgets.role_chip import role_icon
from anonymizer_gui.ui.widgets.table_view import ColumnHeader, TableModel
from anonymizer_gui.workspace.document import Document
from tests.patience import slowness


@pytest.fixture
def page(qtbot: QtBot, document: Document) -> DataPage:
    document.open_table(resource_path("samples", "lecture.csv"))
    made = DataPage(document)
    qtbot.addWidget(made)
    made.resize(1000, 650)
    made.show()
    return made


def shown_column(page: DataPage, place: int) -> list[str]:
    return [page.model.index(row, place).data() for row in range(page.model.rowCount())]


def role_of(page: DataPage, name: str) -> Role:
    return page.document.project.schema.column(name).role


def test_without_a_table_the_page_offers_to_open_one(qtbot: QtBot, document: Document) -> None:
    page = DataPage(document)
    qtbot.addWidget(page)
    page.show()
    with qtbot.waitSignal(page.do, check_params_cb=lambda name: name == "file.open"):
        qtbot.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)


def test_the_table_shows_every_cell(page: DataPage) -> None:
    assert page.model.rowCount() == 12
    assert [page.model.headerData(c, Qt.Orientation.Horizontal) for c in range(4)] == [
        "Zip",
        "Age",
        "Nationality",
        "Disease",
    ]
    assert page.model.index(0, 2).data() == "Russian"


@pytest.mark.parametrize(
    ("button", "role"), [("role_EI", Role.EI), ("role_QI", Role.QI), ("role_SA", Role.SA), ("role_other", Role.OTHER)]
)
def test_a_button_gives_the_selected_column_a_role(qtbot: QtBot, page: DataPage, button: str, role: Role) -> None:
    page.view.select_column("Disease")
    chosen = {b.objectName(): b for b in page.panel.roles.values()}[button]
    qtbot.mouseClick(chosen, Qt.MouseButton.LeftButton)
    assert role_of(page, "Disease") is role


def test_several_columns_get_a_role_in_one_step(page: DataPage) -> None:
    page.view.select_column("Zip")
    for name in ("Age", "Nationality"):
        index = page.model.index(0, page.model.table.names.index(name))
        page.view.selectionModel().select(
            index, QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Columns
        )
    page.mark_columns(Role.QI)
    assert page.document.project.schema.names(Role.QI) == ("Zip", "Age", "Nationality")
    assert page.document.undo_stack.undoText() == "Mark 3 columns as Quasi-identifier"
    page.document.undo_stack.undo()
    assert page.document.project.schema.names(Role.QI) == ()


@pytest.mark.parametrize(("key", "role"), [("E", Role.EI), ("Q", Role.QI), ("S", Role.SA), ("N", Role.OTHER)])
def test_a_key_in_the_table_gives_the_selected_column_a_role(
    qtbot: QtBot, window: MainWindow, key: str, role: Role
) -> None:
    window.document.open_table(resource_path("samples", "lecture.csv"))
    page = window.show_page("data")
    assert isinstance(page, DataPage)
    window.activateWindow()
    page.view.select_column("Age")
    page.mark_columns(Role.EI if role is not Role.EI else Role.QI)
    page.view.setFocus()
    qtbot.waitUntil(page.view.hasFocus)
    qtbot.keyClick(page.view, key)
    assert role_of(page, "Age") is role


def test_letters_typed_into_the_find_field_are_no_roles(qtbot: QtBot, window: MainWindow) -> None:
    window.document.open_table(resource_path("samples", "lecture.csv"))
    page = window.show_page("data")
    assert isinstance(page, DataPage)
    window.activateWindow()
    page.find_bar.field.setFocus()
    qtbot.waitUntil(page.find_bar.field.hasFocus)
    qtbot.keyClicks(page.find_bar.field, "seq")
    assert page.find_bar.text == "seq"
    assert window.document.undo_stack.count() == 0


def test_the_menu_of_a_head_gives_roles_and_sorts(qtbot: QtBot, page: DataPage) -> None:
    page.view.select_column("Age")
    head = page.view.horizontalHeader()
    head.customContextMenuRequested.emit(QPoint(head.sectionViewportPosition(1) + 2, 2))
    menu = page.findChild(QMenu)
    titles = [action.text().partition("\t")[0] for action in menu.actions() if action.text()]
    assert titles[:4] == ["Identifier", "Quasi-identifier", "Sensitive", "No role"]
    menu.actions()[1].trigger()
    assert role_of(page, "Age") is Role.QI
    next(a for a in menu.actions() if a.text() == "Sort Descending").trigger()
    assert shown_column(page, 1) == sorted(shown_column(page, 1), key=int, reverse=True)
    next(a for a in menu.actions() if a.text() == "Order of the File").trigger()
    assert page.model.order.tolist() == list(range(12))
    menu.close()


def test_the_role_of_a_column_stands_in_its_head_as_letter_and_word(page: DataPage) -> None:
    page.mark_columns(Role.QI, ["Zip"])
    tip = page.model.headerData(0, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    icon = page.model.headerData(0, Qt.Orientation.Horizontal, Qt.ItemDataRole.DecorationRole)
    other = page.model.headerData(3, Qt.Orientation.Horizontal, Qt.ItemDataRole.DecorationRole)
    assert tip == "Zip: integer, Quasi-identifier"
    assert icon.pixmap(32).toImage() != other.pixmap(32).toImage()


def test_suggestions_are_told_with_reasons_and_not_applied(page: DataPage) -> None:
    assert {s.column: s.role for s in page.suggestions.shown} == {
        "Zip": Role.QI,
        "Age": Role.QI,
        "Nationality": Role.QI,
        "Disease": Role.SA,
    }
    assert all(s.reason for s in page.suggestions.shown)
    assert {column.role for column in page.document.project.schema.columns} == {Role.OTHER}


def test_a_suggestion_is_accepted_alone(qtbot: QtBot, page: DataPage) -> None:
    qtbot.mouseClick(page.suggestions.buttons()["Age"], Qt.MouseButton.LeftButton)
    assert role_of(page, "Age") is Role.QI
    assert role_of(page, "Zip") is Role.OTHER
    assert "Age" not in [s.column for s in page.suggestions.shown]


def test_all_suggestions_are_accepted_in_one_step(qtbot: QtBot, page: DataPage) -> None:
    qtbot.mouseClick(page.suggestions.accept_all, Qt.MouseButton.LeftButton)
    assert page.document.project.schema.names(Role.SA) == ("Disease",)
    assert page.document.undo_stack.count() == 1
    assert not page.side.isTabVisible(page.side.indexOf(page.suggestions))


def test_suggestions_can_be_dismissed(qtbot: QtBot, page: DataPage) -> None:
    qtbot.mouseClick(page.suggestions.dismiss, Qt.MouseButton.LeftButton)
    assert not page.side.isTabVisible(page.side.indexOf(page.suggestions))


def test_typing_shows_only_matching_rows(qtbot: QtBot, page: DataPage) -> None:
    qtbot.keyClicks(page.find_bar.field, "cancer")
    with qtbot.waitSignal(page.find_bar.changed):
        pass
    assert set(shown_column(page, 3)) == {"Cancer"}
    assert "of 12 rows" in page.find_bar.count.text()
    qtbot.keyClick(page.find_bar.field, Qt.Key.Key_Escape)
    assert page.model.rowCount() == 12


def test_return_goes_from_match_to_match(qtbot: QtBot, page: DataPage) -> None:
    page.find_bar.only.setChecked(False)
    page.find_bar.field.setText("cancer")
    rows = []
    for _ in range(3):
        qtbot.keyClick(page.find_bar.field, Qt.Key.Key_Return)
        rows.append(page.view.currentIndex().row())
    cancer = [row for row, text in enumerate(shown_column(page, 3)) if text == "Cancer"]
    assert rows[0] in cancer
    assert rows == sorted(set(rows))
    assert page.model.rowCount() == 12


def test_a_column_to_search_in_can_be_chosen(page: DataPage) -> None:
    page.find_bar.columns.setCurrentIndex(page.find_bar.columns.findData("Age"))
    page.find_bar.field.setText("Cancer")
    page.find_bar.changed.emit()
    assert page.model.rowCount() == 0


def test_cells_are_copied_as_lines_with_tabs(qtbot: QtBot, page: DataPage) -> None:
    page.view.selectRow(0)
    page.view.setFocus()
    qtbot.keyClick(page.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "13053\t28\tRussian\tHeart"
    page.view.copy(header=True)
    assert QGuiApplication.clipboard().text().startswith("Zip\tAge\tNationality\tDisease\n")


def test_the_column_beside_says_what_it_is(page: DataPage) -> None:
    page.view.select_column("Disease")
    assert page.panel.title.text() == "Disease"
    assert "3 distinct values" in page.panel.facts.text()
    assert [page.panel.top.item(row, 0).text() for row in range(3)] == ["Cancer", "Flu", "Heart"]


def pressed_roles(page: DataPage) -> list[Role]:
    return [role for role, button in page.panel.roles.items() if button.isChecked()]


def test_several_columns_show_the_role_they_share_and_whose_figures_these_are(page: DataPage) -> None:
    page.view.selectAll()
    page.mark_columns(Role.QI)
    assert page.panel.title.text() == "4 columns"
    assert pressed_roles(page) == [Role.QI]
    assert page.panel.whose.isVisibleTo(page)
    assert page.panel.whose.text() == "Figures of Disease:"


def test_several_columns_of_different_roles_press_no_button(page: DataPage) -> None:
    page.view.select_column("Disease")
    page.mark_columns(Role.SA)
    page.view.select_column("Zip")
    page.mark_columns(Role.QI)
    page.view.selectAll()
    assert pressed_roles(page) == []
    page.view.select_column("Disease")
    assert pressed_roles(page) == [Role.SA]
    assert not page.panel.whose.isVisibleTo(page)


def test_a_type_is_chosen_as_a_step(qtbot: QtBot, page: DataPage) -> None:
    page.view.select_column("Zip")
    page.panel.type.types.setCurrentIndex(page.panel.type.types.findData(ColumnType.CATEGORY))
    page.panel.type.types.activated.emit(page.panel.type.types.currentIndex())
    assert page.document.project.schema.column("Zip").type is ColumnType.CATEGORY
    assert page.document.undo_stack.undoText() == "Read Zip as category"


def test_values_that_do_not_fit_the_type_are_told(page: DataPage) -> None:
    page.view.select_column("Disease")
    page.panel.type_chosen.emit(ColumnType.INTEGER, "")
    assert "12 cells do not fit the type" in page.panel.problems.text()


def test_double_click_on_a_head_sorts_and_again_turns_it(qtbot: QtBot, page: DataPage) -> None:
    page.view.horizontalHeader().sectionDoubleClicked.emit(1)
    ages = [int(text) for text in shown_column(page, 1)]
    assert ages == sorted(ages)
    page.view.horizontalHeader().sectionDoubleClicked.emit(1)
    assert [int(text) for text in shown_column(page, 1)] == sorted(ages, reverse=True)


def test_the_model_keeps_qts_rules(qtmodeltester: ModelTester, qtbot: QtBot) -> None:
    table = Table.from_rows(("a", "b"), [("1", "x"), (MISSING, "y"), ("3", "z")])
    model = TableModel(table)
    qtmodeltester.check(model)
    model.set_order(np.array([2, 0, 1]))
    qtmodeltester.check(model)
    model.set_order(np.array([1]))
    qtmodeltester.check(model)
    assert model.headerData(0, Qt.Orientation.Vertical) == "2"


def test_selected_cells_stay_selected_when_rows_are_sorted(page: DataPage) -> None:
    page.view.go_to(3, 1)
    before = page.view.currentIndex().data()
    page.sort("Age")
    assert page.view.currentIndex().data() == before
    assert page.view.currentIndex().row() != 3


def test_a_selected_column_stays_selected_when_rows_are_sorted(page: DataPage) -> None:
    page.view.select_column("Disease")
    page.sort("Age")
    assert page.view.selected_columns() == ["Disease"]
    assert page.panel.title.text() == "Disease"


def test_a_million_rows_are_shown_sorted_and_filtered_without_long_computing(qtbot: QtBot, document: Document) -> None:
    rng = np.random.default_rng(1)
    frame = [rng.integers(0, size, 1_000_000) for size in (2, 100, 50_000)]
    columns = tuple(_column(f"c{place}", codes) for place, codes in enumerate(frame))
    table = Table(columns, 1_000_000)
    document.set_table(table, Project(schema=Schema(tuple(ColumnSchema(c.name) for c in columns))))
    page = DataPage(document)
    qtbot.addWidget(page)
    page.show()
    begun = time.thread_time()
    page.sort("c2")
    sorted_after = time.thread_time() - begun
    begun = time.thread_time()
    page.find_bar.field.setText("0123")
    page.find_bar.changed.emit()
    found_after = time.thread_time() - begun
    assert page.model.rowCount() < 1_000_000
    assert max(sorted_after, found_after) / slowness() < 1.5


def _column(name: str, codes: npt.NDArray[np.int64]) -> Column:
    labels = tuple(f"{number:06}" for number in range(int(codes.max()) + 1))
    return Column(name, smallest_codes(codes, len(labels)), labels)


def test_the_head_of_a_selected_column_is_known_from_the_selection(page: DataPage) -> None:
    head = page.view.horizontalHeader()
    assert isinstance(head, ColumnHeader)
    page.view.select_column("Age")
    names = page.model.table.names
    assert [name for place, name in enumerate(names) if head.is_selected(place)] == ["Age"]
    page.view.clearSelection()
    assert not any(head.is_selected(place) for place in range(len(names)))


def test_showing_a_table_of_many_columns_asks_for_each_head_only_a_few_times(
    page: DataPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Role] = []

    def counted(role: Role) -> QIcon:
        asked.append(role)
        return role_icon(role)

    monkeypatch.setattr(table_view, "role_icon", counted)
    columns = tuple(Column(f"column {number}", np.zeros(100, dtype=np.int8), ("x",)) for number in range(200))
    schema = Schema(tuple(ColumnSchema(column.name) for column in columns))
    page.document.set_table(Table(columns), Project(schema=schema))
    assert 200 <= len(asked) < 3 * 200


def test_a_head_is_measured_anew_with_larger_letters_or_another_name(qtbot: QtBot) -> None:
    view, model = QTableView(), QStandardItemModel(1, 1)
    qtbot.addWidget(view)
    head = ColumnHeader(view)
    view.setHorizontalHeader(head)
    view.setModel(model)
    model.setHorizontalHeaderLabels(["Zip"])
    before = head.sectionSizeHint(0)
    font = head.font()
    font.setPointSizeF(2 * font.pointSizeF())
    head.setFont(font)
    larger = head.sectionSizeHint(0)
    assert larger > before
    model.setHorizontalHeaderLabels(["a name that is much longer than before"])
    assert head.sectionSizeHint(0) > larger


def test_nothing_of_the_panel_beside_the_table_is_cut_off(page: DataPage, qtbot: QtBot) -> None:
    page.resize(600, 600)
    page.side.setCurrentWidget(page.panel)
    splitter = page.findChild(QSplitter, "data_splitter")
    splitter.setSizes([10_000, 1])
    body = page.panel.widget()
    qtbot.waitUntil(lambda: page.panel.viewport().width() >= body.minimumSizeHint().width())
    assert body.width() <= page.panel.viewport().width()
