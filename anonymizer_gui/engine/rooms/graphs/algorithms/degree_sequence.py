"""Nearest k-anonymous degree sequence, undirected and directed, and its realisation.

Edges are added between the nodes that lack most. Who is left over takes the place of an edge added before (repair), or
is joined to a node whose degree is common enough that one node more or less of it does no harm (absorb).

People are put into groups of like numbers; a group gets the most ties that leave, and the most that reach, anybody in
it, and ties are added until everybody has that. Where ties may be deleted, it gets the medians.
"""

import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.graphs.graph import Graph, Ints
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import DegreeClasses, GraphDemands

_EVERY = 2048

_FAR = np.iinfo(np.int64).max // 4


@dataclass(frozen=True, slots=True)
class DegreeTargets:
    """The degree each node is to have, and how many ends of edges that changes in all."""

    degrees: Ints
    change: int
    groups: Ints
    """Which nodes were brought to one degree together."""


def nearest_sequence(
    degrees: Ints, k: int, labels: Sequence[str] = (), fewest: int = 0, *, may_fall: bool = False,
    progress: Progress = SILENT,
) -> DegreeTargets:  # fmt: skip
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
    return DegreeTargets(wanted, int(np.abs(wanted - degrees).sum()), groups)


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


_REALISING_EVERY = 256

Waiting = list[tuple[int, int]]


class DegreeRealisation:
    """A graph that is being given edges until every node has its degree."""

    def __init__(self, graph: Graph, targets: Ints, wanted: GraphDemands) -> None:
        self.near = graph.neighbours()
        self.targets: list[int] = targets.tolist()
        lacks = [target - len(near) for target, near in zip(self.targets, self.near, strict=True)]
        self.lacking = {node: lack for node, lack in enumerate(lacks) if lack > 0}
        self.added: dict[tuple[int, int], None] = {}
        self.classes = DegreeClasses.of(self.targets, wanted)

    def add_all(self, progress: Progress) -> bool:
        """Add edges until nobody lacks one; say whether that worked."""
        self._add_greedily(progress)
        self._repair(progress)
        return self._absorb(progress)

    def _join(self, one: int, other: int) -> None:
        self.near[one].add(other)
        self.near[other].add(one)
        self.added[min(one, other), max(one, other)] = None

    def _part(self, edge: tuple[int, int]) -> None:
        one, other = edge
        self.near[one].discard(other)
        self.near[other].discard(one)
        del self.added[edge]

    def _fill(self, node: int) -> None:
        """Note that a node has got one of the edges it lacks."""
        self.lacking[node] -= 1
        if not self.lacking[node]:
            del self.lacking[node]

    def _add_greedily(self, progress: Progress) -> None:
        """Take the node that lacks most and join it to those that lack most beside it."""
        waiting = [(-lack, node) for node, lack in self.lacking.items()]
        heapq.heapify(waiting)
        whole, steps = max(len(waiting), 1), 0
        while waiting:
            if steps % _REALISING_EVERY == 0:
                progress(1 - min(len(waiting) / whole, 1), "Adding edges")
            steps += 1
            lack, node = heapq.heappop(waiting)
            if self.lacking.get(node) == -lack:
                self._serve(node, waiting)

    def _serve(self, node: int, waiting: Waiting) -> None:
        partners, passed = list[int](), Waiting()
        while waiting and len(partners) < self.lacking[node]:
            lack, other = heapq.heappop(waiting)
            if self.lacking.get(other) != -lack:
                continue
            if other in self.near[node]:
                passed.append((lack, other))
            else:
                partners.append(other)
        for other in partners:
            self._join(node, other)
            self._fill(node)
            self._fill(other)
        for entry in [*passed, *((-self.lacking[other], other) for other in partners if other in self.lacking)]:
            heapq.heappush(waiting, entry)

    def _repair(self, progress: Progress) -> None:
        """Let those left over take the places of edges added before, two ends at a time."""
        left = sorted(self.lacking, key=lambda node: (-self.lacking[node], node))
        for at, one in enumerate(left):
            for other in left[at:]:
                progress.check()
                if one not in self.lacking:
                    break
                if other in self.lacking:
                    self._instead(one, other)

    def _instead(self, one: int, other: int) -> None:
        """Break edges that were added, and join their ends to two that are left over, as long as both lack some."""
        for edge in list(self.added):
            if self.lacking.get(one, 0) < 1 + (one == other) or other not in self.lacking:
                return
            for first, second in (edge, edge[::-1]):
                if self._may_join(one, first) and self._may_join(other, second):
                    self._part(edge)
                    self._join(one, first)
                    self._join(other, second)
                    self._fill(one)
                    self._fill(other)
                    break

    def _may_join(self, one: int, other: int) -> bool:
        return one != other and other not in self.near[one]

    def _absorb(self, progress: Progress) -> bool:
        """Join what is left over to nodes whose degree has more than enough of its kind, as has the next one."""
        by_degree: dict[int, list[int]] = {}
        for node, degree in enumerate(self.targets):
            by_degree.setdefault(degree, []).append(node)
        for node in [node for node, lack in self.lacking.items() for _ in range(lack)]:
            progress.check()
            other = self._comfortable(node, by_degree)
            if other is None:
                return False
            degree = self.targets[other]
            self.classes.take(other, degree)
            self.classes.add(other, degree + 1)
            by_degree[degree].remove(other)
            by_degree.setdefault(degree + 1, []).append(other)
            self.targets[other] = degree + 1
            self._join(node, other)
            self._fill(node)
        return True

    def _comfortable(self, node: int, by_degree: dict[int, list[int]]) -> int | None:
        for degree in sorted(by_degree):
            if not self.classes.is_enough(degree + 1) or self.classes.size(degree) <= self.classes.wanted.k:
                continue
            for other in by_degree[degree]:
                is_free = other not in self.lacking and self._may_join(node, other)
                if is_free and self.classes.can_spare(other, degree):
                    return other
        return None


