"""Numbers that are rounded to the safe side: scales and costs up, budgets down."""

import math
from fractions import Fraction


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


def up(number: Fraction, places: int = 12) -> Fraction:
    """Round up to so many decimals."""
    return Fraction(math.ceil(number * 10**places), 10**places)


def down(number: Fraction, places: int = 12) -> Fraction:
    """Round down to so many decimals."""
    return Fraction(math.floor(number * 10**places), 10**places)
