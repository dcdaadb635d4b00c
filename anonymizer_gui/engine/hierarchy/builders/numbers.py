"""Intervals of equal width or frequency."""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Float, Int, ListOf, param
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema
from anonymizer_gui.engine.data.tables.values import Floats, parse_texts_as_numbers
from anonymizer_gui.engine.hierarchy.builders.contract import BUILDERS, MOST_LEVELS, Builder
from anonymizer_gui.engine.hierarchy.coverage import LevelGroups, occurring_values, ordered_values, tree_from_levels
from anonymizer_gui.engine.hierarchy.intervals import Style, format_interval
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval

MOST_BINS = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """Neighbouring half-open intervals between edges; `first` is the rank of the first bin on the grid."""

    edges: Floats
    first: int = 0

    def __len__(self) -> int:
        return len(self.edges) - 1

    @property
    def is_everything(self) -> bool:
        """Whether one endless bin holds all numbers."""
        return len(self) == 1 and bool(np.isinf(self.edges).all())

    def find(self, values: Floats) -> npt.NDArray[np.int64]:
        """Give the bin of each value."""
        at = np.searchsorted(self.edges, values, side="right") - 1
        return np.clip(at, 0, len(self) - 1).astype(np.int64)

    def interval(self, at: int) -> Interval:
        """Give the interval of a bin."""
        return Interval(float(self.edges[at]), float(self.edges[at + 1]))

    def coarser(self, fan_out: int) -> "Bins":
        """Put so many neighbours together, counted on the grid so that ends stay round."""
        ranks = np.arange(len(self)) + self.first % fan_out
        starts = np.flatnonzero(np.r_[True, ranks[1:] % fan_out == 0])
        return Bins(self.edges[np.r_[starts, len(self.edges) - 1]], self.first // fan_out)


def equal_width(values: Floats, width: float) -> Bins:
    """Cut at multiples of a width (a round one for about a dozen bins when it is 0)."""
    low, high = float(values.min()), float(values.max())
    width = width or good_width(values, 12)
    unit = Decimal(repr(width))  # in decimals, for three times 0.1 is 0.3 only there
    first, last = (math.floor(Decimal(repr(end)) / unit) for end in (low, high))
    if last - first >= MOST_BINS:
        raise BadParameter(
            message("A width of {width:g} makes more than {most:interval|intervals}.", width=width, most=MOST_BINS),
            "Choose a larger width.",
        )
    return Bins(np.array([float(rank * unit) for rank in range(first, last + 2)]), first)


def equal_frequency(values: Floats, weights: npt.NDArray[np.int64], count: int) -> Bins:
    """Cut so that every bin has about the same number of rows.

    The cuts are round numbers between two values, and the outer bins are endless: no end is somebody's value.
    """
    distinct, at = np.unique(values, return_inverse=True)
    below = np.cumsum(np.bincount(at, weights=weights))
    wanted = below[-1] * np.arange(1, count) / count
    starts = np.unique(np.searchsorted(below, wanted, side="right"))
    inner = [
        round_between(float(distinct[i - 1]), float(distinct[i])) for i in starts.tolist() if 0 < i < len(distinct)
    ]
    return Bins(np.r_[-np.inf, inner, np.inf])


def at_cuts(cuts: Sequence[float]) -> Bins:
    """Cut by hand; what lies outside the cuts goes to endless bins at both ends."""
    if not cuts or any(one >= two for one, two in itertools.pairwise(cuts)):
        raise BadParameter("The cut points must be one or more numbers that rise.", "For example 18, 30, 65.")
    return Bins(np.r_[-np.inf, np.asarray(cuts, dtype=np.float64), np.inf])


def round_between(low: float, high: float) -> float:
    """Give the roundest number above `low` and not above `high`.

    >>> round_between(3391.5, 3418.25), round_between(2.0, 3.0), round_between(0.123, 0.129)
    (3400.0, 3.0, 0.125)
    """
    for digits in range(-15, 10):
        for step in (5, 2, 1):
            unit = step * 10.0**-digits
            found = round((math.floor(low / unit) + 1) * unit, 9)
            if low < found <= high:
                return found
    return high


def good_width(values: Floats, count: int) -> float:
    """Give a round width for about so many bins; at least 2 for whole numbers, so that a bin holds several."""
    width = round_width(float(values.max()) / count - float(values.min()) / count)
    return max(width, 2.0) if bool(np.all(values == np.round(values))) else width


def round_width(wanted: float) -> float:
    """Give the next number of the form 1, 2 or 5 times a power of ten.

    >>> round_width(6), round_width(0.03)
    (10.0, 0.05)
    """
    if wanted <= 0:
        return 1.0
    power = float(10.0 ** math.floor(math.log10(wanted)))
    return next((factor * power for factor in (1, 2, 5, 10) if factor * power >= wanted * (1 - 1e-9)), 10 * power)


@BUILDERS.register
@dataclass(frozen=True, slots=True)
class Intervals(Builder):
    """Numbers in intervals, and intervals in larger ones."""

    name: ClassVar[str] = "intervals"
    title: ClassVar[str] = "Intervals"
    summary: ClassVar[str] = "Puts numbers into intervals of equal width, equal frequency or your own, level by level."

    method: str = param(
        Choice({"width": "equal width", "frequency": "equal frequency", "cuts": "my own cut points"}),
        default="width",
        label="Intervals of",
        help="How the lowest level is cut.",
    )
    width: float = param(Float(low=0), default=0.0, label="Width", help="Of each interval; 0 chooses a round number.")
    count: int = param(Int(low=1, high=10_000), default=10, label="Number", help="Of intervals of equal frequency.")
    cuts: tuple[float, ...] = param(
        ListOf(Float()), default=(), label="Cut points", help="Rising numbers; an interval begins at each."
    )
    fan_out: tuple[int, ...] = param(
        ListOf(Int(low=2), MOST_LEVELS),
        default=(2, 2),
        label="Intervals per larger one",
        help="For each further level, how many neighbours are put together.",
    )
    style: str = param(
        Choice({"a-b": "35-39", "[a-b)": "[35-40)"}),
        default="a-b",
        label="Labels",
        help="How intervals of whole numbers are written; others always have brackets.",
    )

    def build(self, column: Column, schema: ColumnSchema, progress: Progress = SILENT) -> Hierarchy:
        """Cut the numbers; values that are no numbers come directly under the root."""
        texts = ordered_values(column, progress)
        progress(0.0)
        found = parse_texts_as_numbers(texts, schema)
        progress(0.0)
        order = [at for at in np.argsort(found, kind="stable").tolist() if not np.isnan(found[at])]
        if not order:
            return tree_from_levels((), (), column, progress)
        values = found[order]
        rows = dict(zip(column.labels, column.counts().tolist(), strict=True))
        bins = self._bins(values, [rows[texts[at]] for at in order])
        steps = [bins]
        for fan_out in self.fan_out:
            steps.append(steps[-1].coarser(fan_out))
        levels = (self._level(step, values) for step in steps if not step.is_everything)
        return tree_from_levels([texts[at] for at in order], levels, column, progress)

    @staticmethod
    def suits(column: Column, schema: ColumnSchema) -> bool:
        """Say whether most values are numbers."""
        texts = occurring_values(column)
        return bool(texts) and bool(np.mean(~np.isnan(parse_texts_as_numbers(texts, schema))) >= 0.9)

    def _bins(self, values: Floats, rows: Sequence[int]) -> Bins:
        ways: dict[str, Callable[[], Bins]] = {
            "width": lambda: equal_width(values, self.width),
            "frequency": lambda: equal_frequency(values, np.asarray(rows, dtype=np.int64), self.count),
            "cuts": lambda: at_cuts(self.cuts),
        }
        return ways[self.method]()

    def _level(self, bins: Bins, values: Floats) -> LevelGroups:
        whole = bool(np.all(values == np.round(values)))
        style: Style = "a-b" if self.style == "a-b" else "[a-b)"
        at = bins.find(values)
        used = {number: bins.interval(number) for number in np.unique(at).tolist()}
        labels = {number: format_interval(interval, style, whole=whole) for number, interval in used.items()}
        groups = [labels[number] for number in at.tolist()]
        return LevelGroups(groups, {labels[number]: interval for number, interval in used.items()})
