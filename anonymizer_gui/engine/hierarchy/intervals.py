"""Intervals that labels spell, of numbers and of days; the interval of a node; other tools' spellings."""

import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.tables.table import SUPPRESSED, ColumnSchema
from anonymizer_gui.engine.data.tables.values import (
    EPOCH,
    Floats,
    parse_by_type,
    parse_day_ordinals,
    parse_texts_as_numbers,
)
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval

Style = Literal["[a-b)", "a-b"]

_NUMBER = r"[+-]?\d+(?:\.\d+)?(?:[kKM]|[eE][+-]?\d+)?"

_END = rf"{_NUMBER}|[+-]?(?:[iI]nf|∞)"

_BRACKETED = re.compile(rf"([\[(\]])\s*({_END})\s*(?:-|–|,|;|\.\.|to)\s*({_END})\s*([\])\[])")

_RANGE = re.compile(rf"({_NUMBER})\s*(?:-|–|\.\.|to)\s*({_NUMBER})")

_BELOW = re.compile(rf"(<=|≤|<)\s*({_NUMBER})")

_ABOVE = re.compile(rf"(>=|≥|>)\s*({_NUMBER})|({_NUMBER})\s*\+")

_DECADE = re.compile(r"(\d{3}0)s")

_LARGE = 1e15

_SCALE = {"k": 1e3, "K": 1e3, "M": 1e6}


def parse_interval(label: str) -> Interval | None:
    """Read the interval a label spells, or None; a plain `a-b` includes both ends.

    >>> parse_interval("[35-40)")
    Interval(low=35.0, high=40.0, closed=False, open_low=False)
    >>> parse_interval("35-39")
    Interval(low=35.0, high=39.0, closed=True, open_low=False)
    """
    if label.isalnum():
        decade = _DECADE.fullmatch(label)
        return Interval(float(decade[1]), float(decade[1]) + 9, closed=True) if decade else None
    if match := _BRACKETED.fullmatch(label):
        opening, low, high, closing = match.groups()
        return _ordered(Interval(_number(low), _number(high), closing == "]", opening != "["))
    if match := _RANGE.fullmatch(label):
        return _ordered(Interval(_number(match[1]), _number(match[2]), closed=True))
    if match := _BELOW.fullmatch(label):
        return Interval(-math.inf, _number(match[2]), closed=match[1] != "<")
    if match := _ABOVE.fullmatch(label):
        return Interval(_number(match[2] or match[3]), math.inf, open_low=match[1] == ">")
    return None


def with_intervals(hierarchy: Hierarchy) -> Hierarchy:
    """Give nodes the intervals their labels spell, or none at all where the labels contradict each other.

    They agree when values and intervals under a node lie in its own interval and siblings do not overlap. When
    plain ranges touch (`30-35` beside `35-40`), the upper end of each belongs to the next; the last keeps its own.
    """
    if hierarchy.intervals:
        return hierarchy
    spelt = {node: interval for node, label in enumerate(hierarchy.labels) if (interval := parse_interval(label))}
    if not spelt:
        return hierarchy
    for found in (spelt, _half_open(spelt)):
        if _agree(hierarchy, found):
            return Hierarchy(hierarchy.labels, hierarchy.parents, found)
    return hierarchy


def _number(text: str) -> float:
    text = text.replace("∞", "inf")
    return float(text[:-1]) * _SCALE[text[-1]] if text[-1] in _SCALE else float(text)


def _ordered(interval: Interval) -> Interval | None:
    return interval if interval.low < interval.high or (interval.low == interval.high and interval.closed) else None


def _half_open(spelt: Mapping[int, Interval]) -> dict[int, Interval]:
    begins = {each.low for each in spelt.values()}
    return {
        node: replace(each, closed=False)
        if not each.open_low and each.low < each.high and each.high in begins
        else each
        for node, each in spelt.items()
    }


def _agree(hierarchy: Hierarchy, spelt: Mapping[int, Interval]) -> bool:
    shown = {**{n: _point(label) for n, label in enumerate(hierarchy.labels) if hierarchy.is_leaf[n]}, **spelt}
    by_parent: dict[int, list[Interval]] = {}
    for node, interval in shown.items():
        parent = int(hierarchy.parents[node])
        if interval is None:
            if parent in spelt:
                return False
            continue
        if parent in spelt and not spelt[parent].covers(interval):
            return False
        by_parent.setdefault(parent, []).append(interval)
    return not any(_overlap(siblings) for siblings in by_parent.values())


def _point(label: str) -> Interval | None:
    try:
        value = float(label)
    except ValueError:
        return None
    return Interval(value, value, closed=True) if math.isfinite(value) else None


def _overlap(siblings: list[Interval]) -> bool:
    ordered = sorted(siblings, key=lambda each: (each.low, each.high))
    return any(one.overlaps(two) for one, two in itertools.pairwise(ordered))


