"""Strict reader of delimited text."""

import re
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.dictionary_encoding import (
    ByteCells,
    Bytes,
    DictionaryEncoder,
    Flags,
    Places,
    padded,
    text_order,
)
from anonymizer_gui.engine.data.tables.io.contract import (
    READERS,
    TableAddress,
    build_table,
    check_column_count,
    check_padding,
    column_names,
)
from anonymizer_gui.engine.data.tables.io.csv_dialect import alternative_encodings, sniff_dialect
from anonymizer_gui.engine.data.tables.io.input_stream import Utf8Blocks, archive_members, checked_path, open_input
from anonymizer_gui.engine.data.tables.io.options import ReadOptions
from anonymizer_gui.engine.data.tables.io.read_report import NAMED, Lines, ReadReport
from anonymizer_gui.engine.data.tables.table import Codes, Table

LONGEST_RECORD = 16 << 20

_CR, _LF = 13, 10


@dataclass(frozen=True, slots=True)
class SpecialCharacters:
    """The characters with a meaning; `quote` is empty when quotation marks have none."""

    delimiter: str
    quote: str


@dataclass(frozen=True, slots=True)
class RecordBlock:
    """Complete records: per cell its place, per record its first cell and number of cells; what is left over."""

    data: bytes
    buffer: Bytes
    starts: Places
    lengths: Places
    firsts: Places
    fields: Places
    used: int
    first_line: int
    quoted: bool

    def lines(self, records: Places) -> list[int]:
        """Give the line in the file on which each of some records begins."""
        ends = line_ends(self.buffer, self.data)
        return [int(n) for n in self.first_line + np.searchsorted(ends, self.starts[self.firsts[records]])]

    def next_line(self) -> int:
        """Give the line on which the text behind this block begins; only quoted cells hold several lines."""
        if not self.quoted:
            return self.first_line + len(self.fields)
        return line_at(self.data, self.used, self.first_line)


def line_ends(buffer: Bytes, data: bytes) -> Places:
    """Find where lines end, whichever of the three line ends the file uses."""
    size = len(data)
    if b"\r" not in data:
        return np.flatnonzero(buffer[:size] == _LF)
    lone = (buffer[:size] == _CR) & (buffer[1 : size + 1] != _LF)
    return np.flatnonzero((buffer[:size] == _LF) | lone)


def line_at(data: bytes, place: int, first_line: int) -> int:
    """Count the lines up to a place."""
    before = data[:place]
    lone = before.count(b"\r") - before.count(b"\r\n") if b"\r" in before else 0
    if before.endswith(b"\r") and data[place : place + 1] == b"\n":
        lone -= 1
    return first_line + before.count(b"\n") + lone


def cut_records(data: bytes, marks: SpecialCharacters, first_line: int, final: bool) -> RecordBlock | None:
    """Cut complete records off the data; None if there is none yet.

    Raises UnreadableFile for zero bytes, quotation marks that do not fit, and records beyond all size.
    """
    if final and data and not data.endswith((b"\n", b"\r")):
        data += b"\n"
    _check_no_zero(data, first_line)
    buffer = padded(data)
    ends, quotes = _cell_ends(buffer, data, marks, final)
    closes = np.flatnonzero(buffer[ends] != ord(marks.delimiter))
    if not len(closes):
        _check_growth(buffer, data, quotes, _Where(data, first_line, marks), final)
        return None
    ends = ends[: closes[-1] + 1]
    used = int(ends[-1]) + 1
    starts = np.concatenate([[0], ends[:-1] + 1])
    lengths = ends - starts
    if b"\r" in data:
        lengths[closes] -= (buffer[ends[closes]] == _LF) & (buffer[ends[closes] - 1] == _CR) & (lengths[closes] > 0)
    if len(quotes):
        starts, lengths = _unquoted(buffer, quotes[quotes < used], starts, lengths, _Where(data, first_line, marks))
    return RecordBlock(data, buffer, starts, lengths, np.concatenate([[0], closes[:-1] + 1]),
                 np.diff(closes, prepend=-1), used, first_line, bool(len(quotes)))  # fmt: skip


