"""Reads a released file of baskets by itself: csv and json of Python, and the layout the certificate names."""

import csv
import io
import json
from pathlib import Path

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.rooms.baskets.recount.counting import Basket
from anonymizer_gui.engine.rooms.baskets.recount.kept_promises import Released

_LONGEST_CELL = (1 << 31) - 1


def read_again(path: Path, layout: str, separator: str, column: str) -> Released:
    """Read the baskets of a file; `column` is the one beside them, if any. Raises UnreadableFile."""
    csv.field_size_limit(_LONGEST_CELL)  # of the whole process; it is only ever raised
    try:
        text = path.read_bytes().decode("utf-8")
        if layout == "json":
            return _json(json.loads(text), column)
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter="," if layout != "lines" else separator))
        return {"lines": _lines, "long": _long, "matrix": _matrix, "column": _column}[layout](rows, separator, column)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, csv.Error, OSError, StopIteration):
        raise UnreadableFile(
            message("“{name}” does not hold baskets.", name=path.name), "Choose the file as it was released."
        ) from None


def _lines(rows: list[list[str]], separator: str, column: str) -> Released:
    return Released([_basket(row) for row in rows])


def _basket(items: list[str]) -> Basket:
    """Take the items of a basket; one that is twice there, or out of order, was not written by us."""
    found = tuple(item for item in items if item != "")
    if len(set(found)) != len(found):
        raise ValueError
    return found


def _long(rows: list[list[str]], separator: str, column: str) -> Released:
    head, *rest = rows
    held: dict[str, list[str]] = {}
    values: dict[str, str] = {}
    for row in rest:
        held.setdefault(row[0], []).append(row[1])
        if column and values.setdefault(row[0], row[2]) != row[2]:
            raise ValueError
    if head != ["basket", "item", *([column] if column else [])]:
        raise ValueError
    return Released([_basket(items) for items in held.values()], list(values.values()) if column else None, column)


def _matrix(rows: list[list[str]], separator: str, column: str) -> Released:
    head, *rest = rows
    names = head[:-1] if column else head
    if (column and head[-1] != column) or any(cell not in ("0", "1") for row in rest for cell in row[: len(names)]):
        raise ValueError
    if any(len(row) != len(head) for row in rest):
        raise ValueError
    baskets = [tuple(name for name, cell in zip(names, row, strict=False) if cell == "1") for row in rest]
    return Released(baskets, [row[-1] for row in rest] if column else None, column)


def _column(rows: list[list[str]], separator: str, column: str) -> Released:
    head, *rest = rows
    if head != ["items", *([column] if column else [])] or any(len(row) != len(head) for row in rest):
        raise ValueError
    inner = [next(csv.reader([row[0]], delimiter=separator), []) for row in rest]
    return Released([_basket(items) for items in inner], [row[1] for row in rest] if column else None, column)


def _json(told: object, column: str) -> Released:
    if not isinstance(told, list):
        raise ValueError
    if not column:
        return Released([_texts(entry) for entry in told])
    return Released([_texts(entry["items"]) for entry in told], [str(entry[column]) for entry in told], column)


def _texts(entry: object) -> Basket:
    if not isinstance(entry, list) or not all(isinstance(item, str) for item in entry):
        raise ValueError
    return _basket(entry)
