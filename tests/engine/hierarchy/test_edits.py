"""Edits give what they say, refuse what breaks the tree, and lose no value."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.data.tables.table import MISSING
from anonymizer_gui.engine.hierarchy import edits
from anonymizer_gui.engine.hierarchy.edits import split_interval
from anonymizer_gui.engine.hierarchy.formats.delimited import LevelTable
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval
from tests.engine.hierarchy.trees import hierarchies

LANDS = Hierarchy.from_nested({"*": {"Europe": ["Italy", "Spain"], "Asia": ["Japan"], "Other": ["Mars"]}})
YEARS = Hierarchy(
    ["*", "[0-20)", "[0-10)", "[10-20)", "[20-40)"],
    [-1, 0, 1, 1, 0],
    {1: Interval(0, 20), 2: Interval(0, 10), 3: Interval(10, 20), 4: Interval(20, 40)},
)


def at(label: str, tree: Hierarchy = LANDS) -> int:
    return tree.node_of_label[label]


def lines(tree: Hierarchy) -> list[str]:
    return LevelTable.write(tree).splitlines()


def test_an_added_value_comes_last_in_its_group() -> None:
    assert edits.add_leaf(LANDS, at("Europe"), " Malta ").leaf_labels == ("Italy", "Spain", "Malta", "Japan", "Mars")


def test_a_value_does_not_become_a_group_by_adding_to_it() -> None:
    with pytest.raises(BadHierarchy, match="lose its place"):
        edits.add_leaf(LANDS, at("Italy"), "Rome")


def test_the_first_value_goes_under_a_bare_root() -> None:
    assert edits.add_leaf(Hierarchy(["*"], [-1]), 0, "a").leaf_labels == ("a",)


def test_renaming_to_a_label_that_is_taken_is_refused() -> None:
    with pytest.raises(BadHierarchy, match="two places"):
        edits.rename(LANDS, at("Italy"), "Spain")


def test_an_empty_label_is_refused() -> None:
    with pytest.raises(BadHierarchy, match="empty"):
        edits.rename(LANDS, at("Italy"), "  ")


def test_deleting_a_group_moves_its_children_up_in_its_place() -> None:
    assert lines(edits.delete(LANDS, at("Europe"))) == ["Italy;*", "Spain;*", "Japan;Asia;*", "Mars;Other;*"]


def test_deleting_a_group_with_its_children_takes_its_values_away() -> None:
    assert edits.delete(LANDS, at("Europe"), children="go").leaf_labels == ("Japan", "Mars")


def test_deleting_the_last_value_of_a_group_takes_the_group_away() -> None:
    assert "Asia" not in edits.delete(LANDS, at("Japan")).labels


def test_deleting_nested_groups_moves_children_up_to_what_is_left() -> None:
    tree = Hierarchy.from_nested({"*": {"a": {"b": ["c", "d"]}}})
    assert lines(edits.delete(tree, [1, 2])) == ["c;*", "d;*"]


def test_the_last_value_cannot_be_deleted() -> None:
    with pytest.raises(BadHierarchy, match="without any value"):
        edits.delete(Hierarchy.from_nested({"*": ["a"]}), 1)


def test_the_root_cannot_be_deleted() -> None:
    with pytest.raises(BadHierarchy, match="root"):
        edits.delete(LANDS, 0)


def test_moved_nodes_come_before_the_sibling_named() -> None:
    moved = edits.move(LANDS, [at("Japan"), at("Mars")], at("Europe"), before=at("Spain"))
    assert lines(moved) == ["Italy;Europe;*", "Japan;Europe;*", "Mars;Europe;*", "Spain;Europe;*"]


def test_a_node_cannot_move_into_itself() -> None:
    tree = Hierarchy.from_nested({"*": {"a": {"b": ["c"]}, "d": ["e"]}})
    for parent in ("a", "b"):
        with pytest.raises(BadHierarchy, match="into itself"):
            edits.move(tree, at("a", tree), at(parent, tree))


def test_a_node_changes_places_with_its_neighbours() -> None:
    down = edits.move_down(LANDS, at("Europe"))
    assert down.leaf_labels == ("Japan", "Italy", "Spain", "Mars")
    assert edits.move_up(down, at("Europe", down)) == LANDS


@pytest.mark.parametrize(
    ("edit", "label"), [(edits.move_up, "Europe"), (edits.move_down, "Other"), (edits.move_up, "*")]
)
def test_a_node_at_the_end_of_its_group_stays(edit: Callable[[Hierarchy, int], Hierarchy], label: str) -> None:
    with pytest.raises(BadHierarchy, match="already"):
        edit(LANDS, at(label))


def test_nodes_of_different_groups_are_grouped_where_they_meet() -> None:
    grouped = edits.group(LANDS, [at("Spain"), at("Japan")], "Rice")
    assert lines(grouped) == ["Italy;Europe;*", "Spain;Rice;*", "Japan;Rice;*", "Mars;Other;*"]


def test_grouping_groups_adds_a_level() -> None:
    grouped = edits.group(LANDS, [at("Europe"), at("Asia")], "Eurasia")
    assert lines(grouped) == [
        "Italy;Europe;Eurasia;*",
        "Spain;Europe;Eurasia;*",
        "Japan;Asia;Eurasia;*",
        "Mars;Other;*",
    ]


def test_ungrouping_undoes_grouping() -> None:
    grouped = edits.group(LANDS, [at("Europe"), at("Asia")], "Eurasia")
    assert edits.ungroup(grouped, at("Eurasia", grouped)) == LANDS


def test_a_value_cannot_be_ungrouped() -> None:
    with pytest.raises(BadHierarchy, match="not a group"):
        edits.ungroup(LANDS, at("Mars"))


def test_merged_groups_hold_the_values_of_all() -> None:
    merged = edits.merge(LANDS, [at("Europe"), at("Other")], "Rest")
    assert lines(merged) == ["Italy;Rest;*", "Spain;Rest;*", "Mars;Rest;*", "Japan;Asia;*"]


def test_values_cannot_be_merged() -> None:
    with pytest.raises(BadHierarchy, match="cannot be merged"):
        edits.merge(LANDS, [at("Italy"), at("Spain")], "Both")


def test_merging_a_split_interval_gives_the_interval_back() -> None:
    split = split_interval(YEARS, at("[20-40)", YEARS), [25, 30])
    assert split.leaf_labels == ("[0-10)", "[10-20)", "[20-25)", "[25-30)", "[30-40)")
    parts = [at(label, split) for label in split.leaf_labels[2:]]
    assert edits.merge(split, parts, "[20-40)") == YEARS


def test_splitting_a_group_sends_its_children_to_their_parts() -> None:
    split = split_interval(YEARS, at("[0-20)", YEARS), [10], ["young", "old"])
    assert lines(split) == ["[0-10);young;*", "[10-20);old;*", "[20-40);*"]


def test_a_child_across_the_cut_stops_the_split() -> None:
    with pytest.raises(BadHierarchy, match="one side"):
        split_interval(YEARS, at("[0-20)", YEARS), [5])


@pytest.mark.parametrize("cut", [20, 40, 50, float("nan")])
def test_a_cut_outside_the_interval_is_refused(cut: float) -> None:
    with pytest.raises(BadHierarchy, match="between the ends"):
        split_interval(YEARS, at("[20-40)", YEARS), [cut])


def test_a_group_loses_its_interval_when_something_else_moves_in() -> None:
    moved = edits.move(YEARS, at("[20-40)", YEARS), at("[0-20)", YEARS))
    assert sorted(moved.labels[node] for node in moved.intervals) == ["[0-10)", "[10-20)", "[20-40)"]


def test_a_group_keeps_its_interval_when_its_own_children_are_grouped() -> None:
    grouped = edits.group(YEARS, [at("[0-10)", YEARS), at("[10-20)", YEARS)], "both")
    assert grouped.intervals[at("[0-20)", grouped)] == Interval(0, 20)


def test_a_group_of_neighbouring_intervals_stands_for_all_of_them() -> None:
    grouped = edits.group(YEARS, [at("[0-20)", YEARS), at("[20-40)", YEARS)], "all")
    assert grouped.intervals[at("all", grouped)] == Interval(0, 40)


def test_a_value_outside_takes_the_interval_of_its_group_away() -> None:
    added = edits.add_leaves(YEARS, {"15.5": at("[0-20)", YEARS), "99": 0})
    assert at("[0-20)", added) in added.intervals
    outside = edits.add_leaf(YEARS, at("[0-20)", YEARS), "99")
    assert at("[0-20)", outside) not in outside.intervals


def test_splitting_a_plain_range_of_decimals_names_no_whole_numbers() -> None:
    tree = Hierarchy(["*", "0.5-1.5"], [-1, 0], {1: Interval(0.5, 1.5, closed=True)})
    assert split_interval(tree, 1, [1]).leaf_labels == ("[0.5-1)", "[1-1.5]")


def test_intervals_that_name_whole_numbers_are_split_and_merged_in_their_style() -> None:
    tree = Hierarchy(["*", "30-39"], [-1, 0], {1: Interval(30, 39, closed=True)})
    split = split_interval(tree, 1, [35])
    assert split.leaf_labels == ("30-34", "35-39")
    tens = Hierarchy(
        ["*", "0-9", "10-19"], [-1, 0, 0], {1: Interval(0, 9, closed=True), 2: Interval(10, 19, closed=True)}
    )
    assert edits.merge(tens, [1, 2], "0-19").intervals == {1: Interval(0, 19, closed=True)}


def test_sorting_by_label_counts_numbers_as_numbers() -> None:
    tree = Hierarchy.from_nested({"*": ["10", "9", "b", "A"]})
    assert edits.sort(tree).leaf_labels == ("9", "10", "A", "b")


def test_sorting_by_size_puts_the_largest_group_first() -> None:
    tree = Hierarchy.from_nested({"*": {"small": ["a"], "large": ["b", "c"]}})
    assert edits.sort(tree, by="size").leaf_labels == ("b", "c", "a")


def test_sorting_by_interval_follows_the_numbers() -> None:
    mixed = edits.move_down(YEARS, at("[0-20)", YEARS))
    assert edits.sort(mixed, by="interval") == YEARS


def test_sorting_one_group_leaves_the_others() -> None:
    tree = Hierarchy.from_nested({"*": {"x": ["2", "1"], "a": ["4", "3"]}})
    assert edits.sort(tree, at("x", tree), deep=False).leaf_labels == ("1", "2", "4", "3")


def test_an_inserted_level_can_be_collapsed_again() -> None:
    deeper = edits.insert_level(LANDS, 1)
    assert lines(deeper)[0] == "Italy;Europe;Europe;*"
    assert edits.collapse_level(deeper, 1) == LANDS


@pytest.mark.parametrize("depth", [0, 3])
def test_a_level_that_is_not_there_cannot_be_inserted_above(depth: int) -> None:
    with pytest.raises(BadHierarchy, match="no level"):
        edits.insert_level(LANDS, depth)


def test_a_level_of_values_cannot_be_collapsed() -> None:
    with pytest.raises(BadHierarchy, match="no groups"):
        edits.collapse_level(LANDS, 2)


def test_the_place_of_missing_cells_is_made_and_moved() -> None:
    made = edits.set_missing_place(LANDS, at("Other"))
    assert "(missing);Other;*" in lines(made)
    assert lines(edits.set_missing_place(made, 0))[-1] == "(missing);*"


@given(hierarchies(), st.data())
def test_deleting_says_exactly_what_goes(tree: Hierarchy, data: st.DataObject) -> None:
    node = data.draw(st.integers(1, len(tree) - 1))
    gone = set(tree.leaf_labels[tree.first_leaf[node] : tree.end_leaf[node]])
    if len(gone) == tree.n_leaves:
        return
    assert set(edits.delete(tree, node, children="go").leaf_labels) == set(tree.leaf_labels) - gone


def test_the_label_of_missing_cells_is_the_one_of_tables() -> None:
    assert MISSING in edits.set_missing_place(LANDS, 0).leaf_labels
