"""Contract of readers and writers (READERS, WRITERS), limits, coding, formula escaping."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Protocol

import numpy as np

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.tables.dictionary_encoding import text_order
from anonymizer_gui.engine.data.tables.io.options import ReadOptions, WriteOptions
from anonymizer_gui.engine.data.tables.io.read_report import ReadReport
from anonymizer_gui.engine.data.tables.normalisation import (
    NormalisationCounts,
    find_homographs,
    normalise_column,
    number_names,
    repair_names,
)
from anonymizer_gui.engine.data.tables.table import MISSING, Codes, Column, Table, smallest_codes

MOST_COLUMNS = 10_000

_FREE_CELLS, _CELLS_PER_BYTE = 20_000_000, 50

_FREE_PADDING, _PADDING_PER_CELL = 2_000_000, 20

TableAddress = str | Path


class ReaderAnswers(Protocol):
    """Who answers questions about a source, itself or through another process."""

    @property
    def choices(self) -> tuple[str, ...]:
        """The names of the options that make a difference to this format."""

    def parts(self, source: TableAddress) -> tuple[str, ...]:
        """List the sheets, tables or files to choose from; nothing where there is no choice."""

    def sniff(self, source: TableAddress) -> ReadOptions:
        """Propose options."""

    def read(
        self, source: TableAddress, options: ReadOptions, progress: Progress, limit: int | None
    ) -> tuple[Table, ReadReport]:
        """Read the table, or its first `limit` rows; raises UnreadableFile."""


class Reader(Protocol):
    """Reads tables of one format; found by the registry."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    choices: ClassVar[tuple[str, ...]]
    """The names of the options that make a difference to this format."""
    is_apart: ClassVar[bool]
    """Whether its files are read in a process of their own: code of others takes them to pieces."""
    packages: ClassVar[tuple[str, ...]]
    """What that process loads once, for every file it will read."""

    def accepts(self, source: TableAddress, head: bytes) -> bool:
        """Tell from the first bytes, or from the address of a database, whether this is the format."""

    def parts(self, source: TableAddress) -> tuple[str, ...]:
        """List the sheets, tables or files to choose from; nothing where there is no choice."""

    def sniff(self, source: TableAddress) -> ReadOptions:
        """Propose options."""

    def read(
        self, source: TableAddress, options: ReadOptions, progress: Progress, limit: int | None
    ) -> tuple[Table, ReadReport]:
        """Read the table, or its first `limit` rows; raises UnreadableFile."""


READERS: Registry[Reader] = Registry("table reader", __package__)


def check_column_count(count: int) -> None:
    """Refuse tables of absurd width; raises UnreadableFile."""
    if count > MOST_COLUMNS:
        raise UnreadableFile(
            message(
                "The first row has {count:cell|cells}; at most {most:column|columns} can be read.",
                count=count,
                most=MOST_COLUMNS,
            ),
            "Check the delimiter, and that the file is a table.",
            line=1,
        )


def max_cells(size: int) -> int:
    """Give how many cells a file of so many bytes may reasonably hold."""
    return _FREE_CELLS + _CELLS_PER_BYTE * size


def check_cells(rows: int, columns: int, most: int) -> None:
    """Refuse tables of absurd size, such as a few short rows under ten thousand names; raises UnreadableFile."""
    if rows * columns > most:
        raise UnreadableFile(
            message(
                "The table would have {rows:row|rows} of {columns:column|columns}, which no file of its size holds.",
                rows=rows,
                columns=columns,
            ),
            "Check that the file is whole, and that it is a table.",
        )


def check_padding(there: int, missing: int) -> None:
    """Refuse a table of nearly nothing but cells that are not there: a small file could fill all memory with them."""
    if missing > _FREE_PADDING + _PADDING_PER_CELL * there:
        raise UnreadableFile(
            "Nearly all of the table would be cells that are not there.",
            "Check the delimiter, the first row, and that the file is a table.",
        )


