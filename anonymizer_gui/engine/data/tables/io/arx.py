"""The table inside an ARX project (`.deid`): a zip archive, of which only plain text entries are read."""

import re
from dataclasses import replace
from pathlib import Path
from typing import ClassVar
from xml.etree import ElementTree

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io.contract import READERS, TableAddress
from anonymizer_gui.engine.data.tables.io.csv_dialect import sniff_dialect
from anonymizer_gui.engine.data.tables.io.csv_reader import CsvReader
from anonymizer_gui.engine.data.tables.io.input_stream import archive_members, checked_path, read_member
from anonymizer_gui.engine.data.tables.io.options import ReadOptions
from anonymizer_gui.engine.data.tables.io.read_report import ReadReport
from anonymizer_gui.engine.data.tables.table import Table

SUFFIX = ".deid"
TABLE_PART = "data/input.csv"
_LARGEST_XML = 4 << 20
_DECLARATION = re.compile(rb"<!(DOCTYPE|ENTITY)", re.IGNORECASE)


@READERS.register
class ArxReader:
    """The table of an ARX project, with the delimiter that the project names."""

    name: ClassVar[str] = "arx"
    title: ClassVar[str] = "ARX project"
    summary: ClassVar[str] = (
        "The table inside an ARX project; roles, hierarchies and goals come along in a new project."
    )
    suffixes: ClassVar[tuple[str, ...]] = (SUFFIX,)
    choices: ClassVar[tuple[str, ...]] = ("missing",)
    is_apart: ClassVar[bool] = False
    packages: ClassVar[tuple[str, ...]] = ()

    def accepts(self, source: TableAddress, head: bytes) -> bool:
        """Take archives that are called as ARX calls its projects."""
        return is_arx_project(source) and head.startswith(b"PK\x03\x04")

    def parts(self, source: TableAddress) -> tuple[str, ...]:
        """There is one table in a project."""
        return ()

    def sniff(self, source: TableAddress) -> ReadOptions:
        """Take delimiter and quotation mark from the project, the encoding from the text."""
        path = checked_path(source)
        if TABLE_PART not in archive_members(path):
            raise UnreadableFile(
                message("“{name}” holds no table of an ARX project.", name=path.name),
                "Save it again with its data in ARX.",
            )
        stated = xml_part(path, "project.xml")
        found = sniff_dialect(path, TABLE_PART)
        delimiter = (stated.findtext("separator") or found.delimiter)[:1]
        quote = (stated.findtext("quote") or found.quote)[:1]
        return replace(found, delimiter=delimiter, quote=quote, header=True, skip_lines=0)

    def read(
        self, source: TableAddress, options: ReadOptions, progress: Progress, limit: int | None
    ) -> tuple[Table, ReadReport]:
        """Read the table, or its first `limit` rows."""
        return CsvReader().read(source, replace(options, part=TABLE_PART), progress, limit)


def is_arx_project(source: TableAddress) -> bool:
    """Tell by its name whether a file is an ARX project."""
    return str(source).lower().endswith(SUFFIX)


def xml_part(path: Path, part: str) -> ElementTree.Element:
    """Read an XML entry of an archive; what declares entities is refused. Raises UnreadableFile."""
    data = read_member(path, part, _LARGEST_XML)
    try:
        if _DECLARATION.search(data):
            raise ElementTree.ParseError
        return ElementTree.fromstring(data)
    except (ElementTree.ParseError, LookupError, ValueError):
        raise UnreadableFile(
            message("“{part}” in “{name}” is damaged.", part=part, name=path.name), "Save the project again in ARX."
        ) from None
