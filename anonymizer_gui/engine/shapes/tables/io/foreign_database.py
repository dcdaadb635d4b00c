"""Any database that SQLAlchemy knows, asked within a transaction that is never committed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from anonymizer_gui.engine.errors import UnreadableFile
from anonymizer_gui.engine.words import say

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from sqlalchemy.engine import CursorResult


@contextmanager
def opened_foreign(address: str, rows_at_once: int) -> "Iterator[ForeignDatabase]":
    """Open the database of an address; raises UnreadableFile, and ImportError when a package is not installed."""
    import sqlalchemy
    from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

    try:
        url = sqlalchemy.make_url(address)
        engine = sqlalchemy.create_engine(url)
    except (ArgumentError, NoSuchModuleError, ValueError):
        raise UnreadableFile(
            "This is not the address of a database that can be opened.",
            "An address looks like postgresql://user@host/database; its driver must be installed.",
        ) from None
    title = url.database or url.host or url.drivername
    try:
        with engine.connect() as connection:
            if engine.dialect.name == "postgresql":
                connection = connection.execution_options(postgresql_readonly=True)
            try:
                yield ForeignDatabase(title, connection, rows_at_once)
            finally:
                connection.rollback()
    except SQLAlchemyError:
        raise UnreadableFile(
            say("The database “{title}” did not answer.", title=title), "Check the address, the password and the query."
        ) from None
    finally:
        engine.dispose()


@dataclass(frozen=True, slots=True)
class ForeignDatabase:
    """A connection that is only asked."""

    title: str
    connection: "Connection"
    rows_at_once: int

    def tables(self) -> tuple[str, ...]:
        """List tables and views."""
        import sqlalchemy

        found = sqlalchemy.inspect(self.connection)
        return tuple(dict.fromkeys([*found.get_table_names(), *found.get_view_names()]))

    def table(self, name: str) -> "ForeignRows":
        """Ask for all rows of a table; its name is quoted as the database wants it."""
        import sqlalchemy

        question = sqlalchemy.select(sqlalchemy.text("*")).select_from(sqlalchemy.table(name))
        return ForeignRows(self.connection.execution_options(stream_results=True).execute(question), self.rows_at_once)

    def query(self, question: str) -> "ForeignRows":
        """Ask what the user wrote, as it is."""
        return ForeignRows(self.connection.exec_driver_sql(question), self.rows_at_once)


class ForeignRows:
    """The answer to a question, row by row."""

    def __init__(self, result: "CursorResult[tuple[object, ...]]", rows_at_once: int) -> None:
        self._result = result
        self._rows_at_once = rows_at_once
        self.names = [str(name) for name in result.keys()]  # noqa: SIM118

    def some(self) -> Sequence[Sequence[object]]:
        """Give the next rows, none at the end."""
        return self._result.fetchmany(self._rows_at_once)
