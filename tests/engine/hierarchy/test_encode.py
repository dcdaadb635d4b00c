"""Every cell finds its leaf, or the user is told how many do not."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema, ColumnType
from anonymizer_gui.engine.data.tables.values import parse_day_ordinals
from anonymizer_gui.engine.hierarchy.leaf_encoding import encode_column
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval
from tests.engine.hierarchy.trees import hierarchies

AGES = Hierarchy(
    ["*", "<30", "30-40", ">40"],
    [-1, 0, 0, 0],
    {1: Interval(-math.inf, 30), 2: Interval(30, 40, closed=True), 3: Interval(40, math.inf, open_low=True)},
)


@given(hierarchies(), st.data())
def test_every_row_gets_the_leaf_of_its_label(tree: Hierarchy, data: st.DataObject) -> None:
    texts = data.draw(st.lists(st.sampled_from(tree.leaf_labels), max_size=30))
    placed = encode_column(Column.from_texts("c", texts), tree)
    assert [tree.leaf_labels[code] for code in placed.codes] == texts


@pytest.mark.parametrize(
    ("text", "leaf"), [("29", "<30"), ("30", "30-40"), ("40", "30-40"), ("40.5", ">40"), ("-3", "<30")]
)
def test_a_number_finds_the_leaf_whose_interval_holds_it(text: str, leaf: str) -> None:
    assert AGES.leaf_labels[encode_column(Column.from_texts("age", [text]), AGES).codes[0]] == leaf


@pytest.mark.parametrize(
    ("text", "is_placed"), [("0", False), ("0.5", True), ("10", False), ("20", True), ("30", False)]
)
def test_a_bound_that_is_not_part_of_an_interval_has_no_place_in_it(text: str, is_placed: bool) -> None:
    tree = Hierarchy(["*", "low", "high"], [-1, 0, 0], {1: Interval(0, 10, open_low=True), 2: Interval(20, 30)})
    column = Column.from_texts("n", [text])
    if is_placed:
        assert len(encode_column(column, tree).codes) == 1
        return
    with pytest.raises(BadHierarchy, match="without a place"):
        encode_column(column, tree)


def test_a_label_wins_over_an_interval() -> None:
    tree = Hierarchy(["*", "0-9", "5"], [-1, 0, 0], {1: Interval(0, 9, closed=True)})
    assert encode_column(Column.from_texts("n", ["5"]), tree).codes.tolist() == [1]


def test_a_date_finds_its_leaf_in_the_stated_format() -> None:
    start, end = parse_day_ordinals(["2024-01-01", "2025-01-01"]).tolist()
    tree = Hierarchy(["*", "2024", "later"], [-1, 0, 0], {1: Interval(start, end), 2: Interval(end, math.inf)})
    column = Column.from_texts("day", ["31.12.2024", "01.01.2025", "31.12.9999"])
    schema = ColumnSchema("day", ColumnType.DATE, "%d.%m.%Y")
    codes = encode_column(column, tree, schema).codes
    assert [tree.leaf_labels[code] for code in codes] == ["2024", "later", "later"]


def test_a_decimal_comma_is_read_when_stated() -> None:
    column = Column.from_texts("age", ["29,5"])
    placed = encode_column(column, AGES, ColumnSchema("age", ColumnType.DECIMAL, ","))
    assert AGES.leaf_labels[placed.codes[0]] == "<30"


def test_missing_cells_get_a_leaf_of_their_own_under_the_root() -> None:
    placed = encode_column(Column.from_texts("age", ["12", MISSING]), AGES)
    node = placed.hierarchy.node_of_label[MISSING]
    assert placed.hierarchy.parents[node] == 0
    assert placed.codes.tolist() == [0, 3]


def test_a_hierarchy_with_a_place_for_missing_cells_is_left_alone() -> None:
    tree = Hierarchy.from_nested({"*": {"Unknown": ["?", MISSING], "Known": ["a"]}})
    assert encode_column(Column.from_texts("c", ["a", MISSING]), tree).hierarchy is tree


def test_values_without_a_place_are_counted_but_not_told() -> None:
    tree = Hierarchy.from_nested({"*": ["a", "b"]})
    with pytest.raises(BadHierarchy) as caught:
        encode_column(Column.from_texts("town", ["a", "Secretville", "Secretville", "Hiddenburg"]), tree)
    assert "“town” has 2 values (3 rows)" in caught.value.message
    assert "Secretville" not in str(caught.value)


def test_a_label_that_no_row_has_needs_no_place() -> None:
    tree = Hierarchy.from_nested({"*": ["a", "b"]})
    column = Column("c", Column.from_texts("c", ["a", "b"]).codes, ("a", "b", "gone"))
    assert encode_column(column, tree).leaf_of_label.tolist() == [0, 1, -1]


def test_leaves_with_overlapping_intervals_are_refused() -> None:
    tree = Hierarchy(["*", "x", "y"], [-1, 0, 0], {1: Interval(0, 10), 2: Interval(5, 15)})
    with pytest.raises(BadHierarchy, match="overlap"):
        encode_column(Column.from_texts("n", ["7"]), tree)
