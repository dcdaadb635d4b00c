"""The ledger of budgets: what was spent on which data set, written and synced before anybody sees an answer.

A SQLite file that lasts beside the project. Data sets stand in it as fingerprints keyed with a secret of the ledger,
so that nobody without the ledger can tell which data a fingerprint belongs to; entries are chained by the same secret,
so that one that is changed or missing is found. One writer at a time: two programs cannot spend the same budget twice.
"""

import contextlib
import errno
import hmac
import json
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.dp.accountant import Part, compose_parts
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.releases.ledger.store import (
    NotALedger,
    declared_tables,
    exists,
    guard_connection,
    refuse_huge,
)
from anonymizer_gui.engine.storage.saving import write_error

_APPLICATION = 0x416E6F42
_FORMAT = 1
_KEY_BYTES = 32
_PATIENCE_SECONDS = 30.0
_TABLES = {
    "secret": "CREATE TABLE secret (key BLOB NOT NULL)",
    "entries": (
        "CREATE TABLE entries ( id INTEGER PRIMARY KEY AUTOINCREMENT, subject TEXT NOT NULL, told TEXT NOT NULL, "
        "digest TEXT NOT NULL)"
    ),
    "head": "CREATE TABLE head (entries INTEGER NOT NULL, digest TEXT NOT NULL)",
}
"""The tables of a ledger, with the text each is declared by."""
_SHORTEST_REASON = 3
_REASONS = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EACCES,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
    sqlite3.SQLITE_IOERR: errno.EIO,
}
"""Why a ledger cannot be written, as the operating system would say it."""


@dataclass(frozen=True, slots=True)
class Spend:
    """One spend the ledger remembers: by whom, for what, and the answer it bought."""

    room: str
    unit: str
    ask: str
    key: str
    spend: Budget
    part: Part | None = None
    answer: Json = None
    created: str = ""
    digest: str = ""

    def to_json(self) -> dict[str, Json]:
        """Give what is written of it."""
        plain = {name: getattr(self, name) for name in ("room", "unit", "ask", "key", "part", "answer", "created")}
        return {"kind": "spend", **plain, "spend": self.spend.to_json()}

    @classmethod
    def from_json(cls, told: Mapping[str, Json], digest: str) -> "Spend":
        """Make it again of what was written."""
        plain = {name: told[name] for name in ("room", "unit", "ask", "key", "answer", "created")}
        part = tuple(told["part"]) if told["part"] else None
        return cls(**plain, part=part, spend=Budget.from_json(told["spend"]), digest=digest)


@dataclass(frozen=True, slots=True)
class BudgetAccount:
    """What the ledger knows of one data set since it was last reset: its total, and the spends, oldest first."""

    subject: str
    total: Budget | None = None
    spends: tuple[Spend, ...] = ()
    resets: tuple[Mapping[str, Json], ...] = ()

    @property
    def unit(self) -> PrivacyUnit | None:
        """Who was protected by the spends so far, with the most rows any of them allowed a person."""
        units = [PrivacyUnit.parse(spend.unit) for spend in self.spends]
        return max(units, key=lambda unit: unit.rows, default=None)

    def charged(self, more: tuple[Spend, ...] = ()) -> list[Budget]:
        """Give what must be composed, with further spends; parts of one column count once."""
        every = (*self.spends, *more)
        units = [PrivacyUnit.parse(spend.unit) for spend in every]
        if not units:
            return []
        return compose_parts(((s.spend, s.part) for s in every), max(units, key=lambda unit: unit.rows))

    def find(self, key: str) -> tuple[Spend, ...]:
        """Find the spends on one question."""
        return tuple(spend for spend in self.spends if spend.key == key)


class _NotBegun(Exception):
    """Whoever made the ledger was stopped before it was there: what was half written has just been taken back."""


class OpenAccount:
    """An account while nobody else can spend from it; what is added is kept when all went well."""

    def __init__(self, opened: "_Opened", account: BudgetAccount) -> None:
        self._opened = opened
        self.account = account

    def set_total(self, total: Budget) -> None:
        """Write down what the data set may spend in all."""
        self._add({"kind": "total", "total": total.to_json()})

    def add(self, spend: Spend) -> str:
        """Write a spend; give the digest that names its entry."""
        return self._add(spend.to_json())

    def reset(self, reason: str) -> None:
        """Begin anew; what was spent before stays written, with the reason."""
        self._add({"kind": "reset", "reason": reason})

    def _add(self, told: Mapping[str, Json]) -> str:
        return self._opened.add(self.account.subject, {**told, "created": _now()})


