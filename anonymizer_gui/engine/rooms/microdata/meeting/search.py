"""Looking closer at what single sums do not tell: exchanges and flows in large groups, every way in small ones.

A group is a set of numbers that depend on each other. The effort is counted in steps; where it does not suffice, or a
group is too large to be searched, the outer and the inner bounds stay apart, and whoever judges by them must say so.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.microdata.meeting.bounds import Bounds, gathered, joined, narrowed
from anonymizer_gui.engine.rooms.microdata.meeting.exchanges import binding_classes, exchanged, exchanges, two_sides
from anonymizer_gui.engine.rooms.microdata.meeting.flows import settle_by_flows
from anonymizer_gui.engine.rooms.microdata.meeting.left import Left
from anonymizer_gui.engine.rooms.microdata.meeting.part import Part, Settled
from anonymizer_gui.engine.rooms.microdata.meeting.puzzle import Effort, Exhausted
from anonymizer_gui.engine.rooms.microdata.meeting.shown import Bools, Ints

Wanted = Callable[[Left], Bools]
"""Tells which numbers should be known better than they are."""

EFFORT = 1_500_000
"""Steps of search for one set of columns."""
EFFORT_FOR_A_QUESTION = 30_000
LARGEST_GROUP = 600
"""Groups of more numbers than this are not searched as a whole."""
_LARGEST_FIRST = 3_000
_EFFORT_FIRST = 500_000
_EXCHANGES = 6
_IDLE = 2
_WORDS = "Comparing with earlier releases"


def look_closer(left: Left, wanted: Wanted, hint: Ints, *, exactly: bool = False, progress: Progress = SILENT) -> Ints:
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
    if wanted(left).any() and settle_by_flows(left, progress):
        _conclude(left, progress)
    asked = wanted(left)
    ground = Settled.at(left.sums, left.low)
    members = [which for which in _members(*_asked_groups(left, asked)) if len(which) <= LARGEST_GROUP]
    for done, which in enumerate(members):
        progress(done / len(members), _WORDS)
        _ask_all(left, Part.of(ground, which, left.low, left.high), asked[which], effort, exactly=exactly)
    return impossible


def _conclude(left: Left, progress: Progress) -> None:
    """Narrow the bounds once more after some were narrowed."""
    bounds = narrowed(left.sums, left.low, left.high, progress)
    settled = np.flatnonzero(bounds.low == bounds.high)
    left.learn(settled, bounds.low[settled])
    left.narrow(np.arange(len(left.sums)), low=bounds.low, high=bounds.high)


def _asked_groups(left: Left, wanted: Bools) -> tuple[Ints, Bools]:
    """Number the groups of open numbers, and tell in which of them there is something to find out."""
    groups = joined(left.sums, left.low < left.high)
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


def _find_ways(left: Left, wanted: Bools, hint: Ints, effort: Effort) -> Ints:
    """Find for every group one way in which the values may lie; what is known to be true is part of it.

    Gives the sums of groups that have none.
    """
    groups, asked = _asked_groups(left, wanted)
    bounds = _with_hint(left, groups, hint, effort.progress)
    found = np.where(bounds.low == bounds.high, bounds.low, -1)
    rest = joined(left.sums, (bounds.low < bounds.high) & asked[groups])
    ground = Settled.at(left.sums, bounds.low)
    for which in _members(rest, _groups_with(rest, rest >= 0)):
        if len(which) <= _LARGEST_FIRST:
            part = Part.of(ground, which, bounds.low, bounds.high)
            with suppress(Exhausted):
                found[which] = part.solve(part.low, effort.part(_EFFORT_FIRST)) or -1
    return _take(left, _members(groups, asked), found, effort)


def _with_hint(left: Left, groups: Ints, hint: Ints, progress: Progress) -> Bounds:
    """Narrow the bounds by what is known to be true; a group that contradicts it goes without."""
    fits = (hint >= left.low) & (hint <= left.high)
    used = (hint >= 0) & (groups >= 0) & ~_groups_with(groups, (hint >= 0) & ~fits)[groups]
    while True:
        low, high = np.where(used, hint, left.low), np.where(used, hint, left.high)
        bounds = narrowed(left.sums, low, high, progress)
        if not len(bounds.broken):
            return bounds
        hurt = np.zeros(len(groups), dtype=np.bool_)
        hurt[left.sums.link_owner()[np.isin(left.sums.links, bounds.broken)]] = True
        used &= ~_groups_with(groups, hurt)[groups]


def _take(left: Left, members: Iterable[Ints], found: Ints, effort: Effort) -> Ints:
    """Take note of the ways found; give the sums of small groups that have none."""
    impossible = [np.empty(0, dtype=np.int64)]
    ground = Settled.at(left.sums, left.low)
    for which in members:
        if (found[which] < 0).any() and len(which) <= LARGEST_GROUP:
            part = Part.of(ground, which, left.low, left.high)
            with suppress(Exhausted):
                way = part.solve(part.low, effort.part(_EFFORT_FIRST))
                if way is None:
                    impossible.append(gathered(left.sums.starts, left.sums.links, which)[1])
                else:
                    found[which] = way
        if (found[which] >= 0).all():
            left.learn(which, found[which])
    return np.unique(np.concatenate(impossible))


def _exchange(left: Left, wanted: Wanted, progress: Progress) -> None:
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
        possible = exchanges(left.sums, sides[turn % len(sides)], way, progress)
        # Two people of one cell who exchange their values change no number: that takes one who did not have it.
        real = way[possible.getting] == 0
        left.seen_high[possible.getting[real]] = np.maximum(left.seen_high[possible.getting[real]], 1)
        np.minimum.at(left.seen_low, possible.giving[real], way[possible.giving[real]] - 1)
        way = exchanged(left.sums, way, possible, chance)


def _ask_all(left: Left, part: Part, wanted: Bools, effort: Effort, *, exactly: bool) -> None:
    """Ask for every wanted number of a group how large, and how small, it can be."""
    for place in np.flatnonzero(wanted).tolist():
        most = int(left.high[part.which[place]]) if exactly else 1
        with suppress(Exhausted):
            _ask_more(left, part, place, effort, until=most)
            if exactly:
                _ask_less(left, part, place, effort)


def _ask_more(left: Left, part: Part, place: int, effort: Effort, until: int) -> None:
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


def _ask_less(left: Left, part: Part, place: int, effort: Effort) -> None:
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
