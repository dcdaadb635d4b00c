"""The tree answers by look-up what walking it would answer."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval
from tests.engine.hierarchy.trees import hierarchies

WORKCLASS = Hierarchy.from_nested(
    {
        "Workclass": {
            "Government": ["State-gov", "Local-gov", "Federal-gov"],
            "Private": [],
            "Self-employed": ["Inc", "Not-inc"],
            "Unemployed": ["Without-pay", "Never-worked"],
        }
    }
)
AGE = Hierarchy.from_nested(
    {"30-40": {"30-35": [str(age) for age in range(30, 35)], "35-40": [str(age) for age in range(35, 40)]}}
)
UNEVEN = Hierarchy.from_nested({"*": {"Private": [], "Self": {"Small": ["Inc", "Not-inc"]}}})


@pytest.mark.parametrize(
    ("label", "loss"), [("Private", 0), ("Workclass", 1), ("Government", 2 / 7), ("Unemployed", 1 / 7)]
)
def test_the_loss_of_a_work_class_is_that_of_the_worked_example(label: str, loss: float) -> None:
    assert WORKCLASS.loss[WORKCLASS.node_of_label[label]] == pytest.approx(loss)


def test_the_loss_of_half_the_ages_is_that_of_the_worked_example() -> None:
    assert AGE.loss[AGE.node_of_label["30-35"]] == pytest.approx(4 / 9)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["Engineer", "Engineer", "Lawyer"], "Professional"),
        (["Engineer", "Engineer", "Engineer"], "Engineer"),
        (["Engineer", "Dancer"], "Any"),
    ],
)
def test_the_common_ancestor_is_never_higher_than_needed(values: list[str], expected: str) -> None:
    jobs = Hierarchy.from_nested({"Any": {"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]}})
    assert jobs.labels[jobs.common_ancestor(*(jobs.leaf_number[value] for value in values))] == expected


@pytest.mark.parametrize(("ages", "expected"), [(["35", "38", "38"], "35-40"), (["30"] * 4, "30")])
def test_the_common_ancestor_of_ages_is_that_of_the_worked_example(ages: list[str], expected: str) -> None:
    assert AGE.labels[AGE.common_ancestor(*(AGE.leaf_number[age] for age in ages))] == expected


@given(hierarchies(), st.data())
def test_the_common_ancestor_of_two_leaves_is_the_deepest_node_on_both_paths(
    tree: Hierarchy, data: st.DataObject
) -> None:
    low, high = sorted(data.draw(st.tuples(*[st.integers(0, tree.n_leaves - 1)] * 2)))
    shared = set(tree.path(int(tree.leaves[low]))) & set(tree.path(int(tree.leaves[high])))
    assert tree.common_ancestors([low], [high])[0] == max(shared)


@given(hierarchies())
def test_every_node_covers_the_leaves_whose_path_holds_it(tree: Hierarchy) -> None:
    for node in range(len(tree)):
        below = [number for number, leaf in enumerate(tree.leaves) if node in tree.path(int(leaf))]
        assert below == list(range(tree.first_leaf[node], tree.end_leaf[node]))


@given(hierarchies())
def test_depths_are_the_lengths_of_paths(tree: Hierarchy) -> None:
    assert tree.depths.tolist() == [len(tree.path(node)) - 1 for node in range(len(tree))]


@given(hierarchies())
def test_children_are_the_nodes_with_that_parent(tree: Hierarchy) -> None:
    for node in range(len(tree)):
        assert tree.children(node) == np.flatnonzero(tree.parents == node).tolist()


def test_capped_levels_lift_deep_leaves_and_leave_shallow_ones() -> None:
    rows = [[UNEVEN.labels[node] for node in row] for row in UNEVEN.level_table("cap")]
    assert rows == [
        ["Private", "Inc", "Not-inc"],
        ["Private", "Small", "Small"],
        ["Private", "Self", "Self"],
        ["*"] * 3,
    ]


def test_climbing_levels_take_one_step_from_every_leaf() -> None:
    rows = [[UNEVEN.labels[node] for node in row] for row in UNEVEN.level_table("climb")]
    assert rows == [["Private", "Inc", "Not-inc"], ["*", "Small", "Small"], ["*", "Self", "Self"], ["*"] * 3]


@given(hierarchies(), st.randoms(use_true_random=False))
def test_nodes_in_any_order_are_arranged_into_the_same_tree(tree: Hierarchy, random: Random) -> None:
    order = list(range(len(tree)))
    random.shuffle(order)
    new_id = {old: new for new, old in enumerate(order)} | {-1: -1}
    labels = [tree.labels[old] for old in order]
    parents = np.array([new_id[int(tree.parents[old])] for old in order])
    assert Hierarchy.arranged(labels, parents, np.array(order)) == tree


@pytest.mark.parametrize(
    ("labels", "parents", "reason"),
    [
        ([], [], "one root"),
        (["a", "b"], [-1, -1], "one root"),
        (["a", "b"], [-1, 1], "order"),
        (["a", "b", "c", "d"], [-1, 0, 0, 1], "order"),
        (["a", "b", "b"], [-1, 0, 0], "two places"),
        (["a", "b", "b", "c"], [-1, 0, 1, 1], "two places"),
    ],
)
def test_what_is_no_tree_is_refused(labels: list[str], parents: list[int], reason: str) -> None:
    with pytest.raises(BadHierarchy, match=reason):
        Hierarchy(labels, parents)


def test_a_cycle_is_refused() -> None:
    with pytest.raises(BadHierarchy, match="own ancestor"):
        Hierarchy.arranged(["a", "b", "c"], np.array([-1, 2, 1]))


def test_a_single_child_may_have_the_label_of_its_parent() -> None:
    assert Hierarchy(["*", "a", "a"], [-1, 0, 1]).leaf_labels == ("a",)


def test_an_interval_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(BadHierarchy, match="interval"):
        Hierarchy(["*", "a"], [-1, 0], {1: Interval(2, 1)})


@pytest.mark.parametrize(
    "name",
    [
        "parents",
        "depths",
        "is_leaf",
        "leaves",
        "subtree_end",
        "first_leaf",
        "end_leaf",
        "leaf_counts",
        "loss",
        "ancestors",
    ],
)
def test_nobody_can_write_into_a_tree(name: str) -> None:
    with pytest.raises(ValueError, match="read-only"):
        getattr(UNEVEN, name)[0] = 1


def test_nobody_can_change_the_intervals_of_a_tree() -> None:
    with pytest.raises(TypeError, match="assignment"):
        Hierarchy(["*", "[0-5)"], [-1, 0], {1: Interval(0, 5)}).intervals[1] = Interval(0, 9)  # type: ignore[index]