def _cell_ends(buffer: Bytes, data: bytes, marks: SpecialCharacters, final: bool) -> tuple[Places, Places]:
    ending = buffer == _LF
    if b"\r" in data:
        ending[:-1] |= (buffer[:-1] == _CR) & (buffer[1:] != _LF)
        if data.endswith(b"\r") and not final:
            ending[len(data) - 1] = False
    ends = np.flatnonzero((buffer == ord(marks.delimiter)) | ending)
    if not marks.quote or marks.quote.encode() not in data:
        return ends, np.empty(0, dtype=np.int64)
    quotes = np.flatnonzero(buffer == ord(marks.quote))
    return ends[np.searchsorted(quotes, ends) % 2 == 0], quotes


def _check_no_zero(data: bytes, first_line: int) -> None:
    place = data.find(b"\0")
    if place >= 0:
        line = line_at(data, place, first_line)
        raise UnreadableFile(
            message("Line {line:,} holds a zero byte, which no text file has.", line=line),
            "The file is damaged, not a text file, or in another encoding such as UTF-16.",
            line=line,
        )


def _check_growth(buffer: Bytes, data: bytes, quotes: Places, where: "_Where", final: bool) -> None:
    if len(quotes) % 2 and (final or len(data) > LONGEST_RECORD):
        line = line_at(data, _never_closed(buffer, quotes, where.marks), where.first_line)
        raise UnreadableFile(
            message("The quotation mark that opens in line {line:,} is never closed.", line=line),
            "Correct that line, or read the file without quotation marks.",
            line=line,
        )
    if len(data) > LONGEST_RECORD:
        raise UnreadableFile(
            message(
                "The row that begins in line {line:,} is longer than {size} MB.",
                line=where.first_line,
                size=LONGEST_RECORD >> 20,
            ),
            "Check that this is a table with line ends, and the right delimiter and quotation mark.",
            line=where.first_line,
        )


def _never_closed(buffer: Bytes, quotes: Places, marks: SpecialCharacters) -> int:
    """Find the mark whose partner does not end a cell, or the one without a partner."""
    after = np.array([ord(marks.delimiter), _LF, _CR, ord(marks.quote), 32, 9], dtype=np.uint8)
    unfit = np.flatnonzero(~np.isin(buffer[quotes[1::2] + 1], after))
    return int(quotes[2 * unfit[0]] if len(unfit) else quotes[-1])


@dataclass(frozen=True, slots=True)
class _Where:
    data: bytes
    first_line: int
    marks: SpecialCharacters

    def fail(self, place: int, opened: int) -> UnreadableFile:
        line = line_at(self.data, opened, self.first_line)
        return UnreadableFile(
            message(
                "In line {line:,} a quotation mark stands inside a cell that does not begin with one."
                if place == opened
                else "In line {line:,} a quotation mark is followed by more text.",
                line=line,
            ),
            "Double the quotation marks inside the cell, or read the file without quotation marks.",
            line=line,
        )


def _unquoted(buffer: Bytes, quotes: Places, starts: Places, lengths: Places, where: _Where) -> tuple[Places, Places]:
    """Check that quotation marks stand only around cells, or doubled; give the cells without those around them."""
    around = np.array([ord(where.marks.delimiter), _LF, _CR, ord(where.marks.quote)], dtype=np.uint8)
    opening, closing = quotes[::2], quotes[1::2]
    loose = ~np.isin(buffer[opening - 1], around) & (opening > 0)
    open_end = ~np.isin(buffer[closing + 1], around)
    if loose.any() or open_end.any():
        starts, lengths = _trimmed(buffer, starts, lengths, ord(where.marks.quote), ord(where.marks.delimiter))
    _check_places(opening[loose], closing[open_end], quotes, starts, lengths, where)
    quoted = (lengths >= 2) & (buffer[starts] == ord(where.marks.quote))
    return starts + quoted, lengths - 2 * quoted


