"""Bounds and grids that are public: between which values a column is counted, and in what steps."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.table import Column
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.rooms.statistics.categories import numbers_in
from anonymizer_gui.engine.rooms.statistics.public import Public

_DIGITS = 5
"""How many more digits a step has than the distance of the bounds."""
_FARTHEST = 2.0**50
_FARTHEST_SUM = 2**61
_HALF = 25
"""The bits of a value below the middle."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Values from `low` to `high` in whole steps: a sum of whole numbers has no rounding that could leak."""

    low: Fraction
    high: Fraction
    step: Fraction

    @property
    def first(self) -> int:
        """The lower bound in steps from 0."""
        return math.floor(self.low / self.step)

    @property
    def last(self) -> int:
        """The upper bound in steps from 0."""
        return math.ceil(self.high / self.step)

    def of_labels(self, column: Column, public: Public) -> tuple[Ints, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
        """Give every label of a column in steps from 0, clipped to the bounds, and which of them are numbers."""
        numbers = numbers_in(column, public)
        is_number = ~np.isnan(numbers)
        steps = np.rint(
            np.clip(np.where(is_number, numbers, 0.0), float(self.low), float(self.high)) / float(self.step)
        )
        return np.clip(steps, self.first, self.last).astype(np.int64), is_number


def added_up(steps: Ints, counts: Ints) -> int:
    """Add up values that several rows have each: exactly, in two halves, because a sum beyond 64 bits would begin anew
    at the other end, and then no farther from 0 than noise has room for.
    """
    high, low = steps >> _HALF, steps & ((1 << _HALF) - 1)
    whole = (int(high @ counts) << _HALF) + int(low @ counts)
    return min(max(whole, -_FARTHEST_SUM), _FARTHEST_SUM)


def grid_of(column: str, low: float, high: float) -> Grid:
    """Give the grid between two bounds, in steps of about a hundred thousandth; raises BadParameter without bounds.

    >>> grid_of("age", 0, 100).step
    Fraction(1, 1000)
    """
    if not column:
        raise BadParameter("The question names no column.", "Choose the column it is about.")
    lowest, highest = exact_bound(low), exact_bound(high)
    if lowest >= highest:
        raise BadParameter(
            message("The bounds of “{column}” are not public.", column=column),
            "Name them in the question, the smaller one first, or let the question “bounds” find some.",
        )
    width = highest - lowest
    step = Fraction(10) ** (math.floor(math.log10(width)) - _DIGITS)
    if max(abs(lowest), abs(highest)) / step > _FARTHEST:
        raise BadParameter(
            message("The bounds of “{column}” are too far from 0 for so small a distance.", column=column),
            "Take wider bounds.",
        )
    return Grid(lowest, highest, step)


def exact_bound(number: float) -> Fraction:
    """Take a bound for the decimal it is written as."""
    return Fraction(repr(float(number)))


def plain(number: Fraction | float) -> int | float:
    """Give a number as one would write it: whole where it is whole."""
    return int(number) if number == int(number) else float(number)
