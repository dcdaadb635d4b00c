"""Rows of cells from delimited text whose delimiter is not known beforehand."""

import csv
import io
from dataclasses import dataclass

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.hierarchy.formats.paths import refusal
from anonymizer_gui.engine.hierarchy.labels import clean

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
            row = _without_empty_end([clean(cell) for cell in cells])
            if row:
                rows.append(Row(tuple(row), reader.line_num))
    except csv.Error:
        raise refusal(name, begins, "a quote is not closed.", "Close it, or double it inside a value.") from None
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
