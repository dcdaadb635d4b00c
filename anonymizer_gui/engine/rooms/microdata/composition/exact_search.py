"""Which counts are possible: exchanges along cycles, flows, exhaustive search of small parts.

Take one way in which the values may lie. If people change places in a ring, everybody's count stays as published: in
each class one gets a value that another gives away. With two releases such rings are the cycles of a graph: its
points are the classes, somebody with value a leads from the class in the first release to the one in the second,
somebody with value b leads back. So everybody on a cycle may have the other value instead.

Look at one value only: the people who have it flow from the classes of one release to those of the other. Two ways in
which the values may lie differ by rings of such flows; a number that is on no ring is the same in all ways.

A group is a set of numbers that depend on each other. The effort is counted in steps; where it does not suffice, or a
group is too large to be searched, the outer and the inner bounds stay apart, and whoever judges by them must say so.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import group_rows
from anonymizer_gui.engine.rooms.microdata.composition.equations import NO_LIMIT, CountSums, LinearSystem
from anonymizer_gui.engine.rooms.microdata.composition.published_view import Bools, Ints
from anonymizer_gui.engine.rooms.microdata.composition.solution_bounds import (
    Bounds,
    FeasibleCounts,
    connected_components,
    gather_lists,
    propagate_bounds,
)

_MOST_TURNS = 100


def arcs_on_cycles(tail: Ints, head: Ints, *, when_open: bool = False, progress: Progress = SILENT) -> Bools:
    """Tell which arcs lie on a cycle.

    Every point takes the largest name that reaches it. Whoever reaches, among points of one name, the one the name
    belongs to, is on a cycle with it; these points are settled, and the rest is looked at again (Orzan: On distributed
    verification and verified distribution, 2004). Turns are bounded; arcs that are not settled by then count as
    being on a cycle if `when_open` says so.

    >>> arcs_on_cycles(np.array([0, 1, 1]), np.array([1, 0, 2])).tolist()
    [True, True, False]
    """
    found = np.zeros(len(tail), dtype=np.bool_)
    n_points = int(max(tail.max(initial=-1), head.max(initial=-1))) + 1
    arcs = np.arange(len(tail))
    for _ in range(_MOST_TURNS):
        progress.check()
        arcs = _trimmed(tail, head, arcs, n_points)
        if not len(arcs):
            break
        source, target = tail[arcs], head[arcs]
        name = _spread(np.arange(n_points), source, target)
        same = name[source] == name[target]
        reaches = name == np.arange(n_points)
        back = _spread(reaches.astype(np.int64), target[same], source[same]).astype(np.bool_)
        found[arcs[same & back[source] & back[target]]] = True
        arcs = arcs[~back[source] & ~back[target]]
    found[arcs] = when_open
    return found


def _spread(values: Ints, source: Ints, target: Ints) -> Ints:
    """Carry the largest value along all arcs until nothing changes."""
    values = values.copy()
    while True:
        better = values[source] > values[target]
        if not better.any():
            return values
        np.maximum.at(values, target[better], values[source[better]])


def _trimmed(tail: Ints, head: Ints, arcs: Ints, n_points: int) -> Ints:
    """Leave out arcs that come from where none leads to, or lead to where none leaves."""
    while True:
        leaves = np.zeros(n_points, dtype=np.bool_)
        arrives = np.zeros(n_points, dtype=np.bool_)
        leaves[tail[arcs]], arrives[head[arcs]] = True, True
        kept = arcs[leaves[head[arcs]] & arrives[tail[arcs]]]
        if len(kept) == len(arcs):
            return arcs
        arcs = kept


Sides = tuple[Ints, Ints]

_MOST_ARCS = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class ExchangeCycles:
    """Possible exchanges: in a ring with others somebody gives one value away and gets another."""

    giving: Ints
    """Numbers that would be one smaller."""
    getting: Ints
    """Numbers of the same cells that would be one larger."""
    tail: Ints
    """Where the arc of each leaves in the graph of its two values."""
    head: Ints


def find_exchanges(sums: CountSums, sides: Sides, solution: Ints, progress: Progress = SILENT) -> ExchangeCycles:
    """Find the exchanges of two values that lead from one way in which the values may lie to another.

    `solution` is -1 for numbers of which no way is known. `sides` are the classes on both sides of the graph.
    """
    giving, getting = _offers(sums, solution)
    tail, head = _arcs(sums, giving, getting, sides)
    found = np.flatnonzero(arcs_on_cycles(tail, head, progress=progress))
    return ExchangeCycles(giving[found], getting[found], tail[found], head[found])


def two_sides(binding: Sequence[Ints]) -> list[Sides]:
    """Part the releases in two in several ways, and give the classes of each cell on both sides.

    Classes of several releases on one side are taken together: who exchanges within them changes none of their counts.
    """
    everybody = range(len(binding))
    one = [{number} for number in everybody]
    early = [set(everybody[:number]) for number in everybody[2:-1]]
    parted = [side for side in (*early, *one) if len(side) < len(binding)]
    if len(binding) == 2:
        parted = one[:1]
    return [(_together(binding, side), _together(binding, set(everybody) - side)) for side in parted]


def _together(binding: Sequence[Ints], side: set[int]) -> Ints:
    """Number the classes that several releases make together, -1 where none of them binds."""
    chosen = [binding[number] for number in sorted(side)]
    alike = group_rows([nodes + 1 for nodes in chosen], len(chosen[0]))
    return np.where(np.max(chosen, axis=0) >= 0, alike.ids, -1)


def random_exchange(sums: CountSums, solution: Ints, possible: ExchangeCycles, chance: np.random.Generator) -> Ints:
    """Give another way in which the values may lie: rings drawn by chance that do not touch each other."""
    order = chance.permutation(len(possible.giving))
    cell = sums.cell[possible.giving[order]]
    once = order[np.sort(np.unique(cell, return_index=True)[1])]
    arcs = once[np.sort(np.unique(possible.tail[once], return_index=True)[1])]
    ring = arcs[arcs_on_cycles(possible.tail[arcs], possible.head[arcs])]
    changed = solution.copy()
    changed[possible.giving[ring]] -= 1
    changed[possible.getting[ring]] += 1
    return changed


def binding_classes(system: LinearSystem, slack: Ints) -> list[Ints]:
    """Give for each release the classes of the cells, -1 where the counts of a class follow from another release.

    A class follows when it is made up of whole classes of another release; one without counts binds nothing.
    """
    counted = np.zeros(system.entries.n_nodes, dtype=np.bool_)
    counted[system.entries.node[system.entries.is_counted]] = True
    counted &= slack < NO_LIMIT
    binding = [np.where((nodes >= 0) & counted[nodes], nodes, -1) for nodes in system.classes]
    for number, nodes in enumerate(binding):
        for other, finer in enumerate(binding):
            if other != number:
                follows = unions_of_classes(nodes, finer, system.entries.n_nodes)
                nodes[(nodes >= 0) & follows[nodes]] = -1
    return binding


def unions_of_classes(coarse: Ints, fine: Ints, n_nodes: int) -> Bools:
    """Tell which classes are made up of whole classes of another release."""
    least = np.full(n_nodes, n_nodes, dtype=np.int64)
    most = np.full(n_nodes, -1, dtype=np.int64)
    there = fine >= 0
    np.minimum.at(least, fine[there], coarse[there])
    np.maximum.at(most, fine[there], coarse[there])
    is_inside = there & (least[fine] == most[fine])
    follows = np.ones(n_nodes, dtype=np.bool_)
    follows[coarse[(coarse >= 0) & ~is_inside]] = False
    return follows


def _offers(sums: CountSums, solution: Ints) -> tuple[Ints, Ints]:
    """Pair every number of a cell that is not 0 with every other of the cell: one would give, the other get."""
    place = np.flatnonzero(solution >= 0)
    cell = sums.cell[place]
    starts = np.searchsorted(cell, cell, side="left")
    lengths = np.searchsorted(cell, cell, side="right") - starts
    gives = np.flatnonzero(solution[place] > 0)
    if int(lengths[gives].sum()) > _MOST_ARCS:
        gives = gives[np.cumsum(lengths[gives]) <= _MOST_ARCS]
    length = lengths[gives]
    before = np.cumsum(length) - length
    getting = place[np.arange(int(length.sum())) + np.repeat(starts[gives] - before, length)]
    giving = np.repeat(place[gives], length)
    other = giving != getting
    return giving[other], getting[other]


def _arcs(sums: CountSums, giving: Ints, getting: Ints, sides: Sides) -> tuple[Ints, Ints]:
    """Give where the arc of each exchange leaves and arrives in the graph of its two values.

    People whom nothing binds on one side all meet at one point.
    """
    old, new, cell = sums.value[giving], sums.value[getting], sums.cell[giving]
    few, many = np.minimum(old, new), np.maximum(old, new)
    graph = pd.factorize(few * (int(sums.value.max(initial=0)) + 1) + many)[0]
    width = 1 + int(sides[0].max(initial=-1)) + 1
    n_points = width + int(sides[1].max(initial=-1)) + 1
    here, there = sides[0][cell], sides[1][cell]
    ends = [graph * n_points + here + 1, graph * n_points + np.where(there >= 0, there + width, 0)]
    forth = old == few
    points = pd.factorize(np.concatenate([np.where(forth, *ends), np.where(forth, *ends[::-1])]))[0]
    return points[: len(cell)].astype(np.int64), points[len(cell) :].astype(np.int64)


_MAX_FLOW_ARCS = 8_000_000


def fix_by_flows(left: FeasibleCounts, progress: Progress = SILENT) -> bool:
    """Narrow the bounds of numbers that no ring through two releases changes; tell whether any was narrowed."""
    # Of a group with a way all open numbers are there: one left out would hide a ring.
    numbers = np.flatnonzero((left.solution >= 0) & (left.low < left.high))
    spent, found = 0, False
    for first, second in _two_releases(left):
        spent += 2 * len(numbers)
        if spent > _MAX_FLOW_ARCS:
            break
        more, less = _on_rings(left, numbers, first, second, progress)
        settled_above = numbers[~more & (left.solution[numbers] < left.high[numbers])]
        settled_below = numbers[~less & (left.solution[numbers] > left.low[numbers])]
        left.narrow(settled_above, high=left.solution[settled_above])
        left.narrow(settled_below, low=left.solution[settled_below])
        found = found or bool(len(settled_above) or len(settled_below))
    return found


def _two_releases(left: FeasibleCounts) -> list[tuple[Ints, Ints]]:
    """Give the classes of every two releases, -1 where their counts are not known exactly."""
    system = left.system
    exact = np.zeros(system.entries.n_nodes, dtype=np.bool_)
    exact[system.entries.node[system.entries.is_counted]] = True
    exact &= left.slack == 0
    for nodes in system.classes:
        there = (nodes >= 0) & left.sums.left_out
        exact[nodes[there]] = False
    bound = [np.where((nodes >= 0) & exact[nodes], nodes, -1) for nodes in system.classes]
    return list(combinations(bound, 2))


def _on_rings(
    left: FeasibleCounts, numbers: Ints, first: Ints, second: Ints, progress: Progress
) -> tuple[Bools, Bools]:
    """Tell which numbers a ring can make larger, and which smaller."""
    cell, value = left.sums.cell[numbers], left.sums.value[numbers]
    n_points = left.system.entries.n_nodes + 1
    ends = [value * n_points + nodes[cell] + 1 for nodes in (first, second)]
    grows = np.flatnonzero(left.solution[numbers] < left.high[numbers])
    shrinks = np.flatnonzero(left.solution[numbers] > left.low[numbers])
    tail = np.concatenate([ends[0][grows], ends[1][shrinks]])
    head = np.concatenate([ends[1][grows], ends[0][shrinks]])
    names, points = np.unique(np.concatenate([tail, head]), return_inverse=True)
    del names
    found = arcs_on_cycles(points[: len(tail)], points[len(tail) :], when_open=True, progress=progress)
    more, less = np.zeros(len(numbers), dtype=np.bool_), np.zeros(len(numbers), dtype=np.bool_)
    more[grows], less[shrinks] = found[: len(grows)], found[len(grows) :]
    return more, less


_STEPS_BETWEEN_CHECKS = 1 << 14


class EffortExceeded(Exception):
    """The search has taken all the steps it was given."""


@dataclass(slots=True)
class Effort:
    """How many steps a search may still take; counted, not timed, so that every machine finds the same."""

    steps: int
    progress: Progress = SILENT
    whole: "Effort | None" = None
    """What this effort is a part of."""
    _since: int = 0

    def spend(self, steps: int) -> None:
        """Take some steps; raises Exhausted when there are none left."""
        self.steps -= steps
        self._since += steps
        if self._since > _STEPS_BETWEEN_CHECKS:
            self._since = 0
            self.progress.check()
        if self.whole is not None:
            self.whole.spend(steps)
        if self.steps < 0:
            raise EffortExceeded

    def part(self, steps: int) -> "Effort":
        """Give a question at most so many steps; they are taken from here, too."""
        return Effort(steps, whole=self)


class IntegerSystem:
    """Numbers 0 to n - 1 between bounds, and sums of some of them between bounds.

    >>> puzzle = IntegerSystem(3, [[0, 1], [1, 2]], [1, 1], [1, 1])
    >>> puzzle.solve([0, 0, 0], [1, 1, 1], [1, 0, 0], Effort(1000))
    [1, 0, 1]
    >>> puzzle.solve([1, 1, 0], [1, 1, 1], [0, 0, 0], Effort(1000)) is None
    True
    """

    def __init__(self, n: int, sums: Sequence[Sequence[int]], least: Sequence[int], most: Sequence[int]) -> None:
        self._sums, self._least, self._most = sums, least, most
        self._sums_of: list[list[int]] = [[] for _ in range(n)]
        for number, members in enumerate(sums):
            for member in members:
                self._sums_of[member].append(number)

    def solve(self, low: Sequence[int], high: Sequence[int], wished: Sequence[int], effort: Effort) -> list[int] | None:
        """Find numbers that fit all sums, those wished for first; None when there are none. Raises Exhausted."""
        waiting = [(list(low), list(high), list(range(len(self._sums))))]
        while waiting:
            low_now, high_now, touched = waiting.pop()
            if not self._narrow(low_now, high_now, touched, effort):
                continue
            open_one = _smallest_choice(low_now, high_now)
            effort.spend(len(low_now))
            if open_one is None:
                return low_now
            waiting += self._choices(open_one, low_now, high_now, wished)
        return None

    def _choices(
        self, number: int, low: list[int], high: list[int], wished: Sequence[int]
    ) -> list[tuple[list[int], list[int], list[int]]]:
        """Part the ways of one number: what is wished for comes last, which is followed first."""
        first = min(max(wished[number], low[number]), high[number])
        ways = [(first + 1, high[number]), (low[number], first - 1), (first, first)]
        parted = []
        for least, most in ways:
            if least <= most:
                low_then, high_then = low.copy(), high.copy()
                low_then[number], high_then[number] = least, most
                parted.append((low_then, high_then, list(self._sums_of[number])))
        return parted

    def _narrow(self, low: list[int], high: list[int], touched: list[int], effort: Effort) -> bool:
        """Narrow the bounds by the sums that were touched; tell whether all can still come out."""
        waits = [False] * len(self._sums)
        for number in touched:
            waits[number] = True
        while touched:
            number = touched.pop()
            waits[number] = False
            members = self._sums[number]
            effort.spend(len(members))
            room = self._most[number] - sum([low[member] for member in members])
            spare = sum([high[member] for member in members]) - self._least[number]
            if room < 0 or spare < 0:
                return False
            for member in members:
                width = high[member] - low[member]
                if width <= room and width <= spare:
                    continue
                least, most = max(low[member], high[member] - spare), min(high[member], low[member] + room)
                if least > most:
                    return False
                low[member], high[member] = least, most
                for other in self._sums_of[member]:
                    if not waits[other]:
                        waits[other] = True
                        touched.append(other)
        return True


def _smallest_choice(low: Sequence[int], high: Sequence[int]) -> int | None:
    """Give the open number with the fewest values left."""
    best, fewest = None, 0
    for number, (least, most) in enumerate(zip(low, high, strict=True)):
        width = most - least
        if width and (best is None or width < fewest):
            best, fewest = number, width
            if width == 1:
                break
    return best


@dataclass(frozen=True, slots=True, eq=False)
class FixedCounts:
    """Numbers as they are taken where they are not asked for, and what they add up to."""

    sums: CountSums
    numbers: Ints
    totals: Ints

    @classmethod
    def at(cls, sums: CountSums, numbers: Ints) -> "FixedCounts":
        """Add up the numbers."""
        weights = numbers[sums.link_owner()]
        return cls(sums, numbers, np.bincount(sums.links, weights, len(sums.least)).astype(np.int64))


@dataclass(slots=True, eq=False)
class Subproblem:
    """Some numbers, the puzzle they make, and their bounds, which answers narrow."""

    which: Ints
    puzzle: IntegerSystem
    low: list[int]
    high: list[int]

    @classmethod
    def of(cls, settled: FixedCounts, which: Ints, low: Ints, high: Ints) -> "Subproblem":
        """Make a puzzle of some numbers; all others keep the values they are settled at."""
        sums = settled.sums
        starts, links = gather_lists(sums.starts, sums.links, which)
        owner = np.repeat(np.arange(len(which)), np.diff(starts))
        order = np.argsort(links, kind="stable")
        number, first = np.unique(links[order], return_index=True)
        own = np.add.reduceat(settled.numbers[which][owner[order]], first) if len(first) else first
        rest = settled.totals[number] - own
        least = sums.least[number] - rest
        most = np.minimum(sums.most[number], NO_LIMIT) - rest
        members = [part.tolist() for part in np.split(owner[order], first[1:])]
        puzzle = IntegerSystem(len(which), members, least.tolist(), most.tolist())
        return cls(which, puzzle, low[which].tolist(), high[which].tolist())

    def solve(self, wished: list[int], effort: Effort) -> list[int] | None:
        """Find one way; raises Exhausted."""
        return self.puzzle.solve(self.low, self.high, wished, effort)


WantedCounts = Callable[[FeasibleCounts], Bools]
"""Tells which numbers should be known better than they are."""

EFFORT = 1_500_000
"""Steps of search for one set of columns."""

EFFORT_FOR_A_QUESTION = 30_000

MAX_GROUP = 600
"""Groups of more numbers than this are not searched as a whole."""

_LARGEST_FIRST = 3_000

_EFFORT_FIRST = 500_000

_EXCHANGES = 6

_IDLE = 2

_WORDS = "Comparing with earlier releases"


def refine_bounds(
    left: FeasibleCounts, wanted: WantedCounts, hint: Ints, *, exactly: bool = False, progress: Progress = SILENT
) -> Ints:
    """Find out which of the wanted numbers can be more than 0, or exactly how small and how large they can be.

    `wanted` is asked again whenever more is known. `hint` gives numbers known to be true, -1 for others. Gives the
    sums of groups in which the values cannot lie in any way; none, if all is well.
    """
    effort = Effort(EFFORT, progress)
    asked = wanted(left)
    impossible = _find_ways(left, asked, hint, effort) if asked.any() else np.empty(0, dtype=np.int64)
    if len(impossible) or not asked.any():
        return impossible
    _exchange(left, wanted, progress)
    if wanted(left).any() and fix_by_flows(left, progress):
        _conclude(left, progress)
    asked = wanted(left)
    ground = FixedCounts.at(left.sums, left.low)
    members = [which for which in _members(*_asked_groups(left, asked)) if len(which) <= MAX_GROUP]
    for done, which in enumerate(members):
        progress(done / len(members), _WORDS)
        _ask_all(left, Subproblem.of(ground, which, left.low, left.high), asked[which], effort, exactly=exactly)
    return impossible


def _conclude(left: FeasibleCounts, progress: Progress) -> None:
    """Narrow the bounds once more after some were narrowed."""
    bounds = propagate_bounds(left.sums, left.low, left.high, progress)
    settled = np.flatnonzero(bounds.low == bounds.high)
    left.learn(settled, bounds.low[settled])
    left.narrow(np.arange(len(left.sums)), low=bounds.low, high=bounds.high)


def _asked_groups(left: FeasibleCounts, wanted: Bools) -> tuple[Ints, Bools]:
    """Number the groups of open numbers, and tell in which of them there is something to find out."""
    groups = connected_components(left.sums, left.low < left.high)
    return groups, _groups_with(groups, wanted)


def _groups_with(groups: Ints, where: Bools) -> Bools:
    """Tell which groups hold one of some numbers; the last entry answers for numbers in no group."""
    found = np.zeros(int(groups.max(initial=-1)) + 2, dtype=np.bool_)
    found[groups[where]] = True
    found[-1] = False
    return found


def _members(groups: Ints, asked: Bools) -> list[Ints]:
    """List the numbers of each group that is asked for."""
    order = np.argsort(groups, kind="stable")
    ends = np.cumsum(np.bincount(groups + 1, minlength=len(asked)))
    parts = np.split(order, ends[:-1])[1:]
    return [part for part, is_asked in zip(parts, asked[:-1].tolist(), strict=True) if is_asked]


def _find_ways(left: FeasibleCounts, wanted: Bools, hint: Ints, effort: Effort) -> Ints:
    """Find for every group one way in which the values may lie; what is known to be true is part of it.

    Gives the sums of groups that have none.
    """
    groups, asked = _asked_groups(left, wanted)
    bounds = _with_hint(left, groups, hint, effort.progress)
    found = np.where(bounds.low == bounds.high, bounds.low, -1)
    rest = connected_components(left.sums, (bounds.low < bounds.high) & asked[groups])
    ground = FixedCounts.at(left.sums, bounds.low)
    for which in _members(rest, _groups_with(rest, rest >= 0)):
        if len(which) <= _LARGEST_FIRST:
            part = Subproblem.of(ground, which, bounds.low, bounds.high)
            with suppress(EffortExceeded):
                found[which] = part.solve(part.low, effort.part(_EFFORT_FIRST)) or -1
    return _take(left, _members(groups, asked), found, effort)


def _with_hint(left: FeasibleCounts, groups: Ints, hint: Ints, progress: Progress) -> Bounds:
    """Narrow the bounds by what is known to be true; a group that contradicts it goes without."""
    fits = (hint >= left.low) & (hint <= left.high)
    used = (hint >= 0) & (groups >= 0) & ~_groups_with(groups, (hint >= 0) & ~fits)[groups]
    while True:
        low, high = np.where(used, hint, left.low), np.where(used, hint, left.high)
        bounds = propagate_bounds(left.sums, low, high, progress)
        if not len(bounds.broken):
            return bounds
        hurt = np.zeros(len(groups), dtype=np.bool_)
        hurt[left.sums.link_owner()[np.isin(left.sums.links, bounds.broken)]] = True
        used &= ~_groups_with(groups, hurt)[groups]


def _take(left: FeasibleCounts, members: Iterable[Ints], found: Ints, effort: Effort) -> Ints:
    """Take note of the ways found; give the sums of small groups that have none."""
    impossible = [np.empty(0, dtype=np.int64)]
    ground = FixedCounts.at(left.sums, left.low)
    for which in members:
        if (found[which] < 0).any() and len(which) <= MAX_GROUP:
            part = Subproblem.of(ground, which, left.low, left.high)
            with suppress(EffortExceeded):
                way = part.solve(part.low, effort.part(_EFFORT_FIRST))
                if way is None:
                    impossible.append(gather_lists(left.sums.starts, left.sums.links, which)[1])
                else:
                    found[which] = way
        if (found[which] >= 0).all():
            left.learn(which, found[which])
    return np.unique(np.concatenate(impossible))


def _exchange(left: FeasibleCounts, wanted: WantedCounts, progress: Progress) -> None:
    """Find what people may have exchanged, starting from the ways that were found and from those they lead to."""
    sides = two_sides(binding_classes(left.system, left.slack))
    chance = np.random.default_rng(0)  # which ways are tried; what is found is true of all
    way = np.where(left.low < left.high, left.solution, -1)
    waiting, idle = len(way), 0
    for turn in range(_EXCHANGES + len(sides)):
        open_ones = int(np.count_nonzero(wanted(left) & (way >= 0)))
        idle = 0 if open_ones < waiting else idle + 1
        if not open_ones or idle > min(len(sides), _IDLE):
            return
        waiting = open_ones
        progress(turn / (_EXCHANGES + len(sides)), _WORDS)
        possible = find_exchanges(left.sums, sides[turn % len(sides)], way, progress)
        # Two people of one cell who exchange their values change no number: that takes one who did not have it.
        real = way[possible.getting] == 0
        left.seen_high[possible.getting[real]] = np.maximum(left.seen_high[possible.getting[real]], 1)
        np.minimum.at(left.seen_low, possible.giving[real], way[possible.giving[real]] - 1)
        way = random_exchange(left.sums, way, possible, chance)


def _ask_all(left: FeasibleCounts, part: Subproblem, wanted: Bools, effort: Effort, *, exactly: bool) -> None:
    """Ask for every wanted number of a group how large, and how small, it can be."""
    for place in np.flatnonzero(wanted).tolist():
        most = int(left.high[part.which[place]]) if exactly else 1
        with suppress(EffortExceeded):
            _ask_more(left, part, place, effort, until=most)
            if exactly:
                _ask_less(left, part, place, effort)


def _ask_more(left: FeasibleCounts, part: Subproblem, place: int, effort: Effort, until: int) -> None:
    number = part.which[place]
    while left.seen_high[number] < min(until, left.high[number]):
        low = part.low.copy()
        low[place] = max(int(left.seen_high[number]) + 1, low[place])
        way = part.puzzle.solve(low, part.high, left.solution[part.which].tolist(), effort.part(EFFORT_FOR_A_QUESTION))
        if way is None:
            part.high[place] = low[place] - 1
            left.narrow(number, high=part.high[place])
            return
        left.learn(part.which, np.array(way))


def _ask_less(left: FeasibleCounts, part: Subproblem, place: int, effort: Effort) -> None:
    number = part.which[place]
    while left.seen_low[number] > left.low[number]:
        high = part.high.copy()
        high[place] = min(int(left.seen_low[number]) - 1, high[place])
        way = part.puzzle.solve(part.low, high, left.solution[part.which].tolist(), effort.part(EFFORT_FOR_A_QUESTION))
        if way is None:
            part.low[place] = high[place] + 1
            left.narrow(number, low=part.low[place])
            return
        left.learn(part.which, np.array(way))
