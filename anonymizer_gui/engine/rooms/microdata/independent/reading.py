"""Bytes to cells: csv, xlsx, parquet, by libraries of its own."""

import csv
import datetime
import io
import itertools
import math
import unicodedata
import warnings
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain, compress, islice
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree.ElementTree import ParseError

from anonymizer_gui.engine.core.errors import MissingExtra, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.independent.interface import FileFormat

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet


Row = Sequence[str]

ROWS_AT_ONCE = 1 << 12
"""A few milliseconds of work: other threads wait so long."""

_EXACT = 10**15


@dataclass(frozen=True, slots=True)
class CellBlock:
    """Some rows as columns of equal length, and the part of the file that has been read with them.

    `times` says how often each row occurs; nothing where all are told one by one.
    """

    columns: Sequence[Sequence[str]]
    done: float
    times: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class FileCells:
    """The names of the columns, and their cells."""

    names: Sequence[str]
    blocks: Iterator[CellBlock]


def read_header(rows: Iterator[Row], reading: FileFormat) -> tuple[Row, Iterator[Row]]:
    """Take the names from the first row that is not blank; where there are none columns are numbered."""
    first = next((row for row in rows if any(cell.strip() for cell in row)), ())
    if reading.header:
        return first, rows
    return [f"column {number}" for number in range(1, len(first) + 1)], itertools.chain([first], rows)


def batches(rows: Iterator[Row]) -> Iterator[list[Row]]:
    """Take some rows at a time."""
    while batch := list(itertools.islice(rows, ROWS_AT_ONCE)):
        yield batch


def to_columns(rows: Sequence[Row], width: int) -> list[Sequence[str]]:
    """Give rows of the same length as columns."""
    return list(zip(*rows, strict=True)) if rows else [()] * width


def check_row_lengths(rows: Sequence[Row], width: int, path: Path, *, strict: bool) -> Sequence[Row]:
    """Refuse rows of another length than the names; those of tables from elsewhere are filled up, if short."""
    if set(map(len, rows)) <= {width}:
        return rows
    odd = next(row for row in rows if len(row) != width)
    if strict or any(any(row[width:]) for row in rows):
        raise UnreadableFile(
            message(
                "“{name}” has {width:column|columns} and a row of {cells:cell|cells}.",
                name=path.name,
                width=width,
                cells=len(odd),
            ),
            message("It is not a whole table."),
        )
    return [[*row[:width], *[""] * (width - len(row))] for row in rows]


def damaged_file(path: Path) -> UnreadableFile:
    """Say that a file cannot be counted."""
    return UnreadableFile(message("“{name}” is damaged.", name=path.name), message("Fetch it again or save it anew."))


def cell_texts(values: Iterable[object]) -> list[str]:
    """Give the texts of values that a file stores as something else; nothing stands for none."""
    return [value if isinstance(value, str) else cell_text(value) for value in values]


