"""Excel in and out."""

import itertools
import re
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar
from xml.etree.ElementTree import ParseError
from xml.sax.saxutils import escape

import numpy as np

from anonymizer_gui.engine.core.errors import MissingExtra, UnreadableFile, UnwritableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io.contract import (
    READERS,
    WRITERS,
    TableAddress,
    TextEncoder,
    build_table,
    check_cells,
    check_column_count,
    check_padding,
    max_cells,
    written_labels,
    written_names,
)
from anonymizer_gui.engine.data.tables.io.input_stream import check_archive, checked_path, head_of
from anonymizer_gui.engine.data.tables.io.options import ReadOptions, WriteOptions
from anonymizer_gui.engine.data.tables.io.read_report import Lines, ReadReport
from anonymizer_gui.engine.data.tables.normalisation import canonical_text, repair_names
from anonymizer_gui.engine.data.tables.table import Table

if TYPE_CHECKING:
    from openpyxl import Workbook


_CELLS_AT_ONCE = 1 << 15

_MOST_ROWS = 1 << 20

_UNCOMPUTED = re.compile(rb"(</f>|<f[^<>]*/>)(<v></v>|<v ?/>)?</c>")

_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

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

Row = tuple[object, ...]


@READERS.register
class ExcelReader:
    """Sheets of Excel workbooks."""

    name: ClassVar[str] = "excel"
    title: ClassVar[str] = "Excel workbook"
    summary: ClassVar[str] = "One sheet of an .xlsx file; dates as ISO texts, whole numbers without decimals."
    suffixes: ClassVar[tuple[str, ...]] = (".xlsx", ".xlsm")
    choices: ClassVar[tuple[str, ...]] = ("header", "skip_lines", "decimal", "missing", "part")
    is_apart: ClassVar[bool] = True
    packages: ClassVar[tuple[str, ...]] = ("openpyxl",)

    def accepts(self, source: TableAddress, head: bytes) -> bool:
        """Tell a workbook from any other archive."""
        if head.startswith(_OLD_OFFICE):
            return True
        suffix = Path(source).suffix.lower()
        return head.startswith(b"PK\x03\x04") and (suffix in self.suffixes or _is_workbook(Path(source)))

    def parts(self, source: TableAddress) -> tuple[str, ...]:
        """List the sheets, hidden ones last."""
        with _workbook(checked_path(source)) as book:
            sheets = [(sheet.sheet_state != "visible", sheet.title) for sheet in book.worksheets]
        return tuple(title for _, title in sorted(sheets, key=lambda pair: pair[0]))

    def sniff(self, source: TableAddress) -> ReadOptions:
        """Propose the first visible sheet."""
        with _workbook(checked_path(source)) as book:
            shown = [sheet.title for sheet in book.worksheets if sheet.sheet_state == "visible"]
        return ReadOptions(part=shown[0] if shown else "")

    def read(
        self, source: TableAddress, options: ReadOptions, progress: Progress, limit: int | None
    ) -> tuple[Table, ReadReport]:
        """Read one sheet, or its first `limit` rows."""
        path = checked_path(source)
        with _workbook(path) as book:
            titles = {sheet.title: sheet for sheet in book.worksheets}
            part = options.part or next((title for title in titles if titles[title].sheet_state == "visible"), "")
            if part not in titles:
                raise UnreadableFile(
                    message("“{name}” has no sheet “{part}”.", name=path.name, part=part),
                    message("It has: {known}.", known=list(titles) or message("none")),
                )
            sheet = titles[part]
            total = max(sheet.max_row or 1, 1)
            sheet.reset_dimensions()
            rows = _Rows(options, max_cells(path.stat().st_size))
            most = None if limit is None else limit + options.header
            for batch in _batches(sheet.iter_rows(min_row=1 + options.skip_lines, values_only=True), most):
                rows.add(batch)
                progress(0.9 * rows.count / total, message("Reading {count:row|rows}", count=rows.count))
            others = tuple(
                title + (" (hidden sheet)" if other.sheet_state != "visible" else "")
                for title, other in titles.items()
                if title != part
            )
            formulas = _formulas_without_value(path, sheet) if limit is None else 0
            notes = rows.notes(sheet.sheet_state != "visible", formulas)
        report = ReadReport(source=path.name, kind=self.name, part=part, not_read=others, notes=notes)
        return rows.table(path, report)


def _is_workbook(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError):
        return False


