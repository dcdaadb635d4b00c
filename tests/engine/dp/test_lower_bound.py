"""Epsilon from below: correct mechanisms stay within their promise, planted faults are caught."""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest
from scipy import special, stats

from anonymizer_gui.engine.dp import gateway
from anonymizer_gui.engine.dp.checker.sampling_bound import (
    beta_function,
    clopper_pearson,
    delta_lower_bound,
    epsilon_lower_bound,
)
from anonymizer_gui.engine.dp.discrete_laplace import discrete_laplace
from anonymizer_gui.engine.dp.gateway import NoiseRequest

RUNS = 100_000
Samples = npt.NDArray[np.float64]
Pair = tuple[Samples, Samples]
ONE = Fraction(1)


def laplace(truth: int, scale: int = 1, runs: int = RUNS) -> Samples:
    """Answers of the gateway: each cell is one run."""
    cells = np.full(max(runs, gateway.MANY_CELLS + 1), truth, dtype=np.int64)
    return gateway.answer(NoiseRequest("laplace", cells, scale, ONE))[:runs].astype(np.float64)


def chosen(scores: list[int], is_monotone: bool, runs: int = 8_000) -> Samples:
    request = NoiseRequest("permute-and-flip", np.array(scores, dtype=np.int64), 1, ONE, is_monotone)
    return np.array([gateway.answer(request)[0] for _ in range(runs)], dtype=np.float64)


def count() -> Pair:
    return laplace(0), laplace(1)


def two_rows_noise_for_one() -> Pair:
    return laplace(0), laplace(2)


def changed_row_noise_for_one() -> Pair:
    """A row leaves one cell and enters the other: the difference of the two cells tells."""
    return laplace(1) - laplace(0), laplace(0) - laplace(1)


def changed_row_noise_for_two() -> Pair:
    return laplace(1, scale=2) - laplace(0, scale=2), laplace(0, scale=2) - laplace(1, scale=2)


def noisy_max() -> Pair:
    return chosen([5, 5, 5], is_monotone=True), chosen([6, 5, 5], is_monotone=True)


def noisy_max_both_ways_as_if_one() -> Pair:
    return chosen([0, 2, 2], is_monotone=True) == 0, chosen([1, 1, 1], is_monotone=True) == 0


def several_values(lie_from: int) -> Pair:
    """Generalised randomised response with 8 values; a lie must not be drawn from all of them."""
    truth = math.e / (math.e + 7)
    generator = np.random.default_rng(3)
    answers = []
    for value in (0, 1):
        lies = generator.integers(lie_from, 8, RUNS)
        lie = lies if lie_from == 0 else (value + lies) % 8
        answers.append(np.where(generator.random(RUNS) < truth, value, lie).astype(np.float64))
    return answers[0], answers[1]


def unary_encoding() -> Pair:
    """Optimised unary encoding: the two bits that differ, read as one number."""
    generator = np.random.default_rng(3)
    q = 1 / (math.e + 1)
    bits = [[generator.random(RUNS) < p for p in each] for each in ((0.5, q), (q, 0.5))]
    return tuple(one + 2.0 * other for one, other in bits)  # type: ignore[return-value]


def low_bits_of_floats() -> Pair:
    """Floating-point noise: which of the last bits are used tells the number the noise was added to."""
    generator = np.random.default_rng(3)
    noisy = [truth + generator.laplace(0.0, 1.0, RUNS) for truth in (0.0, 1.0)]
    return tuple((each * 2.0**53 != np.rint(each * 2.0**53)).astype(np.float64) for each in noisy)  # type: ignore[return-value]


# What is certified there, and what is promised: at most 1 for a correct mechanism, more for a planted fault.
CORRECT = [count, changed_row_noise_for_two, noisy_max, lambda: several_values(1), unary_encoding]
FAULTS: list[tuple[Callable[[], Pair], float]] = [
    (two_rows_noise_for_one, 1.7),
    (changed_row_noise_for_one, 1.1),
    (noisy_max_both_ways_as_if_one, 1.0),
    (lambda: several_values(0), 1.0),
    (low_bits_of_floats, 4.0),
]


@pytest.mark.parametrize("case", CORRECT)
def test_a_correct_mechanism_stays_within_its_promise(case: Callable[[], Pair]) -> None:
    # More than 1 is certified with probability alpha; the least of these, 0.59 ± 0.04, is twelve deviations above 0.1.
    assert 0.1 < epsilon_lower_bound(*case(), alpha=1e-9).epsilon <= 1


@pytest.mark.parametrize(("case", "least"), FAULTS)
def test_a_planted_fault_is_caught(case: Callable[[], Pair], least: float) -> None:
    found = epsilon_lower_bound(*case())
    assert found.epsilon > max(least, 1)
    assert found.likely > found.unlikely


def test_the_count_is_nearly_as_bad_as_it_may_be() -> None:
    assert epsilon_lower_bound(*count()).epsilon > 0.88


def test_equal_samples_prove_nothing() -> None:
    assert epsilon_lower_bound(laplace(0), laplace(0), alpha=1e-9).epsilon < 0.05


def test_a_delta_is_taken_off() -> None:
    always, mostly = np.zeros(RUNS), np.repeat([0.0, 1.0], [RUNS - 500, 500])
    shuffled = np.random.default_rng(1).permutation(mostly)
    assert epsilon_lower_bound(always, shuffled).epsilon > 2.5
    assert epsilon_lower_bound(always, shuffled, delta=0.01).epsilon == 0
    assert 0.002 < delta_lower_bound(shuffled, always, 1.0) < 0.005


def test_an_event_is_picked_on_one_half_and_counted_on_the_other() -> None:
    """The first half suggests a ratio of 90; the second, which counts, has 500 against 200 of 1000."""
    here = np.repeat([1.0, 0.0, 1.0, 0.0], [900, 100, 500, 500])
    there = np.repeat([1.0, 0.0, 1.0, 0.0], [10, 990, 200, 800])
    low = stats.binomtest(500, 1000).proportion_ci(1 - 1e-4, "exact").low
    high = stats.binomtest(200, 1000).proportion_ci(1 - 1e-4, "exact").high
    found = epsilon_lower_bound(here, there)
    assert found.epsilon == pytest.approx(math.log(low / high), abs=1e-6)
    assert (found.event, found.runs, found.is_swapped) == ("≥ 1", 2000, False)
    assert epsilon_lower_bound(there, here).is_swapped
    assert delta_lower_bound(here, there, 0.0) == pytest.approx(max(low - high, 0), abs=1e-6)


def test_bounds_are_those_of_clopper_and_pearson() -> None:
    for hits, runs in ((0, 100), (100, 100), (5, 100), (30_000, 50_000), (1, 50_000)):
        exact = stats.binomtest(hits, runs).proportion_ci(1 - 1e-4, "exact")
        assert clopper_pearson(hits, runs, 1e-4) == pytest.approx((exact.low, exact.high), rel=2e-9)
    for a, b, x in ((2, 3, 0.4), (50, 1000, 0.05), (1, 50_000, 1e-5), (30_000, 20_001, 0.6), (50_001, 1, 0.9999)):
        assert beta_function(a, b, x) == pytest.approx(special.betainc(a, b, x), abs=1e-9)


def test_the_sampler_of_these_tests_is_that_of_releases() -> None:
    assert gateway.discrete_laplace is discrete_laplace
