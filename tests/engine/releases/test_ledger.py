"""The ledger is written whole, sealed and chained; what is changed, removed or put back is found."""

import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from anonymizer_gui.engine.core.errors import Cancelled, UnreadableFile
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.releases.ledger import store
from anonymizer_gui.engine.releases.ledger.chain import key_check
from anonymizer_gui.engine.releases.ledger.releases import (
    LedgerChanged,
    LedgerHead,
    LedgerTampered,
    NewEntry,
    ReleaseLedger,
)

KEY = bytes(range(32))
OTHER = bytes(32)


def entry(name: str, **more: object) -> NewEntry:
    """Give something to enter."""
    plain = NewEntry("microdata", name, "2026-01-01", name * 2, {"k": 4}, {"people": b"hashes", "held": b"Heart"})
    return replace(plain, **more)  # type: ignore[arg-type]


@pytest.fixture
def ledger(tmp_path: Path) -> ReleaseLedger:
    """Give a ledger of three releases."""
    made = ReleaseLedger(tmp_path / "ledger.sqlite")
    for name in ("a", "b", "c"):
        made.enter(entry(name), KEY)
    return made


def change(ledger: ReleaseLedger, statement: str) -> None:
    """Change the file behind the back of the program."""
    with closing(sqlite3.connect(ledger.path)) as database, database:
        database.execute(statement)


def test_what_was_entered_comes_back(ledger: ReleaseLedger) -> None:
    first = ledger.entries()[0]
    assert (first.name, first.created, first.figures["k"], first.parts) == ("a", "2026-01-01", 4, None)
    assert ledger.read(KEY)[0].parts == {"people": b"hashes", "held": b"Heart"}
    assert [entry.name for entry in ledger.read(KEY)] == ["a", "b", "c"]


def test_rooms_that_spend_tell_on_what_and_how_much(ledger: ReleaseLedger) -> None:
    ledger.enter(entry("d", room="statistics", subject="patients", spend='{"epsilon": "0.5"}', parts={}), KEY)
    last = ledger.read(KEY)[-1]
    assert (last.room, last.subject, last.spend) == ("statistics", "patients", '{"epsilon": "0.5"}')


def test_a_ledger_that_was_never_written_is_empty(tmp_path: Path) -> None:
    ledger = ReleaseLedger(tmp_path / "none.sqlite")
    assert (ledger.entries(), ledger.read(KEY), ledger.last(), ledger.head()) == ((), (), 0, LedgerHead())
    assert not ledger.path.exists()


def test_others_on_the_machine_cannot_read_the_ledger(ledger: ReleaseLedger) -> None:
    assert ledger.path.stat().st_mode & 0o077 == 0


def test_the_same_release_is_entered_once(ledger: ReleaseLedger) -> None:
    assert ledger.enter(entry("b"), KEY) is None
    assert len(ledger.entries()) == 3


def test_a_release_taken_back_leaves_nothing_of_itself_and_the_chain_whole(ledger: ReleaseLedger) -> None:
    only = ReleaseLedger(ledger.path.with_name("only.sqlite"))
    number = only.enter(entry("x"), KEY)
    assert number is not None
    only.forget(number, KEY)
    assert only.entries() == ()
    assert b"Heart" not in only.path.read_bytes()
    ledger.forget(2, KEY)
    assert [entry.name for entry in ledger.read(KEY)] == ["a", "c"]
    assert ledger.enter(entry("b"), KEY) == 4


def test_whoever_was_not_compared_with_the_newest_entry_is_not_entered(ledger: ReleaseLedger) -> None:
    with pytest.raises(LedgerChanged):
        ledger.enter(entry("d"), KEY, after=2)
    assert ledger.enter(entry("d"), KEY, after=3) == 4


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET name = 'z' WHERE id = 1",
        "UPDATE entries SET created = 'z' WHERE id = 2",
        "UPDATE entries SET sha256 = 'z' WHERE id = 3",
        "UPDATE entries SET figures = '{}' WHERE id = 1",
        "UPDATE entries SET subject = 'z' WHERE id = 1",
        "UPDATE entries SET spend = 'z' WHERE id = 1",
        "UPDATE entries SET room = 'z' WHERE id = 1",
        "UPDATE entries SET mac = 'z' WHERE id = 1",
        "UPDATE entries SET previous = 'z' WHERE id = 2",
        "UPDATE entries SET withdrawn = 'z' WHERE id = 2",
        "UPDATE parts SET content = X'7a' WHERE entry = 1 AND name = 'held'",
        "DELETE FROM parts WHERE entry = 2",
        "INSERT INTO parts VALUES (3, 'more', X'7a')",
        "DELETE FROM entries WHERE id = 1",
        "DELETE FROM entries WHERE id = 2",
        "DELETE FROM entries WHERE id = 3",
        "DELETE FROM entries",
        "DELETE FROM head",
        "UPDATE head SET seal = 'z'",
        "UPDATE head SET entries = 2",
        "UPDATE head SET sealed_by = 'z'",
        "UPDATE entries SET id = 9 WHERE id = 3",
    ],
)
def test_an_entry_that_was_changed_or_removed_is_found_and_told_in_a_sentence(
    ledger: ReleaseLedger, statement: str
) -> None:
    change(ledger, statement)
    with pytest.raises(LedgerTampered, match=r"(is not what the program wrote|have been removed or put back)\."):
        ledger.read(KEY)
    with pytest.raises(LedgerTampered):
        ledger.enter(entry("d"), KEY)


