"""Columns of numbers as one array, and written back with as many digits as they had."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table
from anonymizer_gui.engine.data.tables.values import parse_numbers
from anonymizer_gui.engine.rooms.microdata.preparing.contract import column_of

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
_MOST_DIGITS = 12


def values_in(table: Table, names: Sequence[str], decimal: str) -> Floats:
    """Give the numbers of some columns, NaN where a cell is none; raises BadParameter when a column has none."""
    if not names:
        raise BadParameter("There is no column to change.", "Name columns of numbers.")
    columns = [column_of(table, name) for name in names]
    values: Floats = np.stack([parse_numbers(column.labels, decimal)[0][column.codes] for column in columns], axis=1)
    for name, numbers in zip(names, values.T, strict=True):
        if np.isnan(numbers).all() and len(numbers):
            raise BadParameter(message("“{name}” holds no numbers.", name=name), "Choose a column of numbers.")
    return values


def with_values(table: Table, name: str, rows: Ints, new: Floats, decimal: str) -> tuple[Table, int]:
    """Write numbers into some rows of a column, with as many digits as it had; count the cells that are others now."""
    column = column_of(table, name)
    before, fits = parse_numbers(column.labels, decimal)
    digits = max((_digits(column.labels[at], decimal) for at in np.flatnonzero(fits).tolist()), default=0)
    texts = column.texts()
    rounded = np.round(new, digits) + 0.0
    shown = [f"{value:.{digits}f}".replace(".", decimal) for value in rounded.tolist()]
    changed = int(np.count_nonzero(~np.isclose(before[column.codes[rows]], rounded, rtol=0, atol=0.5 * 10.0**-digits)))
    texts[rows] = np.array(shown, dtype=object)
    return replaced(table, Column.from_texts(name, texts)), changed


def kept_in(column: Column, rows: Ints) -> int:
    """Count the cells with a value in all rows but these."""
    is_value = np.array([label != MISSING for label in column.labels], dtype=np.bool_)[column.codes]
    return int(is_value.sum() - is_value[rows].sum())


def replaced(table: Table, column: Column) -> Table:
    """Give the table with another column of the same name."""
    return Table(tuple(column if each.name == column.name else each for each in table.columns), table.n_rows)


def _digits(label: str, decimal: str) -> int:
    """Count the digits behind the decimal mark; numbers with an exponent are written with all."""
    if "e" in label.lower():
        return _MOST_DIGITS
    return min(len(label.partition(decimal)[2]), _MOST_DIGITS)
