"""Full k-anonymity and l-diversity: subtree patterns, Hungarian matching, clustering."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import MISSING
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.trees.algorithms.contract import (
    ALGORITHMS,
    Outcome,
    promise_k_anonymity,
    promise_l_diversity,
)
from anonymizer_gui.engine.rooms.trees.encoding import ABSENT, Domain, EncodedRecords, codes_by_vertex

Pairs = list[tuple[int, int]]

_FEW = 3

_FREE = 1e-12


def match_children(gains: list[list[float]]) -> tuple[float, Pairs]:
    """Choose pairs (row, column), each once, with the least sum; only pairs below 0 are worth it.

    >>> match_children([[-1.0, -3.0], [-2.0, -3.5]])
    (-5.0, [(0, 1), (1, 0)])
    """
    rows, columns = len(gains), len(gains[0])
    if rows == 1 or columns == 1:
        value, row, column = min(
            (gain, row, column) for row, line in enumerate(gains) for column, gain in enumerate(line)
        )
        return (value, [(row, column)]) if value < -_FREE else (0.0, [])
    if max(rows, columns) <= _FEW:
        return _tried(gains, rows, columns)
    return _hungarian(np.minimum(np.array(gains), 0.0))


def _tried(gains: list[list[float]], rows: int, columns: int) -> tuple[float, Pairs]:
    """Try every way, where there are few."""
    best, pairs = 0.0, Pairs()
    turned = rows > columns
    few, many = (columns, rows) if turned else (rows, columns)
    for chosen in permutations(range(many), few):
        value = 0.0
        for at, other in enumerate(chosen):
            gain = gains[other][at] if turned else gains[at][other]
            value += gain if gain < 0 else 0.0
        if value < best - _FREE:
            best = value
            pairs = [(other, at) if turned else (at, other) for at, other in enumerate(chosen)]
    return best, sorted((row, column) for row, column in pairs if gains[row][column] < -_FREE)


def _hungarian(costs: npt.NDArray[np.float64]) -> tuple[float, Pairs]:
    """Assign by shortest augmenting paths (Jonker and Volgenant 1987); the matrix is turned to have fewer rows."""
    turned = costs.shape[0] > costs.shape[1]
    costs = costs.T if turned else costs
    n_rows, n_columns = costs.shape
    rows, columns = np.zeros(n_rows + 1), np.zeros(n_columns + 1)
    owner, way = np.zeros(n_columns + 1, dtype=np.int64), np.zeros(n_columns + 1, dtype=np.int64)
    rows[1:] = costs.min(axis=1)
    for row in _unmatched(costs, owner):
        owner[0], column = row, 0
        least, used = np.full(n_columns + 1, np.inf), np.zeros(n_columns + 1, dtype=np.bool_)
        while True:
            used[column] = True
            free = ~used
            free[0] = False
            reduced = costs[owner[column] - 1] - rows[owner[column]] - columns[1:]
            better = free[1:] & (reduced < least[1:])
            least[1:][better] = reduced[better]
            way[1:][better] = column
            following = int(np.argmin(np.where(free, least, np.inf)))
            step = least[following]
            rows[owner[used]] += step
            columns[used] -= step
            least[~used] -= step
            column = following
            if owner[column] == 0:
                break
        while column:
            owner[column] = owner[way[column]]
            column = int(way[column])
    found = [(int(owner[column]) - 1, column - 1) for column in range(1, n_columns + 1) if owner[column]]
    pairs = sorted((other, one) if turned else (one, other) for one, other in found if costs[one, other] < -_FREE)
    return float(sum(costs[one, other] for one, other in found)), pairs


def _unmatched(costs: npt.NDArray[np.float64], owner: npt.NDArray[np.int64]) -> list[int]:
    """Give every row a free column that is the cheapest it has, and list the rows for which there is none."""
    left = []
    for row, line in enumerate(costs, start=1):
        free = np.flatnonzero((line == line.min()) & (owner[1:] == 0))
        if len(free):
            owner[free[0] + 1] = row
        else:
            left.append(row)
    return left


VERTEX = 0.5
"""What the loss of a vertex itself counts beside the labels it takes along."""

_PATTERNS_POOL_FEW = 4

Labels = tuple[int, ...]

Kids = tuple[tuple[int, tuple[int, ...]], ...]
"""Per branch of children, in order, the patterns of the children."""


@dataclass(slots=True)
class SubtreePatterns:
    """All patterns seen: `labels` and `kids` by number, what is lost when one is suppressed, and what is lost in it."""

    held: EncodedRecords
    labels: list[Labels] = field(default_factory=list)
    kids: list[Kids] = field(default_factory=list)
    branch: list[int] = field(default_factory=list)
    left: list[float] = field(default_factory=list)
    """What is still there to lose: labels and vertices of the subtree, less what is lost already."""
    _numbers: dict[tuple[int, Labels, Kids], int] = field(default_factory=dict)
    _deltas: dict[tuple[int, int, int], float] = field(default_factory=dict)
    _domains: dict[int, tuple[Domain, ...]] = field(default_factory=dict)
    _quasi: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for number, leaf in enumerate(self.held.known):
            self._quasi[leaf.branch] = (*self._quasi.get(leaf.branch, ()), number)
        self._domains = {
            branch: tuple(self.held.domains[at] for at in numbers) for branch, numbers in self._quasi.items()
        }

    def quasi(self, branch: int) -> tuple[int, ...]:
        """Number the quasi-identifiers of a branch."""
        return self._quasi.get(branch, ())

    def number(self, branch: int, labels: Labels, kids: Kids) -> int:
        """Give the number of a pattern."""
        key = (branch, labels, kids)
        known = self._numbers.get(key)
        if known is None:
            known = self._numbers[key] = len(self.labels)
            self.labels.append(labels)
            self.kids.append(kids)
            self.branch.append(branch)
            own = sum(
                1.0 - domain.loss[code]
                for code, domain in zip(labels, self._domains.get(branch, ()), strict=True)
                if code != ABSENT
            )
            self.left.append(VERTEX + own + sum(self.left[kid] for _, some in kids for kid in some))
        return known

    def of_records(self) -> dict[int, int]:
        """Give the pattern of every vertex that stays, inner ones after outer ones in number."""
        codes = codes_by_vertex(self.held)
        branch_of = self.held.trees.branch_of.tolist()
        found: dict[int, int] = {}
        for vertex in range(len(branch_of) - 1, -1, -1):
            if not self.held.kept[vertex]:
                continue
            branch = branch_of[vertex]
            labels = tuple(int(codes[at][vertex]) for at in self.quasi(branch))
            groups: dict[int, list[int]] = {}
            for child in self.held.children[vertex]:
                groups.setdefault(branch_of[child], []).append(found[child])
            kids = tuple((group, tuple(sorted(some))) for group, some in sorted(groups.items()))
            found[vertex] = self.number(branch, labels, kids)
        return found

    def delta(self, one: int, other: int, size: int) -> float:
        """Give the loss that is added when a subtree joins a pattern that stands for `size` of them."""
        if one == other:
            return 0.0
        key = (one, other, size)
        known = self._deltas.get(key)
        if known is None:
            known = self._deltas[key] = self.label_delta(one, other, size) + self.kids_delta(one, other, size)
        return known

    def label_delta(self, one: int, other: int, size: int) -> float:
        """Give what the labels of two vertices lose."""
        total = 0.0
        domains = self._domains.get(self.branch[one], ())
        for a, b, domain in zip(self.labels[one], self.labels[other], domains, strict=True):
            if a == b:
                continue
            loss = domain.loss
            if a == ABSENT:
                total += 1.0 - loss[b]
            elif b == ABSENT:
                total += size * (1.0 - loss[a])
            else:
                joined = loss[domain.join(a, b)]
                total += size * (joined - loss[a]) + joined - loss[b]
        return total

    def kids_delta(self, one: int, other: int, size: int) -> float:
        """Give what the children of two vertices lose when they are matched in the best way."""
        mine, theirs = dict(self.kids[one]), dict(self.kids[other])
        total, left = 0.0, self.left
        for branch in mine.keys() | theirs.keys():
            some, others = mine.get(branch, ()), theirs.get(branch, ())
            if some == others:
                continue
            if max(len(some), len(others)) > _PATTERNS_POOL_FEW:
                some, others = _apart(some, others)
            total += size * sum(left[kid] for kid in some) + sum(left[kid] for kid in others)
            if some and others:
                total += match_children(self.gains(some, others, size))[0]
        return total

    def gains(
        self, some: tuple[int, ...] | list[int], others: tuple[int, ...] | list[int], size: int
    ) -> list[list[float]]:
        """Say for every pair of children how much less is lost when it is matched than when both are suppressed."""
        left, delta = self.left, self.delta
        return [[delta(a, b, size) - size * left[a] - left[b] for b in others] for a in some]

    def pairs(self, some: list[int], others: list[int], size: int) -> Pairs:
        """Match children in the best way; equal ones first, for to part them never costs less."""
        places: dict[int, list[int]] = {}
        for at, pattern in enumerate(others):
            places.setdefault(pattern, []).append(at)
        found = [(at, places[pattern].pop(0)) for at, pattern in enumerate(some) if places.get(pattern)]
        taken = {at for at, _ in found}, {at for _, at in found}
        mine = [at for at in range(len(some)) if at not in taken[0]]
        theirs = [at for at in range(len(others)) if at not in taken[1]]
        if mine and theirs:
            best = match_children(self.gains([some[at] for at in mine], [others[at] for at in theirs], size))[1]
            found += [(mine[one], theirs[other]) for one, other in best]
        return sorted(found)

    def joined(self, one: int, other: int) -> Labels:
        """Give the labels that cover those of two vertices."""
        domains = self._domains.get(self.branch[one], ())
        return tuple(
            ABSENT if ABSENT in (a, b) else a if a == b else domain.join(a, b)
            for a, b, domain in zip(self.labels[one], self.labels[other], domains, strict=True)
        )


def _apart(some: tuple[int, ...], others: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Leave out what both have: equal children are matched for nothing, and to part them never costs less.

    With L monotone and L(b + c) <= L(a + b) + L(a + c) - L(a), as for nodes of a tree, intervals and sets, exchanging
    the partners of a and its equal for each other loses nothing.
    """
    both = Counter(some) & Counter(others)
    if not both:
        return some, others
    return tuple((Counter(some) - both).elements()), tuple((Counter(others) - both).elements())


