"""A table that remembers how its changed columns were, for everything that compares before and after."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.shapes.tables.table import MISSING, Column, Table, smallest_codes


@dataclass(frozen=True, slots=True, eq=False)
class PreparedTable(Table):
    """The table as it is protected; `before` holds the changed columns as they were read, row by row the same people.

    Rows that are made up have missing cells there.
    """

    before: tuple[Column, ...] = field(default=())
    made_up: int = 0


def remembering(table: Table, raw: Table, names: set[str], origin: npt.NDArray[np.int64]) -> Table:
    """Give the prepared table with the named columns as they were read."""
    if not names:
        return table
    before = tuple(_as_it_was(raw.column(name), origin) for name in raw.names if name in names)
    return PreparedTable(table.columns, table.n_rows, before, int(np.count_nonzero(origin < 0)))


def unprepared(table: Table) -> Table:
    """Give the table as it was before cells were changed; rows that were left out stay so."""
    before = {column.name: column for column in before_of(table)}
    return Table(tuple(before.get(column.name, column) for column in table.columns), table.n_rows)


def before_of(table: Table) -> tuple[Column, ...]:
    """Give the columns that were changed, as they were."""
    return table.before if isinstance(table, PreparedTable) else ()


def _as_it_was(column: Column, origin: npt.NDArray[np.int64]) -> Column:
    if (origin >= 0).all():
        return column.take(origin)
    labels = column.labels if MISSING in column.labels else (*column.labels, MISSING)
    codes = np.where(origin >= 0, column.codes[origin].astype(np.int64), labels.index(MISSING))
    return Column(column.name, smallest_codes(codes, len(labels)), labels).compact()