def test_the_last_entry_cannot_be_cut_off_with_another_key(ledger: ReleaseLedger) -> None:
    change(ledger, "DELETE FROM entries WHERE id = 3")
    change(
        ledger, f"UPDATE head SET entries = 2, mac = (SELECT mac FROM entries WHERE id = 2), sealed_by = '{'0' * 64}'"
    )
    with pytest.raises(LedgerTampered, match="removed or put back"):
        ledger.read(KEY)


def test_an_older_copy_is_found_by_the_certificates_that_have_seen_a_newer_one(ledger: ReleaseLedger) -> None:
    shutil.copyfile(ledger.path, ledger.path.with_suffix(".old"))
    head = ledger.head()
    ledger.enter(entry("d"), KEY)
    seen = [("d.csv", head, "dd"), ("of another ledger", LedgerHead("other", 1, "x"), "yy")]
    ledger.refuse_older_copy(seen)
    shutil.copyfile(ledger.path.with_suffix(".old"), ledger.path)
    ledger.read(KEY)
    with pytest.raises(LedgerTampered, match=r"does not know of “d\.csv”.*older copy"):
        ledger.refuse_older_copy(seen)


def test_an_older_copy_that_grew_again_is_found_too(ledger: ReleaseLedger) -> None:
    shutil.copyfile(ledger.path, ledger.path.with_suffix(".old"))
    ledger.enter(entry("d"), KEY)
    head = ledger.head()
    ledger.enter(entry("e"), KEY)
    shutil.copyfile(ledger.path.with_suffix(".old"), ledger.path)
    ledger.enter(entry("e"), KEY)
    with pytest.raises(LedgerTampered, match="older copy"):
        ledger.refuse_older_copy([("e.csv", head, "ee")])


def test_entries_of_another_key_stand_beside_ours(ledger: ReleaseLedger) -> None:
    ledger.enter(entry("d"), OTHER)
    assert [entry.name for entry in ledger.read(KEY)] == ["a", "b", "c", "d"]
    change(ledger, "UPDATE entries SET name = 'z' WHERE id = 1")
    with pytest.raises(LedgerTampered):
        ledger.read(KEY)
    ledger.read(OTHER)


@pytest.mark.parametrize(
    "changes",
    [
        [("entries", "id = -1", "id = 1"), ("entries", "id = 1", "id = 2"), ("entries", "id = 2", "id = -1")],
        [("entries", "mac = 'z'", "id = 1")],
        [("entries", "previous = 'z'", "id = 2")],
        [("entries", "previous = (SELECT previous FROM entries WHERE id = 1)", "id = 2")],
    ],
    ids=["two of them changed places", "another seal", "another one before", "two that begin the chain"],
)
def test_the_order_of_entries_is_proven_also_by_whoever_has_sealed_only_the_last(
    ledger: ReleaseLedger, changes: list[tuple[str, str, str]]
) -> None:
    ledger.enter(entry("d"), OTHER)
    assert [each.name for each in ledger.read(OTHER)] == ["a", "b", "c", "d"]
    for table, value, where in changes:
        change(ledger, f"UPDATE {table} SET {value} WHERE {where}")
    with pytest.raises(LedgerTampered, match="is not what the program wrote"):
        ledger.read(OTHER)
    with pytest.raises(LedgerTampered):
        ledger.enter(entry("e"), OTHER)


