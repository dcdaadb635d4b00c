"""What is left for everybody: how many people of each cell can have a value, from outside and from inside.

From outside come bounds that certainly hold; from inside ways in which the values may really lie. Where both agree
it is known.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.microdata.meeting.bounds import Bounds, narrowed, widest
from anonymizer_gui.engine.rooms.microdata.meeting.people_cells import Cells
from anonymizer_gui.engine.rooms.microdata.meeting.shown import Bools, Ints, Shown
from anonymizer_gui.engine.rooms.microdata.meeting.system import NO_LIMIT, Sums, System, sums_of

_MOST_CORRECTIONS = 12


@dataclass(slots=True, eq=False)
class Left:
    """The numbers of a system with what is known of each.

    `low` and `high` certainly hold. `seen_low` and `seen_high` are reached in ways in which the values may lie;
    where none was found, `seen_high` is below `seen_low`.
    """

    system: System
    sums: Sums
    slack: Ints
    """By how much the counts of each class may differ from what its people had in other releases."""
    low: Ints
    high: Ints
    seen_low: Ints
    seen_high: Ints
    solution: Ints
    """One way in which the values may lie, -1 where none was found."""
    stamp: int = 0
    """Counts how often the certain bounds were narrowed."""
    _rows: dict[int, Ints] = field(default_factory=dict)
    _starts: Ints | None = None

    def has_way(self) -> Bools:
        """Tell for which cells a way is known in which the values of their people may lie."""
        unknown = self.seen_high < self.seen_low
        lacking = np.zeros(len(self.system), dtype=np.bool_)
        lacking[self.sums.cell[unknown]] = True
        return ~lacking

    def narrow(self, numbers: Ints | int, *, low: Ints | int | None = None, high: Ints | int | None = None) -> None:
        """Take note of bounds that were found to be narrower."""
        if low is not None:
            self.low[numbers] = low
        if high is not None:
            self.high[numbers] = high
        self.stamp += 1

    def numbers_of(self, cells: Ints) -> tuple[Ints, Ints]:
        """Give the numbers of some cells, and for each the place of its cell among them."""
        if self._starts is None:
            self._starts = np.searchsorted(self.sums.cell, np.arange(len(self.system) + 1)).astype(np.int64)
        lengths = self._starts[cells + 1] - self._starts[cells]
        before = np.cumsum(lengths) - lengths
        place = np.repeat(np.arange(len(cells)), lengths)
        return np.arange(len(place)) + np.repeat(self._starts[cells] - before, lengths), place

    def rows_of(self, release: int) -> Ints:
        """Give for each number the rows of its cell's class in a release that have its value."""
        if release not in self._rows:
            node = self.system.classes[self.system.releases.index(release)][self.sums.cell]
            entry = self.system.entries.find(np.maximum(node, 0), self.sums.value)
            self._rows[release] = np.where((node >= 0) & (entry >= 0), self.system.entries.counts[entry], 0)
        return self._rows[release]

    def learn(self, numbers: Ints, values: Ints) -> None:
        """Take note of a way in which some numbers may lie."""
        self.seen_low[numbers] = np.minimum(self.seen_low[numbers], values)
        self.seen_high[numbers] = np.maximum(self.seen_high[numbers], values)
        self.solution[numbers] = values


def left_by(system: System, slack: Ints | None = None, progress: Progress = SILENT) -> Left:
    """Bound what is left; classes whose counts contradict each other get as much slack as they need.

    They do when values were corrected between two releases.
    """
    slack = np.zeros(system.entries.n_nodes, dtype=np.int64) if slack is None else slack
    turn = 0
    while True:
        sums = sums_of(system, slack, progress.sub(0.0, 0.5))
        bounds = narrowed(sums, *widest(sums), progress.sub(0.5, 1.0))
        if not len(bounds.broken):
            return _begun(system, sums, slack, bounds)
        turn += 1
        slack = loosened(system, slack, bounds.broken, bounds.by if turn < _MOST_CORRECTIONS else None)


def loosened(system: System, slack: Ints, broken: Ints, by: Ints | None) -> Ints:
    """Give the classes of contradicting sums more slack, or all there is."""
    more = np.full(len(broken), NO_LIMIT, dtype=np.int64) if by is None else by
    looser = slack.copy()
    is_cell = broken < len(system)
    for nodes in system.classes:
        node = nodes[broken[is_cell]]
        there = node >= 0
        np.maximum.at(looser, node[there], slack[node[there]] + more[is_cell][there])
    node = system.entries.node[broken[~is_cell] - len(system)]
    np.maximum.at(looser, node, slack[node] + more[~is_cell])
    return np.minimum(looser, NO_LIMIT)


def _begun(system: System, sums: Sums, slack: Ints, bounds: Bounds) -> Left:
    settled = bounds.low == bounds.high
    return Left(
        system,
        sums,
        slack,
        bounds.low,
        bounds.high,
        np.where(settled, bounds.low, NO_LIMIT),
        np.where(settled, bounds.high, -1),
        np.where(settled, bounds.low, -1),
    )


def truth(left: Left, cells: Cells, releases: Sequence[Shown]) -> Ints:
    """Give the numbers that are known from the release that is at hand, -1 for the others."""
    found = np.full(len(left.sums), -1, dtype=np.int64)
    system = left.system
    asked = left.sums.cell * system.entries.n_values + left.sums.value
    for place, number in enumerate(system.releases):
        known = releases[number].known
        if known is None:
            continue
        cell = system.cell_of[cells.cell_of_fact[cells.fact_of_row[number]]]
        value = system.value_of_entry[place][known]
        is_whole = (np.bincount(cell, minlength=len(system)) == system.sizes)[left.sums.cell]
        key, amount = np.unique(cell * system.entries.n_values + value, return_counts=True)
        at = np.minimum(np.searchsorted(key, asked), max(len(key) - 1, 0))
        counted = np.where(key[at] == asked, amount[at], 0) if len(key) else np.zeros_like(asked)
        found = np.where(is_whole, counted, found)
    return found
