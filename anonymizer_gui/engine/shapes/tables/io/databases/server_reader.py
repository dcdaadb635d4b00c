"""Reads tables of database servers: PostgreSQL and MySQL, asked one SELECT in a transaction that can only read."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from anonymizer_gui.engine.core.errors import MissingExtra
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.shapes.tables.io.databases.credentials import with_known_password
from anonymizer_gui.engine.shapes.tables.io.databases.database import Database, answer_of, first_table
from anonymizer_gui.engine.shapes.tables.io.options import ReadOptions
from anonymizer_gui.engine.shapes.tables.io.read_report import ReadReport
from anonymizer_gui.engine.shapes.tables.io.reader import READERS, Source
from anonymizer_gui.engine.shapes.tables.table import Table
from anonymizer_gui.engine.storage.sources import parse_address

_MOST_CELLS = 1_000_000_000


@READERS.register
class ServerReader:
    """Tables, views and queries of database servers."""

    name: ClassVar[str] = "database"
    title: ClassVar[str] = "Database server"
    summary: ClassVar[str] = "A table, a view or a SELECT of a PostgreSQL, MySQL or MariaDB server."
    suffixes: ClassVar[tuple[str, ...]] = ()
    choices: ClassVar[tuple[str, ...]] = ("decimal", "missing", "part", "query")
    is_apart: ClassVar[bool] = False
    packages: ClassVar[tuple[str, ...]] = ()

    def accepts(self, source: Source, head: bytes) -> bool:
        """Know an address by its colon and slashes."""
        return "://" in str(source)

    def parts(self, source: Source) -> tuple[str, ...]:
        """List tables and views."""
        with _opened(source, SILENT) as database:
            return database.tables()

    def sniff(self, source: Source) -> ReadOptions:
        """Propose the first table."""
        with _opened(source, SILENT) as database:
            return first_table(database)

    def read(
        self, source: Source, options: ReadOptions, progress: Progress, limit: int | None
    ) -> tuple[Table, ReadReport]:
        """Read a table or the answer to a query, or its first `limit` rows."""
        with _opened(source, progress) as database:
            return answer_of(database, self.name, options, progress, limit, _MOST_CELLS)


@contextmanager
def _opened(source: Source, progress: Progress) -> Iterator[Database]:
    """Open the database of an address; raises UnreadableFile, of its sort PasswordNeeded and MissingExtra."""
    from anonymizer_gui.engine.shapes.tables.io.databases.servers import opened_server

    address = with_known_password(parse_address(str(source)))
    try:
        with opened_server(address, progress) as database:
            yield database
    except ImportError:
        raise MissingExtra(
            "Database servers need the package SQLAlchemy and a driver, which are not installed.",
            "Install them with: pip install 'anonymizer-gui[database]'",
        ) from None
