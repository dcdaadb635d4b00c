"""Reads tables of databases: SQLite files by themselves, any other through SQLAlchemy; never writes to one."""

import re
import sqlite3
import urllib.parse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol

from anonymizer_gui.engine.errors import Cancelled, MissingExtra, UnreadableFile
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.shapes.tables.io.canonical import canonical
from anonymizer_gui.engine.shapes.tables.io.headers import repaired
from anonymizer_gui.engine.shapes.tables.io.opened_files import checked_path
from anonymizer_gui.engine.shapes.tables.io.options import ReadOptions
from anonymizer_gui.engine.shapes.tables.io.read_report import ReadReport
from anonymizer_gui.engine.shapes.tables.io.reader import READERS, Source, TextCoder, check_column_count, table_of
from anonymizer_gui.engine.shapes.tables.table import Table
from anonymizer_gui.engine.words import say

_ROWS_AT_ONCE = 5000
_SQLITE_MAGIC = b"SQLite format 3\0"
_READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
_LACKING = re.compile(r"no such (column|table): (.+)")
_WRONG = re.compile(r'near "(.+)": syntax error', re.DOTALL)
_QUESTION = re.compile(r"\s*(select|with)\b", re.IGNORECASE)
Row = Sequence[object]


class _Rows(Protocol):
    """The answer to a question, row by row."""

    names: list[str]

    def some(self) -> Sequence[Row]:
        """Give the next rows, none at the end."""


class _Database(Protocol):
    """A database that is only asked."""

    @property
    def title(self) -> str:
        """The name for people."""

    def tables(self) -> tuple[str, ...]:
        """List tables and views."""

    def table(self, name: str) -> _Rows:
        """Ask for all rows of a table."""

    def query(self, question: str) -> _Rows:
        """Ask what the user wrote."""


@READERS.register
class DatabaseReader:
    """Tables, views and queries of databases."""

    name: ClassVar[str] = "database"
    title: ClassVar[str] = "Database"
    summary: ClassVar[str] = (
        "A table, a view or a SELECT of a SQLite file, or of any database with an SQLAlchemy address."
    )
    suffixes: ClassVar[tuple[str, ...]] = (".sqlite", ".sqlite3", ".db")
    choices: ClassVar[tuple[str, ...]] = ("decimal", "missing", "part", "query")

    def accepts(self, source: Source, head: bytes) -> bool:
        """Know an address by its colon and slashes, a SQLite file by its first bytes."""
        return "://" in str(source) or head.startswith(_SQLITE_MAGIC)

    def parts(self, source: Source) -> tuple[str, ...]:
        """List tables and views."""
        with _opened(source, SILENT) as database:
            return database.tables()

    def sniff(self, source: Source) -> ReadOptions:
        """Propose the first table."""
        tables = self.parts(source)
        return ReadOptions(part=tables[0] if tables else "")

    def read(
        self, source: Source, options: ReadOptions, progress: Progress, limit: int | None
    ) -> tuple[Table, ReadReport]:
        """Read a table or the answer to a query, or its first `limit` rows."""
        with _opened(source, progress) as database:
            rows = self._rows(database, options)
            check_column_count(len(rows.names))
            coders = [TextCoder() for _ in rows.names]
            count = 0
            while (limit is None or count < limit) and (some := rows.some()):
                some = some if limit is None else some[: limit - count]
                for coder, values in zip(coders, zip(*some, strict=True), strict=True):
                    coder.add([canonical(value) for value in values])
                count += len(some)
                progress(0.5, say("Reading {count:row|rows}", count=count))
            names, renamed = repaired(rows.names)
            report = ReadReport(source=database.title, kind=self.name, part=options.part, renamed=renamed)
        return table_of(names, [coder.finish() for coder in coders], count, options, report)

    def _rows(self, database: _Database, options: ReadOptions) -> _Rows:
        if options.query:
            if not _QUESTION.match(options.query):
                raise UnreadableFile("Only a SELECT can be asked.", "Begin the query with SELECT or WITH.")
            return database.query(options.query)
        tables = database.tables()
        part = options.part or (tables[0] if tables else "")
        if part not in tables:
            raise UnreadableFile(
                say("“{title}” has no table “{name}”.", title=database.title, name=part),
                say("It has: {known}.", known=tables or say("none")),
            )
        return database.table(part)


