"""What policies look at, taken from a table that leaves, from a finished run, or from a file and its certificate."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.rooms.microdata.policies.contract import Shown, ShownColumn
from anonymizer_gui.engine.rooms.microdata.project import Project, Publishing
from anonymizer_gui.engine.rooms.microdata.written import name_in_file
from anonymizer_gui.engine.shapes.tables.io import WriteOptions
from anonymizer_gui.engine.shapes.tables.table import MISSING, Column, ColumnType, Role, Table

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.microdata.release import Release


def shown_of(table: Table, project: Project, numbers: Mapping[str, Json], created: str, rows_before: int) -> Shown:
    """Look at a table that leaves, and at what its project decided."""
    ways = dict(project.publishing.pseudonyms)
    columns = tuple(
        ShownColumn(
            entry.name,
            entry.role,
            entry.type,
            _cells(table.column(entry.name)) if entry.name in table.names else None,
            ways.get(entry.name, ""),
        )
        for entry in project.schema.columns
    )
    heights = {name: tree.height for name, tree in project.used_hierarchies().items()}
    return Shown(columns, numbers, heights, rows_before, project.publishing.linkable, _year(created))


def shown_by_run(release: "Release", publishing: Publishing) -> tuple[Shown, Table]:
    """Look at a finished run as it would leave, before pseudonyms are made."""
    project = replace(release.project, publishing=publishing)
    left_out = set(project.left_out_columns())
    table = release.table.select([name for name in release.table.names if name not in left_out])
    rows = table.n_rows + release.measured.suppressed
    return shown_of(table, project, release.measured.to_json(), release.created, rows), table


def shown_certified(
    columns: Mapping[str, Column], told: Mapping[str, Json], numbers: Mapping[str, Json], options: WriteOptions
) -> Shown:
    """Look at a file, with nothing but its certificate beside it."""
    ways = dict(told["recipe"]["pseudonyms"])
    return Shown(
        tuple(_certified(entry, columns, ways, options) for entry in told["columns"]),
        numbers,
        {name: entry["height"] for name, entry in told["hierarchies"].items()},
        told["source"]["rows"],
        bool(told["recipe"]["linkable"]),
        _year(told["release"]["created"]),
    )


def _certified(
    entry: Mapping[str, Json], columns: Mapping[str, Column], ways: Mapping[str, str], options: WriteOptions
) -> ShownColumn:
    column = columns.get(name_in_file(entry["name"], options))
    return ShownColumn(
        entry["name"],
        Role(entry["role"]),
        ColumnType(entry["type"]),
        None if column is None else _cells(column),
        ways.get(entry["name"], ""),
    )


def _cells(column: Column) -> dict[str, int]:
    counts: Sequence[int] = column.counts().tolist()
    both = zip(column.labels, counts, strict=True)
    return {label: count for label, count in both if count and label != MISSING}


def _year(created: str) -> int:
    return int(created[:4]) if created[:4].isdigit() else 0
