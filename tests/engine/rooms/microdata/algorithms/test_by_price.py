"""Classes made by price: all boxes worth opening are found, the bound is never above the best, the search uses both."""

import itertools
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import Cancelled
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss import best_loss as searching
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss import column_generation
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.assignment import Assignment
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.best_loss import AnytimeSearch, BestLoss, SearchCurve
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.column_generation import (
    BoxPricing,
    ColumnGeneration,
    LagrangianPrices,
    PricedAssignment,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.feasibility import run_with_table_goals
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import recoding_loss, recoding_of_groups
from anonymizer_gui.engine.rooms.microdata.algorithms.goal_evaluation import GoalEvaluator
from anonymizer_gui.engine.rooms.microdata.algorithms.loss_bound import tuple_loss_bounds
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.risk_goals import AverageRisk
from tests.engine.rooms.microdata.algorithms.encoded_tables import encoded_table, goals_of

TREES = (
    Hierarchy.from_nested({"*": {"a": ["1", "2", "3"], "b": ["4", "5"]}}),
    Hierarchy.from_nested({"*": ["x", "y", "z"]}),
    Hierarchy.from_nested({"*": {"p": {"q": ["6", "7"], "r": ["8"]}, "s": ["9"]}}),
)
BOUNDS = st.sampled_from([None, [(1, None), (0, None), (0, 1)], [(0, 1), (0, None), (0, None)]])
EVEN = (1 / 3, 1 / 3, 1 / 3)
WEIGHTS = st.sampled_from([EVEN, (0.6, 0.3, 0.1)])
Bounds = list[tuple[int, int | None]] | None


def rows(most: int) -> st.SearchStrategy[list[tuple[int, ...]]]:
    return st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=most)


def made(listed: list[tuple[int, ...]], bounds: Bounds = None, weights: Sequence[float] = EVEN) -> EncodedTable:
    encoded = encoded_table(listed, TREES, bounds=bounds)
    return replace(
        encoded, qis=tuple(replace(qi, weight=weight) for qi, weight in zip(encoded.qis, weights, strict=True))
    )


def large_table(seed: int = 0) -> EncodedTable:
    drawn = np.random.default_rng(seed).integers(0, [5, 3, 4], (900, 3))
    wide = np.concatenate([drawn, np.random.default_rng(seed + 1).integers(0, [5, 4], (900, 2))], axis=1)
    return encoded_table(wide, [*TREES, TREES[0], TREES[2]])


def boxes_by_hand(encoded: EncodedTable, prices: np.ndarray, k: int) -> dict[frozenset[int], tuple[float, float]]:
    """Give for the units of every box with k rows what a row loses there, and what the box is worth."""
    found: dict[frozenset[int], tuple[float, float]] = {}
    for node in itertools.product(*(qi.levels() for qi in encoded.qis)):
        cells: dict[tuple[int, ...], list[int]] = {}
        for unit, leaves in enumerate(encoded.tuples.tolist()):
            cells.setdefault(tuple(int(level[leaf]) for level, leaf in zip(node, leaves, strict=True)), []).append(unit)
        for cell, units in cells.items():
            lost = sum(qi.weight * qi.hierarchy.loss[at] for qi, at in zip(encoded.qis, cell, strict=True))
            pays = sorted((prices[unit] - lost for unit in units for _ in range(encoded.counts[unit])), reverse=True)
            if len(pays) >= k:
                worth = sum(pays[:k]) + sum(pay for pay in pays[k:] if pay > 0)
                known = found.get(frozenset(units), (2.0, 0.0))
                found[frozenset(units)] = min(known, (lost, worth))
    return found


def best_by_hand(encoded: EncodedTable, k: int) -> float:
    """Try every way to part the rows in classes; 1 where none has k rows everywhere."""
    best = 1.0
    numbers = encoded.tuple_of_row
    for parting in partings(len(numbers)):
        sizes = np.bincount(parting)
        if sizes.min() < k:
            continue
        total = 0.0
        for group in range(len(sizes)):
            total += sizes[group] * common_loss(encoded, encoded.tuples[numbers[np.array(parting) == group]])
        best = min(best, total / len(numbers))
    return best


