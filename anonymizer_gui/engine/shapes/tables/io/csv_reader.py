"""Reads delimited text: strict about damage, exact about cells, a block at a time."""

import re
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.shapes.tables.io.byte_cells import CellCoder, Cells, Flags, Places, text_order
from anonymizer_gui.engine.shapes.tables.io.csv_scan import Block, Marks, cut
from anonymizer_gui.engine.shapes.tables.io.csv_sniff import doubt, sniffed
from anonymizer_gui.engine.shapes.tables.io.opened_files import Utf8Blocks, checked_path, members, opened
from anonymizer_gui.engine.shapes.tables.io.options import ReadOptions
from anonymizer_gui.engine.shapes.tables.io.read_report import NAMED, Lines, ReadReport
from anonymizer_gui.engine.shapes.tables.io.reader import (
    READERS,
    Source,
    check_column_count,
    check_padding,
    column_names,
    table_of,
)
from anonymizer_gui.engine.shapes.tables.table import Codes, Table

_CELLS_AT_ONCE = 1 << 21
_LINE_END = re.compile(rb"\r\n|\n|\r")


@READERS.register
class CsvReader:
    """Comma, semicolon or tab separated text, also compressed."""

    name: ClassVar[str] = "csv"
    title: ClassVar[str] = "Delimited text (CSV, TSV)"
    summary: ClassVar[str] = "Text with one row per line and a delimiter between cells; also inside gzip, xz or zip."
    suffixes: ClassVar[tuple[str, ...]] = (".csv", ".tsv", ".tab", ".txt", ".data", ".gz", ".xz", ".zip")
    choices: ClassVar[tuple[str, ...]] = (
        "delimiter", "quote", "encoding", "header", "skip_lines", "decimal", "missing", "short_rows", "long_rows",
        "stray_bytes", "part",
    )  # fmt: skip
    is_apart: ClassVar[bool] = False
    packages: ClassVar[tuple[str, ...]] = ()

    def accepts(self, source: Source, head: bytes) -> bool:
        """Take whatever no other reader knows."""
        return False

    def parts(self, source: Source) -> tuple[str, ...]:
        """List the files of an archive."""
        names = members(checked_path(source))
        return names if len(names) > 1 else ()

    def sniff(self, source: Source) -> ReadOptions:
        """Propose encoding, delimiter, header and decimal mark from the first lines."""
        return sniffed(checked_path(source))

    def read(
        self, source: Source, options: ReadOptions, progress: Progress, limit: int | None
    ) -> tuple[Table, ReadReport]:
        """Read the table, or its first `limit` rows."""
        path = checked_path(source)
        if options.delimiter == options.quote:
            raise UnreadableFile("The delimiter and the quotation mark are the same.", "Choose another delimiter.")
        rows = _Rows(options, limit)
        with opened(path, options.part) as file:
            blocks = Utf8Blocks(file, options.encoding, options.stray_bytes == "mark")
            rest, final = b"", False
            while not final and not rows.full:
                data, final = blocks.next()
                rest = rows.take(rest + data, final)
                progress(0.85 * file.fraction(), message("Reading {count:row|rows}", count=rows.count))
        others = doubt(path, options.part, options.encoding)
        rows.report = replace(rows.report, other_encodings=others, stray_lines=blocks.strays)
        if not rows.coders:
            raise UnreadableFile(
                message("“{name}” holds no table: all its lines are blank.", name=path.name), "Choose another file."
            )
        return rows.table(path, progress.sub(0.85, 1.0))


