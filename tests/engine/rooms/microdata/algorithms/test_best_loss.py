"""Best loss: it holds its promise, loses no more than what it starts from, and moves rows where they are cheap."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import Cancelled, Infeasible
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Uneven
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss import assignment as best_loss_state
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss import assignment as best_loss_units
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss import boxes as best_loss_crowds
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss import boxes as best_loss_trimming
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss import moves as best_loss_leftovers
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.assignment import (
    Assignment,
    JoinLoss,
    split_by_sensitive_values,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.best_loss import BestLoss
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.boxes import BoxCover
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import (
    ALGORITHMS,
    EncodedTable,
    QuasiIdentifier,
    SearchLimits,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import recoding_loss, recoding_of_groups
from anonymizer_gui.engine.rooms.microdata.algorithms.goal_evaluation import GoalEvaluator
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import TCloseness
from anonymizer_gui.engine.rooms.microdata.run import run
from tests.engine.hierarchy.trees import hierarchies
from tests.engine.rooms.microdata.algorithms.adult import adult
from tests.engine.rooms.microdata.algorithms.encoded_tables import (
    covers_rows,
    encoded_table,
    fulfilled,
    goals_of,
    models,
    tables,
)

TREE = Hierarchy.from_nested({"*": {"left": ["a", "b", "c"], "right": ["d", "e", "f"]}})
MANY = Hierarchy.from_nested({"*": [str(i) for i in range(16)]})


@given(hierarchies(), st.integers(0, 4), st.sampled_from(["cap", "climb"]), st.sampled_from([0, 1 << 22]))
def test_the_loss_of_joining_is_that_of_the_common_ancestor(
    tree: Hierarchy, lowest: int, uneven: Uneven, largest_table: int
) -> None:
    qi = QuasiIdentifier("x", tree, 0.5, lowest=lowest, uneven=uneven)
    finest = qi.levels()[0]
    low = np.minimum(tree.first_leaf[:, None], tree.first_leaf[finest][None])
    high = np.maximum(tree.end_leaf[:, None], tree.end_leaf[finest][None]) - 1
    wanted = 0.5 * tree.loss[tree.common_ancestors(low.reshape(-1), high.reshape(-1))].reshape(low.shape)
    every_leaf, every_node = (np.arange(n, dtype=np.int32) for n in (tree.n_leaves, len(tree)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(best_loss_units, "_LARGEST_TABLE", largest_table)
        found = JoinLoss(qi).of(every_leaf, every_node).T
    assert found.tolist() == wanted.astype(np.float32).tolist()


@given(tables(), models(), st.sampled_from([0.0, 0.1]))
def test_working_bit_by_bit_changes_nothing(
    encoded: EncodedTable, goals: tuple[PrivacyModel, ...], suppression: float
) -> None:
    found: list[list[int]] = []
    for few in (1, 200):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(best_loss_leftovers, "_FEW_CHOICES", few)
            patch.setattr(best_loss_leftovers, "_CHOICES_AT_ONCE", few)
            patch.setattr(best_loss_trimming, "_TRIMMED_CELLS_AT_ONCE", few)
            patch.setattr(best_loss_crowds, "_CELLS_AT_ONCE", few)
            patch.setattr(best_loss_state, "_GROUPS_AT_ONCE", few)
            patch.setattr(best_loss_state, "_TILE", few)
            try:
                recoding = BestLoss().run(encoded, goals_of(encoded, *goals), SearchLimits(suppression), SILENT)
                found.append(recoding.class_of_row.tolist())
            except Infeasible:
                found.append([])
    assert found[0] == found[1]


@given(tables(), models(), st.sampled_from([0.0, 0.1]))
def test_every_result_holds_the_goals_and_covers_its_rows(
    encoded: EncodedTable, goals: tuple[PrivacyModel, ...], suppression: float
) -> None:
    asked = goals_of(encoded, *goals)
    try:
        recoding = BestLoss().run(encoded, asked, SearchLimits(suppression), SILENT)
    except Infeasible:
        assert not asked.satisfied(encoded.groups(np.zeros(len(encoded.tuples), dtype=np.int64), 1))[0]
        return
    assert covers_rows(encoded, recoding)
    assert fulfilled(encoded, asked, recoding)
    assert (recoding.class_of_row < 0).sum() <= suppression * encoded.n_rows


@given(tables(), st.integers(1, 6))
def test_it_loses_no_more_than_mondrian_by_gain(encoded: EncodedTable, k: int) -> None:
    if encoded.n_rows < k:
        return
    asked = goals_of(encoded, KAnonymity(k))
    best = BestLoss().run(encoded, asked, SearchLimits(), SILENT)
    cut = Mondrian(choice="lm-gain").run(encoded, asked, SearchLimits(), SILENT)
    assert recoding_loss(encoded, best) <= recoding_loss(encoded, cut) + 1e-9


@given(tables(), models())
def test_more_rounds_never_lose_more(encoded: EncodedTable, goals: tuple[PrivacyModel, ...]) -> None:
    asked = goals_of(encoded, *goals)
    try:
        few, many = (BestLoss(rounds, checks=0).run(encoded, asked, SearchLimits(), SILENT) for rounds in (0, 12))
    except Infeasible:
        return
    assert recoding_loss(encoded, many) <= recoding_loss(encoded, few) + 1e-9


@given(tables(max_columns=3), st.integers(0, 2**32 - 1))
def test_the_cost_of_joining_is_the_loss_it_adds(encoded: EncodedTable, seed: int) -> None:
    random = np.random.default_rng(seed)
    groups = random.integers(0, 3, len(encoded.tuples))
    groups[0] = 3
    state = Assignment(encoded, groups)
    others = np.flatnonzero((state.sizes > 0) & (np.arange(4) != 3))
    before = float(state.sizes @ state.loss) - state.sizes[3] * state.loss[3]
    prices = state.cost_of_joining(np.array([0]), others)[0]
    for group, price in zip(others, prices, strict=True):
        joined = groups.copy()
        joined[0] = group
        after = recoding_loss(encoded, recoding_of_groups(encoded, joined)) * encoded.n_rows
        assert price == pytest.approx(after - before, abs=1e-3)


@given(tables(max_columns=3), st.integers(0, 2**32 - 1))
def test_the_loss_without_a_unit_is_that_of_the_others(encoded: EncodedTable, seed: int) -> None:
    groups = np.random.default_rng(seed).integers(0, 3, len(encoded.tuples))
    state = Assignment(encoded, groups)
    without = state.loss_without(SILENT)
    for unit in np.flatnonzero(np.bincount(groups, minlength=3)[groups] > 1)[:5]:
        rest = groups.copy()
        rest[unit] = 4
        alone = Assignment(encoded, rest)
        assert without[unit] == pytest.approx(alone.loss[groups[unit]])


def test_a_row_moves_to_the_class_where_it_costs_nothing() -> None:
    # As boxes, c stays with a and b; two further rows of c make a class of their own, which it then joins.
    encoded = encoded_table([[0], [0], [1], [1], [2], [2]], [TREE])
    recoding = BestLoss().run(encoded, goals_of(encoded, KAnonymity(2)), SearchLimits(), SILENT)
    assert recoding_loss(encoded, recoding) == 0


def test_rows_of_one_tuple_may_part_when_their_sensitive_values_differ() -> None:
    encoded = encoded_table([[0]] * 4, [TREE], [0, 0, 1, 1])
    units = split_by_sensitive_values(encoded, goals_of(encoded, DistinctLDiversity(2)))
    assert units.counts.tolist() == [2, 2]


def test_without_goals_on_sensitive_values_tuples_stay_whole() -> None:
    encoded = encoded_table([[0]] * 4, [TREE], [0, 0, 1, 1])
    assert split_by_sensitive_values(encoded, goals_of(encoded, KAnonymity(2))) is encoded


def test_rows_too_frequent_in_their_box_wait_for_another_one() -> None:
    # Both boxes of column a hold five rows of one value and three of the other: one of the five is too many. The two
    # that wait, a row of each value, meet at the top.
    rows = [[a, i] for i, a in enumerate([0] * 8 + [3] * 8)]
    encoded = encoded_table(rows, [TREE, MANY], [0] * 5 + [1] * 3 + [0] * 3 + [1] * 5)
    asked = goals_of(encoded, KAnonymity(2), TCloseness(0.1))
    units = split_by_sensitive_values(encoded, asked)
    groups = BoxCover(units, GoalEvaluator(units, asked), SILENT).gather()
    assert np.bincount(groups + 1).tolist() == [0, 7, 7, 2]


def test_a_lonely_row_is_suppressed_when_that_costs_less_than_keeping_it() -> None:
    encoded = encoded_table([[0]] * 30 + [[5]], [TREE])
    asked = goals_of(encoded, KAnonymity(2))
    kept = BestLoss().run(encoded, asked, SearchLimits(0.0), SILENT)
    dropped = BestLoss().run(encoded, asked, SearchLimits(0.05), SILENT)
    assert (kept.class_of_row >= 0).all()
    assert np.flatnonzero(dropped.class_of_row < 0).tolist() == [30]
    assert recoding_loss(encoded, dropped) < recoding_loss(encoded, kept)


def test_cells_stay_within_the_level_bounds() -> None:
    rows = np.random.default_rng(0).integers(0, 6, (60, 2))
    encoded = encoded_table(rows, [TREE, TREE], bounds=[(1, 1), (0, 1)])
    recoding = BestLoss().run(encoded, goals_of(encoded, KAnonymity(3)), SearchLimits(), SILENT)
    assert {TREE.labels[node] for node in recoding.node[:, 0]} <= {"left", "right"}
    assert "*" not in {TREE.labels[node] for node in recoding.node[:, 1]}


def test_a_run_can_be_cancelled() -> None:
    encoded = encoded_table(np.random.default_rng(0).integers(0, 6, (100, 2)), [TREE, TREE])
    with pytest.raises(Cancelled):
        BestLoss().run(encoded, goals_of(encoded, KAnonymity(2)), SearchLimits(), Progress(is_cancelled=lambda: True))


@pytest.mark.parametrize("start", ["bottom-up", "top-down", "mondrian"])
@given(encoded=tables(), goals=models(), suppression=st.sampled_from([0.0, 0.1]))
def test_the_result_of_another_algorithm_is_taken_and_never_made_worse(
    start: str, encoded: EncodedTable, goals: tuple[PrivacyModel, ...], suppression: float
) -> None:
    asked, limits = goals_of(encoded, *goals), SearchLimits(suppression)
    try:
        taken = ALGORITHMS.get(start)().run(encoded, asked, limits, SILENT)
    except Infeasible:
        return
    improved = BestLoss(start=start).run(encoded, asked, limits, SILENT)
    assert fulfilled(encoded, asked, improved)
    assert covers_rows(encoded, improved)
    if not asked.compare_with_whole:
        assert recoding_loss(encoded, improved) <= recoding_loss(encoded, taken) + 1e-9


def test_adult_loses_less_than_the_local_recoding_of_another_program(shared_data: Path) -> None:
    table, project = adult(shared_data)
    release = run(table, replace(project, goals=(KAnonymity(5),), algorithm=BestLoss()))
    assert release.measured.lm < 0.058938
    assert (release.measured.k, release.suppressed) == (5, 0)
    assert release.measured.classes > 4540


def test_combinations_of_levels_are_drawn_by_the_seed_of_the_project() -> None:
    encoded = encoded_table(np.random.default_rng(0).integers(0, 6, (100, 10)), [TREE] * 10)
    assert all(qi.hierarchy.height == 2 for qi in encoded.qis)  # 3 ** 10 combinations are too many for all of them
    asked = goals_of(encoded, KAnonymity(5))
    runs = [
        BestLoss(checks=0).run(encoded, asked, SearchLimits(seed=seed), SILENT).class_of_row.tolist()
        for seed in (1, 1, 2)
    ]
    assert runs[0] == runs[1] != runs[2]


@pytest.mark.parametrize(("k", "merged"), [(100, 0.2209), (200, 0.3011)])
def test_large_classes_of_adult_lose_less_than_smaller_ones_merged(shared_data: Path, k: int, merged: float) -> None:
    table, project = adult(shared_data)
    release = run(table, replace(project, goals=(KAnonymity(k),), algorithm=BestLoss()))
    assert release.measured.lm is not None
    assert release.measured.lm < 0.9 * merged
    assert (release.measured.k, release.suppressed) == (k, 0)
