"""A column in which some values are written otherwise: what cleaning steps share."""

from collections.abc import Container, Mapping

import numpy as np

from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table
from anonymizer_gui.engine.rooms.microdata.preparing.contract import Prepared


def relabelled(
    table: Table, column: Column, new: Mapping[str, str], understood: Container[str] | None = None
) -> Prepared:
    """Give the table with some values of a column replaced by others, and how many cells that were.

    Values that are not among those `understood` are counted as kept; None means that all are.
    """
    kept = 0 if understood is None else _kept(column, understood)
    changed = {old: label for old, label in new.items() if old != label}
    if not changed:
        return Prepared(table, kept=kept)
    moved = np.array([label in changed for label in column.labels], dtype=np.bool_)
    other = column.relabelled(changed)
    columns = tuple(other if each.name == column.name else each for each in table.columns)
    return Prepared(Table(columns, table.n_rows), cells=int(column.counts()[moved].sum()), kept=kept)


def _kept(column: Column, understood: Container[str]) -> int:
    others = [label != MISSING and label not in understood for label in column.labels]
    return int(column.counts()[np.array(others, dtype=np.bool_)].sum())
