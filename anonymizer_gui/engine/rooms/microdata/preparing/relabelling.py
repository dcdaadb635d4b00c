"""A column in which some values are written otherwise: what cleaning steps share."""

from collections.abc import Mapping

import numpy as np

from anonymizer_gui.engine.rooms.microdata.preparing.contract import Prepared
from anonymizer_gui.engine.shapes.tables.table import Column, Table, smallest_codes


def relabelled(table: Table, column: Column, new: Mapping[str, str]) -> Prepared:
    """Give the table with some values of a column replaced by others, and how many cells that were."""
    changed = {old: label for old, label in new.items() if old != label}
    if not changed:
        return Prepared(table)
    wanted = [changed.get(label, label) for label in column.labels]
    labels = tuple(sorted(set(wanted)))
    place = {label: code for code, label in enumerate(labels)}
    codes = np.array([place[label] for label in wanted], dtype=np.int64)[column.codes]
    moved = np.array([label in changed for label in column.labels], dtype=np.bool_)
    other = Column(column.name, smallest_codes(codes, len(labels)), labels)
    columns = tuple(other if each.name == column.name else each for each in table.columns)
    return Prepared(Table(columns, table.n_rows), cells=int(moved[column.codes].sum()))
