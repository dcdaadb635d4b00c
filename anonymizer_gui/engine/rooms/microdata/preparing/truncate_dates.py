"""Dates cut to the month, quarter or year."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Choice, Text, param
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.data.tables.values import DATE_FORMATS, parse_dates
from anonymizer_gui.engine.rooms.microdata.preparing.contract import STEPS, Prepared, Step, column_of
from anonymizer_gui.engine.rooms.microdata.preparing.relabelling import relabelled

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

    def apply(self, table: Table, decimal: str) -> Prepared:
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
        return relabelled(table, column, dict(zip(dated, map(self._cut, texts), strict=True)), set(dated))

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
