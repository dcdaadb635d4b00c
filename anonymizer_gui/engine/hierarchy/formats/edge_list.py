"""The edge list: one line per node with its parent, `child,parent`."""

import csv
import io
from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.data.tables.table import MISSING, SUPPRESSED
from anonymizer_gui.engine.hierarchy.formats.contract import HIERARCHY_FORMATS
from anonymizer_gui.engine.hierarchy.formats.delimited import Row, sniff_rows
from anonymizer_gui.engine.hierarchy.formats.parent_of import ParentTree
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

_HEADERS: dict[tuple[str, ...], tuple[int, int]] = {("child", "parent"): (0, 1), ("parent", "child"): (1, 0)}

_GLANCE = 20


@HIERARCHY_FORMATS.register
@dataclass(frozen=True, slots=True)
class EdgeList:
    """Lines `child,parent` in any order; a root may stand alone on its line.

    The other direction is understood by its header, or when only then `*` is the root.
    """

    name: ClassVar[str] = "edge-list"
    title: ClassVar[str] = "Edge list"
    summary: ClassVar[str] = "One line per node: the node and its parent."
    suffixes: ClassVar[tuple[str, ...]] = (".csv",)
    rank: ClassVar[int] = 40

    @staticmethod
    def recognises(text: str) -> bool:
        """Say whether the text could be of this format: two columns, and groups that are themselves children."""
        beginning = "\n".join(text.splitlines()[:_GLANCE])
        rows = _pairs(beginning) and _pairs(text)
        if not rows:
            return False
        if _direction(rows[0]) is not None:
            return True
        children = {row.cells[0] for row in rows}
        return any(row.cells[1] in children and row.cells[0] != row.cells[1] for row in rows)

    @staticmethod
    def read(text: str, name: str) -> Hierarchy:
        """Read the text; raises BadHierarchy with line and reason when it is no tree.

        >>> EdgeList.read("child,parent\\nItaly,Europe\\nEurope,*\\n", "land.csv").labels
        ('*', 'Europe', 'Italy')
        """
        rows = _rows(text, name)
        direction = _direction(rows[0])
        child, parent = direction or _only_direction(rows)
        tree = ParentTree(name)
        for row in rows[1:] if direction else rows:
            if row.cells[parent]:  # else it only says which one is the root
                tree.add(row.cells[child] or MISSING, row.cells[parent], row.line)
        return tree.tree()

    @staticmethod
    def write(hierarchy: Hierarchy) -> str:
        """Write a header and one line per node but the root; raises BadHierarchy when a label stands twice."""
        if len(hierarchy.node_of_label) != len(hierarchy):
            raise BadHierarchy("A value and its group have the same label; an edge list cannot tell them apart.")
        out = io.StringIO(newline="")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["child", "parent"])
        labels = hierarchy.labels
        writer.writerows([labels[n], labels[p]] for n, p in enumerate(hierarchy.parents.tolist()) if p >= 0)
        return out.getvalue()


def _pairs(text: str) -> list[Row]:
    """Give the rows when all have two cells, else none."""
    try:
        rows = _rows(text, "")
    except BadHierarchy:
        return []
    return rows if all(len(row.cells) == 2 for row in rows) else []


def _rows(text: str, name: str) -> list[Row]:
    """Split the lines; a root alone on its line, as in `*,`, says nothing new and is left out."""
    return [row for row in sniff_rows(text, name, alone=1) if len(row.cells) > 1]


def _direction(header: Row) -> tuple[int, int] | None:
    return _HEADERS.get(tuple(cell.casefold() for cell in header.cells[:2]))


def _only_direction(rows: list[Row]) -> tuple[int, int]:
    """Read from child to parent; the other way only when `*` is parent and never child, and all have one parent."""
    edges = {row.cells[:2] for row in rows if all(row.cells[:2])}
    first, second = {edge[0] for edge in edges}, {edge[1] for edge in edges}
    is_downwards = SUPPRESSED in first and SUPPRESSED not in second and len(second) == len(edges)
    return (1, 0) if is_downwards else (0, 1)
