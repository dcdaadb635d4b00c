"""Numbers and probabilities rounded to the side of privacy.

Any program can compare 53 random bits with a whole number, a browser as well as this one, so what the proof speaks of
is what is drawn. Rounding costs less than one part in 10^12 of accuracy, and never any privacy.
"""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message


def float_above(number: Fraction) -> float:
    """Give the smallest float that is not less.

    >>> float_above(Fraction(1, 10)) >= Fraction(1, 10)
    True
    """
    near = float(number)
    return near if Fraction(near) >= number else math.nextafter(near, math.inf)


def root_above(square: Fraction) -> Fraction:
    """Give a number not less than the square root, exact where the root is a fraction.

    >>> root_above(Fraction(9, 4))
    Fraction(3, 2)
    """
    whole = square.numerator * square.denominator * 10**40
    root = math.isqrt(whole)
    return Fraction(root if root * root == whole else root + 1, square.denominator * 10**20)


def root_below(square: Fraction) -> Fraction:
    """Give a number not more than the square root, exact where the root is a fraction.

    >>> root_below(Fraction(9, 4))
    Fraction(3, 2)
    """
    return Fraction(math.isqrt(square.numerator * square.denominator * 10**40), square.denominator * 10**20)


def round_up(number: Fraction, places: int = 12) -> Fraction:
    """Round up to so many decimals."""
    return Fraction(math.ceil(number * 10**places), 10**places)


def round_down(number: Fraction, places: int = 12) -> Fraction:
    """Round down to so many decimals."""
    return Fraction(math.floor(number * 10**places), 10**places)


GRAIN = 2**53

LOWEST_EPSILON, HIGHEST_EPSILON = Fraction(1, 1000), Fraction(16)

_DIGITS = 60


@lru_cache(maxsize=4096)
def exp_exact(power: Fraction) -> Fraction:
    """Give e^power to 60 digits."""
    with localcontext() as context:
        context.prec = _DIGITS
        return Fraction((Decimal(power.numerator) / Decimal(power.denominator)).exp())


def log_exact(ratio: Fraction) -> float:
    """Give the natural logarithm of an exact ratio, also where it is very near to 1."""
    with localcontext() as context:
        context.prec = _DIGITS
        return float((Decimal(ratio.numerator) / Decimal(ratio.denominator)).ln())


def probability_below(chance: Fraction) -> Fraction:
    """Give the largest chance that can be drawn and is no larger."""
    return Fraction(math.floor(chance * GRAIN), GRAIN)


def probability_above(chance: Fraction) -> Fraction:
    """Give the smallest chance that can be drawn and is no smaller."""
    return Fraction(math.ceil(chance * GRAIN), GRAIN)


def threshold_bits(chance: Fraction) -> int:
    """Give a chance as the whole number that 53 random bits must stay below."""
    number = chance * GRAIN
    if number.denominator != 1:
        raise ValueError("This chance cannot be drawn exactly.")
    return int(number)


def is_within(ratio: Fraction, epsilon: Fraction) -> bool:
    """Say whether a ratio of two chances is at most e^epsilon."""
    return ratio <= exp_exact(epsilon)


def require_epsilon(epsilon: Fraction) -> Fraction:
    """Give an epsilon that a form can be made for; raises BadParameter."""
    if not LOWEST_EPSILON <= epsilon <= HIGHEST_EPSILON:
        raise BadParameter(
            message("Epsilon {epsilon:.6g} is out of reach of a form.", epsilon=float(epsilon)),
            message("Choose one from {low:g} to {high:g}.", low=float(LOWEST_EPSILON), high=float(HIGHEST_EPSILON)),
        )
    return epsilon
