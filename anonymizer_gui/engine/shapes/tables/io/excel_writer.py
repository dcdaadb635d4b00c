"""Writes Excel workbooks from nothing but the cells: no author, no dates, no hidden content, same bytes every time."""

import re
import zipfile
from pathlib import Path
from typing import ClassVar
from xml.sax.saxutils import escape

import numpy as np

from anonymizer_gui.engine.core.errors import UnwritableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.shapes.tables.io.canonical import canonical
from anonymizer_gui.engine.shapes.tables.io.options import WriteOptions
from anonymizer_gui.engine.shapes.tables.io.writer import WRITERS, written_labels, written_names
from anonymizer_gui.engine.shapes.tables.table import Table

_ROWS_AT_ONCE = 1 << 12
_MOST_ROWS, _MOST_COLUMNS, _LONGEST_TEXT = 1_048_575, 16_384, 32_767
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
    if table.n_rows > _MOST_ROWS or len(table.columns) > _MOST_COLUMNS:
        raise UnwritableFile(
            message(
                "A sheet holds at most {rows:row|rows} and {columns:column|columns}.",
                rows=_MOST_ROWS,
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
    return canonical(float(text)) == text
