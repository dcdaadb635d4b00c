"""The ledger of releases: what left the house, so that the next release can be checked against it.

A SQLite file the user chooses. It holds figures and the published class structure of each release; people stand in
it as keyed hashes of their identifiers, so neither identities nor unpublished values can be read from it.
"""

import contextlib
import hashlib
import hmac
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.errors import AnonymizerError, BadParameter, UnreadableFile, UnwritableFile
from anonymizer_gui.engine.files.regular import open_regular
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.microdata.intersection import HeldValues, Keys, Meeting, ReleasedClasses, meet
from anonymizer_gui.engine.shapes.tables.classes import Histogram, classes_of
from anonymizer_gui.engine.shapes.tables.table import MISSING, Table
from anonymizer_gui.engine.words import say

_FORMAT = 3
_KEY_BYTES = 16
_PEOPLE_AT_ONCE = 1 << 16
_TABLES = """
CREATE TABLE releases (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, created TEXT NOT NULL, sha256 TEXT NOT NULL,
    figures TEXT NOT NULL, people BLOB NOT NULL, classes BLOB NOT NULL, key_check TEXT NOT NULL,
    matched_by TEXT NOT NULL, digest TEXT NOT NULL);
CREATE TABLE held (
    release INTEGER NOT NULL, column TEXT NOT NULL, labels TEXT NOT NULL, classes BLOB NOT NULL, value BLOB NOT NULL);
"""
_ENTRY = ("name", "created", "sha256", "figures", "people", "classes", "key_check", "matched_by")
_NUMBERS = np.dtype("<i4")


class Overtaken(AnonymizerError):
    """The ledger knows a release by now that was not there when this one was checked."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One release the ledger remembers."""

    id: int
    name: str
    created: str
    sha256: str
    figures: Mapping[str, Json]


def person_keys(identifiers: Table, key: bytes, progress: Progress = SILENT) -> Keys:
    """Give every row a keyed hash of its identifiers; equal people get equal keys.

    A row without any identifier gets an empty key: nobody can be matched by what is missing.
    """
    if not identifiers.columns:
        raise BadParameter(
            "People can be matched across releases only by an identifying column.",
            "Tag the column that identifies a person as EI.",
        )
    people = classes_of(identifiers, identifiers.names)
    hashes = np.zeros(len(people), dtype=f"S{_KEY_BYTES}")
    for start in range(0, len(people), _PEOPLE_AT_ONCE):
        progress(start / len(people), "Looking for people who were released before")
        some = people.first_rows[start : start + _PEOPLE_AT_ONCE]
        parts = [np.asarray(column.labels, dtype=object)[column.codes[some]] for column in identifiers.columns]
        hashes[start : start + len(some)] = [_person_key(texts, key) for texts in zip(*parts, strict=True)]
    return hashes[people.ids]


def _person_key(texts: Sequence[str], key: bytes) -> bytes:
    if all(text == MISSING for text in texts):
        return b""
    # No hash may end in a zero byte: fixed-length texts lose it, and an empty key means nobody.
    return hmac.digest(key, "\0".join(texts).encode(), "sha256")[: _KEY_BYTES - 1] + b"\1"


def key_check(key: bytes) -> str:
    """Give what tells one key from another and nothing else about it."""
    return hmac.digest(key, b"the key of this ledger", "sha256").hex()


def released_classes(
    name: str, published: Table, qis: Sequence[str], sas: Sequence[str], keys: Keys
) -> ReleasedClasses:
    """Take from a published table what the ledger remembers; `keys` holds the person of each published row."""
    classes = classes_of(published, qis)
    values = {}
    for sa in sas:
        column = published.column(sa).compact()
        counted = Histogram.count(classes.ids, len(classes), column.codes, len(column.labels))
        values[sa] = HeldValues(column.labels, counted.groups, counted.values)
    known = keys != b""
    order = np.lexsort((classes.ids[known], keys[known]))  # the order of the rows would tell about the file
    return ReleasedClasses(name, keys[known][order], classes.ids[known][order], values)


