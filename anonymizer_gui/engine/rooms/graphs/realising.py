"""Edges for a sequence of degrees: greedy additions that keep every edge, repairs, and units left over absorbed.

Edges are added between the nodes that lack most. Who is left over takes the place of an edge added before (repair), or
is joined to a node whose degree is common enough that one node more or less of it does no harm (absorb).
"""

import heapq

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.graphs.graph import Graph, Ints
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import Classes, Wanted

_EVERY = 256
Waiting = list[tuple[int, int]]


class Realising:
    """A graph that is being given edges until every node has its degree."""

    def __init__(self, graph: Graph, targets: Ints, wanted: Wanted) -> None:
        self.near = graph.neighbours()
        self.targets: list[int] = targets.tolist()
        lacks = [target - len(near) for target, near in zip(self.targets, self.near, strict=True)]
        self.lacking = {node: lack for node, lack in enumerate(lacks) if lack > 0}
        self.added: dict[tuple[int, int], None] = {}
        self.classes = Classes.of(self.targets, wanted)

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
            if steps % _EVERY == 0:
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
