"""What every database gives: rows one after the other, made into a table."""

from collections.abc import Sequence
from typing import Protocol

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.shapes.tables.io.canonical import canonical
from anonymizer_gui.engine.shapes.tables.io.databases.sql_question import checked_question
from anonymizer_gui.engine.shapes.tables.io.headers import repaired
from anonymizer_gui.engine.shapes.tables.io.options import ReadOptions
from anonymizer_gui.engine.shapes.tables.io.read_report import ReadReport
from anonymizer_gui.engine.shapes.tables.io.reader import TextCoder, check_cells, check_column_count, table_of
from anonymizer_gui.engine.shapes.tables.table import Table

ROWS_AT_ONCE = 5000
_CELLS_AT_ONCE = 1 << 18
Row = Sequence[object]


class Rows(Protocol):
    """The answer to a question, row by row."""

    names: list[str]

    def some(self, most: int) -> Sequence[Row]:
        """Give the next rows, none at the end."""


class Database(Protocol):
    """A database that is only asked."""

    @property
    def title(self) -> str:
        """The name for people."""

    @property
    def dialect(self) -> str:
        """How its questions are written."""

    def tables(self) -> tuple[str, ...]:
        """List tables and views."""

    def table(self, name: str) -> Rows:
        """Ask for all rows of a table."""

    def query(self, question: str) -> Rows:
        """Ask a question that was checked."""


def answer_of(
    database: Database, kind: str, options: ReadOptions, progress: Progress, limit: int | None, most_cells: int
) -> tuple[Table, ReadReport]:
    """Read a table or the answer to a query, or its first `limit` rows; raises UnreadableFile."""
    rows = _rows(database, options)
    check_column_count(len(rows.names))
    coders = [TextCoder() for _ in rows.names]
    at_once, count = max(min(ROWS_AT_ONCE, _CELLS_AT_ONCE // max(len(coders), 1)), 1), 0
    while (limit is None or count < limit) and (some := rows.some(at_once)):
        some = some if limit is None else some[: limit - count]
        for coder, values in zip(coders, zip(*some, strict=True), strict=True):
            coder.add([canonical(value) for value in values])
        count += len(some)
        check_cells(count, len(coders), most_cells)
        progress(0.5, message("Reading {count:row|rows}", count=count))
    names, renamed = repaired(rows.names)
    report = ReadReport(source=database.title, kind=kind, part=options.part, renamed=renamed)
    return table_of(names, [coder.finish() for coder in coders], count, options, report)


def first_table(database: Database) -> ReadOptions:
    """Propose the first table."""
    tables = database.tables()
    return ReadOptions(part=tables[0] if tables else "")


def _rows(database: Database, options: ReadOptions) -> Rows:
    if options.query:
        return database.query(checked_question(options.query, database.dialect))
    tables = database.tables()
    part = options.part or (tables[0] if tables else "")
    if part not in tables:
        raise UnreadableFile(
            message("“{title}” has no table “{name}”.", title=database.title, name=part),
            message("It has: {names}.", names=tables or message("none")),
        )
    return database.table(part)
