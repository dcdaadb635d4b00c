"""What readers get beside the table: labels and their values, levels, column summaries.

Mean, standard deviation, median, quantiles, the most frequent values, and the cuts through the hierarchies.

A hierarchy made of the data lists values that only suppressed people have, and its bounds may be quantiles of them.
So the file names the published labels with their records, and the values behind them only where somebody has said
that the values of the column are public, such as a classification; then all of the hierarchy counts, not only what
the table has. The whole mapping, and the summary of the source, are written only when asked for, to be kept apart.
"""

import csv
import io
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from anonymizer_gui.engine.core.errors import PromiseBroken
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io import WriteOptions
from anonymizer_gui.engine.data.tables.io.contract import escape_formula
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
from anonymizer_gui.engine.hierarchy.coverage import node_heights, place_cells
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.independent.recount import recount_column
from anonymizer_gui.engine.rooms.microdata.masking.steps import unprepared
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.output_format import column_in_file, name_in_file
from anonymizer_gui.engine.storage.json_io import indented_json
from anonymizer_gui.engine.storage.saving import replace_file

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.microdata.release.release_candidate import ReleaseCandidate


QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)

MOST_FREQUENT = 5

MOST_LABELS = 40

_NUMBERS = (ColumnType.INTEGER, ColumnType.DECIMAL)

_CLOSE = 1e-6


@dataclass(frozen=True, slots=True)
class ColumnSummary:
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


def summarise_columns(
    table: Table, schema: Schema, names: tuple[str, ...], progress: Progress = SILENT
) -> dict[str, ColumnSummary]:
    """Sum up these columns of a table."""
    found = {}
    for done, name in enumerate(names):
        progress(done / len(names), message("Looking at “{name}”", name=name))
        entry = schema.column(name)
        decimal = (entry.format or ".") if entry.type in _NUMBERS else ""
        summary = summarise_column(table.column(name), decimal)
        # The mean of those few numbers that were not generalised would say nothing about the column.
        is_partial = entry.role is Role.QI and summary.numbers < summary.rows - summary.missing
        found[name] = summarise_column(table.column(name)) if is_partial else summary
    return found


def summarise_column(column: Column, decimal: str = "") -> ColumnSummary:
    """Sum up one column; with a decimal mark its cells are read as numbers, and what is none is left aside.

    >>> summarise_column(Column.from_texts("age", ["1", "2", "3", "4"]), ".").quantiles
    (1.15, 1.75, 2.5, 3.25, 3.8499999999999996)
    """
    counts = column.counts()
    there = [(label, int(count)) for label, count in zip(column.labels, counts, strict=True) if count]
    known = [pair for pair in there if pair[0] != MISSING]
    rows = sum(count for _, count in there)
    frequent = tuple(sorted(known, key=lambda pair: (-pair[1], pair[0]))[:MOST_FREQUENT])
    plain = ColumnSummary(rows, rows - sum(count for _, count in known), len(known), frequent)
    if not decimal:
        return plain
    values, fits = parse_numbers(column.labels, decimal)
    numbers = np.repeat(values[fits], counts[fits])
    if not len(numbers):
        return plain
    return ColumnSummary(
        plain.rows,
        plain.missing,
        plain.distinct,
        plain.frequent,
        len(numbers),
        float(numbers.mean()),
        float(numbers.std(ddof=1)) if len(numbers) > 1 else 0.0,
        tuple(np.quantile(numbers, QUANTILES).tolist()),
    )


def published_summary(table: Table, project: Project, options: WriteOptions) -> dict[str, Json]:
    """Sum up every published column as its file has it; pseudonyms say nothing together."""
    spelled = Table(tuple(column_in_file(column, options) for column in table.columns), table.n_rows)
    found = summarise_columns(spelled, project.schema, _summed(table, project))
    labels = project.schema.names(Role.QI)
    return {name: summary.to_json(with_values=name in labels) for name, summary in found.items()}


def source_summary(original: Table, table: Table, project: Project) -> dict[str, Json]:
    """Sum up the same columns of the source in numbers, left out rows included: for the house alone."""
    found = summarise_columns(unprepared(original), project.schema, _summed(table, project))
    return {name: summary.to_json(with_values=False) for name, summary in found.items()}


def confirm_summary(leaving: "ReleaseCandidate", options: WriteOptions) -> None:
    """Count every column in another way; raises PromiseBroken where that gives other numbers."""
    project, table = leaving.release.project, leaving.table
    columns = {name_in_file(c.name, options): column_in_file(c, options) for c in table.columns}
    counted = summary_counted(columns, project.schema, options)
    for name, summary in published_summary(table, project, options).items():
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
    found = recount_column(cells, decimal, QUANTILES, wants_all=entry.role is Role.QI)
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


def published_levels(table: Table, project: Project) -> dict[str, Json]:
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


LABELS = ".labels.csv"
"""Added to the name of a release."""

HEADER = ("column", "label", "records", "value")

Line = tuple[str, str, int, str]


