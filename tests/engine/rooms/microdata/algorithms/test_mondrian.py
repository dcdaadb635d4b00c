"""Mondrian: what it promises, how it cuts, and that its result cannot be cut further."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter, Cancelled, Infeasible
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms import mondrian_cuts
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import RANGE_NODE, recoding_loss
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian, SplitHistory
from anonymizer_gui.engine.rooms.microdata.models.contract import GoalSet, PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.recoding import Recoding
from tests.engine.rooms.microdata.algorithms.encoded_tables import (
    covers_rows,
    encoded_table,
    fulfilled,
    goals_of,
    models,
    tables,
)

AGES = Hierarchy.from_nested({"*": {"young": [str(n) for n in range(10)], "old": [str(n) for n in range(10, 20)]}})
FLAT = Hierarchy.from_nested({"*": ["p", "q", "r"]})


def run(encoded: EncodedTable, goals: GoalSet, algorithm: Mondrian | None = None, suppression: float = 0.0) -> Recoding:
    return (algorithm or Mondrian()).run(encoded, goals, SearchLimits(suppression), SILENT)


def everything_by(option: str, encoded: EncodedTable) -> tuple[tuple[str, str], ...]:
    return tuple((qi.name, option) for qi in encoded.qis)


ways = st.builds(
    lambda mode, choice: Mondrian(mode=mode, choice=choice),
    st.sampled_from(["strict", "relaxed"]),
    st.sampled_from(["width", "lm-gain", "priority"]),
)


@given(tables(), models(), ways, st.sampled_from(["order", "hierarchy"]), st.sampled_from(["node", "range"]))
def test_every_way_to_cut_holds_the_goals_and_covers_its_rows(
    encoded: EncodedTable, goals: tuple[PrivacyModel, ...], way: Mondrian, cuts: str, labels: str
) -> None:
    asked = goals_of(encoded, *goals)
    algorithm = Mondrian(way.mode, way.choice, (), everything_by(cuts, encoded), everything_by(labels, encoded))
    try:
        recoding = run(encoded, asked, algorithm)
    except Infeasible:
        assert not asked.satisfied(encoded.groups(np.zeros(len(encoded.tuples), dtype=np.int64), 1))[0]
        return
    assert covers_rows(encoded, recoding)
    assert fulfilled(encoded, asked, recoding)
    assert (recoding.class_of_row >= 0).all()


@given(tables(), models())
def test_a_strict_result_cannot_be_cut_further(encoded: EncodedTable, goals: tuple[PrivacyModel, ...]) -> None:
    asked = goals_of(encoded, *goals)
    try:
        recoding = run(encoded, asked)
    except Infeasible:
        return
    class_of_tuple = np.zeros(len(encoded.tuples), dtype=np.int64)
    class_of_tuple[encoded.tuple_of_row] = recoding.class_of_row
    for number, j in itertools.product(range(recoding.n_classes), range(len(encoded.qis))):
        members = np.flatnonzero(class_of_tuple == number)
        for value in np.unique(encoded.tuples[members, j])[:-1]:
            side = np.full(len(encoded.tuples), 2)
            side[members] = encoded.tuples[members, j] > value
            assert not asked.satisfied(encoded.groups(side, 3))[:2].all()


@given(tables(), st.integers(1, 5))
def test_a_result_by_hierarchy_cannot_be_cut_further(encoded: EncodedTable, k: int) -> None:
    asked = goals_of(encoded, KAnonymity(k))
    if encoded.n_rows < k:
        return
    recoding = run(encoded, asked, Mondrian(cuts=everything_by("hierarchy", encoded)))
    leaves = encoded.tuples[encoded.tuple_of_row]
    for number, (j, qi) in itertools.product(range(recoding.n_classes), enumerate(encoded.qis)):
        mine = leaves[recoding.class_of_row == number, j]
        below = qi.hierarchy.ancestors[min(qi.hierarchy.depths[recoding.node[number, j]] + 1, qi.hierarchy.height)]
        children, sizes = np.unique(below[mine], return_counts=True)
        assert len(children) == 1 or sizes.min() < k


@given(tables(), models(), st.sampled_from(["order", "hierarchy"]))
def test_codes_that_do_not_occur_change_nothing(
    encoded: EncodedTable, goals: tuple[PrivacyModel, ...], cut: str
) -> None:
    asked, found = goals_of(encoded, *goals), []
    algorithm = Mondrian(cuts=everything_by(cut, encoded))
    for places in (0, 1 << 30):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(mondrian_cuts, "_PLACES_PER_TUPLE", places)
            found.append(_result_or_none(encoded, asked, algorithm))
    assert found[0] == found[1]


def _result_or_none(encoded: EncodedTable, goals: GoalSet, algorithm: Mondrian) -> list[object] | None:
    try:
        recoding = run(encoded, goals, algorithm)
    except Infeasible:
        return None
    return [part.tolist() for part in (recoding.class_of_row, recoding.low, recoding.high, recoding.node)]


@given(tables(), st.integers(2, 5))
def test_parting_equal_values_never_loses_more(encoded: EncodedTable, k: int) -> None:
    if encoded.n_rows < k:
        return
    asked = goals_of(encoded, KAnonymity(k))
    strict, relaxed = (run(encoded, asked, Mondrian(mode=mode)) for mode in ("strict", "relaxed"))
    assert recoding_loss(encoded, relaxed) <= recoding_loss(encoded, strict) + 1e-12


def test_a_cut_goes_to_the_feasible_place_nearest_to_the_median() -> None:
    # The median value holds 8 of 12 rows; only the cut after it leaves both sides with 2 rows.
    encoded = encoded_table([[0]] * 1 + [[5]] * 8 + [[9]] * 3, [AGES])
    recoding = run(encoded, goals_of(encoded, KAnonymity(2)))
    assert sorted(np.bincount(recoding.class_of_row).tolist()) == [3, 9]


def test_a_range_ends_at_cut_points_and_not_at_single_persons_values() -> None:
    encoded = encoded_table([[3], [4], [5], [14], [15], [16]], [AGES])
    recoding = run(encoded, goals_of(encoded, KAnonymity(3)), Mondrian(labels=(("a", "range"),)))
    assert recoding.node.ravel().tolist() == [RANGE_NODE, RANGE_NODE]
    assert sorted(zip(recoding.low.ravel().tolist(), recoding.high.ravel().tolist(), strict=True)) == [(0, 9), (10, 19)]


def test_a_label_is_the_common_node_unless_a_range_is_asked_for() -> None:
    encoded = encoded_table([[3, 0], [5, 1], [13, 2], [15, 2]], [AGES, FLAT])
    recoding = run(encoded, goals_of(encoded, KAnonymity(2)), Mondrian(labels=(("b", "range"),)))
    assert {AGES.labels[node] for node in recoding.node[:, 0]} == {"young", "old"}
    assert (recoding.node[:, 1] == RANGE_NODE).all()


def test_the_first_column_of_the_priority_is_cut_first() -> None:
    rows = [[a, b] for a in (0, 19) for b in (0, 1)] * 2
    encoded = encoded_table(rows, [AGES, FLAT])
    recoding = run(encoded, goals_of(encoded, KAnonymity(2)), Mondrian(choice="priority", priority=("b",)))
    assert isinstance(recoding.search, SplitHistory)
    assert recoding.search.column[0] == 1


def test_the_loss_decides_between_columns_when_asked() -> None:
    # Column b spans its whole domain, but a cut of it leaves the loss of the hierarchy as it is.
    rows = [[a, b] for a in (0, 1, 10, 11) for b in (0, 9, 10, 19)]
    encoded = encoded_table(rows, [AGES, AGES])
    asked = goals_of(encoded, KAnonymity(4))
    assert recoding_loss(encoded, run(encoded, asked, Mondrian(choice="lm-gain"))) <= recoding_loss(
        encoded, run(encoded, asked)
    )


def test_the_splits_lead_from_the_whole_table_to_every_class() -> None:
    rows = np.random.default_rng(1).integers(0, 20, (200, 2))
    encoded = encoded_table(rows, [AGES, AGES])
    recoding = run(encoded, goals_of(encoded, KAnonymity(5)), Mondrian(labels=(("a", "range"), ("b", "range"))))
    splits = recoding.search
    assert isinstance(splits, SplitHistory)
    regions = {0: [(0, 19), (0, 19)]}
    for parent, child, column, low, high in zip(
        *(array.tolist() for array in (splits.parent, splits.child, splits.column, splits.low, splits.high)),
        strict=True,
    ):
        regions[child] = [*regions[parent]]
        regions[child][column] = (low, high)
    shown = [list(zip(low, high, strict=True)) for low, high in zip(recoding.low, recoding.high, strict=True)]
    assert shown == [regions[partition] for partition in splits.partition.tolist()]


def test_cells_stay_within_the_level_bounds() -> None:
    encoded = encoded_table([[a, a % 3] for a in range(20)] * 2, [AGES, FLAT], bounds=[(1, 1), (0, None)])
    recoding = run(encoded, goals_of(encoded, KAnonymity(2)))
    assert {AGES.labels[node] for node in recoding.node[:, 0]} == {"young", "old"}


def test_the_most_general_cells_that_violate_are_suppressed_within_the_limit() -> None:
    encoded = encoded_table([[1]] * 19 + [[12]], [AGES], bounds=[(0, 1)])
    recoding = run(encoded, goals_of(encoded, KAnonymity(2)), suppression=0.05)
    assert np.flatnonzero(recoding.class_of_row < 0).tolist() == [19]


def test_too_few_rows_are_explained() -> None:
    encoded = encoded_table([[1], [2]], [AGES])
    with pytest.raises(Infeasible):
        run(encoded, goals_of(encoded, KAnonymity(3)))


def test_a_column_that_is_no_quasi_identifier_is_refused_by_name() -> None:
    encoded = encoded_table([[1], [2]], [AGES])
    with pytest.raises(BadParameter, match="shoe size"):
        run(encoded, goals_of(encoded, KAnonymity(1)), Mondrian(cuts=(("shoe size", "order"),)))


def test_an_empty_table_has_no_classes() -> None:
    encoded = encoded_table([], [AGES, FLAT])
    assert run(encoded, goals_of(encoded, KAnonymity(3))).n_classes == 0


def test_a_run_can_be_cancelled() -> None:
    encoded = encoded_table(np.random.default_rng(0).integers(0, 20, (100, 1)), [AGES])
    with pytest.raises(Cancelled):
        Mondrian().run(encoded, goals_of(encoded, KAnonymity(2)), SearchLimits(), Progress(is_cancelled=lambda: True))
