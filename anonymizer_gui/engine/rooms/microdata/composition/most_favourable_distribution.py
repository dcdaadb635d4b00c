"""Of all distributions within bounds the one a goal likes best.

The distance is a sum over the edges of a tree: the length of the edge times what lies below it too much or too
little. For every point of the tree the least cost is a convex function of the mass below it, held as straight pieces.

An attacker who knows only bounds of the shares has learnt no more than what all distributions between them have in
common. So a goal is broken for certain when not even the kindest of them satisfies it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.rooms.microdata.composition.published_view import Bools, Ints

Piece = tuple[float, float, int]
"""Slope, length, and the child it comes from."""


@dataclass(slots=True)
class _Point:
    children: list[int] = field(default_factory=list)
    length: float = 0.0
    """Of the edge to the point above."""
    aim: float = 0.0
    """The mass that should lie below."""
    base: float = 0.0
    """The mass that must lie below."""
    pieces: list[Piece] = field(default_factory=list)


class ValueTree:
    """A tree over values: `parents` in an order in which every point stands before those below it, the length of the
    edge above each, and the point of every value.

    >>> path_tree(3).kindest([0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.5, 0.5])
    [0.5, 0.0, 0.5]
    """

    def __init__(self, parents: Sequence[int], lengths: Sequence[float], leaves: Sequence[int]) -> None:
        self.parents, self.lengths, self.leaves = parents, lengths, leaves

    def kindest(self, low: Sequence[float], high: Sequence[float], aim: Sequence[float]) -> list[float]:
        """Give the distribution between the bounds that is nearest to the one aimed at."""
        points = [_Point(length=length) for length in self.lengths]
        for number, parent in enumerate(self.parents):
            if parent >= 0:
                points[parent].children.append(number)
        own: dict[int, list[int]] = {}
        for value, point in enumerate(self.leaves):
            own.setdefault(point, []).append(value)
        for number in range(len(points) - 1, -1, -1):
            self._settle(
                points, number, [(value, low[value], high[value], aim[value]) for value in own.get(number, [])]
            )
        return self._shared_out(points, own, low)

    def _settle(self, points: list[_Point], number: int, own: list[tuple[int, float, float, float]]) -> None:
        """Add up what lies below a point: values of its own come as children with negative numbers."""
        point = points[number]
        pieces = [(slope, length, child) for child in point.children for slope, length, _ in points[child].pieces]
        pieces += [(0.0, most - least, -1 - value) for value, least, most, _ in own if most > least]
        point.base = sum(points[child].base for child in point.children) + sum(least for _, least, _, _ in own)
        point.aim = sum(points[child].aim for child in point.children) + sum(aim for _, _, _, aim in own)
        point.pieces = _bent(sorted(pieces, key=lambda piece: piece[0]), point.aim - point.base, point.length)

    def _shared_out(self, points: list[_Point], own: dict[int, list[int]], low: Sequence[float]) -> list[float]:
        found = list(low)
        more = [0.0] * len(points)
        more[0] = 1.0 - points[0].base
        for number, point in enumerate(points):
            left = more[number]
            for _, length, child in point.pieces:
                taken = min(left, length)
                left -= taken
                if child < 0:
                    found[-1 - child] += taken
                else:
                    more[child] += taken
        return found


def _bent(pieces: list[Piece], aim: float, length: float) -> list[Piece]:
    """Add the cost of an edge: it falls until the mass below reaches the aim, and rises from there."""
    if not length:
        return pieces
    bent: list[Piece] = []
    reached = 0.0
    for slope, width, child in pieces:
        before = min(max(aim - reached, 0.0), width)
        if before > 0:
            bent.append((slope - length, before, child))
        if width > before:
            bent.append((slope + length, width - before, child))
        reached += width
    return bent


def path_tree(n_values: int) -> ValueTree:
    """Give the tree in which values lie in a row, each one step from the next."""
    if not n_values:
        return ValueTree([-1], [0.0], [])
    # Point i holds the values up to the one at place n - 1 - i.
    return ValueTree(range(-1, n_values - 1), [0.0, *([1.0] * (n_values - 1))], range(n_values - 1, -1, -1))


Floats = npt.NDArray[np.float64]

_HALVINGS = 60

_TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class ShareBounds:
    """Bounds of the shares that values have in cells: one entry per cell and value, sorted by cell, then value."""

    cell: Ints
    value: Ints
    low: Floats
    high: Floats
    n_cells: int

    def total(self, entries: Floats) -> Floats:
        """Add up one number per entry over each cell."""
        return np.bincount(self.cell, entries, self.n_cells).astype(np.float64, copy=False)

    def only(self, cells: Ints) -> "ShareBounds":
        """Keep some cells, numbered by their place among them."""
        place = np.full(self.n_cells, -1, dtype=np.int64)
        place[cells] = np.arange(len(cells))
        kept = np.flatnonzero(place[self.cell] >= 0)
        kept = kept[np.argsort(place[self.cell[kept]], kind="stable")]
        return ShareBounds(place[self.cell[kept]], self.value[kept], self.low[kept], self.high[kept], len(cells))

    def values(self) -> Ints:
        """Count the values of each cell."""
        return np.bincount(self.cell, minlength=self.n_cells).astype(np.int64)

    def has_any(self) -> Bools:
        """Tell in which cells there is a distribution between the bounds."""
        return (self.total(self.low) <= 1 + _TOLERANCE) & (self.total(self.high) >= 1 - _TOLERANCE)


def most_even(box: ShareBounds) -> Floats:
    """Give the most even distribution: no other has more values, more entropy or a smaller largest share."""
    return _filled(box, lambda level: level[box.cell], np.zeros(box.n_cells), np.ones(box.n_cells))


def most_proportional(box: ShareBounds, reference: Floats) -> Floats:
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


def nearest_euclidean(box: ShareBounds, reference: Floats) -> Floats:
    """Give the distribution nearest to the reference in the Euclidean distance."""
    aim = reference[box.value]
    ones = np.ones(box.n_cells)
    return _filled(box, lambda level: aim + level[box.cell], -ones, ones)


def _filled(box: ShareBounds, at: Callable[[Floats], Floats], low: Floats, high: Floats) -> Floats:
    """Find for each cell the level at which the shares, kept between their bounds, add up to 1."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        is_much = box.total(np.clip(at(middle), box.low, box.high)) > 1
        low, high = np.where(is_much, low, middle), np.where(is_much, middle, high)
    return np.clip(at(high), box.low, box.high)
