"""Clusters that violate the goals are merged with the neighbour that costs least, until the goals hold."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.goals import Judge
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.privacy.contract import Groups
from anonymizer_gui.engine.rooms.microdata.recoding import first_groups
from anonymizer_gui.engine.rooms.microdata.size import Size

Ints = npt.NDArray[np.int64]
Leaves = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]
Singles = npt.NDArray[np.float32]
_PAIRS_AT_ONCE = 1 << 20
_NODES_IN_TABLE = 2048
_NODES_AT_ONCE = 128
_PARTNERS = 32


def by_rows(encoded: Encoded) -> Encoded:
    """Give the table with every row as a tuple of its own, so that equal rows may go to different clusters."""
    every = np.arange(encoded.n_rows)
    sensitive = {
        name: Histogram.count(every, encoded.n_rows, values, encoded.sensitive[name].n_values)
        for name, values in encoded.sensitive_of_row.items()
    }
    return replace(
        encoded,
        tuples=encoded.tuples[encoded.tuple_of_row],
        counts=np.ones(encoded.n_rows, dtype=np.int64),
        tuple_of_row=every,
        sensitive=sensitive,
        population=None,
        persons=None if encoded.persons is None else encoded.persons.regrouped(every, encoded.n_rows),
    )


class Repair:
    """Merges groups of the tuples of a table, each of which may have rows or none; -1: in no group."""

    def __init__(self, encoded: Encoded, goals: Goals, group: Ints, progress: Progress) -> None:
        self.encoded = encoded
        self.judge = Judge(encoded, goals)
        self.progress = progress
        self._low, self._high = covered(encoded, self.finest_cells(np.arange(len(encoded.tuples))))
        self._top = first_groups(encoded)
        self._tables = [_joined_losses(encoded, j) for j in range(len(encoded.qis))]
        models = tuple(model for model in goals.models if not model.needs_population)
        self._about_rows = replace(goals, models=models)
        self._about_values = any(model.needs_sensitive for model in models)
        self.set_groups(group)

    def set_groups(self, group: Ints) -> None:
        """Take over groups and measure them; they are renumbered without gaps."""
        inside = np.flatnonzero(group >= 0)
        self.group = np.full(len(group), -1, dtype=np.int64)
        self.group[inside] = np.unique(group[inside], return_inverse=True)[1].reshape(-1)
        order = inside[np.argsort(self.group[inside], kind="stable")]
        many = np.bincount(self.group[inside])
        starts = np.cumsum(many) - many
        self.sizes = np.bincount(self.group[inside], self.encoded.counts[inside], len(many)).astype(np.int64)
        self.low = np.minimum.reduceat(self._low[order], starts, axis=0) if len(many) else self._low[:0]
        self.high = np.maximum.reduceat(self._high[order], starts, axis=0) if len(many) else self._high[:0]
        self.top = self._top[order[starts]]
        self.cells = np.empty_like(self.low)
        self.loss = np.zeros(len(self.sizes))
        for j, qi in enumerate(self.encoded.qis):
            self.cells[:, j] = qi.hierarchy.common_ancestors(self.low[:, j], self.high[:, j])
            self.loss += qi.weight * qi.hierarchy.loss[self.cells[:, j]]
        groups = self.groups() if self._about_values else Groups(self.sizes)
        self._values = {name: histogram.dense() for name, histogram in groups.sensitive.items()}

    def groups(self) -> Groups:
        """Give what goals about rows ask of the groups."""
        outside = len(self.sizes)
        every = self.encoded.groups(np.where(self.group < 0, outside, self.group), outside + 1)
        number = np.append(np.arange(outside), -1)
        persons = None if every.persons is None else every.persons.only(number, outside)
        return Groups(self.sizes, {name: _first(h, outside) for name, h in every.sensitive.items()}, persons=persons)

    def merge_until_fine(self) -> Ints:
        """Give the group of every tuple after merging; groups that can be merged no more may still violate."""
        violating = ~self.fine()
        at_first = max(int(violating.sum()), 1)
        while violating.any():
            self.progress(1 - min(int(violating.sum()) / at_first, 1), "Merging clusters that violate the goals")
            if not self.merge(np.flatnonzero(violating)):
                break
            violating = ~self.fine()
        return self.group

    def fine(self) -> Bools:
        """Say for every group whether it satisfies the goals."""
        inside = np.flatnonzero(self.group >= 0)
        return self.judge.parts_fine(inside.astype(np.int32), self.group[inside], self.sizes.astype(np.float64))

    def merge(self, violating: Ints) -> bool:
        """Merge some groups with those that cost least; False when there is nothing to merge with."""
        target = self._merged(violating, *self._partners(violating)) if len(violating) else None
        if target is None:
            return False
        self.set_groups(np.where(self.group < 0, -1, target[self.group]))
        return True

    def _partners(self, violating: Ints) -> tuple[Ints, Singles]:
        """Give for each of some clusters the one that costs least to merge with, and the cost (inf: there is none)."""
        partner = np.zeros(len(violating), dtype=np.int64)
        cost = np.full(len(violating), np.inf, dtype=np.float32)
        widest = max((counts.shape[1] for counts in self._values.values()), default=0)
        block = max(1, _PAIRS_AT_ONCE // max(len(self.sizes), _PARTNERS * widest))
        own = (self.sizes * self.loss).astype(np.float32)
        for start in range(0, len(violating), block):
            self.progress.check()
            mine = violating[start : start + block]
            matrix = self.joined(self.cells[mine])
            matrix *= (self.sizes[mine, None] + self.sizes).astype(np.float32)
            matrix -= own[mine, None] + own
            matrix[self.top[mine, None] != self.top] = np.inf
            matrix[np.arange(len(mine)), mine] = np.inf
            best = self._best(mine, matrix)
            partner[start : start + block] = best
            cost[start : start + block] = matrix[np.arange(len(mine)), best]
        return partner, cost

    def _best(self, mine: Ints, matrix: Singles) -> Ints:
        """Choose the partner: of the cheapest few the first whose union holds the goals, else the cheapest."""
        some = min(_PARTNERS, matrix.shape[1])
        near = np.sort(np.argpartition(matrix, some - 1, axis=1)[:, :some], axis=1)
        near = np.take_along_axis(near, np.argsort(np.take_along_axis(matrix, near, 1), axis=1, kind="stable"), 1)
        if not self._values:
            return np.asarray(near[:, 0])
        union = {
            name: _sparse((counts[mine][:, None] + counts[near]).reshape(-1, counts.shape[1]))
            for name, counts in self._values.items()
        }
        sizes = (self.sizes[mine][:, None] + self.sizes[near]).reshape(-1)
        fine = self._about_rows.satisfied(Groups(sizes, union)).reshape(near.shape)
        fine &= np.isfinite(np.take_along_axis(matrix, near, 1))
        return np.asarray(near[np.arange(len(mine)), fine.argmax(axis=1)])

    def joined(self, cells: Leaves) -> Singles:
        """Give the loss of a row of the union of some cells (rows) with every group (columns)."""
        total = np.zeros((len(cells), len(self.sizes)), dtype=np.float32)
        first, last = covered(self.encoded, cells)
        for j, (qi, table) in enumerate(zip(self.encoded.qis, self._tables, strict=True)):
            if table is not None:
                total += table[cells[:, j]][:, self.cells[:, j]]
                continue
            low = np.minimum(first[:, j, None], self.low[:, j])
            high = np.maximum(last[:, j, None], self.high[:, j])
            node = qi.hierarchy.common_ancestors(low.reshape(-1), high.reshape(-1))
            total += (qi.weight * qi.hierarchy.loss[node]).astype(np.float32).reshape(low.shape)
        return total

    def finest_cells(self, tuples: Ints) -> Leaves:
        """Give the finest cells that some tuples may be published with."""
        leaves = self.encoded.tuples[tuples]
        return np.stack([qi.levels()[0][leaves[:, j]] for j, qi in enumerate(self.encoded.qis)], axis=1)

    def _merged(self, violating: Ints, partner: Ints, cost: Singles) -> Ints | None:
        """Merge pairs, cheapest first, no cluster twice; None when there is nothing to merge."""
        order = np.lexsort((violating, cost))
        order = order[np.isfinite(cost[order])]
        if not len(order):
            return None
        one, other = violating[order], partner[order]
        rank = np.arange(len(order))
        foremost = np.full(len(self.sizes), len(order), dtype=np.int64)
        np.minimum.at(foremost, one, rank)
        np.minimum.at(foremost, other, rank)
        chosen = (foremost[one] == rank) & (foremost[other] == rank)
        target = np.arange(len(self.sizes))
        target[np.maximum(one, other)[chosen]] = np.minimum(one, other)[chosen]
        return target


def _sparse(dense: Ints) -> Histogram:
    groups, values = np.nonzero(dense)
    return Histogram(dense.shape[0], dense.shape[1], groups, values, dense[groups, values])


def _first(histogram: Histogram, n_groups: int) -> Histogram:
    """Keep the first groups."""
    upto = int(np.searchsorted(histogram.groups, n_groups))
    entries = (histogram.groups[:upto], histogram.values[:upto], histogram.counts[:upto])
    return Histogram(n_groups, histogram.n_values, *entries)


def covered(encoded: Encoded, nodes: Leaves) -> tuple[Leaves, Leaves]:
    """Give the first and last leaf under nodes of every column."""
    low, high = np.empty_like(nodes), np.empty_like(nodes)
    for j, qi in enumerate(encoded.qis):
        low[:, j], high[:, j] = qi.hierarchy.first_leaf[nodes[:, j]], qi.hierarchy.end_leaf[nodes[:, j]] - 1
    return low, high


def repair_memory(size: Size) -> int:
    """Give the bytes that tables of joined losses and the search for partners take at most."""
    known = [nodes for nodes in size.nodes if nodes <= _NODES_IN_TABLE]
    clusters = size.rows // size.least_rows + size.least_rows
    violating = min(size.least_rows, clusters) if size.by_size_alone else clusters
    values = 0 if size.by_size_alone else size.values
    block = min(max(1, _PAIRS_AT_ONCE // max(clusters, _PARTNERS * values)), violating)
    per_pair = 28 if len(known) == size.columns else 88
    of_values = 8 * values * clusters + 64 * block * _PARTNERS * values
    return sum(4 * nodes * nodes for nodes in known) + per_pair * block * clusters + size.sensitive * of_values


def _joined_losses(encoded: Encoded, j: int) -> Singles | None:
    """Give the weighted LM of the common ancestor of any two nodes of a column, unless the table would be huge."""
    qi = encoded.qis[j]
    tree = qi.hierarchy
    if len(tree) > _NODES_IN_TABLE:
        return None
    table = np.empty((len(tree), len(tree)), dtype=np.float32)
    for start in range(0, len(tree), _NODES_AT_ONCE):
        here = slice(start, start + _NODES_AT_ONCE)
        low = np.minimum(tree.first_leaf[here, None], tree.first_leaf)
        high = np.maximum(tree.end_leaf[here, None], tree.end_leaf) - 1
        node = tree.common_ancestors(low.reshape(-1), high.reshape(-1))
        table[here] = (qi.weight * tree.loss[node]).reshape(low.shape)
    return table
