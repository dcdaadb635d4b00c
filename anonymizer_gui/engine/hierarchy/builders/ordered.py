"""The builder that groups neighbours: values in an order, so many to a group."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.params import Choice, Int, ListOf, Text, param
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, ColumnType
from anonymizer_gui.engine.hierarchy.builders.assembly import Level, assemble, used_values, values_of
from anonymizer_gui.engine.hierarchy.builders.builder import BUILDERS, MOST_LEVELS, Builder
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

_LISTED = 6


@BUILDERS.register
@dataclass(frozen=True, slots=True)
class Ordered(Builder):
    """Neighbours in the order of the values form groups, neighbouring groups larger ones."""

    name: ClassVar[str] = "ordered"
    title: ClassVar[str] = "Ordered groups"
    summary: ClassVar[str] = "Groups neighbouring values by count; for grades, degrees, sizes."

    order: tuple[str, ...] = param(
        ListOf(Text()), default=(), label="Order", help="The values in order; those not named follow in natural order."
    )
    fan_out: tuple[int, ...] = param(
        ListOf(Int(low=2), MOST_LEVELS),
        default=(3,),
        label="Per group",
        help="For each level, how many neighbours form a group.",
    )
    style: str = param(
        Choice({"range": "first – last", "list": "{first, ..., last}"}),
        default="range",
        label="Labels",
        help="How groups are written.",
    )

    def build(self, column: Column, schema: ColumnSchema, progress: Progress = SILENT) -> Hierarchy:
        """Group the values."""
        values = values_of(column, progress)
        known = set(values)
        named = [value for value in dict.fromkeys(self.order) if value in known]
        chosen = set(named)
        ordered = named + [value for value in values if value not in chosen]
        levels, size = [], 1
        for fan_out in self.fan_out:
            progress.check()
            size *= fan_out
            groups = [ordered[at : at + size] for at in range(0, len(ordered), size)]
            levels.append(Level([label for group in groups for label in [self._label(group)] * len(group)]))
        return assemble(ordered, levels, column, progress)

    @staticmethod
    def suits(column: Column, schema: ColumnSchema) -> bool:
        """Say whether there are enough values to group, and few enough to look at."""
        kinds = ColumnType.CATEGORY, ColumnType.INTEGER, ColumnType.SET
        return schema.type in kinds and 3 < len(used_values(column)) <= 200

    def _label(self, group: Sequence[str]) -> str:
        if len(group) == 1:
            return group[0]
        if self.style == "list":
            return "{" + ", ".join([*group[:_LISTED], "…", group[-1]] if len(group) > _LISTED + 1 else group) + "}"
        return f"{group[0]} – {group[-1]}"
