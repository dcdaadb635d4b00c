"""Level table and edge list."""

import csv
import io
from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.table import MISSING, SUPPRESSED
from anonymizer_gui.engine.hierarchy.formats.contract import HIERARCHY_FORMATS, ParentTree, PathTree, bad_line
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, normalise_label

DELIMITERS = (";", "\t", "|", ",")


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row without empty ones at its end, and the line it ends on."""

    cells: tuple[str, ...]
    line: int


def split_rows(text: str, delimiter: str, name: str) -> list[Row]:
    """Split text into rows; quotes protect delimiters; empty rows are left out."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows = []
    begins = 1
    try:
        for cells in reader:
            begins = reader.line_num + 1
            row = _without_empty_end([normalise_label(cell) for cell in cells])
            if row:
                rows.append(Row(tuple(row), reader.line_num))
    except csv.Error:
        raise bad_line(name, begins, "a quote is not closed.", "Close it, or double it inside a value.") from None
    return rows


def sniff_rows(text: str, name: str, alone: int = 0) -> list[Row]:
    """Split text by the delimiter that gives every row at least two cells, best with a constant end or start.

    So many rows as `alone` says may have a single cell, when no delimiter splits all of them.
    Raises BadHierarchy when no delimiter does.
    """
    tried = [_tried(text, delimiter, name) for delimiter in DELIMITERS]
    usable = [rows for rows in tried if _are_split(rows, 0)] or [rows for rows in tried if _are_split(rows, alone)]
    if not usable:
        _refuse_open_quote(text, name)
        raise BadHierarchy(
            message("{name} is no table of levels: no delimiter splits every line.", name=name),
            "Separate the levels by semicolons.",
        )
    with_root = [rows for rows in usable if has_constant(rows, -1) or has_constant(rows, 0)]
    return (with_root or usable)[0]


def has_constant(rows: list[Row], at: int) -> bool:
    """Say whether all rows, a header perhaps excepted, have the same first (0) or last (-1) cell."""
    return len({row.cells[at] for row in rows[1:] or rows}) == 1


def _tried(text: str, delimiter: str, name: str) -> list[Row]:
    try:
        return split_rows(text, delimiter, name) if delimiter in text else []
    except BadHierarchy:
        return []


def _refuse_open_quote(text: str, name: str) -> None:
    for delimiter in DELIMITERS:
        if delimiter in text:
            split_rows(text, delimiter, name)


def _are_split(rows: list[Row], alone: int) -> bool:
    single = sum(len(row.cells) < 2 for row in rows)
    return single < len(rows) and single <= alone


def _without_empty_end(cells: list[str]) -> list[str]:
    while cells and not cells[-1]:
        cells.pop()
    return cells


@HIERARCHY_FORMATS.register
@dataclass(frozen=True, slots=True)
class LevelTable:
    """Lines `value;group;...;root`; any delimiter, a header or none, lines of unequal length, either direction."""

    name: ClassVar[str] = "level-table"
    title: ClassVar[str] = "Level table"
    summary: ClassVar[str] = "One line per value: the value, its group, ..., the root, separated by semicolons."
    suffixes: ClassVar[tuple[str, ...]] = (".csv",)
    rank: ClassVar[int] = 90

    @staticmethod
    def recognises(text: str) -> bool:
        """Say whether the text could be of this format."""
        return any(delimiter in text for delimiter in DELIMITERS)

    @staticmethod
    def read(text: str, name: str) -> Hierarchy:
        """Read the text; raises BadHierarchy with line and reason when it is no tree.

        >>> LevelTable.read("Italy;Europe;*\\nJapan;Asia;*\\n", "land.csv").labels
        ('*', 'Europe', 'Italy', 'Asia', 'Japan')
        """
        rows = _without_header(sniff_rows(text, name))
        tree = PathTree(name)
        for row in rows:
            if not all(row.cells[1:]):
                raise bad_line(name, row.line, "a level between the value and the root is empty.", "Fill the gap.")
        upwards = has_constant(rows, -1) or not has_constant(rows, 0)
        for row in rows:
            tree.add(_from_root(row, upwards), row.line)
        return tree.tree()

    @staticmethod
    def write(hierarchy: Hierarchy) -> str:
        """Write one line per leaf, from the leaf to the root; leaves of lesser depth have shorter lines."""
        out = io.StringIO(newline="")
        writer = csv.writer(out, delimiter=";", lineterminator="\n")
        labels = hierarchy.labels
        writer.writerows([labels[node] for node in hierarchy.path(int(leaf))] for leaf in hierarchy.leaves)
        return out.getvalue()


def _without_header(rows: list[Row]) -> list[Row]:
    """Leave out a first line that does not end in the root all others end in (or begin with) and names no label."""
    labels = {cell for row in rows[1:] for cell in row.cells}
    if len(rows) < 3 or labels.intersection(rows[0].cells):
        return rows
    last = {row.cells[-1] for row in rows[1:]}
    first = {row.cells[0] for row in rows[1:]}
    upwards_header = len(last) == 1 and rows[0].cells[-1] not in last
    downwards_header = len(last) > 1 and len(first) == 1 and rows[0].cells[0] not in first
    return rows[1:] if upwards_header or downwards_header else rows


def _from_root(row: Row, upwards: bool) -> list[str]:
    cells = [row.cells[0] or MISSING, *row.cells[1:]]
    return cells[::-1] if upwards else cells


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
