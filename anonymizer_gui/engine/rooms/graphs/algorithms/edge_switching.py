"""Edges added, deleted and moved to given degrees."""

from collections.abc import Callable, Iterable

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.graphs.graph import Graph, Ints
from anonymizer_gui.engine.rooms.graphs.algorithms.degree_sequence import DirectedTargets

_EVERY = 64


class EdgeSwitching:
    """A graph whose edges are added, deleted and moved until every node has its degree."""

    def __init__(self, graph: Graph, targets: Ints) -> None:
        self.near = graph.neighbours()
        self.off = {node: int(off) for node, off in enumerate((targets - graph.degrees).tolist()) if off}

    def change_all(self, progress: Progress) -> bool:
        """Change edges until every node has its degree; say whether that worked."""
        whole, steps = max(sum(map(abs, self.off.values())), 1), 0
        while self.off:
            if steps % _EVERY == 0:
                progress(1 - sum(map(abs, self.off.values())) / whole, "Changing edges")
            steps += 1
            if not self._step():
                return False
        return True

    def edges(self) -> list[tuple[int, int]]:
        """Give the edges as they are."""
        return [(one, other) for one, near in enumerate(self.near) for other in sorted(near) if one < other]

    def _step(self) -> bool:
        """Serve the node that is off most, in the way that changes least."""
        node = max(self.off, key=lambda each: (abs(self.off[each]), -each))
        sign = 1 if self.off[node] > 0 else -1
        same = [other for other in self._most_off(sign) if other != node]
        opposite = self._most_off(-sign)
        if any(self._direct(node, other, sign) for other in same):
            return True
        if any(self._move(node, other, sign) for other in opposite):
            return True
        twice = [node] if abs(self.off[node]) > 1 else []
        return any(self._around(node, other, sign) for other in [*twice, *same])

    def _most_off(self, sign: int) -> list[int]:
        return sorted((n for n, off in self.off.items() if off * sign > 0), key=lambda n: (-abs(self.off[n]), n))

    def _join(self, one: int, other: int) -> None:
        self.near[one].add(other)
        self.near[other].add(one)

    def _part(self, one: int, other: int) -> None:
        self.near[one].discard(other)
        self.near[other].discard(one)

    def _settle(self, node: int, by: int) -> None:
        self.off[node] -= by
        if not self.off[node]:
            del self.off[node]

    def _direct(self, one: int, other: int, sign: int) -> bool:
        """Add or delete the edge between two that both lack one, or both have one too many."""
        if (other in self.near[one]) is (sign > 0):
            return False
        (self._join if sign > 0 else self._part)(one, other)
        self._settle(one, sign)
        self._settle(other, sign)
        return True

    def _move(self, one: int, other: int, sign: int) -> bool:
        """Let a neighbour of the one with too many be joined to the one with too few instead."""
        lacks, spares = (one, other) if sign > 0 else (other, one)
        for between in sorted(self.near[spares]):
            if between != lacks and between not in self.near[lacks]:
                self._part(spares, between)
                self._join(lacks, between)
                self._settle(lacks, 1)
                self._settle(spares, -1)
                return True
        return False

    def _around(self, one: int, other: int, sign: int) -> bool:
        """Break an edge elsewhere and join its ends to two that lack one; or the other way round."""
        found = self._broken_for(one, other) if sign > 0 else self._closed_for(one, other)
        if found is None:
            return False
        first, second = found
        change = self._join if sign > 0 else self._part
        (self._part if sign > 0 else self._join)(first, second)
        change(one, first)
        change(other, second)
        self._settle(one, sign)
        self._settle(other, sign)
        return True

    def _broken_for(self, one: int, other: int) -> tuple[int, int] | None:
        for first, near in enumerate(self.near):
            if first in (one, other) or first in self.near[one]:
                continue
            for second in sorted(near):
                if second not in (one, other) and second not in self.near[other]:
                    return first, second
        return None

    def _closed_for(self, one: int, other: int) -> tuple[int, int] | None:
        for first in sorted(self.near[one] - {other}):
            for second in sorted(self.near[other] - {one, first}):
                if second not in self.near[first]:
                    return first, second
        return None


