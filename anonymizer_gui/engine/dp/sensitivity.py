"""Who is protected: one row more or less, one row changed, or one person with all of their rows.

Answers are whole numbers: a sum is counted in steps of a public grid, so that no rounding can move it further.
"""

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message

_PERSON = re.compile(r"person=(?P<column>.+):(?P<rows>[1-9]\d{0,8})", re.ASCII)

_HINT = message("Write row, change, or person=COLUMN:ROWS.")


class Neighbours(StrEnum):
    """How two tables differ that must not be told apart."""

    ROW = "row"
    CHANGE = "change"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class PrivacyUnit:
    """The unit of protection: the kind of neighbours, and for people their column and how many rows each may have.

    >>> PrivacyUnit.parse("person=patient:3")
    PrivacyUnit(kind=<Neighbours.PERSON: 'person'>, column='patient', rows=3)
    """

    kind: Neighbours = Neighbours.ROW
    column: str = ""
    rows: int = 1

    def __post_init__(self) -> None:
        is_person = self.kind is Neighbours.PERSON
        if self.rows < 1 or is_person != bool(self.column) or (not is_person and self.rows != 1):
            raise BadParameter(
                "A unit of protection is a row, a changed row, or a person with a column and at least one row.",
                _HINT,
            )

    @property
    def within_part(self) -> "PrivacyUnit":
        """The unit questions about parts are calibrated for: a changed row may leave one part and enter another."""
        return PrivacyUnit() if self.kind is Neighbours.CHANGE else self

    @classmethod
    def parse(cls, text: str) -> "PrivacyUnit":
        """Read `row`, `change` or `person=COLUMN:ROWS`; raises BadParameter."""
        if text in (Neighbours.ROW, Neighbours.CHANGE):
            return cls(Neighbours(text))
        if not (found := _PERSON.fullmatch(text)):
            raise BadParameter(message("“{text}” is no unit of protection.", text=text), _HINT)
        return cls(Neighbours.PERSON, found["column"], int(found["rows"]))

    def __str__(self) -> str:
        """Write it as it is read."""
        return f"{self.kind}={self.column}:{self.rows}" if self.column else str(self.kind)

    def sentence(self) -> Message:
        """Say who is protected."""
        if self.kind is Neighbours.PERSON:
            return message(
                "Nobody can tell whether a person with up to {rows:row|rows} is in the table.", rows=self.rows
            )
        if self.kind is Neighbours.CHANGE:
            return message("Nobody can tell what stands in a row; how many rows there are is public.")
        return message("Nobody can tell whether a row is in the table.")


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """How far neighbouring tables can move the numbers of one answer.

    `l1` adds the changes of all cells, `l2_squared` their squares, `linf` is the largest change of one cell;
    the answer is monotone when no two cells can move in opposite directions.
    """

    l1: int
    l2_squared: int
    linf: int
    is_monotone: bool
    why: str

    def __post_init__(self) -> None:
        if not (0 <= self.linf <= self.l1 <= self.l2_squared and self.linf**2 <= self.l2_squared <= self.l1**2):
            raise ValueError("No answer can move like that.")


def count(unit: PrivacyUnit, has_condition: bool = False) -> Sensitivity:
    """The number of rows, or of rows that meet a condition.

    >>> count(PrivacyUnit.parse("person=patient:3")).l1
    3
    """
    if unit.kind is Neighbours.PERSON:
        why = message("A person has at most {rows:row|rows}, which change the count by at most {rows}.", rows=unit.rows)
        return _one(unit.rows, why)
    if unit.kind is Neighbours.ROW:
        return _one(1, message("One row more or less changes the count by at most 1."))
    if has_condition:
        return _one(1, message("A changed row may begin or cease to meet the condition, which changes the count by 1."))
    return _one(0, message("A changed row leaves the number of rows as it is."))


def histogram(unit: PrivacyUnit) -> Sensitivity:
    """Counts of disjoint cells: categories, bins, the cells of a table or of a grid.

    >>> histogram(PrivacyUnit.parse("row")).l1, histogram(PrivacyUnit.parse("change")).l1
    (1, 2)
    """
    if unit.kind is Neighbours.PERSON:
        why = message(
            "A person has at most {rows:row|rows}, which change the cells by at most {rows} together.", rows=unit.rows
        )
        return _one(unit.rows, why)
    if unit.kind is Neighbours.ROW:
        return _one(1, message("One row more or less changes one cell by 1."))
    why = message("A changed row leaves one cell and enters another, which changes both by 1.")
    return Sensitivity(2, 2, 1, False, why)


def along_hierarchy(unit: PrivacyUnit, levels: int) -> Sensitivity:
    """Counts of all nodes of a hierarchy: one histogram for each of its levels."""
    if levels < 1:
        raise BadParameter("A hierarchy has at least one level.", "Count at least the leaves.")
    one = histogram(unit)
    why = message("Every row is counted once on each of {levels:level|levels}.", levels=levels)
    return replace(one, l1=levels * one.l1, l2_squared=levels * one.l2_squared, why=why)


