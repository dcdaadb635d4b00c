"""What stands behind every label and how frequent it is, as a file for readers; the whole mapping for the house.

A hierarchy made of the data lists values that only suppressed people have, and its bounds may be quantiles of them.
So the file names the published labels with their records, and the values behind them only where somebody has said
that the values of the column are public, such as a classification; then all of the hierarchy counts, not only what
the table has. The whole mapping, and the summary of the source, are written only when asked for, to be kept apart.
"""

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from anonymizer_gui.engine.core.errors import PromiseBroken
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io.contract import escape_formula
from anonymizer_gui.engine.data.tables.table import MISSING, SUPPRESSED, Column, Role, Table
from anonymizer_gui.engine.hierarchy.coverage import place_cells
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.preparing.prepared_table import unprepared
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.readers.summary import summaries
from anonymizer_gui.engine.storage.json_io import indented_json
from anonymizer_gui.engine.storage.saving import replace_file

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.microdata.leaving import LeavingTable

LABELS = ".labels.csv"
"""Added to the name of a release."""
HEAD = ("column", "label", "records", "value")
Line = tuple[str, str, int, str]


def labels_behind(table: Table, project: Project, public: tuple[str, ...]) -> list[Line]:
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


def labels_inside(leaving: "LeavingTable") -> dict[str, dict[str, list[str]]]:
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
class LabelsFile:
    """The file beside the release."""

    place: Path
    leaving: "LeavingTable"

    def write(self, target: Path, progress: Progress) -> None:
        """Write the lines as CSV, with cells disarmed that a spreadsheet would run."""
        project = self.leaving.release.project
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(HEAD)
        for line in labels_behind(self.leaving.table, project, project.publishing.public_values):
            writer.writerow([escape_formula(cell) if isinstance(cell, str) else cell for cell in line])
        target.write_text(text.getvalue(), encoding="utf-8", newline="")

    def check(self, target: Path, progress: Progress) -> None:
        """Read it back; raises PromiseBroken for what is not published, counted so, or not public."""
        project, table = self.leaving.release.project, self.leaving.table
        shown = {escape_formula(column.name): _counted(column) for column in table.columns}
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


def write_for_house(leaving: "LeavingTable", path: Path) -> None:
    """Write which value became which labels, and every column before and after; the file is its owner's alone.

    Raises UnwritableFile.
    """
    project, schema = leaving.release.project, leaving.release.project.schema
    names = tuple(name for name in leaving.table.names if schema.column(name).role is not Role.EI)
    before, after = (summaries(table, schema, names) for table in (unprepared(leaving.original), leaving.table))
    told = {
        "format": "anonymizer before and after",
        "note": "Never publish this file: it holds values that the release hides.",
        "project": project.name,
        "labels": labels_inside(leaving),
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


def _counted(column: Column) -> dict[str, int]:
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
