"""The tree editor: every edit by button, key, drag or typing is one step that can be undone."""

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema
from anonymizer_gui.engine.hierarchy.builders.dates import Dates
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval
from anonymizer_gui.ui.hierarchies.page import HierarchiesPage
from anonymizer_gui.ui.hierarchies.tree_editor import SplitIntervalDialog
from anonymizer_gui.ui.hierarchies.tree_model import LOSS, ROWS
from anonymizer_gui.ui.hierarchies.tree_view import HierarchyTreeView
from anonymizer_gui.workspace.document import Document
from tests.ui.hierarchies.hierarchy_documents import LAND_CELLS, LANDS, load

LEFT = Qt.MouseButton.LeftButton
MOVE = Qt.DropAction.MoveAction


@pytest.fixture
def page(qtbot: QtBot, document: Document) -> HierarchiesPage:
    load(document, {"land": LAND_CELLS}, {"land": LANDS})
    made = HierarchiesPage(document)
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    return made


def labels(page: HierarchiesPage) -> tuple[str, ...]:
    return page.document.project.hierarchies["land"].labels


def select(page: HierarchiesPage, *wanted: str) -> None:
    page.editor.tree.select_labels(wanted)


def click(qtbot: QtBot, page: HierarchiesPage, command: str) -> None:
    qtbot.mouseClick(page.editor.buttons[command], LEFT)


def type_label(qtbot: QtBot, page: HierarchiesPage, label: str) -> None:
    """Type into the field that is open in the tree."""
    field = page.editor.tree.findChild(QLineEdit)
    field.setText(label)
    with qtbot.waitSignal(field.destroyed):
        qtbot.keyClick(field, Qt.Key.Key_Return)


def shown(page: HierarchiesPage, label: str, column: int) -> str:
    model = page.editor.tree.hierarchy_model
    return str(model.index_of(page.hierarchy.node_of_label[label], column).data())  # type: ignore[union-attr]


def messages(page: HierarchiesPage) -> list[str]:
    return [message.text for message in page.document.messages.open]


def test_grouping_asks_for_the_name_in_place_and_is_one_step(qtbot: QtBot, page: HierarchiesPage) -> None:
    select(page, "Italy", "Norway")
    click(qtbot, page, "group")
    type_label(qtbot, page, "Visited")
    assert "Visited" in labels(page)
    assert page.document.undo_stack.undoText() == "Group nodes under “Visited” in land"
    page.document.undo_stack.undo()
    assert page.document.project.hierarchies["land"] == LANDS


def test_a_group_left_unnamed_is_called_after_its_members(qtbot: QtBot, page: HierarchiesPage) -> None:
    select(page, "Japan", "Korea")
    click(qtbot, page, "group")
    assert "Japan, Korea" in labels(page)


@pytest.mark.parametrize(
    ("chosen", "command", "nested"),
    [
        (["South"], "ungroup", {"Europe": {"Italy": {}, "Spain": {}, "North": {"Norway": {}}}}),
        (["South"], "delete", {"Europe": {"Italy": {}, "Spain": {}, "North": {"Norway": {}}}}),
        (["South"], "delete_below", {"Europe": {"North": {"Norway": {}}}}),
        (["North"], "up", {"Europe": {"North": {"Norway": {}}, "South": {"Italy": {}, "Spain": {}}}}),
        (["Italy"], "down", {"Europe": {"South": {"Spain": {}, "Italy": {}}, "North": {"Norway": {}}}}),
        (["Spain"], "promote", {"Europe": {"South": {"Italy": {}}, "Spain": {}, "North": {"Norway": {}}}}),
        (["North"], "demote", {"Europe": {"South": {"Italy": {}, "Spain": {}, "North": {"Norway": {}}}}}),
        (["South"], "collapse_level", {"Europe": {"Italy": {}, "Spain": {}, "Norway": {}}}),
    ],
)
def test_a_button_does_its_edit_and_undo_takes_it_back(
    qtbot: QtBot, page: HierarchiesPage, chosen: list[str], command: str, nested: dict[str, object]
) -> None:
    select(page, *chosen)
    click(qtbot, page, command)
    tree = page.document.project.hierarchies["land"]
    assert _nested(tree, tree.node_of_label["Europe"]) == nested["Europe"]
    page.document.undo_stack.undo()
    assert page.document.project.hierarchies["land"] == LANDS


