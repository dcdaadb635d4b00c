"""The summary of a release beside what plain counting of its cells gives: where they differ nothing leaves."""

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from anonymizer_gui.engine.errors import PromiseBroken
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.rooms.microdata.preparing.prepared_table import unprepared
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.readers.summary import QUANTILES, summaries
from anonymizer_gui.engine.rooms.microdata.recount.summing import summed_up
from anonymizer_gui.engine.rooms.microdata.written import as_read, name_in_file
from anonymizer_gui.engine.shapes.tables.io import WriteOptions
from anonymizer_gui.engine.shapes.tables.table import MISSING, Column, ColumnType, Role, Table
from anonymizer_gui.engine.words import Sentence, say

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.microdata.leaving import LeavingTable

_CLOSE = 1e-6
_NUMBERS = (ColumnType.INTEGER.value, ColumnType.DECIMAL.value)


def summary_told(table: Table, project: Project, options: WriteOptions) -> dict[str, Json]:
    """Sum up every published column as its file has it; pseudonyms say nothing together."""
    spelled = Table(tuple(as_read(column, options) for column in table.columns), table.n_rows)
    found = summaries(spelled, project.schema, _summed(table, project))
    labels = project.schema.names(Role.QI)
    return {name: summary.to_json(with_values=name in labels) for name, summary in found.items()}


def summary_before(original: Table, table: Table, project: Project) -> dict[str, Json]:
    """Sum up the same columns of the source in numbers, left out rows included: for the house alone."""
    found = summaries(unprepared(original), project.schema, _summed(table, project))
    return {name: summary.to_json(with_values=False) for name, summary in found.items()}


def confirm_summary(leaving: "LeavingTable", options: WriteOptions) -> None:
    """Count every column in another way; raises PromiseBroken where that gives other numbers."""
    project, table = leaving.release.project, leaving.table
    columns = {name_in_file(c.name, options): as_read(c, options) for c in table.columns}
    told = {
        "summary": summary_told(table, project, options),
        "columns": [
            {"name": c.name, "role": c.role.value, "type": c.type.value, "format": c.format}
            for c in project.schema.columns
        ],
    }
    for sentence in other_summary(columns, told, options):
        raise PromiseBroken(sentence, "Nothing was released. Please report this.")


def other_summary(columns: Mapping[str, Column], told: Mapping[str, Json], options: WriteOptions) -> Iterator[Sentence]:
    """Tell the columns whose summary in a certificate is not that of the file."""
    kinds = {entry["name"]: entry for entry in told["columns"]}
    for name, summary in told.get("summary", {}).items():
        column, entry = columns.get(name_in_file(name, options)), kinds.get(name)
        if column is None or entry is None or not _is_summed_so(summary, column, entry):
            yield say("The summary of “{column}” is not that of its cells.", column=name)


def _summed(table: Table, project: Project) -> tuple[str, ...]:
    return tuple(name for name in table.names if project.schema.column(name).role is not Role.EI)


def _is_summed_so(told: Mapping[str, Json], column: Column, entry: Mapping[str, Json]) -> bool:
    counted = zip(column.labels, column.counts().tolist(), strict=True)
    cells = {label: count for label, count in counted if count}
    rows, missing = sum(cells.values()), cells.pop(MISSING, 0)
    decimal = (entry["format"] or ".") if entry["type"] in _NUMBERS else ""
    found = summed_up(cells, decimal, QUANTILES, wants_all=entry["role"] == Role.QI.value)
    same_counts = (
        (told["rows"], told["missing"], told["distinct"], told["numbers"])
        == (rows, missing, found["distinct"], found["numbers"])
    ) and all(cells.get(label) == count for label, count in told["frequent"])
    numbers = [told["mean"], told["sd"], *told["quantiles"]]
    again: list[Json] = [found.get("mean"), found.get("sd"), *_listed(found.get("quantiles"))]
    return same_counts and len(numbers) == len(again) and all(map(_alike, numbers, again))


def _listed(values: object) -> list[float]:
    return list(values) if isinstance(values, list) else []


def _alike(one: Json, other: Json) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=_CLOSE, abs_tol=_CLOSE)
