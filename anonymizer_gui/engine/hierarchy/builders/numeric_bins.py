"""Bins of numbers: equal width, equal frequency or cut by hand, and bins of bins above them."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.errors import BadParameter
from anonymizer_gui.engine.hierarchy.readings import Floats
from anonymizer_gui.engine.hierarchy.tree import Interval

MOST_BINS = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """Neighbouring half-open intervals between edges; `first` is the rank of the first bin on the grid."""

    edges: Floats
    first: int = 0

    def __len__(self) -> int:
        return len(self.edges) - 1

    def find(self, values: Floats) -> npt.NDArray[np.int64]:
        """Give the bin of each value; the last bin holds its upper end too."""
        at = np.searchsorted(self.edges, values, side="right") - 1
        return np.clip(at, 0, len(self) - 1).astype(np.int64)

    def interval(self, at: int, closed: bool) -> Interval:
        """Give the interval of a bin; the last one is closed when asked."""
        low, high = float(self.edges[at]), float(self.edges[at + 1])
        return Interval(low, high, closed=closed and at == len(self) - 1 and math.isfinite(high))

    def coarser(self, fan_out: int) -> "Bins":
        """Put so many neighbours together, counted on the grid so that ends stay round."""
        ranks = np.arange(len(self)) + self.first % fan_out
        starts = np.flatnonzero(np.r_[True, ranks[1:] % fan_out == 0])
        return Bins(self.edges[np.r_[starts, len(self.edges) - 1]], self.first // fan_out)


def equal_width(values: Floats, width: float) -> Bins:
    """Cut at multiples of a width (a round one for about a dozen bins when it is 0)."""
    low, high = float(values.min()), float(values.max())
    width = width or round_width(high / 12 - low / 12)
    first, last = math.floor(low / width), math.floor(high / width)
    if last - first >= MOST_BINS:
        raise BadParameter(f"A width of {width:g} makes more than {MOST_BINS:,} intervals.", "Choose a larger width.")
    return Bins(np.array([float(rank) * width for rank in range(first, last + 2)]), first)


def equal_frequency(values: Floats, weights: npt.NDArray[np.int64], count: int) -> Bins:
    """Cut so that every bin has about the same number of rows."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weights[order])
    wanted = below[-1] * np.arange(1, count) / count
    cuts = values[order][np.minimum(np.searchsorted(below, wanted, side="right"), len(order) - 1)]
    inner = np.unique(cuts[cuts > values.min()])
    return Bins(np.r_[values.min(), inner, values.max()])


def at_cuts(cuts: Sequence[float]) -> Bins:
    """Cut by hand; what lies outside the cuts goes to endless bins at both ends."""
    if not cuts or any(one >= two for one, two in itertools.pairwise(cuts)):
        raise BadParameter("The cut points must be one or more numbers that rise.", "For example 18, 30, 65.")
    return Bins(np.r_[-np.inf, np.asarray(cuts, dtype=np.float64), np.inf])


def round_width(wanted: float) -> float:
    """Give the next number of the form 1, 2 or 5 times a power of ten.

    >>> round_width(6), round_width(0.03)
    (10.0, 0.05)
    """
    if wanted <= 0:
        return 1.0
    power = float(10.0 ** math.floor(math.log10(wanted)))
    return next((factor * power for factor in (1, 2, 5, 10) if factor * power >= wanted * (1 - 1e-9)), 10 * power)