_DIRECTED_FAR = 1 << 60

_DIRECTED_EVERY = 512

_ROUNDS = 200


@dataclass(frozen=True, slots=True)
class DirectedTargets:
    """How many ties are to leave and to reach each node, and who was brought there together."""

    out: Ints
    into: Ints
    groups: Ints


def nearest_directed_sequence(
    graph: Graph, wanted: GraphDemands, *, may_fall: bool = False, progress: Progress = SILENT
) -> DirectedTargets:
    """Give everybody what the group has: its most, or where numbers `may_fall` its medians; raises Infeasible."""
    groups = _grouped(graph, wanted.k, wanted.labels, wanted.l, progress)
    of_all = _middle if may_fall else _most
    return DirectedTargets(of_all(graph.out_degrees, groups), of_all(graph.in_degrees, groups), groups)


def _grouped(graph: Graph, k: int, labels: Sequence[str], fewest: int, progress: Progress) -> Ints:
    """Put everybody into groups of at least k, with `fewest` different labels."""
    out, into = graph.out_degrees, graph.in_degrees
    if not labels and graph.n_nodes >= max(k, 1):
        return _clustered(out, into, k)
    order = np.lexsort((-out, -(out + into)))
    ends = first_ends([labels[node] for node in order] if labels else [""] * len(order), k, fewest)
    starts = _directed_cut(out[order].tolist(), into[order].tolist(), ends.tolist(), progress)
    if not starts:
        raise too_few(graph.n_nodes, k, fewest)
    groups = np.zeros(len(order), dtype=np.int64)
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(order)], strict=True)):
        groups[order[start:end]] = number
    return groups


def _clustered(out: Ints, into: Ints, k: int) -> Ints:
    """Leave alone who shares both numbers with enough others; of the rest, group the largest with those nearest to it.

    Who is left over at the end gets company from those who were left alone.
    """
    pairs = np.unique(np.stack([out, into], axis=1), axis=0, return_inverse=True)[1].reshape(-1)
    groups = np.where(np.bincount(pairs)[pairs] >= k, pairs, -1)
    rest = np.flatnonzero(groups < 0)
    rest = rest[np.argsort(-(out + into)[rest], kind="stable")]
    number = int(pairs.max()) + 1
    while len(rest) >= k:
        far = np.abs(out[rest] - out[rest[0]]) + np.abs(into[rest] - into[rest[0]])
        chosen = np.argsort(far, kind="stable")[:k]
        groups[rest[chosen]] = number
        rest, number = np.delete(rest, chosen), number + 1
    if len(rest):
        _housed(rest, groups, out, into, k)
    return np.asarray(np.unique(groups, return_inverse=True)[1], dtype=np.int64)


