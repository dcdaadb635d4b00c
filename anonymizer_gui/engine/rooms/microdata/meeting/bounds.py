"""Bounds of unknown whole numbers from what is known of their sums: each sum bounds each of its numbers.

What is found is certain, and not all that is true: sums that tell something only together are left to the search.
"""

from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.microdata.meeting.shown import Bools, Ints
from anonymizer_gui.engine.rooms.microdata.meeting.system import Sums

_FEW = 50
_MOST_ROUNDS = 2_000
"""Chains of conclusions longer than this are cut off; the bounds are then wider than they could be."""


@dataclass(frozen=True, slots=True, eq=False)
class Bounds:
    """The least and the most every number can be, and the sums that cannot come out (all must, if none)."""

    low: Ints
    high: Ints
    broken: Ints
    """Sums that contradict the others."""
    by: Ints
    """By how much, at least, each of them is off."""


def widest(sums: Sums) -> tuple[Ints, Ints]:
    """Give every number the bounds it has before anything is concluded."""
    high = np.minimum.reduceat(sums.most[sums.links], sums.starts[:-1]) if len(sums) else np.empty(0, dtype=np.int64)
    return np.zeros(len(sums), dtype=np.int64), high


def narrowed(sums: Sums, low: Ints, high: Ints, progress: Progress = SILENT) -> Bounds:
    """Narrow the bounds of all numbers until no single sum narrows them further."""
    state = _State(sums, low.copy(), high.copy())
    active = np.arange(len(sums))
    for done in range(_MOST_ROUNDS):
        progress(1 - 1 / (1 + 0.1 * done), "Comparing with earlier releases")
        broken, by = state.contradictions()
        if len(broken) or not len(active):
            return Bounds(state.low, state.high, broken, by)
        active = state.narrow(active)
    return Bounds(state.low, state.high, *state.contradictions())


class _State:
    """Bounds on their way, with the sums of both, which are kept up to date."""

    def __init__(self, sums: Sums, low: Ints, high: Ints) -> None:
        self.sums, self.low, self.high = sums, low, high
        self.owner = sums.link_owner()
        n_sums = len(sums.least)
        self.low_sum = np.bincount(sums.links, weights=low[self.owner], minlength=n_sums).astype(np.int64)
        self.high_sum = np.bincount(sums.links, weights=high[self.owner], minlength=n_sums).astype(np.int64)
        self.crossed = np.zeros(0, dtype=np.int64)
        self._members: tuple[Ints, Ints] | None = None

    def narrow(self, numbers: Ints) -> Ints:
        """Narrow some numbers by all their sums; give those that may be narrowed next."""
        starts, links, owner = self._links_of(numbers)
        room = self.sums.most[links] - self.low_sum[links] + self.low[owner]
        need = self.sums.least[links] - self.high_sum[links] + self.high[owner]
        high = np.minimum(self.high[numbers], np.minimum.reduceat(room, starts[:-1]))
        low = np.maximum(self.low[numbers], np.maximum.reduceat(need, starts[:-1]))
        changed = np.flatnonzero((high < self.high[numbers]) | (low > self.low[numbers]))
        if not len(changed):
            return changed
        which = numbers[changed]
        starts, links, owner = self._links_of(which)
        lengths = np.diff(starts)
        np.add.at(self.high_sum, links, np.repeat(high[changed] - self.high[which], lengths))
        np.add.at(self.low_sum, links, np.repeat(low[changed] - self.low[which], lengths))
        self.high[which], self.low[which] = high[changed], low[changed]
        self.crossed = which[low[changed] > high[changed]]
        return self._touched(links)

    def contradictions(self) -> tuple[Ints, Ints]:
        """Give the sums that cannot come out any more, and by how much."""
        over = np.maximum(self.low_sum - self.sums.most, self.sums.least - self.high_sum)
        cells = self.sums.cell[self.crossed]
        np.maximum.at(over, cells, (self.low - self.high)[self.crossed])
        broken = np.flatnonzero(over > 0)
        return broken, over[broken]

    def _links_of(self, numbers: Ints) -> tuple[Ints, Ints, Ints]:
        """Give the sums of some numbers, where those of each begin, and whose each is."""
        if len(numbers) == len(self.sums):
            return self.sums.starts, self.sums.links, self.owner
        starts, links = gathered(self.sums.starts, self.sums.links, numbers)
        return starts, links, np.repeat(numbers, np.diff(starts))

    def _touched(self, sums: Ints) -> Ints:
        """Give the numbers of some sums that are still open; few are looked up, for many all are gone through."""
        if len(sums) * _FEW < len(self.sums.links):
            starts, members = self._members_of_sums()
            found = np.unique(gathered(starts, members, np.unique(sums))[1])
        else:
            is_touched = np.zeros(len(self.low_sum), dtype=np.bool_)
            is_touched[sums] = True
            found = np.flatnonzero(np.logical_or.reduceat(is_touched[self.sums.links], self.sums.starts[:-1]))
        return found[self.low[found] < self.high[found]]

    def _members_of_sums(self) -> tuple[Ints, Ints]:
        if self._members is None:
            self._members = members_of(self.sums)
        return self._members


def members_of(sums: Sums) -> tuple[Ints, Ints]:
    """Give the numbers of all sums one sum after another, and where those of each begin."""
    order = np.argsort(sums.links, kind="stable")
    starts = np.searchsorted(sums.links[order], np.arange(len(sums.least) + 1)).astype(np.int64)
    return starts, sums.link_owner()[order]


def gathered(starts: Ints, items: Ints, which: Ints) -> tuple[Ints, Ints]:
    """Give the items of some lists that lie behind each other in one array, and where each begins."""
    lengths = starts[which + 1] - starts[which]
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    at = np.arange(int(ends[-1])) + np.repeat(starts[which] - ends[:-1], lengths)
    return ends, items[at]


def joined(sums: Sums, is_open: Bools) -> Ints:
    """Number the groups of open numbers that depend on each other through sums; -1 for those that are settled."""
    number = np.full(len(sums), -1, dtype=np.int64)
    there = np.flatnonzero(is_open)
    if not len(there):
        return number
    starts, links = gathered(sums.starts, sums.links, there)
    owner = np.repeat(np.arange(len(there)), np.diff(starts))
    label = np.arange(len(there))
    least = np.full(len(sums.least), len(there), dtype=np.int64)
    while True:
        least.fill(len(there))
        np.minimum.at(least, links, label[owner])
        new = np.minimum.reduceat(least[links], starts[:-1])
        new = new[new]
        if np.array_equal(new, label):
            break
        label = new
    number[there] = np.unique(label, return_inverse=True)[1]
    return number
