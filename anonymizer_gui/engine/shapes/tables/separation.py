"""How far columns tell rows apart: distinction and separation (Motwani and Xu, 2007)."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.shapes.tables.classes import classes_of
from anonymizer_gui.engine.shapes.tables.table import Table

Counts = npt.NDArray[np.int64]


def distinction(table: Table, columns: Sequence[str]) -> float:
    """Give the number of distinct tuples divided by the number of rows; 0 without rows."""
    return len(classes_of(table, columns)) / table.n_rows if table.n_rows else 0.0


def separation(table: Table, columns: Sequence[str]) -> float:
    """Give the share of pairs of rows that differ in some column; 0 where there is no pair."""
    return separation_of(classes_of(table, columns).sizes, table.n_rows)


def separation_of(sizes: Counts, rows: int) -> float:
    """Give the share of pairs of rows that are in different ones of groups of these sizes; 0 where there is no pair."""
    pairs = rows * (rows - 1)
    return 1 - int(np.dot(sizes, sizes - 1)) / pairs if pairs else 0.0
