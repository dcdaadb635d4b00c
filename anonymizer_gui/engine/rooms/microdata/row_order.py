"""One order of the rows, whatever order their source had: for methods that take rows one after the other."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.shapes.tables.io.byte_cells import text_order
from anonymizer_gui.engine.shapes.tables.table import Column, Role, Table

Order = npt.NDArray[np.int64]


def own_order(table: Table, project: Project) -> Order:
    """Sort rows by quasi-identifiers, then sensitive columns, then all others; rows that agree in all may change place.

    What the source's order could tell is lost, and a table gives the same release however its rows were sorted.
    """
    roles = (Role.QI, Role.SA, Role.OTHER, Role.EI)
    listed = [*(name for role in roles for name in project.schema.names(role)), *project.schema.sets]
    names = [name for name in listed if name in table.names]
    keys = [_ranks(table.column(name)) for name in names]
    order: Order = np.lexsort(keys[::-1]) if keys else np.arange(table.n_rows)
    return order


def as_they_came(found: Recoding, order: Order) -> Recoding:
    """Tell what was found for rows in an order of their own in the order they came in."""
    classes = np.empty_like(found.class_of_row)
    classes[order] = found.class_of_row
    return replace(found, class_of_row=classes)


def _ranks(column: Column) -> Order:
    ranks = np.empty(len(column.labels), dtype=np.int64)
    ranks[text_order(column.labels)] = np.arange(len(column.labels))
    return np.asarray(ranks[column.codes], dtype=np.int64)
