"""The ledger of releases, its earlier format, heads recorded in certificates.

A SQLite file the user chooses. It holds figures and what each room keeps of a release; people stand in it as keyed
hashes of their identifiers, so neither identities nor unpublished values can be read from it. Entries are sealed with
the key and chained, and the head of the chain goes into the next certificate: what was changed, removed or put back
is found.
"""

import hashlib
import hmac
import json
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from anonymizer_gui.engine.core import FIRST_ROOM
from anonymizer_gui.engine.core.errors import AnonymizerError, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.releases.certificate import CERTIFICATE, read_certificate
from anonymizer_gui.engine.releases.ledger.chain import (
    FIRST_LINK,
    Entry,
    Link,
    entry_mac,
    head_mac,
    is_intact,
    key_check,
    withdrawn_mac,
)
from anonymizer_gui.engine.releases.ledger.store import (
    EARLIER_FORMAT,
    EARLIER_TABLES,
    MAX_ENTRIES,
    MAX_ENTRY_BYTES,
    exists,
    format_version,
    make_private,
    make_tables,
    open_ledger,
)
from anonymizer_gui.engine.storage.sources import checksum

_ENTRY = ("name", "created", "sha256", "figures", "people", "classes", "key_check", "matched_by")

FORMAT_3_PART = "earlier"
"""The part under which the description stands that names the other parts."""


def entries_of_format_3(database: sqlite3.Connection, *, with_parts: bool) -> Iterator[Entry]:
    """Read the releases of an earlier ledger; raises ValueError for one that is not what was written."""
    numbers = database.execute("SELECT id FROM releases ORDER BY id LIMIT ?", (MAX_ENTRIES,)).fetchall()
    for (number,) in numbers:
        *stored, digest = database.execute(
            f"SELECT {', '.join(_ENTRY)}, digest FROM releases WHERE id = ?", (number,)
        ).fetchone()
        held = database.execute(
            "SELECT column, labels, classes, value FROM held WHERE release = ? ORDER BY rowid", (number,)
        ).fetchall()
        if with_parts and _digest(stored, held) != digest:
            raise ValueError
        name, created, sha256, figures = stored[:4]
        parts = _format_3_parts(stored, held) if with_parts else None
        yield Entry(int(number), FIRST_ROOM, name, created, sha256, json.loads(figures), parts=parts)


def _format_3_parts(stored: Sequence[str | bytes], held: Sequence[Sequence[str | bytes]]) -> dict[str, bytes]:
    """Give what was kept under names that a room knows."""
    described = {
        "key_check": stored[6],
        "matched_by": json.loads(stored[7]),
        "columns": [{"name": row[0], "labels": json.loads(row[1])} for row in held],
    }
    parts = {FORMAT_3_PART: json.dumps(described).encode(), "people": _bytes(stored[4]), "classes": _bytes(stored[5])}
    for number, row in enumerate(held):
        parts[f"classes{number}"], parts[f"values{number}"] = _bytes(row[2]), _bytes(row[3])
    return parts


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else bytes(content)


def _digest(entry: Sequence[str | bytes], held: Sequence[Sequence[str | bytes]]) -> str:
    """Give the SHA-256 of all that was written of a release."""
    digest = hashlib.sha256()
    for part in (*entry, *(part for row in held for part in row)):
        content = _bytes(part)
        digest.update(len(content).to_bytes(8, "big") + content)
    return digest.hexdigest()


_FIELDS = ("id", "room", "name", "created", "sha256", "figures", "subject", "spend")

_LINK = ("sealed_by", "previous", "mac", "withdrawn")


class LedgerChanged(AnonymizerError):
    """The ledger knows a release by now that was not there when this one was checked."""


class LedgerTampered(UnreadableFile):
    """The ledger is not what the program wrote: an entry was changed, removed, or an older copy put in its place."""


