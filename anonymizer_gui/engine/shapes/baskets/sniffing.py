"""Proposes how a file of baskets is to be read, from its beginning."""

import csv
from collections.abc import Sequence
from pathlib import Path

from anonymizer_gui.engine.shapes.baskets.baskets import ITEMS
from anonymizer_gui.engine.shapes.baskets.options import BasketOptions
from anonymizer_gui.engine.shapes.baskets.tabular import MOST_COUNTS, SEPARATORS
from anonymizer_gui.engine.shapes.tables.io import preview
from anonymizer_gui.engine.shapes.tables.io.csv_sniff import encoding_of
from anonymizer_gui.engine.shapes.tables.io.opened_files import checked_path, opened
from anonymizer_gui.engine.shapes.tables.table import MISSING, Column, Table

_HEAD = 1 << 16
_ROWS = 200
_TABLES = (".xlsx", ".parquet", ".sav", ".dta", ".sas7bdat", ".db", ".sqlite")
_HALF, _MOST = 0.5, 0.9
_FEW_LINES = 3
_ARRAYS = ("[[", '["')


def sniffed(path: Path) -> BasketOptions:
    """Propose options; raises UnreadableFile when the file is no text and no table."""
    checked_path(path)
    if path.suffix.lower() in _TABLES:
        return _of_table(preview(path, None, _ROWS).table) or BasketOptions(layout="long")
    with opened(path) as file:
        head = file.read(_HEAD)
    text = head.decode(encoding_of(head, len(head) < _HEAD, path.name), errors="replace").removeprefix("\ufeff")
    if path.suffix.lower() in (".json", ".jsonl") or text.lstrip()[:1] in ("[", "{"):
        return BasketOptions(layout="json")
    lines = text.splitlines()
    lines = lines[:-1] if len(head) == _HEAD else lines
    separator = _separator(lines)
    if _is_ragged(lines, separator) and not any(_is_even(lines, mark) for mark in SEPARATORS):
        return BasketOptions(layout="lines", separator=separator)
    return _of_table(preview(path, None, _ROWS).table) or BasketOptions(layout="lines", separator=separator)


def columns_of(path: Path) -> tuple[str, ...]:
    """Name the columns of a file that can be read as a table; none of one that cannot."""
    return preview(path, None, 1).table.names


def likelihood(path: Path, head: bytes) -> float:
    """Say how likely a file holds baskets rather than a table of people, from 0 to 1: ragged lines do."""
    if path.suffix.lower() in (".basket", ".baskets", ".dat", ".jsonl"):
        return 0.7
    if not head:
        return 0.0  # a database holds tables
    text = head.decode("utf-8", errors="replace")
    lines = text.splitlines()[:-1] if len(head) >= _HEAD else text.splitlines()
    is_text = b"\0" not in head and path.suffix.lower() not in _TABLES
    if is_text and text.lstrip().startswith(_ARRAYS):
        return 0.6
    return 0.6 if is_text and len(lines) >= _FEW_LINES and _is_ragged(lines, _separator(lines)) else 0.3


def _separator(lines: list[str]) -> str:
    """Take the character that is there most often; spaces only where nothing else is and the words are short."""
    counts = {mark: sum(line.count(mark) for line in lines) for mark in SEPARATORS}
    best = max(SEPARATORS, key=lambda mark: counts[mark])
    if counts[best] or not any(" " in line.strip() for line in lines):
        return best
    words = [word for line in lines for word in line.split()]
    return " " if words and all(word.isdigit() for word in words) else best


def _is_ragged(lines: list[str], separator: str) -> bool:
    """Tell whether lines hold different numbers of cells, as baskets do and tables do not."""
    widths = [len(row) for row in csv.reader(lines, delimiter=separator) if row]
    if len(widths) < 2:
        return True
    usual = max(set(widths), key=widths.count)
    return widths.count(usual) < _MOST * len(widths)


def _is_even(lines: list[str], separator: str) -> bool:
    """Tell whether all lines have as many cells, and several: a table, whatever separates what is in its cells."""
    widths = {len(row) for row in csv.reader(lines, delimiter=separator) if row}
    return len(lines) >= _FEW_LINES and len(widths) == 1 and min(widths) > 1


def _of_table(table: Table) -> BasketOptions | None:
    """Tell a matrix, a column of items and one item per row apart; nothing for what is none of them."""
    columns = table.columns
    if len(columns) > 1 and sum(_is_marks(column) for column in columns) > _HALF * len(columns):
        return BasketOptions(layout="matrix")
    named = _called_items(columns)
    if named is not None:
        return named
    for column in columns:
        for mark in SEPARATORS:
            several = sum(mark in label for label in column.labels)
            if several > _HALF * max(len(column.labels), 1):
                return BasketOptions(layout="column", separator=mark, item_column=column.name)
    if len(columns) > 1 and len(columns[0].labels) < table.n_rows:
        return BasketOptions(layout="long", basket_column=table.names[0], item_column=table.names[1])
    return None


def _called_items(columns: Sequence[Column]) -> BasketOptions | None:
    """Take a column that is called items for one, as soon as one of its cells holds several."""
    for column in columns:
        counts = {mark: sum(label.count(mark) for label in column.labels) for mark in SEPARATORS}
        best = max(SEPARATORS, key=lambda mark: counts[mark])
        if column.name.strip().casefold() == ITEMS and counts[best]:
            return BasketOptions(layout="column", separator=best, item_column=column.name)
    return None


def _is_marks(column: Column) -> bool:
    """Tell whether a column holds 0 and 1, or small numbers of which many are 0."""
    labels = [label for label in column.labels if label != MISSING]
    is_few = len(labels) <= MOST_COUNTS
    return is_few and all(label.isdigit() and len(label) <= 3 for label in labels) and "0" in labels
