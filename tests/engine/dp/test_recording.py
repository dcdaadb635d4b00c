"""Record and replay finds the usual faults of questions, and lets a correct one pass."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.dp.mechanisms.additive_noise import DiscreteLaplace
from anonymizer_gui.engine.dp.mechanisms.selection import TopKRounds
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit, bounded_sum, count, histogram
from tests.engine.dp.recording import faults, recording

Rows = tuple[int, ...]
ONE, HALF = Budget(epsilon=Fraction(1)), Budget(epsilon=Fraction(1, 2))
ROW = PrivacyUnit()
TABLE: Rows = (3, 8, 8, 15)
# A row more: within the bounds, an outlier, a new category, and from nothing at all.
PAIRS: list[tuple[Rows, Rows]] = [(TABLE, (*TABLE, 8)), (TABLE, (*TABLE, 10**6)), (TABLE, (*TABLE, 21)), ((), (7,))]


def numbers(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def noisy(values: np.ndarray, most: int, budget: Budget = ONE) -> np.ndarray:
    return DiscreteLaplace(bounded_sum(ROW, 0, most), budget).release(values)


def correct_mean(rows: Rows) -> float:
    total = DiscreteLaplace(bounded_sum(ROW, 0, 20), HALF).release(numbers(sum(min(row, 20) for row in rows)))
    size = DiscreteLaplace(count(ROW), HALF).release(numbers(len(rows)))
    return float(total[0] / max(size[0], 1))


def sensitivity_of_the_data(rows: Rows) -> None:
    noisy(numbers(sum(min(row, 20) for row in rows)), max(rows, default=1))


def no_bounds(rows: Rows) -> None:
    noisy(numbers(sum(rows)), 20)


def bins_of_the_data(rows: Rows) -> None:
    edges = np.linspace(min(rows, default=0), max(rows, default=1), 5)
    DiscreteLaplace(histogram(ROW), ONE).release(np.histogram(rows, edges)[0].astype(np.int64))


def categories_of_the_data(rows: Rows) -> None:
    DiscreteLaplace(histogram(ROW), ONE).release(np.unique(np.array(rows), return_counts=True)[1].astype(np.int64))


def spends_twice(rows: Rows) -> None:
    for _ in range(2):
        DiscreteLaplace(count(ROW), ONE).release(numbers(len(rows)))


def test_a_correct_question_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [faults(correct_mean, *pair, monkeypatch, budget=ONE) for pair in PAIRS] == [[]] * len(PAIRS)


@pytest.mark.parametrize(
    "question", [sensitivity_of_the_data, no_bounds, bins_of_the_data, categories_of_the_data, spends_twice]
)
def test_a_planted_fault_is_found(question: Callable[[Rows], None], monkeypatch: pytest.MonkeyPatch) -> None:
    assert any(faults(question, *pair, monkeypatch, budget=ONE) for pair in PAIRS)


def test_scores_that_move_both_ways_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def choose(rows: Rows) -> None:
        scores = np.bincount([row for row in rows if row < 20], minlength=20).astype(np.int64)
        TopKRounds(histogram(ROW), ONE, picks=3).release(scores)

    assert faults(choose, TABLE, (*TABLE, 8), monkeypatch, budget=ONE) == []
    changed = faults(choose, TABLE, (3, 8, 9, 15), monkeypatch)
    assert "moves both ways, but declares one" in changed


def test_later_rounds_see_the_winners_of_earlier_ones_only(monkeypatch: pytest.MonkeyPatch) -> None:
    with recording(monkeypatch) as recorder:
        TopKRounds(histogram(ROW), ONE, picks=3).release(numbers(9, 5, 1, 0))
    assert [len(request.values) for request in recorder.requests] == [4, 3, 2]
    assert recorder.spent() == ONE