def test_the_head_moves_with_every_entry_and_names_the_ledger(ledger: ReleaseLedger) -> None:
    before = ledger.head()
    ledger.enter(entry("d"), KEY)
    after = ledger.head()
    assert (before.ledger, before.entries, after.entries) == (after.ledger, 3, 4)
    assert before.mac != after.mac
    assert set(after.to_json()) == {"ledger", "entries", "head"}


def test_the_key_cannot_be_read_from_the_ledger(ledger: ReleaseLedger) -> None:
    content = ledger.path.read_bytes()
    assert KEY not in content
    assert KEY.hex().encode() not in content
    assert key_check(KEY) != key_check(OTHER)


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
EARLIER = "SELECT i AS id, '' AS name, '' AS created, '' AS sha256, '{}' AS figures"


def foreign(path: Path, *statements: str) -> ReleaseLedger:
    """Write a database of a stranger."""
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as database, database:
        for statement in statements:
            database.execute(statement)
    return ReleaseLedger(path)


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TABLE t (x)"],
        ["PRAGMA user_version = 3", f"CREATE VIEW releases AS {ENDLESS} {EARLIER} FROM n"],
        ["PRAGMA user_version = 4", f"CREATE VIEW entries AS {ENDLESS} SELECT i AS id FROM n"],
        [*store.TABLES.values(), "PRAGMA user_version = 4", "CREATE VIEW more AS SELECT 1"],
        [
            *store.TABLES.values(),
            "PRAGMA user_version = 4",
            "CREATE TRIGGER t AFTER INSERT ON parts BEGIN DELETE FROM entries; END",
        ],
        [text.replace("room TEXT", "room TEXT CHECK (1)") for text in store.TABLES.values()],
        ["PRAGMA user_version = 99", *store.TABLES.values()],
    ],
    ids=["table", "endless releases", "endless entries", "view", "trigger", "check", "version"],
)
def test_a_stranger_s_database_is_refused_at_once_in_a_sentence(tmp_path: Path, statements: list[str]) -> None:
    ledger = foreign(tmp_path / "other.sqlite", *statements)
    before = time.process_time()
    for ask in (ledger.entries, lambda: ledger.read(KEY), lambda: ledger.enter(entry("a"), KEY)):
        with pytest.raises(UnreadableFile, match="is not a ledger this version understands"):
            ask()
    assert time.process_time() - before < 5


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    path.write_text("just text, long enough not to be an empty database file")
    with pytest.raises(UnreadableFile, match="cannot be used"):
        ReleaseLedger(path).entries()


def test_more_entries_than_any_house_has_are_refused(ledger: ReleaseLedger, monkeypatch: pytest.MonkeyPatch) -> None:
    from anonymizer_gui.engine.releases.ledger import releases as module

    monkeypatch.setattr(module, "MAX_ENTRIES", 2)
    with pytest.raises(UnreadableFile, match="damaged"):
        ledger.entries()


def test_an_entry_larger_than_memory_is_refused(ledger: ReleaseLedger, monkeypatch: pytest.MonkeyPatch) -> None:
    from anonymizer_gui.engine.releases.ledger import releases as module

    monkeypatch.setattr(module, "MAX_ENTRY_BYTES", 5)
    with pytest.raises(UnreadableFile, match="damaged"):
        ledger.read(KEY)


def test_a_query_without_end_is_stopped(ledger: ReleaseLedger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_MOST_STEPS", 3)
    with pytest.raises(UnreadableFile, match="has no end"), store.open_ledger(ledger.path) as database:
        database.execute(f"{ENDLESS} SELECT count(*) FROM n").fetchone()


def test_reading_can_be_stopped(ledger: ReleaseLedger) -> None:
    stopped: list[bool] = []
    progress = Progress(is_cancelled=lambda: bool(stopped))

    def read_on() -> None:
        with store.open_ledger(ledger.path, progress) as database:
            stopped.append(True)
            database.execute(f"{ENDLESS} SELECT count(*) FROM n").fetchone()

    with pytest.raises(Cancelled):
        read_on()


def test_a_huge_file_is_refused(ledger: ReleaseLedger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_LARGEST_BYTES", 100)
    with pytest.raises(UnreadableFile, match="larger than any ledger"):
        ledger.entries()


def test_a_ledger_in_use_is_told_as_such(ledger: ReleaseLedger, monkeypatch: pytest.MonkeyPatch) -> None:
    connect: Callable[..., sqlite3.Connection] = sqlite3.connect
    with closing(connect(ledger.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        monkeypatch.setattr(sqlite3, "connect", lambda path, **more: connect(path, timeout=0, **more))
        with pytest.raises(UnreadableFile, match="in use by another program"):
            ledger.entries()