def _check_places(
    loose: Places, open_end: Places, quotes: Places, starts: Places, lengths: Places, where: _Where
) -> None:
    """Refuse a mark that neither begins nor ends its cell once blanks around the cell are left aside."""
    stops = starts + lengths
    wrong_open = loose[~np.isin(loose, starts)]
    wrong_close = open_end[~np.isin(open_end + 1, stops)]
    if not len(wrong_open) and not len(wrong_close):
        return
    if not len(wrong_close) or (len(wrong_open) and wrong_open[0] < wrong_close[0]):
        raise where.fail(int(wrong_open[0]), int(wrong_open[0]))
    opened = int(quotes[np.searchsorted(quotes, wrong_close[0]) - 1])
    raise where.fail(int(wrong_close[0]), opened)


def _trimmed(buffer: Bytes, starts: Places, lengths: Places, quote: int, delimiter: int) -> tuple[Places, Places]:
    """Leave out the blanks around cells that are in quotation marks."""
    blank: npt.NDArray[np.bool_] = ((buffer == 32) | (buffer == 9)) & (buffer != delimiter)
    full = np.flatnonzero(~blank)
    first = full[np.searchsorted(full, starts)]
    last = full[np.searchsorted(full, starts + lengths) - 1]
    quoted = (
        (lengths > 0) & (first < last) & (last < starts + lengths) & (buffer[first] == quote) & (buffer[last] == quote)
    )
    return np.where(quoted, first, starts), np.where(quoted, last + 1 - first, lengths)


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

    def accepts(self, source: TableAddress, head: bytes) -> bool:
        """Take whatever no other reader knows."""
        return False

    def parts(self, source: TableAddress) -> tuple[str, ...]:
        """List the files of an archive."""
        names = archive_members(checked_path(source))
        return names if len(names) > 1 else ()

    def sniff(self, source: TableAddress) -> ReadOptions:
        """Propose encoding, delimiter, header and decimal mark from the first lines."""
        return sniff_dialect(checked_path(source))

    def read(
        self, source: TableAddress, options: ReadOptions, progress: Progress, limit: int | None
    ) -> tuple[Table, ReadReport]:
        """Read the table, or its first `limit` rows."""
        path = checked_path(source)
        if options.delimiter == options.quote:
            raise UnreadableFile("The delimiter and the quotation mark are the same.", "Choose another delimiter.")
        rows = _Rows(options, limit)
        with open_input(path, options.part) as file:
            blocks = Utf8Blocks(file, options.encoding, options.stray_bytes == "mark")
            rest, final = b"", False
            while not final and not rows.full:
                data, final = blocks.next()
                rest = rows.take(rest + data, final)
                progress(0.85 * file.fraction(), message("Reading {count:row|rows}", count=rows.count))
        others = alternative_encodings(path, options.part, options.encoding)
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
    coders: list[DictionaryEncoder] = field(default_factory=list)
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
        marks = SpecialCharacters(self.options.delimiter, self.options.quote)
        quote = marks.quote.encode()
        self.quoted = self.quoted or (quote != b"" and quote in data and quote * 2 in data)
        while data and (block := self._cut(data, marks, final)) is not None:
            self._add(block)
            self.line = block.next_line()
            data = data[block.used :]
        return data

    def _cut(self, data: bytes, marks: SpecialCharacters, final: bool) -> RecordBlock | None:
        """Cut off complete records; where only the first rows are asked for, trouble below them does not matter."""
        try:
            return cut_records(data, marks, self.line, final)
        except UnreadableFile as error:
            ends = [found.end() for found in islice(_LINE_END.finditer(data), max((error.line or 0) - self.line, 0))]
            above = cut_records(data[: ends[-1]], marks, self.line, True) if ends and self.limit is not None else None
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

    def _add(self, block: RecordBlock) -> None:
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
                coder.add(ByteCells(block.buffer, starts[:, number].copy(), lengths[:, number].copy()))
        self.count += len(records)

    def _count_padding(self, block: RecordBlock, records: Places) -> None:
        """Count the cells that short rows lack."""
        fields = block.fields[records]
        self.there += int(fields.sum())
        self.padded += int(np.maximum(len(self.coders) - fields, 0).sum())
        check_padding(self.there, self.padded)

    def _begin(self, block: RecordBlock) -> int:
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
        self.coders = [DictionaryEncoder() for _ in range(count)]
        return first + 1 if self.options.header else first

    def _note_blank(self, block: RecordBlock, records: Places) -> None:
        if len(records):
            self.report = replace(self.report, blank_lines=_plus(self.report.blank_lines, block, records))

    def _without_blank(self, block: RecordBlock, records: Places) -> Places:
        """Leave out blank lines; in a table of one column a blank line is a row with a missing cell."""
        if len(self.coders) == 1 or int(block.fields[records].min()) > 1:
            return records
        blank = _blank(block, records)
        self._note_blank(block, records[blank])
        return records[~blank]

    def _matrix(self, block: RecordBlock, records: Places) -> tuple[Places, Places]:
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

    def _check_ragged(self, block: RecordBlock, records: Places, fields: Places, width: int) -> None:
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
        return build_table(self.names, self._coded(progress), self.count, self.options, report)

    def _coded(self, progress: Progress) -> list[tuple[Codes, list[str]]]:
        coded = []
        for number in range(len(self.coders)):
            progress(number / len(self.coders), message("Coding “{name}”", name=self.names[number]))
            codes, labels = self.coders[number].finish()
            coded.append(_unescaped(codes, labels, self.options.quote) if self.quoted else (codes, labels))
            self.coders[number] = DictionaryEncoder()
        return coded


