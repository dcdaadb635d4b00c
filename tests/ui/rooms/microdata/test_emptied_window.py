"""Rows with nothing left in the window: the choice of what the limit counts, and the figures."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.best_loss import BestLoss
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.run import run
from anonymizer_gui.ui.rooms.microdata.compare.release_table import release_columns, value_of
from anonymizer_gui.ui.rooms.microdata.figures import release_figures
from anonymizer_gui.ui.rooms.microdata.protect.page import ProtectPage
from anonymizer_gui.workspace.document import Document
from tests.ui.rooms.microdata.protect_documents import made_pages

Make = Callable[..., tuple[ProtectPage, Document]]


@pytest.fixture
def page_of(qtbot: QtBot) -> Iterator[Make]:
    yield from made_pages(qtbot, ProtectPage, run=False)


def test_what_the_limit_counts_is_a_step_that_can_be_undone(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    box = page.method.covers_emptied
    assert not box.isChecked()
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton)
    assert document.project.limit_covers_emptied
    document.undo_stack.undo()
    assert not document.project.limit_covers_emptied
    assert not box.isChecked()


def test_figures_and_comparison_show_them() -> None:
    schema = Schema((ColumnSchema("a", role=Role.QI), ColumnSchema("s", role=Role.SA)))
    trees = {"a": Hierarchy.from_nested({"*": ["1", "2", "3"]})}
    project = Project(schema=schema, hierarchies=trees, goals=(KAnonymity(k=2),), algorithm=BestLoss())
    rows = [["1", "flu"], ["1", "flu"], ["2", "flu"], ["3", "acne"]]
    release = run(Table.from_rows(("a", "s"), rows), project)
    shown = {figure.name: figure for figure in release_figures(release, None)}
    assert shown["emptied"].text == "2"
    assert "50" in shown["emptied"].words
    assert (shown["share"].text[:3], shown["share"].tone) == ("100", "bad")
    head = next(head for head in release_columns([release]) if head.key == "emptied")
    assert value_of(release, head) == 2
