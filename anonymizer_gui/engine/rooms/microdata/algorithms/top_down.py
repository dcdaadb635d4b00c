"""The possible splits of many classes at once, one per class and column, and the choice among them."""

from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram, group_rows
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import (
    ALGORITHMS,
    Algorithm,
    EncodedTable,
    QuasiIdentifier,
    SearchLimits,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.feasibility import explain_infeasible
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import most_general_groups, recoding_of_nodes
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice import Node, level_tables_memory, merge_groups
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice_search import NodeChecker, NodeResult, cache_memory
from anonymizer_gui.engine.rooms.microdata.algorithms.objectives import (
    CLASSIFICATION,
    ObjectiveCosts,
    least_cost,
    objective_param,
    target_param,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import (
    allowed_suppressions,
    remaining_table,
    suppress_tuples,
)
from anonymizer_gui.engine.rooms.microdata.models.contract import ClassGroups, GoalSet
from anonymizer_gui.engine.rooms.microdata.recoding import LEAST_LOSS, ProblemSize, Recoding, SizeLimit

Ints = npt.NDArray[np.int64]

Nodes = npt.NDArray[np.int32]

Floats = npt.NDArray[np.float64]

Flags = npt.NDArray[np.bool_]

EVERYTHING = slice(None)

_DIGITS = 9


@dataclass(frozen=True, slots=True)
class SplitRules:
    """How splits are chosen (`lm-gain`, `fewest-children`, `most-children`), and whether an empty child forbids one."""

    choice: str = "lm-gain"
    empty_child_violates: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ClassTuples:
    """The tuples of some classes: which, their leaves, the class of each (numbered from 0), what goals ask of each."""

    who: Ints
    tuples: Nodes
    owner: Ints
    groups: ClassGroups
    nodes: Nodes
    """The current node of each class and column."""

    @classmethod
    def of(cls, encoded: EncodedTable, class_of_tuple: Ints, classes: Ints, nodes: Nodes) -> "ClassTuples":
        """Gather the tuples of some classes (numbers in rising order) with their nodes."""
        place = np.full(int(max(class_of_tuple.max(initial=0), classes.max(initial=0))) + 2, -1, dtype=np.int64)
        place[classes] = np.arange(len(classes))
        owner = place.take(class_of_tuple)
        who = np.flatnonzero(owner >= 0)
        number = np.full(len(class_of_tuple), -1, dtype=np.int64)
        number[who] = np.arange(len(who))
        sensitive = {name: _part(h, number, len(who)) for name, h in encoded.sensitive.items()}
        population = None if encoded.population is None else encoded.population[who]
        persons = None if encoded.persons is None else encoded.persons.only(number, len(who))
        groups = ClassGroups(encoded.counts[who], sensitive, population, persons)
        return cls(who, encoded.tuples.take(who, axis=0), owner.take(who), groups, nodes)

    def children(self, qi: QuasiIdentifier, j: int, which: Ints | slice = EVERYTHING) -> Nodes:
        """Give the child each tuple would fall into if its class were split on column j; the node where it has none."""
        tree, leaf = qi.hierarchy, self.tuples[which, j]
        node = self.nodes[:, j].take(self.owner[which])
        child = tree.ancestors[np.minimum(tree.depths[node] + 1, tree.height), leaf]
        return np.asarray(np.where(node < qi.levels()[0].take(leaf), child, node), dtype=np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class SplitOptions:
    """For every class and column: may it be split, what it gains, children, their unevenness, rows that would fall."""

    valid: Flags
    gain: Floats
    n_children: Ints
    unevenness: Floats
    falling: Ints
    gain_with_falling: Floats

    def choose(self, rules: SplitRules) -> Ints:
        """Give the column each class is split on, -1 where no split is possible."""
        best = self.valid.copy()
        for key in self._keys(rules.choice):
            least = np.where(best, key, np.inf).min(axis=1, initial=np.inf)
            best &= key <= least[:, None]
        return np.where(best.any(axis=1), best.argmax(axis=1), -1) if best.size else np.full(len(best), -1)

    def choose_with_suppression(self, column: Ints, allowed: int) -> Ints:
        """Let classes without a choice be split at the cost of some rows, most gain per row first."""
        open_to = (column < 0)[:, None] & (self.falling > 0) & (self.gain_with_falling > 0)
        worth = np.where(open_to, self.gain_with_falling / np.maximum(self.falling, 1), -np.inf)
        best = worth.argmax(axis=1)
        ratio = worth[np.arange(len(best)), best]
        order = np.argsort(-ratio, kind="stable")
        order = order[ratio[order] > 0]
        rows = self.falling[order, best[order]]
        taken = order[np.cumsum(rows) <= allowed]
        chosen = column.copy()
        chosen[taken] = best[taken]
        return chosen

    def _keys(self, choice: str) -> list[Floats]:
        if choice == "lm-gain":
            return [-np.round(self.gain, _DIGITS)]
        sign = 1.0 if choice == "fewest-children" else -1.0
        return [sign * self.n_children.astype(np.float64), np.round(self.unevenness, _DIGITS)]


def split_options(
    encoded: EncodedTable,
    goals: GoalSet,
    prices: ObjectiveCosts,
    crowd: ClassTuples,
    rules: SplitRules,
    progress: Progress,
) -> SplitOptions:
    """Judge the split of every class on every column; asks between columns whether to stop."""
    sizes = np.bincount(crowd.owner, weights=crowd.groups.sizes, minlength=len(crowd.nodes)).astype(np.float64)
    priced = _PricedClasses.of(encoded, prices, crowd, sizes)
    columns = []
    for j, qi in enumerate(encoded.qis):
        progress.check()
        columns.append(_column_options(qi, j, goals, crowd, sizes, priced, rules))
    stacked = [np.stack(parts, axis=1) for parts in zip(*columns, strict=True)]
    valid, gain, n_children, unevenness, falling, with_falling = stacked
    return SplitOptions(valid, gain, n_children.astype(np.int64), unevenness, falling.astype(np.int64), with_falling)


def _column_options(
    qi: QuasiIdentifier,
    j: int,
    goals: GoalSet,
    crowd: ClassTuples,
    sizes: Floats,
    priced: "_PricedClasses",
    rules: SplitRules,
) -> tuple[Flags, Floats, Floats, Floats, Floats, Floats]:
    """Judge the split of every class on one column."""
    n = len(crowd.nodes)
    child = crowd.children(qi, j)
    found = group_rows([crowd.owner, child], len(child))
    owner, node = crowd.owner.take(found.first_rows), child.take(found.first_rows)
    groups = merge_groups(crowd.groups, found.ids, len(found))
    fine = goals.satisfied(groups)
    rows = groups.sizes.astype(np.float64)

    def total(values: npt.NDArray[np.generic]) -> Floats:
        return np.bincount(owner, weights=values, minlength=n).astype(np.float64)

    before = crowd.nodes[:, j]
    n_children = total(rows > 0)
    splits = total(node == before[owner]) == 0
    if rules.empty_child_violates:
        splits &= n_children == np.bincount(qi.hierarchy.parents[1:], minlength=len(qi.hierarchy))[before]
    gained, when_left_out = priced.gained(qi.weight, j, crowd, _Children(found.ids, owner, node, rows))
    share = rows / np.maximum(sizes[owner], 1)
    unevenness = total(np.where(rows > 0, np.abs(share - 1 / np.maximum(n_children[owner], 1)), 0.0))
    falling = np.where(splits, total(np.where(fine, 0.0, rows)), 0.0)
    with_falling = total(np.where(fine, gained, when_left_out))
    return splits & (total(~fine) == 0), total(gained), n_children, unevenness, falling, with_falling


@dataclass(frozen=True, slots=True, eq=False)
class _Children:
    """What classes fall into when they are split: the child of each tuple; of each child its class, node and rows."""

    of_tuple: Ints
    owner: Ints
    node: Nodes
    rows: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _PricedClasses:
    """What a row of each class costs by the objective, before it is split."""

    prices: ObjectiveCosts
    of_row: Floats

    @classmethod
    def of(cls, encoded: EncodedTable, prices: ObjectiveCosts, crowd: ClassTuples, sizes: Floats) -> "_PricedClasses":
        if not prices.nodes:
            return cls(prices, prices.of_classes(sizes, crowd.who, crowd.owner) / np.maximum(sizes, 1))
        columns = zip(encoded.qis, prices.nodes, crowd.nodes.T, strict=True)
        return cls(
            prices, sum((qi.weight * price[node] for qi, price, node in columns), start=np.zeros(len(crowd.nodes)))
        )

    def gained(self, weight: float, j: int, crowd: ClassTuples, children: _Children) -> tuple[Floats, Floats]:
        """Give what the rows of every child cost less than before, when it is published, and when it is left out."""
        rows, owner = children.rows, children.owner
        if self.prices.nodes:
            price = self.prices.nodes[j]
            gained = rows * weight * (price[crowd.nodes[:, j][owner]] - price[children.node])
            return gained, rows * (self.of_row[owner] - self.prices.left_out)
        before = rows * self.of_row[owner]
        after = self.prices.of_classes(rows, crowd.who, children.of_tuple)
        return before - after, before - self.prices.of_left_out(rows)


def _part(histogram: Histogram, number: Ints, n_groups: int) -> Histogram:
    """Keep the groups that have a new number."""
    kept = number[histogram.groups] >= 0
    groups = number[histogram.groups[kept]]
    return Histogram(n_groups, histogram.n_values, groups, histogram.values[kept], histogram.counts[kept])


@dataclass(frozen=True, slots=True, eq=False)
class SplitTree:
    """Every class there ever was: its nodes, rows, parent (-1: none), and the QI it was split on (-1: not split).

    `published` is the class of the release it became, -1 where it was split or suppressed.
    """

    columns: tuple[str, ...]
    nodes: Nodes
    sizes: Ints
    parent: Ints
    split_on: Ints
    published: Ints


class LocalSpecialisation:
    """Classes that are split until no split is possible."""

    def __init__(
        self,
        encoded: EncodedTable,
        goals: GoalSet,
        prices: ObjectiveCosts,
        rules: SplitRules,
        allowed: int,
        first: Ints,
    ) -> None:
        """Begin with a class per tuple (-1: suppressed); `allowed` more rows may be suppressed where that pays."""
        self.encoded, self.goals, self.prices, self.rules, self.allowed = encoded, goals, prices, rules, allowed
        self.class_of_tuple = first.copy()
        n_classes = int(first.max(initial=-1)) + 1
        self.nodes = np.zeros((n_classes, len(encoded.qis)), dtype=np.int32)
        live = np.flatnonzero(first >= 0)
        for j, qi in enumerate(encoded.qis):
            self.nodes[first[live], j] = qi.levels()[-1][encoded.tuples[live, j]]
        self.parent = np.full(n_classes, -1, dtype=np.int64)
        self.split_on = np.full(n_classes, -1, dtype=np.int64)

    def run(self, progress: Progress) -> Recoding:
        """Split in rounds until nothing can be split."""
        active = np.arange(len(self.nodes))
        rounds = sum(qi.hierarchy.height for qi in self.encoded.qis) + 1
        for done in range(rounds):
            progress(done / rounds, message("Splitting {count:class|classes}", count=len(active)))
            if not len(active):
                break
            crowd = ClassTuples.of(self.encoded, self.class_of_tuple, active, self.nodes[active])
            active = self._split(active, crowd, self._choose(crowd, progress))
        return self._recoding()

    def _choose(self, crowd: ClassTuples, progress: Progress) -> Ints:
        options = split_options(self.encoded, self.goals, self.prices, crowd, self.rules, progress)
        column = options.choose(self.rules)
        # What is dropped changes what classes are compared with, and who of the population is absent.
        about_others = self.goals.compare_with_whole or any(m.needs_population for m in self.goals.models)
        if not self.allowed or about_others:
            return column
        chosen = options.choose_with_suppression(column, self.allowed)
        dropped = np.flatnonzero(chosen != column)
        self.allowed -= int(options.falling[dropped, chosen[dropped]].sum())
        return chosen

    def _split(self, active: Ints, crowd: ClassTuples, column: Ints) -> Ints:
        """Replace classes by their children along the chosen columns; give the new classes that have rows."""
        column_of_tuple = column[crowd.owner]
        child = np.zeros(len(crowd.owner), dtype=np.int64)
        for j, qi in enumerate(self.encoded.qis):
            here = np.flatnonzero(column_of_tuple == j)
            child[here] = crowd.children(qi, j, here)
        moved = np.flatnonzero(column_of_tuple >= 0)
        found = group_rows([crowd.owner[moved], child[moved]], len(moved))
        first = moved[found.first_rows]
        parent, split_column = crowd.owner[first], column_of_tuple[first]
        nodes = crowd.nodes[parent].copy()
        nodes[np.arange(len(nodes)), split_column] = child[first]
        members = np.full(len(crowd.owner), len(found), dtype=np.int64)
        members[moved] = found.ids
        groups = merge_groups(crowd.groups, members, len(found) + 1)
        fine = self.goals.satisfied(groups)[:-1]
        new = len(self.nodes) + np.arange(len(found))
        self.class_of_tuple[crowd.who[moved]] = np.where(fine, new, -1)[found.ids]
        self.split_on[active] = column
        self.nodes = np.vstack([self.nodes, nodes])
        self.parent = np.concatenate([self.parent, active[parent]])
        self.split_on = np.concatenate([self.split_on, np.full(len(new), -1)])
        return new[fine & (groups.sizes[:-1] > 0)]

    def _recoding(self) -> Recoding:
        n_classes = len(self.nodes)
        live = np.flatnonzero(self.class_of_tuple >= 0)
        sizes = np.bincount(self.class_of_tuple[live], weights=self.encoded.counts[live], minlength=n_classes)
        kept = np.flatnonzero(sizes > 0)
        published = np.full(n_classes + 1, -1, dtype=np.int64)
        published[kept] = np.arange(len(kept))
        tree = SplitTree(
            columns=tuple(qi.name for qi in self.encoded.qis),
            nodes=self.nodes,
            sizes=_with_descendants(sizes.astype(np.int64), self.parent),
            parent=self.parent,
            split_on=self.split_on,
            published=published[:-1],
        )
        return recoding_of_nodes(self.encoded, published[self.class_of_tuple], self.nodes[kept], tree)


def _with_descendants(sizes: Ints, parent: Ints) -> Ints:
    """Add the rows of every class to all it came from; parents come before their children."""
    total = sizes.copy()
    depth = np.zeros(len(parent), dtype=np.int64)
    above = parent.copy()
    while (above >= 0).any():
        depth[above >= 0] += 1
        above = np.where(above >= 0, parent[above], -1)
    for level in range(int(depth.max(initial=0)), 0, -1):
        here = np.flatnonzero(depth == level)
        np.add.at(total, parent[here], total[here])
    return total


READINGS = {
    "local": "Each class on its own (local)",
    "full-domain": "One level for each column",
}

SPLIT_CHOICES = {
    "lm-gain": "Largest gain in the objective",
    "fewest-children": "Fewest children",
    "most-children": "Most children",
}

EMPTY_CHILDREN = {
    "ignored": "An empty child does not matter",
    "violates": "An empty child forbids the split",
}


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class TopDown(Algorithm):
    """Specialization of the most general table, per column or per class."""

    name: ClassVar[str] = "top-down"
    title: ClassVar[str] = "Top-down (specialization)"
    summary: ClassVar[str] = (
        "Starts with everything at the top of the hierarchies and goes down step by step while the goals hold, until "
        "no step is possible; each class on its own, or one level for each column."
    )
    reference: ClassVar[str] = "Fung, Wang, Yu, ICDE 2005; LeFevre, DeWitt, Ramakrishnan, SIGMOD 2005"
    attacks: ClassVar[str] = (
        "Minimality: a class that was not split tells that every split would have violated the goals. Downcoding "
        "(Cohen 2022) applies to the local reading: cells of different levels side by side hint at what is behind them."
    )
    reach: ClassVar[SizeLimit | None] = SizeLimit()

    reading: str = param(Choice(READINGS), default="local", label="Reading", help="What is specialized in a step.")
    split: str = param(
        Choice(SPLIT_CHOICES),
        default="lm-gain",
        label="Split",
        help=(
            "Which split of a class is taken; where numbers of children are equal the most even split, then the "
            "order of the columns."
        ),
    )
    empty_child: str = param(
        Choice(EMPTY_CHILDREN),
        default="ignored",
        label="Empty child",
        help=("What it means that no row of the class falls into a child of the hierarchy's node."),
    )

    objective: str = objective_param(
        "What every step makes as small as it can, or as large for precision. Steps by the loss are tried, too, and "
        "the better of both is taken; where the number of children chooses the split, little is left to the objective."
    )
    target: str = target_param()

    aims_at: ClassVar[str] = ""

    def target_columns(self) -> tuple[str, ...]:
        """The column whose values must be counted by class for the classification metric."""
        return (self.target,) if self.objective == CLASSIFICATION else ()

    def objective_asked(self) -> tuple[str, str]:
        """Tell the objective that was chosen."""
        return self.objective, self.target

    def following(self, objective: str, target: str = "") -> Self:
        """Follow another objective."""
        return replace(self, objective=objective, target=target)

    def memory(self, size: ProblemSize) -> int:
        """Give the bytes a run takes at most beside the encoded table."""
        if self.reading == "full-domain":
            return level_tables_memory(size) + cache_memory(size)
        return (100 + 16 * size.columns) * size.tuples + 72 * size.entries

    def run(self, encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, progress: Progress) -> Recoding:
        """Specialize until no step is possible; raises Infeasible when the most general table violates the goals."""
        asked, by_loss = self.objective_asked(), self.following(LEAST_LOSS)
        if asked == by_loss.objective_asked():
            return self._specialize(encoded, goals, limits, progress)
        ways = [partial(each._specialize, encoded, goals, limits) for each in (self, by_loss)]
        return least_cost(encoded, asked, ways, progress)

    def _specialize(self, encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, progress: Progress) -> Recoding:
        if self.reading == "full-domain":
            return _full_domain(encoded, goals, limits, progress, self)
        first = suppress_tuples(encoded, goals, limits, most_general_groups(encoded))
        if first is None:
            raise explain_infeasible(encoded, goals, limits)
        fallen = int(encoded.counts[first < 0].sum())
        left = allowed_suppressions(encoded.n_rows, limits.suppression) - fallen
        rules = SplitRules(self.split, self.empty_child == "violates")
        prices = ObjectiveCosts.of(encoded, *self.objective_asked())
        return LocalSpecialisation(encoded, _after(encoded, goals, first), prices, rules, left, first).run(progress)


def _after(encoded: EncodedTable, goals: GoalSet, first: npt.NDArray[np.int64]) -> GoalSet:
    """Give the goals against the rows that remain."""
    if (first >= 0).all():
        return goals
    groups = encoded.groups(np.where(first >= 0, 0, 1), 2)
    return replace(goals, whole=remaining_table(goals.whole, groups, np.array([True, False])))


def _full_domain(
    encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, progress: Progress, asked: TopDown
) -> Recoding:
    """Go down one level of one column at a time: the step of most gain for the anonymity it costs."""
    checker = NodeChecker(
        encoded, goals, allowed_suppressions(encoded.n_rows, limits.suppression), *asked.objective_asked()
    )
    node, height = checker.top, max(sum(checker.top), 1)
    if not checker.check(node).satisfied:
        raise explain_infeasible(encoded, goals, limits)
    step: Node | None = node
    while step is not None:
        node = step
        progress(1 - sum(node) / height, "Going down the levels")
        step = _best_step(checker, node, progress)
    bottom = tuple(0 for _ in node)
    return checker.publish(node, checker.lattice(node, checker.objective.least(bottom)))


def _best_step(checker: NodeChecker, node: Node, progress: Progress) -> Node | None:
    now = checker.check(node)
    found: dict[Node, NodeResult] = {}
    for j, level in enumerate(node):
        progress.check()
        if level:
            lower = (*node[:j], level - 1, *node[j + 1 :])
            found[lower] = checker.check(lower)
    slack = checker.slack
    possible = [lower for lower, verdict in found.items() if verdict.satisfied and verdict.cost <= now.cost + slack]
    return max(possible, key=lambda lower: _worth(now, found[lower], slack), default=None)


def _worth(now: NodeResult, then: NodeResult, slack: float) -> tuple[bool, float]:
    """Rank a step by its gain for each row of k it costs; a gain that costs nothing comes first."""
    gain, lost = now.cost - then.cost, now.k - then.k
    if abs(gain) <= slack:  # rounding alone
        return False, 0.0
    return lost <= 0 and gain > 0, gain / max(lost, 1)