def label_lines(table: Table, project: Project, public: tuple[str, ...]) -> list[Line]:
    """List column, label, records and value; a column that is not public has its labels with no value."""
    found: list[Line] = []
    for name in table.names:
        role, tree = project.schema.column(name).role, project.hierarchies.get(name)
        column = table.column(name).compact()
        rows = dict(zip(column.labels, column.counts().tolist(), strict=True))
        if role is Role.EI:
            continue  # pseudonyms are about one person each
        if tree is None or role is not Role.QI or name not in public:
            found += [(name, label, rows[label], "") for label in sorted(column.labels) if label != MISSING]
            continue
        cells = place_cells(column, tree, project.schema.column(name))
        leaves = cells.hierarchy.leaf_labels
        for code, label in enumerate(column.labels):
            behind = leaves[int(cells.low[code]) : int(cells.high[code]) + 1]
            found += [(name, label, rows[label], leaf) for leaf in behind if MISSING not in (label, leaf)]
    return found


def label_mapping(leaving: "ReleaseCandidate") -> dict[str, dict[str, list[str]]]:
    """Give for every value of the source the labels its rows are published as; never to be published."""
    told: dict[str, dict[str, list[str]]] = {}
    for name in leaving.release.project.schema.names(Role.QI):
        if leaving.rows is None or leaving.table.times is not None:
            return {}
        before, after = leaving.original.column(name).take(leaving.rows), leaving.table.column(name)
        both = np.unique(before.codes.astype(np.int64) * len(after.labels) + after.codes)
        told[name] = {}
        for at in both.tolist():
            value, label = before.labels[at // len(after.labels)], after.labels[at % len(after.labels)]
            told[name].setdefault(value, []).append(label)
    return told


@dataclass(frozen=True, slots=True, eq=False)
class CodebookFile:
    """The file beside the release."""

    place: Path
    leaving: "ReleaseCandidate"

    def write(self, target: Path, progress: Progress) -> None:
        """Write the lines as CSV, with cells disarmed that a spreadsheet would run."""
        project = self.leaving.release.project
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(HEADER)
        for line in label_lines(self.leaving.table, project, project.publishing.public_values):
            writer.writerow([escape_formula(cell) if isinstance(cell, str) else cell for cell in line])
        target.write_text(text.getvalue(), encoding="utf-8", newline="")

    def check(self, target: Path, progress: Progress) -> None:
        """Read it back; raises PromiseBroken for what is not published, counted so, or not public."""
        project, table = self.leaving.release.project, self.leaving.table
        shown = {escape_formula(column.name): _labels_file_counted(column) for column in table.columns}
        trees = {name: project.hierarchies[name] for name in _public(project)}
        behind = {escape_formula(name): _above(tree) for name, tree in trees.items()}
        with target.open(encoding="utf-8", newline="") as file:
            for column, label, rows, value in list(csv.reader(file))[1:]:
                is_shown = shown.get(column, {}).get(label) == int(rows)
                if not is_shown or (value and not _is_below(value, label, behind.get(column))):
                    raise PromiseBroken(
                        message("The file of labels tells of “{column}” what is not to leave.", column=column),
                        "Nothing was released. Please report this.",
                    )


def write_private_codebook(leaving: "ReleaseCandidate", path: Path) -> None:
    """Write which value became which labels, and every column before and after; the file is its owner's alone.

    Raises UnwritableFile.
    """
    project, schema = leaving.release.project, leaving.release.project.schema
    names = tuple(name for name in leaving.table.names if schema.column(name).role is not Role.EI)
    before, after = (summarise_columns(table, schema, names) for table in (unprepared(leaving.original), leaving.table))
    told = {
        "format": "anonymizer before and after",
        "note": "Never publish this file: it holds values that the release hides.",
        "project": project.name,
        "labels": label_mapping(leaving),
        "summary": {
            name: {"before": before[name].to_json(with_values=True), "after": after[name].to_json(with_values=True)}
            for name in names
        },
    }
    text = indented_json(told) + "\n"

    def write(target: Path) -> None:
        target.write_text(text, encoding="utf-8")

    replace_file(path, write, private=True)


def _public(project: Project) -> list[str]:
    return [name for name in project.publishing.public_values if name in project.hierarchies]


def _labels_file_counted(column: Column) -> dict[str, int]:
    return {
        escape_formula(label): rows for label, rows in zip(column.labels, column.counts().tolist(), strict=True) if rows
    }


def _above(tree: Hierarchy) -> dict[str, set[str]]:
    """Give for every leaf the labels on its way to the root, walked one by one."""
    parents, labels = tree.parents.tolist(), tree.labels
    found: dict[str, set[str]] = {}
    for leaf in tree.leaves.tolist():
        way, at = {SUPPRESSED}, leaf
        while at >= 0:
            way.add(escape_formula(labels[at]))
            at = parents[at]
        found[escape_formula(labels[leaf])] = way
    return found


def _is_below(value: str, label: str, above: Mapping[str, set[str]] | None) -> bool:
    """Tell whether a public value is below a label; ranges and sets name their own ends."""
    if above is None or value not in above:
        return False
    return label in above[value] or label[:1] in ("[", "{", "'")
