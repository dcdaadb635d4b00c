"""A table that remembers how its changed columns were, for everything that compares before and after."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table, smallest_codes


@dataclass(frozen=True, slots=True, eq=False)
class PreparedTable(Table):
    """The table as it is protected; `before` holds the changed columns as they were read, row by row the same people.

    Rows that are made up have missing cells there. `ruled` holds, of columns that rules and chance changed, what the
    rules alone make of what was read.
    """

    before: tuple[Column, ...] = field(default=())
    made_up: int = 0
    ruled: tuple[Column, ...] = field(default=())


def remembering(
    table: Table, raw: Table, names: set[str], origin: npt.NDArray[np.int64], ruled: Mapping[str, Column]
) -> Table:
    """Give the prepared table with the named columns as they were read, and some as rules alone make them."""
    if not names:
        return table
    before = tuple(as_it_was(raw.column(name), origin) for name in raw.names if name in names)
    return PreparedTable(table.columns, table.n_rows, before, int(np.count_nonzero(origin < 0)), tuple(ruled.values()))


def unprepared(table: Table) -> Table:
    """Give the table as it was before cells were changed; rows that were left out stay so."""
    before = {column.name: column for column in before_of(table)}
    return Table(tuple(before.get(column.name, column) for column in table.columns), table.n_rows)


def before_of(table: Table) -> tuple[Column, ...]:
    """Give the columns that were changed, as they were."""
    return table.before if isinstance(table, PreparedTable) else ()


def ruled_of(table: Table) -> tuple[Column, ...]:
    """Give the columns that rules and chance changed, as the rules alone make them."""
    return table.ruled if isinstance(table, PreparedTable) else ()


def examples_of(table: Table, names: Collection[str] | None, most: int) -> list[tuple[str, str, int]]:
    """Give what became of cells of some columns (None: of all): before, after and how many rows, the most first."""
    found: list[tuple[str, str, int]] = []
    for before in before_of(table):
        if names is None or before.name in names:
            found += _changed(before, table.column(before.name), most)
    return sorted(found, key=lambda each: -each[2])[:most]


def _changed(before: Column, after: Column, most: int) -> list[tuple[str, str, int]]:
    place = {label: code for code, label in enumerate(after.labels)}
    same = np.array([place.get(label, -1) for label in before.labels] or [-1], dtype=np.int64)
    other = np.flatnonzero(same[before.codes] != after.codes)
    pairs, rows = np.unique(
        before.codes[other].astype(np.int64) * len(after.labels) + after.codes[other], return_counts=True
    )
    first = np.argsort(-rows, kind="stable")[:most]
    shown = zip(pairs[first].tolist(), rows[first].tolist(), strict=True)
    return [(before.labels[at // len(after.labels)], after.labels[at % len(after.labels)], n) for at, n in shown]


def as_it_was(column: Column, origin: npt.NDArray[np.int64]) -> Column:
    """Give a column for rows that were others before; those that are made up have missing cells."""
    if (origin >= 0).all():
        return column.take(origin)
    labels = column.labels if MISSING in column.labels else (*column.labels, MISSING)
    codes = np.where(origin >= 0, column.codes[origin].astype(np.int64), labels.index(MISSING))
    return Column(column.name, smallest_codes(codes, len(labels)), labels).compact()