@dataclass(frozen=True, slots=True)
class NewEntry:
    """What is to be entered: a release, or a spend."""

    room: str
    name: str
    created: str
    sha256: str
    figures: Mapping[str, Json] = field(default_factory=dict)
    parts: Mapping[str, bytes] = field(default_factory=dict)
    subject: str | None = None
    spend: str | None = None


@dataclass(frozen=True, slots=True)
class LedgerHead:
    """The end of the chain, as the next certificate holds it: which ledger, how many entries, the seal of the last."""

    ledger: str = ""
    entries: int = 0
    mac: str = FIRST_LINK

    def to_json(self) -> dict[str, Json]:
        """Give the head as the certificate holds it."""
        return {"ledger": self.ledger, "entries": self.entries, "head": self.mac}


@dataclass(frozen=True, slots=True)
class ReleaseLedger:
    """The ledger in one file; made when it is first written."""

    path: Path

    def entries(self) -> tuple[Entry, ...]:
        """List what was entered, oldest first, without the parts that rooms keep; nothing is proven by it."""
        if not exists(self.path):
            return ()
        with open_ledger(self.path) as database:
            if format_version(database) == EARLIER_FORMAT:
                return tuple(entries_of_format_3(database, with_parts=False))
            return _standing(_rows(database, with_parts=False))

    def last(self) -> int:
        """Give the number of the newest entry, 0 when there is none."""
        return max((entry.id for entry in self.entries()), default=0)

    def read(self, key: bytes, progress: Progress = SILENT) -> tuple[Entry, ...]:
        """Read all entries with their parts, once it is proven that they are as they were written.

        Raises Tampered when they are not, UnreadableFile.
        """
        if not exists(self.path):
            return ()
        with open_ledger(self.path, progress) as database:
            if format_version(database) == EARLIER_FORMAT:
                return tuple(entries_of_format_3(database, with_parts=True))
            return _standing(self._proven(database, key))

    def head(self) -> LedgerHead:
        """Give the end of the chain; that of a ledger which has none yet is empty."""
        if not exists(self.path):
            return LedgerHead()
        with open_ledger(self.path) as database:
            return LedgerHead() if format_version(database) == EARLIER_FORMAT else _head(database)

    def enter(self, new: NewEntry, key: bytes, *, after: int | None = None) -> int | None:
        """Write an entry, whole or not at all; give its number, or None when a release of that checksum is in there.

        Raises UnreadableFile, UnwritableFile, Tampered, and Overtaken when there is a newer entry than the one
        numbered `after`, which this one was not compared with.
        """
        make_private(self.path)
        with self._writing(key) as database:
            chain = list(_rows(database, with_parts=False))
            newest = max((entry.id for entry, link in chain if link.withdrawn is None), default=0)
            if after is not None and newest > after:
                raise LedgerChanged("Another release has been entered into the ledger meanwhile.", "Export once more.")
            if any(entry.sha256 == new.sha256 and link.withdrawn is None for entry, link in chain):
                return None
            return _add(database, new, chain[-1][1].mac if chain else FIRST_LINK, key)

    @contextmanager
    def entered(self, new: NewEntry, key: bytes, path: Path, *, after: int | None = None) -> Iterator[None]:
        """Hold an entry while the release is put in its place; it is taken out again when it did not get there.

        Raises what `enter` does.
        """
        entry = self.enter(new, key, after=after)
        try:
            yield
        except BaseException:
            if entry is not None and not (path.is_file() and checksum(path) == new.sha256):
                self.forget(entry, key)
            raise

    def forget(self, number: int, key: bytes) -> None:
        """Take a release out that did not leave after all; of it stays that there was one."""
        with self._writing(key) as database:
            database.execute("DELETE FROM parts WHERE entry = ?", (number,))
            for entry, link in list(_rows(database, with_parts=False)):
                if entry.id == number:
                    told = ("", "", "{}", withdrawn_mac(link, key), number)
                    database.execute(
                        "UPDATE entries SET name = ?, sha256 = ?, figures = ?, withdrawn = ? WHERE id = ?", told
                    )

    def refuse_older_copy(self, known: Iterable[tuple[str, LedgerHead, str]]) -> None:
        """Raise Tampered when releases were entered that the ledger does not know: it is an older copy.

        `known` names releases with the head that their certificates hold, and their checksums.
        """
        ledger = self.head().ledger
        mine = [(name, head, sha256) for name, head, sha256 in known if ledger and head.ledger == ledger]
        if not mine:
            return
        with open_ledger(self.path) as database:
            chain = list(_rows(database, with_parts=False))
        macs, checksums = {FIRST_LINK, *(link.mac for _, link in chain)}, {entry.sha256 for entry, _ in chain}
        for name, head, sha256 in mine:
            if head.mac not in macs or sha256 not in checksums:
                raise LedgerTampered(
                    message(
                        "The ledger “{ledger}” does not know of “{name}”, which was entered into it: an older copy "
                        "has been put in its place.",
                        ledger=self.path.name,
                        name=name,
                    ),
                    "Take the newest copy of the ledger.",
                )

    @contextmanager
    def _writing(self, key: bytes) -> Iterator[sqlite3.Connection]:
        """Change the ledger, whole or not at all, once it is proven that it is as it was written; seal it again."""
        with open_ledger(self.path) as database:
            database.execute("BEGIN IMMEDIATE")
            try:
                if format_version(database) == EARLIER_FORMAT:
                    _migrate(database, key)
                self._proven(database, key)
                yield database
                _seal(database, key)
                database.execute("COMMIT")
            finally:
                if database.in_transaction:
                    database.execute("ROLLBACK")

    def _proven(self, database: sqlite3.Connection, key: bytes) -> list[tuple[Entry, Link]]:
        """Read the chain and prove it; raises Tampered."""
        chain = list(_rows(database, with_parts=True))
        if not _is_end(database, chain, key):
            raise LedgerTampered(
                message("Entries of the ledger “{name}” have been removed or put back.", name=self.path.name),
                "Take a copy of the ledger that is whole.",
            )
        if not is_intact(chain, key):
            raise LedgerTampered(
                message("An entry of the ledger “{name}” is not what the program wrote.", name=self.path.name),
                "Take a copy of the ledger that is whole.",
            )
        return chain


