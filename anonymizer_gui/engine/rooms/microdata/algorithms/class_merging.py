"""Classes merged until goals hold: violating ones, equal published ones, those with too few people.

While every row is about another person that goes without saying: what holds for classes holds for their union.
Somebody who has another sensitive value in each of two classes counts with one of them where they are united.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import EquivalenceClasses, Histogram, group_rows
from anonymizer_gui.engine.data.tables.table import Codes, smallest_codes
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.feasibility import explain_infeasible
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import most_general_groups, recoding_of_groups
from anonymizer_gui.engine.rooms.microdata.algorithms.goal_evaluation import GoalEvaluator
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import allowed_suppressions, suppress_groups
from anonymizer_gui.engine.rooms.microdata.models.contract import ClassGroups, GoalSet
from anonymizer_gui.engine.rooms.microdata.recoding import ProblemSize, Recoding

Ints = npt.NDArray[np.int64]

Leaves = npt.NDArray[np.int32]

Bools = npt.NDArray[np.bool_]

Singles = npt.NDArray[np.float32]

_PAIRS_AT_ONCE = 1 << 20

_NODES_IN_TABLE = 2048

_NODES_AT_ONCE = 128

_PARTNERS = 32


def one_tuple_per_row(encoded: EncodedTable) -> EncodedTable:
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


class ClassMerger:
    """Merges groups of the tuples of a table, each of which may have rows or none; -1: in no group."""

    def __init__(self, encoded: EncodedTable, goals: GoalSet, group: Ints, progress: Progress) -> None:
        self.encoded = encoded
        self.judge = GoalEvaluator(encoded, goals)
        self.progress = progress
        self._low, self._high = covered_leaves(encoded, self.finest_cells(np.arange(len(encoded.tuples))))
        self._top = most_general_groups(encoded)
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
        groups = self.groups() if self._about_values else ClassGroups(self.sizes)
        self._values = {name: histogram.dense() for name, histogram in groups.sensitive.items()}

    def groups(self) -> ClassGroups:
        """Give what goals about rows ask of the groups."""
        outside = len(self.sizes)
        every = self.encoded.groups(np.where(self.group < 0, outside, self.group), outside + 1)
        number = np.append(np.arange(outside), -1)
        persons = None if every.persons is None else every.persons.only(number, outside)
        return ClassGroups(
            self.sizes, {name: _first(h, outside) for name, h in every.sensitive.items()}, persons=persons
        )

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
        fine = self._about_rows.satisfied(ClassGroups(sizes, union)).reshape(near.shape)
        fine &= np.isfinite(np.take_along_axis(matrix, near, 1))
        return np.asarray(near[np.arange(len(mine)), fine.argmax(axis=1)])

    def joined(self, cells: Leaves) -> Singles:
        """Give the loss of a row of the union of some cells (rows) with every group (columns)."""
        total = np.zeros((len(cells), len(self.sizes)), dtype=np.float32)
        first, last = covered_leaves(self.encoded, cells)
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


def covered_leaves(encoded: EncodedTable, nodes: Leaves) -> tuple[Leaves, Leaves]:
    """Give the first and last leaf under nodes of every column."""
    low, high = np.empty_like(nodes), np.empty_like(nodes)
    for j, qi in enumerate(encoded.qis):
        low[:, j], high[:, j] = qi.hierarchy.first_leaf[nodes[:, j]], qi.hierarchy.end_leaf[nodes[:, j]] - 1
    return low, high


def merging_memory(size: ProblemSize) -> int:
    """Give the bytes that tables of joined losses and the search for partners take at most."""
    known = [nodes for nodes in size.nodes if nodes <= _NODES_IN_TABLE]
    clusters = size.rows // size.least_rows + size.least_rows
    violating = min(size.least_rows, clusters) if size.by_size_alone else clusters
    values = 0 if size.by_size_alone else size.values
    block = min(max(1, _PAIRS_AT_ONCE // max(clusters, _PARTNERS * values)), violating)
    per_pair = 28 if len(known) == size.columns else 88
    of_values = 8 * values * clusters + 64 * block * _PARTNERS * values
    return sum(4 * nodes * nodes for nodes in known) + per_pair * block * clusters + size.sensitive * of_values


def _joined_losses(encoded: EncodedTable, j: int) -> Singles | None:
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


class EqualClassMerger(ClassMerger):
    """Merges groups that violate the goals; those that come to have the same cells are one."""

    def set_groups(self, group: Ints) -> None:
        """Take over groups; those with the same cells are one."""
        super().set_groups(group)
        same = groups_with_same_cells(self.cells)
        if len(same) < len(self.cells):
            super().set_groups(np.where(self.group < 0, -1, same.ids[self.group]))
        inside = np.flatnonzero(self.group >= 0)
        foreign = self._top[inside] != self.top[self.group[inside]]
        # Climbing from uneven depth: rows of different most general cells met; their cell must not grow.
        mixed = np.unique(self.group[inside[foreign]])
        self.top[mixed] = -1 - mixed


def merge_equal_classes(
    encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, group_of_row: Ints, progress: Progress
) -> Recoding:
    """Merge the groups of rows (-1: suppressed) until they hold the goals as they are published.

    Raises Infeasible when that cannot be reached so.
    """
    rows = one_tuple_per_row(encoded)
    repair = EqualClassMerger(rows, goals, group_of_row, progress)
    groups, fine = repair.merge_until_fine(), repair.fine()
    if not fine.all():
        left = allowed_suppressions(encoded.n_rows, limits.suppression) - int(np.count_nonzero(groups < 0))
        settled = suppress_groups(repair.groups(), goals, left)
        if settled is None:
            raise explain_infeasible(encoded, goals, limits)
        groups = np.where(np.append(settled.kept, False)[groups], groups, -1)
    return recoding_of_groups(rows, groups)


def groups_with_same_cells(cells: npt.NDArray[np.int32]) -> EquivalenceClasses:
    """Find the groups that have the same cells."""
    return group_rows([cells[:, j] for j in range(cells.shape[1])], len(cells))


_POPULATION_PAIRS_AT_ONCE = 1 << 21


def is_about_population(goals: GoalSet) -> bool:
    """Say whether a goal is about the population."""
    return any(model.needs_population for model in goals.models)


def merge_for_population(
    encoded: EncodedTable,
    goals: GoalSet,
    limits: SearchLimits,
    group_of_row: Ints,
    progress: Progress,
    group_of_tuple: Ints | None = None,
) -> Recoding:
    """Merge and widen groups until goals about the population hold for their cells.

    Cells of local recoding overlap, and groups with the same cells are published as one class: the people of a
    class are known only once its cells are. Rows in group -1 (not published) are given another chance.
    `group_of_tuple` says in whose cells people without a row lie already, for algorithms that grouped them, too.
    Raises Infeasible when the goals cannot be reached so.
    """
    units, lonely = _with_people(encoded)
    top = most_general_groups(encoded)[encoded.tuple_of_row]
    rows = np.where(group_of_row >= 0, group_of_row, group_of_row.max(initial=-1) + 1 + top)
    there = np.full(len(lonely), -1, dtype=np.int64) if group_of_tuple is None else group_of_tuple[lonely]
    there[~np.isin(there, rows)] = -1
    repair = PopulationMerger(encoded, units, goals, np.concatenate([rows, there]), progress)
    groups = repair.settled(allowed_suppressions(encoded.n_rows, limits.suppression))
    if groups is None:
        raise explain_infeasible(encoded, goals, limits)
    return recoding_of_groups(units, groups)


def _with_people(encoded: EncodedTable) -> tuple[EncodedTable, Ints]:
    """Give the table with a tuple for every row, then one for each tuple that only people have, and these."""
    rows = one_tuple_per_row(encoded)
    lonely = np.flatnonzero(encoded.counts == 0)
    tuples = np.concatenate([rows.tuples, encoded.tuples[lonely]])
    counts = np.concatenate([rows.counts, np.zeros(len(lonely), dtype=np.int64)])
    sensitive = {name: replace(h, n_groups=len(tuples)) for name, h in rows.sensitive.items()}
    persons = None if rows.persons is None else replace(rows.persons, n_groups=len(tuples))
    return replace(rows, tuples=tuples, counts=counts, sensitive=sensitive, persons=persons), lonely


class PopulationMerger(EqualClassMerger):
    """Merges groups of rows whose cells hold too few or too many people; takes people without a row into groups."""

    def __init__(
        self, encoded: EncodedTable, units: EncodedTable, goals: GoalSet, groups: Ints, progress: Progress
    ) -> None:
        there = np.flatnonzero(_population(encoded))
        self._columns = [
            smallest_codes(encoded.tuples[there, j], qi.hierarchy.n_leaves) for j, qi in enumerate(encoded.qis)
        ]
        self._weight = _population(encoded)[there].astype(np.float64)
        self._people = np.zeros(0, dtype=np.int64)
        self._counted = np.zeros((0, len(encoded.qis)), dtype=np.int32)
        self._all_must_fit = _all_must_fit(goals)
        super().__init__(units, goals, groups, progress)

    def settled(self, allowed: int) -> Ints | None:
        """Merge and widen until everything holds or nothing helps; give the group of every unit, -1: suppressed."""
        while True:
            violating = np.flatnonzero(~self.fine())
            self.progress(
                0.0, message("Counting people: {count:class does|classes do} not satisfy yet", count=len(violating))
            )
            if self.merge(violating) or self._widen(violating):
                continue
            if not (self._all_must_fit and self._take_in()):
                break
        if self._all_must_fit and not self._fits_somewhere().all():
            return None
        settled = suppress_groups(self._with_people(), self.judge.goals, allowed)
        return None if settled is None else np.where(np.append(settled.kept, False)[self.group], self.group, -1)

    def fine(self) -> Bools:
        """Say for every group whether it satisfies the goals; people are those whose values lie in its cells."""
        return self.judge.goals.satisfied(self._with_people())

    def _with_people(self) -> ClassGroups:
        known = len(self._counted)
        number = groups_with_same_cells(np.concatenate([self._counted, self.cells])).ids[known:]
        people = np.append(self._people, 0)[np.minimum(number, known)]
        new = np.flatnonzero(number >= known)
        for here, inside in self._blocks(new, self._columns):
            people[here] = inside.astype(np.float64) @ self._weight
        self._people, self._counted = people, self.cells
        return replace(self.groups(), population=people)

    def _blocks(self, groups: Ints, columns: Sequence[Codes]) -> Iterator[tuple[Ints, Bools]]:
        """Say which people (columns) lie in the cells of which groups (rows), some groups at a time."""
        low, high = covered_leaves(self.encoded, self.cells)
        block = max(1, _POPULATION_PAIRS_AT_ONCE // max(len(columns[0]), 1))
        for start in range(0, len(groups), block):
            self.progress.check()
            here = groups[start : start + block]
            inside = np.ones((len(here), len(columns[0])), dtype=np.bool_)
            for j, leaves in enumerate(columns):
                inside &= leaves >= low[here, j, None].astype(leaves.dtype)
                inside &= leaves <= high[here, j, None].astype(leaves.dtype)
            yield here, inside

    def _widen(self, violating: Ints) -> bool:
        """Take all people of their most general cell into groups that nothing can be merged with."""
        waiting = np.flatnonzero(self.group < 0)
        group_of_top = np.full(int(self._top.max(initial=0)) + 1, -1, dtype=np.int64)
        open_ = violating[self.top[violating] >= 0]
        group_of_top[self.top[open_]] = open_
        return self._joins(waiting, group_of_top[self._top[waiting]])

    def _take_in(self) -> bool:
        """Take people who are in no cell into the group where that costs least."""
        waiting = np.flatnonzero(self.group < 0)
        waiting = waiting[~self._fits_somewhere()] if len(self.sizes) else waiting[:0]
        target = np.full(len(waiting), -1, dtype=np.int64)
        block = max(1, _POPULATION_PAIRS_AT_ONCE // max(len(self.sizes), 1))
        for start in range(0, len(waiting), block):
            self.progress.check()
            some = waiting[start : start + block]
            cost = (self.joined(self.finest_cells(some)) - self.loss.astype(np.float32)) * self.sizes
            cost[self._top[some, None] != self.top] = np.inf
            best = cost.argmin(axis=1)
            target[start : start + block] = np.where(np.isfinite(cost[np.arange(len(some)), best]), best, -1)
        return self._joins(waiting, target)

    def _joins(self, units: Ints, target: Ints) -> bool:
        joining = target >= 0
        if joining.any():
            group = self.group.copy()
            group[units[joining]] = target[joining]
            self.set_groups(group)
        return bool(joining.any())

    def _fits_somewhere(self) -> Bools:
        """Say for everybody in no group whether some cell has room for them."""
        waiting = np.flatnonzero(self.group < 0)
        found = np.zeros(len(waiting), dtype=np.bool_)
        for _, inside in self._blocks(np.arange(len(self.cells)), list(self.encoded.tuples[waiting].T)):
            found |= inside.any(axis=0)
        return found


def _population(encoded: EncodedTable) -> Ints:
    return np.zeros(len(encoded.tuples), dtype=np.int64) if encoded.population is None else encoded.population


def _all_must_fit(goals: GoalSet) -> bool:
    """Say whether a goal forbids that people of the population are in no class."""
    nobody = ClassGroups(np.zeros(1, dtype=np.int64), {}, np.ones(1, dtype=np.int64))
    models = (model for model in goals.models if model.needs_population)
    return not all(model.satisfied(nobody, goals.whole)[0] for model in models)