@dataclass(frozen=True, slots=True)
class BudgetLedger:
    """The ledger in one file; made when it is first written."""

    path: Path

    def secret(self) -> bytes:
        """Give the secret data sets are recognised with; made when there is none yet."""
        with self._open(make=True) as opened:
            return opened.key

    def accounts(self) -> tuple[BudgetAccount, ...]:
        """List the data sets; nothing when there is no ledger yet."""
        if not exists(self.path):
            return ()
        try:
            with self._open() as opened:
                return opened.accounts()
        except _NotBegun:
            return ()

    def account(self, subject: str) -> BudgetAccount:
        """Give the account of a data set."""
        return _of(subject, self.accounts())

    def holds(self, digest: str) -> bool:
        """Tell whether an entry is there: one that a certificate names and that is not has been taken out."""
        if not exists(self.path):
            return False
        try:
            with self._open() as opened:
                opened.accounts()
                return opened.holds(digest)
        except _NotBegun:
            return False

    @contextmanager
    def spending(self, subject: str) -> Iterator[OpenAccount]:
        """Let nobody else spend meanwhile; what was added is on the disk when this ends, or nothing of it.

        Raises UnreadableFile when the ledger is damaged or in use, UnwritableFile when it cannot be written.
        """
        with self._open(make=True) as opened:
            opened.execute("BEGIN IMMEDIATE")
            yield OpenAccount(opened, _of(subject, opened.accounts()))
            opened.execute("COMMIT")

    def reset(self, subject: str, reason: str) -> None:
        """Let a data set begin anew, for a reason that is kept; raises BadParameter without one."""
        if len(reason.strip()) < _SHORTEST_REASON:
            raise BadParameter(
                "A budget is reset for a reason only.", "Say why what was spent does not count any more."
            )
        if subject not in [account.subject for account in self.accounts()]:
            raise BadParameter("The ledger knows no such data set.", "Look which ones it knows.")
        with self.spending(subject) as spending:
            spending.reset(reason.strip())

    @contextmanager
    def _open(self, *, make: bool = False) -> Iterator["_Opened"]:
        if make:
            self._make_private()
        refuse_huge(self.path)
        with self._sentences():
            database = sqlite3.connect(self.path, timeout=_PATIENCE_SECONDS, isolation_level=None)
        with closing(database):
            with self._sentences():
                guard_connection(database, SILENT)
                key = self._prepared(database, make=make)
            yield _Opened(database, key, self._sentences)

    def _make_private(self) -> None:
        """Make the file so that only its owner can read it."""
        try:
            with contextlib.suppress(FileExistsError):
                os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except OSError as error:
            raise write_error(self.path, error) from None

    def _prepared(self, database: sqlite3.Connection, *, make: bool) -> bytes:
        """Sync everything that is written, folder included; give the secret, and make it in a new ledger.

        The file may be of a stranger, who could have put something into it that runs or never ends.
        """
        database.execute("PRAGMA synchronous = EXTRA")
        database.execute("PRAGMA fullfsync = ON")
        if not _n_tables(database):
            if make:
                _begin(database)
            elif not database.execute("PRAGMA page_count").fetchone()[0]:
                raise _NotBegun
        is_ours = database.execute("PRAGMA application_id").fetchone()[0] == _APPLICATION
        if not is_ours or database.execute("PRAGMA user_version").fetchone()[0] != _FORMAT:
            raise UnreadableFile(
                message("“{name}” is not a ledger of budgets this version understands.", name=self.path.name),
                "Choose another file for the ledger.",
            )
        if not _is_declared(database):
            raise ValueError
        return bytes(database.execute("SELECT key FROM secret").fetchone()[0])

    @contextmanager
    def _sentences(self) -> Iterator[None]:
        """Turn what the database has to say into sentences; of what else goes wrong nothing is hidden."""
        try:
            yield
        except (sqlite3.Error, KeyError, ValueError, TypeError) as error:
            raise self._unusable(error) from None

    def _unusable(self, error: Exception) -> AnonymizerError:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the reason at large, without its details
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            wait = "Wait until that is done, then try again."
            return UnreadableFile(
                message("The ledger “{name}” is in use by another program.", name=self.path.name), wait
            )
        if code in _REASONS:
            return write_error(self.path, OSError(_REASONS[code], ""))
        return UnreadableFile(
            message("The ledger “{name}” cannot be used, it is damaged.", name=self.path.name),
            "Take a copy that is whole, or choose another file for the ledger.",
        )


