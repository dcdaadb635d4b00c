"""Readings of texts as numbers or as day ordinals of dates, for places given by intervals."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.shapes.tables.table import ColumnSchema, ColumnType
from anonymizer_gui.engine.shapes.tables.values import dates_of, numbers_of

Floats = npt.NDArray[np.float64]

EPOCH = 719_163  # the day ordinal of 1970-01-01
_NUMERIC = (ColumnType.INTEGER, ColumnType.DECIMAL)
_ISO = ("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S")


def numbers(texts: Sequence[str], schema: ColumnSchema | None = None) -> Floats:
    """Read texts as numbers, with the decimal mark of their column; what is no number is NaN.

    >>> numbers(["37", "1.50", "x"]).tolist()
    [37.0, 1.5, nan]
    """
    mark = schema.format if schema is not None and schema.type in _NUMERIC else ""
    return numbers_of(texts, mark or ".")[0]


def ordinals(texts: Sequence[str], schema: ColumnSchema | None = None) -> Floats:
    """Read texts as dates, in the format of their column or ISO; give day ordinals, times as parts of a day.

    >>> ordinals(["1970-01-01", "1970-01-01 12:00", "2024-02-30"]).tolist()
    [719163.0, 719163.5, nan]
    """
    stated = schema.format if schema is not None and schema.type is ColumnType.DATE else ""
    found = np.full(len(texts), np.nan)
    for date_format in (stated,) if stated else _ISO:
        moments, fits = dates_of(texts, date_format)
        found[fits] = moments[fits].astype(np.int64) / 86_400 + EPOCH
    return found


def readings(texts: Sequence[str], schema: ColumnSchema | None = None) -> Floats:
    """Read texts by the stated type of their column; without one as numbers, else as ISO dates."""
    if schema is not None and schema.type is ColumnType.DATE:
        return ordinals(texts, schema)
    found = numbers(texts, schema)
    if schema is not None and schema.type in _NUMERIC:
        return found
    return np.where(np.isnan(found), ordinals(texts), found)