def cell_text(value: object) -> str:
    """Spell a value as it is shown.

    >>> [cell_text(value) for value in (3.0, 2.5, True, None, datetime.datetime(2024, 1, 31))]
    ['3', '2.5', 'TRUE', '', '2024-01-31']
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Decimal):
        return format(value if value else Decimal(0), "f")
    if isinstance(value, datetime.datetime):
        plain = value.isoformat(sep=" ")
        return plain.removesuffix(" 00:00:00")
    return str(value)


def _number(value: float) -> str:
    if math.isnan(value):
        return ""
    return str(int(value)) if value.is_integer() and abs(value) < _EXACT else repr(value)


_LONGEST_CELL = (1 << 31) - 1

_LINES_REMEMBERED = 1 << 18


@contextmanager
def read_delimited(path: Path, reading: FileFormat, *, in_order: bool = True) -> Iterator[FileCells]:
    """Read names and cells; the bytes are decoded as is stated, and nothing is undone.

    Unless the rows are wanted in order, lines that are equal are read once and counted: most of a release repeats.
    """
    csv.field_size_limit(_LONGEST_CELL)  # of the whole process; it is only ever raised
    encoding = "utf-8-sig" if reading.encoding == "utf-8" else reading.encoding
    size = max(path.stat().st_size, 1)
    try:
        with path.open("rb") as raw, io.TextIOWrapper(raw, encoding, newline="") as file:
            for _ in range(reading.skip_lines):
                file.readline()
            names, rows = read_header(_records(file, reading), reading)
            width = len(names)

            def blocks() -> Iterator[CellBlock]:
                read = _one_by_one(rows) if in_order or not reading.header else _counted_lines(file, reading)
                for batch, times in read:
                    kept, many = _without_blank(batch, times, width)
                    whole = check_row_lengths(kept, width, path, strict=reading.strict)
                    yield CellBlock(to_columns(whole, width), raw.tell() / size, many)

            yield FileCells(names, blocks())
    except (UnicodeError, csv.Error):
        raise damaged_file(path) from None


def _records(lines: Iterable[str], reading: FileFormat) -> Iterator[Row]:
    if reading.quote:
        return csv.reader(lines, delimiter=reading.delimiter, quotechar=reading.quote, strict=True)
    return csv.reader(lines, delimiter=reading.delimiter, quoting=csv.QUOTE_NONE)


def _one_by_one(rows: Iterator[Row]) -> Iterator[tuple[list[Row], list[int]]]:
    for batch in batches(rows):
        yield batch, []


def _counted_lines(file: io.TextIOWrapper, reading: FileFormat) -> Iterator[tuple[list[Row], list[int]]]:
    """Count equal lines before they are cut into cells; from the first record of several lines on, do not."""
    seen: Counter[str] = Counter()
    while lines := list(islice(file, ROWS_AT_ONCE)):
        if not _are_records(lines, seen, reading):
            yield from _one_by_one(_records(chain(lines, file), reading))
            break
        seen.update(lines)
        yield [], []  # nothing to count yet, but the file was read on
        if len(seen) > _LINES_REMEMBERED:
            yield from _cut(seen, reading)
            seen.clear()
    yield from _cut(seen, reading)


def _are_records(lines: list[str], seen: Counter[str], reading: FileFormat) -> bool:
    """Say whether every line is a record of its own; one with an open quotation mark is not."""
    if not reading.quote or reading.quote not in "".join(lines):
        return True
    try:
        for line in set(lines) - seen.keys():
            list(_records([line], reading))
    except csv.Error:
        return False
    return True


def _cut(seen: Counter[str], reading: FileFormat) -> Iterator[tuple[list[Row], list[int]]]:
    remembered = iter(seen.items())
    while some := dict(islice(remembered, ROWS_AT_ONCE)):
        times = list(some.values())
        yield list(_records(some, reading)), times if max(times) > 1 else []


def _without_blank(rows: list[Row], times: list[int], width: int) -> tuple[list[Row], list[int]]:
    """Leave out blank lines; in a table of one column a blank line is a row with an empty cell."""
    if width == 1:
        return [row or ("",) for row in rows], times
    if min(map(len, rows), default=2) > 1:
        return rows, times
    kept = [len(row) > 1 or bool("".join(row).strip()) for row in rows]
    return list(compress(rows, kept)), list(compress(times, kept)) if times else []


@contextmanager
def read_parquet(path: Path, reading: FileFormat, *, in_order: bool = True) -> Iterator[FileCells]:
    """Read names and cells; a cell without a value is empty."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra(
            message("Parquet files need the package pyarrow, which is not installed."),
            message("Install it with: {command}", command="pip install 'anonymizer-gui[parquet]'"),
        ) from None
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            total = max(file.metadata.num_rows, 1)

            def blocks() -> Iterator[CellBlock]:
                count = 0
                for batch in file.iter_batches(batch_size=ROWS_AT_ONCE):
                    count += batch.num_rows
                    yield CellBlock([cell_texts(column.to_pylist()) for column in batch.columns], count / total)

            yield FileCells(file.schema_arrow.names, blocks())
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError):
        raise damaged_file(path) from None


_FREE_SIZE, _LARGEST_RATIO = 64 << 20, 200

_DAMAGE = (
    AttributeError,
    EOFError,
    IndexError,
    KeyError,
    NotImplementedError,
    OSError,
    OverflowError,
    ParseError,
    TypeError,
    ValueError,
    zipfile.BadZipFile,
    zlib.error,
)  # what openpyxl lets through when a workbook is damaged