def format_interval(interval: Interval, style: Style = "[a-b)", *, whole: bool = False) -> str:
    """Spell an interval: `[35-40)`, or `35-39` by the whole numbers in it where all values are such.

    >>> format_interval(Interval(35, 40)), format_interval(Interval(35, 40), "a-b", whole=True)
    ('[35-40)', '35-39')
    """
    if math.isinf(interval.low) and math.isinf(interval.high):
        return "*"
    if math.isinf(interval.low):
        return f"{'<=' if interval.closed else '<'}{format_number(interval.high)}"
    if math.isinf(interval.high):
        return f"{'>' if interval.open_low else '>='}{format_number(interval.low)}"
    low = math.floor(interval.low) + 1 if interval.open_low else math.ceil(interval.low)
    high = math.floor(interval.high) if interval.closed else math.ceil(interval.high) - 1
    if style == "a-b" and whole and low <= high:
        return (
            format_number(low)
            if low == high
            else f"{format_number(low)}{'-' if low >= 0 else ' to '}{format_number(high)}"
        )
    opening, closing = "(" if interval.open_low else "[", "]" if interval.closed else ")"
    return f"{opening}{format_number(interval.low)}-{format_number(interval.high)}{closing}"


def format_number(number: float) -> str:
    """Spell a number without needless digits.

    >>> format_number(35.0), format_number(0.1 + 0.2)
    ('35', '0.3')
    """
    if abs(number) >= _LARGE:
        return f"{number:.15g}"
    rounded = round(number, 9)
    return str(int(rounded)) if rounded == int(rounded) else repr(rounded)


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


