"""What published labels cover."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.data.tables.table import MISSING, Column
from anonymizer_gui.engine.hierarchy.coverage import covered_leaves, flat_domain, place_cells
from anonymizer_gui.engine.hierarchy.intervals import ForeignLabels
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

TREE = Hierarchy.from_nested(
    {"all": {"neg": ["-20", "-3"], "pos": ["0", "5", "7"], "odd": ["a, b", "a", "b-c", "b", "c"]}}
)


@pytest.mark.parametrize(
    ("label", "covered"),
    [
        ("neg", (0, 1)),
        ("7", (4, 4)),
        ("*", (0, 9)),
        ("all", (0, 9)),
        ("[-20--3]", (0, 1)),
        ("[-3-5]", (1, 3)),
        ("[b-c-c]", (7, 9)),
        ("{a, b, a}", (5, 6)),
        ("{a, b-c, b}", (6, 8)),
        ("{b, c}", (8, 9)),
        ("{c, b}", (8, 9)),
        ("[7-0]", None),
        ("{0, 7}", None),
        ("{}", None),
        ("elsewhere", None),
    ],
)
def test_a_published_label_covers_a_run_of_leaves(label: str, covered: tuple[int, int] | None) -> None:
    assert covered_leaves(label, TREE) == covered


@given(st.integers(0, 9), st.integers(0, 9))
def test_every_set_of_neighbours_is_read_back(one: int, other: int) -> None:
    low, high = min(one, other), max(one, other)
    label = "{" + ", ".join(TREE.leaf_labels[low : high + 1]) + "}"
    covered = covered_leaves(label, TREE)
    assert covered is not None
    first, last = covered
    assert "{" + ", ".join(TREE.leaf_labels[first : last + 1]) + "}" == label


@pytest.mark.parametrize(
    ("label", "covered"),
    [
        ("20-29", (0, 1)),
        ("[20, 30[", (0, 1)),
        ("[20, 30]", (0, 2)),
        ("(20,30]", (1, 2)),
        (">=30", (2, 3)),
        ("<30", (0, 1)),
        ("100+", (3, 3)),
        ("2*", (0, 1)),
        ("10*", (3, 3)),
        ("**", None),
        ("1000-2000", None),
        ("young", None),
    ],
)
def test_ranges_and_masks_of_other_tools_cover_the_values_they_describe(
    label: str, covered: tuple[int, int] | None
) -> None:
    domain = flat_domain(Column.from_texts("age", ["20", "25", "30", "100"]))
    assert ForeignLabels(domain).cell_range(label) == covered


def test_values_that_are_no_neighbours_in_the_hierarchy_are_no_cell() -> None:
    tree = Hierarchy.from_nested({"*": {"even": ["20", "22"], "odd": ["21"]}})
    assert ForeignLabels(tree).cell_range("20-21") is None
    assert ForeignLabels(tree).cell_range("2*") == (0, 2)


def test_missing_cells_get_a_place_of_their_own() -> None:
    cells = place_cells(Column.from_texts("x", ["5", MISSING]), TREE)
    assert cells.hierarchy.n_leaves == TREE.n_leaves + 1
    assert cells.widths.tolist() == [1, 1]


def test_a_chain_of_only_children_counts_as_its_leaf() -> None:
    tree = Hierarchy.from_nested({"*": {"Private": {"Private": []}, "State": ["a", "b"]}})
    cells = place_cells(Column.from_texts("x", ["Private"]), tree)
    assert tree.is_leaf[cells.nodes[0]]


def test_an_only_child_of_another_name_is_told_from_its_parent() -> None:
    tree = Hierarchy.from_nested({"*": {"single": ["Never-married"], "ever": ["Married", "Widowed"]}})
    column = Column.from_texts("x", ["single", "Never-married", "ever", "[Married-Widowed]"])
    nodes = place_cells(column, tree).nodes[column.codes]
    assert [tree.labels[node] for node in nodes.tolist()] == ["single", "Never-married", "ever", "ever"]


def test_a_domain_without_hierarchy_orders_numbers_by_value() -> None:
    assert flat_domain(Column.from_texts("n", ["10", "9", MISSING])).leaf_labels == ("9", "10", MISSING)


def test_loss_of_a_range_is_the_share_of_the_domain_it_covers() -> None:
    cells = place_cells(Column.from_texts("x", ["[0-7]"]), TREE)
    assert np.allclose(cells.loss, 2 / 9)