Groups = dict[int, "list[SharedVertex]"]


@dataclass(slots=True, eq=False)
class SharedVertex:
    """One place of the shared structure: the vertex of every record there, its pattern, and the places below."""

    pattern: int
    vertices: list[int]
    below: Groups = field(default_factory=dict)


def initial_structure(pool: SubtreePatterns, found: dict[int, int], vertex: int) -> SharedVertex:
    """Give the structure of one record."""
    below: Groups = {}
    for child in pool.held.children[vertex]:
        below.setdefault(int(pool.held.trees.branch_of[child]), []).append(initial_structure(pool, found, child))
    return SharedVertex(found[vertex], [vertex], below)


def join_record(pool: SubtreePatterns, shared: SharedVertex, other: SharedVertex) -> None:
    """Let a record join: labels become what both have in common, children without a partner go."""
    size = len(shared.vertices)
    labels = pool.joined(shared.pattern, other.pattern)
    shared.vertices += other.vertices
    for branch in list(shared.below):
        mine, theirs = shared.below[branch], other.below.get(branch, [])
        pairs = pool.pairs([each.pattern for each in mine], [each.pattern for each in theirs], size)
        for at, partner in pairs:
            join_record(pool, mine[at], theirs[partner])
        shared.below[branch] = [mine[at] for at, _ in pairs]
        if not pairs:
            del shared.below[branch]
    shared.pattern = renumbered(pool, shared, labels)


