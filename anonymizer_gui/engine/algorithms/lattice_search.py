"""The search for the node of least loss among all nodes of a lattice, with proof that there is none better."""

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.algorithms.contract import Encoded, Recoding
from anonymizer_gui.engine.algorithms.lattice import Ladder, Lattice, Node, Rolled
from anonymizer_gui.engine.algorithms.suppression import Settled, settle
from anonymizer_gui.engine.goals import Goals
from anonymizer_gui.engine.progress import Progress

_KEPT_SHARE = 0.7
_KEPT_CELLS = 40_000_000
_TOLERANCE = 1e-9
_PRUNED, _VIOLATED, _SATISFIED, _CHOSEN = range(4)


class RollUps:
    """The classes of checked nodes, each rolled up from the smallest known one below it."""

    def __init__(self, ladder: Ladder) -> None:
        self._ladder = ladder
        self._known = [ladder.base()]
        self._levels = np.array([self._known[0].node])
        self._sizes = np.array([len(self._known[0].first_tuples)])

    def roll(self, node: Node) -> Rolled:
        """Give the classes of a node."""
        below = np.flatnonzero((self._levels <= np.array(node)).all(axis=1))
        source = self._known[int(below[self._sizes[below].argmin()])]
        if source.node == node:
            return source
        rolled = self._ladder.roll_up(source, node)
        size = len(rolled.first_tuples)
        if size < _KEPT_SHARE * len(source.first_tuples) and int(self._sizes.sum()) + size < _KEPT_CELLS:
            self._known.append(rolled)
            self._levels = np.vstack([self._levels, node])
            self._sizes = np.append(self._sizes, size)
        return rolled


