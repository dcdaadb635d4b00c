"""Top and bottom coding: one group beyond a bound, at every level, and nobody loses a place."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema
from anonymizer_gui.engine.hierarchy.builders.numbers import Intervals
from anonymizer_gui.engine.hierarchy.fit import contradictions
from anonymizer_gui.engine.hierarchy.leaf_encoding import encode_column
from anonymizer_gui.engine.hierarchy.top_bottom_coding import top_bottom_code
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

AGES = Column.from_texts("age", [str(age) for age in range(18, 100)])
TREE = Intervals(width=5.0).build(AGES, ColumnSchema("age"))


def labels_of(tree: Hierarchy, value: str) -> list[str]:
    """Give the labels of a value at every level, the root left out."""
    leaf = int(tree.leaves[tree.leaf_number[value]])
    return [tree.labels[node] for node in tree.path(leaf)[1:-1]]


def test_everything_beyond_a_bound_is_one_group_at_every_level() -> None:
    tree = top_bottom_code(TREE, below=25, above=88)
    assert labels_of(tree, "99") == labels_of(tree, "88") == [">=88"] * (TREE.height - 1)
    assert labels_of(tree, "18") == labels_of(tree, "24") == ["<25"] * (TREE.height - 1)
    assert labels_of(tree, "87") == ["85-87", "80-87", "80-87"]
    assert tree.height == TREE.height


def test_the_groups_stand_at_the_ends() -> None:
    tree = top_bottom_code(TREE, below=25, above=88)
    names = [tree.labels[child] for child in tree.children(0)]
    assert (names[0], names[-1]) == ("<25", ">=88")


def test_coding_twice_moves_the_bound() -> None:
    assert top_bottom_code(top_bottom_code(TREE, above=90), above=80).labels == top_bottom_code(TREE, above=80).labels
    assert top_bottom_code(top_bottom_code(TREE, above=90), above=90).labels == top_bottom_code(TREE, above=90).labels


def test_values_that_are_no_numbers_stay() -> None:
    tree = top_bottom_code(Hierarchy.from_nested({"*": {"80-99": ["81", "95"], "?": ["unknown"]}}), above=90)
    assert labels_of(tree, "unknown") == ["?"]
    assert labels_of(tree, "81") == ["80-89"]


def test_dates_are_coded_by_day() -> None:
    tree = Hierarchy.from_nested({"*": {"1950s": ["1951-02-03", "1958-04-05"], "1960s": ["1960-01-01"]}})
    coded = top_bottom_code(tree, below=date(1955, 1, 1).toordinal())
    assert labels_of(coded, "1951-02-03") == ["<1955-01-01"]


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        ({}, "no bound"),
        ({"below": 50.0, "above": 40.0}, "must be less"),
        ({"above": 500.0}, "No value"),
        ({"above": 1.0}, "Every value"),
    ],
)
def test_a_bound_that_makes_no_sense_is_refused(bounds: dict[str, float], words: str) -> None:
    with pytest.raises(BadHierarchy, match=words):
        top_bottom_code(TREE, **bounds)


def test_a_value_across_the_bound_is_refused() -> None:
    with pytest.raises(BadHierarchy, match="one side"):
        top_bottom_code(Hierarchy.from_nested({"*": ["80-89", "90-99"]}), above=85)


@given(st.integers(19, 98), st.integers(19, 98))
def test_every_value_keeps_a_place_and_no_label_lies(one: int, two: int) -> None:
    low, high = min(one, two), max(one, two) + 1
    tree = top_bottom_code(TREE, below=low, above=high)
    assert sorted(tree.leaf_labels) == sorted(TREE.leaf_labels)
    assert contradictions(tree) == ()
    assert len(encode_column(AGES, tree).codes) == len(AGES)
