"""The kindest reading of what is left: of all distributions between bounds the one that a goal likes best.

An attacker who knows only bounds of the shares has learnt no more than what all distributions between them have in
common. So a goal is broken for certain when not even the kindest of them satisfies it.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.rooms.microdata.meeting.shown import Bools, Ints

Floats = npt.NDArray[np.float64]
_HALVINGS = 60
_TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """Bounds of the shares that values have in cells: one entry per cell and value, sorted by cell, then value."""

    cell: Ints
    value: Ints
    low: Floats
    high: Floats
    n_cells: int

    def total(self, entries: Floats) -> Floats:
        """Add up one number per entry over each cell."""
        return np.bincount(self.cell, entries, self.n_cells).astype(np.float64, copy=False)

    def only(self, cells: Ints) -> "Box":
        """Keep some cells, numbered by their place among them."""
        place = np.full(self.n_cells, -1, dtype=np.int64)
        place[cells] = np.arange(len(cells))
        kept = np.flatnonzero(place[self.cell] >= 0)
        kept = kept[np.argsort(place[self.cell[kept]], kind="stable")]
        return Box(place[self.cell[kept]], self.value[kept], self.low[kept], self.high[kept], len(cells))

    def values(self) -> Ints:
        """Count the values of each cell."""
        return np.bincount(self.cell, minlength=self.n_cells).astype(np.int64)

    def has_any(self) -> Bools:
        """Tell in which cells there is a distribution between the bounds."""
        return (self.total(self.low) <= 1 + _TOLERANCE) & (self.total(self.high) >= 1 - _TOLERANCE)


def flattest(box: Box) -> Floats:
    """Give the most even distribution: no other has more values, more entropy or a smaller largest share."""
    return _filled(box, lambda level: level[box.cell], np.zeros(box.n_cells), np.ones(box.n_cells))


def most_alike(box: Box, reference: Floats) -> Floats:
    """Give the distribution whose shares are as nearly as can be the same multiple of the reference's.

    It is nearest in every distance that adds up a convex function of the ratios (variational, Kullback-Leibler,
    Jensen-Shannon), and its largest ratio is the smallest possible. Values the reference does not have come last.
    """
    weight = reference[box.value]
    there = weight > 0
    ratio = np.divide(box.high, weight, out=np.zeros(len(weight)), where=there)
    top = np.zeros(box.n_cells)
    np.maximum.at(top, box.cell, ratio)
    found = _filled(box, lambda level: level[box.cell] * weight, np.zeros(box.n_cells), top)
    missing = np.maximum(1 - box.total(found), 0.0)
    room = np.where(there, 0.0, box.high - found)
    share = np.divide(missing, box.total(room), out=np.zeros(box.n_cells), where=box.total(room) > 0)
    filled: Floats = found + room * np.minimum(share, 1.0)[box.cell]
    return filled


def nearest(box: Box, reference: Floats) -> Floats:
    """Give the distribution nearest to the reference in the Euclidean distance."""
    aim = reference[box.value]
    ones = np.ones(box.n_cells)
    return _filled(box, lambda level: aim + level[box.cell], -ones, ones)


def _filled(box: Box, at: Callable[[Floats], Floats], low: Floats, high: Floats) -> Floats:
    """Find for each cell the level at which the shares, kept between their bounds, add up to 1."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        is_much = box.total(np.clip(at(middle), box.low, box.high)) > 1
        low, high = np.where(is_much, low, middle), np.where(is_much, middle, high)
    return np.clip(at(high), box.low, box.high)