@dataclass(frozen=True, slots=True)
class Ledger:
    """The ledger in one file; made when it is first written."""

    path: Path

    def entries(self) -> tuple[Entry, ...]:
        """List the releases, oldest first."""
        if not self.path.exists():
            return ()
        with self._open() as database:
            rows = database.execute("SELECT id, name, created, sha256, figures FROM releases ORDER BY id").fetchall()
            return tuple(Entry(row[0], row[1], row[2], row[3], json.loads(row[4])) for row in rows)

    def last(self) -> int:
        """Give the number of the newest release, 0 when there is none."""
        return max((entry.id for entry in self.entries()), default=0)

    def remember(
        self,
        released: ReleasedClasses,
        created: str,
        sha256: str,
        figures: Mapping[str, Json],
        *,
        after: int | None = None,
    ) -> int | None:
        """Write a release into the ledger, whole or not at all; give its number, or None when it is in there already.

        Raises UnreadableFile, UnwritableFile, and Overtaken when there is a newer release than the one numbered
        `after`, which this one was not compared with.
        """
        self._make_private()
        with self._open() as database:
            database.execute("BEGIN IMMEDIATE")
            newest = database.execute("SELECT max(id) FROM releases").fetchone()[0] or 0
            if after is not None and newest > after:
                raise Overtaken("Another release has been entered into the ledger meanwhile.", "Export once more.")
            if database.execute("SELECT 1 FROM releases WHERE sha256 = ?", (sha256,)).fetchone():
                return None
            entry = _stored(released, created, sha256, figures)
            held = [
                (column, json.dumps(held.labels), _blob(held.classes), _blob(held.values))
                for column, held in released.values.items()
            ]
            release = database.execute(
                f"INSERT INTO releases ({', '.join(_ENTRY)}, digest) VALUES ({'?, ' * len(_ENTRY)}?)",
                (*entry, _digest(entry, held)),
            ).lastrowid
            database.executemany("INSERT INTO held VALUES (?, ?, ?, ?, ?)", ((release, *row) for row in held))
            database.commit()
        return release

    def forget(self, number: int) -> None:
        """Take a release out that did not leave after all."""
        with self._open() as database:
            database.execute("DELETE FROM releases WHERE id = ?", (number,))
            database.execute("DELETE FROM held WHERE release = ?", (number,))
            database.commit()

    def meetings(
        self, new: ReleasedClasses, *, k: int, least_values: int, progress: Progress = SILENT
    ) -> tuple[Meeting, ...]:
        """Run the intersection attack of a new release with every earlier one, and with all of them together."""
        earlier = []
        entries = self.entries()
        for number, entry in enumerate(entries):
            progress(0.3 * number / len(entries), "Reading earlier releases")
            earlier.append(self._released(entry))
        return meet(new, earlier, k=k, least_values=least_values, progress=progress.sub(0.3, 1.0))

    def _released(self, entry: Entry) -> ReleasedClasses:
        """Read a release back; one that is not what was written is never compared with."""
        with self._open() as database:
            *stored, digest = database.execute(
                f"SELECT {', '.join(_ENTRY)}, digest FROM releases WHERE id = ?", (entry.id,)
            ).fetchone()
            held = database.execute(
                "SELECT column, labels, classes, value FROM held WHERE release = ? ORDER BY rowid", (entry.id,)
            ).fetchall()
            if _digest(stored, held) != digest:
                raise ValueError
        people, classes, check, columns = stored[4:]
        return ReleasedClasses(
            entry.name,
            np.frombuffer(people, dtype=f"S{_KEY_BYTES}"),
            _numbers(classes),
            {row[0]: HeldValues(tuple(json.loads(row[1])), _numbers(row[2]), _numbers(row[3])) for row in held},
            check,
            tuple(json.loads(columns)),
        )

    def _make_private(self) -> None:
        """Make the file so that only its owner can read it."""
        try:
            with contextlib.suppress(FileExistsError):
                os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except OSError as error:
            raise UnwritableFile(
                say(
                    "The ledger “{name}” cannot be written: {reason}.",
                    name=self.path.name,
                    reason=error.strerror or say("unknown reason"),
                ),
                "Choose another file for the ledger.",
            ) from None

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        if self.path.exists():
            open_regular(self.path).close()  # a pipe would keep us waiting
        try:
            with closing(sqlite3.connect(self.path)) as database:
                self._prepare(database)
                yield database
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise self._unusable(error) from None

    def _unusable(self, error: Exception) -> UnreadableFile:
        code = getattr(error, "sqlite_errorcode", None)  # without one the text quotes what is stored
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            wait = "Wait until that is done, then try again."
            return UnreadableFile(say("The ledger “{name}” is in use by another program.", name=self.path.name), wait)
        return UnreadableFile(
            say(
                "The ledger “{name}” cannot be used, it is damaged."
                if code is None
                else "The ledger “{name}” cannot be used: {reason}.",
                name=self.path.name,
                reason=str(error),
            ),
            "Take a copy that is whole, or choose another file for the ledger.",
        )

    def _prepare(self, database: sqlite3.Connection) -> None:
        version = database.execute("PRAGMA user_version").fetchone()[0]
        tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if version == 0 and tables == 0:
            database.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {_FORMAT}; COMMIT;")
        elif version != _FORMAT:
            raise UnreadableFile(
                say("“{name}” is not a ledger this version understands.", name=self.path.name),
                "Choose another file for the ledger.",
            )
        database.execute("PRAGMA secure_delete = ON")


def _stored(
    released: ReleasedClasses, created: str, sha256: str, figures: Mapping[str, Json]
) -> tuple[str | bytes, ...]:
    """Give what is written of a release, in the order of the columns of its table."""
    keys = released.keys.astype(f"S{_KEY_BYTES}").tobytes()
    told = json.dumps(figures, sort_keys=True)
    matched_by = json.dumps(released.matched_by)
    return (released.name, created, sha256, told, keys, _blob(released.class_of_key), released.key_check, matched_by)


def _digest(entry: Sequence[str | bytes], held: Sequence[Sequence[str | bytes]]) -> str:
    """Give the SHA-256 of all that is written of a release, so that damage is found and no attack overlooked."""
    digest = hashlib.sha256()
    for part in (*entry, *(part for row in held for part in row)):
        content = part.encode() if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "big") + content)
    return digest.hexdigest()


def _blob(numbers: npt.NDArray[np.int64]) -> bytes:
    return numbers.astype(_NUMBERS).tobytes()


def _numbers(blob: bytes) -> npt.NDArray[np.int64]:
    return np.frombuffer(blob, dtype=_NUMBERS).astype(np.int64)
