"""The lattice of full-domain generalizations: its nodes, their loss, and the classes of a node."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram, group_rows
from anonymizer_gui.engine.data.tables.table import Codes, smallest_codes
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import recoding_of_nodes
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import Suppression
from anonymizer_gui.engine.rooms.microdata.models.contract import ClassGroups
from anonymizer_gui.engine.rooms.microdata.recoding import ProblemSize, Recoding

_FEW_TUPLES = 50_000
Node = tuple[int, ...]
PRUNED, VIOLATED, SATISFIED, CHOSEN = range(4)
STATES = ("pruned", "violated", "satisfied", "chosen")


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """What a search saw: one row per node with its levels, state, LM (where not checked: least it can be).

    `k` and `suppressed` are -1 where they were not computed; `bound` is the least LM any node that satisfies can
    have, the LM of the chosen node when it is the proven optimum; `complete` says whether every node is here.
    """

    columns: tuple[str, ...]
    levels: npt.NDArray[np.int32]
    state: npt.NDArray[np.uint8]
    lm: npt.NDArray[np.float64]
    k: npt.NDArray[np.int64]
    suppressed: npt.NDArray[np.int64]
    chosen: int
    bound: float
    complete: bool


def published_levels(encoded: EncodedTable, nodes: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.int32]:
    """Count the levels of nodes from those of the hierarchies, where level bounds cut off the lowest."""
    lowest = np.array([min(qi.lowest, qi.top) for qi in encoded.qis])
    return np.asarray(nodes + lowest, dtype=np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class RolledUpClasses:
    """The classes of a node: a tuple that stands for each, the rows in it, and what models ask about it."""

    node: Node
    first_tuples: npt.NDArray[np.int64]
    groups: ClassGroups


class LevelTables:
    """The level tables of all QIs as small integers: the class of a tuple at any node is a sum of look-ups."""

    def __init__(self, encoded: EncodedTable) -> None:
        self.encoded = encoded
        self.nodes = [qi.levels() for qi in encoded.qis]
        self.places = [_numbered(levels) for levels in self.nodes]
        self.columns = [smallest_codes(encoded.tuples[:, j], qi.hierarchy.n_leaves) for j, qi in enumerate(encoded.qis)]
        self._kept: dict[tuple[int, int], Codes] = {}

    @property
    def shape(self) -> Node:
        """The number of levels of each column."""
        return tuple(len(levels) for levels in self.nodes)

    @cached_property
    def cell_losses(self) -> list[npt.NDArray[np.float64]]:
        """For each column, the weighted LM of every leaf at every level."""
        return [qi.weight * qi.hierarchy.loss[levels] for qi, levels in zip(self.encoded.qis, self.nodes, strict=True)]

    @cached_property
    def marginal_losses(self) -> list[npt.NDArray[np.float64]]:
        """For each column, the weighted LM of the whole column at every level, summed over rows."""
        found = []
        for column, losses in zip(self.columns, self.cell_losses, strict=True):
            rows = np.bincount(column, weights=self.encoded.counts, minlength=losses.shape[1])
            found.append((losses * rows).sum(axis=1))  # a matrix product would round as the machine likes
        return found

    @cached_property
    def marginal_climbs(self) -> list[npt.NDArray[np.int64]]:
        """For each column, the levels that its rows have climbed in all at every level: the parts of MD."""
        found = []
        for qi, column, levels in zip(self.encoded.qis, self.columns, self.nodes, strict=True):
            tree = qi.hierarchy
            rows = np.bincount(column, weights=self.encoded.counts, minlength=tree.n_leaves).astype(np.int64)
            climbed = tree.depths[tree.leaves].astype(np.int64) - tree.depths[levels]
            found.append((climbed * rows).sum(axis=1))
        return found

    def base(self) -> RolledUpClasses:
        """Give the classes of the lowest node."""
        everything = np.arange(len(self.encoded.tuples))
        groups = ClassGroups(self.encoded.counts, self.encoded.sensitive, self.encoded.population, self.encoded.persons)
        raw = RolledUpClasses((0,) * len(self.nodes), everything, groups)
        return self.roll_up(raw, raw.node) if any(qi.lowest for qi in self.encoded.qis) else raw

    def roll_up(self, source: RolledUpClasses, node: Node) -> RolledUpClasses:
        """Give the classes of a node from those of one below it."""
        columns = [
            self._at(j, level, source.first_tuples) for j, level in enumerate(node) if self.places[j][level].any()
        ]
        classes = group_rows(columns, len(source.first_tuples))
        return RolledUpClasses(
            node, source.first_tuples[classes.first_rows], merge_groups(source.groups, classes.ids, len(classes))
        )

    def _at(self, j: int, level: int, tuples: npt.NDArray[np.int64]) -> Codes:
        """Give the places of some tuples at a level of a column; where tuples are few, those of all are kept."""
        if len(self.encoded.tuples) > _FEW_TUPLES:
            return np.asarray(self.places[j][level].take(self.columns[j].take(tuples)))
        if (j, level) not in self._kept:
            self._kept[j, level] = self.places[j][level].take(self.columns[j])
        return np.asarray(self._kept[j, level].take(tuples))

    def row_losses(self, node: Node, tuples: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Give the LM of a record of some tuples at a node."""
        total = np.zeros(len(tuples))
        for losses, level, column in zip(self.cell_losses, node, self.columns, strict=True):
            total += losses[level].take(column.take(tuples))
        return total

    def row_depths(self, node: Node, tuples: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Give how many levels a record of some tuples at a node is below the tops of all hierarchies."""
        total = np.zeros(len(tuples), dtype=np.int64)
        for qi, levels, level, column in zip(self.encoded.qis, self.nodes, node, self.columns, strict=True):
            total += qi.hierarchy.depths[levels[level].take(column.take(tuples))]
        return total

    def with_cells(self, rolled: RolledUpClasses) -> RolledUpClasses:
        """Give the classes of a node with their cells, for goals that look at some of the columns."""
        taken = zip(self.places, rolled.node, self.columns, strict=True)
        columns = [places[level].take(column.take(rolled.first_tuples)) for places, level, column in taken]
        return replace(rolled, groups=replace(rolled.groups, cells=np.stack(columns, axis=1).astype(np.int64)))

    def recoding(self, rolled: RolledUpClasses, settled: Suppression) -> Recoding:
        """Publish a node: every cell as the node of its column's level."""
        tuples = self.encoded.tuples
        codes = [places[level].take(c) for places, level, c in zip(self.places, rolled.node, self.columns, strict=True)]
        classes = group_rows(codes, len(tuples))
        # The same numbering by first appearance as in the rolled-up classes is not given: look the classes up.
        class_of = np.full(len(classes), -1, dtype=np.int64)
        live = settled.kept & (rolled.groups.sizes > 0)
        order = np.argsort(classes.ids[rolled.first_tuples[live]], kind="stable")
        chosen = rolled.first_tuples[live][order]
        class_of[classes.ids[chosen]] = np.arange(len(chosen))
        node = np.stack(
            [levels[level][c[chosen]] for levels, level, c in zip(self.nodes, rolled.node, self.columns, strict=True)],
            axis=1,
        )
        return recoding_of_nodes(self.encoded, class_of[classes.ids], node.astype(np.int32))


def level_tables_memory(size: ProblemSize) -> int:
    """Give the bytes that level tables and one roll-up take."""
    cells = [leaves * levels for leaves, levels in zip(size.leaves, size.levels, strict=True)]
    tables = 12 * sum(cells) + 16 * max(cells, default=0)
    kept = 4 * sum(size.levels) * size.tuples if size.tuples <= _FEW_TUPLES else 0
    return tables + kept + (70 + 8 * size.columns) * size.tuples + 100 * size.entries


def _numbered(levels: npt.NDArray[np.int32]) -> Codes:
    """Number the nodes of each level from 0."""
    rows = [np.unique(row, return_inverse=True)[1] for row in levels]
    return smallest_codes(np.stack(rows), int(np.max(rows, initial=0)) + 1)


def merge_groups(groups: ClassGroups, group_of: npt.NDArray[np.int64], n_groups: int) -> ClassGroups:
    """Add up groups that fall into the same coarser group."""
    sizes = np.bincount(group_of, weights=groups.sizes, minlength=n_groups).astype(np.int64)
    sensitive: dict[str, Histogram] = {name: h.merged(group_of, n_groups) for name, h in groups.sensitive.items()}
    population = None
    if groups.population is not None:
        population = np.bincount(group_of, weights=groups.population, minlength=n_groups).astype(np.int64)
    persons = None if groups.persons is None else groups.persons.merged(group_of, n_groups)
    return ClassGroups(sizes, sensitive, population, persons)