def renumbered(pool: SubtreePatterns, shared: SharedVertex, labels: tuple[int, ...] | None = None) -> int:
    """Give the number of the pattern as it is now."""
    kids = tuple(
        (branch, tuple(sorted(each.pattern for each in some))) for branch, some in sorted(shared.below.items()) if some
    )
    own = pool.labels[shared.pattern] if labels is None else labels
    return pool.number(pool.branch[shared.pattern], own, kids)


class VertexDiversity:
    """Knows the sensitive labels of every vertex; a missing one is no value."""

    def __init__(self, held: EncodedRecords, least: int) -> None:
        self._least = least
        self._values: dict[int, dict[int, str]] = {}
        self._leaves: dict[int, list[int]] = {}
        self._branch_of = held.trees.branch_of
        for number, leaf in enumerate(held.sensitive if least > 1 else ()):
            texts = leaf.column.texts().tolist()
            self._values[number] = {
                vertex: text for vertex, text in zip(leaf.holders.tolist(), texts, strict=True) if text != MISSING
            }
            self._leaves.setdefault(leaf.branch, []).append(number)

    def holds_at(self, vertices: Sequence[int]) -> bool:
        """Tell whether every sensitive path has enough values at a place, or none at all."""
        for leaf in self._leaves.get(int(self._branch_of[vertices[0]]), ()):
            held = self._values[leaf]
            found = {held[vertex] for vertex in vertices if vertex in held}
            if 0 < len(found) < self._least:
                return False
        return True


