"""Edges with a direction when deletions are allowed: they are added, deleted, and given other ends, until everybody has
as many that leave and as many that arrive as wanted."""

from collections.abc import Callable, Iterable

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.graphs.graph import Graph, Ints
from anonymizer_gui.engine.rooms.graphs.directed import PairTargets

_EVERY = 64


class MovingArrows:
    """A directed graph whose edges are changed until every node has its two degrees.

    As many ends as beginnings must be wanted. `off` tells how many edges a node lacks, or has too many when negative:
    those that leave it first, those that reach it second.
    """

    def __init__(self, graph: Graph, targets: PairTargets) -> None:
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
