"""The Protect page: weights and levels of the columns, by mouse and by keys."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QComboBox, QSpinBox, QTabWidget
from pytestqt.qtbot import QtBot

from anonymizer_gui.ui.rooms.microdata.protect.column_settings import HIGHEST, LOWEST, SHARE, WEIGHT, WEIGHT_STEPS
from anonymizer_gui.ui.rooms.microdata.protect.page import ProtectPage
from anonymizer_gui.workspace.document import Document
from tests.ui.rooms.microdata.protect_documents import made_pages

Make = Callable[..., tuple[ProtectPage, Document]]


@pytest.fixture
def page_of(qtbot: QtBot) -> Iterator[Make]:
    """Make the page over a small hospital."""
    yield from made_pages(qtbot, ProtectPage, run=False)


def tab(page: ProtectPage, place: int) -> None:
    """Turn to the weights (0) or the levels (1)."""
    tabs = page.findChild(QTabWidget, "protect_tabs")
    assert isinstance(tabs, QTabWidget)
    tabs.setCurrentIndex(place)


def pull(qtbot: QtBot, page: ProtectPage, row: int, share: float) -> None:
    """Press on the slider of a row at a share of its length, and let go."""
    view = page.weights.table
    rect = view.visualRect(view.model().index(row, WEIGHT))
    place = QPoint(rect.left() + round(rect.width() * share), rect.center().y())
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)


def shares(page: ProtectPage) -> list[str]:
    model = page.weights.table.model()
    return [model.index(row, SHARE).data() for row in range(model.rowCount())]


def opened_box(qtbot: QtBot, page: ProtectPage, row: int, column: int) -> QComboBox:
    """Click on a level and give the box that opens."""
    view = page.bounds
    place = view.visualRect(view.model().index(row, column)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: any(box.view().isVisible() for box in view.findChildren(QComboBox)))
    return next(box for box in view.findChildren(QComboBox) if box.view().isVisible())


def choose(qtbot: QtBot, box: QComboBox, level: int) -> None:
    """Choose from the list of an open box as people do."""
    place = box.view().visualRect(box.model().index(level, 0)).center()
    qtbot.mouseClick(box.view().viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_weights_are_moved_by_keys_and_always_add_up_to_one(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    tab(page, 0)
    view = page.weights.table
    view.setCurrentIndex(view.model().index(0, WEIGHT))
    qtbot.keyClick(view, Qt.Key.Key_Home)
    qtbot.keyClick(view, Qt.Key.Key_PageUp)
    qtbot.keyClick(view, Qt.Key.Key_PageUp)
    for _ in range(5):
        qtbot.keyClick(view, Qt.Key.Key_Right)
    assert document.project.weights == {"age": 0.5, "zip": 1.0}
    assert shares(page) == ["33.3%", "66.7%"]
    assert document.undo_stack.count() == 1


def test_every_weight_begins_in_the_middle_and_can_grow(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    tab(page, 0)
    model = page.weights.table.model()
    assert [model.index(row, WEIGHT).data() for row in range(2)] == [WEIGHT_STEPS // 2, WEIGHT_STEPS // 2]
    view = page.weights.table
    view.setCurrentIndex(model.index(0, WEIGHT))
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert document.project.weights == {"age": 2.0, "zip": 1.0}
    assert shares(page) == ["66.7%", "33.3%"]


def test_a_weight_is_pulled_and_something_always_counts(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    tab(page, 0)
    pull(qtbot, page, 0, 0.75)
    assert document.project.weights == {"age": pytest.approx(1.5, abs=0.1), "zip": 1.0}
    pull(qtbot, page, 1, 0.0)
    pull(qtbot, page, 0, 0.0)
    assert document.project.weights == {"age": 0.02, "zip": 0.0}


def test_a_weight_is_typed_as_a_number(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    tab(page, 0)
    view = page.weights.table
    view.setFocus()
    view.setCurrentIndex(view.model().index(1, WEIGHT))
    qtbot.keyClick(view, Qt.Key.Key_F2)
    field = view.findChild(QSpinBox)
    assert isinstance(field, QSpinBox)
    assert field.accessibleName() == "Weight of zip"
    field.selectAll()
    qtbot.keyClicks(field, "40")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: document.project.weights == {"age": 1.0, "zip": 0.8})
    document.undo_stack.undo()
    assert shares(page) == ["50.0%", "50.0%"]


def test_all_weights_become_equal_by_a_click(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of(weights={"age": 0.2})
    tab(page, 0)
    assert shares(page) == ["16.7%", "83.3%"]
    qtbot.mouseClick(page.weights.equal, Qt.MouseButton.LeftButton)
    assert document.project.weights == {}
    assert shares(page) == ["50.0%", "50.0%"]


def test_level_bounds_hold_in_the_release_and_follow_each_other(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    tab(page, 1)
    choose(qtbot, opened_box(qtbot, page, 0, HIGHEST), 1)
    assert document.project.bounds == {"age": (0, 1)}
    choose(qtbot, opened_box(qtbot, page, 0, LOWEST), 2)
    assert document.project.bounds == {"age": (2, 2)}
    assert page.bounds.model().index(0, HIGHEST).data() == "2: *"
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    assert document.selected is not None
    assert set(document.selected.table.column("age").labels) == {"*"}


def test_level_bounds_are_set_by_keyboard_alone(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    tab(page, 1)
    page.bounds.setFocus()
    page.bounds.setCurrentIndex(page.bounds.model().index(1, LOWEST))
    qtbot.keyClick(page.bounds, Qt.Key.Key_Return)
    box = page.bounds.findChild(QComboBox)
    assert isinstance(box, QComboBox)
    assert box.accessibleName() == "Lowest level of zip"
    qtbot.waitUntil(lambda: box.view().isVisible())
    qtbot.keyClick(box.view(), Qt.Key.Key_Down)
    qtbot.keyClick(box.view(), Qt.Key.Key_Return)
    assert document.project.bounds == {"zip": (1, 2)}
    document.undo_stack.undo()
    assert page.bounds.model().index(1, LOWEST).data().startswith("0: ")
