"""Bins, rounding, top and bottom coding, dates truncated."""

from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, localcontext
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Choice, Flag, Float, Text, param
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table
from anonymizer_gui.engine.data.tables.values import DATE_FORMATS, parse_dates
from anonymizer_gui.engine.rooms.microdata.masking.contract import (
    MAX_DIGITS,
    STEPS,
    Step,
    StepResult,
    column_of,
    exact_numbers,
    number_text,
    parse_number,
    relabel,
    rewritten_labels,
)


@STEPS.register
@dataclass(frozen=True, slots=True)
class BinNumbers(Step):
    """Ranges that begin at multiples of their width: 20-24 for whole numbers, [20, 25[ for others."""

    name: ClassVar[str] = "bins"
    title: ClassVar[str] = "Numbers into ranges"
    summary: ClassVar[str] = "Writes every number of a column as the range of equal width it lies in."
    is_by_value: ClassVar[bool] = True

    column: str = param(Text(column=True), default="", label="Column", help="The column of numbers.")
    width: float = param(Float(low=0, above=True), default=5.0, label="Width", help="How wide a range is.")

    def apply(self, table: Table, decimal: str) -> StepResult:
        """Write the ranges; what is no number stays."""
        column = column_of(table, self.column)
        numbers, width = exact_numbers(column, decimal), Decimal(repr(self.width))
        is_whole = all(value == value.to_integral_value() for value in (*numbers.values(), width))
        with localcontext() as exact:
            exact.prec = MAX_DIGITS
            ranges = {label: _range(value, width, is_whole, decimal) for label, value in numbers.items()}
        return relabel(table, column, ranges, numbers)

    def touched(self) -> tuple[str, ...]:
        """Name the column."""
        return (self.column,)

    def sentence(self) -> Message:
        """Say the width."""
        return message("Write “{column}” as ranges of width {width:g}", column=self.column, width=self.width)

    def without_values(self) -> Message:
        """Say the same; the width is a rule, not a value."""
        return message("“{column}” was written as ranges of width {width:g}", column=self.column, width=self.width)


def _range(value: Decimal, width: Decimal, is_whole: bool, decimal: str) -> str:
    low = (value / width).quantize(Decimal(1), ROUND_FLOOR) * width
    if is_whole:
        return (
            f"{number_text(low, decimal)}-{number_text(low + width - 1, decimal)}"
            if width > 1
            else number_text(low, decimal)
        )
    return f"[{number_text(low, decimal)}, {number_text(low + width, decimal)}["


@STEPS.register
@dataclass(frozen=True, slots=True)
class RoundNumbers(Step):
    """To the nearest multiple of a number; exact, halves to the even multiple."""

    name: ClassVar[str] = "round"
    title: ClassVar[str] = "Round numbers"
    summary: ClassVar[str] = "Writes every number of a column as the nearest multiple of another, such as 5 or 0.1."
    is_by_value: ClassVar[bool] = True

    column: str = param(Text(column=True), default="", label="Column", help="The column of numbers.")
    to: float = param(Float(low=0, above=True), default=10.0, label="Multiple of", help="Such as 10, 5, 1 or 0.1.")

    def apply(self, table: Table, decimal: str) -> StepResult:
        """Round the numbers and write all of them alike, so that none tells it was round before; what is none stays."""
        column = column_of(table, self.column)
        numbers, unit = exact_numbers(column, decimal), Decimal(repr(self.to))
        with localcontext() as exact:
            exact.prec = MAX_DIGITS
            new = {at: (value / unit).quantize(Decimal(1), ROUND_HALF_EVEN) * unit for at, value in numbers.items()}
        return relabel(table, column, {at: number_text(value, decimal) for at, value in new.items()}, numbers)

    def touched(self) -> tuple[str, ...]:
        """Name the column."""
        return (self.column,)

    def sentence(self) -> Message:
        """Say what is rounded to what."""
        return message("Round “{column}” to multiples of {to:g}", column=self.column, to=self.to)

    def without_values(self) -> Message:
        """Say the same; the multiple is a rule, not a value."""
        return message("Values of “{column}” were rounded to multiples of {to:g}", column=self.column, to=self.to)


