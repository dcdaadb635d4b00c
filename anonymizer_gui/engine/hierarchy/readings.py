"""Readings of texts as numbers or as day ordinals of dates, for places given by intervals."""

import datetime as dt
import math
import re
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonymizer_gui.engine.table import ColumnSchema, ColumnType

Floats = npt.NDArray[np.float64]

_EPOCH = 719163  # the day ordinal of 1970-01-01
_DAY = np.timedelta64(1, "D")
_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?")


def numbers(texts: Sequence[str], decimal_mark: str = ".") -> Floats:
    """Read texts as numbers; what is no number is NaN.

    >>> numbers(["37", "1.50", "x"]).tolist()
    [37.0, 1.5, nan]
    """
    series = pd.Series(list(texts), dtype=object).astype(str)
    if decimal_mark == ",":
        series = series.str.replace(".", "x", regex=False).str.replace(",", ".", regex=False)
    plain = series.str.fullmatch(_NUMBER).to_numpy(dtype=bool)
    found = _filled(series, plain, lambda some: some.astype(float).to_numpy())
    return np.where(np.isfinite(found), found, np.nan)


def ordinals(texts: Sequence[str], date_format: str = "") -> Floats:
    """Read texts as dates (ISO, or in the stated strftime format); give day ordinals, times as parts of a day.

    >>> ordinals(["1970-01-01", "1970-01-01 12:00", "2024-02-30"]).tolist()
    [719163.0, 719163.5, nan]
    """
    if not date_format:
        return np.fromiter((_iso_day(text) for text in texts), np.float64, len(texts))
    moments = pd.to_datetime(pd.Series(list(texts), dtype=object), format=date_format, errors="coerce", utc=True)
    days = np.asarray((moments.to_numpy("datetime64[us]") - np.datetime64(0, "D")) / _DAY, dtype=np.float64) + _EPOCH
    for at in np.flatnonzero(np.isnan(days)).tolist():
        # Years that nanoseconds cannot hold, such as 9999 for "never", are read one by one.
        days[at] = _stated_day(texts[at], date_format)
    return days


def readings(texts: Sequence[str], schema: ColumnSchema | None = None) -> Floats:
    """Read texts by the stated type of their column; without one as numbers, else as ISO dates."""
    if schema is not None and schema.type is ColumnType.DATE:
        return ordinals(texts, schema.format)
    if schema is not None and schema.type in (ColumnType.INTEGER, ColumnType.DECIMAL):
        return numbers(texts, schema.format or ".")
    found = numbers(texts)
    return np.where(np.isnan(found), ordinals(texts), found)


def _filled(
    series: "pd.Series[str]", plain: npt.NDArray[np.bool_], read: "Callable[[pd.Series[str]], Floats]"
) -> Floats:
    """Read what has the plain form; the rest is NaN."""
    found = np.full(len(series), np.nan)
    if plain.any():
        found[plain] = read(series[plain])
    return found


def _iso_day(text: str) -> float:
    if not _ISO_DATE.fullmatch(text):
        return math.nan
    try:
        return _day(dt.datetime.fromisoformat(text))
    except ValueError:
        return math.nan


def _stated_day(text: str, date_format: str) -> float:
    try:
        return _day(dt.datetime.strptime(text, date_format))
    except ValueError:
        return math.nan


def _day(moment: dt.datetime) -> float:
    seconds = moment.hour * 3600 + moment.minute * 60 + moment.second + moment.microsecond / 1e6
    return moment.toordinal() + seconds / 86_400
