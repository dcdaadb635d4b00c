"""The search for the node of least loss among all nodes of a lattice, with proof that there is none better."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.check import Checker, Verdict
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.lattice import PRUNED, Lattice, Node, published_levels

N = TypeVar("N", bound=np.generic)

_REACH = 1.25  # of some values tried, the one with fewest checks on Adult


class Search:
    """What is known about every node of one lattice while it is searched.

    What a node costs without suppression never exceeds what it costs with it. Costs of cells follow from the columns
    alone; costs of classes bound all nodes above a checked one. Rows that must be suppressed at a node must be so at
    every node below: their cost is added to the bound of those nodes, and when there are too many of them, all nodes
    below are out. Nothing else is assumed, so goals that compare with the rows that remain are safe, too.
    """

    def __init__(self, checker: Checker, checks: int) -> None:
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

    def check(self, node: Node) -> Verdict:
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