@STEPS.register
@dataclass(frozen=True, slots=True)
class TopBottomCoding(Step):
    """Values beyond the limits become the limits; these may be quantiles of the column."""

    name: ClassVar[str] = "ends"
    title: ClassVar[str] = "Top and bottom coding"
    summary: ClassVar[str] = "Writes numbers below the lowest or above the highest limit as that limit."
    is_by_value: ClassVar[bool] = True

    column: str = param(Text(column=True), default="", label="Column", help="The column of numbers.")
    lowest: str = param(Text(), default="", label="Lowest", help="Smaller numbers are written as this.")
    highest: str = param(Text(), default="", label="Highest", help="Larger numbers are written as this.")
    quantiles: bool = param(
        Flag(),
        default=False,
        label="Limits are quantiles",
        help="0.01 is then the value that 1 % of the rows are below.",
    )

    def apply(self, table: Table, decimal: str) -> StepResult:
        """Write the extremes as the limits."""
        column = column_of(table, self.column)
        numbers = exact_numbers(column, decimal)
        low, high = (self._limit(text, column, numbers, decimal) for text in (self.lowest, self.highest))
        if low is None and high is None:
            raise BadParameter("There is no limit.", "Write a lowest or a highest value.")
        if low is not None and high is not None and low > high:
            raise BadParameter("The lowest limit is above the highest.", "Exchange them.")
        new = {label: _between(value, low, high) for label, value in numbers.items()}
        return relabel(table, column, rewritten_labels(numbers, new, decimal), numbers)

    def _limit(self, text: str, column: Column, numbers: dict[str, Decimal], decimal: str) -> Decimal | None:
        limit = parse_number(text, decimal)
        if limit is None or not self.quantiles:
            return limit
        if not 0 <= limit <= 1:
            raise BadParameter("A quantile is between 0 and 1.", "Write 0.99 for the value that 1 % exceed.")
        counts = dict(zip(column.labels, column.counts().tolist(), strict=True))
        ordered = sorted(numbers, key=lambda label: numbers[label])
        rows = np.cumsum([counts[label] for label in ordered])
        place = int(np.searchsorted(rows, float(limit) * rows[-1])) if len(rows) else 0
        return numbers[ordered[min(place, len(ordered) - 1)]] if ordered else None

    def touched(self) -> tuple[str, ...]:
        """Name the column."""
        return (self.column,)

    def top_of(self, column: str, decimal: str) -> Decimal | None:
        """Give the highest limit; that of a quantile only the table knows."""
        return parse_number(self.highest, decimal) if column == self.column and not self.quantiles else None

    def sentence(self) -> Message:
        """Say the limits, and whether they are quantiles."""
        told = {"column": self.column, "low": self.lowest or message("none"), "high": self.highest or message("none")}
        if self.quantiles:
            return message("Write “{column}” within limits: quantiles {low} to {high}", **told)
        return message("Write “{column}” within limits: {low} to {high}", **told)

    def without_values(self) -> Message:
        """Name the column."""
        return message(
            "Extreme values of “{column}” were written as limits (top and bottom coding)", column=self.column
        )


def _between(value: Decimal, low: Decimal | None, high: Decimal | None) -> Decimal:
    if low is not None and value < low:
        return low
    return high if high is not None and value > high else value


UNITS = {"day": "Day", "month": "Month", "quarter": "Quarter", "year": "Year"}

_LETTERS = {"day": 10, "month": 7, "quarter": 7, "year": 4}


@STEPS.register
@dataclass(frozen=True, slots=True)
class TruncateDates(Step):
    """2024-03-05 becomes 2024-03, 2024-Q1 or 2024; moments lose their time."""

    name: ClassVar[str] = "dates"
    title: ClassVar[str] = "Cut dates"
    summary: ClassVar[str] = "Writes the dates of a column as day, month, quarter or year only."
    is_by_value: ClassVar[bool] = True

    column: str = param(Text(column=True), default="", label="Column", help="The column of dates.")
    unit: str = param(Choice(UNITS), default="month", label="Cut to", help="What is left of every date.")

    def apply(self, table: Table, decimal: str) -> StepResult:
        """Cut the dates; what is none stays."""
        column = column_of(table, self.column)
        known = [label for label in column.labels if label != MISSING]
        fitting = {form: parse_dates(known, form) for form in DATE_FORMATS}
        form = max(fitting, key=lambda form: int(fitting[form][1].sum()))
        moments, fits = fitting[form]
        if not fits.any() and known:
            raise BadParameter(message("“{name}” holds no dates.", name=column.name), "Choose a column of dates.")
        texts = np.datetime_as_string(moments[fits].astype("datetime64[D]")).tolist()
        dated = [label for label, fit in zip(known, fits.tolist(), strict=True) if fit]
        return relabel(table, column, dict(zip(dated, map(self._cut, texts), strict=True)), set(dated))

    def _cut(self, day: str) -> str:
        if self.unit == "quarter":
            return f"{day[:4]}-Q{(int(day[5:7]) + 2) // 3}"
        return day[: _LETTERS[self.unit]]

    def touched(self) -> tuple[str, ...]:
        """Name the column."""
        return (self.column,)

    def sentence(self) -> Message:
        """Say what is left."""
        return message(
            "Cut the dates of “{column}” to the {unit}", column=self.column, unit=message(UNITS[self.unit].lower())
        )

    def without_values(self) -> Message:
        """Say the same."""
        return message(
            "Dates of “{column}” were cut to the {unit}", column=self.column, unit=message(UNITS[self.unit].lower())
        )