def common_loss(encoded: EncodedTable, tuples: np.ndarray) -> float:
    """Give what a class loses: in every column the lowest level at which all rows are one."""
    lost = 0.0
    for j, qi in enumerate(encoded.qis):
        nodes = qi.levels()[:, tuples[:, j]]
        shared = [level[0] for level in nodes if len(set(level.tolist())) == 1]
        if not shared:
            return 1e6
        lost += qi.weight * qi.hierarchy.loss[shared[0]]
    return float(lost)


def partings(n: int) -> Iterator[list[int]]:
    """Give every way to part n things, as the number of each one's part."""
    if n == 0:
        yield []
        return
    for rest in partings(n - 1):
        for number in range(max(rest, default=-1) + 2):
            yield [*rest, number]


@given(rows(14), st.integers(1, 4), st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.02, 0.3]), BOUNDS, WEIGHTS)
@settings(max_examples=60, deadline=None)
def test_every_box_worth_opening_is_found(
    listed: list[tuple[int, ...]], k: int, seed: int, slack: float, bounds: Bounds, weights: Sequence[float]
) -> None:
    encoded = made(listed, bounds, weights)
    prices = np.random.default_rng(seed).random(len(encoded.tuples)) ** 2
    found = BoxPricing(encoded, prices, k, slack, SILENT).run(10**6)
    assert found is not None
    ends = np.cumsum(found.lengths)
    units = [frozenset(part.tolist()) for part in np.split(found.units, ends[:-1])] if len(ends) else []
    by_hand = {key: value for key, value in boxes_by_hand(encoded, prices, k).items() if value[1] >= -slack * k + 1e-9}
    assert set(by_hand) <= set(units)
    for key, lost, worth in zip(units, found.loss, found.worth, strict=True):
        if key in by_hand:
            assert (lost, worth) == pytest.approx(by_hand[key])


def finished(steps: Generator[int, None, PricedAssignment]) -> PricedAssignment:
    while True:
        try:
            assert next(steps) >= 0
        except StopIteration as end:
            return end.value


def priced(encoded: EncodedTable, k: int, progress: Progress = SILENT) -> PricedAssignment:
    goals = goals_of(encoded, KAnonymity(k))
    least = tuple_loss_bounds(encoded, goals, SILENT, 10**9)
    assert least is not None
    return finished(ColumnGeneration(encoded, GoalEvaluator(encoded, goals), least, progress).run(0))


@given(rows(8), st.integers(1, 4), BOUNDS, WEIGHTS)
@settings(max_examples=40, deadline=None)
def test_the_bound_is_never_above_the_best_there_is(
    listed: list[tuple[int, ...]], k: int, bounds: Bounds, weights: Sequence[float]
) -> None:
    encoded = made(listed, bounds, weights)
    if len(listed) >= k:
        assert priced(encoded, k).bound <= best_by_hand(encoded, k) + 1e-9


