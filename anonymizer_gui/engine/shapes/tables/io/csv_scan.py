"""Cuts bytes of delimited text into records and cells, strictly and for a whole block at once."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.shapes.tables.io.byte_cells import Bytes, Places, padded

LONGEST_RECORD = 16 << 20
_CR, _LF = 13, 10


@dataclass(frozen=True, slots=True)
class Marks:
    """The characters with a meaning; `quote` is empty when quotation marks have none."""

    delimiter: str
    quote: str


@dataclass(frozen=True, slots=True)
class Block:
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


def cut(data: bytes, marks: Marks, first_line: int, final: bool) -> Block | None:
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
    return Block(data, buffer, starts, lengths, np.concatenate([[0], closes[:-1] + 1]),
                 np.diff(closes, prepend=-1), used, first_line, bool(len(quotes)))  # fmt: skip


def _cell_ends(buffer: Bytes, data: bytes, marks: Marks, final: bool) -> tuple[Places, Places]:
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


def _never_closed(buffer: Bytes, quotes: Places, marks: Marks) -> int:
    """Find the mark whose partner does not end a cell, or the one without a partner."""
    after = np.array([ord(marks.delimiter), _LF, _CR, ord(marks.quote), 32, 9], dtype=np.uint8)
    unfit = np.flatnonzero(~np.isin(buffer[quotes[1::2] + 1], after))
    return int(quotes[2 * unfit[0]] if len(unfit) else quotes[-1])


@dataclass(frozen=True, slots=True)
class _Where:
    data: bytes
    first_line: int
    marks: Marks

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
