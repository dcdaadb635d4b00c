"""Round numbers of a column."""

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from typing import ClassVar

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Float, Text, param
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.preparing.contract import STEPS, Prepared, Step, column_of
from anonymizer_gui.engine.rooms.microdata.preparing.numbers_in import MOST_DIGITS, numbers_in, written
from anonymizer_gui.engine.rooms.microdata.preparing.relabelling import relabelled


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

    def apply(self, table: Table, decimal: str) -> Prepared:
        """Round the numbers and write all of them alike, so that none tells it was round before; what is none stays."""
        column = column_of(table, self.column)
        numbers, unit = numbers_in(column, decimal), Decimal(repr(self.to))
        with localcontext() as exact:
            exact.prec = MOST_DIGITS
            new = {at: (value / unit).quantize(Decimal(1), ROUND_HALF_EVEN) * unit for at, value in numbers.items()}
        return relabelled(table, column, {at: written(value, decimal) for at, value in new.items()}, numbers)

    def touched(self) -> tuple[str, ...]:
        """Name the column."""
        return (self.column,)

    def sentence(self) -> Message:
        """Say what is rounded to what."""
        return message("Round “{column}” to multiples of {to:g}", column=self.column, to=self.to)

    def without_values(self) -> Message:
        """Say the same; the multiple is a rule, not a value."""
        return message("Values of “{column}” were rounded to multiples of {to:g}", column=self.column, to=self.to)
