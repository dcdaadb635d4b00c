"""Which arcs of a directed graph lie on a cycle, for the whole graph at once."""

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.microdata.meeting.shown import Bools, Ints

_MOST_TURNS = 100


def on_cycles(tail: Ints, head: Ints, *, when_open: bool = False, progress: Progress = SILENT) -> Bools:
    """Tell which arcs lie on a cycle.

    Every point takes the largest name that reaches it. Whoever reaches, among points of one name, the one the name
    belongs to, is on a cycle with it; these points are settled, and the rest is looked at again (Orzan: On distributed
    verification and verified distribution, 2004). Turns are bounded; arcs that are not settled by then count as
    being on a cycle if `when_open` says so.

    >>> on_cycles(np.array([0, 1, 1]), np.array([1, 0, 2])).tolist()
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
