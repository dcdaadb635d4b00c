"""Privacy accountant: composition, zCDP conversion, RDP of the subsampled Gaussian.

What is rho-zCDP is (epsilon, delta)-DP for every order a > 1 with
epsilon = a rho + log(1 / (a delta)) / (a - 1) + log(1 - 1 / a) (Canonne, Kamath and Steinke 2020, proposition 12).
Any order gives a true bound; the best one is only looked for with floats, and the bound is then computed with decimals.

>>> thousand = [Budget(epsilon=Fraction(1, 100))] * 1000
>>> compose(thousand, delta=Fraction(1, 10**6)).way
'zcdp'

Rényi differential privacy of the sampled Gaussian mechanism (Mironov, Talwar and Zhang 2019, section 3.3). At a whole
order a the divergence is log(sum over k of C(a, k) (1 - q)^(a - k) q^k exp(k (k - 1) / 2 z^2)) / (a - 1). The
discrete Gaussian is no worse: shifted by whole numbers its moments are at most those of the continuous one (Canonne,
Kamath and Steinke 2020), and turning it around its middle exchanges both sides, which is all the proof needs; so only
whole orders are used. Orders add up over steps, and become epsilon and delta as in `conversion`. All is rounded up.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from functools import cache, lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.budget import NO_BUDGET, Budget
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.dp.safe_rounding import round_down, round_up
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit

_DIGITS = 60

# What sixty digits may be wrong by after a handful of steps.
_SLACK = Fraction(1, 10**40)


def epsilon_of_rho(rho: Fraction, delta: Fraction) -> Fraction:
    """Give an epsilon that holds with this delta for what is rho-zCDP, in steps of 1e-12.

    >>> float(epsilon_of_rho(Fraction(1, 2), Fraction(1, 10**6)))
    5.221534444531
    """
    if rho <= 0:
        return Fraction(0)
    order = Fraction(_best_order(float(rho), _log(delta)))
    log = log_above(1 / (order * delta)) / (order - 1) + log_above(1 - 1 / order)
    return max(round_up(order * rho + log), Fraction(0))


@lru_cache(maxsize=256)
def rho_of_epsilon(epsilon: Fraction, delta: Fraction) -> Fraction:
    """Give the largest rho, in steps of 1e-12, whose epsilon is still within the one given.

    >>> float(rho_of_epsilon(Fraction(1), Fraction(1, 10**5)))
    0.030556595197
    """
    low, high = Fraction(0), max(epsilon, Fraction(1))
    while epsilon_of_rho(high, delta) <= epsilon:
        high *= 2
    for _ in range(60):
        middle = round_down((low + high) / 2, 15)
        low, high = (middle, high) if epsilon_of_rho(middle, delta) <= epsilon else (low, middle)
    return round_down(low)


def _best_order(rho: float, log_delta: float) -> float:
    """Look for the order with the smallest epsilon, which has one minimum, on a logarithmic scale of a - 1."""

    def epsilon(log: float) -> float:
        order = 1 + math.exp(log)
        return order * rho - (math.log(order) + log_delta) / (order - 1) + math.log1p(-1 / order)

    low, high = -20.0, 40.0
    for _ in range(100):
        one, other = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, other) if epsilon(one) < epsilon(other) else (one, high)
    return 1 + math.exp(low)


def _log(number: Fraction) -> float:
    """Give about the logarithm, also of what is too small for a float."""
    return math.log(number.numerator) - math.log(number.denominator)


def log_above(number: Fraction) -> Fraction:
    """Give a number not less than the natural logarithm."""
    with localcontext() as context:
        context.prec, context.rounding = _DIGITS, ROUND_CEILING
        return Fraction((Decimal(number.numerator) / Decimal(number.denominator)).ln()) + _SLACK


def exp_above(number: Fraction) -> Fraction:
    """Give a number not less than e to the power."""
    with localcontext() as context:
        context.prec, context.rounding = _DIGITS, ROUND_CEILING
        return Fraction((Decimal(number.numerator) / Decimal(number.denominator)).exp()) * (1 + _SLACK)


# A group with so large an epsilon is promised nothing, whatever its delta.
_HOPELESS = 1000


@dataclass(frozen=True, slots=True)
class ComposedBudget:
    """Epsilon and delta of all spends together, and the composition that gave the smaller epsilon."""

    epsilon: Fraction
    delta: Fraction
    way: Literal["basic", "zcdp"]

    def budget(self) -> Budget:
        """Give it as a budget."""
        return Budget(epsilon=self.epsilon, delta=self.delta)


def compose(spends: Iterable[Budget], delta: Fraction = Fraction(0)) -> ComposedBudget:
    """Compose spends about the same people, one after the other, also when later questions depend on earlier answers.

    Basic composition adds epsilons and deltas, and converts what was spent as rho. Where `delta` allows, all spends
    without a delta of their own are also composed as zCDP, a pure epsilon as rho = epsilon^2 / 2; the smaller epsilon
    counts. `delta` bounds the delta of the result, that of the spends included. Raises BadParameter when rho was
    spent and no delta is left to convert it.
    """
    spends = [spend for spend in spends if spend]
    summed = sum(spends, NO_BUDGET)
    left = delta - summed.delta
    if summed.rho and left <= 0:
        raise BadParameter("Gaussian noise needs a delta above 0.", "Allow a delta, such as 1e-9.")
    converted = epsilon_of_rho(summed.rho, left) if summed.rho else Fraction(0)
    basic = ComposedBudget(summed.epsilon + converted, delta if summed.rho else summed.delta, "basic")
    concentrated = _as_zcdp(spends, delta, left)
    return concentrated if concentrated and concentrated.epsilon < basic.epsilon else basic


def _as_zcdp(spends: list[Budget], delta: Fraction, left: Fraction) -> ComposedBudget | None:
    """Compose as zCDP what can be; what has a delta of its own is added to it."""
    pure = [spend.epsilon for spend in spends if spend.epsilon and not spend.delta]
    if left <= 0 or not pure:
        return None
    others = sum((spend.epsilon for spend in spends if spend.delta), Fraction(0))
    squares = sum((epsilon * epsilon for epsilon in pure), Fraction(0))
    rho = sum((spend.rho for spend in spends), squares / 2)
    return ComposedBudget(others + epsilon_of_rho(rho, left), delta, "zcdp")


def compose_parallel(spends: Iterable[Budget], unit: PrivacyUnit) -> Budget:
    """Compose spends about disjoint parts of the table, made by a public column: the largest of each kind.

    A changed row is one that goes and one that comes, in two parts or twice in the same one: it costs what a group of
    two rows does, whose rho is four times as large. A person with several rows may be in as many parts. The questions
    are calibrated for `unit.within_part`.
    """
    spends = list(spends)
    largest = Budget(*(max((part[place] for part in map(_parts, spends)), default=Fraction(0)) for place in range(3)))
    if unit.kind is Neighbours.CHANGE:
        return group_privacy(largest, 2)
    return largest * max(min(unit.rows, len(spends)), 1)


Part = tuple[str, str]
"""A part of a table made by a public column: the column and the value its rows have."""


def compose_parts(spends: Iterable[tuple[Budget, Part | None]], unit: PrivacyUnit) -> list[Budget]:
    """Give what must be composed of spends that are partly about disjoint parts: those about the parts of one column
    become one spend, in which only the most expensive part counts.
    """
    whole: list[Budget] = []
    columns: dict[str, dict[str, Budget]] = {}
    for spend, part in spends:
        if part is None:
            whole.append(spend)
        else:
            parts = columns.setdefault(part[0], {})
            parts[part[1]] = parts.get(part[1], NO_BUDGET) + spend
    return [*whole, *(compose_parallel(parts.values(), unit) for parts in columns.values())]


def group_privacy(spend: Budget, people: int) -> Budget:
    """What the same releases cost a group of so many people together.

    Epsilon grows with the group, rho with its square, delta by (e^(g epsilon) - 1) / (e^epsilon - 1).
    """
    if people < 1:
        raise BadParameter("A group has at least one member.", "Give a number from 1 on.")
    return Budget(spend.epsilon * people, _delta_of_group(spend, people), spend.rho * people**2)


def _delta_of_group(spend: Budget, people: int) -> Fraction:
    if not spend.delta:
        return Fraction(0)
    if spend.epsilon * people > _HOPELESS:
        return Fraction(1)
    grown = sum((exp_above(spend.epsilon * member) for member in range(people)), Fraction(0))
    return min(spend.delta * grown, Fraction(1))


def posterior_odds(epsilon: Fraction) -> float:
    """Say how sure a guess between two equally likely tables can become at most: e^epsilon / (1 + e^epsilon)."""
    return 1 / (1 + math.exp(-epsilon))


def _parts(spend: Budget) -> tuple[Fraction, Fraction, Fraction]:
    return spend.epsilon, spend.delta, spend.rho


LARGEST_ORDER = 2048

_SUBSAMPLED_SLACK = 1 + 1e-9
"""More than what floats are wrong by in sums of at most two thousand terms."""

_LEAST, _MOST = Fraction(3, 10), Fraction(10**6)

_STEP = 10**6

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SubsampledSteps:
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


def subsampled_epsilon(steps: SubsampledSteps, multiplier: Fraction, delta: Fraction) -> Fraction:
    """Give an epsilon that holds with this delta, when noise is `multiplier` times as large as one unit can move.

    >>> float(subsampled_epsilon(SubsampledSteps(Fraction(256, 32561), 2543), Fraction(1), Fraction(1, 10**5))) < 2.51
    True
    """
    log_delta = math.log(delta.numerator) - math.log(delta.denominator)
    return round_up(Fraction(max(_smallest(steps, float(multiplier), log_delta), 0.0)), 9)


@lru_cache(maxsize=256)
def noise_multiplier(steps: SubsampledSteps, epsilon: Fraction, delta: Fraction) -> Fraction:
    """Solve for the smallest noise, in millionths, with which so many steps cost no more than epsilon and delta.

    Raises BadParameter when no noise is enough.
    """
    low, high = int(_LEAST * _STEP), int(_MOST * _STEP)
    if subsampled_epsilon(steps, _LEAST, delta) <= epsilon:
        return _LEAST
    if subsampled_epsilon(steps, _MOST, delta) > epsilon:
        raise BadParameter(
            "No noise is enough for so small an epsilon.", "Allow a larger epsilon or delta, or learn in fewer steps."
        )
    while high - low > max(low // 10**5, 1):
        middle = min(max(math.isqrt(low * high), low + 1), high - 1)
        is_enough = subsampled_epsilon(steps, Fraction(middle, _STEP), delta) <= epsilon
        low, high = (low, middle) if is_enough else (middle, high)
    return Fraction(high, _STEP)


def _smallest(steps: SubsampledSteps, multiplier: float, log_delta: float) -> float:
    """Look for the order with the smallest epsilon, which falls and then rises; any order gives a true bound."""
    every = orders()
    low, high = 0, len(every) - 1

    def epsilon(at: int) -> float:
        return _epsilon(every[at], steps, multiplier, log_delta)

    while high - low > 3:
        one, other = low + (high - low) // 3, high - (high - low) // 3
        low, high = (low, other) if epsilon(one) < epsilon(other) else (one, high)
    return min(epsilon(at) for at in range(low, high + 1))


def _epsilon(order: int, steps: SubsampledSteps, multiplier: float, log_delta: float) -> float:
    """Convert the divergence of one order (Canonne, Kamath and Steinke 2020, proposition 12)."""
    spent = steps.steps * _divergence(order, float(steps.rate), multiplier) * _SUBSAMPLED_SLACK + order * float(
        steps.rho
    )
    return (spent - (log_delta + math.log(order)) / (order - 1) + math.log1p(-1 / order)) * _SUBSAMPLED_SLACK


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
