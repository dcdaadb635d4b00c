"""What sampled steps cost: never less than another accountant says, and hardly more."""

from fractions import Fraction

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.dp import gateway
from anonymizer_gui.engine.dp.accountant import (
    LARGEST_ORDER,
    SubsampledSteps,
    epsilon_of_rho,
    noise_multiplier,
    orders,
    subsampled_epsilon,
)

DELTA = Fraction(1, 10**5)
PUBLISHED = SubsampledSteps(Fraction(256, 32561), 2543)


@pytest.mark.parametrize(("noise", "epsilon"), [("1", 2.488), ("2", 0.8642), ("4", 0.3821)])
def test_epsilon_is_that_of_the_published_table(noise: str, epsilon: float) -> None:
    assert epsilon - 1e-3 <= float(subsampled_epsilon(PUBLISHED, Fraction(noise), DELTA)) <= epsilon * 1.005


@pytest.mark.parametrize("rate", ["0.01", "0.05", "0.5", "1"])
@pytest.mark.parametrize("noise", ["0.8", "2", "30"])
def test_nothing_is_cheaper_than_another_accountant_says(rate: str, noise: str) -> None:
    accounting = pytest.importorskip("dp_accounting")
    from dp_accounting.rdp import RdpAccountant

    other = RdpAccountant(list(orders()))
    gaussian = accounting.GaussianDpEvent(float(noise))
    other.compose(accounting.PoissonSampledDpEvent(float(rate), gaussian), 300)
    own = float(subsampled_epsilon(SubsampledSteps(Fraction(rate), 300), Fraction(noise), DELTA))
    assert other.get_epsilon(float(DELTA)) <= own * (1 + 1e-9) + 1e-9
    assert own <= other.get_epsilon(float(DELTA)) * 1.01 + 1e-6


def test_orders_reach_far_enough_for_little_budget() -> None:
    assert (orders()[0], orders()[-1]) == (2, LARGEST_ORDER)
    assert float(noise_multiplier(SubsampledSteps(Fraction(1, 20), 400), Fraction(1, 100), DELTA)) < 300


@pytest.mark.parametrize("epsilon", ["0.05", "1", "8"])
def test_the_noise_that_is_solved_for_is_enough_and_hardly_more(epsilon: str) -> None:
    steps = SubsampledSteps(Fraction(1, 20), 400, Fraction(1, 10**5))
    noise = noise_multiplier(steps, Fraction(epsilon), DELTA)
    assert subsampled_epsilon(steps, noise, DELTA) <= Fraction(epsilon)
    assert subsampled_epsilon(steps, noise * Fraction(999, 1000), DELTA) > Fraction(epsilon)


def test_a_step_that_sees_everybody_costs_what_gaussian_noise_does() -> None:
    own = subsampled_epsilon(SubsampledSteps(Fraction(1), 1), Fraction(10), DELTA)
    assert (
        float(epsilon_of_rho(Fraction(1, 200), DELTA))
        <= float(own)
        <= float(epsilon_of_rho(Fraction(1, 200), DELTA)) * 1.01
    )


def test_no_noise_is_enough_for_almost_nothing() -> None:
    with pytest.raises(BadParameter, match="No noise is enough"):
        noise_multiplier(SubsampledSteps(Fraction(1), 10**6), Fraction(1, 10**6), Fraction(1, 10**12))


def test_lots_are_drawn_with_the_probability_that_is_asked_for() -> None:
    seen = gateway.poisson_sample(200_000, Fraction(1, 20))
    assert abs(seen.mean() - 0.05) < 0.004
    assert gateway.poisson_sample(50, Fraction(1)).all()
    assert not gateway.poisson_sample(50, Fraction(0)).any()
    assert not np.array_equal(seen, gateway.poisson_sample(200_000, Fraction(1, 20)))
