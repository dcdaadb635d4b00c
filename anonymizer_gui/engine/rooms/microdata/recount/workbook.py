"""Cells of an Excel workbook, by openpyxl."""

import warnings
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree.ElementTree import ParseError

from anonymizer_gui.engine.core.errors import MissingExtra, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.rooms.microdata.recount.asked import Reading
from anonymizer_gui.engine.rooms.microdata.recount.file_cells import (
    Block,
    Cells,
    Row,
    batches,
    begun,
    damaged,
    squared,
    texts,
    turned,
)

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

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
def opened(path: Path, reading: Reading, *, in_order: bool = True) -> Iterator[Cells]:
    """Read one sheet: the one named, else the first; a row without any text is none."""
    _refuse_bombs(path)
    book = _loaded(path)
    try:
        sheet = _sheet(book, reading.part, path)
        total = max(sheet.max_row or 1, 1)
        sheet.reset_dimensions()  # type: ignore[attr-defined] # only sheets that are read row by row have it
        names, rows = begun(_filled(sheet, reading.skip_lines, path), reading)
        width = len(names)

        def blocks() -> Iterator[Block]:
            count = 0
            for batch in batches(rows):
                count += len(batch)
                same = [[*row, *[""] * (width - len(row))] for row in batch]
                yield Block(turned(squared(same, width, path, strict=reading.strict), width), min(count / total, 1.0))

        yield Cells(names, blocks())
    finally:
        book.close()


def _refuse_bombs(path: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(info.file_size for info in archive.infolist())
    except (zipfile.BadZipFile, ValueError, OverflowError, NotImplementedError, OSError):
        raise damaged(path) from None
    if unpacked > max(_FREE_SIZE, _LARGEST_RATIO * path.stat().st_size):
        raise damaged(path)


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
            raise damaged(path) from None


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
            cells = texts(values)
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                yield cells
    except _DAMAGE:
        raise damaged(path) from None