class Search:
    """What is known about every node of one lattice while it is searched.

    The loss of a node without suppression follows from the columns alone and never exceeds its loss with
    suppression. Rows in classes below the least size stay in such classes at every node below: their cost is
    added to the bound of those nodes, and when there are more of them than may be suppressed, all nodes below are out.
    """

    def __init__(self, encoded: Encoded, goals: Goals, allowed: int) -> None:
        self.encoded, self.goals, self.allowed = encoded, goals, allowed
        self.ladder = Ladder(encoded)
        self.rolls = RollUps(self.ladder)
        shape = self.ladder.shape
        self.bound = _outer_sum(self.ladder.marginal_losses)
        self.pure = self.bound.copy()
        self.out = np.zeros(shape, dtype=np.bool_)
        self.state = np.full(shape, _PRUNED, dtype=np.uint8)
        self.cost = np.full(shape, np.nan)
        self.k = np.full(shape, -1, dtype=np.int64)
        self.suppressed = np.full(shape, -1, dtype=np.int64)
        self.best = np.inf
        self.found: tuple[Rolled, Settled] | None = None

    def open_nodes(self) -> npt.NDArray[np.bool_]:
        """Say which nodes may still be better than the best so far."""
        slack = _TOLERANCE * max(self.encoded.n_rows, 1)
        return np.asarray(~self.out & (self.state == _PRUNED) & (self.bound < self.best - slack))

    def find_optimum(self, progress: Progress) -> None:
        """Check nodes until none is open: those with most nodes below first, for they rule out most."""
        volume = _volume(self.ladder.shape)
        top = tuple(levels - 1 for levels in self.ladder.shape)
        self.check(top)
        while True:
            still_open = self.open_nodes()
            left = int(np.count_nonzero(still_open))
            if not left:
                return
            progress(1 - left / still_open.size, f"Searching the lattice: {left:,} nodes left")
            self.check(_node_at(int(np.where(still_open, volume, 0).argmax()), still_open.shape))

    def find_first_level(self, progress: Progress) -> None:
        """Check whole levels of the lattice from below; stop at the first with a node that satisfies."""
        heights = _outer_sum([np.arange(levels, dtype=np.float64) for levels in self.ladder.shape]).astype(np.int64)
        lowest, highest = 0, int(heights.max())
        if self._is_monotone():
            while lowest < highest:
                middle = (lowest + highest) // 2
                if self._check_level(heights == middle, progress, first_only=True):
                    highest = middle
                else:
                    lowest = middle + 1
        for height in range(lowest, int(heights.max()) + 1):
            self.best, self.found = np.inf, None
            if self._check_level(heights == height, progress, first_only=False):
                return

    def check(self, node: Node) -> bool:
        """Decide about one node, and what follows for those below it; say whether it satisfies."""
        rolled = self.rolls.roll(node)
        sizes = rolled.groups.sizes
        small = (sizes < self.goals.least_rows) & (sizes > 0)
        n_small = int(sizes[small].sum())
        below = tuple(slice(0, level + 1) for level in node)
        settled = settle(rolled.groups, self.goals, self.allowed) if n_small <= self.allowed else None
        self.state[node] = _VIOLATED if settled is None else _SATISFIED
        if n_small > self.allowed or (settled is None and not self.allowed):
            self.out[below] = True
        elif n_small:
            np.maximum(self.bound[below], self.pure[below] + self._penalty(rolled, small), out=self.bound[below])
        if settled is not None:
            self._note(rolled, settled)
        return settled is not None

    def outcome(self) -> Recoding | None:
        """Publish the best node found; None when no node satisfies."""
        if self.found is None:
            return None
        return self.ladder.recoding(*self.found, search=self.lattice(self.found[0].node))

    def lattice(self, chosen: Node, complete: bool = True) -> Lattice:
        """Give what was seen, for drawing."""
        state = self.state.copy()
        state[chosen] = _CHOSEN
        n_rows = max(self.encoded.n_rows, 1)
        lowest = np.array([min(qi.lowest, qi.top) for qi in self.encoded.qis])
        levels = np.indices(state.shape).reshape(state.ndim, -1).T + lowest
        at = int(np.ravel_multi_index(chosen, state.shape))
        lm = np.where(np.isnan(self.cost), self.bound, self.cost).reshape(-1) / n_rows
        return Lattice(
            columns=tuple(qi.name for qi in self.encoded.qis),
            levels=levels.astype(np.int32),
            state=state.reshape(-1),
            lm=lm,
            k=self.k.reshape(-1),
            suppressed=self.suppressed.reshape(-1),
            chosen=at,
            bound=float(lm[at]),
            complete=complete,
        )

    def _note(self, rolled: Rolled, settled: Settled) -> None:
        sizes, node = rolled.groups.sizes, rolled.node
        cost = float(self.pure[node] + self._penalty(rolled, ~settled.kept))
        self.cost[node], self.suppressed[node] = cost, settled.suppressed
        self.k[node] = int(sizes[settled.kept & (sizes > 0)].min(initial=self.encoded.n_rows))
        if cost < self.best:
            self.best, self.found = cost, (rolled, settled)

    def _penalty(self, rolled: Rolled, dropped: npt.NDArray[np.bool_]) -> float:
        which = np.flatnonzero(dropped)
        losses = self.ladder.row_losses(rolled.node, rolled.first_tuples[which])
        return float(rolled.groups.sizes[which] @ (1.0 - losses))

    def _is_monotone(self) -> bool:
        """Whether every node above one that satisfies does so too."""
        return not self.allowed or not any(m.needs_sensitive or m.needs_population for m in self.goals.models)

    def _check_level(self, level: npt.NDArray[np.bool_], progress: Progress, *, first_only: bool) -> bool:
        satisfied = False
        nodes = np.flatnonzero(level & ~self.out)
        for done, at in enumerate(nodes.tolist()):
            progress(done / len(nodes), "Searching one level of the lattice")
            satisfied |= self.check(_node_at(at, level.shape))
            if satisfied and first_only:
                break
        return satisfied


def _node_at(index: int, shape: Node) -> Node:
    return tuple(int(level) for level in np.unravel_index(index, shape))


def _outer_sum(columns: list[npt.NDArray[np.float64]]) -> npt.NDArray[np.float64]:
    total = np.zeros(())
    for column in columns:
        total = total[..., None] + column
    return np.asarray(total, dtype=np.float64)


def _volume(shape: Node) -> npt.NDArray[np.float64]:
    """Give the number of nodes below each node, itself included."""
    return np.exp(_outer_sum([np.log(np.arange(1, levels + 1)) for levels in shape]))
