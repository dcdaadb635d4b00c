"""What the rows of a column make of its hierarchy: rows under every node, and the column at every level."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.set_valued_cells import hierarchy_values
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema
from anonymizer_gui.engine.hierarchy.encode import NO_PLACE, find_leaves
from anonymizer_gui.engine.hierarchy.fit import Fit, check_fit
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Uneven

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class LevelView:
    """A column published at one level: its labels in the order of the tree, the rows of each, and the LM."""

    level: int
    labels: tuple[str, ...]
    rows: tuple[int, ...]
    loss: float

    @property
    def smallest(self) -> int:
        """The rows of the rarest label: the k this column alone would have."""
        return min(self.rows, default=0)


@dataclass(frozen=True, slots=True, eq=False)
class Usage:
    """A hierarchy, how it fits a column, the rows under every node, and the missing cells it has no leaf for."""

    hierarchy: Hierarchy
    fit: Fit
    rows: Rows
    missing: int

    def at_level(self, level: int, uneven: Uneven = "cap") -> LevelView:
        """Show the column at a full-domain level; values without a place are left out."""
        tree = self.hierarchy
        nodes, at = np.unique(tree.level_table(uneven)[level], return_inverse=True)
        rows = np.bincount(at, weights=self.rows[tree.leaves], minlength=len(nodes)).astype(np.int64)
        if self.missing and level == tree.height:
            rows[0] += self.missing
        used = np.flatnonzero(rows)
        labels = [tree.labels[node] for node in nodes[used].tolist()]
        counts = rows[used].tolist()
        lost = float(rows @ tree.loss[nodes])
        if self.missing and level < tree.height:
            labels, counts = [*labels, MISSING], [*counts, self.missing]
        return LevelView(level, tuple(labels), tuple(counts), lost / max(sum(counts), 1))


def count_usage(
    column: Column, hierarchy: Hierarchy, schema: ColumnSchema | None = None, progress: Progress = SILENT
) -> Usage:
    """Count the rows under every node; missing cells without a leaf of their own count for the root.

    >>> tree = Hierarchy.from_nested({"*": {"Europe": ["Italy", "Spain"], "Asia": ["Japan"]}})
    >>> usage = count_usage(Column.from_texts("land", ["Spain", "Japan", "Spain"]), tree)
    >>> usage.rows.tolist()
    [3, 2, 0, 2, 1, 1]
    >>> usage.at_level(1).labels
    ('Europe', 'Asia')
    """
    progress(0.0)
    cells, column = column, hierarchy_values(column, schema)
    counts = column.counts()
    leaf_of_label = find_leaves(column, hierarchy, schema)
    progress(0.3)
    placed = leaf_of_label != NO_PLACE
    of_leaf = np.bincount(leaf_of_label[placed], weights=counts[placed], minlength=hierarchy.n_leaves)
    below = np.concatenate([[0], np.cumsum(of_leaf.astype(np.int64))])
    rows = below[hierarchy.end_leaf] - below[hierarchy.first_leaf]
    has_place = MISSING not in column.labels or MISSING in hierarchy.leaf_number
    missing = 0 if has_place else int(counts[column.labels.index(MISSING)])
    rows[0] += missing
    progress(0.5)
    fit = check_fit(cells, hierarchy, schema, progress=progress.sub(0.5, 1.0))
    return Usage(hierarchy, fit, rows, missing)