def test_two_siblings_move_together(qtbot: QtBot, page: HierarchiesPage) -> None:
    select(page, "Europe")
    click(qtbot, page, "add")
    type_label(qtbot, page, "Other Europe")
    select(page, "South", "North")
    click(qtbot, page, "down")
    tree = page.document.project.hierarchies["land"]
    assert [tree.labels[child] for child in tree.children(1)] == ["Other Europe", "South", "North"]


def test_merging_two_groups_makes_one_and_asks_for_its_name(qtbot: QtBot, page: HierarchiesPage) -> None:
    select(page, "South", "North")
    click(qtbot, page, "merge")
    type_label(qtbot, page, "All")
    tree = page.document.project.hierarchies["land"]
    assert _nested(tree, tree.node_of_label["All"]) == {"Italy": {}, "Spain": {}, "Norway": {}}


def test_adding_beside_a_value_adds_to_its_group(qtbot: QtBot, page: HierarchiesPage) -> None:
    select(page, "Japan")
    click(qtbot, page, "add")
    type_label(qtbot, page, "China")
    tree = page.document.project.hierarchies["land"]
    assert "China" in _nested(tree, tree.node_of_label["East"])
    assert page.document.undo_stack.undoText() == "Add “China” under “East” in land"


def test_sorting_sorts_everything_below(qtbot: QtBot, page: HierarchiesPage) -> None:
    select(page, "*")
    click(qtbot, page, "sort")
    tree = page.document.project.hierarchies["land"]
    assert [tree.labels[child] for child in tree.children(0)] == ["Asia", "Europe"]


def test_inserting_a_level_makes_the_tree_deeper(qtbot: QtBot, page: HierarchiesPage) -> None:
    select(page, "South")
    click(qtbot, page, "insert_level")
    assert page.document.project.hierarchies["land"].height == LANDS.height + 1


def test_typing_over_a_label_renames_the_node(qtbot: QtBot, page: HierarchiesPage) -> None:
    select(page, "South")
    qtbot.keyClick(page.editor.tree, Qt.Key.Key_F2)
    type_label(qtbot, page, "Mediterranean")
    assert "Mediterranean" in labels(page)
    assert page.document.undo_stack.undoText() == "Rename “South” to “Mediterranean” in land"


def test_a_label_that_is_taken_is_refused_in_the_message_bar(qtbot: QtBot, page: HierarchiesPage) -> None:
    select(page, "South")
    qtbot.keyClick(page.editor.tree, Qt.Key.Key_F2)
    type_label(qtbot, page, "Japan")
    assert page.document.project.hierarchies["land"] is LANDS
    assert messages(page) == ["The label “Japan” stands at two places."]


def test_the_message_goes_when_the_next_edit_works(qtbot: QtBot, page: HierarchiesPage) -> None:
    select(page, "Europe")
    page.editor.run("up")
    assert messages(page)
    select(page, "Asia")
    page.editor.run("up")
    assert messages(page) == []


def test_a_command_that_does_not_apply_says_what_it_is_for(page: HierarchiesPage) -> None:
    select(page, "Italy")
    page.editor.run("ungroup")
    assert page.document.project.hierarchies["land"] is LANDS
    assert len(messages(page)) == 1


def test_buttons_that_make_no_sense_are_disabled(page: HierarchiesPage) -> None:
    select(page, "Italy")
    enabled = {name for name, button in page.editor.buttons.items() if button.isEnabled()}
    assert {"group", "add", "delete", "up", "promote"} <= enabled
    assert not enabled & {"ungroup", "merge", "split", "delete_below"}


def test_dropping_nodes_moves_them_and_keeps_them_selected(page: HierarchiesPage) -> None:
    model = page.editor.tree.hierarchy_model
    data = model.mimeData([model.index_of(LANDS.node_of_label["Norway"])])
    model.dropMimeData(data, MOVE, 0, 0, model.index_of(LANDS.node_of_label["East"]))
    tree = page.document.project.hierarchies["land"]
    assert [tree.labels[child] for child in tree.children(tree.node_of_label["East"])] == ["Norway", "Japan", "Korea"]
    assert [tree.labels[node] for node in page.editor.tree.selected()] == ["Norway"]