Diverse = Callable[[list[int]], bool]


@dataclass(slots=True)
class RecordClustering:
    """Grows classes of at least k records that are various enough (after ClusTree, Ozalp et al., TOPS 2016)."""

    pool: SubtreePatterns
    k: int
    near: int
    is_diverse: Diverse
    classes: list[SharedVertex] = field(default_factory=list)
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
        total, own = len(waiting), list[SharedVertex]()
        while len(waiting) >= self.k:
            progress(1 - len(waiting) / total, "Growing classes")
            shared = initial_structure(self.pool, self._found, waiting.pop(0))
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

    def _take(self, shared: SharedVertex, waiting: list[int]) -> None:
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
        join_record(pool, shared, initial_structure(pool, self._found, waiting.pop(chosen)))

    def _take_alike(self, shared: SharedVertex, waiting: list[int]) -> None:
        """Let near records join that are what the class is already: they lose nothing."""
        alike = [at for at, vertex in enumerate(waiting[: self.near]) if self._found[vertex] == shared.pattern]
        for at in reversed(alike):
            join_record(self.pool, shared, initial_structure(self.pool, self._found, waiting.pop(at)))

    def _fewer(self, one: int, other: int, size: int) -> float:
        """Give what is lost at least because one has more children than the other."""
        mine, theirs = dict(self.pool.kids[one]), dict(self.pool.kids[other])
        total = 0.0
        for branch in mine.keys() | theirs.keys():
            more = len(mine.get(branch, ())) - len(theirs.get(branch, ()))
            total += VERTEX * (size * more if more > 0 else -more)
        return total

    def _join_cheapest(self, classes: list[SharedVertex], vertex: int) -> None:
        if not classes:
            self.left.append(vertex)
            return
        number = self._found[vertex]
        best = min(
            range(len(classes)),
            key=lambda at: (self.pool.delta(classes[at].pattern, number, len(classes[at].vertices)), at),
        )
        join_record(self.pool, classes[best], initial_structure(self.pool, self._found, vertex))


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class FullKAnonymity:
    """Classes of k records alike in every quasi-identifier of every vertex; children are matched optimally."""

    name: ClassVar[str] = "full"
    title: ClassVar[str] = "Whole structure (full k-anonymity)"
    summary: ClassVar[str] = (
        "Records become alike in groups of k, vertex by vertex: children are matched, what finds no partner goes."
    )
    reference: ClassVar[str] = (
        "after Ozalp, Gursoy, Nergiz and Saygin, Privacy-preserving publishing of hierarchical data, TOPS 2016"
    )
    attacks: ClassVar[str] = (
        "Whoever knows the method knows that left out children had no partner in their class; that tells that somebody "
        "of the class had more, not who."
    )
    intervals: ClassVar[bool] = True
    expects_patterns: ClassVar[bool] = False

    k: int = param(Int(low=1), default=5, label="k", help="Fewest records that are alike.", series=(2, 5, 10, 25))
    l: int = param(  # noqa: E741 - what everybody calls it
        Int(low=1), default=2, label="l", help="Fewest sensitive values at every vertex of a class.", series=(1, 2, 3)
    )
    near: int = param(
        Int(low=1, high=10_000), default=60, label="Candidates", series=(30, 60, 120),
        help="How many records are compared each time a class grows; more take longer and lose less.",
    )  # fmt: skip

    def promised(self, *, has_sensitive: bool) -> tuple[Promise, ...]:
        """Promise alike records, and values that differ where some are sensitive."""
        return (promise_k_anonymity(self.k), *([promise_l_diversity(self.l)] if self.l > 1 and has_sensitive else []))

    def run(self, held: EncodedRecords, progress: Progress) -> Outcome:
        """Grow classes and suppress what is not various enough; raises Infeasible."""
        if self.k > len(held.roots):
            raise Infeasible(
                message(
                    "There are only {records:record|records}, fewer than k = {k}.", records=len(held.roots), k=self.k
                ),
                "Take a smaller k.",
                goal="full",
            )
        variety = VertexDiversity(held, self.l)
        pool = SubtreePatterns(held)
        growing = RecordClustering(pool, self.k, self.near, variety.holds_at)
        growing.run(progress.sub(0.0, 0.95))
        if not growing.classes:
            raise Infeasible(
                message("The records themselves have fewer than l = {l} sensitive values.", l=self.l),
                "Take a smaller l, or another path as sensitive.",
                goal="l",
            )
        return _outcome(held, pool, growing, variety)