def _housed(rest: Ints, groups: Ints, out: Ints, into: Ints, k: int) -> None:
    """Put the few who are left over together with the nearest whom their groups can spare, or else into the nearest."""
    known = np.flatnonzero(groups >= 0)
    far = np.abs(out[known] - out[rest[0]]) + np.abs(into[known] - into[rest[0]])
    nearest = known[np.argsort(far, kind="stable")].tolist()
    sizes, company = Counter(groups[known].tolist()), list[int]()
    for node in nearest:
        if len(company) + len(rest) < k and sizes[groups[node]] > k:
            sizes[groups[node]] -= 1
            company.append(node)
    if len(company) + len(rest) < k:
        groups[rest] = groups[nearest[0]]
    else:
        groups[np.concatenate([rest, np.array(company, dtype=np.int64)])] = int(groups.max()) + 1


def _most(degrees: Ints, groups: Ints) -> Ints:
    most = np.zeros(int(groups.max(initial=-1)) + 1, dtype=np.int64)
    np.maximum.at(most, groups, degrees)
    return most[groups]


def _middle(degrees: Ints, groups: Ints) -> Ints:
    """Give everybody the median of the group: no other number is nearer to all of them together."""
    order = np.lexsort((degrees, groups))
    sizes = np.bincount(groups)
    starts = np.cumsum(sizes) - sizes
    return np.asarray(degrees[order][starts + sizes // 2][groups], dtype=np.int64)


def _directed_cut(out: list[int], into: list[int], ends: list[int], progress: Progress) -> list[int] | None:
    """Cut the order into groups at the least number of ties to add; a group that could be two is never needed."""
    n = len(out)
    best, came = [0] + [_DIRECTED_FAR] * n, [0] * (n + 1)
    for start in range(n):
        if start % _DIRECTED_EVERY == 0:
            progress(start / n, "Choosing degrees")
        first = ends[start]
        if first > n or best[start] >= _DIRECTED_FAR:
            continue
        last = ends[first] - 1 if first < n and ends[first] <= n else n
        most_out = most_in = size = total = 0
        for end in range(start + 1, last + 1):
            most_out, most_in = max(most_out, out[end - 1]), max(most_in, into[end - 1])
            size, total = size + 1, total + out[end - 1] + into[end - 1]
            cost = best[start] + size * (most_out + most_in) - total
            if end >= first and cost < best[end]:
                best[end], came[end] = cost, start
    if best[n] >= _DIRECTED_FAR:
        return None
    starts, at = [], n
    while at > 0:
        at = came[at]
        starts.append(at)
    return starts[::-1]


class DegreeBalance:
    """Targets on their way to as many ties that leave as ties that arrive: each tie does both."""

    def __init__(self, graph: Graph, targets: DirectedTargets, wanted: GraphDemands) -> None:
        self.wide = graph.n_nodes + 1
        self.pairs: list[int] = (targets.out * self.wide + targets.into).tolist()
        self.short = int((targets.out - graph.out_degrees).sum() - (targets.into - graph.in_degrees).sum())
        self.classes = DegreeClasses.of(self.pairs, wanted)
        self.members: dict[int, list[int]] = {}
        for node, pair in enumerate(self.pairs):
            self.members.setdefault(pair, []).append(node)

    def settle(self) -> bool:
        """Raise people until both are as many: one by one where that does no harm, else k or a whole class of them."""
        for _ in range(_ROUNDS):
            step, sign = (1, 1) if self.short > 0 else (self.wide, -1)
            while self.short * sign > 0 and self._one(step):
                self.short -= sign
            if not self.short:
                return True
            moved = self._several(step)
            if not moved:
                return False
            self.short -= sign * moved
        return False

    def targets(self, groups: Ints) -> DirectedTargets:
        """Give what everybody is to have now."""
        out, into = np.divmod(np.array(self.pairs, dtype=np.int64), self.wide)
        return DirectedTargets(out, into, groups)

    def raise_lowest(self) -> None:
        """Let everybody of the lowest class have one tie more, both ways."""
        lowest = min((pair for pair in self.members if self.members[pair]), key=self._ties)
        for node in list(self.members[lowest]):
            self._move(node, lowest, self.wide + 1)

    def _ties(self, pair: int) -> int:
        return sum(divmod(pair, self.wide))

    def _fits(self, pair: int, step: int) -> bool:
        """Tell whether there is somebody left to be tied to."""
        out, into = divmod(pair + step, self.wide)
        return max(out, into) < self.wide - 1

    def _lowest_first(self, step: int) -> list[int]:
        return sorted((pair for pair in self.members if self.members[pair] and self._fits(pair, step)), key=self._ties)

    def _one(self, step: int) -> bool:
        """Raise one whose class is large enough without them, to a class that is there already."""
        for pair in self._lowest_first(step):
            if not self.classes.is_enough(pair + step) or self.classes.size(pair) <= self.classes.wanted.k:
                continue
            for node in self.members[pair]:
                if self.classes.can_spare(node, pair):
                    self._move(node, pair, step)
                    return True
        return False

    def _several(self, step: int) -> int:
        """Raise k of a class that leaves enough behind, or the class whose size comes nearest."""
        wanted, sizes = self.classes.wanted, self._lowest_first(step)
        large = [pair for pair in sizes if len(self.members[pair]) >= 2 * wanted.k and not wanted.labels]
        pair = (
            large[0]
            if large
            else min(sizes, key=lambda each: abs(len(self.members[each]) - abs(self.short)), default=None)
        )
        if pair is None:
            return 0
        chosen = self.members[pair][: wanted.k if large else None]
        for node in list(chosen):
            self._move(node, pair, step)
        return len(chosen)

    def _move(self, node: int, pair: int, step: int) -> None:
        self.classes.take(node, pair)
        self.classes.add(node, pair + step)
        self.members[pair].remove(node)
        self.members.setdefault(pair + step, []).append(node)
        self.pairs[node] = pair + step


class DirectedRealisation:
    """A directed graph that is being given edges until everybody has as many as wanted, both ways."""

    def __init__(self, graph: Graph, targets: DirectedTargets) -> None:
        self.to: list[set[int]] = [set() for _ in range(graph.n_nodes)]
        for one, other in graph.edges.tolist():
            self.to[one].add(other)
        self.leaves = _lacking(targets.out - graph.out_degrees)
        self.reaches = _lacking(targets.into - graph.in_degrees)
        self.added: dict[tuple[int, int], None] = {}

    def add_all(self, progress: Progress) -> bool:
        """Add edges until nobody lacks one; say whether that worked."""
        for at, one in enumerate(sorted(self.leaves, key=lambda node: -self.leaves[node])):
            if at % _DIRECTED_EVERY == 0:
                progress(at / max(len(self.leaves), 1), "Adding edges")
            self._serve(one)
        return all(self._instead(one) for one in list(self.leaves))

    def _serve(self, one: int) -> None:
        """Join a node to those that lack most."""
        free = (other for other in self.reaches if other != one and other not in self.to[one])
        for other in heapq.nlargest(self.leaves[one], free, key=lambda node: self.reaches[node]):
            self._join(one, other)
            _less(self.leaves, one)
            _less(self.reaches, other)

    def _instead(self, one: int) -> bool:
        """Break edges that were added, so that both ends are of use to those left over."""
        while one in self.leaves:
            other = next(iter(self.reaches), None)
            found = None if other is None else next(self._exchanges(one, other), None)
            if found is None or other is None:
                return False
            tail, head = found
            self.to[tail].discard(head)
            del self.added[found]
            self._join(one, head)
            self._join(tail, other)
            _less(self.leaves, one)
            _less(self.reaches, other)
        return True

    def _exchanges(self, one: int, other: int) -> Iterator[tuple[int, int]]:
        for tail, head in self.added:
            is_new = head not in self.to[one] and other not in self.to[tail]
            if is_new and head != one and tail != other:
                yield tail, head

    def _join(self, one: int, other: int) -> None:
        self.to[one].add(other)
        self.added[one, other] = None


def _lacking(lacks: Ints) -> dict[int, int]:
    return {node: lack for node, lack in enumerate(lacks.tolist()) if lack > 0}


def _less(lacking: dict[int, int], node: int) -> None:
    lacking[node] -= 1
    if not lacking[node]:
        del lacking[node]