def test_many_selected_values_are_grouped_together(qtbot: QtBot, document: Document) -> None:
    values = [f"v{number}" for number in range(2000)]
    load(document, {"land": values}, {"land": Hierarchy.from_nested({"*": values})})
    page = HierarchiesPage(document)
    qtbot.addWidget(page)
    page.show()
    page.editor.tree.select(range(1, 1500))
    assert len(page.editor.tree.selected()) == 1499
    page.editor.run("group")
    assert document.project.hierarchies["land"].leaf_counts.tolist()[1] == 1499


def test_what_is_open_stays_open_after_an_edit(qtbot: QtBot, page: HierarchiesPage) -> None:
    page.editor.tree.open_to_depth(1)
    select(page, "Asia")
    click(qtbot, page, "up")
    tree, view = page.document.project.hierarchies["land"], page.editor.tree
    is_open = {
        label: view.isExpanded(view.hierarchy_model.index_of(tree.node_of_label[label]))
        for label in ("*", "Europe", "Asia")
    }
    assert is_open == {"*": True, "Europe": False, "Asia": False}


def test_rows_and_loss_stand_beside_every_node_and_follow_an_edit(qtbot: QtBot, page: HierarchiesPage) -> None:
    assert (shown(page, "Europe", ROWS), shown(page, "South", ROWS)) == ("4", "3")
    select(page, "Spain")
    click(qtbot, page, "promote")
    assert (shown(page, "Europe", ROWS), shown(page, "South", ROWS)) == ("4", "2")
    assert shown(page, "South", LOSS) == "0.0%"


def test_search_goes_through_the_labels_and_round_again(qtbot: QtBot, page: HierarchiesPage) -> None:
    def found() -> list[str]:
        return [LANDS.labels[node] for node in page.editor.tree.selected()]

    qtbot.keyClicks(page.editor.search, "or")
    seen = [found()]
    for _ in range(3):
        click(qtbot, page, "next")
        seen.append(found())
    assert seen == [["North"], ["Norway"], ["Korea"], ["North"]]
    click(qtbot, page, "previous")
    assert found() == ["Korea"]


def test_a_search_without_hits_says_so(qtbot: QtBot, page: HierarchiesPage) -> None:
    qtbot.keyClicks(page.editor.search, "xyz")
    assert page.editor.hits.text() == "Not found"


def test_the_tree_opens_to_a_chosen_level(page: HierarchiesPage) -> None:
    view = page.editor.tree
    page.editor.expand_to.setCurrentIndex(1)
    page.editor.expand_to.activated.emit(1)
    assert not view.isExpanded(view.hierarchy_model.index_of(LANDS.node_of_label["Europe"]))
    page.editor.expand_to.activated.emit(3)
    assert view.isExpanded(view.hierarchy_model.index_of(LANDS.node_of_label["South"]))


def test_the_context_menu_holds_only_what_applies(page: HierarchiesPage) -> None:
    select(page, "Italy")
    page.editor.tree.customContextMenuRequested.emit(page.editor.tree.rect().center())
    menu = page.editor.findChild(QMenu)
    titles = [action.text().partition("\t")[0] for action in menu.actions() if action.text()]
    menu.close()
    assert "Group" in titles
    assert "Ungroup" not in titles


