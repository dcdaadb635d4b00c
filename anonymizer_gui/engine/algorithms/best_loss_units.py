"""What best loss moves about: distinct tuples, parted by their sensitive values where these matter."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.algorithms.contract import Encoded
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
    tables = []
    for qi in encoded.qis:
        tree, finest = qi.hierarchy, qi.levels()[0]
        low = np.minimum(tree.first_leaf[:, None], tree.first_leaf[finest][None])
        high = np.maximum(tree.end_leaf[:, None], tree.end_leaf[finest][None]) - 1
        joined = tree.common_ancestors(low.reshape(-1), high.reshape(-1)).reshape(low.shape)
        tables.append((qi.weight * tree.loss[joined]).astype(np.float32))
    return tables
