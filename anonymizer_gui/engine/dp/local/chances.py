"""Probabilities that can be drawn exactly: whole numbers out of 2^53, rounded to the side of privacy.

Any program can compare 53 random bits with a whole number, a browser as well as this one, so what the proof speaks of
is what is drawn. Rounding costs less than one part in 10^12 of accuracy, and never any privacy.
"""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message

GRAIN = 2**53
LOWEST_EPSILON, HIGHEST_EPSILON = Fraction(1, 1000), Fraction(16)
_DIGITS = 60


@lru_cache(maxsize=4096)
def raised(power: Fraction) -> Fraction:
    """Give e^power to 60 digits."""
    with localcontext() as context:
        context.prec = _DIGITS
        return Fraction((Decimal(power.numerator) / Decimal(power.denominator)).exp())


def logarithm(ratio: Fraction) -> float:
    """Give the natural logarithm of an exact ratio, also where it is very near to 1."""
    with localcontext() as context:
        context.prec = _DIGITS
        return float((Decimal(ratio.numerator) / Decimal(ratio.denominator)).ln())


def rounded_down(chance: Fraction) -> Fraction:
    """Give the largest chance that can be drawn and is no larger."""
    return Fraction(math.floor(chance * GRAIN), GRAIN)


def rounded_up(chance: Fraction) -> Fraction:
    """Give the smallest chance that can be drawn and is no smaller."""
    return Fraction(math.ceil(chance * GRAIN), GRAIN)


def drawn(chance: Fraction) -> int:
    """Give a chance as the whole number that 53 random bits must stay below."""
    number = chance * GRAIN
    if number.denominator != 1:
        raise ValueError("This chance cannot be drawn exactly.")
    return int(number)


def is_within(ratio: Fraction, epsilon: Fraction) -> bool:
    """Say whether a ratio of two chances is at most e^epsilon."""
    return ratio <= raised(epsilon)


def checked_epsilon(epsilon: Fraction) -> Fraction:
    """Give an epsilon that a form can be made for; raises BadParameter."""
    if not LOWEST_EPSILON <= epsilon <= HIGHEST_EPSILON:
        raise BadParameter(
            message("Epsilon {epsilon:.6g} is out of reach of a form.", epsilon=float(epsilon)),
            message("Choose one from {low:g} to {high:g}.", low=float(LOWEST_EPSILON), high=float(HIGHEST_EPSILON)),
        )
    return epsilon
