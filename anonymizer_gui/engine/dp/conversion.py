"""Between the rho of zCDP and epsilon with delta: each conversion is a bound, rounded to the safe side.

What is rho-zCDP is (epsilon, delta)-DP for every order a > 1 with
epsilon = a rho + log(1 / (a delta)) / (a - 1) + log(1 - 1 / a) (Canonne, Kamath and Steinke 2020, proposition 12).
Any order gives a true bound; the best one is only looked for with floats, and the bound is then computed with decimals.
"""

import math
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

from anonymizer_gui.engine.dp.rounding import down, up

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
    return max(up(order * rho + log), Fraction(0))


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
        middle = down((low + high) / 2, 15)
        low, high = (middle, high) if epsilon_of_rho(middle, delta) <= epsilon else (low, middle)
    return down(low)


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
