"""Partitioning depth by depth: all partitions of a depth are cut at once, finished ones are set aside."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.cuts import Request, cut_by_hierarchy, cut_in_order
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.goals import Judge
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.space import (
    Depth,
    Floats,
    Found,
    Ints,
    Leaves,
    Space,
    bounds,
    moved,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.prices import Prices
from anonymizer_gui.engine.rooms.microdata.method import LOSS

Box = tuple[Leaves, Leaves]
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """How to cut: which columns follow the tree, whether equal values may be parted, and which column comes first.

    By gain it is the one whose cut gains most in the objective of the prices, the loss where none are given.
    """

    by_hierarchy: tuple[bool, ...]
    relaxed: bool = False
    by_gain: bool = False
    priority: tuple[int, ...] = ()
    prices: Prices | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Splits:
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
class Parted:
    """The tuples in the order of their groups, the size of each group, its region, and how it came about."""

    order: npt.NDArray[np.int32]
    lengths: Ints
    low: Leaves
    high: Leaves
    splits: Splits
    all_fine: bool

    def group_of_tuple(self) -> Ints:
        """Give the group of every tuple."""
        groups = np.empty(len(self.order), dtype=np.int64)
        groups[self.order] = np.repeat(np.arange(len(self.lengths)), self.lengths)
        return groups


class Partitioner:
    """Cuts partitions until none can be cut (LeFevre, DeWitt, Ramakrishnan 2006)."""

    def __init__(self, space: Space, judge: Judge, rule: Rule, progress: Progress) -> None:
        self.space = space
        self.judge = judge
        self.rule = rule
        self.progress = progress
        self._prices = (rule.prices or Prices.of(space.encoded, LOSS)) if rule.by_gain else None
        self._by_tree = np.array(rule.by_hierarchy, dtype=np.bool_)
        self._done: list[tuple[npt.NDArray[np.int32], Ints, Ints, Leaves, Leaves]] = []
        self._splits: list[tuple[Ints, Ints, Ints, Leaves, Leaves]] = []
        self._n_partitions = 0
        self._all_fine = True

    def run(self, start: Ints) -> Parted:
        """Cut the groups given, as far as it goes; groups that violate the goals are not cut."""
        depth = self._first(start)
        while len(depth):
            self.progress(1 - len(depth.units) / max(len(start), 1), "Cutting partitions")
            depth = self._next(depth, self._cuts(depth))
        return self._parted()

    def _first(self, start: Ints) -> Depth:
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
        codes = moved(space.codes, order) if n_groups > 1 else space.codes
        depth = Depth(order.astype(np.int32), codes, counts, starts, sizes, np.arange(n_groups), low, high)
        return self._set_aside(depth, fine)

    def _cuts(self, depth: Depth) -> list[Found]:
        box = bounds(depth.codes, depth.starts[:-1], self.space.n_columns)
        everyone = np.arange(len(depth))
        prices = self._prices
        found = self._in_turn(depth, box, everyone, False) if prices is None else self._best_gain(depth, box, prices)
        if self.rule.relaxed:
            found += self._in_turn(depth, box, everyone[~_marked(found, len(depth))], True)
        return found

    def _in_turn(self, depth: Depth, box: Box, waiting: Ints, relaxed: bool) -> list[Found]:
        """Try the columns of each partition in the order of its ranks until one can be cut."""
        low, high = box
        ranks = self._ranks(low, high)
        found: list[Found] = []
        for turn in range(ranks.shape[1]):
            columns = ranks[waiting, turn]
            apart = high[waiting, columns] > low[waiting, columns]
            waiting, columns = waiting[apart], columns[apart]
            if not len(waiting):
                break
            self.progress.check()
            ask = Request(waiting, columns, low[waiting, columns], high[waiting, columns])
            here = self._ask(depth, ask, relaxed)
            found += here
            waiting = waiting[~_marked(here, len(depth))[waiting]]
        return found

    def _ask(self, depth: Depth, ask: Request, relaxed: bool = False) -> list[Found]:
        by_tree = self._by_tree[ask.columns] & (not relaxed)
        found = []
        if not by_tree.all():
            found.append(cut_in_order(self.space, depth, ask.keep(~by_tree), self.judge, relaxed))
        if by_tree.any():
            for piece in ask.keep(by_tree).pieces(len(depth.units)):
                self.progress.check()
                found.append(cut_by_hierarchy(self.space, depth, piece, self.judge))
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

    def _best_gain(self, depth: Depth, box: Box, prices: Prices) -> list[Found]:
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

    def _cost(self, prices: Prices, box: Box, sizes: Floats, units: npt.NDArray[np.int32], lengths: Ints) -> Floats:
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

    def _cost_after(self, prices: Prices, depth: Depth, item: Found) -> Floats:
        order, of_child = item.by_child(depth.lengths)
        places = item.places[order]
        starts = np.cumsum(of_child) - of_child
        box = bounds(moved(depth.codes, places), starts, self.space.n_columns)
        rows = np.add.reduceat(depth.counts[places], starts)
        first_child = np.cumsum(item.n_children) - item.n_children
        return np.add.reduceat(self._cost(prices, box, rows, depth.units[places], of_child), first_child)

    def _next(self, depth: Depth, found: list[Found]) -> Depth:
        self._finish(depth, ~_marked(found, len(depth)))
        if not found:
            return depth.keep(np.zeros(len(depth), dtype=np.bool_))
        item = Found.joined(found)
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
        below = Depth(depth.units[places], moved(depth.codes, places), counts, starts, sizes, ids, low, high)
        return self._set_aside(below, np.ones(len(ids), dtype=np.bool_))

    def _set_aside(self, depth: Depth, fine: npt.NDArray[np.bool_]) -> Depth:
        """Finish the partitions that are too small to be cut, or violate the goals."""
        still = fine & (depth.sizes >= 2 * self.judge.least_rows)
        if still.all():
            return depth
        self._finish(depth, ~still)
        return depth.keep(still)

    def _finish(self, depth: Depth, which: npt.NDArray[np.bool_]) -> None:
        if which.any():
            lengths = depth.lengths
            units = depth.units[np.repeat(which, lengths)]
            self._done.append((units, lengths[which], depth.ids[which], depth.low[which], depth.high[which]))

    def _parted(self) -> Parted:
        empty, wide = np.empty(0, dtype=np.int64), np.empty((0, self.space.n_columns), dtype=np.int32)
        order, lengths, ids, low, high = (
            np.concatenate([none, *(entry[i] for entry in self._done)])
            for i, none in enumerate((empty.astype(np.int32), empty, empty, wide, wide))
        )
        parent, child, column, first, last = (
            np.concatenate([empty.astype(t), *(s[i] for s in self._splits)]) for i, t in enumerate("qqqii")
        )
        splits = Splits(parent, child, column, first, last, ids)
        return Parted(order, lengths, low, high, splits, self._all_fine)


def _marked(found: list[Found], n_partitions: int) -> npt.NDArray[np.bool_]:
    """Mark the partitions for which a cut was found."""
    marks = np.zeros(n_partitions, dtype=np.bool_)
    for item in found:
        marks[item.parts] = True
    return marks


def _on_column(j: int, parts: Ints, low: Leaves, high: Leaves) -> Request:
    return Request(parts, np.full(len(parts), j, dtype=np.int64), low[parts, j], high[parts, j])


def _first_regions(space: Space, first_units: Ints) -> tuple[Leaves, Leaves]:
    """Give the region of the most general cell allowed around some tuples, for every column."""
    first = space.encoded.tuples[first_units]
    low, high = np.empty_like(first), np.empty_like(first)
    for j, qi in enumerate(space.encoded.qis):
        node = qi.levels()[-1][first[:, j]]
        low[:, j], high[:, j] = qi.hierarchy.first_leaf[node], qi.hierarchy.end_leaf[node] - 1
    return low, high