def _outcome(
    held: EncodedRecords, pool: SubtreePatterns, growing: RecordClustering, variety: VertexDiversity
) -> Outcome:
    """Write down which vertices stay, with which labels."""
    size = len(held.trees.vertices)
    kept = np.zeros(size, dtype=np.bool_)
    codes = tuple(np.full(size, ABSENT, dtype=np.int64) for _ in held.known)
    classes = np.full(len(held.trees), -1, dtype=np.int64)

    def keep(place: SharedVertex) -> None:
        vertices = np.array(place.vertices, dtype=np.int64)
        kept[vertices] = True
        for at, code in zip(pool.quasi(pool.branch[place.pattern]), pool.labels[place.pattern], strict=True):
            codes[at][vertices] = code
        for some in place.below.values():
            for each in some:
                if variety.holds_at(each.vertices):
                    keep(each)

    for number, shared in enumerate(growing.classes):
        classes[held.trees.record_of[shared.vertices]] = number
        keep(shared)
    _keep_around(held, kept)
    notes = (
        (message("{left:record is|records are} of a kind too rare to leave.", left=len(growing.left)),)
        if growing.left
        else ()
    )
    return Outcome(kept, codes, classes, notes=notes)


def _keep_around(held: EncodedRecords, kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> None:
    """Keep what stands around the records that leave."""
    for root in held.roots:
        at = int(held.trees.parent_of[root]) if kept[root] else -1
        while at >= 0:
            kept[at] = True
            at = int(held.trees.parent_of[at])
