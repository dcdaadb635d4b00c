"""Nodes checked, rolled up, pruned; exact and partial search."""

import heapq
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import PromiseBroken
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice import (
    CHOSEN,
    PRUNED,
    SATISFIED,
    VIOLATED,
    Lattice,
    LevelTables,
    Node,
    RolledUpClasses,
    published_levels,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.objectives import OBJECTIVES, LeastLoss
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import Suppression, is_exhaustive, suppress_groups
from anonymizer_gui.engine.rooms.microdata.models.contract import ClassGroups, GoalSet
from anonymizer_gui.engine.rooms.microdata.recoding import ProblemSize, Recoding

_KEPT_SHARE = 0.7

_TIE = 1e-9

_KEPT_BYTES = 1 << 30

_KEPT_BYTES_PER_TUPLE = 4000

_KEPT_BYTES_ANYWAY = 1 << 24


@dataclass(frozen=True, slots=True, eq=False)
class NodeResult:
    """What is known of a checked node; cost summed over rows, k and suppressed rows where it satisfies.

    `published` is what it would cost without suppression, `lm` its loss summed over rows, whatever the objective.

    `hopeless` rows are in classes all of whose parts fail, so that they must be suppressed at this node and at
    every node below it; `least_cost` is what they add at least to the loss of any of these nodes. `decided` says that
    there is no better choice of rows to leave out at this node, and none at all where it does not satisfy.
    """

    satisfied: bool
    cost: float
    k: int
    suppressed: int
    hopeless: int
    least_cost: float
    decided: bool
    published: float
    lm: float


def cache_limit(n_tuples: int) -> int:
    """Give how many bytes of classes may be kept for rolling up from them."""
    return min(_KEPT_BYTES_ANYWAY + _KEPT_BYTES_PER_TUPLE * n_tuples, _KEPT_BYTES)


def cache_memory(size: ProblemSize) -> int:
    """Give the bytes of classes that will be kept at most, with the gaps between them."""
    of_node = 16 * size.tuples + 24 * size.entries
    return min(cache_limit(size.tuples), size.lattice * of_node) * 9 // 8


class RollUpCache:
    """The classes of checked nodes, each rolled up from the smallest known one below it."""

    def __init__(self, ladder: LevelTables) -> None:
        self._ladder = ladder
        self._known = [ladder.base()]
        self._levels = np.array([self._known[0].node])
        self._sizes = np.array([len(self._known[0].first_tuples)])
        self._bytes = 0
        self._most_bytes = cache_limit(int(self._sizes[0]))

    def roll(self, node: Node) -> RolledUpClasses:
        """Give the classes of a node."""
        below = np.flatnonzero((self._levels <= np.array(node)).all(axis=1))
        source = self._known[int(below[self._sizes[below].argmin()])]
        if source.node == node:
            return source
        rolled = self._ladder.roll_up(source, node)
        size = len(rolled.first_tuples)
        needed = _bytes_of(rolled)
        if size < _KEPT_SHARE * len(source.first_tuples) and self._bytes + needed < self._most_bytes:
            self._known.append(rolled)
            self._bytes += needed
            self._levels = np.vstack([self._levels, node])
            self._sizes = np.append(self._sizes, size)
        return rolled


class NodeChecker:
    """Checks nodes, remembers what it saw and the best of it.

    Of nodes that lose the same the one of least MD is best, then the lowest, then the first: so nothing is lifted
    that need not be, and the order in which nodes are checked does not show.
    """

    def __init__(
        self, encoded: EncodedTable, goals: GoalSet, allowed: int, objective: str = "lm", target: str = ""
    ) -> None:
        self.encoded, self.goals, self.allowed = encoded, goals, allowed
        self.ladder = LevelTables(encoded)
        self.loss = LeastLoss(self.ladder)
        self.objective = self.loss if objective == self.loss.name else OBJECTIVES[objective](self.ladder, target)
        self.seen: dict[Node, NodeResult] = {}
        self.best = np.inf
        self.best_node: Node | None = None
        self.slack = _TIE * max(encoded.n_rows, 1)
        self._rolls = RollUpCache(self.ladder)
        self._md: dict[Node, int] = {}

    @property
    def top(self) -> Node:
        """The most general node."""
        return tuple(levels - 1 for levels in self.ladder.shape)

    @property
    def is_by_loss(self) -> bool:
        """Whether LM is what is made small."""
        return self.objective is self.loss

    def check(self, node: Node) -> NodeResult:
        """Decide about one node."""
        if node not in self.seen:
            verdict = self.seen[node] = self._decide(self._rolled(node))
            if verdict.satisfied and self.prefers(node, self.best_node):
                self.best_node = node
            self.best = min(self.best, verdict.cost)
        return self.seen[node]

    def prefers(self, node: Node, other: Node | None) -> bool:
        """Say whether a node that satisfies is better than another one."""
        if other is None:
            return True
        ours, theirs = self.seen[node].cost, self.seen[other].cost
        if abs(ours - theirs) > self.slack:
            return ours < theirs
        return (self.md(node), sum(node), node) < (self.md(other), sum(other), other)

    def md(self, node: Node) -> int:
        """Count the levels climbed at a node that satisfies; a record that is left out climbs to the top."""
        if node not in self._md:
            rolled, settled = self._settled(node)
            which = np.flatnonzero(~settled.kept)
            fallen = rolled.groups.sizes[which] * self.ladder.row_depths(node, rolled.first_tuples[which])
            climbed = sum(int(c[level]) for c, level in zip(self.ladder.marginal_climbs, node, strict=True))
            self._md[node] = climbed + int(fallen.sum())
        return self._md[node]

    def publish(self, node: Node, search: Lattice, notes: tuple[str, ...] = ()) -> Recoding:
        """Publish a node that satisfies."""
        rolled, settled = self._settled(node)
        return replace(self.ladder.recoding(rolled, settled), search=search, notes=notes)

    def lattice(self, chosen: Node, bound: float) -> Lattice:
        """Give the nodes that were checked, for drawing; `bound` is the least cost any node can have.

        Under another objective only the LM of the lowest node bounds that of all.
        """
        nodes, verdicts = list(self.seen), list(self.seen.values())
        n_rows = max(self.encoded.n_rows, 1)
        costs = [v.lm for v in verdicts]
        state = np.array([SATISFIED if v.satisfied else VIOLATED for v in verdicts], dtype=np.uint8)
        state[nodes.index(chosen)] = CHOSEN
        return Lattice(
            columns=tuple(qi.name for qi in self.encoded.qis),
            levels=published_levels(self.encoded, np.array(nodes)),
            state=state,
            lm=np.array(costs) / n_rows,
            k=np.array([v.k for v in verdicts], dtype=np.int64),
            suppressed=np.array([v.suppressed for v in verdicts], dtype=np.int64),
            chosen=nodes.index(chosen),
            bound=(bound if self.is_by_loss else self.loss.least((0,) * len(chosen))) / n_rows,
            complete=False,
        )

    def rules_out_below(self, node: Node) -> bool:
        """Say whether no node below a checked one can satisfy.

        That is so when too many rows must be suppressed there, too; and without suppression whenever the node
        fails, where every goal that a table keeps is kept when its classes are merged.
        """
        verdict = self.check(node)
        fails = not (verdict.satisfied or self.allowed)
        return verdict.hopeless > self.allowed or (self.goals.stay_when_merged and fails)

    def _settled(self, node: Node) -> tuple[RolledUpClasses, Suppression]:
        rolled = self._rolled(node)
        settled = self._settle(rolled)
        if settled is None:
            raise PromiseBroken("A node of the lattice was taken for one that satisfies.")
        return rolled, settled

    def _rolled(self, node: Node) -> RolledUpClasses:
        rolled = self._rolls.roll(node)
        return self.ladder.with_cells(rolled) if self.goals.need_cells else rolled

    def _settle(self, rolled: RolledUpClasses) -> Suppression | None:
        price = None
        if self.goals.compare_with_whole or self.goals.of_table:
            price = self.objective.gaps(rolled, np.arange(len(rolled.first_tuples)))
        return suppress_groups(rolled.groups, self.goals, self.allowed, price)

    def _decide(self, rolled: RolledUpClasses) -> NodeResult:
        sizes = rolled.groups.sizes
        lost = self._hopeless(rolled.groups)
        hopeless = int(sizes[lost].sum())
        settled = self._settle(rolled) if hopeless <= self.allowed else None
        decided = hopeless > self.allowed or not self.allowed or is_exhaustive(rolled.groups, self.goals)
        priced, which = self.objective, np.flatnonzero(lost)
        published, lm = priced.published(rolled), self.loss.published(rolled)
        least = priced.left_out(rolled, which) if hopeless <= self.allowed else np.inf
        if settled is None:
            return NodeResult(False, np.inf, -1, -1, hopeless, least, decided, published, lm)
        dropped = np.flatnonzero(~settled.kept)
        cost = published + float(priced.gaps(rolled, dropped).sum())
        lm = cost if self.is_by_loss else lm + float(self.loss.gaps(rolled, dropped).sum())
        k = int(rolled.groups.people[settled.kept & (sizes > 0)].min(initial=self.encoded.n_rows))
        decided = decided or settled.suppressed == hopeless
        return NodeResult(True, cost, k, settled.suppressed, hopeless, least, decided, published, lm)

    def _hopeless(self, groups: ClassGroups) -> npt.NDArray[np.bool_]:
        lost = (groups.people < self.goals.least_rows) & (groups.sizes > 0)
        for model in self.goals.models:
            if self.goals.fails_in_parts(model) and not model.by_size_alone:  # of sizes it is known already
                lost |= ~model.satisfied(groups, self.goals.whole) & (groups.sizes > 0)
        return lost


def _bytes_of(rolled: RolledUpClasses) -> int:
    counted = rolled.groups.sensitive.values()
    of_people = 0 if rolled.groups.persons is None else 2 * rolled.groups.persons.entries.nbytes
    of_values = sum(3 * h.counts.nbytes for h in counted)
    return rolled.first_tuples.nbytes + rolled.groups.sizes.nbytes + of_values + of_people


N = TypeVar("N", bound=np.generic)

_REACH = 1.25  # of some values tried, the one with fewest checks on Adult


class LatticeSearch:
    """What is known about every node of one lattice while it is searched.

    What a node costs without suppression never exceeds what it costs with it. Costs of cells follow from the columns
    alone; costs of classes bound all nodes above a checked one. Rows that must be suppressed at a node must be so at
    every node below: their cost is added to the bound of those nodes, and when there are too many of them, all nodes
    below are out. Nothing else is assumed, so goals that compare with the rows that remain are safe, too.
    """

    def __init__(self, checker: NodeChecker, checks: int) -> None:
        self.checker, self.checks = checker, checks
        self.pure = _outer_sum(checker.objective.marginals)
        self.bound = self.pure.copy()
        self.climbs = _outer_sum(checker.ladder.marginal_climbs)
        self.heights = _outer_sum([np.arange(levels) for levels in self.pure.shape])
        self.out = np.zeros(self.pure.shape, dtype=np.bool_)
        self.checked = np.zeros(self.pure.shape, dtype=np.bool_)

    @property
    def finished(self) -> bool:
        """Whether the search came to its end before its checks were used up."""
        return len(self.checker.seen) < self.checks

    def find_optimum(self, progress: Progress) -> Node | None:
        """Check nodes until none can lose less than the best, then those that may lose as much and be better."""
        slack = self.checker.slack
        self._sweep(lambda: self.bound < self.checker.best - slack, progress)
        self._sweep(self._as_good, progress)
        return self.checker.best_node

    def _as_good(self) -> npt.NDArray[np.bool_]:
        """Say which nodes may lose as much as the best with a smaller MD, or with the same from further down."""
        best = self.checker.best_node
        if best is None:
            return np.zeros(self.pure.shape, dtype=np.bool_)
        md, height, place = self.checker.md(best), sum(best), int(np.ravel_multi_index(best, self.pure.shape))
        before = (self.heights == height) & (np.arange(self.pure.size).reshape(self.pure.shape) < place)
        fewer = (self.climbs < md) | ((self.climbs == md) & ((self.heights < height) | before))
        return np.asarray(fewer & (self.bound <= self.checker.seen[best].cost + self.checker.slack))

    def find_first_level(self, progress: Progress) -> Node | None:
        """Find the lowest level of the lattice with a node that satisfies, and the best node of that level."""
        self._sweep(lambda: self.heights < self._lowest(), progress.sub(0.0, 0.7))
        lowest = self._lowest()
        self._sweep(lambda: self.heights == lowest, progress.sub(0.7, 1.0))
        best: Node | None = None
        for node, verdict in self.checker.seen.items():
            if verdict.satisfied and sum(node) == lowest and self.checker.prefers(node, best):
                best = node
        return best

    def check(self, node: Node) -> NodeResult:
        """Decide about one node, and what follows for those below it."""
        verdict = self.checker.check(node)
        below = tuple(slice(0, level + 1) for level in node)
        self.checked[node] = True
        if self.checker.rules_out_below(node):
            self.out[below] = True
        elif verdict.least_cost:
            np.maximum(self.bound[below], self.pure[below] + verdict.least_cost, out=self.bound[below])
        if self.checker.objective.by_class:
            above = tuple(slice(level, None) for level in node)
            np.maximum(self.bound[above], verdict.published, out=self.bound[above])
        return verdict

    def least_loss(self) -> float:
        """Give what any node that satisfies loses at least, summed over rows.

        A checked node may lose less than was found where another choice of rows to leave out was not looked at.
        """
        known = self.checked.copy()
        for node, verdict in self.checker.seen.items():
            known[node] &= verdict.decided
        return float(self.bound[~self.out & ~known].min(initial=self.checker.best))

    def lattice(self, chosen: Node) -> Lattice:
        """Give every node of the lattice, checked or pruned, for drawing."""
        shape, n_rows = self.pure.shape, max(self.checker.encoded.n_rows, 1)
        checked = self.checker.lattice(chosen, self.least_loss())
        least = self.bound if self.checker.is_by_loss else _outer_sum(self.checker.loss.marginals)
        at = np.ravel_multi_index(tuple(np.array(list(self.checker.seen)).T), shape)
        return replace(
            checked,
            levels=published_levels(self.checker.encoded, np.indices(shape).reshape(len(shape), -1).T),
            state=_filled(np.full(self.pure.size, PRUNED, dtype=np.uint8), at, checked.state),
            lm=_filled(least.reshape(-1) / n_rows, at, checked.lm),
            k=_filled(np.full(self.pure.size, -1), at, checked.k),
            suppressed=_filled(np.full(self.pure.size, -1), at, checked.suppressed),
            chosen=int(at[checked.chosen]),
            complete=True,
        )

    def _sweep(self, wanted: Callable[[], npt.NDArray[np.bool_]], progress: Progress) -> None:
        """Check wanted nodes until none is left: first those with many nodes below and a bound well below the best."""
        volume = _volume(self.pure.shape)
        while True:
            still_open = wanted() & ~self.out & ~self.checked
            left = int(np.count_nonzero(still_open))
            if not left or not self.finished:
                return
            progress(1 - left / still_open.size, message("Searching the lattice: {left:node|nodes} left", left=left))
            promise = np.maximum(_REACH * self.checker.best - self.bound, 0) if self.checker.best_node else 1.0
            self.check(_node_at(int(np.where(still_open, volume * promise, -1).argmax()), still_open.shape))

    def _lowest(self) -> float:
        """Give the height of the lowest node known to satisfy."""
        return min((sum(node) for node, verdict in self.checker.seen.items() if verdict.satisfied), default=np.inf)


def _node_at(index: int, shape: Node) -> Node:
    return tuple(int(level) for level in np.unravel_index(index, shape))


def _filled(start: npt.NDArray[N], at: npt.NDArray[np.intp], values: npt.NDArray[N]) -> npt.NDArray[N]:
    start[at] = values
    return start


def _outer_sum(columns: list[npt.NDArray[N]]) -> npt.NDArray[N]:
    total = columns[0]
    for column in columns[1:]:
        total = np.add.outer(total, column)
    return total


def _volume(shape: Node) -> npt.NDArray[np.float64]:
    """Give the number of nodes below each node, itself included."""
    volume = np.ones(())
    for levels in shape:
        volume = np.multiply.outer(volume, np.arange(1, levels + 1))
    return np.asarray(volume, dtype=np.float64)


_FEWEST_CHECKS = 100

_LOOKED_AT = 500_000_000  # about a minute of work


def narrow_levels(checker: NodeChecker, progress: Progress) -> EncodedTable:
    """Raise the lowest level of each column to where the goals can hold with all other columns at the top."""
    qis = []
    for j, qi in enumerate(checker.encoded.qis):
        progress(j / len(checker.encoded.qis), message("Looking for the lowest level of “{column}”", column=qi.name))
        lowest = _lowest_level(checker, j)
        qis.append(replace(qi, lowest=min(qi.lowest, qi.top) + lowest))
    return replace(checker.encoded, qis=tuple(qis))


def _lowest_level(checker: NodeChecker, j: int) -> int:
    for level in range(checker.top[j]):
        if not checker.rules_out_below((*checker.top[:j], level, *checker.top[j + 1 :])):
            return level
    return checker.top[j]


def check_limit(most: int, encoded: EncodedTable) -> int:
    """Give how many nodes a search in part checks: as many as asked for, on large tables fewer.

    Counted in what is looked at and not by the clock, so that every machine ends at the same node.
    """
    looked_at = len(encoded.tuples) + sum(len(h.counts) for h in encoded.sensitive.values())
    looked_at += 0 if encoded.persons is None else len(encoded.persons.entries)
    return min(most, max(_FEWEST_CHECKS, _LOOKED_AT // max(looked_at, 1)))


def search_downwards(checker: NodeChecker, checks: int, progress: Progress) -> bool:
    """Check the nodes below the best ones first, until the checks are used up.

    Says whether every node was checked or ruled out: then the best is the optimum.
    """
    start = len(checker.seen)
    checker.check(checker.top)
    waiting = [(_rank(checker, node), node) for node in checker.seen if not checker.rules_out_below(node)]
    heapq.heapify(waiting)
    out = np.array([node for node in checker.seen if checker.rules_out_below(node)], dtype=np.int64)
    out = out.reshape(-1, len(checker.top))
    while waiting and len(checker.seen) - start < checks:
        for node in _below(heapq.heappop(waiting)[1]):
            if node in checker.seen or (out >= np.array(node)).all(axis=1).any():
                continue
            progress((len(checker.seen) - start) / checks, "Searching a part of the lattice")
            if checker.rules_out_below(node):
                out = np.vstack([out, node])
            else:
                heapq.heappush(waiting, (_rank(checker, node), node))
    return not waiting and all(verdict.decided for verdict in checker.seen.values())


def _below(node: Node) -> list[Node]:
    return [(*node[:j], level - 1, *node[j + 1 :]) for j, level in enumerate(node) if level]


def _rank(checker: NodeChecker, node: Node) -> tuple[bool, float]:
    """Put nodes that satisfy first, by their cost; others by what they would cost without suppression."""
    verdict = checker.check(node)
    return not verdict.satisfied, verdict.cost if verdict.satisfied else verdict.published
