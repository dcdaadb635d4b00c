"""Units of time as labels and intervals of day ordinals, for many dates at once."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.tables.values import EPOCH, Floats
from anonymizer_gui.engine.hierarchy.tree import Interval

UNITS = {
    "hour": "hour",
    "day": "day",
    "week": "ISO week",
    "month": "month",
    "quarter": "quarter",
    "half": "half-year",
    "year": "year",
    "decade": "decade",
    "century": "century",
}
_THURSDAY = 4  # 1970-01-01 was a Thursday, the day that decides the year of an ISO week
_MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}

Whole = npt.NDArray[np.int64]


def in_units(days: Floats, unit: str) -> Whole:
    """Number the unit each moment lies in; neighbouring units have neighbouring numbers."""
    if unit == "hour":
        return np.asarray(np.round(days * 86_400) // 3600, dtype=np.int64)
    whole = np.floor(days).astype(np.int64)
    if unit == "day":
        return whole
    if unit == "week":
        return (whole - EPOCH + _THURSDAY - 1) // 7
    return _months(whole) // _MONTHS[unit]


def interval_of_unit(number: int, unit: str) -> Interval:
    """Give the moments a unit holds, as day ordinals."""
    if unit == "hour":
        return Interval(number / 24, (number + 1) / 24)
    if unit == "day":
        return Interval(number, number + 1)
    if unit == "week":
        monday = 7 * number - _THURSDAY + 1 + EPOCH
        return Interval(monday, monday + 7)
    size = _MONTHS[unit]
    return Interval(_first_day(number * size), _first_day((number + 1) * size))


def label_of_unit(number: int, unit: str) -> str:
    """Write a unit: 2024-03-05 14h, 2024-03-05, 2024-W10, 2024-03, 2024-Q1, 2024-H1, 2024, 2020-2029."""
    spell: dict[str, Callable[[int], str]] = {
        "hour": lambda n: f"{_iso(n // 24)} {n % 24:02}h",
        "day": _iso,
        "week": _iso_week,
        "month": lambda n: f"{n // 12:04}-{n % 12 + 1:02}",
        "quarter": lambda n: f"{n // 4:04}-Q{n % 4 + 1}",
        "half": lambda n: f"{n // 2:04}-H{n % 2 + 1}",
        "year": lambda n: f"{n:04}",
        "decade": lambda n: f"{10 * n:04}-{10 * n + 9:04}",
        "century": lambda n: f"{100 * n:04}-{100 * n + 99:04}",
    }
    return spell[unit](number)


def _months(days: npt.NDArray[np.integer[Any]]) -> Whole:
    """Count the months since the year 0."""
    months = (days - EPOCH).astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
    return np.asarray(months + 1970 * 12, dtype=np.int64)


def _first_day(months: int) -> int:
    first = np.datetime64(months - 1970 * 12, "M").astype("datetime64[D]").astype(np.int64)
    return int(first) + EPOCH


def _iso(day: int) -> str:
    return str(np.datetime64(day - EPOCH, "D"))


def _iso_week(number: int) -> str:
    thursday = np.int64(7 * number + EPOCH)
    year = int(_months(np.array([thursday]))[0]) // 12
    return f"{year:04}-W{(int(thursday) - _first_day(12 * year)) // 7 + 1:02}"
