"""The numbers of the worked examples, asked of the models themselves."""

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.measurement import published_groups
from anonymizer_gui.engine.rooms.microdata.models.contract import ClassGroups, SensitiveAttribute, WholeTable
from anonymizer_gui.engine.rooms.microdata.models.distances import DISTANCES, distance, table_shares
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import (
    DistinctLDiversity,
    EntropyLDiversity,
    RecursiveLDiversity,
)
from anonymizer_gui.engine.rooms.microdata.models.likeness import DeltaDisclosure, EnhancedBetaLikeness
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import TCloseness
from tests.engine.rooms.microdata.worked_tables import PHONES


def counted(table: list[list[int]], whole: list[int] | None = None) -> tuple[ClassGroups, WholeTable]:
    """Make groups of one sensitive column s from counts; the whole is their sum when not given."""
    counts = np.array(table)
    groups, values = np.nonzero(counts)
    histogram = Histogram(*counts.shape, groups, values, counts[groups, values])
    total = counts.sum(axis=0) if whole is None else np.array(whole)
    n_values = len(total)
    sensitive = SensitiveAttribute("s", tuple(map(str, range(n_values))), total, np.arange(n_values))
    return ClassGroups(counts.sum(axis=1), {"s": histogram}), WholeTable(int(total.sum()), {"s": sensitive})


def distances(name: str, table: list[list[int]], whole: list[int]) -> list[float]:
    groups, everything = counted(table, whole)
    return distance(name, groups.sensitive["s"], everything.sensitive["s"]).tolist()


def test_two_equal_counts_have_entropy_l_2() -> None:
    groups, whole = counted([[2, 2]])
    found = EntropyLDiversity(l=2.0).measure(groups, whole)
    assert found.value == pytest.approx(2)
    assert found.holds


def test_three_against_one_have_entropy_l_1_7548() -> None:
    assert EntropyLDiversity().measure(*counted([[3, 1]])).value == pytest.approx(1.7548, abs=5e-5)


@pytest.mark.parametrize("l", [3, 5, 7, 11])
def test_rounding_alone_never_breaks_a_goal_that_is_met_exactly(l: int) -> None:  # noqa: E741
    assert EntropyLDiversity(l=float(l)).satisfied(*counted([[7] * l]))[0]


@pytest.mark.parametrize(
    ("c", "l", "holds"), [(1.0, 2, False), (1.001, 2, True), (2.0, 2, True), (3.0, 3, False), (4.0, 3, True)]
)
def test_recursive_diversity_of_flu_acne_and_shingles(c: float, l: int, holds: bool) -> None:  # noqa: E741
    assert RecursiveLDiversity(l=l, c=c).satisfied(*counted([[3, 2, 1]]))[0] == holds


def test_with_c_2_the_largest_recursive_l_is_2() -> None:
    assert RecursiveLDiversity(c=2.0).measure(*counted([[3, 2, 1]])).value == 2


def test_an_exact_tie_fails_recursive_diversity_in_spite_of_rounding() -> None:
    assert not RecursiveLDiversity(l=2, c=1.1).satisfied(*counted([[11, 5, 5]]))[0]


@pytest.mark.parametrize(
    ("name", "expected"), [("variational", [0.5, 0.5]), ("kl", [1.0, 1.0]), ("emd-ordered", [1 / 3, 1 / 6])]
)
def test_the_salaries_have_the_distances_of_the_notes(name: str, expected: list[float]) -> None:
    assert distances(name, [[1, 1, 0, 0], [0, 1, 1, 0]], [1, 1, 1, 1]) == pytest.approx(expected)


def test_the_salaries_of_the_paper_have_its_distances() -> None:
    rows = [[1, 1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 1, 0, 0, 1]]
    assert distances("emd-ordered", rows, [1] * 9) == pytest.approx([0.375, 1 / 6])


def test_skewness_is_seen_by_the_distance_and_not_by_diversity() -> None:
    assert distances("variational", [[1, 1], [1, 0]], [99, 1]) == pytest.approx([0.49, 0.01])
    groups, whole = counted([[1, 1]], [99, 1])
    assert DistinctLDiversity(l=2).measure(groups, whole).holds
    assert EntropyLDiversity(l=2.0).measure(groups, whole).holds
    assert not TCloseness(t=0.48, distance="variational").measure(groups, whole).holds