def unit_numbers(days: Floats, unit: str) -> Whole:
    """Number the unit each moment lies in; neighbouring units have neighbouring numbers."""
    if unit == "hour":
        return np.asarray(np.round(days * 86_400) // 3600, dtype=np.int64)
    whole = np.floor(days).astype(np.int64)
    if unit == "day":
        return whole
    if unit == "week":
        return (whole - EPOCH + _THURSDAY - 1) // 7
    return _months(whole) // _MONTHS[unit]


def unit_interval(number: int, unit: str) -> Interval:
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


def unit_label(number: int, unit: str) -> str:
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


_YEARS = re.compile(r"(\d{4})\s*[-–]\s*(\d{4})")

_DAY_LABELS_DECADE = re.compile(r"(\d{3})0s")

_YEAR = re.compile(r"\d{4}")

_PART = re.compile(r"(\d{4})-(?:([QH])(\d)|(\d{2}))")

_WEEK = re.compile(r"(\d{4})-W(\d{2})")

_PARTS = {"Q": ("quarter", 4), "H": ("half", 2), None: ("month", 12)}


def parse_days(label: str) -> Interval | None:
    """Read the days a label speaks of as ordinals, or None when it names no decade, year or part of a year.

    >>> parse_days("1970-Q1") == Interval(719163, 719253), parse_days("soon")
    (True, None)
    """
    if match := _DAY_LABELS_DECADE.fullmatch(label):
        return unit_interval(int(match[1]), "decade")
    if match := _YEARS.fullmatch(label):
        first, last = (unit_interval(int(year), "year") for year in match.groups())
        return Interval(first.low, last.high) if first.low < last.high else None
    if _YEAR.fullmatch(label):
        return unit_interval(int(label), "year")
    if match := _WEEK.fullmatch(label):
        return _week(int(match[1]), int(match[2]))
    match = _PART.fullmatch(label)
    return _part(int(match[1]), *_PARTS[match[2]], int(match[3] or match[4])) if match else None


def _part(year: int, unit: str, of: int, number: int) -> Interval | None:
    return unit_interval(year * of + number - 1, unit) if 1 <= number <= of else None


def _week(year: int, week: int) -> Interval | None:
    try:
        monday = date.fromisocalendar(year, week, 1).toordinal()
    except ValueError:
        return None
    return Interval(monday, monday + 7)


_LOOKED_AT = 1000
"""So many labels tell whether a hierarchy speaks of intervals, also when it has a million."""


def node_interval(hierarchy: Hierarchy, node: int) -> Interval | None:
    """Give the interval of a node, or the one its label spells where everything below lies in it.

    >>> tree = Hierarchy.from_nested({"*": {"20-24": ["20", "23"], ">= 90": ["91"], "old": ["80"]}})
    >>> [node_interval(tree, tree.node_of_label[label]) is not None for label in ("20-24", ">= 90", "old")]
    [True, True, False]
    """
    if node in hierarchy.intervals:
        return hierarchy.intervals[node]
    found = _spelt(hierarchy, node)
    if found is None or not _holds_all_below(hierarchy, node, found):
        return None
    return _without_shared_end(hierarchy, node, found)


def interval_starts(hierarchy: Hierarchy, nodes: Sequence[int]) -> list[float]:
    """Say where each node begins, for sorting: as interval, as number or date; endless where it is neither."""
    points = parse_by_type([hierarchy.labels[node] for node in nodes])
    lows = []
    for node, point in zip(nodes, points.tolist(), strict=True):
        found = hierarchy.intervals.get(node) or _spelt(hierarchy, node)
        lows.append(found.low if found is not None else math.inf if math.isnan(point) else point)
    return lows


def has_intervals(hierarchy: Hierarchy) -> bool:
    """Say whether any group, or any of the first values, is or spells an interval."""
    groups = np.flatnonzero(~hierarchy.is_leaf)[:_LOOKED_AT].tolist()
    looked_at = (*groups, *hierarchy.leaves[:_LOOKED_AT].tolist())
    return bool(hierarchy.intervals) or any(_spelt(hierarchy, node) for node in looked_at)


def has_numbers(hierarchy: Hierarchy) -> bool:
    """Say whether any of the first values is a number, a date or an interval of such."""
    first = hierarchy.leaves[:_LOOKED_AT].tolist()
    points = parse_by_type([hierarchy.labels[leaf] for leaf in first])
    return bool((~np.isnan(points)).any()) or any(node_interval(hierarchy, leaf) for leaf in first)


def stands_for_days(hierarchy: Hierarchy, node: int) -> bool:
    """Tell whether the values below a node are dates and no numbers."""
    first = hierarchy.leaf_labels[int(hierarchy.first_leaf[node])]
    is_date = parse_days(first) is not None or not bool(np.isnan(parse_day_ordinals([first]))[0])
    return is_date and bool(np.isnan(parse_texts_as_numbers([first]))[0])


def _spelt(hierarchy: Hierarchy, node: int) -> Interval | None:
    label = hierarchy.labels[node]
    if not any(character.isdigit() for character in label):
        return None
    if not hierarchy.is_leaf[node] and stands_for_days(hierarchy, node):
        return parse_days(label)
    return parse_interval(label)


def _holds_all_below(hierarchy: Hierarchy, node: int, interval: Interval) -> bool:
    if hierarchy.is_leaf[node]:
        return True
    below = range(int(hierarchy.first_leaf[node]), int(hierarchy.end_leaf[node]))
    leaves = hierarchy.leaves[below.start : below.stop].tolist()
    points = parse_by_type([hierarchy.labels[leaf] for leaf in leaves]).tolist()
    return all(
        interval.covers(hierarchy.intervals.get(leaf) or parse_interval(hierarchy.labels[leaf]) or _spelt_point(value))
        for leaf, value in zip(leaves, points, strict=True)
    )


def _spelt_point(value: float) -> Interval:
    return Interval(value, value, closed=True)


def _without_shared_end(hierarchy: Hierarchy, node: int, interval: Interval) -> Interval:
    """Leave the upper end to the sibling that begins there, as in 30-35 beside 35-40."""
    if not interval.closed or interval.low == interval.high or node == 0:
        return interval
    siblings = hierarchy.children(int(hierarchy.parents[node]))
    spelt = [_spelt(hierarchy, other) for other in siblings if other != node]
    shares = any(each is not None and each.low == interval.high and not each.open_low for each in spelt)
    return replace(interval, closed=False) if shares else interval


@dataclass(frozen=True, eq=False)
class ForeignLabels:
    """Labels that a hierarchy does not name, read by the leaves they describe.

    >>> tree = Hierarchy.from_nested({"*": ["13053", "13068", "14850"]})
    >>> [ForeignLabels(tree).cell_range(label) for label in ("130**", "13060-14900", "<13000", "13**")]
    [(0, 1), (1, 2), None, None]
    """

    hierarchy: Hierarchy
    schema: ColumnSchema | None = None

    def cell_range(self, label: str) -> tuple[int, int] | None:
        """Give the first and last leaf a label describes, or None when it describes no run of neighbours."""
        interval = parse_interval(label)
        if interval is not None:
            above = self._values >= interval.low if not interval.open_low else self._values > interval.low
            below = self._values <= interval.high if interval.closed else self._values < interval.high
            return _run(np.flatnonzero(above & below))
        known = label.rstrip(SUPPRESSED)
        if not known or known == label:
            return None
        alike = [len(leaf) == len(label) and leaf.startswith(known) for leaf in self.hierarchy.leaf_labels]
        return _run(np.flatnonzero(alike))

    @cached_property
    def _values(self) -> npt.NDArray[np.float64]:
        return parse_by_type(self.hierarchy.leaf_labels, self.schema)


def _run(leaves: npt.NDArray[np.int64]) -> tuple[int, int] | None:
    if not len(leaves) or leaves[-1] - leaves[0] != len(leaves) - 1:
        return None
    return int(leaves[0]), int(leaves[-1])
