"""The ledger of releases: what left the house, so that the next release can be checked against it.

A SQLite file the user chooses. It holds figures and the published class structure of each release; people stand in
it as keyed hashes of their identifiers, so neither identities nor unpublished values can be read from it.
"""

import hashlib
import hmac
import itertools
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.classes import Histogram, classes_of
from anonymizer_gui.engine.errors import BadParameter, UnreadableFile
from anonymizer_gui.engine.intersection import Meeting, ReleasedClasses, meet
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.table import Table

_FORMAT = 1
_TABLES = """
CREATE TABLE releases (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, created TEXT NOT NULL, sha256 TEXT NOT NULL, figures TEXT NOT NULL);
CREATE TABLE classes (release INTEGER NOT NULL, class INTEGER NOT NULL, column TEXT NOT NULL, held TEXT NOT NULL);
CREATE TABLE people (release INTEGER NOT NULL, key TEXT NOT NULL, class INTEGER NOT NULL);
CREATE INDEX people_of_release ON people (release);
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One release the ledger remembers."""

    id: int
    name: str
    created: str
    sha256: str
    figures: Mapping[str, Json]


def person_keys(identifiers: Table, key: bytes) -> npt.NDArray[np.str_]:
    """Give every row a keyed hash of its identifiers; equal people get equal keys."""
    if not identifiers.columns:
        raise BadParameter(
            "People can be matched across releases only by an identifying column.",
            "Tag the column that identifies a person as EI.",
        )
    people = classes_of(identifiers, identifiers.names)
    texts = [[column.labels[column.codes[row]] for column in identifiers.columns] for row in people.first_rows]
    hashes = [hmac.new(key, "\0".join(parts).encode(), hashlib.sha256).hexdigest()[:32] for parts in texts]
    return np.array(hashes, dtype=np.str_)[people.ids] if hashes else np.empty(0, dtype="U32")


def released_classes(
    name: str, published: Table, qis: Sequence[str], sas: Sequence[str], keys: npt.NDArray[np.str_]
) -> ReleasedClasses:
    """Take from a published table what the ledger remembers; `keys` holds the person of each published row."""
    classes = classes_of(published, qis)
    values = {}
    for sa in sas:
        column = published.column(sa)
        counted = Histogram.count(classes.ids, len(classes), column.codes, len(column.labels))
        starts = counted.starts().tolist()
        held = [column.labels[value] for value in counted.values.tolist()]
        values[sa] = tuple(frozenset(held[a:b]) for a, b in itertools.pairwise(starts))
    return ReleasedClasses(name, keys, classes.ids, values)


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

    def remember(self, released: ReleasedClasses, created: str, sha256: str, figures: Mapping[str, Json]) -> None:
        """Write a release into the ledger, whole or not at all."""
        with self._open() as database:
            release = database.execute(
                "INSERT INTO releases (name, created, sha256, figures) VALUES (?, ?, ?, ?)",
                (released.name, created, sha256, json.dumps(figures, sort_keys=True)),
            ).lastrowid
            database.executemany(
                "INSERT INTO classes VALUES (?, ?, ?, ?)",
                (
                    (release, number, column, json.dumps(sorted(held)))
                    for column, classes in released.values.items()
                    for number, held in enumerate(classes)
                ),
            )
            database.executemany(
                "INSERT INTO people VALUES (?, ?, ?)",
                ((release, k, c) for k, c in zip(released.keys.tolist(), released.class_of_key.tolist(), strict=True)),
            )
            database.commit()

    def meetings(
        self, new: ReleasedClasses, *, k: int, least_values: int, progress: Progress = SILENT
    ) -> tuple[Meeting, ...]:
        """Run the intersection attack of a new release with every earlier one."""
        entries = self.entries()
        found = []
        for number, entry in enumerate(entries):
            progress(number / len(entries), "Comparing with earlier releases")
            found.append(meet(new, self._released(entry), k=k, least_values=least_values))
        return tuple(found)

    def _released(self, entry: Entry) -> ReleasedClasses:
        with self._open() as database:
            people = database.execute("SELECT key, class FROM people WHERE release = ?", (entry.id,)).fetchall()
            classes = database.execute(
                "SELECT column, held FROM classes WHERE release = ? ORDER BY column, class", (entry.id,)
            ).fetchall()
        values: dict[str, list[frozenset[str]]] = {}
        for column, held in classes:
            values.setdefault(column, []).append(frozenset(json.loads(held)))
        return ReleasedClasses(
            entry.name,
            np.array([row[0] for row in people], dtype=np.str_),
            np.array([row[1] for row in people], dtype=np.int64),
            {column: tuple(sets) for column, sets in values.items()},
        )

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.path)) as database:
                self._prepare(database)
                yield database
        except sqlite3.Error as error:
            raise UnreadableFile(
                f"The ledger “{self.path.name}” cannot be used: {error}.", "Choose another file for the ledger."
            ) from None

    def _prepare(self, database: sqlite3.Connection) -> None:
        version = database.execute("PRAGMA user_version").fetchone()[0]
        tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if version == 0 and tables == 0:
            database.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {_FORMAT}; COMMIT;")
        elif version != _FORMAT:
            raise UnreadableFile(
                f"“{self.path.name}” is not a ledger this version understands.", "Choose another file for the ledger."
            )
