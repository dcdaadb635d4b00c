"""One node of the lattice at a time: its classes, what must be suppressed, and what it loses."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import PromiseBroken
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded
from anonymizer_gui.engine.rooms.microdata.algorithms.dropping import is_decided
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.lattice import (
    CHOSEN,
    SATISFIED,
    VIOLATED,
    Ladder,
    Lattice,
    Node,
    Rolled,
    published_levels,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.objectives import OBJECTIVES, LeastLoss
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import Settled, settle
from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.privacy.contract import Groups
from anonymizer_gui.engine.rooms.microdata.size import Size

_KEPT_SHARE = 0.7
_TIE = 1e-9
_KEPT_BYTES = 1 << 30
_KEPT_BYTES_PER_TUPLE = 4000
_KEPT_BYTES_ANYWAY = 1 << 24


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
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


def most_kept(n_tuples: int) -> int:
    """Give how many bytes of classes may be kept for rolling up from them."""
    return min(_KEPT_BYTES_ANYWAY + _KEPT_BYTES_PER_TUPLE * n_tuples, _KEPT_BYTES)


def kept_memory(size: Size) -> int:
    """Give the bytes of classes that will be kept at most, with the gaps between them."""
    of_node = 16 * size.tuples + 24 * size.entries
    return min(most_kept(size.tuples), size.lattice * of_node) * 9 // 8


class RollUps:
    """The classes of checked nodes, each rolled up from the smallest known one below it."""

    def __init__(self, ladder: Ladder) -> None:
        self._ladder = ladder
        self._known = [ladder.base()]
        self._levels = np.array([self._known[0].node])
        self._sizes = np.array([len(self._known[0].first_tuples)])
        self._bytes = 0
        self._most_bytes = most_kept(int(self._sizes[0]))

    def roll(self, node: Node) -> Rolled:
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


class Checker:
    """Checks nodes, remembers what it saw and the best of it.

    Of nodes that lose the same the one of least MD is best, then the lowest, then the first: so nothing is lifted
    that need not be, and the order in which nodes are checked does not show.
    """

    def __init__(self, encoded: Encoded, goals: Goals, allowed: int, objective: str = "lm", target: str = "") -> None:
        self.encoded, self.goals, self.allowed = encoded, goals, allowed
        self.ladder = Ladder(encoded)
        self.loss = LeastLoss(self.ladder)
        self.objective = self.loss if objective == self.loss.name else OBJECTIVES[objective](self.ladder, target)
        self.seen: dict[Node, Verdict] = {}
        self.best = np.inf
        self.best_node: Node | None = None
        self.slack = _TIE * max(encoded.n_rows, 1)
        self._rolls = RollUps(self.ladder)
        self._md: dict[Node, int] = {}

    @property
    def top(self) -> Node:
        """The most general node."""
        return tuple(levels - 1 for levels in self.ladder.shape)

    @property
    def is_by_loss(self) -> bool:
        """Whether LM is what is made small."""
        return self.objective is self.loss

    def check(self, node: Node) -> Verdict:
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

    def _settled(self, node: Node) -> tuple[Rolled, Settled]:
        rolled = self._rolled(node)
        settled = self._settle(rolled)
        if settled is None:
            raise PromiseBroken("A node of the lattice was taken for one that satisfies.")
        return rolled, settled

    def _rolled(self, node: Node) -> Rolled:
        rolled = self._rolls.roll(node)
        return self.ladder.with_cells(rolled) if self.goals.need_cells else rolled

    def _settle(self, rolled: Rolled) -> Settled | None:
        price = None
        if self.goals.compare_with_whole or self.goals.of_table:
            price = self.objective.gaps(rolled, np.arange(len(rolled.first_tuples)))
        return settle(rolled.groups, self.goals, self.allowed, price)

    def _decide(self, rolled: Rolled) -> Verdict:
        sizes = rolled.groups.sizes
        lost = self._hopeless(rolled.groups)
        hopeless = int(sizes[lost].sum())
        settled = self._settle(rolled) if hopeless <= self.allowed else None
        decided = hopeless > self.allowed or not self.allowed or is_decided(rolled.groups, self.goals)
        priced, which = self.objective, np.flatnonzero(lost)
        published, lm = priced.published(rolled), self.loss.published(rolled)
        least = priced.left_out(rolled, which) if hopeless <= self.allowed else np.inf
        if settled is None:
            return Verdict(False, np.inf, -1, -1, hopeless, least, decided, published, lm)
        dropped = np.flatnonzero(~settled.kept)
        cost = published + float(priced.gaps(rolled, dropped).sum())
        lm = cost if self.is_by_loss else lm + float(self.loss.gaps(rolled, dropped).sum())
        k = int(rolled.groups.people[settled.kept & (sizes > 0)].min(initial=self.encoded.n_rows))
        decided = decided or settled.suppressed == hopeless
        return Verdict(True, cost, k, settled.suppressed, hopeless, least, decided, published, lm)

    def _hopeless(self, groups: Groups) -> npt.NDArray[np.bool_]:
        lost = (groups.people < self.goals.least_rows) & (groups.sizes > 0)
        for model in self.goals.models:
            if self.goals.fails_in_parts(model) and not model.by_size_alone:  # of sizes it is known already
                lost |= ~model.satisfied(groups, self.goals.whole) & (groups.sizes > 0)
        return lost


def _bytes_of(rolled: Rolled) -> int:
    counted = rolled.groups.sensitive.values()
    of_people = 0 if rolled.groups.persons is None else 2 * rolled.groups.persons.entries.nbytes
    of_values = sum(3 * h.counts.nbytes for h in counted)
    return rolled.first_tuples.nbytes + rolled.groups.sizes.nbytes + of_values + of_people
