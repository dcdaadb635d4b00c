"""Classes of records with the same structure: each grows by the record that costs least of those near to it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.trees.grown import Position, joined, position_of
from anonymizer_gui.engine.rooms.trees.patterns_pool import VERTEX, Pool

Diverse = Callable[[list[int]], bool]


@dataclass(slots=True)
class Clustering:
    """Grows classes of at least k records that are various enough (after ClusTree, Ozalp et al., TOPS 2016)."""

    pool: Pool
    k: int
    near: int
    is_diverse: Diverse
    classes: list[Position] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    """Records that no class could take: their kind is too rare."""
    _found: dict[int, int] = field(default_factory=dict)

    def run(self, progress: Progress) -> None:
        """Make the classes of all records."""
        progress(0.0, "Comparing records")
        self._found = self.pool.of_records()
        by_branch: dict[int, list[int]] = {}
        for vertex in self.pool.held.roots:
            by_branch.setdefault(int(self.pool.held.trees.branch_of[vertex]), []).append(vertex)
        total, done = len(self.pool.held.roots), 0
        for records in by_branch.values():
            self._grow(self._ordered(records), progress.sub(done / total, (done + len(records)) / total))
            done += len(records)

    def _ordered(self, records: list[int]) -> list[int]:
        """Put records in an order in which like stands by like: words of the root, children, numbers."""
        pool = self.pool
        branch = pool.branch[self._found[records[0]]]
        domains = [pool.held.domains[at] for at in pool.quasi(branch)]
        order = sorted(range(len(domains)), key=lambda at: (len(domains[at].loss), at))

        def key(vertex: int) -> tuple[object, ...]:
            number = self._found[vertex]
            labels, kids = pool.labels[number], pool.kids[number]
            return (
                *(labels[at] for at in order[:-1]),
                tuple(-len(some) for _, some in kids),
                *(labels[at] for at in order[-1:]),
                number,
                vertex,
            )

        return sorted(records, key=key)

    def _grow(self, waiting: list[int], progress: Progress) -> None:
        total, own = len(waiting), list[Position]()
        while len(waiting) >= self.k:
            progress(1 - len(waiting) / total, "Growing classes")
            shared = position_of(self.pool, self._found, waiting.pop(0))
            while waiting and (len(shared.vertices) < self.k or not self.is_diverse(shared.vertices)):
                self._take(shared, waiting)
            if len(shared.vertices) >= self.k and self.is_diverse(shared.vertices):
                self._take_alike(shared, waiting)
                own.append(shared)
            else:
                waiting += shared.vertices
                break
        for vertex in waiting:
            progress.check()
            self._join_cheapest(own, vertex)
        self.classes += own

    def _take(self, shared: Position, waiting: list[int]) -> None:
        """Let the cheapest of the next records join."""
        size, pool, one = len(shared.vertices), self.pool, shared.pattern
        labelled = sorted(
            (pool.label_delta(one, self._found[vertex], size) + self._fewer(one, self._found[vertex], size), at)
            for at, vertex in enumerate(waiting[: self.near])
        )
        best, chosen = float("inf"), 0
        for least, at in labelled:
            if least >= best:
                break
            other = self._found[waiting[at]]
            price = pool.delta(one, other, size)
            if price < best:
                best, chosen = price, at
        joined(pool, shared, position_of(pool, self._found, waiting.pop(chosen)))

    def _take_alike(self, shared: Position, waiting: list[int]) -> None:
        """Let near records join that are what the class is already: they lose nothing."""
        alike = [at for at, vertex in enumerate(waiting[: self.near]) if self._found[vertex] == shared.pattern]
        for at in reversed(alike):
            joined(self.pool, shared, position_of(self.pool, self._found, waiting.pop(at)))

    def _fewer(self, one: int, other: int, size: int) -> float:
        """Give what is lost at least because one has more children than the other."""
        mine, theirs = dict(self.pool.kids[one]), dict(self.pool.kids[other])
        total = 0.0
        for branch in mine.keys() | theirs.keys():
            more = len(mine.get(branch, ())) - len(theirs.get(branch, ()))
            total += VERTEX * (size * more if more > 0 else -more)
        return total

    def _join_cheapest(self, classes: list[Position], vertex: int) -> None:
        if not classes:
            self.left.append(vertex)
            return
        number = self._found[vertex]
        best = min(
            range(len(classes)),
            key=lambda at: (self.pool.delta(classes[at].pattern, number, len(classes[at].vertices)), at),
        )
        joined(self.pool, classes[best], position_of(self.pool, self._found, vertex))
