"""Reads tables of SQLite files, which are opened for reading only and asked nothing but SELECT."""

import os
import re
import sqlite3
import urllib.parse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from anonymizer_gui.engine.core.errors import Cancelled, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io.contract import READERS, TableAddress, max_cells
from anonymizer_gui.engine.data.tables.io.input_stream import checked_path
from anonymizer_gui.engine.data.tables.io.options import ReadOptions
from anonymizer_gui.engine.data.tables.io.read_report import ReadReport
from anonymizer_gui.engine.data.tables.io.sql_queries import Database, Row, Rows, first_table, read_query
from anonymizer_gui.engine.data.tables.table import Table

_MAGIC = b"SQLite format 3\0"
_LONGEST_CELL = 16 << 20
_READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
# Views and checks in the file may call functions, too; and sorting must not leave rows on the disk.
_CAREFUL = ("PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON", "PRAGMA temp_store = MEMORY")
_LACKING = re.compile(r"no such (column|table): (.+)")
_WRONG = re.compile(r'near "(.+)": syntax error', re.DOTALL)


@READERS.register
class SqliteReader:
    """Tables, views and queries of SQLite files."""

    name: ClassVar[str] = "sqlite"
    title: ClassVar[str] = "SQLite"
    summary: ClassVar[str] = "A table, a view or a SELECT of a SQLite file."
    suffixes: ClassVar[tuple[str, ...]] = (".sqlite", ".sqlite3", ".db")
    choices: ClassVar[tuple[str, ...]] = ("decimal", "missing", "part", "query")
    is_apart: ClassVar[bool] = True
    packages: ClassVar[tuple[str, ...]] = ()

    def accepts(self, source: TableAddress, head: bytes) -> bool:
        """Know a file by its first bytes."""
        return head.startswith(_MAGIC)

    def parts(self, source: TableAddress) -> tuple[str, ...]:
        """List tables and views."""
        with _opened(checked_path(source), SILENT) as database:
            return database.tables()

    def sniff(self, source: TableAddress) -> ReadOptions:
        """Propose the first table."""
        with _opened(checked_path(source), SILENT) as database:
            return first_table(database)

    def read(
        self, source: TableAddress, options: ReadOptions, progress: Progress, limit: int | None
    ) -> tuple[Table, ReadReport]:
        """Read a table or the answer to a query, or its first `limit` rows."""
        path = checked_path(source)
        with _opened(path, progress) as database:
            return read_query(database, self.name, options, progress, limit, max_cells(path.stat().st_size))


@contextmanager
def _opened(path: Path, progress: Progress) -> Iterator[Database]:
    try:
        place = f"file:{urllib.parse.quote(os.fsencode(path.absolute()))}?mode=ro"
        connection = sqlite3.connect(place, uri=True)
        try:
            for careful in _CAREFUL:
                connection.execute(careful)
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_CELL)
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
            message("“{title}” is damaged or encrypted.", title=title), "Fetch it again or make a new copy."
        )
    if lacking := _LACKING.fullmatch(str(error)):
        return UnreadableFile(
            message(
                "“{title}” has no column “{name}”." if lacking[1] == "column" else "“{title}” has no table “{name}”.",
                title=title,
                name=lacking[2],
            ),
            "Check the names in the query.",
        )
    if wrong := _WRONG.fullmatch(str(error)):
        return UnreadableFile(message("The query is not understood near “{word}”.", word=wrong[1]), "Check the query.")
    return UnreadableFile(
        message("“{title}” did not answer the query.", title=title),
        "Check the query, and that the database is not in use.",
    )


@dataclass(frozen=True, slots=True)
class _Sqlite:
    title: str
    connection: sqlite3.Connection
    dialect: str = "sqlite"

    def tables(self) -> tuple[str, ...]:
        """List tables and views."""
        found = self.connection.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
            " AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY rowid"
        )
        return tuple(str(name) for (name,) in found)

    def table(self, name: str) -> Rows:
        """Ask for all rows of a table."""
        quoted = name.replace('"', '""')
        return self.query(f'SELECT * FROM "{quoted}"')

    def query(self, question: str) -> Rows:
        """Ask a question that was checked."""
        return _SqliteRows(self.connection.execute(question))


class _SqliteRows:
    def __init__(self, cursor: sqlite3.Cursor) -> None:
        self._cursor = cursor
        self.names = [str(entry[0]) for entry in cursor.description or ()]

    def some(self, most: int) -> Sequence[Row]:
        """Give the next rows, none at the end."""
        return self._cursor.fetchmany(most)