def _is_end(database: sqlite3.Connection, chain: Sequence[tuple[Entry, Link]], key: bytes) -> bool:
    """Tell whether the chain ends where its head says; a head is sealed by whoever sealed an entry."""
    head = _head(database)
    if (len(chain), chain[-1][1].mac if chain else FIRST_LINK) != (head.entries, head.mac):
        return False
    if not chain:
        return True
    sealed_by, seal = database.execute("SELECT sealed_by, seal FROM head").fetchone()
    if sealed_by == key_check(key):
        return hmac.compare_digest(str(seal), head_mac(head.ledger, head.entries, head.mac, key))
    return any(link.sealed_by == sealed_by for _, link in chain)


def _standing(chain: Iterable[tuple[Entry, Link]]) -> tuple[Entry, ...]:
    """Leave out what was taken back."""
    return tuple(entry for entry, link in chain if link.withdrawn is None)


def _rows(database: sqlite3.Connection, *, with_parts: bool) -> Iterator[tuple[Entry, Link]]:
    """Read entries and how they hang together, oldest first."""
    asked = f"SELECT {', '.join((*_FIELDS, *_LINK))} FROM entries ORDER BY id LIMIT ?"
    rows = database.execute(asked, (MAX_ENTRIES + 1,)).fetchall()
    if len(rows) > MAX_ENTRIES:
        raise ValueError
    for row in rows:
        told = dict(zip((*_FIELDS, *_LINK), row, strict=True))
        parts = _parts(database, told["id"]) if with_parts else None
        link = Link(**{name: told[name] for name in _LINK})
        figures = json.loads(told["figures"])
        yield Entry(**{name: told[name] for name in _FIELDS} | {"figures": figures}, parts=parts), link


