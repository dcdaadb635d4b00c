"""The nearest sequence of degrees in which each is there k times: exact, by dynamic programming (Liu, Terzi 2008)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.graphs.graph import Ints

_EVERY = 2048
_FAR = np.iinfo(np.int64).max // 4


@dataclass(frozen=True, slots=True)
class Targets:
    """The degree each node is to have, and how many ends of edges that changes in all."""

    degrees: Ints
    change: int
    groups: Ints
    """Which nodes were brought to one degree together."""


def nearest(
    degrees: Ints, k: int, labels: Sequence[str] = (), fewest: int = 0, *, may_fall: bool = False,
    progress: Progress = SILENT,
) -> Targets:  # fmt: skip
    """Give every node a degree that at least k share, with `fewest` different labels among them (an empty one is none).

    Degrees only grow, to the largest of their group, unless they `may_fall`: then to its median. No other sequence
    changes fewer ends of edges (with labels: no other that keeps the order of the nodes). Raises Infeasible.
    """
    order = _ordered(degrees, labels)
    falling = degrees[order]
    ends = first_ends([labels[node] for node in order] if labels else [""] * len(order), k, fewest)
    starts = _cut(falling, ends, may_fall=may_fall, progress=progress)
    if not starts:
        raise too_few(len(degrees), k, fewest)
    groups = np.zeros(len(order), dtype=np.int64)
    wanted = np.zeros(len(order), dtype=np.int64)
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(order)], strict=True)):
        part = falling[start:end]
        groups[order[start:end]] = number
        wanted[order[start:end]] = part[len(part) // 2] if may_fall else part[0]
    return Targets(wanted, int(np.abs(wanted - degrees).sum()), groups)


def too_few(nodes: int, k: int, fewest: int) -> Infeasible:
    """Say that there are not enough people for what is wanted."""
    if fewest:
        return Infeasible(
            message("{nodes:node is|nodes are} not enough for k = {k} and l = {l}.", nodes=nodes, k=k, l=fewest),
            "Lower k or l.",
        )
    return Infeasible(
        message("{nodes:node is|nodes are} not enough for k = {k}.", nodes=nodes, k=k),
        message("Lower k to at most {most}.", most=nodes) if nodes else message("Choose a graph with people in it."),
    )


def _ordered(degrees: Ints, labels: Sequence[str]) -> Ints:
    """Order the nodes by falling degree; among equals the labels take turns, so that groups hold many."""
    if not labels:
        return np.asarray(np.argsort(-degrees, kind="stable"), dtype=np.int64)
    turn, seen = np.zeros(len(degrees), dtype=np.int64), dict[tuple[int, str], int]()
    for node, key in enumerate(zip(degrees.tolist(), labels, strict=True)):
        turn[node] = seen[key] = seen.get(key, -1) + 1
    return np.asarray(np.lexsort((turn, -degrees)), dtype=np.int64)


def first_ends(labels: Sequence[str], k: int, fewest: int) -> Ints:
    """Give for each start the first end at which a group is large and various enough; beyond the last: none."""
    n = len(labels)
    ends = np.full(n + 1, n + 1, dtype=np.int64)
    held: dict[str, int] = {}
    end = 0
    for start in range(n):
        while end < n and (end - start < k or len(held) - ("" in held) < fewest):
            held[labels[end]] = held.get(labels[end], 0) + 1
            end += 1
        if end - start >= k and len(held) - ("" in held) >= fewest:
            ends[start] = end
        held[labels[start]] -= 1
        if not held[labels[start]]:
            del held[labels[start]]
    return ends


def _cut(falling: Ints, ends: Ints, *, may_fall: bool, progress: Progress) -> list[int] | None:
    """Cut the sequence into groups at the least cost; a group that could be two is never needed.

    So a group that starts at t ends before the second end after t.
    """
    n = len(falling)
    sums = np.concatenate([[0], np.cumsum(falling)])
    best, came = np.full(n + 1, _FAR, dtype=np.int64), np.zeros(n + 1, dtype=np.int64)
    best[0] = 0
    for start in range(n):
        if start % _EVERY == 0:
            progress(start / n, "Choosing degrees")
        first = int(ends[start])
        if first > n or best[start] >= _FAR:
            continue
        last = min(int(ends[first]) - 1 if first < n else n, n)
        # Where nothing can follow, only the whole rest is of use.
        places = np.arange(first, max(last, first) + 1) if last < n or first == n else np.arange(first, n + 1)
        costs = best[start] + _cost(falling, sums, start, places, may_fall=may_fall)
        better = costs < best[places]
        best[places[better]], came[places[better]] = costs[better], start
    if best[n] >= _FAR:
        return None
    starts, at = [], n
    while at > 0:
        at = int(came[at])
        starts.append(at)
    return starts[::-1]


def _cost(falling: Ints, sums: Ints, start: int, ends: Ints, *, may_fall: bool) -> Ints:
    """Count the ends of edges that change when the nodes from a start to each end get one degree."""
    if not may_fall:
        return np.asarray(falling[start] * (ends - start) - (sums[ends] - sums[start]), dtype=np.int64)
    middle = start + (ends - start) // 2
    above = sums[middle] - sums[start] - falling[middle] * (middle - start)
    below = falling[middle] * (ends - middle) - (sums[ends] - sums[middle])
    return np.asarray(above + below, dtype=np.int64)
