"""The file of a ledger, opened so that a stranger's cannot do harm: plain tables only, and an end to everything.

A database can hold views that never end, triggers and functions that run. So only the tables a ledger is made of are
read, with exactly the declarations the program writes, and every query is stopped that takes too many steps.
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from anonymizer_gui.engine.core.errors import UnreadableFile, UnwritableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.storage.safe_open import open_regular

FORMAT = 4
TABLES = {
    "entries": (
        "CREATE TABLE entries (id INTEGER PRIMARY KEY AUTOINCREMENT, room TEXT NOT NULL, subject TEXT, spend TEXT, "
        "name TEXT NOT NULL, created TEXT NOT NULL, sha256 TEXT NOT NULL, figures TEXT NOT NULL, "
        "sealed_by TEXT NOT NULL, previous TEXT NOT NULL, mac TEXT NOT NULL, withdrawn TEXT)"
    ),
    "parts": (
        "CREATE TABLE parts (entry INTEGER NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL, "
        "PRIMARY KEY (entry, name))"
    ),
    "head": (
        "CREATE TABLE head (ledger TEXT NOT NULL, entries INTEGER NOT NULL, mac TEXT NOT NULL, "
        "sealed_by TEXT NOT NULL, seal TEXT NOT NULL)"
    ),
}
"""The tables of a ledger, with the text each is declared by."""
EARLIER_FORMAT = 3
EARLIER_TABLES = {
    "releases": (
        "CREATE TABLE releases ( id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, created TEXT NOT NULL, "
        "sha256 TEXT NOT NULL, figures TEXT NOT NULL, people BLOB NOT NULL, classes BLOB NOT NULL, "
        "key_check TEXT NOT NULL, matched_by TEXT NOT NULL, digest TEXT NOT NULL)"
    ),
    "held": (
        "CREATE TABLE held ( release INTEGER NOT NULL, column TEXT NOT NULL, labels TEXT NOT NULL, "
        "classes BLOB NOT NULL, value BLOB NOT NULL)"
    ),
}
MAX_ENTRIES = 100_000
MAX_ENTRY_BYTES = 2 << 30
_LARGEST_BYTES = 8 << 30
_STEPS_AT_ONCE = 1 << 16
_MOST_STEPS = 1 << 15
"""How often a query may be asked whether it goes on: two thousand million steps in all."""
_DESCRIPTION = 200


class NotALedger(Exception):
    """The file holds something else than a ledger does."""


def exists(path: Path) -> bool:
    """Tell whether there is a ledger that something was written into."""
    return path.exists() and (not path.is_file() or path.stat().st_size > 0)


@contextmanager
def open_ledger(path: Path, progress: Progress = SILENT) -> Iterator[sqlite3.Connection]:
    """Open a ledger, made anew where the file is empty; what is wrong with it comes as one sentence.

    Raises UnreadableFile, and Cancelled when the user asked to stop.
    """
    if path.exists():
        refuse_huge(path)
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            guard_connection(database, progress)
            _prepare(database)
            yield database
    except NotALedger:
        raise UnreadableFile(
            message("“{name}” is not a ledger this version understands.", name=path.name),
            "Choose another file for the ledger.",
        ) from None
    except (sqlite3.Error, ValueError, TypeError, KeyError, OverflowError) as error:
        progress.check()
        raise _unusable(path, error) from None


def make_private(path: Path) -> None:
    """Make the file so that only its owner can read it; raises UnwritableFile."""
    try:
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise UnwritableFile(
            message(
                "The ledger “{name}” cannot be written: {reason}.",
                name=path.name,
                reason=error.strerror or message("unknown reason"),
            ),
            "Choose another file for the ledger.",
        ) from None


def format_version(database: sqlite3.Connection) -> int:
    """Give the format a ledger is written in."""
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def make_tables(database: sqlite3.Connection) -> None:
    """Make the tables of a new ledger, within a transaction that is open."""
    for declaration in TABLES.values():
        database.execute(declaration)
    database.execute(f"PRAGMA user_version = {FORMAT}")


def refuse_huge(path: Path) -> None:
    with open_regular(path) as file:  # a pipe would keep us waiting
        if os.fstat(file.fileno()).st_size > _LARGEST_BYTES:
            raise UnreadableFile(
                message("The ledger “{name}” is larger than any ledger is.", name=path.name), "Choose another file."
            )


def guard_connection(database: sqlite3.Connection, progress: Progress) -> None:
    """Let nothing in the file run by itself, and end what takes too long."""
    left = [_MOST_STEPS]

    def stops() -> bool:
        left[0] -= 1
        return left[0] < 0 or progress.is_cancelled()

    database.set_progress_handler(stops, _STEPS_AT_ONCE)
    for setting in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "secure_delete = ON"):
        database.execute(f"PRAGMA {setting}")


def _prepare(database: sqlite3.Connection) -> None:
    """Make a new ledger of an empty file; refuse what holds anything but the tables of a ledger."""
    version, known = format_version(database), declared_tables(database)
    if version == 0 and not known:
        database.execute("BEGIN IMMEDIATE")
        if not declared_tables(database):  # another program may have been quicker
            make_tables(database)
        database.execute("COMMIT")
        return
    expected = {FORMAT: TABLES, EARLIER_FORMAT: EARLIER_TABLES}.get(version, {})
    if known != dict(expected):
        raise NotALedger


def declared_tables(database: sqlite3.Connection) -> Mapping[str, str]:
    """Give what is declared in the file, as far as the program of the database does not declare it itself."""
    rows = database.execute("SELECT type, name, sql FROM sqlite_master LIMIT ?", (_DESCRIPTION,)).fetchall()
    if len(rows) == _DESCRIPTION:
        raise NotALedger
    own = [(kind, name, text) for kind, name, text in rows if not _is_internal(kind, name, text)]
    if any(kind != "table" for kind, _, _ in own):
        raise NotALedger
    return {str(name): " ".join(str(text).split()) for _, name, text in own}


def _is_internal(kind: str, name: str, text: str | None) -> bool:
    is_index = kind == "index" and text is None and str(name).startswith("sqlite_autoindex_")
    return is_index or (kind == "table" and name == "sqlite_sequence")


def _unusable(path: Path, error: Exception) -> UnreadableFile:
    code = getattr(error, "sqlite_errorcode", None)  # without one the text quotes what is stored
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        wait = "Wait until that is done, then try again."
        return UnreadableFile(message("The ledger “{name}” is in use by another program.", name=path.name), wait)
    if code == sqlite3.SQLITE_INTERRUPT:
        return UnreadableFile(
            message("The ledger “{name}” has no end.", name=path.name), "Choose another file for the ledger."
        )
    return UnreadableFile(
        message(
            "The ledger “{name}” cannot be used, it is damaged."
            if code is None
            else "The ledger “{name}” cannot be used: {reason}.",
            name=path.name,
            reason=str(error),
        ),
        "Take a copy that is whole, or choose another file for the ledger.",
    )
