"""The ledger remembers releases without identities and finds releases that disclose together."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from anonymizer_gui.engine.errors import BadParameter, UnreadableFile
from anonymizer_gui.engine.releases.ledger import Ledger, key_check, person_keys, released_classes
from anonymizer_gui.engine.rooms.microdata.intersection import ReleasedClasses
from anonymizer_gui.engine.shapes.tables.table import MISSING, Table

KEY = bytes(range(32))
PEOPLE = ["Ada", "Bruno", "Chiara", "Dario"]
A = Table.from_rows(["Age", "Disease"], [["<30", d] for d in ("AIDS", "Heart", "Viral", "Viral")])
B = Table.from_rows(["Age", "Disease"], [["<35", d] for d in ("AIDS", "Tuberculosis", "Flu", "Cancer")])


def keys(people: list[str]) -> object:
    return person_keys(Table.from_rows(["name"], [[p] for p in people]), KEY)


def a_ledger(folder: Path) -> Ledger:
    ledger = Ledger(folder / "ledger.sqlite")
    ledger.remember(
        released_classes("A", A, ["Age"], ["Disease"], keys(PEOPLE)),  # type: ignore[arg-type]
        created="2026-01-01",
        sha256="ab" * 32,
        figures={"k": 4},
    )
    return ledger


def test_a_remembered_release_comes_back_with_its_figures(tmp_path: Path) -> None:
    (entry,) = a_ledger(tmp_path).entries()
    assert (entry.name, entry.created, entry.figures["k"]) == ("A", "2026-01-01", 4)


def test_a_ledger_that_was_never_written_is_empty(tmp_path: Path) -> None:
    assert Ledger(tmp_path / "none.sqlite").entries() == ()
    assert not (tmp_path / "none.sqlite").exists()


def test_the_second_release_of_the_same_people_is_found_to_disclose(tmp_path: Path) -> None:
    new = released_classes("B", B, ["Age"], ["Disease"], keys(["Ada", "x1", "x2", "x3"]))  # type: ignore[arg-type]
    (meeting,) = a_ledger(tmp_path).meetings(new, k=4, least_values=2)
    assert (meeting.people, meeting.below_l, meeting.fewest_values, meeting.below_k) == (1, 1, 1, 1)


def test_the_ledger_holds_no_identity(tmp_path: Path) -> None:
    content = a_ledger(tmp_path).path.read_bytes()
    assert b"Heart" in content
    assert not any(person.encode() in content for person in PEOPLE)


def test_others_on_the_machine_cannot_read_the_ledger(tmp_path: Path) -> None:
    assert a_ledger(tmp_path).path.stat().st_mode & 0o077 == 0


def test_the_same_release_is_remembered_once(tmp_path: Path) -> None:
    ledger = a_ledger(tmp_path)
    assert len(a_ledger(tmp_path).entries()) == 1
    ledger.forget(ledger.entries()[0].id)
    assert ledger.entries() == ()
    assert b"Heart" not in ledger.path.read_bytes()


def test_people_whose_identifier_is_missing_are_nobody(tmp_path: Path) -> None:
    nobody = keys([MISSING, MISSING, "x2", "x3"])
    ledger = Ledger(tmp_path / "ledger.sqlite")
    ledger.remember(released_classes("A", A, ["Age"], ["Disease"], nobody), "", "ab", {})  # type: ignore[arg-type]
    (meeting,) = ledger.meetings(
        released_classes("B", B, ["Age"], ["Disease"], nobody),
        k=2,
        least_values=1,  # type: ignore[arg-type]
    )
    assert meeting.people == 2


def test_people_without_an_identifier_cannot_be_matched() -> None:
    with pytest.raises(BadParameter, match="identifying column"):
        person_keys(Table((), 3), KEY)


def test_a_foreign_file_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE t (x)")
    database.close()
    with pytest.raises(UnreadableFile, match="not a ledger"):
        Ledger(path).entries()
    path.write_text("just text, long enough not to be an empty database file")
    with pytest.raises(UnreadableFile, match="cannot be used"):
        Ledger(path).entries()


def new_release() -> ReleasedClasses:
    return released_classes("B", B, ["Age"], ["Disease"], keys(["Ada", "x1", "x2", "x3"]))  # type: ignore[arg-type]


@pytest.mark.parametrize("column", ["people", "classes", "matched_by", "created", "figures"])
def test_a_ledger_whose_content_is_damaged_is_never_compared_with(tmp_path: Path, column: str) -> None:
    ledger = a_ledger(tmp_path)
    with sqlite3.connect(ledger.path) as database:
        database.execute(f"UPDATE releases SET {column} = substr({column}, 5)")
    database.close()
    with pytest.raises(UnreadableFile, match="damaged"):
        ledger.meetings(new_release(), k=4, least_values=2)


def test_a_ledger_whose_values_are_damaged_is_never_compared_with(tmp_path: Path) -> None:
    ledger = a_ledger(tmp_path)
    with sqlite3.connect(ledger.path) as database:
        database.execute("DELETE FROM held")
    database.close()
    with pytest.raises(UnreadableFile, match="damaged"):
        ledger.meetings(new_release(), k=4, least_values=2)


def test_a_ledger_in_use_is_told_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = a_ledger(tmp_path)
    connect = sqlite3.connect
    with closing(connect(ledger.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        monkeypatch.setattr(sqlite3, "connect", lambda path: connect(path, timeout=0))
        with pytest.raises(UnreadableFile, match="in use by another program"):
            ledger.entries()


def test_people_remembered_with_another_key_cannot_be_told_and_that_blocks(tmp_path: Path) -> None:
    other_key = replace(new_release(), key_check=key_check(bytes(32)))
    (meeting,) = a_ledger(tmp_path).meetings(other_key, k=4, least_values=2)
    assert not meeting.is_harmless
    assert "another key" in meeting.sentence()


def test_people_matched_by_other_columns_can_be_told_only_when_some_are_found(tmp_path: Path) -> None:
    strangers = released_classes("B", B, ["Age"], ["Disease"], keys(["x1", "x2", "x3", "x4"]))  # type: ignore[arg-type]
    (nobody,) = a_ledger(tmp_path).meetings(replace(strangers, matched_by=("ssn",)), k=1, least_values=1)
    (somebody,) = a_ledger(tmp_path).meetings(replace(new_release(), matched_by=("person",)), k=1, least_values=1)
    assert (nobody.is_harmless, nobody.is_comparable) == (False, False)
    assert (somebody.is_harmless, somebody.people) == (True, 1)
