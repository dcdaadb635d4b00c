"""MDAV: maximum distance to average vector, the usual heuristic of multivariate microaggregation.

Domingo-Ferrer, Torra, Ordinal, continuous and heterogeneous k-anonymity through microaggregation, DMKD 11, 2005.
"""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
_SOME = 2048
"""So many points tell how near the k nearest are at most; only what is that near is sorted."""
_PACK_AT = 0.85
_NONE = -1.0


def mdav(points: Floats, k: int) -> Ints:
    """Give every point its group, of at least k and fewer than 2k points; ties go to the first."""
    group = np.full(len(points), -1, dtype=np.int64)
    left, number = _Left(points), 0
    while left.count >= 3 * k:
        first = left.point(left.farthest(left.distances(left.mean())))
        distances = left.distances(first)
        opposite = left.farthest(distances)
        second = left.point(opposite)
        group[left.take(left.nearest(distances, k))] = number
        # The farthest from the far one may have joined it, where many points are the same.
        start = second if left.is_there(opposite) else left.point(int(left.nearest(left.distances(second), 1)[0]))
        group[left.take(left.nearest(left.distances(start), k))] = number + 1
        number += 2
        left.pack()
    if left.count >= 2 * k:
        far = left.point(left.farthest(left.distances(left.mean())))
        group[left.take(left.nearest(left.distances(far), k))] = number
        number += 1
    group[left.rest()] = number
    return group


class _Left:
    """The points without a group, column by column; those that got one stay until it pays to pack anew."""

    def __init__(self, points: Floats) -> None:
        self.count = len(points)
        self._keep(np.arange(len(points)), [np.ascontiguousarray(column) for column in points.T])

    def _keep(self, rows: Ints, columns: list[Floats]) -> None:
        self._rows, self._columns = rows, columns
        self._is_there, self._gone = np.ones(len(rows), dtype=np.bool_), np.zeros(len(rows))
        self._apart, self._part = np.empty(len(rows)), np.empty(len(rows))
        self._sums = [float(column.sum()) for column in columns]

    def point(self, place: int) -> list[float]:
        """Give the point in a place."""
        return [float(column[place]) for column in self._columns]

    def is_there(self, place: int) -> bool:
        """Tell whether the point in a place has no group yet."""
        return bool(self._is_there[place])

    def mean(self) -> list[float]:
        """Give the average of the points."""
        return [total / self.count for total in self._sums]

    def distances(self, centre: list[float]) -> Floats:
        """Give the squared distance of every point, in an array that is used again; infinite for those in a group."""
        apart, part = self._apart, self._part
        np.copyto(apart, self._gone)
        for column, value in zip(self._columns, centre, strict=True):
            np.subtract(column, value, out=part)
            np.multiply(part, part, out=part)
            np.add(apart, part, out=apart)
        return apart

    def farthest(self, distances: Floats) -> int:
        """Give the place of the farthest point that has no group; of equally far ones the first."""
        np.copyto(self._part, _NONE)  # no distance is below 0
        np.copyto(self._part, distances, where=self._is_there)
        return int(self._part.argmax())

    def nearest(self, distances: Floats, k: int) -> Ints:
        """Give the places of the k nearest points; of equally near ones the first."""
        some = distances[:_SOME] if len(distances) > _SOME else distances
        # The k-th of some points is never nearer than the k-th of all.
        bound = np.partition(some, k - 1)[k - 1] if len(some) >= k else np.inf
        near = np.flatnonzero(distances <= bound)
        limit = np.partition(distances[near], k - 1)[k - 1]
        surely, maybe = near[distances[near] < limit], near[distances[near] == limit]
        return np.concatenate([surely, maybe[: k - len(surely)]])

    def take(self, places: Ints) -> Ints:
        """Give the rows of some places, which have a group from now on."""
        self._is_there[places], self._gone[places] = False, np.inf
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
