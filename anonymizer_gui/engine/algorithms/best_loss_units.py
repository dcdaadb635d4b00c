"""What best loss moves about: distinct tuples, parted by their sensitive values where these matter."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.algorithms.contract import Encoded, QuasiIdentifier
from anonymizer_gui.engine.classes import Histogram, group
from anonymizer_gui.engine.goals import Goals

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
FORBIDDEN = 1e6


def in_units(encoded: Encoded, goals: Goals) -> Encoded:
    """Give the table with rows of one tuple but different sensitive values as tuples of their own.

    Such rows may then be published in different classes. Without goals on sensitive columns, or with a population
    (whose people belong to tuples), the table stays as it is.
    """
    if encoded.population is not None or not any(model.needs_sensitive for model in goals.models):
        return encoded
    columns = [encoded.tuple_of_row, *encoded.sensitive_of_row.values()]
    units = group(columns, encoded.n_rows)
    sensitive = {
        name: Histogram.count(units.ids, len(units), values, encoded.sensitive[name].n_values)
        for name, values in encoded.sensitive_of_row.items()
    }
    tuples = encoded.tuples[encoded.tuple_of_row[units.first_rows]]
    return replace(encoded, tuples=tuples, counts=units.sizes, tuple_of_row=units.ids, sensitive=sensitive)


def joining_losses(encoded: Encoded) -> list[npt.NDArray[np.float32]]:
    """Give for every QI the weighted LM of a cell `node` (row) that must also cover `leaf` (column)."""
    return [_joining_loss(qi) for qi in encoded.qis]


def _joining_loss(qi: QuasiIdentifier) -> npt.NDArray[np.float32]:
    """Go down the tree: what a node covers costs its own loss, all else what its parent says.

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
