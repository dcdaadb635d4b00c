"""Finds the reader or writer for a source and calls it."""

import re
from dataclasses import dataclass
from pathlib import Path

from anonymizer_gui.engine.core.errors import AnonymizerError, UnreadableFile, UnwritableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import check_params
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.shapes.tables.io.apart.apart_reader import ApartReader
from anonymizer_gui.engine.shapes.tables.io.opened_files import checked_path, head_of
from anonymizer_gui.engine.shapes.tables.io.options import ReadOptions, WriteOptions
from anonymizer_gui.engine.shapes.tables.io.read_report import ReadReport
from anonymizer_gui.engine.shapes.tables.io.reader import READERS, Asked, Reader, Source
from anonymizer_gui.engine.shapes.tables.io.writer import WRITERS, Writer
from anonymizer_gui.engine.shapes.tables.table import Table
from anonymizer_gui.engine.storage.sources import is_address

_SQLITE = re.compile(r"sqlite(\+pysqlite)?:///")
"""Behind this an address names a file, which is read like any other."""


@dataclass(frozen=True, slots=True, eq=False)
class Preview:
    """The first rows as they would be read, what was found so far, and the sentence if reading stops there."""

    table: Table
    report: ReadReport
    error: UnreadableFile | None = None


def read_table(
    source: Source, options: ReadOptions | None = None, progress: Progress = SILENT
) -> tuple[Table, ReadReport]:
    """Read a table from a file or the address of a database; options are sniffed where none are given.

    Raises UnreadableFile with one sentence, MissingExtra when a package is not installed.
    """
    reader, place = _found(source)
    chosen = reader.sniff(place) if options is None else check_params(options)
    return reader.read(place, chosen, progress, None)


def sniff(source: Source) -> ReadOptions:
    """Propose how a source is to be read, from its beginning; raises UnreadableFile."""
    reader, place = _found(source)
    return reader.sniff(place)


def choices(source: Source) -> tuple[str, ...]:
    """Name the options that make a difference to a source; raises UnreadableFile."""
    return _found(source)[0].choices


def parts(source: Source) -> tuple[str, ...]:
    """List the sheets, tables or archived files one of which is read; nothing where there is no choice."""
    reader, place = _found(source)
    return reader.parts(place)


def preview(source: Source, options: ReadOptions | None = None, rows: int = 200) -> Preview:
    """Read the first rows; an obstacle is told in the preview, with the rows before it."""
    try:
        reader, place = _found(source)
        chosen = reader.sniff(place) if options is None else check_params(options)
    except UnreadableFile as error:
        return Preview(Table(()), ReadReport(), error)
    try:
        return Preview(*reader.read(place, chosen, SILENT, rows))
    except UnreadableFile as error:
        return _before(reader, place, chosen, error)


def _before(reader: Asked, source: Source, options: ReadOptions, error: UnreadableFile) -> Preview:
    """Show the rows above the line that cannot be read."""
    above = (error.line or 0) - 1 - options.header - options.skip_lines
    if above > 0:
        try:
            return Preview(*reader.read(source, options, SILENT, above), error)
        except UnreadableFile:
            pass  # no more can be shown than the sentence
    return Preview(Table(()), ReadReport(), error)


def write_table(
    table: Table, path: str | Path, options: WriteOptions | None = None, progress: Progress = SILENT
) -> None:
    """Write a table in the format of the path's suffix; same table, same bytes. Raises UnwritableFile."""
    target = Path(path)
    try:
        writer_of(target).write(table, target, check_params(options or WriteOptions()), progress)
    except AnonymizerError:
        raise
    except OSError as error:
        raise UnwritableFile(
            message(
                "“{name}” cannot be written: {reason}.",
                name=target.name,
                reason=error.strerror or message("the disk refused"),
            ),
            "Choose another folder, or make room on the disk.",
        ) from None


def _found(source: Source) -> tuple[Asked, Source]:
    """Find who answers for a source, in a process apart where that is safer, and what it is asked about."""
    place = _SQLITE.sub("", str(source), count=1)
    reader = reader_of(place)
    return (ApartReader(reader) if reader.is_apart else reader), place


def reader_of(source: Source) -> Reader:
    """Find the reader by address, content and suffix; delimited text is what remains."""
    head = b"" if is_address(str(source)) else head_of(checked_path(source), 1 << 12)
    for entry in READERS:
        if (reader := entry()).accepts(source, head):
            return reader
    return READERS.get("csv")()


def writer_of(path: Path) -> Writer:
    """Find the writer by suffix; raises UnwritableFile with the suffixes there are."""
    writers = [entry() for entry in WRITERS]
    for writer in writers:
        if path.suffix.lower() in writer.suffixes:
            return writer
    known = [suffix for writer in writers for suffix in writer.suffixes]
    raise UnwritableFile(
        message("Tables cannot be written as “{suffix}”.", suffix=path.suffix or path.name),
        message("Use one of: {known}.", known=known),
    )
