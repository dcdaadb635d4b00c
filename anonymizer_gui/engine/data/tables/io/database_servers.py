"""PostgreSQL and MySQL: passwords, read-only sessions."""

import contextlib
import importlib
import os
import re
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from anonymizer_gui.engine.core.errors import MissingExtra, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io.contract import READERS, TableAddress
from anonymizer_gui.engine.data.tables.io.options import ReadOptions
from anonymizer_gui.engine.data.tables.io.read_report import ReadReport
from anonymizer_gui.engine.data.tables.io.sql_queries import Database, Row, first_table, read_query
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.storage.sources import PASSWORD, Address, PasswordNeeded, parse_address

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from sqlalchemy.engine import CursorResult


_TYPED: dict[str, str] = {}
"""By account; in memory only, for one run of the program."""

_SERVICE = "Anonymizer"


def with_known_password(address: Address) -> Address:
    """Add the password that is known for an address, if there is one; one that was typed stays."""
    if address.password:
        return address
    return address.with_password(
        _TYPED.get(_account(address), "") or os.environ.get(PASSWORD, "") or _from_keyring(address)
    )


def keep_password(address: Address) -> None:
    """Keep a password that was typed until the program ends."""
    _TYPED[_account(address)] = address.password


def has_keyring() -> bool:
    """Tell whether this computer has a keyring that the program can use."""
    return _keyring() is not None


def remember_password(address: Address) -> bool:
    """Put the password of an address into the keyring; tells whether it took it."""
    keyring = _keyring()
    if keyring is None or not address.password:
        return False
    with contextlib.suppress(Exception):  # whatever a keyring of the system may raise
        keyring.set_password(_SERVICE, _account(address), address.password)
        return True
    return False


def _from_keyring(address: Address) -> str:
    keyring = _keyring()
    if keyring is None:
        return ""
    with contextlib.suppress(Exception):  # whatever a keyring of the system may raise
        return keyring.get_password(_SERVICE, _account(address)) or ""
    return ""


def _keyring() -> ModuleType | None:
    """Load the package, if it is installed; nothing depends on it."""
    try:
        return importlib.import_module("keyring")
    except ImportError:
        return None


def _account(address: Address) -> str:
    return f"{address.driver.partition('+')[0]}://{address.place}"


CONNECT_SECONDS = 10

ANSWER_SECONDS = 600

_LOOK_EVERY_S = 0.2

_DRIVERS = {
    "postgresql": "postgresql+psycopg2",
    "postgres": "postgresql+psycopg2",
    "postgresql+psycopg2": "postgresql+psycopg2",
    "mysql": "mysql+pymysql",
    "mysql+pymysql": "mysql+pymysql",
    "mariadb": "mysql+pymysql",
    "mariadb+pymysql": "mysql+pymysql",
}

_NAME, _SOCKET = re.compile(r"[\w .-]{1,60}", re.ASCII), re.compile(r"/[\w ./-]{1,200}", re.ASCII)

_OPTIONS = {
    "postgresql": {
        "sslmode": re.compile(r"disable|allow|prefer|require|verify-ca|verify-full"),
        "application_name": _NAME,
        "host": _SOCKET,
    },
    "mysql": {"charset": re.compile(r"[a-z0-9]{1,20}"), "unix_socket": _SOCKET},
}

_CONNECT: dict[str, dict[str, Any]] = {
    "postgresql": {"connect_timeout": CONNECT_SECONDS},
    # A server may ask its client for any file; ours has none to give.
    "mysql": {"connect_timeout": CONNECT_SECONDS, "read_timeout": ANSWER_SECONDS, "local_infile": False},
}

_SESSION = {
    "postgresql": (
        "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
        f"SET statement_timeout = '{ANSWER_SECONDS}s'",
        f"SET lock_timeout = '{CONNECT_SECONDS}s'",
    ),
    "mysql": ("SET SESSION TRANSACTION READ ONLY",),
}

_BEGIN = {"postgresql": "SET TRANSACTION READ ONLY", "mysql": "START TRANSACTION READ ONLY"}

_ASKS_FOR_PASSWORD = re.compile(r"no password supplied|password authentication failed|\b1045\b")


@contextmanager
def open_server(address: Address, progress: Progress = SILENT) -> "Iterator[Server]":
    """Open the database of an address; raises UnreadableFile, and ImportError when a package is not installed.

    Told to stop, it breaks off whatever the server is doing, and raises Cancelled.
    """
    import sqlalchemy
    from sqlalchemy.exc import SQLAlchemyError
    from sqlalchemy.pool import NullPool

    url = _url(address)
    dialect = url.get_backend_name()
    engine = sqlalchemy.create_engine(url, connect_args=_CONNECT[dialect], poolclass=NullPool)
    try:
        with engine.connect() as connection:
            try:
                with _broken_off_when_told(connection, progress):
                    _hold_to_reading(connection, dialect)
                    yield Server(address.place, dialect, connection)
            finally:
                connection.invalidate()  # hangs up; a polite good-bye would wait for an answer
    except (SQLAlchemyError, RuntimeError, OSError, UnicodeError) as error:
        progress.check()
        # Its words may hold rows, or the password.
        raise _no_answer(address, error) from None
    finally:
        engine.dispose()


