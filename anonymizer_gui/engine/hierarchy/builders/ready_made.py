"""Tables of well-known values that come with the program: names, and the groups they belong to."""

import csv
from collections.abc import Mapping
from functools import cache

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Column
from anonymizer_gui.engine.hierarchy.builders.assembly import Level, assemble, used_values, values_of
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
    paths = {value: table[spelling(value)] for value in values_of(column, progress) if spelling(value) in table}
    ordered = sorted(paths, key=lambda value: paths[value][::-1])
    depth = len(next(iter(table.values())))
    levels = [Level([paths[value][at] for value in ordered]) for at in range(depth)]
    return assemble(ordered, levels, column, progress)


def knows_most(table: Mapping[str, tuple[str, ...]], column: Column) -> bool:
    """Say whether the table knows nine of ten values of a column, and at least two."""
    values = used_values(column)
    known = sum(spelling(value) in table for value in values)
    return known >= max(2, 0.9 * len(values))
