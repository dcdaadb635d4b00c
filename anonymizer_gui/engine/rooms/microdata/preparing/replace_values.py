"""Find and replace in a column."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Flag, Text, param
from anonymizer_gui.engine.data.tables.normalisation import normalise_text
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.rooms.microdata.preparing.contract import STEPS, Prepared, Step, column_of
from anonymizer_gui.engine.rooms.microdata.preparing.relabelling import relabelled


@STEPS.register
@dataclass(frozen=True, slots=True)
class ReplaceValues(Step):
    """Whole cells, or every occurrence inside cells."""

    name: ClassVar[str] = "replace"
    title: ClassVar[str] = "Find and replace"
    summary: ClassVar[str] = "Writes cells of a column otherwise, whole ones or parts of them."
    is_by_value: ClassVar[bool] = True

    column: str = param(Text(column=True), default="", label="Column", help="The column to look in.")
    find: str = param(Text(), default="", label="Find", help="The text to look for.")
    put: str = param(Text(), default="", label="Replace by", help="What is written instead; nothing means missing.")
    inside: bool = param(
        Flag(),
        default=False,
        label="Also inside cells",
        help="Otherwise only whole cells.",
    )

    def apply(self, table: Table, decimal: str) -> Prepared:
        """Replace the text; what becomes empty is missing."""
        column = column_of(table, self.column)
        if not self.find:
            raise BadParameter("There is no text to look for.", "Write the text that is to be replaced.")
        known = [label for label in column.labels if label != MISSING]
        return relabelled(table, column, {label: self._new(label) for label in known})

    def _new(self, label: str) -> str:
        if self.inside:
            return normalise_text(label.replace(self.find, self.put)) or MISSING
        return (normalise_text(self.put) or MISSING) if label == self.find else label

    def touched(self) -> tuple[str, ...]:
        """Name the column."""
        return (self.column,)

    def sentence(self) -> Message:
        """Say what is replaced by what."""
        return message("Replace “{find}” by “{put}” in “{column}”", find=self.find, put=self.put, column=self.column)

    def without_values(self) -> Message:
        """Name the column."""
        return message("Values of “{column}” were replaced", column=self.column)
