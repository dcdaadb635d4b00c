"""Flat, rare values together, neighbours together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import Choice, Float, Int, ListOf, Text, param
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, ColumnType
from anonymizer_gui.engine.hierarchy.builders.contract import BUILDERS, MOST_LEVELS, Builder
from anonymizer_gui.engine.hierarchy.coverage import LevelGroups, occurring_values, ordered_values, tree_from_levels
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, normalise_label


@BUILDERS.register
@dataclass(frozen=True, slots=True)
class Flat(Builder):
    """A value is published as it is, or not at all."""

    name: ClassVar[str] = "flat"
    title: ClassVar[str] = "All or nothing"
    summary: ClassVar[str] = "A value is published as it is or becomes *; right for few values without order."

    def build(self, column: Column, schema: ColumnSchema, progress: Progress = SILENT) -> Hierarchy:
        """Put every value directly under the root."""
        return tree_from_levels(ordered_values(column, progress), (), column, progress)

    @staticmethod
    def suits(column: Column, schema: ColumnSchema) -> bool:
        """Say that it suits every column."""
        return True


_RARE = 0.05


@BUILDERS.register
@dataclass(frozen=True, slots=True)
class Frequency(Builder):
    """Values that few rows have form one group; the others stay by themselves."""

    name: ClassVar[str] = "frequency"
    title: ClassVar[str] = "Rare values together"
    summary: ClassVar[str] = "Puts values that few rows have into one group and leaves the frequent ones."

    shares: tuple[float, ...] = param(
        ListOf(Float(low=0, high=1), MOST_LEVELS),
        default=(0.01,),
        label="Rare below",
        help="Values with a smaller share of the rows are rare; several rising shares make several levels.",
    )
    label: str = param(Text(), default="Other", label="Name of the group", help="What rare values become.")

    def build(self, column: Column, schema: ColumnSchema, progress: Progress = SILENT) -> Hierarchy:
        """Group the rare values; a single one is no group. Raises BadParameter when the group has no name."""
        rows = dict(zip(column.labels, column.counts().tolist(), strict=True))
        values = sorted(ordered_values(column, progress), key=lambda value: rows[value])
        levels = []
        for share in sorted(set(self.shares)):
            progress.check()
            rare = {value for value in values if rows[value] < share * len(column)}
            if len(rare) > 1:
                levels.append(LevelGroups([self._name(share) if value in rare else value for value in values]))
        return tree_from_levels(values, levels, column, progress)

    @staticmethod
    def suits(column: Column, schema: ColumnSchema) -> bool:
        """Say whether there are at least two rare values."""
        counts = column.compact().counts()
        return int((counts < _RARE * len(column)).sum()) > 1

    def _name(self, share: float) -> str:
        label = normalise_label(self.label)
        if not label:
            raise BadParameter("The group of rare values needs a name.", "For example Other.")
        return label if len(set(self.shares)) == 1 else f"{label} (below {share:.4g})"


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
        values = ordered_values(column, progress)
        known = set(values)
        named = [value for value in dict.fromkeys(self.order) if value in known]
        chosen = set(named)
        ordered = named + [value for value in values if value not in chosen]
        levels, size = [], 1
        for fan_out in self.fan_out:
            progress.check()
            size *= fan_out
            groups = [ordered[at : at + size] for at in range(0, len(ordered), size)]
            levels.append(LevelGroups([label for group in groups for label in [self._label(group)] * len(group)]))
        return tree_from_levels(ordered, levels, column, progress)

    @staticmethod
    def suits(column: Column, schema: ColumnSchema) -> bool:
        """Say whether there are enough values to group, and few enough to look at."""
        kinds = ColumnType.CATEGORY, ColumnType.INTEGER, ColumnType.SET
        return schema.type in kinds and 3 < len(occurring_values(column)) <= 200

    def _label(self, group: Sequence[str]) -> str:
        if len(group) == 1:
            return group[0]
        if self.style == "list":
            return "{" + ", ".join([*group[:_LISTED], "…", group[-1]] if len(group) > _LISTED + 1 else group) + "}"
        return f"{group[0]} – {group[-1]}"
