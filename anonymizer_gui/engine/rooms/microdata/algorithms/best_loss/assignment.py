"""Units, classes and what it costs to join them."""

import copy
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import (
    EquivalenceClasses,
    Histogram,
    group_rows,
    sum_by_group,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable, QuasiIdentifier
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import most_general_groups
from anonymizer_gui.engine.rooms.microdata.models.contract import GoalSet
from anonymizer_gui.engine.rooms.microdata.recoding import ProblemSize

Ints = npt.NDArray[np.int64]

Floats = npt.NDArray[np.float64]

Singles = npt.NDArray[np.float32]

INFEASIBLE_COST = 1e6

_LARGEST_TABLE = 1 << 22


def split_by_sensitive_values(encoded: EncodedTable, goals: GoalSet) -> EncodedTable:
    """Give the table with rows of one tuple but different sensitive values as tuples of their own.

    Such rows may then be published in different classes. Without goals on sensitive columns, or with a population
    (whose people belong to tuples), the table stays as it is.
    """
    if encoded.population is not None or not any(model.needs_sensitive for model in goals.models):
        return encoded
    columns = [encoded.tuple_of_row, *encoded.sensitive_of_row.values()]
    units, times = group_rows(columns, len(encoded.tuple_of_row)), encoded.times
    counts = units.sizes if times is None else sum_by_group(units.ids, times, len(units))
    sensitive = {
        name: Histogram.count(units.ids, len(units), values, encoded.sensitive[name].n_values, times)
        for name, values in encoded.sensitive_of_row.items()
    }
    tuples = encoded.tuples[encoded.tuple_of_row[units.first_rows]]
    persons = None if encoded.persons is None else encoded.persons.regrouped(units.ids, len(units))
    return replace(encoded, tuples=tuples, counts=counts, tuple_of_row=units.ids, sensitive=sensitive, persons=persons)


class JoinLoss:
    """The weighted LM of the cells of one QI once they also cover other leaves.

    All pairs are known beforehand where they are few; else those asked for are found depth by depth.
    """

    def __init__(self, qi: QuasiIdentifier) -> None:
        self._tree, self._finest = qi.hierarchy, qi.levels()[0]
        self._loss = (qi.weight * qi.hierarchy.loss).astype(np.float32)
        self._table = _joining_table(qi) if len(self._tree) * len(self._finest) <= _LARGEST_TABLE else None

    def of(self, leaves: npt.NDArray[np.int32], nodes: npt.NDArray[np.int32]) -> Singles:
        """Give the loss of the common ancestor of each leaf (row) and node (column)."""
        if self._table is None:
            return self._by_depth(self._finest[leaves], nodes)
        if len(nodes) * self._table.shape[1] <= _LARGEST_TABLE:
            return np.asarray(self._table[nodes].T[leaves])
        return np.asarray(self._table[nodes, leaves[:, None]])

    def _by_depth(self, rows: npt.NDArray[np.int32], columns: npt.NDArray[np.int32]) -> Singles:
        """Let every pair sink from the root for as long as both have the same ancestor."""
        tree = self._tree
        found = np.full((len(rows), len(columns)), self._loss[0], dtype=np.float32)
        deepest = min(tree.depths[rows].max(initial=0), tree.depths[columns].max(initial=0))
        for depth in range(1, int(deepest) + 1):
            ours, theirs = (tree.ancestors[depth, tree.first_leaf[nodes]] for nodes in (rows, columns))
            ours[tree.depths[rows] < depth] = -1
            theirs[tree.depths[columns] < depth] = -2
            np.copyto(found, self._loss[ours][:, None], where=ours[:, None] == theirs)
        return found


def tables_memory(size: ProblemSize) -> int:
    """Give the bytes of the tables of all pairs, where they are few."""
    pairs = (nodes * leaves for nodes, leaves in zip(size.nodes, size.leaves, strict=True))
    return sum(4 * number for number in pairs if number <= _LARGEST_TABLE)


def _joining_table(qi: QuasiIdentifier) -> Singles:
    """Give the loss of a cell `node` (row) that must also cover `leaf` (column).

    Go down the tree: what a node covers costs its own loss, all else what its parent says.

    Rows are copied whole, which is a hundred times as fast as asking for the common ancestor of every pair.
    """
    tree, finest = qi.hierarchy, qi.levels()[0]
    first, end = tree.first_leaf[finest], tree.end_leaf[finest]
    loss = (qi.weight * tree.loss).astype(np.float32)
    table = np.empty((len(tree), len(finest)), dtype=np.float32)
    table[0] = loss[0]
    nodes = zip(tree.parents.tolist(), tree.first_leaf.tolist(), tree.end_leaf.tolist(), strict=True)
    for node, (parent, low, high) in enumerate(nodes):
        if node:
            table[node] = table[parent]
            # A node covers a leaf only with all of the finest cell that may be published for it.
            covered = (first[low:high] >= low) & (end[low:high] <= high)
            np.putmask(table[node, low:high], covered, loss[node])
    return table


_PAIRS_AT_ONCE = 1 << 21

_GROUPS_AT_ONCE = 512

_TILE = 1 << 18

_UNITS_PER_COMBINATION = 16

Bools = npt.NDArray[np.bool_]


class Assignment:
    """Which unit is in which group (-1: none yet), and the rows, cells and loss of every group.

    Groups keep their numbers; one that has lost all its units has no rows.
    """

    def __init__(self, encoded: EncodedTable, group_of_unit: Ints, progress: Progress = SILENT) -> None:
        self.encoded = encoded
        self.progress = progress
        self.counts = encoded.counts.astype(np.float64)
        self.low, self.high = _finest(encoded)
        self._top = most_general_groups(encoded)
        self._bounded = bool(self._top.any())
        self._joining = [JoinLoss(qi) for qi in encoded.qis]
        self._bundles = _bundles(encoded, progress)
        self.n_groups = int(group_of_unit.max(initial=-1)) + 1
        self.set_groups(group_of_unit)

    def regrouped(self, group_of_unit: Ints) -> "Assignment":
        """Give another assignment of the same units; what is known of the columns is shared."""
        other = copy.copy(self)
        other.n_groups = int(group_of_unit.max(initial=-1)) + 1
        other.set_groups(group_of_unit)
        return other

    def set_groups(self, group_of_unit: Ints) -> None:
        """Take over an assignment and measure the groups."""
        self.group = group_of_unit
        self.sizes = np.zeros(self.n_groups)
        self.cells = np.zeros((self.n_groups, len(self.encoded.qis)), dtype=np.int32)
        self.loss = np.zeros(self.n_groups)
        self._top_of_group = np.full(self.n_groups, -1, dtype=np.int64)
        self._without = np.zeros(len(group_of_unit))
        self._unknown = np.ones(self.n_groups, dtype=np.bool_)
        self._measure(self._unknown)

    def move(self, units: Ints, groups: Ints) -> None:
        """Put units into other groups, and measure the groups they leave and join."""
        touched = np.zeros(self.n_groups, dtype=np.bool_)
        touched[self.group[units]] = touched[groups] = True
        self.group = self.group.copy()
        self.group[units] = groups
        self._unknown |= touched
        self._measure(touched)

    def _measure(self, touched: Bools) -> None:
        """Measure some groups anew."""
        order, starts, live = self._members(touched)
        self.sizes[touched], self.loss[touched] = 0, 0
        if not len(live):
            return
        self.progress.check()
        self.sizes[live] = np.add.reduceat(self.counts[order], starts)
        self._top_of_group[live] = self._top[order[starts]]
        low = np.minimum.reduceat(self.low[order], starts, axis=0)
        self.progress.check()
        high = np.maximum.reduceat(self.high[order], starts, axis=0)
        for j, qi in enumerate(self.encoded.qis):
            self.progress.check()
            self.cells[live, j] = qi.hierarchy.common_ancestors(low[:, j], high[:, j])
            self.loss[live] += qi.weight * qi.hierarchy.loss[self.cells[live, j]]

    def _members(self, groups: Bools) -> tuple[Ints, Ints, Ints]:
        """Give the units of some groups in their order, where each group begins, and the groups that have units."""
        inside = np.flatnonzero((self.group >= 0) & np.append(groups, False)[self.group])
        self.progress.check()
        order = inside[np.argsort(self.group[inside], kind="stable")]
        self.progress.check()
        live, starts = np.unique(self.group[order], return_index=True)
        return order, starts, live

    def loss_without(self, progress: Progress) -> Floats:
        """Give for every unit the loss of a row of its group if the unit left it; 0 for units outside."""
        order, starts, live = self._members(self._unknown)
        self._without[order] = 0
        lengths = np.diff(np.append(starts, len(order)))
        owner = np.repeat(np.arange(len(starts)), lengths)
        for j, qi in enumerate(self.encoded.qis if len(live) else ()):
            progress.check()
            low = _without_own(self.low[order, j], owner, starts, lengths)
            progress.check()
            high = -_without_own(-self.high[order, j], owner, starts, lengths)
            progress.check()
            node = qi.hierarchy.common_ancestors(np.minimum(low, high), high)
            self._without[order] += qi.weight * qi.hierarchy.loss[node]
        self._unknown = np.zeros(self.n_groups, dtype=np.bool_)
        return self._without

    def cost_of_joining(self, units: Ints, groups: Ints) -> Singles:
        """Give what the LM of the table grows by when a unit (row) joins a group (column).

        That costs more than anything else where their cell would be above the highest level allowed.
        """
        cost = np.empty((len(units), len(groups)), dtype=np.float32)
        for rows, columns, tile in self._tiles(units, groups):
            cost[rows, columns] = tile
        return cost

    def cheapest(self, units: Ints, groups: Ints, progress: Progress) -> tuple[Singles, Ints]:
        """Give for every unit the least cost of joining one of the groups other than its own, and that group."""
        cost = np.full(len(units), np.inf, dtype=np.float32)
        group = np.full(len(units), -1, dtype=np.int64)
        for rows, columns, tile in self._tiles(units, groups):
            progress.check()
            here, mine = groups[columns], self.group[units[rows]]
            place = np.minimum(np.searchsorted(here, mine), len(here) - 1)
            own = np.flatnonzero(here[place] == mine)
            tile[own, place[own]] = np.inf
            best = tile.argmin(axis=1)
            least = tile[np.arange(len(tile)), best]
            better = np.flatnonzero(least < cost[rows])
            cost[rows][better], group[rows][better] = least[better], here[best[better]]
        return cost, group

    def _tiles(self, units: Ints, groups: Ints) -> Iterator[tuple[slice, slice, Singles]]:
        """Reckon the cost of joining in tiles small enough for the cache: which units, which groups, and the costs."""
        shared = []
        for columns, leaves, of_unit in self._bundles:
            which, place = np.unique(of_unit[units], return_inverse=True)
            shared.append((columns, leaves[which], place.reshape(-1)))
        combinations = sum(len(leaves) for _, leaves, _ in shared)
        width = min(max(1, _PAIRS_AT_ONCE // max(combinations, 1)), _GROUPS_AT_ONCE)
        height = _TILE // width
        for start in range(0, len(groups), width):
            here = slice(start, start + width)
            parts = [(self._part(columns, leaves, groups[here]), place) for columns, leaves, place in shared]
            for first in range(0, len(units), height):
                rows = slice(first, first + height)
                lost = np.zeros((len(units[rows]), len(groups[here])), dtype=np.float32)
                for part, place in parts:
                    lost += part.take(place[rows], axis=0)
                yield rows, here, self._growth(lost, units[rows], groups[here])

    def _part(self, columns: list[int], leaves: npt.NDArray[np.int32], groups: Ints) -> Singles:
        """Give what a row of each group (column) loses in some columns once it covers each combination of leaves."""
        part = np.zeros((len(leaves), len(groups)), dtype=np.float32)
        for j, leaf in zip(columns, leaves.T, strict=True):
            part += self._joining[j].of(leaf, self.cells[groups, j])
        return part

    def _growth(self, lost: Singles, units: Ints, groups: Ints) -> Singles:
        """Make of what a row of each group would lose what the LM of the table grows by."""
        sizes = self.sizes[groups]
        several = np.flatnonzero(self.counts[units] != 1)
        more = lost[several] * (self.counts[units[several], None] - 1).astype(np.float32)
        lost *= (sizes + 1).astype(np.float32)
        lost -= (sizes * self.loss[groups]).astype(np.float32)
        lost[several] += more
        if self._bounded:
            lost[self._top[units][:, None] != self._top_of_group[groups]] = INFEASIBLE_COST
        return lost


def join_memory(size: ProblemSize) -> int:
    """Give the bytes that the losses of joining take at most, known ones and those of the pairs looked at."""
    groups = min(size.tuples, size.rows // size.least_rows + 1)
    pairs = min(_PAIRS_AT_ONCE, size.tuples * groups)
    return tables_memory(size) + 24 * pairs


def _bundles(encoded: EncodedTable, progress: Progress) -> list[tuple[list[int], npt.NDArray[np.int32], Ints]]:
    """Part the columns in bundles in which few combinations of leaves occur: columns, combinations, that of each unit.

    What many units share is then added up once.
    """
    widths = []
    for j in range(len(encoded.qis)):
        progress.check()
        widths.append(len(np.unique(encoded.tuples[:, j])))
    bundles: list[tuple[list[int], EquivalenceClasses]] = []
    for j in sorted(range(len(widths)), key=widths.__getitem__):
        for place, (columns, _) in enumerate(bundles):
            progress.check()
            found = group_rows([encoded.tuples[:, i] for i in (*columns, j)], len(encoded.tuples))
            if len(found) * _UNITS_PER_COMBINATION <= len(encoded.tuples):
                bundles[place] = [*columns, j], found
                break
        else:
            bundles.append(([j], group_rows([encoded.tuples[:, j]], len(encoded.tuples))))
    return [(columns, encoded.tuples[found.first_rows][:, columns], found.ids) for columns, found in bundles]


def _without_own(values: npt.NDArray[np.int32], owner: Ints, starts: Ints, lengths: Ints) -> npt.NDArray[np.int32]:
    """Give for every value the least of the others of the same owner (its own where there are no others)."""
    order = np.lexsort((values, owner))
    least = np.repeat(values[order[starts]], lengths)
    second = values[order[np.where(lengths > 1, starts + 1, starts)]]
    least[order[starts]] = second
    return least


def _finest(encoded: EncodedTable) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Give the first and last leaf of the finest cell every unit may be published with."""
    low, high = np.empty_like(encoded.tuples), np.empty_like(encoded.tuples)
    for j, qi in enumerate(encoded.qis):
        node = qi.levels()[0][encoded.tuples[:, j]]
        low[:, j], high[:, j] = qi.hierarchy.first_leaf[node], qi.hierarchy.end_leaf[node] - 1
    return low, high