@contextmanager
def _workbook(path: Path) -> "Iterator[Workbook]":
    """Open a workbook for reading; whatever is wrong inside becomes one sentence."""
    if head_of(path, 8) == _OLD_OFFICE:
        raise UnreadableFile(
            message("“{name}” is protected by a password or in the old .xls format.", name=path.name),
            "Open it in a spreadsheet program and save it as .xlsx without a password.",
        )
    check_archive(path)
    load = _loader()
    with path.open("rb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about styles and validations, which are not read
        try:
            book = load(file, read_only=True, data_only=True, keep_links=False)
            try:
                yield book
            finally:
                book.close()
        except _DAMAGE:
            raise _damaged(path) from None


def _loader() -> "Callable[..., Workbook]":
    try:
        import openpyxl
    except ImportError:
        raise MissingExtra(
            "Excel files need the package openpyxl, which is not installed.",
            message("Install it with: {command}", command="pip install 'anonymizer-gui[excel]'"),
        ) from None
    return openpyxl.load_workbook


def _damaged(path: Path) -> UnreadableFile:
    return UnreadableFile(
        message("“{name}” is damaged or not an Excel workbook.", name=path.name),
        "Open it in a spreadsheet program and save it anew.",
    )


def _batches(rows: Iterable[Row], most: int | None) -> Iterator[list[Row]]:
    batch: list[Row] = []
    cells = 0
    for row in rows if most is None else itertools.islice(rows, most):
        batch.append(row)
        cells += len(row) + 1
        if cells > _CELLS_AT_ONCE:
            yield batch
            batch, cells = [], 0
    if batch:
        yield batch


@dataclass(slots=True)
class _Rows:
    """The rows of a sheet so far, coded per column; a row longer than all before opens new columns."""

    options: ReadOptions
    most: int
    """How many cells there may be."""
    there: int = 0
    count: int = 0
    line: int = 0
    blank: Lines = field(default=Lines())
    header: list[str] | None = None
    coders: list[TextEncoder] = field(default_factory=list)

    def add(self, batch: list[Row]) -> None:
        """Code some rows; blank ones are left out and remembered."""
        texts = [tuple(map(canonical_text, row)) for row in batch]
        first = self.line + 1 + self.options.skip_lines
        filled = [any(row) for row in texts]
        self.blank = self.blank.plus([first + i for i, full in enumerate(filled) if not full])
        self.line += len(batch)
        if self.line > _MOST_ROWS:
            raise UnreadableFile(
                message("A sheet has at most {rows:,} rows; this one says it has more.", rows=_MOST_ROWS),
                "Open it in a spreadsheet program and save it anew.",
            )
        texts = list(itertools.compress(texts, filled))
        if texts and self.header is None:
            self.header = list(texts.pop(0)) if self.options.header else []
        if texts:
            self._code(texts)

    def _code(self, texts: list[tuple[str, ...]]) -> None:
        width = max(len(self.header or ()), max(map(len, texts)))
        check_column_count(width)
        check_cells(self.count + len(texts), width, self.most)
        self.there += sum(sum(map(bool, row)) for row in texts)
        check_padding(self.there, (self.count + len(texts)) * width - self.there)
        while len(self.coders) < width:
            self.coders.append(TextEncoder())
            self.coders[-1].add([""] * self.count)
        columns = list(itertools.zip_longest(*texts, fillvalue=""))
        for number, coder in enumerate(self.coders):
            coder.add(columns[number] if number < len(columns) else [""] * len(texts))
        self.count += len(texts)

    def notes(self, hidden: bool, formulas: int) -> tuple[str, ...]:
        """Say what is odd about the sheet."""
        notes = [message("This sheet is hidden in the workbook.")] if hidden else []
        if formulas:
            notes.append(
                message(
                    "{count:formula has|formulas have} no stored value and {count:~was|were} read as missing; "
                    "save the workbook anew.",
                    count=formulas,
                )
            )
        return tuple(notes)

    def table(self, path: Path, report: ReadReport) -> tuple[Table, ReadReport]:
        """Finish the columns; nameless ones without any value at the end are no columns."""
        if self.header is None:
            raise UnreadableFile(
                message("The sheet “{part}” of “{name}” is empty.", part=report.part, name=path.name),
                "Choose another sheet.",
            )
        header = self.header + [""] * (len(self.coders) - len(self.header))
        coded = [coder.finish() for coder in self.coders] or [TextEncoder().finish() for _ in header]
        coded += [TextEncoder().finish() for _ in header[len(coded) :]]
        while header and not header[-1] and coded[-1][1] in ([], [""]):
            header.pop()
            coded.pop()
        names, renamed = repair_names(header)
        report = replace(
            report,
            renamed=renamed if self.options.header else (),
            blank_lines=self.blank,
        )
        return build_table(names, coded, self.count, self.options, report)


def _formulas_without_value(path: Path, sheet: object) -> int:
    """Count formulas that were never computed: their cells look empty although they are not."""
    inside = str(getattr(sheet, "_worksheet_path", ""))
    count, rest = 0, b""
    with zipfile.ZipFile(path) as archive:
        if inside not in archive.namelist():
            return 0
        with archive.open(inside) as file:
            while block := file.read(1 << 20):
                rest += block
                ends = [match.end() for match in _UNCOMPUTED.finditer(rest)]
                count += len(ends)
                rest = rest[max(ends[-1] if ends else 0, len(rest) - 64) :]
    return count


_ROWS_AT_ONCE = 1 << 12

_EXCEL_WRITER_MOST_ROWS, _MOST_COLUMNS, _LONGEST_TEXT = 1_048_575, 16_384, 32_767

_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")

_DIGITS_KEPT = 15

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

_PACKAGE = "http://schemas.openxmlformats.org/package/2006"

_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"

_FRAME = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
    '<sheets><sheet name="Table" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
}


