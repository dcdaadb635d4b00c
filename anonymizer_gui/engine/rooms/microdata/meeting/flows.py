"""Numbers that two releases settle between them, though no single sum does.

Look at one value only: the people who have it flow from the classes of one release to those of the other. Two ways in
which the values may lie differ by rings of such flows; a number that is on no ring is the same in all ways.
"""

from itertools import combinations

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.microdata.meeting.cycles import on_cycles
from anonymizer_gui.engine.rooms.microdata.meeting.left import Left
from anonymizer_gui.engine.rooms.microdata.meeting.shown import Bools, Ints

_MOST_ARCS = 8_000_000


def settle_by_flows(left: Left, progress: Progress = SILENT) -> bool:
    """Narrow the bounds of numbers that no ring through two releases changes; tell whether any was narrowed."""
    # Of a group with a way all open numbers are there: one left out would hide a ring.
    numbers = np.flatnonzero((left.solution >= 0) & (left.low < left.high))
    spent, found = 0, False
    for first, second in _two_releases(left):
        spent += 2 * len(numbers)
        if spent > _MOST_ARCS:
            break
        more, less = _on_rings(left, numbers, first, second, progress)
        settled_above = numbers[~more & (left.solution[numbers] < left.high[numbers])]
        settled_below = numbers[~less & (left.solution[numbers] > left.low[numbers])]
        left.narrow(settled_above, high=left.solution[settled_above])
        left.narrow(settled_below, low=left.solution[settled_below])
        found = found or bool(len(settled_above) or len(settled_below))
    return found


def _two_releases(left: Left) -> list[tuple[Ints, Ints]]:
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


def _on_rings(left: Left, numbers: Ints, first: Ints, second: Ints, progress: Progress) -> tuple[Bools, Bools]:
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
    found = on_cycles(points[: len(tail)], points[len(tail) :], when_open=True, progress=progress)
    more, less = np.zeros(len(numbers), dtype=np.bool_), np.zeros(len(numbers), dtype=np.bool_)
    more[grows], less[shrinks] = found[: len(grows)], found[len(grows) :]
    return more, less
