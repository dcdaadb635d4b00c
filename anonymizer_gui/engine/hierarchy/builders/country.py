"""The ready-made hierarchy of countries."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema
from anonymizer_gui.engine.hierarchy.builders.builder import BUILDERS, Builder
from anonymizer_gui.engine.hierarchy.builders.ready_made import build_from_table, knows_most, ready_table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy


@BUILDERS.register
@dataclass(frozen=True, slots=True)
class Country(Builder):
    """Countries under their groups; values that are none come directly under the root."""

    name: ClassVar[str] = "country"
    title: ClassVar[str] = "Countries"
    summary: ClassVar[str] = "Countries by region and continent; understands names, ISO codes and nationalities."

    def build(self, column: Column, schema: ColumnSchema, progress: Progress = SILENT) -> Hierarchy:
        """Look the values up in the program's table."""
        return build_from_table(ready_table("countries"), column, progress)

    @staticmethod
    def suits(column: Column, schema: ColumnSchema) -> bool:
        """Say whether most values are in the table."""
        return knows_most(ready_table("countries"), column)
