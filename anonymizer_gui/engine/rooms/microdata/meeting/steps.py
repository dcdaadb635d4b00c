"""The kindest reading for distances along an order or a tree: as little as possible has to be moved, exactly.

The distance is a sum over the edges of a tree: the length of the edge times what lies below it too much or too
little. For every point of the tree the least cost is a convex function of the mass below it, held as straight pieces.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

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


class Tree:
    """A tree over values: `parents` in an order in which every point stands before those below it, the length of the
    edge above each, and the point of every value.

    >>> along_order(3).kindest([0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.5, 0.5])
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


def along_order(n_values: int) -> Tree:
    """Give the tree in which values lie in a row, each one step from the next."""
    if not n_values:
        return Tree([-1], [0.0], [])
    # Point i holds the values up to the one at place n - 1 - i.
    return Tree(range(-1, n_values - 1), [0.0, *([1.0] * (n_values - 1))], range(n_values - 1, -1, -1))