@dataclass(frozen=True, slots=True)
class _Opened:
    """The open database; whatever it has to say comes as a sentence."""

    database: sqlite3.Connection
    key: bytes
    sentences: Callable[[], AbstractContextManager[None]]

    def execute(self, statement: str) -> None:
        """Do one thing."""
        with self.sentences():
            self.database.execute(statement)

    def accounts(self) -> tuple[BudgetAccount, ...]:
        """Read every entry."""
        with self.sentences():
            return _accounts(self.database, self.key)

    def holds(self, digest: str) -> bool:
        """Look for an entry."""
        with self.sentences():
            found = self.database.execute("SELECT 1 FROM entries WHERE digest = ?", (digest,)).fetchone()
        return found is not None

    def add(self, subject: str, told: Mapping[str, Json]) -> str:
        """Put an entry at the end of the chain; give its digest."""
        text = json.dumps(told, ensure_ascii=False, sort_keys=True)
        with self.sentences():
            count, last = self.database.execute("SELECT entries, digest FROM head").fetchone()
            digest = _digest(self.key, last, subject, text)
            entry = (subject, text, digest)
            self.database.execute("INSERT INTO entries (subject, told, digest) VALUES (?, ?, ?)", entry)
            self.database.execute("UPDATE head SET entries = ?, digest = ?", (count + 1, digest))
        return digest


def _begin(database: sqlite3.Connection) -> None:
    """Make the tables of a new ledger, unless another program is faster."""
    database.execute("BEGIN IMMEDIATE")
    if not _n_tables(database):
        for statement in _TABLES.values():
            database.execute(statement)
        database.execute("INSERT INTO head VALUES (0, '')")
        database.execute("INSERT INTO secret VALUES (?)", (secrets.token_bytes(_KEY_BYTES),))
        database.execute(f"PRAGMA application_id = {_APPLICATION}")
        database.execute(f"PRAGMA user_version = {_FORMAT}")
    database.execute("COMMIT")


def _n_tables(database: sqlite3.Connection) -> int:
    return int(database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])


def _is_declared(database: sqlite3.Connection) -> bool:
    """Tell whether the file holds the tables of a ledger of budgets and nothing else."""
    try:
        return dict(declared_tables(database)) == _TABLES
    except NotALedger:
        return False


def _of(subject: str, accounts: tuple[BudgetAccount, ...]) -> BudgetAccount:
    return next((account for account in accounts if account.subject == subject), BudgetAccount(subject))


def _accounts(database: sqlite3.Connection, key: bytes) -> tuple[BudgetAccount, ...]:
    """Read every entry along the chain; raises ValueError where one was changed or is missing."""
    accounts: dict[str, BudgetAccount] = {}
    count, last = 0, ""
    for subject, text, digest in database.execute("SELECT subject, told, digest FROM entries ORDER BY id"):
        if not hmac.compare_digest(_digest(key, last, subject, text), digest):
            raise ValueError
        count, last = count + 1, digest
        accounts[subject] = _with_entry(accounts.get(subject, BudgetAccount(subject)), json.loads(text), digest)
    if (count, last) != tuple(database.execute("SELECT entries, digest FROM head").fetchone()):
        raise ValueError
    return tuple(accounts.values())


def _with_entry(account: BudgetAccount, told: dict[str, Any], digest: str) -> BudgetAccount:
    subject, resets = account.subject, account.resets
    if told["kind"] == "reset":
        return BudgetAccount(subject, resets=(*resets, told))
    if told["kind"] == "total":
        return BudgetAccount(subject, Budget.from_json(told["total"]), account.spends, resets)
    return BudgetAccount(subject, account.total, (*account.spends, Spend.from_json(told, digest)), resets)


def _digest(key: bytes, last: str, subject: str, text: str) -> str:
    return hmac.digest(key, json.dumps([last, subject, text]).encode(), "sha256").hex()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
