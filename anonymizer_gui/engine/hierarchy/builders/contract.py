"""What every builder of hierarchies has, and the preview of what one would build."""

from typing import ClassVar, Protocol

from anonymizer_gui.engine.core.params import ListOf, Text, params_of
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.tables.set_valued_cells import hierarchy_values
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema
from anonymizer_gui.engine.hierarchy.fit import LevelView, count_usage
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Uneven


class Builder(Protocol):
    """Makes a hierarchy that has a place for every value of a column; its fields are declared parameters."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    is_offered: ClassVar[bool] = True
    """Whether people choose it among the others; what chooses another one itself is not offered."""

    def build(self, column: Column, schema: ColumnSchema, progress: Progress = SILENT) -> Hierarchy:
        """Make the hierarchy; raises BadParameter when the parameters contradict each other or the column."""

    @staticmethod
    def suits(column: Column, schema: ColumnSchema) -> bool:
        """Say whether this builder makes sense for the column."""


MOST_LEVELS = 50
"""More levels make no hierarchy that anybody reads; a recipe of a stranger may ask for a million."""
BUILDERS: Registry[Builder] = Registry("hierarchy builder", __package__)


def build_hierarchy(builder: Builder, column: Column, schema: ColumnSchema, progress: Progress = SILENT) -> Hierarchy:
    """Make the hierarchy, which remembers the builder; raises BadParameter as that does."""
    tree = builder.build(hierarchy_values(column, schema), schema, progress)
    return tree if tree.made_by is not None else tree.built_by(builder)


def lists_values(builder: Builder) -> bool:
    """Tell whether the parameters of a builder name values of the column one by one."""
    return any(
        isinstance(declared.kind, ListOf) and isinstance(declared.kind.of, Text) and getattr(builder, declared.name)
        for declared in params_of(type(builder))
    )


def preview_levels(
    builder: Builder, column: Column, schema: ColumnSchema, uneven: Uneven = "cap", progress: Progress = SILENT
) -> tuple[LevelView, ...]:
    """Show what a builder would make of a column: for every level the labels with their rows."""
    hierarchy = builder.build(hierarchy_values(column, schema), schema, progress.sub(0.0, 0.6))
    usage = count_usage(column, hierarchy, schema, progress.sub(0.6, 0.9))
    views = []
    for level in range(hierarchy.height + 1):
        progress(0.9 + 0.1 * level / (hierarchy.height + 1))
        views.append(usage.at_level(level, uneven))
    return tuple(views)