def _plus(lines: Lines, block: RecordBlock, records: Places) -> Lines:
    """Count the lines of some records; only the first few are looked up."""
    return lines.plus(block.lines(records[:NAMED]), len(records)) if len(records) else lines


def _unescaped(codes: Codes, labels: list[str], quote: str) -> tuple[Codes, list[str]]:
    """Make one quotation mark of two; unquoted cells hold none, so that no two labels become one."""
    plain = [label.replace(quote * 2, quote) for label in labels]
    order = text_order(plain)
    rank = np.empty(len(plain), dtype=np.int64)
    rank[order] = np.arange(len(plain))
    return rank[codes], [plain[i] for i in order.tolist()]


def _blank(block: RecordBlock, records: Places) -> Flags:
    """Tell which records are lines with nothing but white space."""
    blank: Flags = block.fields[records] == 1
    cells = block.firsts[records]
    filled = np.flatnonzero(blank & (block.lengths[cells] > 0))
    starts, lengths = block.starts[cells[filled]].tolist(), block.lengths[cells[filled]].tolist()
    blank[filled] = [not block.data[s : s + n].strip() for s, n in zip(starts, lengths, strict=True)]
    return blank


def _texts(block: RecordBlock, record: int, quote: str) -> list[str]:
    first, count = int(block.firsts[record]), int(block.fields[record])
    places = zip(
        block.starts[first : first + count].tolist(), block.lengths[first : first + count].tolist(), strict=True
    )
    texts = [block.data[start : start + length].decode() for start, length in places]
    return [text.replace(quote * 2, quote) for text in texts] if quote else texts


def _has_text_behind(block: RecordBlock, records: Places, width: int) -> Flags:
    firsts, stops = block.firsts[records] + width, block.firsts[records] + block.fields[records]
    filled = np.concatenate([[0], np.cumsum(block.lengths > 0)])
    more: Flags = filled[stops] > filled[firsts]
    return more


def _ragged(block: RecordBlock, records: Places, width: int) -> UnreadableFile:
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