class DirectedEdgeSwitching:
    """A directed graph whose edges are changed until every node has its two degrees.

    As many ends as beginnings must be wanted. `off` tells how many edges a node lacks, or has too many when negative:
    those that leave it first, those that reach it second.
    """

    def __init__(self, graph: Graph, targets: DirectedTargets) -> None:
        self.to: list[set[int]] = [set() for _ in range(graph.n_nodes)]
        self.of: list[set[int]] = [set() for _ in range(graph.n_nodes)]
        for tail, head in graph.edges.tolist():
            self._join(tail, head)
        self.off = (_off(targets.out - graph.out_degrees), _off(targets.into - graph.in_degrees))

    def change_all(self, progress: Progress) -> bool:
        """Change edges until nobody lacks or spares one; say whether that worked.

        The ways that change least come first: an edge more or less serves two, another end costs two changes.
        """
        whole, steps = max(self._left(), 1), 0
        ways: tuple[Callable[[], bool], ...] = (
            self._add, self._delete, lambda: self._turn(0), lambda: self._turn(1), self._add_around,
            self._delete_around,
        )  # fmt: skip
        while self._left():
            if steps % _EVERY == 0:
                progress(1 - self._left() / whole, "Changing edges")
            steps += 1
            if not any(way() for way in ways):
                return False
        return True

    def edges(self) -> list[tuple[int, int]]:
        """Give the edges as they are."""
        return [(tail, head) for tail, heads in enumerate(self.to) for head in sorted(heads)]

    def _left(self) -> int:
        return sum(abs(off) for side in self.off for off in side.values())

    def _join(self, tail: int, head: int) -> None:
        self.to[tail].add(head)
        self.of[head].add(tail)

    def _part(self, tail: int, head: int) -> None:
        self.to[tail].discard(head)
        self.of[head].discard(tail)

    def _may_join(self, tail: int, head: int) -> bool:
        return tail != head and head not in self.to[tail]

    def _who(self, side: int, sign: int) -> list[int]:
        """List who is off on one side, those most off first."""
        off = self.off[side]
        return sorted((node for node in off if off[node] * sign > 0), key=lambda node: (-abs(off[node]), node))

    def _settle(self, side: int, node: int, by: int) -> None:
        self.off[side][node] -= by
        if not self.off[side][node]:
            del self.off[side][node]

    def _settle_both(self, tail: int, head: int, by: int) -> bool:
        self._settle(0, tail, by)
        self._settle(1, head, by)
        return True

    def _add(self) -> bool:
        """Join one whom edges should leave to one whom they should reach."""
        for tail, head in _pairs(self._who(0, 1), self._who(1, 1)):
            if self._may_join(tail, head):
                self._join(tail, head)
                return self._settle_both(tail, head, 1)
        return False

    def _delete(self) -> bool:
        """Delete an edge from one whom too many leave to one whom too many reach."""
        for tail, head in _pairs(self._who(0, -1), self._who(1, -1)):
            if head in self.to[tail]:
                self._part(tail, head)
                return self._settle_both(tail, head, -1)
        return False

    def _turn(self, side: int) -> bool:
        """Give an edge another beginning (side 0) or end (side 1): one with too few instead of one with too many."""
        near = self.to if side == 0 else self.of
        for spares, lacks in _pairs(self._who(side, -1), self._who(side, 1)):
            for other in sorted(near[spares] - near[lacks] - {lacks}):
                old, new = ((spares, other), (lacks, other)) if side == 0 else ((other, spares), (other, lacks))
                self._part(*old)
                self._join(*new)
                self._settle(side, lacks, 1)
                self._settle(side, spares, -1)
                return True
        return False

    def _add_around(self) -> bool:
        """Break an edge elsewhere, so that its ends serve two that cannot be joined."""
        for tail, head in _pairs(self._who(0, 1), self._who(1, 1)):
            for first, heads in enumerate(self.to):
                if not self._may_join(first, head):
                    continue
                second = next((each for each in sorted(heads) if self._may_join(tail, each)), None)
                if second is not None:
                    self._part(first, second)
                    self._join(tail, second)
                    self._join(first, head)
                    return self._settle_both(tail, head, 1)
        return False

    def _delete_around(self) -> bool:
        """Join two others in the place of two edges, one from the one with too many, one to the other."""
        for tail, head in _pairs(self._who(0, -1), self._who(1, -1)):
            for second in sorted(self.to[tail] - {head}):
                first = next((each for each in sorted(self.of[head] - {tail}) if self._may_join(each, second)), None)
                if first is not None:
                    self._part(tail, second)
                    self._part(first, head)
                    self._join(first, second)
                    return self._settle_both(tail, head, -1)
        return False


def _off(off: Ints) -> dict[int, int]:
    return {node: by for node, by in enumerate(off.tolist()) if by}


def _pairs(some: list[int], others: list[int]) -> Iterable[tuple[int, int]]:
    return ((one, other) for one in some for other in others)