def test_the_phones_are_spread_over_the_whole_table_in_ninths() -> None:
    system = published_groups(PHONES, ["PLZ", "Points"], ["System"])[2].sensitive["System"]
    ninths = dict(zip(system.labels, (9 * table_shares(system)).tolist(), strict=True))
    assert ninths == pytest.approx({"Windows": 3, "Android": 2, "MacOS": 2, "iOS": 1, "Linux": 1})


def test_the_phones_are_four_five_and_two_ninths_away() -> None:
    groups, whole = published_groups(PHONES, ["PLZ", "Points"], ["System"])[1:]
    found = distance("variational", groups.sensitive["System"], whole.sensitive["System"])
    assert found.tolist() == pytest.approx([4 / 9, 5 / 9, 2 / 9])


@pytest.mark.parametrize("name", [name for name in DISTANCES if name != "emd-hierarchical"])
def test_the_whole_table_as_one_class_is_at_distance_0(name: str) -> None:
    assert distances(name, [[3, 5, 7, 1]], [3, 5, 7, 1]) == pytest.approx([0.0], abs=1e-12)


def test_a_t_that_is_met_exactly_passes() -> None:
    groups, whole = counted([[1, 1, 0, 0], [0, 1, 1, 0]], [1, 1, 1, 1])
    assert TCloseness(t=1 / 3, distance="emd-ordered").satisfied(groups, whole).all()
    assert TCloseness(t=0.33, distance="emd-ordered").satisfied(groups, whole).tolist() == [False, True]


def test_mass_that_stays_under_one_node_travels_less() -> None:
    tree = Hierarchy.from_nested({"*": {"a": ["0", "1"], "b": ["2", "3"]}})
    groups, _ = counted([[1, 0, 1, 0], [1, 1, 0, 0]], [1, 1, 1, 1])
    sensitive = SensitiveAttribute("s", tuple("0123"), np.ones(4, dtype=np.int64), np.arange(4), tree, np.arange(4))
    found = distance("emd-hierarchical", groups.sensitive["s"], sensitive)
    assert found.tolist() == pytest.approx([0.25, 0.5])


def test_a_hierarchical_distance_without_a_hierarchy_is_refused() -> None:
    with pytest.raises(BadParameter, match="has no hierarchy"):
        TCloseness(distance="emd-hierarchical").measure(*counted([[1, 1]]))


def test_a_common_value_that_becomes_certain_breaks_enhanced_likeness_for_every_beta() -> None:
    groups, whole = counted([[10, 0], [6, 4]])
    found = EnhancedBetaLikeness(beta=100.0).measure(groups, whole)
    assert np.isinf(found.value)
    assert not found.holds


def test_a_class_that_lacks_a_value_discloses_without_bound() -> None:
    found = DeltaDisclosure(delta=100.0).measure(*counted([[10, 0], [6, 4]]))
    assert np.isinf(found.value)
    assert not found.holds


def test_values_the_table_does_not_have_are_no_steps_of_the_order() -> None:
    rows = [[1, 0, 1, 0, 0, 0], [0, 0, 1, 0, 1, 0]]
    assert distances("emd-ordered", rows, [1, 0, 1, 0, 1, 1]) == pytest.approx([1 / 3, 1 / 6])


def test_values_that_share_a_leaf_count_as_the_same_in_the_hierarchy() -> None:
    tree = Hierarchy.from_nested({"*": {"a": ["0", "1"], "b": ["2", "3"]}})
    groups, whole = counted([[1, 1, 0], [0, 0, 2]])
    sensitive = SensitiveAttribute(
        "s", tuple("abc"), whole.sensitive["s"].counts, np.arange(3), tree, np.array([0, 0, 1])
    )
    found = distance("emd-hierarchical", groups.sensitive["s"], sensitive)
    assert found.tolist() == pytest.approx([0.25, 0.25])
