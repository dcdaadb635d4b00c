"""How far one neighbour can move the whole numbers of a question, written down once more from its parameters."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

_UNIT = re.compile(r"(row|change)|person=.+:(?P<rows>\d+)", re.DOTALL)
_TALLIES = (
    "histogram", "number-histogram", "date-histogram", "two-way", "grid", "bounds", "most-common", "top", "levels",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Move:
    """The changes of all numbers added up, their squares added up, the largest of them; whether all go one way."""

    summed: int
    squared: int
    largest: int
    one_way: bool

    def seen_by(self, mechanism: str) -> int:
        """Give the distance a mechanism is calibrated for."""
        return {"laplace": self.summed, "gaussian": self.squared}.get(mechanism, self.largest)


def rows_of(unit: str) -> int:
    """Give how many rows one neighbour has: those of a person, otherwise one; raises ValueError for no unit."""
    found = _UNIT.fullmatch(unit)
    if found is None:
        raise ValueError
    return int(found["rows"] or 1)


def moves_of(answer: Mapping[str, Any], unit: str) -> list[Move]:
    """Give the moves of each step of a question; raises KeyError for one that is not known here."""
    rows, is_changed = rows_of(unit), unit == "change" and answer["part"] is None
    asked, name = answer["parameters"], answer["question"]
    if name in _TALLIES:
        return [_tally(rows, is_changed, asked.get("levels", 1))]
    return _OTHERS[name](asked, rows, is_changed)


def size_of(answer: Mapping[str, Any]) -> Fraction:
    """Give what one whole number is worth in the unit of the answer."""
    asked, name = answer["parameters"], answer["question"]
    if name == "quantile":
        return Fraction(1, Fraction(repr(float(asked["share"]))).denominator)
    if name not in ("sum", "mean", "extreme"):
        return Fraction(1)
    step = _grid(asked)[2]
    return step / (asked.get("rows") or 1) if name == "mean" else step


def _tally(rows: int, is_changed: bool, levels: int) -> Move:
    if is_changed:
        return Move(2 * levels, 2 * levels, 1, False)
    return Move(rows * levels, rows * rows * levels, rows, True)


def _single(most: int) -> Move:
    return Move(most, most * most, most, True)


def _count(asked: Mapping[str, Any], rows: int, is_changed: bool) -> list[Move]:
    return [_single(0 if is_changed and not asked["where"].strip() else rows)]


def _sum(asked: Mapping[str, Any], rows: int, is_changed: bool) -> list[Move]:
    low, high, step = _grid(asked)
    least, most = min(math.floor(low / step), 0), max(math.ceil(high / step), 0)
    return [_single(most - least if is_changed else rows * max(-least, most))]


def _mean(asked: Mapping[str, Any], rows: int, is_changed: bool) -> list[Move]:
    low, high, step = _grid(asked)
    width = math.ceil(high / step) - math.floor(low / step)
    if is_changed:
        return [_single(width)]
    return [_single(rows * (width - width // 2)), _single(rows)]


def _extreme(asked: Mapping[str, Any], rows: int, is_changed: bool) -> list[Move]:
    low, high, step = _grid(asked)
    return [_single(math.ceil(high / step) - math.floor(low / step))]


def _quantile(asked: Mapping[str, Any], rows: int, is_changed: bool) -> list[Move]:
    share = Fraction(repr(float(asked["share"])))
    below, above = share.denominator - share.numerator, share.numerator
    most = below + above if is_changed else rows * max(below, above)
    return [Move(0, 0, most, False)]


def _grid(asked: Mapping[str, Any]) -> tuple[Fraction, Fraction, Fraction]:
    """Give bounds and step: a power of ten, five digits below the distance of the bounds."""
    low, high = (Fraction(repr(float(asked[side]))) for side in ("low", "high"))
    digits = 0
    while high - low >= Fraction(10) ** (digits + 1):
        digits += 1
    while high - low < Fraction(10) ** digits:
        digits -= 1
    return low, high, Fraction(10) ** (digits - 5)


_OTHERS = {"count": _count, "sum": _sum, "mean": _mean, "extreme": _extreme, "quantile": _quantile}