@contextmanager
def _opened(source: Source, progress: Progress) -> Iterator[_Database]:
    address = str(source)
    if "://" in address and not address.startswith("sqlite:///"):
        with _foreign(address) as database:
            yield database
    else:
        with _sqlite(checked_path(address.removeprefix("sqlite:///")), progress) as database:
            yield database


@contextmanager
def _sqlite(path: Path, progress: Progress) -> Iterator[_Database]:
    try:
        place = f"file:{urllib.parse.quote(str(path.absolute()))}?mode=ro"
        connection = sqlite3.connect(place, uri=True)
        try:
            connection.set_authorizer(
                lambda action, *_: sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY
            )
            connection.set_progress_handler(lambda: int(progress.is_cancelled()), 100_000)
            yield _Sqlite(path.name, connection)
        finally:
            connection.close()
    except (sqlite3.Error, UnicodeError, OverflowError) as error:
        if progress.is_cancelled():
            raise Cancelled from None
        raise _refused(path.name, error) from None


def _refused(title: str, error: Exception) -> UnreadableFile:
    """Tell damage from a wrong question; other words of the database than the question's own may hold data."""
    if "prohibited" in str(error) or "not authorized" in str(error):
        return UnreadableFile("The query would do more than read.", "Ask only for rows, with SELECT.")
    if not isinstance(error, sqlite3.OperationalError):
        return UnreadableFile(
            say("“{title}” is damaged or encrypted.", title=title), "Fetch it again or make a new copy."
        )
    if lacking := _LACKING.fullmatch(str(error)):
        return UnreadableFile(
            say(
                "“{title}” has no column “{name}”." if lacking[1] == "column" else "“{title}” has no table “{name}”.",
                title=title,
                name=lacking[2],
            ),
            "Check the names in the query.",
        )
    if wrong := _WRONG.fullmatch(str(error)):
        return UnreadableFile(say("The query is not understood near “{word}”.", word=wrong[1]), "Check the query.")
    return UnreadableFile(
        say("“{title}” did not answer the query.", title=title), "Check the query, and that the database is not in use."
    )


@dataclass(frozen=True, slots=True)
class _Sqlite:
    title: str
    connection: sqlite3.Connection

    def tables(self) -> tuple[str, ...]:
        """List tables and views."""
        found = self.connection.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
            " AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY rowid"
        )
        return tuple(str(name) for (name,) in found)

    def table(self, name: str) -> _Rows:
        """Ask for all rows of a table."""
        quoted = name.replace('"', '""')
        return self.query(f'SELECT * FROM "{quoted}"')

    def query(self, question: str) -> _Rows:
        """Ask what the user wrote."""
        return _SqliteRows(self.connection.execute(question))


class _SqliteRows:
    def __init__(self, cursor: sqlite3.Cursor) -> None:
        self._cursor = cursor
        self.names = [str(entry[0]) for entry in cursor.description or ()]

    def some(self) -> Sequence[Row]:
        """Give the next rows, none at the end."""
        return self._cursor.fetchmany(_ROWS_AT_ONCE)


@contextmanager
def _foreign(address: str) -> Iterator[_Database]:
    from anonymizer_gui.engine.shapes.tables.io.foreign_database import opened_foreign

    try:
        with opened_foreign(address, _ROWS_AT_ONCE) as database:
            yield database
    except ImportError:
        raise MissingExtra(
            "Databases other than SQLite need the package SQLAlchemy and a driver, which are not installed.",
            "Install them with: pip install 'anonymizer-gui[database]' and the driver of your database.",
        ) from None
