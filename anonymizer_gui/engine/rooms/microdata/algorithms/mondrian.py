"""Partitioning depth by depth: all partitions of a depth are cut at once, finished ones are set aside."""

from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, ListOf, PerColumn, Text, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import MISSING
from anonymizer_gui.engine.rooms.microdata.algorithms.class_merging import is_about_population, merge_for_population
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm, EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.feasibility import explain_infeasible
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import (
    RANGE_NODE,
    common_ancestors,
    most_general_groups,
    recoding_of_groups,
    recoding_of_nodes,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.goal_evaluation import GoalEvaluator, Ints
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian_cuts import (
    AcceptedCuts,
    CodeMatrix,
    CutRequest,
    Floats,
    Leaves,
    OpenPartitions,
    code_bounds,
    cutting_memory,
    hierarchy_cuts,
    median_cuts,
    take_rows,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.objectives import (
    CLASSIFICATION,
    ObjectiveCosts,
    least_cost,
    objective_param,
    target_param,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import allowed_suppressions, suppress_groups
from anonymizer_gui.engine.rooms.microdata.models.contract import GoalSet
from anonymizer_gui.engine.rooms.microdata.recoding import LEAST_LOSS, ProblemSize, Recoding, SizeLimit

Region = tuple[Leaves, Leaves]

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class CutRule:
    """How to cut: which columns follow the tree, whether equal values may be parted, and which column comes first.

    By gain it is the one whose cut gains most in the objective of the prices, the loss where none are given.
    """

    by_hierarchy: tuple[bool, ...]
    relaxed: bool = False
    by_gain: bool = False
    priority: tuple[int, ...] = ()
    prices: ObjectiveCosts | None = None


@dataclass(frozen=True, slots=True, eq=False)
class SplitHistory:
    """The splits in the order they were made, one entry per child, for the map of partitions.

    `child` is the part of `parent` whose `column` lies in the leaves `low` to `high`; `partition` is the
    partition of every class.
    """

    parent: Ints
    child: Ints
    column: Ints
    low: Leaves
    high: Leaves
    partition: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Partitioning:
    """The tuples in the order of their groups, the size of each group, its region, and how it came about."""

    order: npt.NDArray[np.int32]
    lengths: Ints
    low: Leaves
    high: Leaves
    splits: SplitHistory
    all_fine: bool

    def group_of_tuple(self) -> Ints:
        """Give the group of every tuple."""
        groups = np.empty(len(self.order), dtype=np.int64)
        groups[self.order] = np.repeat(np.arange(len(self.lengths)), self.lengths)
        return groups


class Partitioner:
    """Cuts partitions until none can be cut (LeFevre, DeWitt, Ramakrishnan 2006)."""

    def __init__(self, space: CodeMatrix, judge: GoalEvaluator, rule: CutRule, progress: Progress) -> None:
        self.space = space
        self.judge = judge
        self.rule = rule
        self.progress = progress
        self._prices = (rule.prices or ObjectiveCosts.of(space.encoded, LEAST_LOSS)) if rule.by_gain else None
        self._by_tree = np.array(rule.by_hierarchy, dtype=np.bool_)
        self._done: list[tuple[npt.NDArray[np.int32], Ints, Ints, Leaves, Leaves]] = []
        self._splits: list[tuple[Ints, Ints, Ints, Leaves, Leaves]] = []
        self._n_partitions = 0
        self._all_fine = True

    def run(self, start: Ints) -> Partitioning:
        """Cut the groups given, as far as it goes; groups that violate the goals are not cut."""
        depth = self._first(start)
        while len(depth):
            self.progress(1 - len(depth.units) / max(len(start), 1), "Cutting partitions")
            depth = self._next(depth, self._cuts(depth))
        return self._parted()

    def _first(self, start: Ints) -> OpenPartitions:
        space = self.space
        n_groups = self._n_partitions = int(start.max(initial=-1)) + 1
        order = np.argsort(start, kind="stable") if n_groups > 1 else np.arange(len(start))
        lengths = np.bincount(start, minlength=n_groups)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        counts = space.encoded.counts[order].astype(np.float64)
        self.progress.check()
        low, high = _first_regions(space, order[starts[:-1]])
        sizes = np.add.reduceat(counts, starts[:-1]) if n_groups else counts
        fine = self.judge.parts_fine(order.astype(np.int32), np.repeat(np.arange(n_groups), lengths), sizes)
        self._all_fine = bool(fine.all())
        self.progress.check()
        codes = take_rows(space.codes, order) if n_groups > 1 else space.codes
        depth = OpenPartitions(order.astype(np.int32), codes, counts, starts, sizes, np.arange(n_groups), low, high)
        return self._set_aside(depth, fine)

    def _cuts(self, depth: OpenPartitions) -> list[AcceptedCuts]:
        box = code_bounds(depth.codes, depth.starts[:-1], self.space.n_columns)
        everyone = np.arange(len(depth))
        prices = self._prices
        found = self._in_turn(depth, box, everyone, False) if prices is None else self._best_gain(depth, box, prices)
        if self.rule.relaxed:
            found += self._in_turn(depth, box, everyone[~_marked(found, len(depth))], True)
        return found

    def _in_turn(self, depth: OpenPartitions, box: Region, waiting: Ints, relaxed: bool) -> list[AcceptedCuts]:
        """Try the columns of each partition in the order of its ranks until one can be cut."""
        low, high = box
        ranks = self._ranks(low, high)
        found: list[AcceptedCuts] = []
        for turn in range(ranks.shape[1]):
            columns = ranks[waiting, turn]
            apart = high[waiting, columns] > low[waiting, columns]
            waiting, columns = waiting[apart], columns[apart]
            if not len(waiting):
                break
            self.progress.check()
            ask = CutRequest(waiting, columns, low[waiting, columns], high[waiting, columns])
            here = self._ask(depth, ask, relaxed)
            found += here
            waiting = waiting[~_marked(here, len(depth))[waiting]]
        return found

    def _ask(self, depth: OpenPartitions, ask: CutRequest, relaxed: bool = False) -> list[AcceptedCuts]:
        by_tree = self._by_tree[ask.columns] & (not relaxed)
        found = []
        if not by_tree.all():
            found.append(median_cuts(self.space, depth, ask.keep(~by_tree), self.judge, relaxed))
        if by_tree.any():
            for piece in ask.keep(by_tree).pieces(len(depth.units)):
                self.progress.check()
                found.append(hierarchy_cuts(self.space, depth, piece, self.judge))
        return [item for item in found if len(item.parts)]

    def _ranks(self, low: Leaves, high: Leaves) -> Ints:
        """Order the columns of every partition: those of the priority first, then by falling normalised width.

        Columns without width come last, so that a partition's turn ends at the first of them.
        """
        width = (high - low) / self.space.spans
        rank = np.zeros(len(self.space.spans))
        for place, column in enumerate(self.rule.priority):
            rank[column] = len(self.rule.priority) - place
        return np.argsort(-np.where(width > 0, width + 2 * rank, 0), axis=1, kind="stable")

    def _best_gain(self, depth: OpenPartitions, box: Region, prices: ObjectiveCosts) -> list[AcceptedCuts]:
        """Try the cut of every column and keep, per partition, the one that lowers what all columns cost most."""
        low, high = box
        best = np.full(len(depth), -1, dtype=np.int64)
        gain = np.full(len(depth), -np.inf)
        before = self._cost(prices, box, depth.sizes, depth.units, depth.lengths)
        for j in range(low.shape[1]):
            self.progress.check()
            for item in self._ask(depth, _on_column(j, np.flatnonzero(high[:, j] > low[:, j]), low, high)):
                here = before[item.parts] - self._cost_after(prices, depth, item)
                better = here > gain[item.parts] + _ROUNDING
                gain[item.parts[better]], best[item.parts[better]] = here[better], j
        found = []
        for j in np.unique(best[best >= 0]).tolist():
            self.progress.check()
            found += self._ask(depth, _on_column(j, np.flatnonzero(best == j), low, high))
        return found

    def _cost(
        self, prices: ObjectiveCosts, box: Region, sizes: Floats, units: npt.NDArray[np.int32], lengths: Ints
    ) -> Floats:
        """Give what each partition costs, published as common ancestors; its units are neighbours."""
        if not prices.nodes:
            self.progress.check()
            return prices.of_classes(sizes, units.astype(np.int64), np.repeat(np.arange(len(sizes)), lengths))
        low, high = box
        cost = np.zeros(len(low))
        for j, qi in enumerate(self.space.encoded.qis):
            self.progress.check()
            node = qi.hierarchy.common_ancestors(low[:, j], self.space.last[j][high[:, j]])
            cost += qi.weight * prices.nodes[j][node]
        return np.asarray(sizes * cost)

    def _cost_after(self, prices: ObjectiveCosts, depth: OpenPartitions, item: AcceptedCuts) -> Floats:
        order, of_child = item.by_child(depth.lengths)
        places = item.places[order]
        starts = np.cumsum(of_child) - of_child
        box = code_bounds(take_rows(depth.codes, places), starts, self.space.n_columns)
        rows = np.add.reduceat(depth.counts[places], starts)
        first_child = np.cumsum(item.n_children) - item.n_children
        return np.add.reduceat(self._cost(prices, box, rows, depth.units[places], of_child), first_child)

    def _next(self, depth: OpenPartitions, found: list[AcceptedCuts]) -> OpenPartitions:
        self._finish(depth, ~_marked(found, len(depth)))
        if not found:
            return depth.keep(np.zeros(len(depth), dtype=np.bool_))
        item = AcceptedCuts.joined(found)
        self.progress.check()
        order, of_child = item.by_child(depth.lengths)
        self.progress.check()
        places = item.places[order]
        parent, column = np.repeat(item.parts, item.n_children), np.repeat(item.columns, item.n_children)
        child = np.arange(len(parent))
        low, high = depth.low[parent], depth.high[parent]
        low[child, column], high[child, column] = item.low, item.high
        ids = self._n_partitions + child
        self._n_partitions += len(ids)
        self._splits.append((depth.ids[parent], ids, column, item.low, item.high))
        del item, order
        counts = depth.counts[places]
        starts = np.concatenate([[0], np.cumsum(of_child)])
        sizes = np.add.reduceat(counts, starts[:-1])
        self.progress.check()
        below = OpenPartitions(
            depth.units[places], take_rows(depth.codes, places), counts, starts, sizes, ids, low, high
        )
        return self._set_aside(below, np.ones(len(ids), dtype=np.bool_))

    def _set_aside(self, depth: OpenPartitions, fine: npt.NDArray[np.bool_]) -> OpenPartitions:
        """Finish the partitions that are too small to be cut, or violate the goals."""
        still = fine & (depth.sizes >= 2 * self.judge.least_rows)
        if still.all():
            return depth
        self._finish(depth, ~still)
        return depth.keep(still)

    def _finish(self, depth: OpenPartitions, which: npt.NDArray[np.bool_]) -> None:
        if which.any():
            lengths = depth.lengths
            units = depth.units[np.repeat(which, lengths)]
            self._done.append((units, lengths[which], depth.ids[which], depth.low[which], depth.high[which]))

    def _parted(self) -> Partitioning:
        empty, wide = np.empty(0, dtype=np.int64), np.empty((0, self.space.n_columns), dtype=np.int32)
        order, lengths, ids, low, high = (
            np.concatenate([none, *(entry[i] for entry in self._done)])
            for i, none in enumerate((empty.astype(np.int32), empty, empty, wide, wide))
        )
        parent, child, column, first, last = (
            np.concatenate([empty.astype(t), *(s[i] for s in self._splits)]) for i, t in enumerate("qqqii")
        )
        splits = SplitHistory(parent, child, column, first, last, ids)
        return Partitioning(order, lengths, low, high, splits, self._all_fine)


def _marked(found: list[AcceptedCuts], n_partitions: int) -> npt.NDArray[np.bool_]:
    """Mark the partitions for which a cut was found."""
    marks = np.zeros(n_partitions, dtype=np.bool_)
    for item in found:
        marks[item.parts] = True
    return marks


def _on_column(j: int, parts: Ints, low: Leaves, high: Leaves) -> CutRequest:
    return CutRequest(parts, np.full(len(parts), j, dtype=np.int64), low[parts, j], high[parts, j])


def _first_regions(space: CodeMatrix, first_units: Ints) -> tuple[Leaves, Leaves]:
    """Give the region of the most general cell allowed around some tuples, for every column."""
    first = space.encoded.tuples[first_units]
    low, high = np.empty_like(first), np.empty_like(first)
    for j, qi in enumerate(space.encoded.qis):
        node = qi.levels()[-1][first[:, j]]
        low[:, j], high[:, j] = qi.hierarchy.first_leaf[node], qi.hierarchy.end_leaf[node] - 1
    return low, high


MODES = {
    "strict": "Equal values stay together",
    "relaxed": "Equal values may be parted",
}

COLUMN_CHOICES = {
    "width": "The most widely spread",
    "lm-gain": "The one that gains most in the objective",
    "priority": "The first of the list below",
}

CUTS = {
    "order": "In two, near the median",
    "hierarchy": "Into the children of a node",
}

LABELS = {
    "node": "The node that covers all rows",
    "range": "The range, such as [35-38] or {A, B}",
}


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class Mondrian(Algorithm):
    """Multidimensional partitioning (LeFevre, DeWitt, Ramakrishnan 2006).

    Starts from one partition (or from the most general cells the level bounds allow) and cuts every partition
    on one column as long as all parts satisfy the goals; the result cannot be cut further under its own rule.
    A cut in order is made at the feasible place nearest to the median, not only at the median itself: columns
    with a few frequent values can be cut too, and far less is lost.

    A range is published as the region between the cuts around it, never as the least and greatest value of the
    partition: those are exact values of single persons. A cut point lies midway between two neighbouring values.

    With a goal about the population, boxes whose cells hold too few or too many people are merged at the end, and
    cells are common nodes.

    `search` of the result are the `Splits` from which a map of the partitions is drawn.
    """

    name: ClassVar[str] = "mondrian"
    title: ClassVar[str] = "Mondrian"
    summary: ClassVar[str] = "Cuts the table in ever smaller boxes while every box satisfies the goals; very fast."
    reference: ClassVar[str] = "LeFevre, DeWitt, Ramakrishnan, Mondrian multidimensional k-anonymity, ICDE 2006"
    attacks: ClassVar[str] = (
        "Minimality: somebody who knows the method knows that no box could be cut; with goals on sensitive values "
        "this can sharpen a guess. Downcoding (Cohen 2022) applies to common nodes: they are as low as the rows of a "
        "box allow, so that finer values can be inferred, the more so where boxes overlap; ranges end at the cuts, "
        "not at the rows."
    )
    reach: ClassVar[SizeLimit | None] = SizeLimit(among_people=100_000)

    mode: str = param(
        Choice(MODES),
        default="strict",
        label="Mode",
        help=(
            "Strict: all rows with the same value stay on the same side of a cut. Relaxed: where no such cut is "
            "left, rows with the value at the cut may go to either side."
        ),
    )
    choice: str = param(
        Choice(COLUMN_CHOICES),
        default="width",
        label="Column to cut",
        help=(
            "Which column is cut next: the one whose values in the box cover most of their range, the one whose "
            "cut gains most in the objective, or the first of the list below that can be cut."
        ),
    )
    priority: tuple[str, ...] = param(
        ListOf(Text(column=True)),
        default=(),
        label="Columns to cut first",
        help=("The columns that shall stay finest, the most wanted first; they count when the list is chosen above."),
    )
    cuts: tuple[tuple[str, str], ...] = param(
        PerColumn(Choice(CUTS)),
        default=(),
        label="Cut a column",
        help=(
            "How a column is cut: in two along its order at the feasible place nearest to the median, as usual, "
            "or into the children of a node of its hierarchy."
        ),
    )
    labels: tuple[tuple[str, str], ...] = param(
        PerColumn(Choice(LABELS)),
        default=(),
        label="Cells show",
        help=(
            "What stands in the cells of a column: the most specific node of the hierarchy that covers all rows "
            "of the box, as usual, or the range between the cuts."
        ),
    )
    objective: str = objective_param(
        "What the choice of the column makes as small as it can, or as large for precision. Choices by the loss and by "
        "the spread are tried, too, and the best of all is taken.",
        when=("choice", "lm-gain"),
    )
    target: str = target_param()

    aims_at: ClassVar[str] = ""

    def target_columns(self) -> tuple[str, ...]:
        """The column whose values must be counted by class for the classification metric."""
        objective, target = self.objective_asked()
        return (target,) if objective == CLASSIFICATION else ()

    def objective_asked(self) -> tuple[str, str]:
        """Tell the objective that chooses the column; the other choices ask for none."""
        return (self.objective, self.target) if self.choice == "lm-gain" else (LEAST_LOSS, "")

    def following(self, objective: str, target: str = "") -> Self:
        """Follow another objective in the choice of the column; by the loss the usual choice does about as well."""
        if (objective, target) == self.objective_asked():
            return self
        return replace(self, choice="lm-gain", objective=objective, target=target)

    def memory(self, size: ProblemSize) -> int:
        """Give the bytes a run takes at most beside the encoded table."""
        return cutting_memory(size)

    def run(self, encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, progress: Progress) -> Recoding:
        """Partition the table; raises Infeasible when even the uncut table violates the goals."""
        asked = self.objective_asked()
        if asked[0] == LEAST_LOSS:
            return self._cut(encoded, goals, limits, progress)
        ways = (self, replace(self, objective=LEAST_LOSS, target=""), replace(self, choice="width"))
        return least_cost(encoded, asked, [partial(each._cut, encoded, goals, limits) for each in ways], progress)

    def _cut(self, encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, progress: Progress) -> Recoding:
        rule, ranges = self._rule(encoded), _chosen(encoded, self.labels, "range")
        if not encoded.n_rows:
            nothing = np.full(len(encoded.tuples), -1, dtype=np.int64)
            if is_about_population(goals):
                return merge_for_population(encoded, goals, limits, nothing[:0], progress)
            return recoding_of_groups(encoded, nothing)
        space = CodeMatrix.of(encoded, progress)
        parted = Partitioner(space, GoalEvaluator(encoded, goals, progress), rule, progress).run(
            most_general_groups(encoded)
        )
        if is_about_population(goals):
            groups = parted.group_of_tuple()
            return merge_for_population(encoded, goals, limits, groups[encoded.tuple_of_row], progress, groups)
        kept = np.ones(len(parted.lengths), dtype=np.bool_)
        if not parted.all_fine:
            kept = _settled(encoded, goals, limits, parted)
        return _published(space, parted, kept, ranges)

    def _rule(self, encoded: EncodedTable) -> CutRule:
        names = [qi.name for qi in encoded.qis]
        _refuse_unknown(encoded, self.priority)
        priority = tuple(names.index(name) for name in self.priority) if self.choice == "priority" else ()
        by_hierarchy = _chosen(encoded, self.cuts, "hierarchy")
        by_gain = self.choice == "lm-gain"
        prices = ObjectiveCosts.of(encoded, *self.objective_asked()) if by_gain else None
        return CutRule(by_hierarchy, self.mode == "relaxed", by_gain, priority, prices)


def _settled(
    encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, parted: Partitioning
) -> npt.NDArray[np.bool_]:
    """Drop the groups that violate the goals, or say why that cannot be."""
    groups = encoded.groups(parted.group_of_tuple(), len(parted.lengths))
    settled = suppress_groups(groups, goals, allowed_suppressions(encoded.n_rows, limits.suppression))
    if settled is None:
        raise explain_infeasible(encoded, goals, limits)
    return settled.kept


def _published(
    space: CodeMatrix, parted: Partitioning, kept: npt.NDArray[np.bool_], ranges: tuple[bool, ...]
) -> Recoding:
    """Label the groups that are kept and have rows; the others have no class."""
    group = np.repeat(np.arange(len(parted.lengths), dtype=np.int32), parted.lengths)
    live = kept[group] & (space.encoded.counts[parted.order] > 0)
    order, lengths = parted.order[live], np.bincount(group[live], minlength=len(kept))
    shown = np.flatnonzero(lengths)
    class_of_tuple = np.full(len(parted.order), -1, dtype=np.int64)
    class_of_tuple[order] = np.repeat(np.arange(len(shown)), lengths[shown])
    del group, live
    starts = np.cumsum(lengths[shown]) - lengths[shown]
    splits = replace(parted.splits, partition=parted.splits.partition[shown])
    nodes = common_ancestors(space.encoded, order, starts)
    recoding = recoding_of_nodes(space.encoded, class_of_tuple, nodes, splits)
    for j in np.flatnonzero(ranges).tolist():
        low, high = _covered(space, j, order, starts)
        gap = space.encoded.qis[j].hierarchy.leaf_number.get(MISSING, -1)
        # A range of values ends before the missing ones, unless some of its rows are.
        begin, end = parted.low[shown, j], parted.high[shown, j]
        recoding.low[:, j] = np.minimum(begin + ((begin == gap) & (low > gap)), low)
        recoding.high[:, j] = np.maximum(end - ((end == gap) & (high < gap)), high)
        recoding.node[:, j] = RANGE_NODE
    return recoding


def _covered(space: CodeMatrix, j: int, order: npt.NDArray[np.int32], starts: Ints) -> tuple[Leaves, Leaves]:
    """Give the first and last leaf under the finest cells of each class in one column."""
    qi = space.encoded.qis[j]
    finest = qi.levels()[0][space.encoded.tuples[order, j]]
    first, end = qi.hierarchy.first_leaf[finest], qi.hierarchy.end_leaf[finest]
    return np.minimum.reduceat(first, starts), np.maximum.reduceat(end, starts) - 1


def _chosen(encoded: EncodedTable, options: tuple[tuple[str, str], ...], wanted: str) -> tuple[bool, ...]:
    """Say for every QI whether it has the option wanted."""
    _refuse_unknown(encoded, tuple(column for column, _ in options))
    by_name = dict(options)
    return tuple(by_name.get(qi.name) == wanted for qi in encoded.qis)


def _refuse_unknown(encoded: EncodedTable, columns: tuple[str, ...]) -> None:
    names = [qi.name for qi in encoded.qis]
    for column in columns:
        if column not in names:
            raise BadParameter(
                message("“{name}” is no quasi-identifier.", name=column), message("There are: {known}.", known=names)
            )
