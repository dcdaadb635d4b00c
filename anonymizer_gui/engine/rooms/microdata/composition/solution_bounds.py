"""Bounds of the unknown counts; what remains possible for people.

What is found is certain, and not all that is true: sums that tell something only together are left to the search.

From outside come bounds that certainly hold; from inside ways in which the values may really lie. Where both agree
it is known.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import number_rows
from anonymizer_gui.engine.rooms.microdata.composition.equations import NO_LIMIT, CountSums, LinearSystem, count_sums
from anonymizer_gui.engine.rooms.microdata.composition.most_favourable_distribution import ShareBounds
from anonymizer_gui.engine.rooms.microdata.composition.published_view import (
    Bools,
    ClassIntersections,
    Ints,
    PublishedView,
)

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


def initial_bounds(sums: CountSums) -> tuple[Ints, Ints]:
    """Give every number the bounds it has before anything is concluded."""
    high = np.minimum.reduceat(sums.most[sums.links], sums.starts[:-1]) if len(sums) else np.empty(0, dtype=np.int64)
    return np.zeros(len(sums), dtype=np.int64), high


def propagate_bounds(sums: CountSums, low: Ints, high: Ints, progress: Progress = SILENT) -> Bounds:
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

    def __init__(self, sums: CountSums, low: Ints, high: Ints) -> None:
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
        starts, links = gather_lists(self.sums.starts, self.sums.links, numbers)
        return starts, links, np.repeat(numbers, np.diff(starts))

    def _touched(self, sums: Ints) -> Ints:
        """Give the numbers of some sums that are still open; few are looked up, for many all are gone through."""
        if len(sums) * _FEW < len(self.sums.links):
            starts, members = self._members_of_sums()
            found = np.unique(gather_lists(starts, members, np.unique(sums))[1])
        else:
            is_touched = np.zeros(len(self.low_sum), dtype=np.bool_)
            is_touched[sums] = True
            found = np.flatnonzero(np.logical_or.reduceat(is_touched[self.sums.links], self.sums.starts[:-1]))
        return found[self.low[found] < self.high[found]]

    def _members_of_sums(self) -> tuple[Ints, Ints]:
        if self._members is None:
            self._members = members_of(self.sums)
        return self._members


def members_of(sums: CountSums) -> tuple[Ints, Ints]:
    """Give the numbers of all sums one sum after another, and where those of each begin."""
    order = np.argsort(sums.links, kind="stable")
    starts = np.searchsorted(sums.links[order], np.arange(len(sums.least) + 1)).astype(np.int64)
    return starts, sums.link_owner()[order]


def gather_lists(starts: Ints, items: Ints, which: Ints) -> tuple[Ints, Ints]:
    """Give the items of some lists that lie behind each other in one array, and where each begins."""
    lengths = starts[which + 1] - starts[which]
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    at = np.arange(int(ends[-1])) + np.repeat(starts[which] - ends[:-1], lengths)
    return ends, items[at]


def connected_components(sums: CountSums, is_open: Bools) -> Ints:
    """Number the groups of open numbers that depend on each other through sums; -1 for those that are settled."""
    number = np.full(len(sums), -1, dtype=np.int64)
    there = np.flatnonzero(is_open)
    if not len(there):
        return number
    starts, links = gather_lists(sums.starts, sums.links, there)
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


_MOST_CORRECTIONS = 12


@dataclass(slots=True, eq=False)
class FeasibleCounts:
    """The numbers of a system with what is known of each.

    `low` and `high` certainly hold. `seen_low` and `seen_high` are reached in ways in which the values may lie;
    where none was found, `seen_high` is below `seen_low`.
    """

    system: LinearSystem
    sums: CountSums
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


def feasible_counts(system: LinearSystem, slack: Ints | None = None, progress: Progress = SILENT) -> FeasibleCounts:
    """Bound what is left; classes whose counts contradict each other get as much slack as they need.

    They do when values were corrected between two releases.
    """
    slack = np.zeros(system.entries.n_nodes, dtype=np.int64) if slack is None else slack
    turn = 0
    while True:
        sums = count_sums(system, slack, progress.sub(0.0, 0.5))
        bounds = propagate_bounds(sums, *initial_bounds(sums), progress.sub(0.5, 1.0))
        if not len(bounds.broken):
            return _begun(system, sums, slack, bounds)
        turn += 1
        slack = with_slack(system, slack, bounds.broken, bounds.by if turn < _MOST_CORRECTIONS else None)


def with_slack(system: LinearSystem, slack: Ints, broken: Ints, by: Ints | None) -> Ints:
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


def _begun(system: LinearSystem, sums: CountSums, slack: Ints, bounds: Bounds) -> FeasibleCounts:
    settled = bounds.low == bounds.high
    return FeasibleCounts(
        system,
        sums,
        slack,
        bounds.low,
        bounds.high,
        np.where(settled, bounds.low, NO_LIMIT),
        np.where(settled, bounds.high, -1),
        np.where(settled, bounds.low, -1),
    )


def known_counts(left: FeasibleCounts, cells: ClassIntersections, releases: Sequence[PublishedView]) -> Ints:
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


@dataclass(frozen=True, slots=True, eq=False)
class RemainingValues:
    """Bounds of how many people of some cells have each value of a column, sorted by cell.

    Cells are numbered by their place among those asked for.
    """

    cell: Ints
    value: Ints
    low: Ints
    high: Ints
    sizes: Ints

    def values_left(self) -> Ints:
        """Count the values people of each cell can have."""
        return np.bincount(self.cell, self.high > 0, len(self.sizes)).astype(np.int64)

    def certain_share(self) -> float:
        """Give the largest share of people in a cell who certainly have the same value."""
        return float((self.low / np.maximum(self.sizes[self.cell], 1)).max(initial=0.0))

    def box(self) -> ShareBounds:
        """Give the bounds as shares; values nobody can have are left out."""
        there = np.flatnonzero(self.high > 0)
        size = np.maximum(self.sizes[self.cell[there]], 1)
        low, high = self.low[there] / size, np.minimum(self.high[there] / size, 1.0)
        return ShareBounds(self.cell[there], self.value[there], low, high, len(self.sizes))

    def alike(self) -> tuple[Ints, Ints]:
        """Number the kinds of cells, which have the same bounds: a cell of each kind, and the kind of each cell."""
        halves = []
        for seed in (1, 2):
            mixed = _mixed([self.value + seed, self.low, self.high])
            added = np.zeros(len(self.sizes), dtype=np.uint64)
            np.add.at(added, self.cell, np.where(self.high > 0, mixed, 0))
            halves.append(_mixed([self.sizes + seed, added.view(np.int64)]).view(np.int64))
        return number_rows(halves)


@dataclass(frozen=True, slots=True, eq=False)
class CellKinds:
    """Cells by what is left of a column for their people; those of one kind are judged alike."""

    kind_of_cell: Ints
    """For every cell of the system its kind, -1 for those that were not asked for."""
    box: ShareBounds
    sizes: Ints


def cell_kinds(left: FeasibleCounts, column: str, cells: Ints, *, seen: bool) -> CellKinds:
    """Group cells by what is left of a column: what certainly holds, or what was seen to be possible."""
    found = remaining_values(left, column, cells, seen=seen)
    first, kind = found.alike()
    kind_of_cell = np.full(len(left.system), -1, dtype=np.int64)
    kind_of_cell[cells] = kind
    return CellKinds(kind_of_cell, found.box().only(first), found.sizes[first])


def _mixed(parts: Sequence[Ints]) -> npt.NDArray[np.uint64]:
    """Give rows of numbers one number each that other rows hardly ever have."""
    found = np.zeros(len(parts[0]), dtype=np.uint64)
    for part in parts:
        found = (found ^ part.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        found ^= found >> np.uint64(29)
    return found


def remaining_values(left: FeasibleCounts, column: str, cells: Ints, *, seen: bool) -> RemainingValues:
    """Give what is left of a column in some cells: what certainly holds, or what was seen to be possible."""
    system = left.system
    numbers, cell = left.numbers_of(cells)
    value = system.parts[system.columns.index(column)][left.sums.value[numbers]]
    entry = np.arange(len(numbers))
    if len(system.columns) > 1:
        n_codes = int(value.max(initial=0)) + 1
        keys, entry = np.unique(cell * n_codes + value, return_inverse=True)
        cell, value = keys // n_codes, keys % n_codes
    sizes = system.sizes[cells]
    low, high = (_seen if seen else _certain)(left, numbers, entry, cell, sizes)
    return RemainingValues(cell, value, low, high, sizes)


def _certain(left: FeasibleCounts, numbers: Ints, entry: Ints, cell: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """Add up the outer bounds over the combinations that agree in the column."""
    low, high = (_added(part[numbers], entry, len(cell)) for part in (left.low, left.high))
    most = sizes[cell] - _added(low, cell, len(sizes))[cell] + low
    least = sizes[cell] - _added(high, cell, len(sizes))[cell] + high
    return np.maximum(low, least), np.minimum(high, most)


def _seen(left: FeasibleCounts, numbers: Ints, entry: Ints, cell: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """Give bounds that were reached: of single numbers, and of the one way that is known for all of them."""
    solution = left.solution[numbers]
    unknown = np.zeros(len(cell), dtype=np.bool_)
    unknown[entry[solution < 0]] = True
    way = _added(np.maximum(solution, 0), entry, len(cell))
    low = np.where(unknown, sizes[cell], way)
    high = np.where(unknown, 0, way)
    np.maximum.at(high, entry, np.maximum(left.seen_high, left.low)[numbers])
    if len(numbers) == len(cell):
        np.minimum.at(low, entry, left.seen_low[numbers])
    return low, high


def _added(amounts: Ints, entry: Ints, n_entries: int) -> Ints:
    return np.bincount(entry, amounts, n_entries).astype(np.int64)


def matching_rows(left: FeasibleCounts, release: int, cells: Ints, *, seen: bool) -> Ints:
    """Count the rows of a release that can belong to people of some cells: those of their class with a value left."""
    numbers, cell = left.numbers_of(cells)
    possible = np.maximum(left.seen_high[numbers], left.low[numbers]) if seen else left.high[numbers]
    counts = np.where(possible > 0, left.rows_of(release)[numbers], 0)
    return np.bincount(cell, counts, len(cells)).astype(np.int64)


def in_several_releases(left: FeasibleCounts) -> Bools:
    """Tell which cells are in at least two releases of the system."""
    there = [left.system.classes[place] >= 0 for place in left.system.published]
    return np.asarray(np.sum(there, axis=0) > 1)
