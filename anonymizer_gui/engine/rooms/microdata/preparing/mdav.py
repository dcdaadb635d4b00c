"""MDAV: maximum distance to average vector, the usual heuristic of multivariate microaggregation.

Domingo-Ferrer, Torra, Ordinal, continuous and heterogeneous k-anonymity through microaggregation, DMKD 11, 2005.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
_SOME = 2048
"""So many points tell how near the k nearest are at most; only what is that near is sorted."""
_PACK_AT = 0.85
_ROUNDING = 1e-5
"""What single precision may do to the share of a column at most, by a wide margin."""


def mdav(points: Floats, k: int) -> Ints:
    """Give every point its group, of at least k and fewer than 2k points; ties go to the first."""
    group = np.full(len(points), -1, dtype=np.int64)
    left, number = _Left(points), 0
    while left.count >= 3 * k:
        first = left.point(left.farthest(left.about(left.mean())))
        about = left.about(first)
        opposite = left.farthest(about)
        second = left.point(opposite)
        group[left.take(left.nearest(about, k))] = number
        # The farthest from the far one may have joined it, where many points are the same.
        start = second if left.is_there(opposite) else left.point(int(left.nearest(left.about(second), 1)[0]))
        group[left.take(left.nearest(left.about(start), k))] = number + 1
        number += 2
        left.pack()
    if left.count >= 2 * k:
        far = left.point(left.farthest(left.about(left.mean())))
        group[left.take(left.nearest(left.about(far), k))] = number
        number += 1
    group[left.rest()] = number
    return group


@dataclass(frozen=True, slots=True, eq=False)
class _About:
    """A point, and about how far all others are from it: half the square, short of what is the same for all."""

    centre: list[float]
    rough: Singles
    """Of a point, minus its product with the centre; half its square belongs to it, too."""


class _Left:
    """The points without a group; those that got one stay until it pays to pack anew.

    How far points are is first told roughly, by one product of a matrix and a vector; what comes near to the farthest
    or the nearest is then measured.
    """

    def __init__(self, points: Floats) -> None:
        self.count = len(points)
        self._keep(np.arange(len(points)), [np.ascontiguousarray(column) for column in points.T])

    def _keep(self, rows: Ints, columns: list[Floats]) -> None:
        self._rows, self._columns = rows, columns
        self._is_there = np.ones(len(rows), dtype=np.bool_)
        self._sums = [float(column.sum()) for column in columns]
        # Seen from the middle numbers are small, and so is what rounding does to them.
        self._middle = self.mean() if len(rows) else [0.0] * len(columns)
        around = [column - middle for column, middle in zip(columns, self._middle, strict=True)]
        self._scale = max((float(np.abs(column).max(initial=0)) for column in around), default=0.0) or 1.0
        self._around = np.array(around).reshape(len(columns), len(rows)) / self._scale
        self._if_far = ((self._around**2).sum(axis=0) / 2).astype(np.float32)
        self._around = self._around.astype(np.float32)
        self._if_near = self._if_far.copy()
        self._blur = _ROUNDING * len(columns)
        self._rough, self._work = np.empty_like(self._if_far), np.empty_like(self._if_far)

    def point(self, place: int) -> list[float]:
        """Give the point in a place."""
        return [float(column[place]) for column in self._columns]

    def is_there(self, place: int) -> bool:
        """Tell whether the point in a place has no group yet."""
        return bool(self._is_there[place])

    def mean(self) -> list[float]:
        """Give the average of the points."""
        return [total / self.count for total in self._sums]

    def about(self, centre: list[float]) -> _About:
        """Tell roughly how far all points are from one, in an array that is used again."""
        seen = [(middle - value) / self._scale for value, middle in zip(centre, self._middle, strict=True)]
        # No threads are begun for it, as np.dot does: they wait for each other longer than they work.
        np.einsum("j,jn->n", np.array(seen, dtype=np.float32), self._around, out=self._rough)
        return _About(centre, self._rough)

    def farthest(self, about: _About) -> int:
        """Give the place of the farthest point that has no group; of equally far ones the first."""
        rough = np.add(self._if_far, about.rough, out=self._work)
        far = np.flatnonzero(rough >= rough.max() - self._blur)
        return int(far[self._squares(about.centre, far).argmax()]) if len(far) > 1 else int(far[0])

    def nearest(self, about: _About, k: int) -> Ints:
        """Give the places of the k nearest points; of equally near ones the first."""
        rough = np.add(self._if_near, about.rough, out=self._work)
        # The k-th of some points is never nearer than the k-th of all.
        some = rough[:_SOME]
        bound = np.partition(some, k - 1)[k - 1] if len(some) >= k else np.inf
        near = np.flatnonzero(rough <= bound + self._blur)
        near = near[self._is_there[near]]
        squares = self._squares(about.centre, near)
        limit = np.partition(squares, k - 1)[k - 1]
        surely, maybe = near[squares < limit], near[squares == limit]
        return np.concatenate([surely, maybe[: k - len(surely)]])

    def _squares(self, centre: list[float], places: Ints) -> Floats:
        """Measure the squared distances of some points."""
        squares = np.zeros(len(places))
        for column, value in zip(self._columns, centre, strict=True):
            part = column[places] - value
            squares += part * part
        return squares

    def take(self, places: Ints) -> Ints:
        """Give the rows of some places, which have a group from now on."""
        self._is_there[places], self._if_far[places], self._if_near[places] = False, -np.inf, np.inf
        self._sums = [
            total - float(column[places].sum()) for total, column in zip(self._sums, self._columns, strict=True)
        ]
        self.count -= len(places)
        return self._rows[places]

    def rest(self) -> Ints:
        """Give the rows that have no group."""
        return self._rows[self._is_there]

    def pack(self) -> None:
        """Drop the points that have a group, once they are many."""
        if self.count <= _PACK_AT * len(self._rows):
            there = self._is_there
            self._keep(self._rows[there], [column[there] for column in self._columns])
