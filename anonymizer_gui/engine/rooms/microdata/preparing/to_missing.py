"""Values that mean nothing are missing."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message, quote
from anonymizer_gui.engine.core.params import ListOf, Text, param
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.rooms.microdata.preparing.contract import STEPS, Prepared, Step, column_of
from anonymizer_gui.engine.rooms.microdata.preparing.relabelling import relabelled


@STEPS.register
@dataclass(frozen=True, slots=True)
class ToMissing(Step):
    """Codes such as 999 or “unknown” become missing cells."""

    name: ClassVar[str] = "missing"
    title: ClassVar[str] = "Values to missing"
    summary: ClassVar[str] = "Takes some values of a column for missing, such as 999 or “unknown”."
    is_by_value: ClassVar[bool] = True

    column: str = param(Text(column=True), default="", label="Column", help="The column to look in.")
    values: tuple[str, ...] = param(
        ListOf(Text()), default=(), label="Values", help="The texts that mean “missing”, separated by commas."
    )

    def apply(self, table: Table, decimal: str) -> Prepared:
        """Make the cells missing."""
        column, values = column_of(table, self.column), [value for value in self.values if value]
        if not values:
            raise BadParameter("There is no value to take for missing.", "Write the texts that mean “missing”.")
        return relabelled(table, column, dict.fromkeys(values, MISSING))

    def touched(self) -> tuple[str, ...]:
        """Name the column."""
        return (self.column,)

    def sentence(self) -> Message:
        """Say which values become missing."""
        return message("Take {values} in “{column}” for missing", values=quote(self.values), column=self.column)

    def without_values(self) -> Message:
        """Name the column."""
        return message("Values of “{column}” were taken for missing", column=self.column)
