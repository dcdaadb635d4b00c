"""The builder of the plainest hierarchy: every value directly under the root."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema
from anonymizer_gui.engine.hierarchy.builders.assembly import assemble, values_of
from anonymizer_gui.engine.hierarchy.builders.builder import BUILDERS, Builder
from anonymizer_gui.engine.hierarchy.tree import Hierarchy


@BUILDERS.register
@dataclass(frozen=True, slots=True)
class Flat(Builder):
    """A value is published as it is, or not at all."""

    name: ClassVar[str] = "flat"
    title: ClassVar[str] = "All or nothing"
    summary: ClassVar[str] = "A value is published as it is or becomes *; right for few values without order."

    def build(self, column: Column, schema: ColumnSchema, progress: Progress = SILENT) -> Hierarchy:
        """Put every value directly under the root."""
        return assemble(values_of(column, progress), (), column, progress)

    @staticmethod
    def suits(column: Column, schema: ColumnSchema) -> bool:
        """Say that it suits every column."""
        return True