@given(rows(8), st.integers(1, 4), st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_any_prices_bound_the_loss(listed: list[tuple[int, ...]], k: int, seed: int) -> None:
    """What all rows pay, less what every box is worth, is below the best, however the prices were made."""
    encoded = made(listed)
    prices = np.random.default_rng(seed).random(len(encoded.tuples)) ** 2
    if len(listed) < k:
        return
    found = BoxPricing(encoded, prices, k, 0.0, SILENT).run(10**6)
    assert found is not None
    bound = (float(prices @ encoded.counts) - np.maximum(found.worth, 0).sum()) / len(listed)
    assert bound <= best_by_hand(encoded, k) + 1e-9


def test_the_bound_is_far_above_what_single_rows_must_lose() -> None:
    encoded = large_table()
    goals = goals_of(encoded, KAnonymity(6))
    least = tuple_loss_bounds(encoded, goals, SILENT, 10**9)
    assert least is not None
    alone, found = float(least @ encoded.counts) / encoded.n_rows, priced(encoded, 6)
    assert found.group is not None
    reached = recoding_loss(encoded, recoding_of_groups(encoded, found.group))
    assert 1.1 * alone < found.bound < reached
    sizes = np.bincount(found.group, encoded.counts)
    assert sizes[sizes > 0].min() >= 6


def test_prices_rise_where_nobody_takes_a_row_and_fall_where_several_do() -> None:
    encoded = made([(0, 0, 0)] * 2 + [(1, 0, 0)] * 2 + [(4, 2, 3)])
    start = np.full(len(encoded.tuples), 0.01)
    offers = BoxPricing(encoded, np.full(len(encoded.tuples), 0.9), 2, 1.0, SILENT).run(10**6)
    assert offers is not None
    bidding = LagrangianPrices(offers, start, encoded.counts, 2, SILENT)
    bidding.bid(60, 0.05, 0.005, 0.05)
    alone = int(encoded.tuple_of_row[4])
    pairs = [int(encoded.tuple_of_row[0]), int(encoded.tuple_of_row[2])]
    assert (bidding.prices[pairs] < 0.05).all()
    assert bidding.prices[alone] > 0.2


def test_walks_that_take_too_long_give_no_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_generation, "_MOST_CHECKS", 0)
    monkeypatch.setattr(column_generation, "_VISITS_PER_CHECK", 1)
    assert priced(large_table(), 6).group is None


def test_it_can_be_stopped_all_along() -> None:
    calls = itertools.count()
    whole = itertools.count()
    encoded = large_table()
    priced(encoded, 6, Progress(is_cancelled=lambda: next(whole) < 0))
    for stop in np.linspace(0, next(whole) - 1, 12).astype(int).tolist():
        calls = itertools.count()
        with pytest.raises(Cancelled):
            priced(encoded, 6, Progress(is_cancelled=lambda calls=calls, stop=stop: next(calls) >= stop))


def test_the_search_goes_on_with_the_better_classes_and_tells_the_better_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded = large_table(3)
    goals = goals_of(encoded, KAnonymity(6))
    monkeypatch.setattr(searching, "_BOUND_AFTER", 1)
    halves = np.unique(encoded.tuples[:, 0] // 3, return_inverse=True)[1]
    found: dict[int, SearchCurve] = {}
    for after in (10**9, 1):
        monkeypatch.setattr(searching, "_PRICES_AFTER", after)
        state = Assignment(encoded, halves)
        search = AnytimeSearch(encoded, GoalEvaluator(encoded, goals), halves, float(state.sizes @ state.loss), SILENT)
        group = search.run(12_000, 0)
        found[after] = way = search.curve
        assert np.bincount(group, encoded.counts).min() >= 6
        assert way.steps[-1].loss == pytest.approx(recoding_loss(encoded, recoding_of_groups(encoded, group)), abs=1e-5)
        assert [step.loss for step in way.steps] == sorted((step.loss for step in way.steps), reverse=True)
    early, late = found[1], found[10**9]
    assert early.bound is not None
    assert late.bound is not None
    assert late.bound < early.bound < early.steps[-1].loss
    assert early.steps[-1].loss < 0.9 * late.steps[-1].loss


def test_the_same_checks_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "_PRICES_AFTER", 1000)
    encoded = large_table(5)
    goals = goals_of(encoded, KAnonymity(4))
    once, twice = (BestLoss(checks=90_000).run(encoded, goals, SearchLimits(), SILENT) for _ in range(2))
    assert once.class_of_row.tolist() == twice.class_of_row.tolist()
    assert once.search == twice.search


def test_nothing_is_proven_of_goals_that_are_kept_by_asking_for_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """An average risk allows single small classes, though every class is asked to have some rows to keep it."""
    monkeypatch.setattr(searching, "_BOUND_AFTER", 1)
    encoded = large_table()
    for goal, is_proven in ((KAnonymity(3), True), (AverageRisk(0.3), False)):
        found = run_with_table_goals(BestLoss(checks=3000), encoded, goals_of(encoded, goal), SearchLimits(), SILENT)
        assert isinstance(found.search, SearchCurve)
        assert (found.search.bound is not None) == is_proven
