"""Edges for a sequence of degrees when deletions are allowed: edges between those who have too many go, edges between
those who have too few come, and an edge moves from one to the other."""

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.graphs.graph import Graph, Ints

_EVERY = 64


class Moving:
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
