"""The builder that groups rare values and leaves frequent ones."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.hierarchy.builders.assembly import Level, assemble, values_of
from anonymizer_gui.engine.hierarchy.labels import checked_label
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.params import Float, Text, param
from anonymizer_gui.engine.registry import BUILDERS
from anonymizer_gui.engine.table import Column, ColumnSchema


@BUILDERS.register
@dataclass(frozen=True, slots=True)
class Frequency:
    """Values that few rows have form one group; the others stay by themselves."""

    name: ClassVar[str] = "frequency"
    title: ClassVar[str] = "Rare values together"
    summary: ClassVar[str] = "Puts values that few rows have into one group and leaves the frequent ones."

    share: float = param(
        Float(low=0, high=1), default=0.01, label="Rare below", help="Values with a smaller share of the rows are rare."
    )
    label: str = param(Text(), default="Other", label="Name of the group", help="What rare values become.")

    def build(self, column: Column, schema: ColumnSchema) -> Hierarchy:
        """Group the rare values; a single one is no group. Raises BadHierarchy when the group has no name."""
        rows = dict(zip(column.labels, column.counts().tolist(), strict=True))
        limit = self.share * len(column)
        values = sorted(values_of(column), key=lambda value: -rows[value])
        rare = [value for value in values if rows[value] < limit]
        if len(rare) < 2:
            return assemble((), (), column)
        return assemble(rare, [Level([checked_label(self.label)] * len(rare))], column)

    @staticmethod
    def suits(column: Column, schema: ColumnSchema) -> bool:
        """Say whether there are at least two rare values."""
        counts = column.compact().counts()
        return int((counts < 0.01 * len(column)).sum()) > 1
