"""Numbers into ranges of equal width."""

from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal, localcontext
from typing import ClassVar

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Float, Text, param
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.preparing.contract import STEPS, Prepared, Step, column_of
from anonymizer_gui.engine.rooms.microdata.preparing.numbers_in import MOST_DIGITS, numbers_in, written
from anonymizer_gui.engine.rooms.microdata.preparing.relabelling import relabelled


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

    def apply(self, table: Table, decimal: str) -> Prepared:
        """Write the ranges; what is no number stays."""
        column = column_of(table, self.column)
        numbers, width = numbers_in(column, decimal), Decimal(repr(self.width))
        is_whole = all(value == value.to_integral_value() for value in (*numbers.values(), width))
        with localcontext() as exact:
            exact.prec = MOST_DIGITS
            ranges = {label: _range(value, width, is_whole, decimal) for label, value in numbers.items()}
        return relabelled(table, column, ranges, numbers)

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
        return f"{written(low, decimal)}-{written(low + width - 1, decimal)}" if width > 1 else written(low, decimal)
    return f"[{written(low, decimal)}, {written(low + width, decimal)}["