@contextmanager
def read_workbook(path: Path, reading: FileFormat, *, in_order: bool = True) -> Iterator[FileCells]:
    """Read one sheet: the one named, else the first; a row without any text is none."""
    _refuse_bombs(path)
    book = _loaded(path)
    try:
        sheet = _sheet(book, reading.part, path)
        total = max(sheet.max_row or 1, 1)
        sheet.reset_dimensions()  # type: ignore[attr-defined] # only sheets that are read row by row have it
        names, rows = read_header(_filled(sheet, reading.skip_lines, path), reading)
        width = len(names)

        def blocks() -> Iterator[CellBlock]:
            count = 0
            for batch in batches(rows):
                count += len(batch)
                same = [[*row, *[""] * (width - len(row))] for row in batch]
                yield CellBlock(
                    to_columns(check_row_lengths(same, width, path, strict=reading.strict), width),
                    min(count / total, 1.0),
                )

        yield FileCells(names, blocks())
    finally:
        book.close()


def _refuse_bombs(path: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(info.file_size for info in archive.infolist())
    except (zipfile.BadZipFile, ValueError, OverflowError, NotImplementedError, OSError):
        raise damaged_file(path) from None
    if unpacked > max(_FREE_SIZE, _LARGEST_RATIO * path.stat().st_size):
        raise damaged_file(path)


def _loaded(path: Path) -> "Workbook":
    try:
        import openpyxl
    except ImportError:
        raise MissingExtra(
            message("Excel files need the package openpyxl, which is not installed."),
            message("Install it with: {command}", command="pip install 'anonymizer-gui[excel]'"),
        ) from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about styles and validations, which are not read
        try:
            return openpyxl.load_workbook(path, read_only=True, data_only=True, keep_links=False)
        except _DAMAGE:
            raise damaged_file(path) from None


def _sheet(book: "Workbook", part: str, path: Path) -> "Worksheet":
    sheets = {sheet.title: sheet for sheet in book.worksheets}
    if not sheets or (part and part not in sheets):
        raise UnreadableFile(
            message("“{name}” has no sheet “{part}”.", name=path.name, part=part),
            message("It has: {known}.", known=list(sheets) or message("none")),
        )
    shown = [sheet for sheet in sheets.values() if sheet.sheet_state == "visible"]
    return sheets[part] if part else (shown or list(sheets.values()))[0]


def _filled(sheet: "Worksheet", skipped: int, path: Path) -> Iterator[Row]:
    """Give the rows that hold any text, without the empty cells behind it."""
    try:
        for values in sheet.iter_rows(min_row=1 + skipped, values_only=True):
            cells = cell_texts(values)
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                yield cells
    except _DAMAGE:
        raise damaged_file(path) from None


_OPENED = {"csv": read_delimited, "xlsx": read_workbook, "parquet": read_parquet}

_JOINERS = "\u200c\u200d"


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows: the cells of each column, and how often each row occurs, where they are not told one by one."""

    number: int
    columns: list[list[str]]
    times: Sequence[int] = ()


def read_columns(
    path: Path, reading: FileFormat, names: Sequence[str], progress: Progress, *, in_order: bool = True
) -> Iterator[Rows]:
    """Give the cells of these columns, some rows at a time; equal cells of a column are one and the same text.

    A table that is not read strictly has its cells and names in plain form, and nothing in missing cells.
    Raises UnreadableFile when the file is damaged or has not exactly one column of a name.
    """
    if reading.format not in _OPENED:
        raise UnreadableFile(
            message("“{name}” is of a kind that cannot be counted.", name=path.name),
            message("Use one of: {known}.", known=list(_OPENED)),
        )
    with _OPENED[reading.format](path, reading, in_order=in_order) as cells:
        headers = cells.names if reading.strict else [" ".join(visible_text(name).split()) for name in cells.names]
        places = [_place(headers, name, path) for name in names]
        known = [dict[str, str]() if reading.strict else _Plain(reading) for _ in names]
        for block in cells.blocks:
            progress(block.done, message("Reading “{name}”", name=path.name))
            number = len(block.columns[0]) if block.columns else 0
            taken = zip(known, (block.columns[place] for place in places), strict=True)
            yield Rows(number, [_same(seen, column) for seen, column in taken], block.times)


def read_cells(path: Path, reading: FileFormat, names: Sequence[str], progress: Progress) -> list[list[str]]:
    """Give all cells of these columns; raises UnreadableFile as `read` does."""
    columns: list[list[str]] = [[] for _ in names]
    for rows in read_columns(path, reading, names, progress):
        for column, cells in zip(columns, rows.columns, strict=True):
            often = rows.times or [1] * rows.number
            column.extend(cell for cell, many in zip(cells, often, strict=True) for _ in range(many))
    return columns


def format_by_name(path: Path) -> str:
    """Tell the kind of a file by its name: whatever is no workbook and no Parquet file is delimited text."""
    suffix = path.suffix.lower()
    return "xlsx" if suffix in (".xlsx", ".xlsm") else "parquet" if suffix in (".parquet", ".pq") else "csv"


def visible_text(text: str) -> str:
    """Give a text without what does not show: white space around it, invisible characters, other forms of a letter.

    >>> visible_text(" Zu\\u0308rich\\u200b ")
    'Zürich'
    """
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    composed = _spaced(unicodedata.normalize("NFC", "".join(_visible(text)))).strip()
    return composed if composed == text else visible_text(composed)


def _spaced(text: str) -> str:
    """Write one space for white space of any sort inside a line, and one sign for the end of a line."""
    lines = text.replace("\N{BRAILLE PATTERN BLANK}", " ").splitlines()
    return "\n".join(" ".join(line.split()) for line in lines)


def _visible(text: str) -> Iterator[str]:
    """Leave out format characters; a joiner stays between two letters that are not ASCII."""
    for place, sign in enumerate(text):
        if sign in _JOINERS:
            around = text[max(place - 1, 0) : place], text[place + 1 : place + 2]
            if all(other and not other.isascii() for other in around):
                yield sign
        elif not _shows_nothing(sign):
            yield sign


def _shows_nothing(sign: str) -> bool:
    """Say whether a character is a control or format character, half of a pair, a filler or a selector of forms."""
    if unicodedata.category(sign) in ("Cc", "Cf", "Cs"):
        return not sign.isspace()
    name = unicodedata.name(sign, "")
    return "VARIATION SELECTOR" in name or "FILLER" in name or sign in "\u034f\u17b4\u17b5"


class _Plain(dict[str, str]):
    """The plain form of every cell seen."""

    def __init__(self, reading: FileFormat) -> None:
        super().__init__()
        self._reading = reading

    def __missing__(self, cell: str) -> str:
        text = visible_text(cell)
        self[cell] = "" if self._reading.is_missing(text) else text
        return self[cell]


def _same(seen: dict[str, str], cells: Sequence[str]) -> list[str]:
    if isinstance(seen, _Plain):
        return list(map(seen.__getitem__, cells))
    return list(map(seen.setdefault, cells, cells))


def _place(names: Sequence[str], name: str, path: Path) -> int:
    found = [place for place, other in enumerate(names) if other == name]
    if len(found) != 1:
        several = message("“{name}” has several columns “{column}”.", name=path.name, column=name)
        none = message("“{name}” has no column “{column}”.", name=path.name, column=name)
        raise UnreadableFile(several if found else none, message("It is not the file that was promised."))
    return found[0]


_TAIL = 16


def line_end_of(path: Path) -> str:
    """Name what ends the last line of a file: `lf` or `crlf`."""
    with path.open("rb") as file:
        file.seek(-min(_TAIL, file.seek(0, io.SEEK_END)), io.SEEK_END)
        tail = file.read().replace(b"\0", b"")
    return "crlf" if tail.endswith(b"\r\n") else "lf"


def is_all_quoted(path: Path, encoding: str) -> bool:
    """Say whether the first cell of a file is quoted."""
    with path.open("r", encoding="utf-8-sig" if encoding == "utf-8" else encoding, newline="") as file:
        return file.read(1) == '"'
