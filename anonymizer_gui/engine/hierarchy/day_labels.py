"""Labels that spell a stretch of days: `1950s`, `1950-1959`, `1953`, `1953-Q2`, `1953-H1`, `1953-04`, `1953-W10`."""

import re
from datetime import date

from anonymizer_gui.engine.hierarchy.builders.date_units import interval_of_unit
from anonymizer_gui.engine.hierarchy.tree import Interval

_YEARS = re.compile(r"(\d{4})\s*[-–]\s*(\d{4})")
_DECADE = re.compile(r"(\d{3})0s")
_YEAR = re.compile(r"\d{4}")
_PART = re.compile(r"(\d{4})-(?:([QH])(\d)|(\d{2}))")
_WEEK = re.compile(r"(\d{4})-W(\d{2})")
_PARTS = {"Q": ("quarter", 4), "H": ("half", 2), None: ("month", 12)}


def days_of(label: str) -> Interval | None:
    """Read the days a label speaks of as ordinals, or None when it names no decade, year or part of a year.

    >>> days_of("1970-Q1") == Interval(719163, 719253), days_of("soon")
    (True, None)
    """
    if match := _DECADE.fullmatch(label):
        return interval_of_unit(int(match[1]), "decade")
    if match := _YEARS.fullmatch(label):
        first, last = (interval_of_unit(int(year), "year") for year in match.groups())
        return Interval(first.low, last.high) if first.low < last.high else None
    if _YEAR.fullmatch(label):
        return interval_of_unit(int(label), "year")
    if match := _WEEK.fullmatch(label):
        return _week(int(match[1]), int(match[2]))
    match = _PART.fullmatch(label)
    return _part(int(match[1]), *_PARTS[match[2]], int(match[3] or match[4])) if match else None


def _part(year: int, unit: str, of: int, number: int) -> Interval | None:
    return interval_of_unit(year * of + number - 1, unit) if 1 <= number <= of else None


def _week(year: int, week: int) -> Interval | None:
    try:
        monday = date.fromisocalendar(year, week, 1).toordinal()
    except ValueError:
        return None
    return Interval(monday, monday + 7)
