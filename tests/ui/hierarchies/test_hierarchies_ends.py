"""Spelt intervals, top and bottom coding, values without a place and proposals, clicked and read."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema
from anonymizer_gui.engine.hierarchy.builders.numbers import Intervals
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui.hierarchies.page import HierarchiesPage
from anonymizer_gui.ui.hierarchies.tree_editor import SplitIntervalDialog, TopBottomCodingDialog
from anonymizer_gui.ui.page import StepState
from anonymizer_gui.workspace.document import Document
from tests.ui.hierarchies.hierarchy_documents import LAND_CELLS, LANDS, load

LEFT = Qt.MouseButton.LeftButton
AGES = [str(age) for age in range(20, 100)]


@pytest.fixture
def page(qtbot: QtBot, document: Document) -> HierarchiesPage:
    """A page on ages whose hierarchy was not built here: nothing but labels."""
    labelled = Intervals(width=10.0, fan_out=()).build(Column.from_texts("age", AGES), ColumnSchema("age"))
    load(document, {"age": AGES}, {"age": Hierarchy(labelled.labels, labelled.parents)})
    made = HierarchiesPage(document)
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    return made


def tree_of(page: HierarchiesPage) -> Hierarchy:
    return page.document.project.hierarchies["age"]


def click(qtbot: QtBot, page: HierarchiesPage, command: str) -> None:
    assert page.editor.buttons[command].isEnabled()
    qtbot.mouseClick(page.editor.buttons[command], LEFT)


def test_a_spelt_interval_is_split_by_its_button(qtbot: QtBot, page: HierarchiesPage) -> None:
    page.editor.tree.select_labels(("30-39",))
    click(qtbot, page, "split")
    dialog = page.findChild(SplitIntervalDialog)
    dialog.field.setText("35")
    assert dialog.outcome.text() == "Gives 30-34  ·  35-39"
    qtbot.mouseClick(dialog.buttons.button(QDialogButtonBox.StandardButton.Ok), LEFT)
    assert tree_of(page).labels[tree_of(page).parents[tree_of(page).node_of_label["36"]]] == "35-39"


def test_spelt_neighbours_merge_under_the_interval_they_make(qtbot: QtBot, page: HierarchiesPage) -> None:
    page.editor.tree.select_labels(("30-39", "40-49"))
    click(qtbot, page, "merge")
    assert "30-49" in tree_of(page).labels


def test_the_ends_are_coded_by_a_dialog_that_shows_the_outcome(qtbot: QtBot, page: HierarchiesPage) -> None:
    click(qtbot, page, "ends")
    dialog = page.findChild(TopBottomCodingDialog)
    code = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    assert not code.isEnabled()
    dialog.above.setText("500")
    assert "No value of the hierarchy lies in “>=500”." in dialog.outcome.text()
    dialog.above.setText("85")
    assert dialog.outcome.text() == "Gives >=85: 15 values"
    dialog.below.setText("25")
    assert dialog.outcome.text() == "Gives <25: 5 values  ·  >=85: 15 values"
    qtbot.mouseClick(code, LEFT)
    tree = tree_of(page)
    assert [tree.labels[child] for child in tree.children(0)][:: len(tree.children(0)) - 1] == ["<25", ">=85"]
    page.document.undo_stack.undo()
    assert ">=85" not in tree_of(page).labels


def test_words_have_no_ends(qtbot: QtBot, document: Document) -> None:
    load(document, {"land": LAND_CELLS}, {"land": LANDS})
    made = HierarchiesPage(document)
    qtbot.addWidget(made)
    assert not made.editor.buttons["ends"].isEnabled()


def test_a_value_without_a_place_is_seen_on_the_rail_and_led_to(qtbot: QtBot, document: Document) -> None:
    load(document, {"age": AGES[:9], "land": LAND_CELLS}, {"age": Hierarchy.from_nested({"*": AGES}), "land": LANDS})
    made = HierarchiesPage(document)
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.choose("age")
    mark = HierarchiesPage.mark(document)
    assert mark.state is StepState.STALE
    assert mark.text == "1 quasi-identifier has values without a place"
    made.show()
    assert made.column == "land"
    made.tray.other.click()
    assert HierarchiesPage.mark(document).state is StepState.DONE


def test_a_label_that_lies_is_seen_on_the_rail(document: Document) -> None:
    lying = Hierarchy.from_nested({"*": {"20-29": ["21", "45"], "30-39": ["33"]}})
    load(document, {"age": ["21", "45", "33"]}, {"age": lying})
    assert HierarchiesPage.mark(document).text == "1 quasi-identifier has labels that contradict values"


def test_a_proposal_that_replaces_a_hierarchy_offers_the_way_back(qtbot: QtBot, page: HierarchiesPage) -> None:
    before = tree_of(page)
    qtbot.mouseClick(page.tools.buttons["propose"], LEFT)
    assert tree_of(page) != before
    (message,) = [each for each in page.document.messages.open if "replaced by a proposal" in each.text]
    ((title, undo),) = message.actions
    assert title == "Undo"
    undo()
    assert tree_of(page) == before
