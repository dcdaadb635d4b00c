"""The Protect page stays fluid however many quasi-identifiers there are."""

import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication, QTabWidget
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, Role, Schema, Table, smallest_codes
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.ui.rooms.microdata.protect.page import ProtectPage
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.workspace.document import Document
from tests.patience import slowness
from tests.ui.heartbeat import LONGEST_MS, TRIES, longest_block_ms

COLUMNS = 200
LABELS = tuple(f"value {number:02}" for number in range(50))
WEIGHTS, LEVELS = range(2)


@pytest.fixture
def window(qtbot: QtBot, make_window: Callable[[Document], MainWindow]) -> Iterator[MainWindow]:
    """Give the window on a table of many quasi-identifiers with a hierarchy each."""
    document = Document()
    made = make_window(document)
    codes = smallest_codes(np.arange(1000) % len(LABELS), len(LABELS))
    columns = tuple(Column(f"column {number}", codes, LABELS) for number in range(COLUMNS))
    groups = {f"{ten}": list(LABELS[10 * ten :][:10]) for ten in range(5)}
    trees = {column.name: Hierarchy.from_nested({"*": groups}) for column in columns}
    schema = Schema(tuple(ColumnSchema(column.name, role=Role.QI) for column in columns))
    document.set_table(Table(columns), Project(schema=schema, hierarchies=trees))
    qtbot.waitUntil(lambda: not document.jobs.active)
    yield made
    document.close()


def test_two_hundred_quasi_identifiers_are_shown_for_the_first_time_without_a_block(window: MainWindow) -> None:
    took = []
    for _ in range(TRIES):
        started = time.thread_time()
        page = ProtectPage(window.document)
        page.show()
        QApplication.processEvents()
        took.append((time.thread_time() - started) * 1000)
        page.close()
        page.deleteLater()
    assert min(took) / slowness() < LONGEST_MS


@pytest.mark.parametrize("tab", [WEIGHTS, LEVELS])
def test_another_role_among_two_hundred_quasi_identifiers_does_not_block_whatever_is_open(
    qtbot: QtBot, window: MainWindow, tab: int
) -> None:
    document, stack = window.document, window.document.undo_stack
    tabs = window.show_page("protect").findChild(QTabWidget, "protect_tabs")
    assert isinstance(tabs, QTabWidget)
    tabs.setCurrentIndex(tab)
    document.edit("Leave one out", schema=document.project.schema.with_roles({"column 7": Role.OTHER}))

    def act() -> None:
        (stack.undo if stack.canUndo() else stack.redo)()

    assert longest_block_ms(qtbot, act, lambda: not document.jobs.active) < LONGEST_MS