def test_copying_takes_the_labels_of_the_selected_nodes(qtbot: QtBot, page: HierarchiesPage) -> None:
    select(page, "Italy", "Korea")
    qtbot.keyClick(page.editor.tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "Italy\nKorea"


def test_copying_from_the_level_table_keeps_rows_and_columns(qtbot: QtBot, page: HierarchiesPage) -> None:
    page.switch_view()
    page.levels.view.selectRow(0)
    qtbot.keyClick(page.levels.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "Italy\tSouth\tEurope\t*"


@pytest.fixture
def ages(qtbot: QtBot, document: Document) -> HierarchiesPage:
    tree = Hierarchy(["*", "[0-50)", "[50-100)"], [-1, 0, 0], {1: Interval(0, 50), 2: Interval(50, 100)})
    load(document, {"age": ["10", "30", "70"]}, {"age": tree})
    page = HierarchiesPage(document)
    qtbot.addWidget(page)
    page.show()
    return page


def test_the_context_menu_of_an_interval_offers_to_split_it(ages: HierarchiesPage) -> None:
    select(ages, "[0-50)")
    ages.editor.tree.customContextMenuRequested.emit(ages.editor.tree.rect().center())
    menu = ages.editor.findChild(QMenu)
    titles = [action.text().partition("\t")[0] for action in menu.actions()]
    menu.close()
    assert "Split Interval…" in titles


def test_splitting_an_interval_shows_the_parts_before(qtbot: QtBot, ages: HierarchiesPage) -> None:
    select(ages, "[0-50)")
    click(qtbot, ages, "split")
    dialog = ages.findChild(SplitIntervalDialog)
    assert dialog.field.text() == "25"
    dialog.field.setText("20, 40")
    assert dialog.outcome.text() == "Gives [0-20)  ·  [20-40)  ·  [40-50)"
    dialog.buttons.accepted.emit()
    assert ages.document.project.hierarchies["age"].leaf_labels == ("[0-20)", "[20-40)", "[40-50)", "[50-100)")


def test_a_cut_outside_the_interval_is_refused_while_typing(qtbot: QtBot, ages: HierarchiesPage) -> None:
    select(ages, "[0-50)")
    click(qtbot, ages, "split")
    dialog = ages.findChild(SplitIntervalDialog)
    dialog.field.setText("60")
    assert dialog.outcome.text() == "A cut must lie between the ends of the interval."
    assert not dialog.buttons.button(dialog.buttons.StandardButton.Ok).isEnabled()
    dialog.reject()


def test_an_interval_of_days_is_cut_at_a_date_and_its_parts_are_called_so(qtbot: QtBot, document: Document) -> None:
    days = [f"2020-{month:02}-10" for month in range(1, 13)]
    tree = Dates(("month", "year")).build(Column.from_texts("born", [*days, "2021-01-01"]), ColumnSchema("born"))
    load(document, {"born": days}, {"born": tree})
    page = HierarchiesPage(document)
    qtbot.addWidget(page)
    page.show()
    select(page, "2020")
    click(qtbot, page, "split")
    dialog = page.findChild(SplitIntervalDialog)
    assert dialog.field.text() == "2020-07-02"
    dialog.field.setText("2020-07-01")
    assert dialog.outcome.text() == "Gives 2020-01-01 – 2020-06-30  ·  2020-07-01 – 2020-12-31"
    dialog.reject()


def test_merged_intervals_are_called_after_the_interval_they_make(qtbot: QtBot, ages: HierarchiesPage) -> None:
    select(ages, "[0-50)", "[50-100)")
    click(qtbot, ages, "merge")
    assert ages.document.project.hierarchies["age"].leaf_labels == ("[0-100)",)


def test_numbers_are_counted_in_their_interval(ages: HierarchiesPage) -> None:
    model = ages.editor.tree.hierarchy_model
    assert [model.index_of(node, ROWS).data() for node in range(3)] == ["3", "2", "1"]


def _nested(tree: Hierarchy, node: int) -> dict[str, object]:
    return {tree.labels[child]: _nested(tree, child) for child in tree.children(node)}


class Painted(QObject):
    """Remembers how much of a widget was painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.heights: list[int] = []
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note a painting."""
        if isinstance(event, QPaintEvent):
            self.heights.append(event.region().boundingRect().height())
        return False


def test_new_counts_are_painted_in_every_row_that_is_shown(qtbot: QtBot) -> None:
    tree = HierarchyTreeView()
    qtbot.addWidget(tree)
    tree.hierarchy_model.show(Hierarchy.from_nested({"*": {"A": ["a", "b"], "B": ["c"]}}))
    tree.expandAll()
    with qtbot.waitExposed(tree):
        tree.show()
    painted = Painted(tree.viewport())
    tree.hierarchy_model.show_rows([3, 2, 1, 1, 1, 1])
    qtbot.waitUntil(lambda: bool(painted.heights))
    assert max(painted.heights) == tree.viewport().height()
