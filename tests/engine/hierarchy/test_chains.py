"""Groups that repeat the label of their only child can be edited like others."""

from anonymizer_gui.engine.hierarchy import edits
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

SEXES = Hierarchy.from_nested({"*": {"Male": ["Male"], "Female": ["Female"]}})
LANDS = Hierarchy.from_nested({"*": {"Europe": {"Europe": ["Italy"]}, "Asia": {"Asia": ["Japan", "China"]}}})


def groups_of(tree: Hierarchy, value: str) -> list[str]:
    leaf = int(tree.leaves[tree.leaf_number[value]])
    return [tree.labels[node] for node in tree.path(leaf)[1:-1]]


def test_a_value_joins_a_group_named_like_its_only_value() -> None:
    tree = edits.move(SEXES, int(SEXES.leaves[SEXES.leaf_number["Female"]]), SEXES.node_of_label["Male"])
    assert groups_of(tree, "Female") == groups_of(tree, "Male") == ["Male (group)"]
    tree = edits.add_leaf(SEXES, SEXES.node_of_label["Male"], "Other")
    assert groups_of(tree, "Other") == ["Male (group)"]


def test_a_value_goes_to_the_lowest_link_of_a_chain() -> None:
    tree = edits.add_leaf(LANDS, LANDS.node_of_label["Europe"], "Spain")
    assert groups_of(tree, "Spain") == ["Europe", "Europe"]
    tree = edits.move(
        LANDS, LANDS.node_of_label["China"], LANDS.node_of_label["Europe"], LANDS.node_of_label["Europe"] + 1
    )
    assert groups_of(tree, "China") == ["Europe", "Europe"]


def test_a_group_joins_a_chain_from_above_under_a_name_of_its_own() -> None:
    inner = LANDS.node_of_label["Asia"] + 1
    tree = edits.move(LANDS, inner, LANDS.node_of_label["Europe"])
    assert groups_of(tree, "Italy") == ["Europe", "Europe (group)"]
    assert groups_of(tree, "Japan") == ["Asia", "Europe (group)"]


def test_groups_merge_under_the_label_of_one_of_them() -> None:
    tree = edits.merge(LANDS, [LANDS.node_of_label["Europe"], LANDS.node_of_label["Asia"]], "Europe")
    assert groups_of(tree, "Italy") == ["Europe"]
    assert groups_of(tree, "Japan") == ["Asia", "Europe"]


def test_order_within_a_chain_stays_possible() -> None:
    tree = edits.move(
        LANDS, LANDS.node_of_label["China"], LANDS.node_of_label["Asia"] + 1, LANDS.node_of_label["Japan"]
    )
    assert tree.leaf_labels == ("Italy", "China", "Japan")
    assert groups_of(tree, "China") == ["Asia", "Asia"]
