"""The Hierarchies page by keyboard alone, in a window; and with ten thousand leaves."""

import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui.actions import ActionRegistry
from anonymizer_gui.ui.hierarchies.actions import ACTIONS
from anonymizer_gui.ui.hierarchies.page import HierarchiesPage
from anonymizer_gui.workspace.document import Document
from tests.patience import slowness
from tests.ui.hierarchies.hierarchy_documents import LAND_CELLS, LANDS, load

NONE = Qt.KeyboardModifier.NoModifier
CTRL, ALT, SHIFT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


@pytest.fixture
def page(qtbot: QtBot, document: Document) -> HierarchiesPage:
    load(document, {"land": LAND_CELLS}, {"land": LANDS})
    made = HierarchiesPage(document)
    window = QMainWindow()
    window.setCentralWidget(made)
    actions = ActionRegistry(window, document, lambda action: action.callback(made), {})
    actions.add(ACTIONS)
    actions.attach(made)
    qtbot.addWidget(window)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    made.editor.tree.setFocus()
    return made


def press(key: Qt.Key, modifier: Qt.KeyboardModifier = NONE) -> None:
    QTest.keyClick(QApplication.focusWidget(), key, modifier)


def children(page: HierarchiesPage, label: str) -> list[str]:
    tree = page.document.project.hierarchies["land"]
    return [tree.labels[child] for child in tree.children(tree.node_of_label[label])]


def test_grouping_and_naming_need_no_mouse_and_are_one_step(qtbot: QtBot, page: HierarchiesPage) -> None:
    page.editor.tree.select_labels(["Italy"])
    press(Qt.Key.Key_Down, SHIFT)
    press(Qt.Key.Key_G, CTRL)
    field = page.editor.tree.findChild(QLineEdit)
    QTest.keyClicks(field, "Mediterranean")
    with qtbot.waitSignal(field.destroyed):
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert children(page, "Mediterranean") == ["Italy", "Spain"]
    page.document.undo_stack.undo()
    assert page.document.project.hierarchies["land"] == LANDS


@pytest.mark.parametrize(
    ("chosen", "key", "modifier", "parent", "expected"),
    [
        ("South", Qt.Key.Key_Delete, NONE, "Europe", ["Italy", "Spain", "North"]),
        ("South", Qt.Key.Key_Delete, CTRL, "Europe", ["North"]),
        ("South", Qt.Key.Key_G, CTRL | SHIFT, "Europe", ["Italy", "Spain", "North"]),
        ("North", Qt.Key.Key_Up, ALT, "Europe", ["North", "South"]),
        ("South", Qt.Key.Key_Down, ALT, "Europe", ["North", "South"]),
        ("Norway", Qt.Key.Key_Left, ALT, "Europe", ["South", "Norway"]),
        ("North", Qt.Key.Key_Right, ALT, "South", ["Italy", "Spain", "North"]),
        ("East", Qt.Key.Key_Delete, ALT, "Asia", ["Japan", "Korea"]),
        ("East", Qt.Key.Key_Insert, NONE, "East", ["Japan", "Korea", "New value"]),
        ("*", Qt.Key.Key_L, CTRL | SHIFT, "*", ["Asia", "Europe"]),
    ],
)
def test_keys_edit_the_tree(
    page: HierarchiesPage,
    chosen: str,
    key: Qt.Key,
    modifier: Qt.KeyboardModifier,
    parent: str,
    expected: list[str],
) -> None:
    page.editor.tree.select_labels([chosen])
    press(key, modifier)
    assert children(page, parent) == expected


def test_return_opens_the_label_for_typing(page: HierarchiesPage) -> None:
    page.editor.tree.select_labels(["South"])
    press(Qt.Key.Key_Return)
    assert page.editor.tree.findChild(QLineEdit).text() == "South"


def test_a_value_of_the_tray_is_placed_by_keys(page: HierarchiesPage) -> None:
    page.editor.tree.select_labels(["Asia"])
    page.tray.view.setFocus()
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Return, ALT)
    assert children(page, "Asia") == ["East", "Chile"]


def test_delete_in_the_list_of_columns_spares_the_tree(page: HierarchiesPage) -> None:
    page.editor.tree.select_labels(["South"])
    page.columns.setFocus()
    press(Qt.Key.Key_Delete)
    assert page.document.project.hierarchies["land"] is LANDS


def test_find_puts_the_cursor_into_the_search_box_and_goes_on(page: HierarchiesPage) -> None:
    press(Qt.Key.Key_F, CTRL)
    QTest.keyClicks(QApplication.focusWidget(), "or")
    press(Qt.Key.Key_F3)
    assert [LANDS.labels[node] for node in page.editor.tree.selected()] == ["Norway"]


def test_f2_in_the_level_table_names_its_cell(page: HierarchiesPage) -> None:
    press(Qt.Key.Key_T, CTRL)
    page.levels.view.setCurrentIndex(page.levels.view.level_model.index(0, 2))
    press(Qt.Key.Key_F2)
    assert page.levels.view.findChild(QLineEdit).text() == "Europe"


def test_tab_reaches_list_tree_search_tray_and_slider_in_reading_order(page: HierarchiesPage) -> None:
    page.columns.setFocus()
    order: list[QWidget] = []
    for _ in range(60):
        press(Qt.Key.Key_Tab)
        order.append(QApplication.focusWidget())
    wanted = [page.editor.tree, page.editor.search, page.tray.view, page.tray.place, page.preview.slider]
    places = [order.index(widget) for widget in wanted]
    assert places == sorted(places)


def test_counts_follow_quick_edits_when_they_are_made_in_the_background(qtbot: QtBot) -> None:
    document = load(Document(), {"land": LAND_CELLS}, {"land": LANDS})
    page = HierarchiesPage(document)
    qtbot.addWidget(page)
    page.show()
    for label in ("Spain", "Italy", "Norway"):
        page.editor.tree.select_labels([label])
        page.editor.run("promote")

    def rows(label: str) -> int | None:
        tree = document.project.hierarchies["land"]
        return page.editor.tree.hierarchy_model.rows_of(tree.node_of_label[label])

    qtbot.waitUntil(lambda: page.tray.isVisible() and (rows("Europe"), rows("Italy")) == (4, 2))
    assert page.preview.slider.maximum() == document.project.hierarchies["land"].height
    assert document.close()


def test_an_edit_of_ten_thousand_leaves_is_there_at_once(qtbot: QtBot, document: Document) -> None:
    values = {f"g{i}": {f"h{i}_{j}": [f"v{i}_{j}_{k}" for k in range(10)] for j in range(10)} for i in range(100)}
    tree = Hierarchy.from_nested({"*": values})
    load(document, {"land": tree.leaf_labels}, {"land": tree})
    page = HierarchiesPage(document)
    qtbot.addWidget(page)
    page.show()
    page.editor.tree.select_labels(["g7"])
    begun = time.thread_time()
    page.editor.run("up")
    QApplication.processEvents()
    # Takes about 60 ms of a processor; the limit only catches work that grows faster than the tree.
    assert (time.thread_time() - begun) / slowness() < 1.0
    assert document.project.hierarchies["land"].labels[1 + 111 * 6] == "g7"
