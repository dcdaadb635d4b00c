"""Labels that spell an interval: `[35-40)`, `35-39`, `<30`, `>=40`, `1950s`, `(12.5K, 25K]`, `(1e+03,Inf]`."""

import itertools
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

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


def interval_of(label: str) -> Interval | None:
    """Read the interval a label spells, or None; a plain `a-b` includes both ends.

    >>> interval_of("[35-40)")
    Interval(low=35.0, high=40.0, closed=False, open_low=False)
    >>> interval_of("35-39")
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
    spelt = {node: interval for node, label in enumerate(hierarchy.labels) if (interval := interval_of(label))}
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


def label_of(interval: Interval, style: Style = "[a-b)", *, whole: bool = False) -> str:
    """Spell an interval: `[35-40)`, or `35-39` by the whole numbers in it where all values are such.

    >>> label_of(Interval(35, 40)), label_of(Interval(35, 40), "a-b", whole=True)
    ('[35-40)', '35-39')
    """
    if math.isinf(interval.low) and math.isinf(interval.high):
        return "*"
    if math.isinf(interval.low):
        return f"{'<=' if interval.closed else '<'}{spell(interval.high)}"
    if math.isinf(interval.high):
        return f"{'>' if interval.open_low else '>='}{spell(interval.low)}"
    low = math.floor(interval.low) + 1 if interval.open_low else math.ceil(interval.low)
    high = math.floor(interval.high) if interval.closed else math.ceil(interval.high) - 1
    if style == "a-b" and whole and low <= high:
        return spell(low) if low == high else f"{spell(low)}{'-' if low >= 0 else ' to '}{spell(high)}"
    opening, closing = "(" if interval.open_low else "[", "]" if interval.closed else ")"
    return f"{opening}{spell(interval.low)}-{spell(interval.high)}{closing}"


def spell(number: float) -> str:
    """Spell a number without needless digits.

    >>> spell(35.0), spell(0.1 + 0.2)
    ('35', '0.3')
    """
    if abs(number) >= _LARGE:
        return f"{number:.15g}"
    rounded = round(number, 9)
    return str(int(rounded)) if rounded == int(rounded) else repr(rounded)