@dataclass(slots=True)
class _Rows:
    """The rows read so far, coded per column."""

    options: ReadOptions
    limit: int | None
    line: int = 1
    skipped: int = 0
    count: int = 0
    quoted: bool = False
    there: int = 0
    padded: int = 0
    names: tuple[str, ...] = ()
    coders: list[CellCoder] = field(default_factory=list)
    report: ReadReport = field(default_factory=ReadReport)

    @property
    def full(self) -> bool:
        """Tell whether as many rows were read as were asked for."""
        return self.limit is not None and self.count >= self.limit

    def take(self, data: bytes, final: bool) -> bytes:
        """Code the complete records of the data; give back what is left."""
        data = self._skip(data, final)
        if self.skipped < self.options.skip_lines:
            return data
        marks = Marks(self.options.delimiter, self.options.quote)
        quote = marks.quote.encode()
        self.quoted = self.quoted or (quote != b"" and quote in data and quote * 2 in data)
        while data and (block := self._cut(data, marks, final)) is not None:
            self._add(block)
            self.line = block.next_line()
            data = data[block.used :]
        return data

    def _cut(self, data: bytes, marks: Marks, final: bool) -> Block | None:
        """Cut off complete records; where only the first rows are asked for, trouble below them does not matter."""
        try:
            return cut(data, marks, self.line, final)
        except UnreadableFile as error:
            ends = [found.end() for found in islice(_LINE_END.finditer(data), max((error.line or 0) - self.line, 0))]
            above = cut(data[: ends[-1]], marks, self.line, True) if ends and self.limit is not None else None
            if above is not None:
                self._add(above)
            if not self.full:
                raise
            return None

    def _skip(self, data: bytes, final: bool) -> bytes:
        """Pass over the lines above the table; what belongs to them is not kept."""
        while self.skipped < self.options.skip_lines and data:
            found = _LINE_END.search(data)
            if found is None or (found.end() == len(data) and data.endswith(b"\r") and not final):
                return b"\r" if data.endswith(b"\r") else b""
            data = data[found.end() :]
            self.skipped += 1
            self.line += 1
        return data

    def _add(self, block: Block) -> None:
        records = np.arange(len(block.fields))
        if not self.coders:
            records = records[self._begin(block) :]
        if len(records):
            records = self._without_blank(block, records)
        if self.limit is not None:
            records = records[: self.limit - self.count]
        if not len(records):
            return
        self._count_padding(block, records)
        at_once = max(_CELLS_AT_ONCE // len(self.coders), 1)
        for at in range(0, len(records), at_once):
            starts, lengths = self._matrix(block, records[at : at + at_once])
            for number, coder in enumerate(self.coders):
                coder.add(Cells(block.buffer, starts[:, number].copy(), lengths[:, number].copy()))
        self.count += len(records)

    def _count_padding(self, block: Block, records: Places) -> None:
        """Count the cells that short rows lack."""
        fields = block.fields[records]
        self.there += int(fields.sum())
        self.padded += int(np.maximum(len(self.coders) - fields, 0).sum())
        check_padding(self.there, self.padded)

    def _begin(self, block: Block) -> int:
        """Take the names from the first record that is not blank; tells how many records are used up."""
        filled = np.flatnonzero(~_blank(block, np.arange(len(block.fields))))
        if not len(filled):
            self._note_blank(block, np.arange(len(block.fields)))
            return len(block.fields)
        first = int(filled[0])
        self._note_blank(block, np.arange(first))
        count = int(block.fields[first])
        check_column_count(count)
        row = _texts(block, first, self.options.quote) if self.options.header else None
        self.names, renamed = column_names(row, count)
        self.report = replace(self.report, renamed=renamed)
        self.coders = [CellCoder() for _ in range(count)]
        return first + 1 if self.options.header else first

    def _note_blank(self, block: Block, records: Places) -> None:
        if len(records):
            self.report = replace(self.report, blank_lines=_plus(self.report.blank_lines, block, records))

    def _without_blank(self, block: Block, records: Places) -> Places:
        """Leave out blank lines; in a table of one column a blank line is a row with a missing cell."""
        if len(self.coders) == 1 or int(block.fields[records].min()) > 1:
            return records
        blank = _blank(block, records)
        self._note_blank(block, records[blank])
        return records[~blank]

    def _matrix(self, block: Block, records: Places) -> tuple[Places, Places]:
        """Place the cells in rows and columns."""
        width = len(self.coders)
        fields = block.fields[records]
        if (fields == width).all():
            at = slice(int(block.firsts[records[0]]), int(block.firsts[records[-1]]) + width)
            if at.stop - at.start == len(records) * width:
                return block.starts[at].reshape(-1, width), block.lengths[at].reshape(-1, width)
        self._check_ragged(block, records, fields, width)
        wide = block.firsts[records][:, None] + np.arange(width)
        there = np.arange(width) < fields[:, None]
        wide = np.where(there, wide, 0)
        return np.where(there, block.starts[wide], 0), np.where(there, block.lengths[wide], 0)

    def _check_ragged(self, block: Block, records: Places, fields: Places, width: int) -> None:
        short, long = records[fields < width], records[fields > width]
        if len(short) and self.options.short_rows == "refuse":
            raise _ragged(block, short, width)
        if len(long) and self.options.long_rows == "refuse":
            extra = long[_has_text_behind(block, long, width)]
            if len(extra):
                raise _ragged(block, extra, width)
        self.report = replace(
            self.report,
            short_lines=_plus(self.report.short_lines, block, short),
            long_lines=_plus(self.report.long_lines, block, long),
        )

    def table(self, path: Path, progress: Progress) -> tuple[Table, ReadReport]:
        """Finish the columns."""
        report = replace(
            self.report,
            source=path.name,
            kind=CsvReader.name,
            encoding=self.options.encoding,
            delimiter=self.options.delimiter,
            part=self.options.part,
        )
        return table_of(self.names, self._coded(progress), self.count, self.options, report)

    def _coded(self, progress: Progress) -> list[tuple[Codes, list[str]]]:
        coded = []
        for number in range(len(self.coders)):
            progress(number / len(self.coders), message("Coding “{name}”", name=self.names[number]))
            codes, labels = self.coders[number].finish()
            coded.append(_unescaped(codes, labels, self.options.quote) if self.quoted else (codes, labels))
            self.coders[number] = CellCoder()
        return coded


def _plus(lines: Lines, block: Block, records: Places) -> Lines:
    """Count the lines of some records; only the first few are looked up."""
    return lines.plus(block.lines(records[:NAMED]), len(records)) if len(records) else lines


def _unescaped(codes: Codes, labels: list[str], quote: str) -> tuple[Codes, list[str]]:
    """Make one quotation mark of two; unquoted cells hold none, so that no two labels become one."""
    plain = [label.replace(quote * 2, quote) for label in labels]
    order = text_order(plain)
    rank = np.empty(len(plain), dtype=np.int64)
    rank[order] = np.arange(len(plain))
    return rank[codes], [plain[i] for i in order.tolist()]


def _blank(block: Block, records: Places) -> Flags:
    """Tell which records are lines with nothing but white space."""
    blank: Flags = block.fields[records] == 1
    cells = block.firsts[records]
    filled = np.flatnonzero(blank & (block.lengths[cells] > 0))
    starts, lengths = block.starts[cells[filled]].tolist(), block.lengths[cells[filled]].tolist()
    blank[filled] = [not block.data[s : s + n].strip() for s, n in zip(starts, lengths, strict=True)]
    return blank


def _texts(block: Block, record: int, quote: str) -> list[str]:
    first, count = int(block.firsts[record]), int(block.fields[record])
    places = zip(
        block.starts[first : first + count].tolist(), block.lengths[first : first + count].tolist(), strict=True
    )
    texts = [block.data[start : start + length].decode() for start, length in places]
    return [text.replace(quote * 2, quote) for text in texts] if quote else texts


def _has_text_behind(block: Block, records: Places, width: int) -> Flags:
    firsts, stops = block.firsts[records] + width, block.firsts[records] + block.fields[records]
    filled = np.concatenate([[0], np.cumsum(block.lengths > 0)])
    more: Flags = filled[stops] > filled[firsts]
    return more


def _ragged(block: Block, records: Places, width: int) -> UnreadableFile:
    line = block.lines(records[:1])[0]
    told = {"line": line, "cells": int(block.fields[records[0]]), "width": width}
    if len(records) > 1:
        sentence = message(
            "Line {line:,} has {cells:cell|cells} where the first row has {width:,}, "
            "and {more:more row|more rows} near it.",
            **told,
            more=len(records) - 1,
        )
    else:
        sentence = message("Line {line:,} has {cells:cell|cells} where the first row has {width:,}.", **told)
    return UnreadableFile(
        sentence,
        "Check the delimiter and quotation mark, correct the file, or choose another way with such rows.",
        line=line,
    )
