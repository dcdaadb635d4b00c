"""One group of records that is near every class: the reference of (n,t)-closeness for a whole table.

Only the number of records with each sensitive value counts, so a group is a histogram below the table's own. The
largest distance of any class from it is convex in its shares. Where there are few groups all are looked at;
otherwise a descent finds shares, and the best whole numbers near them are taken. The group found is a witness: the
distance measured from it is reached, though a better group may be left. Nothing is random, and values and classes are
taken in an order of their own, so that the same table always gives the same group, however it numbers them.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.rooms.microdata.privacy.contract import Sensitive
from anonymizer_gui.engine.rooms.microdata.privacy.distances import UNBOUNDED, distance, places, whole_shares
from anonymizer_gui.engine.rooms.microdata.privacy.histogram_numbers import Floats, shares
from anonymizer_gui.engine.rooms.microdata.privacy.slopes import slope

Ints = npt.NDArray[np.int64]

_FEW_GROUPS = 1000
_FEW_CLASSES = 32
_ROUNDS, _PATIENCE = 8, 20
_FEWEST_STEPS, _MOST_STEPS, _VALUES_TIMES_STEPS = 50, 400, 200_000  # columns of many values are searched less long
_SIZES = 32
_NEGLIGIBLE = 1e-12


def nearest_group(name: str, histogram: Histogram, sensitive: Sensitive, n: int) -> Ints:
    """Give the records with each value of a group of at least n that is near every class; `name` is the distance.

    The table must have n records; the group is never worse than the whole table.
    """
    if n == sensitive.counts.sum() or not histogram.n_groups:
        return sensitive.counts
    order = places(sensitive)[1]
    search = _Search(name, *_in_order(histogram, sensitive, order), n)
    found = np.zeros(len(sensitive.counts), dtype=np.int64)
    found[order] = search.all_groups() if search.n_groups <= _FEW_GROUPS else search.descended()
    return found


def _in_order(histogram: Histogram, sensitive: Sensitive, order: Ints) -> tuple[Histogram, Sensitive]:
    """Number the values that there are by their order, and the classes by what they hold."""
    number = np.zeros(len(sensitive.counts), dtype=np.int64)
    number[order] = np.arange(len(order))
    values = number[histogram.values]
    entries = np.lexsort((values, histogram.groups))
    groups, values, counts = histogram.groups[entries], values[entries], histogram.counts[entries]
    held = np.bincount(groups, counts * np.cos(values + 1), histogram.n_groups)  # independent: no two sums are equal
    place = np.argsort(np.argsort(held, kind="stable"))
    renumbered = Histogram.weighted(place[groups], histogram.n_groups, values, len(order), counts)
    leaf = None if sensitive.leaf is None else sensitive.leaf[order]
    labels = tuple(sensitive.labels[at] for at in order.tolist())
    kept = replace(sensitive, labels=labels, counts=sensitive.counts[order], rank=np.arange(len(order)), leaf=leaf)
    return renumbered, kept


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """The classes, the table's histogram and the fewest records of a group."""

    name: str
    histogram: Histogram
    sensitive: Sensitive
    n: int

    @property
    def n_groups(self) -> int:
        """The number of histograms below the table's, large enough or not."""
        return math.prod(int(count) + 1 for count in self.sensitive.counts)

    @property
    def least(self) -> int:
        """The fewest records of each value: without one the divergence of a class that has it is infinite."""
        return int(self.name in UNBOUNDED)

    def all_groups(self) -> Ints:
        """Look at every group."""
        ranges = [range(self.least, int(count) + 1) for count in self.sensitive.counts]
        return self.best(np.array(group) for group in product(*ranges) if sum(group) >= self.n)

    def descended(self) -> Ints:
        """Descend on the hardest classes, and take in those that the result leaves behind."""
        whole = self.sensitive.counts
        best, values = whole, self.values(whole_shares(self.sensitive))
        lowest, hard = values.max(initial=0.0), np.zeros(0, dtype=np.int64)
        for _ in range(_ROUNDS):
            hardest = np.argsort(-values, kind="stable")[:_FEW_CLASSES]
            if np.isin(hardest[0], hard):
                break
            hard = np.union1d(hard, hardest)
            part = replace(self, histogram=_only(self.histogram, hard))
            group = part.rounded(part.descent())
            values = self.values(group / group.sum())
            if values.max() < lowest - _NEGLIGIBLE:
                best, lowest = group, values.max()
        return best

    def values(self, q: Floats) -> Floats:
        """Give the distance of every class from these shares."""
        return distance(self.name, self.histogram, self.sensitive, q)

    def worst(self, group: Ints) -> float:
        """Give the largest distance of a class from a group."""
        return float(self.values(group / group.sum()).max(initial=0.0))

    def best(self, groups: Iterator[Ints]) -> Ints:
        """Give the group with the least worst distance; the whole table when no other is better."""
        found = self.sensitive.counts
        lowest = self.worst(found)
        for group in groups:
            worst = self.worst(group)
            if worst < lowest - _NEGLIGIBLE:
                found, lowest = group, worst
        return found

    def descent(self) -> Floats:
        """Descend from the whole table's shares along the worst class, aiming a little below the best so far.

        The aim comes nearer whenever it is not reached for some steps (Polyak's step with a level that adapts).
        """
        counts = self.sensitive.counts
        high, low = counts / self.n, np.full(len(counts), self.least / counts.sum())
        q = best = whole_shares(self.sensitive)
        values = self.values(q)
        lowest, aim, waited = float(values.max()), float(values.max()) / 2, 0
        p = _dense_shares(self.histogram)
        for _ in range(min(max(_VALUES_TIMES_STEPS // len(counts), _FEWEST_STEPS), _MOST_STEPS)):
            steepest = slope(self.name, p[int(values.argmax())], q, self.sensitive)
            steepest = steepest - steepest.mean()
            length = float(np.square(steepest).sum())
            if length < _NEGLIGIBLE or aim < _NEGLIGIBLE:
                break
            q = _within(q - (float(values.max()) - lowest + aim) / length * steepest, low, high)
            values = self.values(q)
            waited = 0 if values.max() < lowest - aim / 2 else waited + 1
            if values.max() < lowest:
                lowest, best = float(values.max()), q
            if waited > _PATIENCE:
                q, aim, waited = best, aim / 2, 0
                values = self.values(q)
        return best

    def rounded(self, q: Floats) -> Ints:
        """Give the best of the groups of several sizes that have nearly these shares."""
        counts = self.sensitive.counts
        largest = int(np.floor((counts[q > 0] / q[q > 0]).min() * (1 + _NEGLIGIBLE)))
        sizes = np.unique(np.linspace(self.n, max(min(largest, int(counts.sum())), self.n), _SIZES).astype(np.int64))
        return self.best(_whole_numbers(q, size, counts, self.least) for size in sizes.tolist())


def _only(histogram: Histogram, groups: Ints) -> Histogram:
    """Keep some groups of a histogram, sorted."""
    kept = np.isin(histogram.groups, groups)
    numbers = np.searchsorted(groups, histogram.groups[kept])
    return Histogram(len(groups), histogram.n_values, numbers, histogram.values[kept], histogram.counts[kept])


def _dense_shares(histogram: Histogram) -> Floats:
    dense = np.zeros((histogram.n_groups, histogram.n_values))
    dense[histogram.groups, histogram.values] = shares(histogram)
    return dense


def _within(q: Floats, low: Floats, high: Floats) -> Floats:
    """Give the nearest shares between the bounds that add up to 1: all are lowered by the same, then clipped."""

    def total(lowered: float) -> float:
        return float(np.clip(q - lowered, low, high).sum())

    edges = np.sort(np.concatenate([q - high, q - low]))  # between two of them the total falls evenly
    first, last = 0, len(edges) - 1
    while last - first > 1:
        middle = (first + last) // 2
        first, last = (middle, last) if total(edges[middle]) > 1 else (first, middle)
    over, under = total(edges[first]) - 1, 1 - total(edges[last])
    part = over / (over + under) if over + under > 0 else 0.0
    lowered = edges[first] + part * (edges[last] - edges[first])
    return np.asarray(np.clip(q - lowered, low, high), dtype=np.float64)


def _whole_numbers(q: Floats, size: int, counts: Ints, least: int) -> Ints:
    """Spread so many records by these shares: whole parts first, then the largest remainders that still fit."""
    group: Ints = np.clip(np.floor(q * size).astype(np.int64), least, counts)
    missing = size - int(group.sum())
    while missing > 0:
        room = np.flatnonzero(group < counts)
        chosen = room[np.argsort(group[room] - q[room] * size, kind="stable")[:missing]]
        group[chosen] += 1
        missing -= len(chosen)
    return group
