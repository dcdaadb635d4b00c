"""Every sampler draws from the distribution its formula says, tested at a fixed alpha of one in a thousand million."""

import math
import os
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from anonymizer_gui.engine.dp import gateway
from anonymizer_gui.engine.dp.discrete_laplace import Coin, discrete_laplace
from anonymizer_gui.engine.dp.gateway import Ints, NoiseRequest
from tests.engine.dp.fitting import ALPHA, LEAST, fits, gaussian, laplace

CELLS = 60_000
SCALES = [Fraction(1, 2), Fraction(1), Fraction(2), Fraction(10), Fraction(1000)]


def by_opendp(scale: Fraction) -> Ints:
    values = np.zeros(CELLS, dtype=np.int64)
    return gateway.answer(NoiseRequest("laplace", values, 1, 1 / scale))


def by_bits(scale: Fraction) -> Ints:
    values = np.zeros(gateway.MANY_CELLS + 1, dtype=np.int64)
    return gateway.answer(NoiseRequest("laplace", values, 1, 1 / scale))


SAMPLERS = [by_opendp, by_bits]


@pytest.mark.parametrize("draw", SAMPLERS)
@pytest.mark.parametrize("scale", SCALES, ids=str)
def test_laplace_noise_has_its_distribution(draw: Callable[[Fraction], Ints], scale: Fraction) -> None:
    samples = draw(scale)
    a = math.exp(-1 / scale)
    assert fits(samples, laplace(float(scale)))
    assert fits(samples == 0, {1: (1 - a) / (1 + a), 0: 2 * a / (1 + a)})
    assert fits(np.sign(samples[samples != 0]), {-1: 0.5, 1: 0.5})
    variance, fourth = 2 * a / (1 - a) ** 2, float(np.mean(samples.astype(float) ** 4))
    width = stats.norm.isf(ALPHA / 10) * math.sqrt((fourth - variance**2) / len(samples))
    assert abs(float(np.var(samples)) - variance) < width


@pytest.mark.parametrize("scale", [Fraction(1), Fraction(20)], ids=str)
def test_both_laplace_samplers_agree(scale: Fraction) -> None:
    one, other = by_opendp(scale), by_bits(scale)
    values = range(int(-6 * scale), int(6 * scale) + 1)
    table = np.array([[np.sum(samples == value) for value in values] for samples in (one, other)])
    table = table[:, table.sum(axis=0) >= 2 * LEAST]
    assert stats.chi2_contingency(table).pvalue > ALPHA


@pytest.mark.parametrize("sigma", [Fraction(1, 2), Fraction(1), Fraction(10)], ids=str)
def test_gaussian_noise_has_its_distribution(sigma: Fraction) -> None:
    request = NoiseRequest("gaussian", np.zeros(CELLS, dtype=np.int64), 1, 1 / (2 * sigma**2))
    samples = gateway.answer(request)
    assert fits(samples, gaussian(float(sigma)))
    assert fits(np.sign(samples[samples != 0]), {-1: 0.5, 1: 0.5})


def test_a_test_of_fit_can_fail() -> None:
    samples = by_bits(Fraction(10))
    assert not fits(samples, laplace(11))
    assert not fits(np.abs(samples), laplace(10))
    assert not fits(np.where(samples == 0, 1, samples), laplace(10))


@pytest.mark.parametrize(
    "power", [Fraction(1, 10**6), Fraction(1, 3), Fraction(1), Fraction(7, 2), Fraction(40)], ids=str
)
@pytest.mark.parametrize("is_bit", [True, False])
def test_the_bits_of_a_probability_are_right_to_the_last(power: Fraction, is_bit: bool) -> None:
    from mpmath import exp, floor, mp, mpf

    mp.prec = 500
    raised = exp(-mpf(power.numerator) / power.denominator)
    probability = raised / (1 + raised) if is_bit else raised
    for bits in (32, 96, 300):
        assert Coin(power, is_bit).leading(bits) == int(floor(probability * mpf(2) ** bits))


def test_a_tie_is_settled_by_further_bits() -> None:
    coin = Coin(Fraction(1), is_bit=True)
    first, more = coin.leading(32), coin.leading(96) % 2**64

    def after(*words: bytes) -> bool:
        waiting = iter(words)
        return bool(coin.toss(1, lambda count: next(waiting))[0])

    tie = first.to_bytes(4, "little")
    assert after((first - 1).to_bytes(4, "little"))
    assert not after((first + 1).to_bytes(4, "little"))
    assert after(tie, (more - 1).to_bytes(8, "little"))
    assert not after(tie, (more + 1).to_bytes(8, "little"))
    again = coin.leading(160) % 2**64
    assert after(tie, more.to_bytes(8, "little"), (again - 1).to_bytes(8, "little"))


def test_what_lies_above_all_bits_is_drawn_too() -> None:
    """All coins fall on 1 twice for the first variable and on 0 for the second: 2^n - 1 + 2 * 2^n."""
    n_bits = 5
    drawn = iter([b"\0" * 4] * n_bits + [b"\0" * 4, b"\0" * 8] * 2 + [b"\xff" * 4] * (n_bits + 2))
    assert discrete_laplace(1, Fraction(1), source=lambda count: next(drawn)[:count]).tolist() == [31 + 64]


def test_noise_comes_from_the_operating_system(monkeypatch: pytest.MonkeyPatch) -> None:
    np.random.seed(1)
    one = by_bits(Fraction(1000))
    np.random.seed(1)
    assert not np.array_equal(one, by_bits(Fraction(1000)))
    assert discrete_laplace.__defaults__ is not None
    assert discrete_laplace.__defaults__[-1] is os.urandom


def test_lots_come_from_the_operating_system_and_differ() -> None:
    np.random.seed(1)
    one = gateway.draw_lots(1000)
    np.random.seed(1)
    assert len(set(one.tolist()) | set(gateway.draw_lots(1000).tolist())) == 2000
    assert len(gateway.draw_lots(0)) == 0


def test_numbers_at_the_ends_stay_at_the_ends() -> None:
    ends = np.array([2**63 - 1, -(2**63), 0], dtype=np.int64)
    answered = gateway.answer(NoiseRequest("laplace", ends, 1, Fraction(1)))
    assert answered[0] > 2**62
    assert answered[1] < -(2**62)
    many = np.resize(ends, gateway.MANY_CELLS + 2)
    answered = gateway.answer(NoiseRequest("laplace", many, 1, Fraction(1)))
    assert (np.sign(answered[::3]) == 1).all()
    assert (np.sign(answered[1::3]) == -1).all()
