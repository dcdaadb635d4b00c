"""The square around all users and its quadrants, level by level; counts of users and places in each."""

from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.data.places.places import Floats, Ints

DEEPEST = 16
"""Levels of quadrants: of a town of 50 km, the smallest are below a metre."""
_EDGE = 1e-9


@dataclass(frozen=True, eq=False)
class Grid:
    """A square with quadrants; a cell of a level is numbered by its column and row."""

    west: float
    south: float
    side: float
    column: Ints
    row: Ints
    place: Ints
    """The number of the exact place of each user: users at one spot share it."""

    @classmethod
    def around(cls, x: Floats, y: Floats) -> "Grid":
        """Lay the smallest square with whole metres around some users."""
        west, south = np.floor(x.min()), np.floor(y.min())
        side = max(float(np.ceil(max(x.max() - west, y.max() - south))), 1.0) * (1.0 + _EDGE)
        fine = 1 << DEEPEST
        column = np.clip(((x - west) / side * fine).astype(np.int64), 0, fine - 1)
        row = np.clip(((y - south) / side * fine).astype(np.int64), 0, fine - 1)
        place = np.unique(np.column_stack([x, y]), axis=0, return_inverse=True)[1].reshape(-1)
        return cls(float(west), float(south), side, column, row, place.astype(np.int64))

    def cells(self, level: int) -> Ints:
        """Number the cell of every user at a level; 0 is the whole square."""
        shift = DEEPEST - level
        return (self.column >> shift << level) | (self.row >> shift)

    def side_at(self, level: int) -> float:
        """Give the side of a cell of a level in metres."""
        return self.side / (1 << level)

    def counts(self, cells: Ints) -> tuple[Ints, Ints]:
        """Count users and different places in the cell of every user."""
        _kinds, of = np.unique(cells, return_inverse=True)
        pairs = np.unique(np.column_stack([of.reshape(-1), self.place]), axis=0)[:, 0]
        return np.bincount(of.reshape(-1))[of.reshape(-1)], np.bincount(pairs)[of.reshape(-1)]

    def boxes(self, columns: Ints, rows: Ints, level: Ints, wide: Ints | int = 1, high: Ints | int = 1) -> Floats:
        """Give the boxes of cells, or of as many beside each other, in metres."""
        side = self.side / np.exp2(level)
        # Each edge by one product: those of nested cells are then the same number, to the last bit.
        edges = [columns * side, rows * side, (columns + wide) * side, (rows + high) * side]
        found: Floats = np.column_stack(edges) + np.array([self.west, self.south, self.west, self.south])
        return found


def hilbert_index(column: Ints, row: Ints) -> Ints:
    """Give the place of each finest cell along the Hilbert curve, which keeps near cells near (Hilbert 1891).

    >>> hilbert_index(np.array([0, 0, 65535]), np.array([0, 65535, 0])).tolist()
    [0, 1431655765, 4294967295]
    """
    x, y = column.copy(), row.copy()
    found = np.zeros(len(x), dtype=np.int64)
    size = 1 << DEEPEST
    half = size >> 1
    while half:
        right, up = (x & half) > 0, (y & half) > 0
        found += half * half * ((3 * right) ^ up)
        turn = ~up
        flip = turn & right
        x, y = np.where(flip, size - 1 - x, x), np.where(flip, size - 1 - y, y)
        x, y = np.where(turn, y, x), np.where(turn, x, y)
        half >>= 1
    return found
