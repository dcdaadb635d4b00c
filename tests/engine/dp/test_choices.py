"""Choices are made with exactly the probabilities of the formula."""

import itertools
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit, histogram
from tests.engine.dp.fitting import fits

RUNS = 3_000
ROW, CHANGE = PrivacyUnit.parse("row"), PrivacyUnit.parse("change")


def exponential(scores: list[int], scale: float) -> list[float]:
    weights = np.exp((np.array(scores) - max(scores)) / scale)
    return list(weights / weights.sum())


def permute_and_flip(scores: list[int], scale: float) -> list[float]:
    """Average over all orders: the first candidate whose coin says yes is chosen."""
    yes = np.exp((np.array(scores) - max(scores)) / scale)
    chosen = np.zeros(len(scores))
    orders = list(itertools.permutations(range(len(scores))))
    for order in orders:
        left = 1.0
        for candidate in order:
            chosen[candidate] += left * yes[candidate] / len(orders)
            left *= 1 - yes[candidate]
    return list(chosen)


FORMULAS = {"exponential": exponential, "permute-and-flip": permute_and_flip}

# Scores, epsilon, unit, probabilities: the worked example, and the published table.
CASES = [
    ("exponential", [2, 6, 2, 2], "0.5", CHANGE, [0.175, 0.475, 0.175, 0.175]),
    ("exponential", [10, 8, 5], "1", CHANGE, [0.689672, 0.253716, 0.056612]),
    ("exponential", [10, 8, 5], "1", ROW, [0.875601, 0.118500, 0.005900]),
    ("exponential", [10, 8, 5], "0.1", CHANGE, [0.372628, 0.337168, 0.290203]),
    ("permute-and-flip", [10, 8, 5], "1", CHANGE, [0.785084, 0.178907, 0.036010]),
    ("permute-and-flip", [10, 8, 5], "1", ROW, [0.929267, 0.067516, 0.003217]),
]


@pytest.mark.parametrize(("name", "scores", "epsilon", "unit", "probabilities"), CASES)
def test_a_choice_has_the_probabilities_of_the_worked_examples(
    name: str, scores: list[int], epsilon: str, unit: PrivacyUnit, probabilities: list[float]
) -> None:
    mechanism = MECHANISMS.get(name)(histogram(unit), Budget(epsilon=Fraction(epsilon)))
    formula: Callable[[list[int], float], list[float]] = FORMULAS[name]
    assert formula(scores, float(mechanism.scale())) == pytest.approx(probabilities, abs=6e-4)
    values = np.array(scores, dtype=np.int64)
    chosen = [int(mechanism.release(values)[0]) for _ in range(RUNS)]
    assert fits(chosen, dict(enumerate(formula(scores, float(mechanism.scale())))))
    generator = np.random.default_rng(5)
    simulated = [int(mechanism.simulate(values, generator)[0]) for _ in range(RUNS)]
    assert fits(simulated, dict(enumerate(formula(scores, float(mechanism.scale())))))


@pytest.mark.parametrize("name", sorted(FORMULAS))
@pytest.mark.parametrize("unit", [ROW, CHANGE], ids=str)
def test_no_neighbour_makes_a_choice_more_likely_than_epsilon_allows(name: str, unit: PrivacyUnit) -> None:
    """All score lists of three candidates up to 4 rows, against all their neighbours, exactly."""
    epsilon = 1.0
    scale = float(MECHANISMS.get(name)(histogram(unit), Budget(epsilon=Fraction(1))).scale())
    worst = 0.0
    for scores in itertools.product(range(5), repeat=3):
        for up, down in itertools.permutations(range(3), 2):
            other = list(scores)
            other[up] += 1
            other[down] -= unit is CHANGE
            one, two = (np.array(FORMULAS[name](list(each), scale)) for each in (scores, other))
            worst = max(worst, float(np.abs(np.log(one / two)).max()))
    assert epsilon / 2 < worst <= epsilon + 1e-12


def test_top_k_in_rounds_is_the_exponential_mechanism_without_the_winners() -> None:
    mechanism = MECHANISMS.get("top-k-rounds")(histogram(CHANGE), Budget(epsilon=Fraction(2)), picks=2)
    scores, scale = [5, 3, 2], float(mechanism.scale())
    assert scale == 2.0
    first = exponential(scores, scale)
    pairs = {}
    for one, two in itertools.permutations(range(3), 2):
        left = [place for place in range(3) if place != one]
        second = exponential([scores[place] for place in left], scale)
        pairs[10 * one + two] = first[one] * second[left.index(two)]
    values = np.array(scores, dtype=np.int64)
    generator = np.random.default_rng(5)
    assert fits([int(mechanism.release(values) @ [10, 1]) for _ in range(RUNS)], pairs)
    assert fits([int(mechanism.simulate(values, generator) @ [10, 1]) for _ in range(RUNS)], pairs)


def test_top_k_at_once_takes_the_largest_after_exponential_noise() -> None:
    mechanism = MECHANISMS.get("top-k-once")(histogram(ROW), Budget(epsilon=Fraction(2)), picks=2)
    values = np.array([5, 3, 2], dtype=np.int64)
    generator = np.random.default_rng(5)
    simulated = np.array([mechanism.simulate(values, generator) @ [10, 1] for _ in range(50_000)])
    pairs = {int(pair): float(np.mean(simulated == pair)) for pair in np.unique(simulated)}
    assert fits([int(mechanism.release(values) @ [10, 1]) for _ in range(RUNS)], pairs)
