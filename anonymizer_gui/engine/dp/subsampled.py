"""What many steps cost of which each sees a random part of the data: Gaussian noise after Poisson sampling.

Rényi differential privacy of the sampled Gaussian mechanism (Mironov, Talwar and Zhang 2019, section 3.3). At a whole
order a the divergence is log(sum over k of C(a, k) (1 - q)^(a - k) q^k exp(k (k - 1) / 2 z^2)) / (a - 1). The
discrete Gaussian is no worse: shifted by whole numbers its moments are at most those of the continuous one (Canonne,
Kamath and Steinke 2020), and turning it around its middle exchanges both sides, which is all the proof needs; so only
whole orders are used. Orders add up over steps, and become epsilon and delta as in `conversion`. All is rounded up.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.dp.rounding import up

LARGEST_ORDER = 2048
_SLACK = 1 + 1e-9
"""More than what floats are wrong by in sums of at most two thousand terms."""
_LEAST, _MOST = Fraction(3, 10), Fraction(10**6)
_STEP = 10**6
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Steps:
    """So many steps, each of which sees every unit with probability `rate`; and Gaussian noise that is added once.

    `rho` is the zCDP of whatever else the same units went through.
    """

    rate: Fraction
    steps: int
    rho: Fraction = Fraction(0)


@cache
def orders() -> tuple[int, ...]:
    """Give the orders that are tried: all small ones, larger ones at growing distances."""
    large = {round(64 * 1.06**power) for power in range(60)}
    return (*range(2, 64), *sorted(order for order in large if order <= LARGEST_ORDER), LARGEST_ORDER)


def epsilon_of(steps: Steps, multiplier: Fraction, delta: Fraction) -> Fraction:
    """Give an epsilon that holds with this delta, when noise is `multiplier` times as large as one unit can move.

    >>> float(epsilon_of(Steps(Fraction(256, 32561), 2543), Fraction(1), Fraction(1, 10**5))) < 2.51
    True
    """
    log_delta = math.log(delta.numerator) - math.log(delta.denominator)
    return up(Fraction(max(_smallest(steps, float(multiplier), log_delta), 0.0)), 9)


@lru_cache(maxsize=256)
def multiplier_for(steps: Steps, epsilon: Fraction, delta: Fraction) -> Fraction:
    """Solve for the smallest noise, in millionths, with which so many steps cost no more than epsilon and delta.

    Raises BadParameter when no noise is enough.
    """
    low, high = int(_LEAST * _STEP), int(_MOST * _STEP)
    if epsilon_of(steps, _LEAST, delta) <= epsilon:
        return _LEAST
    if epsilon_of(steps, _MOST, delta) > epsilon:
        raise BadParameter(
            "No noise is enough for so small an epsilon.", "Allow a larger epsilon or delta, or learn in fewer steps."
        )
    while high - low > max(low // 10**5, 1):
        middle = min(max(math.isqrt(low * high), low + 1), high - 1)
        is_enough = epsilon_of(steps, Fraction(middle, _STEP), delta) <= epsilon
        low, high = (low, middle) if is_enough else (middle, high)
    return Fraction(high, _STEP)


def _smallest(steps: Steps, multiplier: float, log_delta: float) -> float:
    """Look for the order with the smallest epsilon, which falls and then rises; any order gives a true bound."""
    every = orders()
    low, high = 0, len(every) - 1

    def epsilon(at: int) -> float:
        return _epsilon(every[at], steps, multiplier, log_delta)

    while high - low > 3:
        one, other = low + (high - low) // 3, high - (high - low) // 3
        low, high = (low, other) if epsilon(one) < epsilon(other) else (one, high)
    return min(epsilon(at) for at in range(low, high + 1))


def _epsilon(order: int, steps: Steps, multiplier: float, log_delta: float) -> float:
    """Convert the divergence of one order (Canonne, Kamath and Steinke 2020, proposition 12)."""
    spent = steps.steps * _divergence(order, float(steps.rate), multiplier) * _SLACK + order * float(steps.rho)
    return (spent - (log_delta + math.log(order)) / (order - 1) + math.log1p(-1 / order)) * _SLACK


def _divergence(order: int, rate: float, multiplier: float) -> float:
    if rate >= 1:
        return order / (2 * multiplier**2)
    terms = _binomials(order) + np.arange(order + 1) * math.log(rate) + np.arange(order, -1, -1) * math.log1p(-rate)
    terms = terms + np.arange(order + 1) * np.arange(-1, order) / (2 * multiplier**2)
    largest = float(terms.max())
    return max(largest + math.log(float(np.exp(terms - largest).sum())), 0.0) / (order - 1)


@cache
def _binomials(order: int) -> Floats:
    """Give the logarithms of all binomial coefficients of one order."""
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, order + 1)))])
    return np.asarray(logs[order] - logs - logs[::-1])