def column_names(first_row: Sequence[str] | None, count: int) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Give the names of the columns, and those that were repaired."""
    return (number_names(count), ()) if first_row is None else repair_names(first_row)


def build_table(
    names: Sequence[str],
    coded: Iterable[tuple[Codes, list[str]]],
    rows: int,
    options: ReadOptions,
    report: ReadReport,
) -> tuple[Table, ReadReport]:
    """Normalise coded columns, whose labels are sorted, into a table; completes the report."""
    tally = NormalisationCounts()
    missing = frozenset(options.missing)
    columns = tuple(
        normalise_column(name, codes, labels, missing, tally)
        for name, (codes, labels) in zip(names, coded, strict=True)
    )
    full = replace(
        report,
        rows=rows,
        columns=len(columns),
        trimmed=tally.trimmed,
        recomposed=tally.recomposed,
        invisible=tally.invisible,
        spaced=tally.spaced,
        look_alikes=_look_alikes(columns),
        missing=tally.missing,
        missing_tokens=tally.missing_tokens,
        literal_missing=tally.literal_missing,
    )
    return Table(columns, rows), full


def _look_alikes(columns: Sequence[Column]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    found = ((column.name, find_homographs(column.labels)) for column in columns)
    return tuple((name, groups[0]) for name, groups in found if groups)


@dataclass(slots=True)
class TextEncoder:
    """Codes the texts of one column batch by batch, for formats that give Python values."""

    _codes: list[Codes] = field(default_factory=list)
    _known: dict[str, int] = field(default_factory=dict)

    def add(self, texts: Sequence[str]) -> None:
        """Code the cells of the next rows."""
        known = self._known
        codes = np.fromiter((known.setdefault(text, len(known)) for text in texts), np.int64, len(texts))
        self._codes.append(smallest_codes(codes, len(known)))

    def add_coded(self, codes: Codes, texts: Sequence[str]) -> None:
        """Take the next rows as codes into texts; texts may repeat."""
        known = self._known
        new = np.fromiter((known.setdefault(text, len(known)) for text in texts), np.int64, len(texts))
        self._codes.append(smallest_codes(new[codes], len(known)))

    def finish(self) -> tuple[Codes, list[str]]:
        """Give the code of every row and the sorted labels."""
        known = list(self._known)
        order = text_order(known)
        labels = [known[at] for at in order.tolist()]
        rank = np.empty(len(labels), dtype=np.int64)
        rank[order] = np.arange(len(labels))
        codes = np.concatenate(self._codes) if self._codes else np.empty(0, dtype=np.uint8)
        return smallest_codes(rank[codes], len(labels)), labels


_FORMULA_START = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")

_PLAIN_NUMBER = re.compile(r"[-+](\d[\d.,  ]*|[.,]\d+)([eE][-+]?\d+)?%?")


class Writer(Protocol):
    """Writes tables of one format; found by the registry."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]

    def write(self, table: Table, path: Path, options: WriteOptions, progress: Progress) -> None:
        """Write the table to the path as it is, over what was there; same table, same bytes."""


WRITERS: Registry[Writer] = Registry("table writer", __package__)

PERTURBED_SUFFIX = "not truthful"
"""What heads, reports and names of files say where cells are noise, swapped or made up."""


def escape_formula(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would take for a formula; numbers stay.

    >>> escape_formula("=1+1"), escape_formula("-5")
    ("'=1+1", '-5')
    """
    if text.startswith(_FORMULA_START) and not _PLAIN_NUMBER.fullmatch(text):
        return "'" + text
    return text


def written_labels(column: Column, options: WriteOptions) -> list[str]:
    """Give the text that is written for every label of a column."""
    texts = [options.missing if label == MISSING else label for label in column.labels]
    return [escape_formula(text) for text in texts] if options.escape_formulas else texts


def written_names(table: Table, options: WriteOptions) -> list[str]:
    """Give the names of the columns as they are written."""
    return [written_name(name, options) for name in table.names]


def written_name(name: str, options: WriteOptions) -> str:
    """Give the head of a column as it is written; one whose cells are not true says so."""
    head = f"{name} ({PERTURBED_SUFFIX})" if name in options.untruthful else name
    return escape_formula(head) if options.escape_formulas else head