def _url(address: Address) -> Any:
    """Give the address in SQLAlchemy's form; raises UnreadableFile for drivers and options that are not known."""
    import sqlalchemy

    driver = _DRIVERS.get(address.driver)
    if driver is None:
        raise UnreadableFile(
            message("Databases of the kind “{driver}” cannot be opened.", driver=address.driver),
            "PostgreSQL, MySQL and MariaDB can: postgresql://user@host/database, mysql://user@host/database.",
        )
    known = _OPTIONS[driver.partition("+")[0]]
    for name, value in address.options:
        if name not in known or not known[name].fullmatch(value):
            raise UnreadableFile(
                message("The option “{name}” of the address is not one that can be used.", name=name),
                message("These can: {names}.", names=list(known)),
            )
    return sqlalchemy.URL.create(
        driver,
        username=address.user or None,
        password=address.password or None,
        host=address.host or None,
        port=address.port,
        database=address.database or None,
        query=dict(address.options),
    )


def _hold_to_reading(connection: "Connection", dialect: str) -> None:
    """Make the session, and the transaction the questions are asked in, one that cannot write."""
    for sentence in _SESSION[dialect]:
        connection.exec_driver_sql(sentence)
    connection.commit()
    connection.exec_driver_sql(_BEGIN[dialect])


@contextmanager
def _broken_off_when_told(connection: "Connection", progress: Progress) -> Iterator[None]:
    """Watch for the wish to stop on a thread of its own: whoever waits for a server hears nothing."""
    driver, is_done = connection.connection.dbapi_connection, threading.Event()

    def watch() -> None:
        while not is_done.wait(_LOOK_EVERY_S):
            if progress.is_cancelled():
                _hang_up(driver)
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        is_done.set()
        watcher.join()


def _hang_up(driver: Any) -> None:
    """Close the line under whoever waits on it; the drivers offer nothing better that another thread may call."""
    with contextlib.suppress(Exception):
        handle = driver.fileno() if hasattr(driver, "fileno") else driver._sock.fileno()
        with socket.socket(fileno=os.dup(handle)) as line:
            line.shutdown(socket.SHUT_RDWR)


def _no_answer(address: Address, error: Exception) -> UnreadableFile:
    if _ASKS_FOR_PASSWORD.search(str(error)):
        return PasswordNeeded(address)
    return UnreadableFile(
        message("The database “{title}” did not answer.", title=address.place),
        "Check the address, the password and the query.",
    )


@dataclass(frozen=True, slots=True)
class Server:
    """A connection that is only asked."""

    title: str
    dialect: str
    connection: "Connection"

    def tables(self) -> tuple[str, ...]:
        """List tables and views."""
        import sqlalchemy

        found = sqlalchemy.inspect(self.connection)
        return tuple(dict.fromkeys([*found.get_table_names(), *found.get_view_names()]))

    def table(self, name: str) -> "ServerRows":
        """Ask for all rows of a table; its name is quoted as the database wants it."""
        import sqlalchemy

        question = sqlalchemy.select(sqlalchemy.text("*")).select_from(sqlalchemy.table(name))
        return ServerRows(self.connection.execution_options(stream_results=True).execute(question))

    def query(self, question: str) -> "ServerRows":
        """Ask a question that was checked, as it is: no character of it is a place for a value."""
        plain = self.connection.execution_options(stream_results=True, no_parameters=True)
        return ServerRows(plain.exec_driver_sql(question))


class ServerRows:
    """The answer to a question, row by row."""

    def __init__(self, result: "CursorResult[tuple[object, ...]]") -> None:
        self._result = result
        self.names = [str(name) for name in result.keys()]  # noqa: SIM118

    def some(self, most: int) -> Sequence[Row]:
        """Give the next rows, none at the end."""
        return self._result.fetchmany(most)


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

    def accepts(self, source: TableAddress, head: bytes) -> bool:
        """Know an address by its colon and slashes."""
        return "://" in str(source)

    def parts(self, source: TableAddress) -> tuple[str, ...]:
        """List tables and views."""
        with _opened(source, SILENT) as database:
            return database.tables()

    def sniff(self, source: TableAddress) -> ReadOptions:
        """Propose the first table."""
        with _opened(source, SILENT) as database:
            return first_table(database)

    def read(
        self, source: TableAddress, options: ReadOptions, progress: Progress, limit: int | None
    ) -> tuple[Table, ReadReport]:
        """Read a table or the answer to a query, or its first `limit` rows."""
        with _opened(source, progress) as database:
            return read_query(database, self.name, options, progress, limit, _MOST_CELLS)


@contextmanager
def _opened(source: TableAddress, progress: Progress) -> Iterator[Database]:
    """Open the database of an address; raises UnreadableFile, of its sort PasswordNeeded and MissingExtra."""

    address = with_known_password(parse_address(str(source)))
    try:
        with open_server(address, progress) as database:
            yield database
    except ImportError:
        raise MissingExtra(
            "Database servers need the package SQLAlchemy and a driver, which are not installed.",
            "Install them with: pip install 'anonymizer-gui[database]'",
        ) from None
