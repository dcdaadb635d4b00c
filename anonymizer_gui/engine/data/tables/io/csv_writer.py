"""Writes delimited text."""

import re
from pathlib import Path
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import UnwritableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io.contract import WRITERS, written_labels, written_names
from anonymizer_gui.engine.data.tables.io.options import WriteOptions
from anonymizer_gui.engine.data.tables.table import Table

_ROWS_AT_ONCE = 1 << 14


@WRITERS.register
class CsvWriter:
    """Delimited text, quoted where it is needed."""

    name: ClassVar[str] = "csv"
    title: ClassVar[str] = "Delimited text (CSV, TSV)"
    summary: ClassVar[str] = (
        "One row per line; cells that hold the delimiter, a quotation mark or a line end are quoted."
    )
    suffixes: ClassVar[tuple[str, ...]] = (".csv", ".tsv", ".tab", ".txt")

    def write(self, table: Table, path: Path, options: WriteOptions, progress: Progress) -> None:
        """Write the table; raises UnwritableFile when the encoding lacks a letter."""
        delimiter = "\t" if path.suffix.lower() in (".tsv", ".tab") and options.delimiter == "," else options.delimiter
        quoting = _Quoting(delimiter, options.quote_all, len(table.columns) == 1)
        end = "\r\n" if options.line_end == "crlf" else "\n"
        labels = [np.array([*map(quoting.cell, written_labels(c, options)), ""], dtype=object) for c in table.columns]
        with path.open("w", encoding=options.encoding, newline="") as file:
            try:
                file.write(delimiter.join(map(quoting.cell, written_names(table, options))) + end)
                for start in range(0, table.n_rows, _ROWS_AT_ONCE):
                    stop = min(start + _ROWS_AT_ONCE, table.n_rows)
                    cells = [
                        texts[c.codes[start:stop]].tolist() for texts, c in zip(labels, table.columns, strict=True)
                    ]
                    file.write(end.join(map(delimiter.join, zip(*cells, strict=True))) + end)
                    progress(stop / table.n_rows, message("Writing {count:row|rows}", count=stop))
            except UnicodeEncodeError:
                raise UnwritableFile(
                    message("The encoding {encoding} lacks a letter that the table holds.", encoding=options.encoding),
                    "Choose UTF-8.",
                ) from None


class _Quoting:
    """Puts cells into quotation marks where the text would be read differently without."""

    def __init__(self, delimiter: str, everywhere: bool, alone: bool) -> None:
        self._everywhere = everywhere
        self._alone = alone
        self._special = re.compile(f'["\\r\\n{re.escape(delimiter)}]')

    def cell(self, text: str) -> str:
        """Give the cell as it stands in the file; alone in its line, an empty one must be quoted to be a row."""
        if self._everywhere or self._special.search(text) or (self._alone and not text.strip()):
            return '"' + text.replace('"', '""') + '"'
        return text
