"""Scales, errors and refusals of every mechanism, by hand-checked numbers."""

from fractions import Fraction

import numpy as np
import pytest

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.dp.mechanisms.additive_noise import DiscreteGaussian, DiscreteLaplace
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS, Mechanism
from anonymizer_gui.engine.dp.mechanisms.selection import TopKOnce, TopKRounds
from anonymizer_gui.engine.dp.sensitivity import (
    PrivacyUnit,
    Sensitivity,
    along_hierarchy,
    bounded_sum,
    count,
    histogram,
)
from anonymizer_gui.engine.rooms.statistics.benches.simulated_releases import simulate_releases

ROW, CHANGE, PERSON = PrivacyUnit.parse("row"), PrivacyUnit.parse("change"), PrivacyUnit.parse("person=patient:5")


def calibrated(kind: type[Mechanism], sensitivity: Sensitivity, amount: str = "1") -> Mechanism:
    return kind(sensitivity, Budget(**{kind.spends: Fraction(amount)}))


@pytest.mark.parametrize("kind", list(MECHANISMS), ids=lambda kind: kind.name)
def test_every_mechanism_tells_what_it_is(kind: type[Mechanism]) -> None:
    assert all(getattr(kind, name) for name in ("name", "title", "summary", "formula", "reference"))
    assert kind.spends in ("epsilon", "rho")
    assert MECHANISMS.get(kind.name) is kind


@pytest.mark.parametrize("kind", list(MECHANISMS), ids=lambda kind: kind.name)
@pytest.mark.parametrize("unit", [ROW, CHANGE, PERSON], ids=str)
def test_more_budget_never_brings_more_noise(kind: type[Mechanism], unit: PrivacyUnit) -> None:
    chain = [calibrated(kind, histogram(unit), amount) for amount in ("0.01", "0.1", "1", "10")]
    assert sorted(chain, key=lambda mechanism: -mechanism.scale()) == chain
    assert [each.error(100) for each in chain] == sorted((each.error(100) for each in chain), reverse=True)
    assert all(each.error(100) >= each.error(1) for each in chain)


@pytest.mark.parametrize("kind", list(MECHANISMS), ids=lambda kind: kind.name)
def test_a_mechanism_spends_one_kind_of_budget(kind: type[Mechanism]) -> None:
    both = Budget(epsilon=Fraction(1), rho=Fraction(1))
    for wrong in (Budget(), both, Budget(epsilon=Fraction(1), delta=Fraction(1, 10**9))):
        with pytest.raises(BadParameter, match="and nothing else"):
            kind(histogram(ROW), wrong)
    for extreme in ("1e-900", "1e900"):
        with pytest.raises(BadParameter, match="so extreme a size"):
            calibrated(kind, histogram(ROW), extreme)


@pytest.mark.parametrize(
    ("epsilon", "width"), [("0.01", 300), ("0.1", 30), ("0.5", 6), ("1", 3), ("2", 1), ("4", 0), ("10", 0)]
)
def test_the_error_of_laplace_noise_is_that_of_the_published_table(epsilon: str, width: int) -> None:
    mechanism = calibrated(DiscreteLaplace, count(ROW), epsilon)
    assert mechanism.error() == width
    a = np.exp(-float(Fraction(epsilon)))
    assert 2 * a ** (width + 1) / (1 + a) <= 0.05
    assert width == 0 or 2 * a**width / (1 + a) > 0.05


@pytest.mark.parametrize("kind", list(MECHANISMS), ids=lambda kind: kind.name)
def test_the_error_holds_in_95_of_100_releases(kind: type[Mechanism]) -> None:
    mechanism = calibrated(kind, histogram(ROW), "0.3")
    truth = np.array([40, 38, 35, 30, 20, 5, 0, 0], dtype=np.int64)
    released = simulate_releases(mechanism, truth, releases=4000, seed=7)
    off = truth.max() - truth[released[:, 0]] if kind.chooses else np.abs(released - truth).max(axis=1)
    assert np.mean(off <= mechanism.error(len(truth))) >= 0.94


def test_scales_are_those_of_the_worked_examples() -> None:
    assert calibrated(DiscreteLaplace, histogram(ROW), "0.5").scale() == 2
    assert calibrated(DiscreteLaplace, histogram(CHANGE), "0.5").scale() == 4
    assert calibrated(DiscreteLaplace, bounded_sum(ROW, 0, 100), "0.1").scale() == 1000
    assert calibrated(DiscreteLaplace, count(PrivacyUnit.parse("person=visitor:100")), "1").scale() == 100
    assert calibrated(DiscreteGaussian, histogram(ROW), "0.005").scale() == 10
    assert calibrated(DiscreteGaussian, histogram(CHANGE), "0.01").scale() == 10
    assert calibrated(DiscreteLaplace, along_hierarchy(ROW, 3), "1").scale() == 3
    assert calibrated(DiscreteLaplace, count(CHANGE), "1").scale() == 0
    ten = Budget(epsilon=Fraction(1))
    assert TopKRounds(histogram(ROW), ten, picks=10).scale() == 10
    assert TopKOnce(histogram(CHANGE), ten, picks=10).scale() == 20


def test_what_cannot_move_is_told_as_it_is() -> None:
    values = np.array([7, 0], dtype=np.int64)
    mechanism = calibrated(DiscreteLaplace, count(CHANGE))
    assert mechanism.release(values).tolist() == [7, 0]
    assert mechanism.simulate(values, np.random.default_rng(0)).tolist() == [7, 0]
    assert mechanism.error() == 0


@pytest.mark.parametrize("kind", [TopKOnce, TopKRounds])
def test_top_k_needs_k_candidates(kind: type[TopKOnce]) -> None:
    mechanism = kind(histogram(ROW), Budget(epsilon=Fraction(1)), picks=3)
    with pytest.raises(BadParameter, match="fewer than 3 candidates"):
        mechanism.release(np.array([1, 2], dtype=np.int64))
    assert sorted(mechanism.release(np.array([1, 2, 3], dtype=np.int64)).tolist()) == [0, 1, 2]
    with pytest.raises(BadParameter, match="At least one"):
        kind(histogram(ROW), Budget(epsilon=Fraction(1)), picks=0)


def test_a_simulation_is_repeatable_by_its_seed_and_a_release_is_not() -> None:
    mechanism, values = calibrated(DiscreteLaplace, histogram(ROW), "0.01"), np.zeros(20, dtype=np.int64)
    one, again, other = (simulate_releases(mechanism, values, releases=3, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
    assert not np.array_equal(mechanism.release(values), mechanism.release(values))
