"""The ledger remembers tables without identities, also those of the version before, and lets new ones meet them."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import BadParameter, UnreadableFile
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.releases.ledger.chain import key_check
from anonymizer_gui.engine.releases.ledger.releases import NewEntry, ReleaseLedger
from anonymizer_gui.engine.rooms.microdata.composition.ledger_records import (
    NewRelease,
    attack_with_ledger,
    ledger_parts,
    new_release_view,
    person_keys,
    person_keys_v1,
    record_parts,
    view_of_record,
)
from anonymizer_gui.engine.rooms.microdata.composition.published_view import PublishedView, ValueOrder
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import TCloseness
from anonymizer_gui.engine.rooms.microdata.project import Publishing
from tests.engine.rooms.microdata.making import hospital_project, hospital_table

KEY = bytes(range(32))
EARLIER = Path(__file__).resolve().parents[4] / "data" / "earlier"
ROWS = [("Ada", "<30", "AIDS"), ("Bo", "<30", "Heart"), ("Cy", "<30", "Viral"), ("Di", "<30", "Viral")]
OTHERS = [("Ada", "<35", "AIDS"), ("x1", "<35", "Flu"), ("x2", "<35", "Cancer"), ("x3", "<35", "Tuberculosis")]


def coming(rows: list[tuple[str, str, str]], key: bytes = KEY) -> NewRelease:
    """Give a release of a column age and a disease, about named people."""
    project = hospital_project(goals=())
    names = [name for name, _, _ in rows]
    original = Table.from_rows(["name"], [[name] for name in names])
    published = Table.from_rows(["age", "zip", "disease"], [[age, "*", disease] for _, age, disease in rows])
    return new_release_view(published, np.arange(len(rows)), original, project, key)


def enter(ledger: ReleaseLedger, new: NewRelease, name: str = "A", key: bytes = KEY) -> None:
    ledger.enter(NewEntry("microdata", name, "", name * 2, {}, ledger_parts(ledger, new, key)), key)


@pytest.fixture
def ledger(tmp_path: Path) -> ReleaseLedger:
    """Give a ledger with one release."""
    made = ReleaseLedger(tmp_path / "ledger.sqlite")
    enter(made, coming(ROWS))
    return made


def test_the_second_release_of_the_same_people_is_found_to_disclose(ledger: ReleaseLedger) -> None:
    meeting = attack_with_ledger(ledger, coming(OTHERS), KEY)
    assert (meeting.people, meeting.fewest_values, meeting.is_harmless) == (1, 1, False)


@pytest.mark.parametrize("name", ["ADA", " ada", "Ad\u00e0".replace("\u00e0", "a"), "\uff21da"])
def test_people_whose_names_are_written_otherwise_are_the_same(ledger: ReleaseLedger, name: str) -> None:
    assert attack_with_ledger(ledger, coming([(name, *OTHERS[0][1:]), *OTHERS[1:]]), KEY).people == 1


def test_values_that_are_written_otherwise_are_the_same(ledger: ReleaseLedger) -> None:
    shouted = [(name, age, disease.upper()) for name, age, disease in OTHERS]
    assert attack_with_ledger(ledger, coming(shouted), KEY).fewest_values == 1


def test_the_ledger_holds_no_identity(ledger: ReleaseLedger) -> None:
    content = ledger.path.read_bytes()
    assert b"Heart" in content
    assert not any(name.encode() in content for name in ("Ada", "Bo\0", "Cy\0"))


def test_people_whose_identifier_is_missing_are_nobody(tmp_path: Path) -> None:
    ledger = ReleaseLedger(tmp_path / "ledger.sqlite")
    nobody = [(MISSING, *row[1:]) for row in ROWS[:2]] + ROWS[2:]
    enter(ledger, coming(nobody))
    assert attack_with_ledger(ledger, coming(nobody), KEY).people == 2


def test_people_without_an_identifier_cannot_be_matched() -> None:
    with pytest.raises(BadParameter, match="identifying column"):
        person_keys(Table((), 3), KEY)


def test_people_remembered_with_another_key_cannot_be_told_and_that_blocks(ledger: ReleaseLedger) -> None:
    other = bytes(32)
    meeting = attack_with_ledger(ledger, coming(OTHERS, other), other)
    assert (meeting.is_harmless, meeting.beside[0].is_comparable) == (False, False)


def test_people_matched_by_other_columns_can_be_told_only_when_some_are_found(ledger: ReleaseLedger) -> None:
    def by(columns: tuple[str, ...], rows: list[tuple[str, str, str]]) -> NewRelease:
        new = coming(rows)
        return replace(new, shown=replace(new.shown, matched_by=columns))

    strangers = [("y", "<35", "Flu"), ("z", "<35", "Cancer")]
    assert not attack_with_ledger(ledger, by(("ssn",), strangers), KEY).is_harmless
    assert attack_with_ledger(ledger, by(("person",), ROWS), KEY).is_harmless
    assert attack_with_ledger(ledger, by(("name",), strangers), KEY).is_harmless


def test_what_is_kept_comes_back_as_it_was(ledger: ReleaseLedger) -> None:
    project = hospital_project(
        goals=(TCloseness(t=0.3, distance="emd-ordered"),),
        publishing=Publishing(pseudonyms=(("name", "keyed"),), linkable=True),
    )
    table = hospital_table()
    new = new_release_view(table, np.arange(table.n_rows), table, project, KEY)
    enter(ledger, new, "B")
    back = view_of_record(ledger.read(KEY)[-1])
    assert back.name == "B"
    assert (back.goals, back.key_check, back.matched_by) == (new.shown.goals, key_check(KEY), ("name",))
    assert back.orders == new.shown.orders
    assert isinstance(back.orders["disease"], ValueOrder)
    assert back.links["name (keyed)"].marks.tolist() == new.shown.links["name (keyed)"].marks.tolist()
    assert back.links["name (keyed)"].entries.tolist() == new.shown.links["name (keyed)"].entries.tolist()
    for mine, theirs in zip(back.values, new.shown.values, strict=True):
        assert (mine.columns, mine.labels) == (theirs.columns, theirs.labels)
        assert mine.classes.tolist() == theirs.classes.tolist()
        assert mine.counts is not None
        assert theirs.counts is not None
        assert mine.counts.tolist() == theirs.counts.tolist()
    assert attack_with_ledger(ledger, new, KEY).is_harmless


def nonsense(shown: PublishedView) -> list[PublishedView]:
    """Give what no table shows."""
    held = shown.values[0]
    assert held.counts is not None
    return [
        replace(shown, classes=shown.classes + (1 << 30)),
        replace(shown, classes=shown.classes[1:]),
        replace(shown, values=(replace(held, classes=held.classes - 9),)),
        replace(shown, values=(replace(held, counts=-held.counts),)),
        replace(shown, values=(replace(held, codes=tuple(codes + 99 for codes in held.codes)),)),
    ]


@pytest.mark.parametrize("which", range(5))
def test_numbers_no_table_has_are_refused_in_a_sentence(tmp_path: Path, which: int) -> None:
    ledger = ReleaseLedger(tmp_path / "ledger.sqlite")
    new = coming(ROWS)
    parts = record_parts(nonsense(new.shown)[which], {})
    ledger.enter(NewEntry("microdata", "A", "", "aa", {}, parts), KEY)
    with pytest.raises(UnreadableFile, match="damaged"):
        attack_with_ledger(ledger, new, KEY)


def test_entries_of_other_rooms_are_nobody_s_classes(ledger: ReleaseLedger) -> None:
    ledger.enter(NewEntry("statistics", "S", "", "ss", {}, {}, "people", "1"), KEY)
    assert len(attack_with_ledger(ledger, coming(OTHERS), KEY).beside) == 1


@pytest.fixture
def earlier(tmp_path: Path) -> ReleaseLedger:
    """Give a ledger of the version before."""
    return ReleaseLedger(Path(shutil.copyfile(EARLIER / "ledger.sqlite", tmp_path / "ledger.sqlite")))


EARLIER_KEY = bytes.fromhex((EARLIER / "key").read_text(encoding="ascii").strip())


def test_an_earlier_ledger_is_read_as_it_is_and_brought_to_this_version_when_it_is_written(
    earlier: ReleaseLedger,
) -> None:
    before = earlier.path.read_bytes()
    names = [entry.name for entry in earlier.entries()]
    assert len(names) == len(earlier.read(EARLIER_KEY)) == 2
    assert earlier.path.read_bytes() == before
    jane = coming([("Jane", "<35", "AIDS"), ("x", "<35", "Flu")], EARLIER_KEY)
    people = [beside.people for beside in attack_with_ledger(earlier, jane, EARLIER_KEY).beside]
    enter(earlier, jane, "C", EARLIER_KEY)
    assert [entry.name for entry in earlier.read(EARLIER_KEY)] == [*names, "C"]
    assert [beside.people for beside in attack_with_ledger(earlier, jane, EARLIER_KEY).beside] == [*people, 2]


def test_an_earlier_ledger_that_was_changed_is_refused(earlier: ReleaseLedger) -> None:
    with closing(sqlite3.connect(earlier.path)) as database, database:
        database.execute("UPDATE releases SET people = substr(people, 17)")
    with pytest.raises(UnreadableFile, match="damaged"):
        earlier.read(EARLIER_KEY)


def test_people_of_an_earlier_ledger_are_found_although_they_were_told_apart_by_capital_letters(
    earlier: ReleaseLedger,
) -> None:
    names = Table.from_rows(["name"], [["Jane"]])
    assert person_keys_v1(names, EARLIER_KEY)[0] != person_keys(names, EARLIER_KEY)[0]
    enter(earlier, coming([("Jane", "<35", "AIDS"), ("x", "<35", "Flu")], EARLIER_KEY), "C", EARLIER_KEY)
    shouted = coming([("JANE", "<35", "AIDS"), ("y", "<35", "Flu")], EARLIER_KEY)
    found = [beside.people for beside in attack_with_ledger(earlier, shouted, EARLIER_KEY).beside]
    assert found[0] == found[2] == 1
