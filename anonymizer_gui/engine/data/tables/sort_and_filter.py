"""Which rows of a table are shown, and in which order: sorting, filtering and finding on codes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.dictionary_encoding import byte_order, join_zero_ended
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema, ColumnType, Schema, Table
from anonymizer_gui.engine.data.tables.values import parse_dates

Order = npt.NDArray[np.int64]

_VALUED = (ColumnType.INTEGER, ColumnType.DECIMAL, ColumnType.DATE)
_AT_ONCE = 1 << 14
"""So many texts go into one call of Python's own: while it lasts, no window can be drawn."""


@dataclass(frozen=True, slots=True)
class RowQuery:
    """What a person wants to see: rows with a text (in one column, or all), sorted by a column."""

    text: str = ""
    column: str = ""
    only_matching: bool = True
    sort_by: str = ""
    descending: bool = False
    rows: tuple[int, ...] = ()
    """The rows of the file that are shown at all; none named means all."""


@dataclass(frozen=True, slots=True, eq=False)
class RowSelection:
    """The rows to show, in order, and the places among them of the rows that have the text."""

    order: Order
    matches: Order


def select_rows(table: Table, schema: Schema, wish: RowQuery, progress: Progress = SILENT) -> RowSelection:
    """Find, filter and sort as wished."""
    order = np.array(wish.rows, dtype=np.int64) if wish.rows else natural_order(table)
    names = [wish.column] if wish.column else list(table.names)
    if wish.text and wish.only_matching:
        order = matching_rows(table, wish.text, names, order, progress.sub(0.0, 0.5))
    if wish.sort_by:
        column, entry = table.column(wish.sort_by), schema.column(wish.sort_by)
        order = sorted_rows(column, entry, wish.descending, order, progress.sub(0.5, 0.8))
    if not wish.text:
        return RowSelection(order, np.empty(0, dtype=np.int64))
    found = matching_rows(table, wish.text, names, natural_order(table), progress.sub(0.8, 1.0))
    return RowSelection(order, np.flatnonzero(np.isin(order, found)))


def natural_order(table: Table) -> Order:
    """Give the rows as they came."""
    return np.arange(table.n_rows, dtype=np.int64)


def sorted_rows(
    column: Column, schema: ColumnSchema, descending: bool, rows: Order, progress: Progress = SILENT
) -> Order:
    """Sort rows by a column: numbers by value, everything else by text; missing cells come last."""
    progress(0.1, schema.name)
    rank = label_ranks(column, schema)
    if descending:
        rank = -rank
    if MISSING in column.labels:
        rank[column.labels.index(MISSING)] = len(rank)
    progress(0.3, schema.name)
    order: Order = rows[np.argsort(rank[column.codes[rows]], kind="stable")]
    progress(1.0, schema.name)
    return order


def label_ranks(column: Column, schema: ColumnSchema) -> Order:
    """Give the place of every label in the order of the column's type."""
    order: Order = byte_order(join_zero_ended(column.labels, folded=True))
    if schema.type in _VALUED:
        order = order[np.argsort(_numbers(column, schema)[order], kind="stable")]
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank


def matching_rows(table: Table, text: str, names: Sequence[str], rows: Order, progress: Progress = SILENT) -> Order:
    """Keep the rows in which one of the named columns holds the text, upper or lower case."""
    if not text:
        return rows
    found = np.zeros(table.n_rows, dtype=np.bool_)
    for place, name in enumerate(names):
        progress(place / len(names), name)
        column = table.column(name)
        found |= _labels_with(column.labels, text)[column.codes]
    progress(1.0)
    kept: Order = rows[found[rows]]
    return kept


def as_tsv(table: Table, rows: Order, names: Sequence[str], header: bool, progress: Progress = SILENT) -> str:
    """Give cells as lines with tabs, for a spreadsheet."""
    clean = []
    for place, name in enumerate(names):
        progress(place / len(names) / 2)
        column = table.column(name)
        clean.append((np.array([_one_cell(label) for label in column.labels], dtype=object), column.codes))
    blocks = ["\t".join(map(_one_cell, names))] if header else []
    for start in range(0, len(rows), _AT_ONCE):
        progress(0.5 + start / len(rows) / 2)
        block = rows[start : start + _AT_ONCE]
        texts = [labels[codes[block]].tolist() for labels, codes in clean]
        blocks.append("\n".join(map("\t".join, zip(*texts, strict=True))))
    return "\n".join(blocks)


def _labels_with(labels: Sequence[str], text: str) -> npt.NDArray[np.bool_]:
    """Tell which labels hold the text; all labels are searched as one long text, which is many times faster."""
    joined = join_zero_ended(labels, folded=True)
    ends = np.flatnonzero(np.frombuffer(joined, dtype=np.uint8) == 0)
    needle = re.compile(re.escape(text.casefold().encode("utf-8", "surrogatepass")))
    places = np.fromiter((match.start() for match in needle.finditer(joined)), dtype=np.int64)
    found = np.zeros(len(labels), dtype=np.bool_)
    if len(labels):
        found[np.searchsorted(ends, places)] = True
    return found


def _numbers(column: Column, schema: ColumnSchema) -> npt.NDArray[np.float64]:
    """Read the labels as numbers or seconds; what is neither comes out as not a number, which sorts last."""
    if schema.type is ColumnType.DATE:
        dates, fits = parse_dates(column.labels, schema.format)
        return np.where(fits, dates.astype(np.int64), np.nan)
    found = [np.empty(0)]
    for labels in _blocks(column.labels):
        plain = [label.replace(",", ".") for label in labels] if schema.format == "," else labels
        found.append(np.asarray(pd.to_numeric(pd.Series(plain, dtype=object), errors="coerce"), dtype=np.float64))
    return np.concatenate(found)


def _blocks(labels: Sequence[str]) -> Iterator[Sequence[str]]:
    return (labels[start : start + _AT_ONCE] for start in range(0, len(labels), _AT_ONCE))


def _one_cell(text: str) -> str:
    return text.replace("\t", " ").replace("\r", " ").replace("\n", " ")
