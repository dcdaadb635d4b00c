"""Finds reader or writer, previews, reads the table a project speaks of."""

import re
from dataclasses import dataclass
from pathlib import Path

from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter, UnreadableFile, UnwritableFile
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import check_params, from_json, to_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io.contract import READERS, WRITERS, Reader, ReaderAnswers, TableAddress, Writer
from anonymizer_gui.engine.data.tables.io.input_stream import checked_path, head_of
from anonymizer_gui.engine.data.tables.io.options import ReadOptions, WriteOptions
from anonymizer_gui.engine.data.tables.io.read_report import ReadReport
from anonymizer_gui.engine.data.tables.io.sandboxed_readers.client import SandboxedReader
from anonymizer_gui.engine.data.tables.suggestions import Suggestion, guess_types, guessed_schema, suggest_columns
from anonymizer_gui.engine.data.tables.table import Schema, Table
from anonymizer_gui.engine.data.tables.values import misfit_message
from anonymizer_gui.engine.storage.sources import (
    ENGINE_OPTION,
    Source,
    checksum,
    is_address,
    without_engine,
    without_password,
)

_SQLITE = re.compile(r"sqlite(\+pysqlite)?:///")
"""Behind this an address names a file, which is read like any other."""


@dataclass(frozen=True, slots=True, eq=False)
class Preview:
    """The first rows as they would be read, what was found so far, and the sentence if reading stops there."""

    table: Table
    report: ReadReport
    error: UnreadableFile | None = None


def read_table(
    source: TableAddress, options: ReadOptions | None = None, progress: Progress = SILENT
) -> tuple[Table, ReadReport]:
    """Read a table from a file or the address of a database; options are sniffed where none are given.

    Raises UnreadableFile with one sentence, MissingExtra when a package is not installed.
    """
    reader, place = _found(source)
    chosen = reader.sniff(place) if options is None else check_params(options)
    return reader.read(place, chosen, progress, None)


def sniff(source: TableAddress) -> ReadOptions:
    """Propose how a source is to be read, from its beginning; raises UnreadableFile."""
    reader, place = _found(source)
    return reader.sniff(place)


def choices(source: TableAddress) -> tuple[str, ...]:
    """Name the options that make a difference to a source; raises UnreadableFile."""
    return _found(source)[0].choices


def parts(source: TableAddress) -> tuple[str, ...]:
    """List the sheets, tables or archived files one of which is read; nothing where there is no choice."""
    reader, place = _found(source)
    return reader.parts(place)


def preview(source: TableAddress, options: ReadOptions | None = None, rows: int = 200) -> Preview:
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


def _before(reader: ReaderAnswers, source: TableAddress, options: ReadOptions, error: UnreadableFile) -> Preview:
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


def _found(source: TableAddress) -> tuple[ReaderAnswers, TableAddress]:
    """Find who answers for a source, in a process apart where that is safer, and what it is asked about."""
    place = _SQLITE.sub("", str(source), count=1)
    reader = reader_of(place)
    return (SandboxedReader(reader) if reader.is_apart else reader), place


def reader_of(source: TableAddress) -> Reader:
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


IN_MEMORY = "memory"


def read_source(
    path: str, options: ReadOptions | None = None, progress: Progress = SILENT
) -> tuple[Table, ReadReport, Source]:
    """Read a table, and give the source that a project keeps of it; raises UnreadableFile."""
    chosen = sniff(path) if options is None else options
    table, report = read_table(path, chosen, progress.sub(0.0, 0.9))
    if is_address(path):
        return table, report, Source(without_password(path), "", to_json(chosen))
    place = Path(path).resolve()
    return table, report, Source(str(place), checksum(place, progress.sub(0.9, 1.0)), to_json(chosen))


def options_of_source(source: Source | None) -> ReadOptions | None:
    """Give the options a source was read with, if any are known; raises BadParameter."""
    told = without_engine(source).options if source else {}
    return from_json(ReadOptions, told) if told else None


def engine_of(source: Source | None) -> str:
    """Say who is to hold the table of a source: memory, the address of an engine, or nothing where nobody has decided.

    Raises BadParameter.
    """
    holder = source.options.get(ENGINE_OPTION, "") if source else ""
    if not isinstance(holder, str):
        raise BadParameter("The project does not say clearly who holds its table.", "Open the table anew.")
    return holder


@dataclass(frozen=True, slots=True, eq=False)
class ImportPreview:
    """The first rows, their types, what was done on the way, and what stands in the way."""

    options: ReadOptions
    choices: tuple[str, ...]
    parts: tuple[str, ...]
    table: Table
    schema: Schema
    problems: tuple[str, ...]
    error: AnonymizerError | None
    why_held: Message | None = None
    """Why the table is better left where it is, for an engine to read."""


def preview_import(source: str, options: ReadOptions | None, progress: Progress) -> ImportPreview:
    """Look into a source; without options they are proposed. Raises UnreadableFile when nothing can be seen."""
    progress(0.1)
    there = parts(source)
    chosen = sniff(source) if options is None else options
    progress(0.4)
    seen = preview(source, chosen)
    schema = guessed_schema(guess_types(seen.table, progress.sub(0.6, 1.0), chosen.decimal))
    return ImportPreview(chosen, choices(source), there, seen.table, schema, seen.report.problems, seen.error)


def misfits_by_column(table: Table, schema: Schema) -> tuple[str, ...]:
    """Say for each column how many of its cells do not fit its type, and in which rows."""
    found = (misfit_message(column, schema.column(column.name)) for column in table.columns)
    return tuple(sentence for sentence in found if sentence)


def suggest_in_background(table: Table, decimal: str, progress: Progress) -> tuple[Suggestion, ...]:
    """Propose type and role of every column, for a page that asks in the background."""
    return suggest_columns(table, progress, decimal)
