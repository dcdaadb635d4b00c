"""What best loss moves about: distinct tuples, parted by their sensitive values where these matter."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram, group_rows, sum_by_group
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded, QuasiIdentifier
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.size import Size

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
FORBIDDEN = 1e6
_LARGEST_TABLE = 1 << 22


def in_units(encoded: Encoded, goals: Goals) -> Encoded:
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


class JoiningLoss:
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


def tables_memory(size: Size) -> int:
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
