"""Every published column in a few numbers and at which level it is published; counted a second time before it leaves.

Mean, standard deviation, median, quantiles, the most frequent values, and the cuts through the hierarchies.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from anonymizer_gui.engine.core.errors import PromiseBroken
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io import WriteOptions
from anonymizer_gui.engine.data.tables.table import (
    MISSING,
    SUPPRESSED,
    Column,
    ColumnSchema,
    ColumnType,
    Role,
    Schema,
    Table,
)
from anonymizer_gui.engine.data.tables.values import parse_numbers
from anonymizer_gui.engine.hierarchy.coverage import node_heights
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.preparing.prepared_table import unprepared
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.recount.summing import summed_up
from anonymizer_gui.engine.rooms.microdata.written import as_read, name_in_file

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.microdata.leaving import LeavingTable

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_FREQUENT = 5
MOST_LABELS = 40
_NUMBERS = (ColumnType.INTEGER, ColumnType.DECIMAL)
_CLOSE = 1e-6


@dataclass(frozen=True, slots=True)
class Summary:
    """What the cells of one column say together; numbers only where the column is of numbers and has some."""

    rows: int
    missing: int
    distinct: int
    frequent: tuple[tuple[str, int], ...]
    numbers: int = 0
    mean: float | None = None
    sd: float | None = None
    quantiles: tuple[float, ...] = ()

    def to_json(self, *, with_values: bool) -> dict[str, Json]:
        """Give it as JSON; values of people stand in no file but a release, so most columns are told without."""
        return {
            "rows": self.rows,
            "missing": self.missing,
            "distinct": self.distinct,
            "frequent": [list(pair) for pair in self.frequent] if with_values else [],
            "numbers": self.numbers,
            "mean": self.mean,
            "sd": self.sd,
            "quantiles": list(self.quantiles),
        }


def summaries(table: Table, schema: Schema, names: tuple[str, ...], progress: Progress = SILENT) -> dict[str, Summary]:
    """Sum up these columns of a table."""
    found = {}
    for done, name in enumerate(names):
        progress(done / len(names), message("Looking at “{name}”", name=name))
        entry = schema.column(name)
        decimal = (entry.format or ".") if entry.type in _NUMBERS else ""
        summary = summary_of(table.column(name), decimal)
        # The mean of those few numbers that were not generalised would say nothing about the column.
        is_partial = entry.role is Role.QI and summary.numbers < summary.rows - summary.missing
        found[name] = summary_of(table.column(name)) if is_partial else summary
    return found


def summary_of(column: Column, decimal: str = "") -> Summary:
    """Sum up one column; with a decimal mark its cells are read as numbers, and what is none is left aside.

    >>> summary_of(Column.from_texts("age", ["1", "2", "3", "4"]), ".").quantiles
    (1.15, 1.75, 2.5, 3.25, 3.8499999999999996)
    """
    counts = column.counts()
    there = [(label, int(count)) for label, count in zip(column.labels, counts, strict=True) if count]
    known = [pair for pair in there if pair[0] != MISSING]
    rows = sum(count for _, count in there)
    frequent = tuple(sorted(known, key=lambda pair: (-pair[1], pair[0]))[:MOST_FREQUENT])
    plain = Summary(rows, rows - sum(count for _, count in known), len(known), frequent)
    if not decimal:
        return plain
    values, fits = parse_numbers(column.labels, decimal)
    numbers = np.repeat(values[fits], counts[fits])
    if not len(numbers):
        return plain
    return Summary(
        plain.rows,
        plain.missing,
        plain.distinct,
        plain.frequent,
        len(numbers),
        float(numbers.mean()),
        float(numbers.std(ddof=1)) if len(numbers) > 1 else 0.0,
        tuple(np.quantile(numbers, QUANTILES).tolist()),
    )


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
    counted = summary_counted(columns, project.schema, options)
    for name, summary in summary_told(table, project, options).items():
        if not _alike(summary, counted.get(name)):
            raise PromiseBroken(
                message("The summary of “{column}” is not that of its cells.", column=name),
                "Nothing was released. Please report this.",
            )


def summary_counted(columns: Mapping[str, Column], schema: Schema, options: WriteOptions) -> dict[str, Json]:
    """Sum up the columns of a file once more, in another way, as a certificate tells them."""
    there = {entry.name: columns.get(name_in_file(entry.name, options)) for entry in schema.columns}
    return {
        entry.name: _counted(column, entry)
        for entry in schema.columns
        if (column := there[entry.name]) is not None and entry.role is not Role.EI
    }


def _summed(table: Table, project: Project) -> tuple[str, ...]:
    return tuple(name for name in table.names if project.schema.column(name).role is not Role.EI)


def _counted(column: Column, entry: ColumnSchema) -> dict[str, Json]:
    counted = zip(column.labels, column.counts().tolist(), strict=True)
    cells = {label: count for label, count in counted if count}
    rows, missing = sum(cells.values()), cells.pop(MISSING, 0)
    decimal = (entry.format or ".") if entry.type in _NUMBERS else ""
    found = summed_up(cells, decimal, QUANTILES, wants_all=entry.role is Role.QI)
    frequent = sorted(cells.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_FREQUENT]
    return {
        "rows": rows,
        "missing": missing,
        "frequent": [list(pair) for pair in frequent] if entry.role is Role.QI and not entry.is_known_in_part else [],
        "mean": None,
        "sd": None,
        "quantiles": [],
        **found,
    }


def _alike(one: Json, other: Json) -> bool:
    """Compare entries; numbers may differ by rounding."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_alike(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=_CLOSE, abs_tol=_CLOSE)
    return bool(one == other)


def chosen_levels(table: Table, project: Project) -> dict[str, Json]:
    """Tell levels and labels of every published quasi-identifier; nothing but what stands in the file."""
    names = [name for name in project.schema.names(Role.QI) if name in table.names]
    return {name: _told_levels(table.column(name), project.hierarchies.get(name)) for name in names}


def _told_levels(column: Column, tree: Hierarchy | None) -> dict[str, Json]:
    used = _most_used(column)
    found = [] if tree is None else _levels([label for label, _ in used], tree)
    return {
        "levels": [min(found), max(found)] if found else None,
        "height": None if tree is None else tree.height,
        **labels_told(column),
    }


def labels_told(column: Column) -> dict[str, Json]:
    """Tell how many labels a published column has, and the most frequent ones."""
    used = _most_used(column)
    return {"distinct": len(used), "labels": [[label, rows] for label, rows in used[:MOST_LABELS]]}


def _most_used(column: Column) -> list[tuple[str, int]]:
    used = column.compact()
    return sorted(zip(used.labels, used.counts().tolist(), strict=True), key=lambda pair: (-pair[1], pair[0]))


def _levels(labels: list[str], tree: Hierarchy) -> list[int]:
    """Give the level of each label that is a node; ranges that no hierarchy names have none."""
    heights = node_heights(tree)
    nodes = [tree.node_of_label.get(label) for label in labels if label not in (MISSING, SUPPRESSED)]
    tops = [tree.height for label in labels if label == SUPPRESSED]
    return [int(heights[node]) for node in nodes if node is not None] + tops
