"""Countries, months, weekdays."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema
from anonymizer_gui.engine.hierarchy.builders.contract import BUILDERS, Builder
from anonymizer_gui.engine.hierarchy.coverage import LevelGroups, occurring_values, ordered_values, tree_from_levels
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

_NAMES = "|"


@cache
def ready_table(name: str) -> Mapping[str, tuple[str, ...]]:
    """Give the groups, from small to large, of every name in a table of resources/hierarchies/."""
    with resource_path("hierarchies", f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter=";"))[1:]
    return {spelling(alias): tuple(groups) for names, *groups in rows for alias in names.split(_NAMES)}


def spelling(text: str) -> str:
    """Give the letters and digits only, so that United-States and `united states` are the same."""
    return "".join(character for character in text.casefold() if character.isalnum())


def build_from_table(table: Mapping[str, tuple[str, ...]], column: Column, progress: Progress = SILENT) -> Hierarchy:
    """Put the values that the table knows under their groups, the others directly under the root."""
    paths = {value: table[spelling(value)] for value in ordered_values(column, progress) if spelling(value) in table}
    ordered = sorted(paths, key=lambda value: paths[value][::-1])
    depth = len(next(iter(table.values())))
    levels = [LevelGroups([paths[value][at] for value in ordered]) for at in range(depth)]
    return tree_from_levels(ordered, levels, column, progress)


def covers_column(table: Mapping[str, tuple[str, ...]], column: Column) -> bool:
    """Say whether the table knows nine of ten values of a column, and at least two."""
    values = occurring_values(column)
    known = sum(spelling(value) in table for value in values)
    return known >= max(2, 0.9 * len(values))


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
        return covers_column(ready_table("countries"), column)


@BUILDERS.register
@dataclass(frozen=True, slots=True)
class Month(Builder):
    """Months under their groups; values that are none come directly under the root."""

    name: ClassVar[str] = "month"
    title: ClassVar[str] = "Months"
    summary: ClassVar[str] = "Months by quarter and half-year; understands names, abbreviations and numbers."

    def build(self, column: Column, schema: ColumnSchema, progress: Progress = SILENT) -> Hierarchy:
        """Look the values up in the program's table."""
        return build_from_table(ready_table("months"), column, progress)

    @staticmethod
    def suits(column: Column, schema: ColumnSchema) -> bool:
        """Say whether most values are in the table."""
        return covers_column(ready_table("months"), column)


@BUILDERS.register
@dataclass(frozen=True, slots=True)
class Weekday(Builder):
    """Days of the week under their groups; values that are none come directly under the root."""

    name: ClassVar[str] = "weekday"
    title: ClassVar[str] = "Days of the week"
    summary: ClassVar[str] = "Days of the week as weekday or weekend; understands names, abbreviations and ISO numbers."

    def build(self, column: Column, schema: ColumnSchema, progress: Progress = SILENT) -> Hierarchy:
        """Look the values up in the program's table."""
        return build_from_table(ready_table("weekdays"), column, progress)

    @staticmethod
    def suits(column: Column, schema: ColumnSchema) -> bool:
        """Say whether most values are in the table."""
        return covers_column(ready_table("weekdays"), column)