def _parts(database: sqlite3.Connection, number: int) -> dict[str, bytes]:
    size = database.execute("SELECT sum(length(content)) FROM parts WHERE entry = ?", (number,)).fetchone()[0]
    if (size or 0) > MAX_ENTRY_BYTES:
        raise ValueError
    found = database.execute("SELECT name, content FROM parts WHERE entry = ?", (number,)).fetchall()
    return {str(name): bytes(content) for name, content in found}


def _migrate(database: sqlite3.Connection, key: bytes) -> None:
    """Bring a ledger of the version before into the form of this one, and seal what is in it."""
    found = list(entries_of_format_3(database, with_parts=True))
    for table in EARLIER_TABLES:
        database.execute(f"DROP TABLE {table}")
    make_tables(database)
    last = FIRST_LINK
    for entry in found:
        new = {name: getattr(entry, name) for name in NewEntry.__slots__}
        number = _add(database, NewEntry(**new), last, key)
        last = database.execute("SELECT mac FROM entries WHERE id = ?", (number,)).fetchone()[0]
    _seal(database, key)


def _add(database: sqlite3.Connection, new: NewEntry, previous: str, key: bytes) -> int:
    """Put an entry at the end of the chain; give its number."""
    row = database.execute("SELECT seq FROM sqlite_sequence WHERE name = 'entries'").fetchone()
    number = 1 + (int(row[0]) if row else 0)
    entry = Entry(
        number, new.room, new.name, new.created, new.sha256, new.figures, new.subject, new.spend, parts=new.parts
    )
    told = [getattr(entry, name) for name in _FIELDS]
    told[_FIELDS.index("figures")] = json.dumps(new.figures, sort_keys=True)
    link = [key_check(key), previous, entry_mac(entry, previous, key), None]
    places = ", ".join("?" * (len(_FIELDS) + len(_LINK)))
    database.execute(f"INSERT INTO entries ({', '.join((*_FIELDS, *_LINK))}) VALUES ({places})", (*told, *link))
    database.executemany("INSERT INTO parts VALUES (?, ?, ?)", ((number, *part) for part in new.parts.items()))
    return number


def _head(database: sqlite3.Connection) -> LedgerHead:
    row = database.execute("SELECT ledger, entries, mac FROM head").fetchone()
    return LedgerHead(*row) if row else LedgerHead()


def _seal(database: sqlite3.Connection, key: bytes) -> None:
    """Write down how long the chain is now and which entry is its last."""
    rows = database.execute("SELECT mac FROM entries ORDER BY id").fetchall()
    head = replace(_head(database), entries=len(rows), mac=rows[-1][0] if rows else FIRST_LINK)
    head = head if head.ledger else replace(head, ledger=secrets.token_hex(16))
    database.execute("DELETE FROM head")
    seal = head_mac(head.ledger, head.entries, head.mac, key)
    told = (head.ledger, head.entries, head.mac, key_check(key), seal)
    database.execute("INSERT INTO head VALUES (?, ?, ?, ?, ?)", told)


_MOST = 1_000


def heads_in_certificates(folder: Path) -> Iterator[tuple[str, LedgerHead, str]]:
    """Give for the certificates in a folder the release, the head of the ledger they hold, and the checksum."""
    for path in islice(sorted(folder.glob(f"*{CERTIFICATE}")), _MOST):
        with suppress(AnonymizerError, KeyError, TypeError, OSError):
            told, is_unchanged = read_certificate(path)
            head = told.get("ledger")
            if is_unchanged and head:
                seen = LedgerHead(str(head["ledger"]), int(head["entries"]), str(head["head"]))
                yield str(told["release"]["file"]), seen, str(told["release"]["sha256"])