@WRITERS.register
class ExcelWriter:
    """An Excel workbook with one sheet."""

    name: ClassVar[str] = "excel"
    title: ClassVar[str] = "Excel workbook"
    summary: ClassVar[str] = "One sheet; what reads the same as a number is a number, everything else is text."
    suffixes: ClassVar[tuple[str, ...]] = (".xlsx",)

    def write(self, table: Table, path: Path, options: WriteOptions, progress: Progress) -> None:
        """Write the table; raises UnwritableFile for what no workbook can hold."""
        _check_size(table)
        names = "".join(_cell(name, number=False) for name in written_names(table, options))
        labels = [np.array([*map(_cell, written_labels(c, options)), ""], dtype=object) for c in table.columns]
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in _FRAME.items():
                archive.writestr(_entry(name), _HEAD + content)
            with archive.open(_entry("xl/worksheets/sheet1.xml"), "w", force_zip64=True) as file:
                file.write(f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData><row>{names}</row>'.encode())
                for start in range(0, table.n_rows, _ROWS_AT_ONCE):
                    rows = slice(start, min(start + _ROWS_AT_ONCE, table.n_rows))
                    cells = [texts[c.codes[rows]].tolist() for texts, c in zip(labels, table.columns, strict=True)]
                    lines = "</row><row>".join(map("".join, zip(*cells, strict=True)))
                    file.write(f"<row>{lines}</row>".encode())
                    progress(rows.stop / table.n_rows, message("Writing {count:row|rows}", count=rows.stop))
                file.write(b"</sheetData></worksheet>")


def _entry(name: str) -> zipfile.ZipInfo:
    """Make an archive entry that tells nothing about when and where it was written."""
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3
    return entry


def _check_size(table: Table) -> None:
    if table.n_rows > _EXCEL_WRITER_MOST_ROWS or len(table.columns) > _MOST_COLUMNS:
        raise UnwritableFile(
            message(
                "A sheet holds at most {rows:row|rows} and {columns:column|columns}.",
                rows=_EXCEL_WRITER_MOST_ROWS,
                columns=_MOST_COLUMNS,
            ),
            "Write CSV or Parquet instead.",
        )


def _cell(text: str, number: bool = True) -> str:
    if not text:
        return "<c/>"
    if number and _is_number(text):
        return f"<c><v>{text}</v></c>"
    if len(text) > _LONGEST_TEXT or _UNWRITABLE.search(text):
        raise UnwritableFile(
            "A cell holds a text that no Excel workbook can hold (too long, or with control characters).",
            "Write CSV or Parquet instead.",
        )
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(text, {chr(13): "&#13;"})}</t></is></c>'


def _is_number(text: str) -> bool:
    """Tell whether a spreadsheet would show the number exactly as the text is written."""
    if not _NUMBER.fullmatch(text) or sum(map(str.isdigit, text)) > _DIGITS_KEPT:
        return False
    return canonical_text(float(text)) == text