def marginals(unit: PrivacyUnit, tables: int) -> Sensitivity:
    """Counts of so many tables of disjoint cells, in each of which every row is in one cell."""
    one = histogram(unit)
    why = message("A row is in one cell of each of {tables:table|tables} of counts.", tables=tables)
    return replace(one, l1=tables * one.l1, l2_squared=tables * one.l2_squared, why=why)


def misplaced(unit: PrivacyUnit, candidates: int) -> Sensitivity:
    """How many rows each of several expected tables of counts misplaces: a row may lengthen or shorten these distances.

    >>> misplaced(PrivacyUnit.parse("row"), 3).linf, misplaced(PrivacyUnit.parse("change"), 3).linf
    (1, 2)
    """
    most = 2 if unit.kind is Neighbours.CHANGE else unit.rows
    why = message("A row is in one cell of each table and moves its distance from the expected one by at most {most}.",
              most=most)  # fmt: skip
    return _scores(most, candidates, why)


def bounded_sum(unit: PrivacyUnit, low: int, high: int) -> Sensitivity:
    """The sum of values between two public bounds, counted in steps of a public grid.

    >>> bounded_sum(PrivacyUnit.parse("row"), -10, 90).l1, bounded_sum(PrivacyUnit.parse("change"), -10, 90).l1
    (90, 100)
    """
    if low > high:
        raise BadParameter("The lower bound is above the upper bound.", "Give the smaller bound first.")
    farthest, width = max(abs(low), abs(high)), high - low
    if unit.kind is Neighbours.CHANGE:
        return _one(
            width, message("A changed row moves the sum by at most {most:,}, the distance of the bounds.", most=width)
        )
    if unit.kind is Neighbours.ROW:
        why = message(
            "One row more or less moves the sum by at most {most:,}, the bound farther from 0.", most=farthest
        )
        return _one(farthest, why)
    why = message(
        "A person has at most {rows:row|rows}, each of which moves the sum by at most {most:,}.",
        rows=unit.rows,
        most=farthest,
    )
    return _one(unit.rows * farthest, why)


def ranks(unit: PrivacyUnit, below: int, above: int, candidates: int) -> Sensitivity:
    """How far values are from a place in the order: a row below counts `below`, one above `above` the other way.

    >>> ranks(PrivacyUnit.parse("row"), 1, 1, 100).linf, ranks(PrivacyUnit.parse("change"), 1, 1, 100).linf
    (1, 2)
    """
    if unit.kind is Neighbours.CHANGE:
        why = message("A changed row may go from below a value to above it, which moves it by one place.")
        return _scores(below + above, candidates, why)
    if unit.kind is Neighbours.ROW:
        return _scores(
            max(below, above), candidates, message("One row more or less moves a value by at most one place.")
        )
    why = message(
        "A person has at most {rows:row|rows}, each of which moves a value by at most one place.", rows=unit.rows
    )
    return _scores(unit.rows * max(below, above), candidates, why)


def clustered(unit: PrivacyUnit, columns: int, half: int, factor: int) -> Sensitivity:
    """Sizes of disjoint clusters, each row counted as `factor`, and sums of its coordinates from -half to half.

    A changed row leaves one cluster and enters another, or moves within one from one end to the other.
    """
    why = message("A row is in one cluster: it moves one size, and the sums of its {columns:column|columns}.",
              columns=columns)  # fmt: skip
    l1, l2_squared = factor + columns * half, factor**2 + columns * half**2
    if unit.kind is Neighbours.CHANGE:
        within = columns * (2 * half) ** 2
        return Sensitivity(2 * l1, max(2 * l2_squared, within), max(factor, 2 * half), False, why)
    rows = unit.rows
    return Sensitivity(rows * l1, rows**2 * l2_squared, rows * max(factor, half), False, why)


def clipped(unit: PrivacyUnit, longest: int) -> Sensitivity:
    """The sum of lists of whole numbers, one for each row, none of which is longer than this (L2).

    >>> clipped(PrivacyUnit.parse("row"), 10).l2_squared, clipped(PrivacyUnit.parse("change"), 10).l2_squared
    (100, 400)
    """
    most = longest * (2 if unit.kind is Neighbours.CHANGE else unit.rows)
    why = message("The gradient of a row is clipped, so that the sum moves by no more than {most:,}.", most=most)
    return Sensitivity(most * most, most * most, most, False, why)


def farthest_value(width: int) -> Sensitivity:
    """The smallest or largest value between two public bounds, counted in steps of a public grid."""
    return _one(width, message("One row can move it from one bound to the other, which is {most:,}.", most=width))


def _scores(most: int, candidates: int, why: str) -> Sensitivity:
    """Every score may move by as much, in either direction."""
    return Sensitivity(most * candidates, most * most * candidates, most, False, why)


def _one(most: int, why: str) -> Sensitivity:
    """All of the change may fall on one cell, and all cells move the same way."""
    return Sensitivity(most, most * most, most, True, why)
