"""The tree, the level table and the counts as Qt models."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QMimeData, QModelIndex, Qt
from pytestqt.modeltest import ModelTester

from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui.hierarchies.level_views import REPEATED, LevelTableModel
from anonymizer_gui.ui.hierarchies.tree_model import LABEL, LEAVES, LOSS, ROWS, HierarchyTreeModel
from anonymizer_gui.ui.hierarchies.value_counts import ValueCountModel

LANDS = Hierarchy.from_nested({"*": {"Europe": {"South": ["Italy", "Spain"]}, "Asia": ["Japan"]}})
MOVE = Qt.DropAction.MoveAction


@pytest.fixture
def model() -> HierarchyTreeModel:
    model = HierarchyTreeModel()
    model.show(LANDS)
    return model


def node(label: str) -> int:
    return LANDS.node_of_label[label]


def texts(model: HierarchyTreeModel, label: str) -> list[str]:
    return [model.index_of(node(label), column).data() for column in (LABEL, ROWS, LEAVES, LOSS)]


def dropped(signal_of: Callable[[HierarchyTreeModel], object], model: HierarchyTreeModel) -> list[tuple[object, ...]]:
    seen: list[tuple[object, ...]] = []
    signal_of(model).connect(lambda *values: seen.append(values))  # type: ignore[attr-defined]
    return seen


def test_the_tree_model_keeps_the_rules_of_models(qtmodeltester: ModelTester, model: HierarchyTreeModel) -> None:
    qtmodeltester.check(model)
    model.show(Hierarchy.from_nested({"*": ["a", "b"]}))
    qtmodeltester.check(model)
    model.show(None)
    qtmodeltester.check(model)


def test_a_row_shows_label_rows_leaves_and_loss(model: HierarchyTreeModel) -> None:
    model.show_rows([9, 6, 6, 2, 4, 3, 3])
    assert texts(model, "South") == ["South", "6", "2", "50.0%"]


def test_rows_are_dots_until_they_are_counted(model: HierarchyTreeModel) -> None:
    assert texts(model, "South")[ROWS] == "…"


def test_counts_of_another_tree_are_not_taken(model: HierarchyTreeModel) -> None:
    model.show_rows([1, 2, 3])
    assert texts(model, "South")[ROWS] == "…"


def test_a_node_is_found_again_by_its_name_in_another_tree(model: HierarchyTreeModel) -> None:
    name = model.name(node("Japan"))
    model.show(Hierarchy.from_nested({"*": {"Far East": ["Japan", "Korea"]}}))
    assert model.find(name) == 2


def test_nodes_of_a_chain_with_the_same_label_have_different_names() -> None:
    model = HierarchyTreeModel()
    model.show(Hierarchy.from_nested({"*": {"Other": ["Other"], "Asia": ["Japan"]}}))
    assert model.name(1) != model.name(2)
    assert model.find(model.name(2)) == 2


def test_new_labels_on_the_same_tree_do_not_reset_the_view(qtbot: object, model: HierarchyTreeModel) -> None:
    resets = dropped(lambda m: m.modelReset, model)
    model.show(Hierarchy([label.upper() for label in LANDS.labels], LANDS.parents))
    assert resets == []
    assert model.index_of(1).data() == "EUROPE"


def test_typing_a_label_tells_node_and_label(model: HierarchyTreeModel) -> None:
    seen = dropped(lambda m: m.renamed, model)
    model.setData(model.index_of(node("South")), " Mediterranean ")
    assert seen == [(node("South"), "Mediterranean")]


def test_typing_the_same_label_tells_nothing(model: HierarchyTreeModel) -> None:
    seen = dropped(lambda m: m.renamed, model)
    assert not model.setData(model.index_of(node("South")), "South")
    assert seen == []


def test_a_drop_tells_nodes_parent_and_row_and_leaves_removing_to_nobody(model: HierarchyTreeModel) -> None:
    seen = dropped(lambda m: m.moved, model)
    data = model.mimeData([model.index_of(node("Italy")), model.index_of(node("Spain"), ROWS)])
    assert not model.dropMimeData(data, MOVE, 1, 0, model.index_of(node("Asia")))
    assert seen == [([node("Italy"), node("Spain")], node("Asia"), 1)]


def test_a_node_cannot_be_dropped_into_itself(model: HierarchyTreeModel) -> None:
    data = model.mimeData([model.index_of(node("Europe"))])
    assert not model.canDropMimeData(data, MOVE, -1, -1, model.index_of(node("South")))


def test_nodes_of_a_chain_with_the_same_label_are_dragged_as_themselves() -> None:
    model = HierarchyTreeModel()
    model.show(Hierarchy.from_nested({"*": {"Other": ["Other"], "Asia": ["Japan"]}}))
    seen = dropped(lambda m: m.moved, model)
    model.dropMimeData(model.mimeData([model.index_of(2)]), MOVE, -1, -1, model.index_of(3))
    assert seen == [([2], 3, -1)]


def test_neighbours_form_runs(model: HierarchyTreeModel) -> None:
    chosen = [node(label) for label in ("Italy", "Spain", "Asia", "Europe")]
    assert model.runs(chosen) == [(node("Europe"), node("Asia")), (node("Italy"), node("Spain"))]


def test_a_drop_beside_the_root_goes_under_it(model: HierarchyTreeModel) -> None:
    seen = dropped(lambda m: m.moved, model)
    model.dropMimeData(model.mimeData([model.index_of(node("Italy"))]), MOVE, 1, 0, QModelIndex())
    assert seen == [([node("Italy")], 0, -1)]


def test_nodes_dragged_from_another_tree_are_refused(model: HierarchyTreeModel) -> None:
    other = HierarchyTreeModel()
    other.show(Hierarchy.from_nested({"all": ["a", "b"]}))
    assert not model.canDropMimeData(other.mimeData([other.index_of(1)]), MOVE, -1, -1, model.index_of(0))


def test_foreign_data_is_refused(model: HierarchyTreeModel) -> None:
    data = QMimeData()
    data.setText("Italy")
    assert not model.canDropMimeData(data, MOVE, -1, -1, model.index_of(0))


def test_a_group_takes_children_and_a_value_does_not(model: HierarchyTreeModel) -> None:
    indexes = {label: model.index_of(node(label)) for label in LANDS.labels}
    for index in indexes.values():
        model.take_no_drops_on(index)
    may_drop = {label: bool(model.flags(index) & Qt.ItemFlag.ItemIsDropEnabled) for label, index in indexes.items()}
    assert [label for label, may in may_drop.items() if may] == ["*", "Europe", "South", "Asia"]


def test_a_view_cannot_take_rows_away(model: HierarchyTreeModel) -> None:
    assert not model.removeRows(0, 1, model.index_of(node("South")))
    assert model.rowCount(model.index_of(node("South"))) == 2


def test_the_root_cannot_be_dragged(model: HierarchyTreeModel) -> None:
    assert not model.flags(model.index_of(0)) & Qt.ItemFlag.ItemIsDragEnabled


def test_values_dragged_from_the_tray_are_told_with_their_place(model: HierarchyTreeModel) -> None:
    tray = ValueCountModel("Rows", draggable=True)
    tray.show(("Korea", "Peru"), (3, 1))
    seen = dropped(lambda m: m.placed, model)
    model.dropMimeData(tray.mimeData([tray.index(1, 0), tray.index(1, 1)]), MOVE, -1, -1, model.index_of(node("Asia")))
    assert seen == [(["Peru"], node("Asia"), -1)]


def test_the_counts_model_keeps_the_rules_of_models(qtmodeltester: ModelTester) -> None:
    model = ValueCountModel("Rows")
    model.show(("a", "b"), (30, 10))
    qtmodeltester.check(model)
    assert [model.index(1, column).data() for column in (0, 1)] == ["b", "10"]


@pytest.mark.parametrize(
    ("uneven", "japan"), [("cap", ["Japan", "Japan", "Asia", "*"]), ("climb", ["Japan", "Asia", "*", "*"])]
)
def test_the_level_table_shows_what_full_domain_levels_mean(
    qtmodeltester: ModelTester, uneven: str, japan: list[str]
) -> None:
    model = LevelTableModel()
    model.show(LANDS, uneven)  # type: ignore[arg-type]
    qtmodeltester.check(model)
    assert [model.index(2, level).data() for level in range(4)] == japan


def test_the_level_table_knows_what_repeats_the_row_above() -> None:
    model = LevelTableModel()
    model.show(LANDS, "cap")
    assert [model.index(1, level).data(REPEATED) for level in range(4)] == [False, True, True, True]


def test_a_label_can_be_changed_in_the_level_table() -> None:
    model = LevelTableModel()
    model.show(LANDS, "cap")
    seen: list[tuple[int, str]] = []
    model.renamed.connect(lambda *values: seen.append(values))
    model.setData(model.index(0, 2), "EU")
    assert seen == [(node("Europe"), "EU")]
