"""The anytime search: more checks never lose more, a stop can be repeated, goals hold, and small tables are solved."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss import best_loss as searching
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.assignment import Assignment, split_by_sensitive_values
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.best_loss import AnytimeSearch, BestLoss, SearchCurve
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.cyclic_exchange import (
    ExchangeBlock,
    disjoint_chains,
    find_chains,
    join_tables,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.exchanges import repartition_pairs, units_to_revert
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import recoding_loss, recoding_of_groups
from anonymizer_gui.engine.rooms.microdata.algorithms.goal_evaluation import GoalEvaluator
from anonymizer_gui.engine.rooms.microdata.algorithms.loss_bound import loss_bound
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.run import run
from tests.engine.rooms.microdata.algorithms.encoded_tables import (
    covers_rows,
    encoded_table,
    fulfilled,
    goals_of,
    models,
    tables,
)
from tests.engine.rooms.microdata.making import hospital_project, hospital_table

TREE = Hierarchy.from_nested({"*": {"left": ["a", "b", "c"], "right": ["d", "e", "f"]}})
FLAT = Hierarchy.from_nested({"*": ["x", "y", "z"]})


def random_table(seed: int, rows: int) -> EncodedTable:
    codes = np.random.default_rng(seed).integers(0, [6, 3, 6], (rows, 3))
    return encoded_table(codes, [TREE, FLAT, TREE])


def block_of(encoded: EncodedTable, group: np.ndarray) -> ExchangeBlock:
    joins = join_tables(encoded, np.arange(len(encoded.tuples)))
    assert joins is not None
    return ExchangeBlock(joins, encoded.counts.astype(np.float64), group, int(group.max()) + 2, SILENT)


@given(tables(max_columns=3), st.integers(0, 2**32 - 1))
def test_a_block_knows_what_classes_lose_with_and_without_each_unit(encoded: EncodedTable, seed: int) -> None:
    group = np.unique(np.random.default_rng(seed).integers(0, 3, len(encoded.tuples)), return_inverse=True)[1]
    block, state = block_of(encoded, group), Assignment(encoded, group)
    assert block.loss[: state.n_groups].tolist() == pytest.approx(state.loss.tolist(), abs=1e-6)
    several = block.n_units[group] > 1
    assert block.loss_without[several].tolist() == pytest.approx(state.loss_without(SILENT)[several].tolist(), abs=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_chains_gain_exactly_what_they_promise(seed: int) -> None:
    encoded = random_table(seed, 60)
    units = np.arange(len(encoded.tuples))
    group = np.unique(np.random.default_rng(seed).permutation(units) // 4, return_inverse=True)[1]
    block = block_of(encoded, group)
    found = find_chains(block, units, block.nearest(units, 8), 2, 4)
    moved, targets, chain = disjoint_chains(block, found)
    before, after = block.total(), group.copy()
    after[moved] = targets
    promised = sum(found.gain[place] for place in set(chain.tolist()))
    block.assign(after, np.arange(block.n_classes))
    assert promised > 0
    assert before - block.total() == pytest.approx(promised, rel=1e-4)
    sizes = np.bincount(after, encoded.counts)
    assert sizes[sizes > 0].min() >= 2


@pytest.mark.parametrize("seed", range(4))
def test_classes_parted_anew_cost_what_is_said(seed: int) -> None:
    encoded = random_table(seed, 60)
    group = np.unique(np.random.default_rng(seed).integers(0, 6, len(encoded.tuples)), return_inverse=True)[1]
    block = block_of(encoded, group)
    for piece in repartition_pairs(block, np.array([[0, 1], [2, 3]]), 2, np.random.default_rng(seed)):
        before, after = block.total(), group.copy()
        units, targets = piece.moves(np.isfinite(piece.gain))
        after[units] = targets
        again = block_of(encoded, after)
        assert before - again.total() == pytest.approx(float(piece.gain.sum()), abs=1e-4)


def test_each_part_is_taken_from_the_better_assignment() -> None:
    old, new = np.array([0, 0, 1, 1, 2, 2, 3, 3]), np.array([0, 1, 0, 1, 2, 3, 2, 3])
    old_cost = np.array([1.0, 1, 1, 1, 3, 3, 3, 3])
    new_cost = np.array([2.0, 2, 2, 2, 1, 1, 1, 1])
    back, is_better = units_to_revert(old, new, old_cost, new_cost)
    assert (back.tolist(), is_better) == ([0, 1, 2, 3], True)
    assert units_to_revert(old, old, old_cost, old_cost)[0].tolist() == []


@given(tables(), models(), st.sampled_from([0.0, 0.1]))
def test_the_goals_hold_after_exchanges(
    encoded: EncodedTable, goals: tuple[PrivacyModel, ...], suppression: float
) -> None:
    asked = goals_of(encoded, *goals)
    way = BestLoss(checks=5000, start="mondrian")
    try:
        recoding = way.run(encoded, asked, SearchLimits(suppression), SILENT)
    except Infeasible:
        return
    assert covers_rows(encoded, recoding)
    assert fulfilled(encoded, asked, recoding)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("at_once", [25_000, 40])
def test_more_checks_never_lose_more(seed: int, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "UNITS_AT_ONCE", at_once)
    encoded = random_table(seed, 200)
    asked = goals_of(encoded, KAnonymity(6))
    units = split_by_sensitive_values(encoded, asked)
    start = np.unique(units.tuples[:, 0] // 3, return_inverse=True)[1]
    lost = []
    for checks in (0, 1000, 4000, 16_000):
        state = Assignment(units, start.copy())
        search = AnytimeSearch(units, GoalEvaluator(units, asked), state.group, float(state.sizes @ state.loss), SILENT)
        lost.append(recoding_loss(units, recoding_of_groups(units, search.run(checks, 0))))
        assert search.curve.steps[-1].loss == pytest.approx(lost[-1], abs=1e-5)
    assert lost == sorted(lost, reverse=True)
    assert lost[-1] < lost[0]


def test_a_stopped_search_keeps_its_best_and_is_repeated_by_its_checks() -> None:
    encoded = random_table(1, 700)
    asked = goals_of(encoded, KAnonymity(5))
    times = iter(range(100))
    stopped = BestLoss(checks=1_000_000).run(
        encoded, asked, SearchLimits(seed=3), Progress(is_enough=lambda: next(times) == 3)
    )
    assert isinstance(stopped.search, SearchCurve)
    assert stopped.search.stopped
    assert isinstance(stopped.method, BestLoss)
    assert stopped.method.checks == stopped.search.steps[-1].checks > 0
    assert f"{stopped.method.checks:,}" in stopped.notes[0]
    again = stopped.method.run(encoded, asked, SearchLimits(seed=3), SILENT)
    assert again.class_of_row.tolist() == stopped.class_of_row.tolist()
    assert again.notes == ()


def least_of_all(encoded: EncodedTable, k: int) -> float:
    """Try all ways to part the tuples in classes; a class is a set of bits."""
    n_tuples = len(encoded.tuples)
    cost = {}
    for members in range(1, 1 << n_tuples):
        inside = [t for t in range(n_tuples) if members >> t & 1]
        rows = int(encoded.counts[inside].sum())
        if rows >= k:
            cells = [
                qi.hierarchy.common_ancestor(*encoded.tuples[inside, j].tolist()) for j, qi in enumerate(encoded.qis)
            ]
            lost = sum(qi.weight * qi.hierarchy.loss[cell] for qi, cell in zip(encoded.qis, cells, strict=True))
            cost[members] = rows * float(lost)
    best = {0: 0.0}
    for left in range(1, 1 << n_tuples):
        lowest = left & -left
        parts = (part for part in cost if part & lowest and part & left == part)
        best[left] = min((cost[part] + best[left ^ part] for part in parts), default=np.inf)
    return best[(1 << n_tuples) - 1] / encoded.n_rows


def test_small_tables_lose_as_little_as_any_way_to_part_them() -> None:
    best = []
    for seed in range(10):
        encoded = random_table(seed, 8)
        asked = goals_of(encoded, KAnonymity(2))
        least, bound = least_of_all(encoded, 2), loss_bound(encoded, asked)
        found = recoding_loss(encoded, BestLoss().run(encoded, asked, SearchLimits(), SILENT))
        assert bound is not None
        assert bound - 1e-9 <= least <= found + 1e-9
        best.append(found < least + 1e-6)
    assert sum(best) >= 9


def test_a_release_of_a_stopped_search_tells_the_checks_that_repeat_it() -> None:
    times = iter(range(100))
    project = hospital_project(goals=(KAnonymity(k=5),), algorithm=BestLoss(checks=1_000_000))
    table = hospital_table(600)
    release = run(table, project, Progress(is_enough=lambda: next(times) == 2))
    assert isinstance(release.project.algorithm, BestLoss)
    assert 0 < release.project.algorithm.checks < 1_000_000
    again = run(table, release.project)
    assert again.class_of_row.tolist() == release.class_of_row.tolist()
    assert any("by hand" in note for note in release.notes)
