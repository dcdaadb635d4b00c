"""Top and bottom coding: extreme numbers are written as the limit."""

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Flag, Text, param
from anonymizer_gui.engine.data.tables.table import Column, Table
from anonymizer_gui.engine.rooms.microdata.preparing.contract import STEPS, Prepared, Step, column_of
from anonymizer_gui.engine.rooms.microdata.preparing.numbers_in import number_from, numbers_in, rewritten
from anonymizer_gui.engine.rooms.microdata.preparing.relabelling import relabelled


@STEPS.register
@dataclass(frozen=True, slots=True)
class EndsCoded(Step):
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

    def apply(self, table: Table, decimal: str) -> Prepared:
        """Write the extremes as the limits."""
        column = column_of(table, self.column)
        numbers = numbers_in(column, decimal)
        low, high = (self._limit(text, column, numbers, decimal) for text in (self.lowest, self.highest))
        if low is None and high is None:
            raise BadParameter("There is no limit.", "Write a lowest or a highest value.")
        if low is not None and high is not None and low > high:
            raise BadParameter("The lowest limit is above the highest.", "Exchange them.")
        new = {label: _between(value, low, high) for label, value in numbers.items()}
        return relabelled(table, column, rewritten(numbers, new, decimal), numbers)

    def _limit(self, text: str, column: Column, numbers: dict[str, Decimal], decimal: str) -> Decimal | None:
        limit = number_from(text, decimal)
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
        return number_from(self.highest, decimal) if column == self.column and not self.quantiles else None

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
