"""What every builder of hierarchies has, and the preview of what one would build."""

from typing import ClassVar, Protocol

from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Uneven
from anonymizer_gui.engine.hierarchy.usage import LevelView, count_usage
from anonymizer_gui.engine.table import Column, ColumnSchema


class Builder(Protocol):
    """Makes a hierarchy that has a place for every value of a column; its fields are declared parameters."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]

    def build(self, column: Column, schema: ColumnSchema) -> Hierarchy:
        """Make the hierarchy; raises BadParameter when the parameters contradict each other or the column."""

    @staticmethod
    def suits(column: Column, schema: ColumnSchema) -> bool:
        """Say whether this builder makes sense for the column."""


def preview(builder: Builder, column: Column, schema: ColumnSchema, uneven: Uneven = "cap") -> tuple[LevelView, ...]:
    """Show what a builder would make of a column: for every level the labels with their rows."""
    hierarchy = builder.build(column, schema)
    usage = count_usage(column, hierarchy, schema)
    return tuple(usage.at_level(level, uneven) for level in range(hierarchy.height + 1))
