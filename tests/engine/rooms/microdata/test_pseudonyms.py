"""Pseudonyms hide the raw value, keep equality, and link only under the same key and salt."""

import errno
import os
import re
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter, UnreadableFile, UnwritableFile
from anonymizer_gui.engine.data.tables.table import MISSING, Column
from anonymizer_gui.engine.rooms.microdata.release.pseudonyms import PSEUDONYM_KINDS, pseudonymise
from anonymizer_gui.engine.storage.keys import make_key, read_key

KEY = bytes(range(32))
SALT = "one release"
NAMES = Column.from_texts("ssn", ["900-11-2222", "900-33-4444", "900-11-2222", MISSING])


@pytest.mark.parametrize("way", PSEUDONYM_KINDS)
def test_equal_values_stay_equal_and_raw_values_disappear(way: str) -> None:
    texts = pseudonymise(NAMES, way, KEY, SALT).texts().tolist()
    assert texts[0] == texts[2] != texts[1]
    assert texts[3] == MISSING
    assert not {"900-11-2222", "900-33-4444"} & set(texts)


@pytest.mark.parametrize("way", ["keyed", "digits"])
def test_another_salt_or_key_gives_pseudonyms_that_do_not_link(way: str) -> None:
    first = pseudonymise(NAMES, way, KEY, salt="a").texts()[0]
    assert first == pseudonymise(NAMES, way, KEY, salt="a").texts()[0]
    assert first != pseudonymise(NAMES, way, KEY, salt="b").texts()[0]
    assert first != pseudonymise(NAMES, way, bytes(32), salt="a").texts()[0]


@given(st.sets(st.from_regex(r"[0-9]{2,4}-[0-9]{1,3}", fullmatch=True), min_size=1, max_size=60))
def test_digits_keep_their_form_and_never_collide(raw: set[str]) -> None:
    out = pseudonymise(Column.from_texts("id", sorted(raw)), "digits", KEY, SALT)
    assert len(out.labels) == len(raw)
    assert sorted(re.sub("[0-9]", "0", text) for text in out.labels) == sorted(re.sub("[0-9]", "0", t) for t in raw)


@given(st.sets(st.from_regex(r"[0-9]{2,3}", fullmatch=True), min_size=1, max_size=25))
def test_no_pseudonym_of_digits_is_a_value_of_anybody(raw: set[str]) -> None:
    out = pseudonymise(Column.from_texts("id", sorted(raw)), "digits", KEY, SALT)
    assert len(out.labels) == len(raw)
    assert raw.isdisjoint(out.labels)


def test_a_quarter_of_all_numbers_can_be_replaced_and_no_more() -> None:
    numbers = [f"{number:03d}" for number in range(251)]
    out = pseudonymise(Column.from_texts("id", numbers[:250]), "digits", KEY, SALT)
    assert len(set(out.labels) - set(numbers[:250])) == 250
    with pytest.raises(BadParameter, match="too few numbers of 3 digits"):
        pseudonymise(Column.from_texts("id", numbers), "digits", KEY, SALT)


@pytest.mark.parametrize("way", ["keyed", "digits"])
def test_pseudonyms_that_link_do_not_depend_on_who_else_is_in_the_table(way: str) -> None:
    numbers = [f"{number:06d}" for number in range(0, 400, 3)]
    everybody, some = (Column.from_texts("id", part) for part in (numbers, numbers[50:90]))
    first, second = (pseudonymise(column, way, KEY).texts().tolist() for column in (everybody, some))
    assert first[50:90] == second


@pytest.mark.parametrize(("way", "reason"), [("numbered", "counted anew"), ("digits", "value of another person")])
def test_pseudonyms_that_would_link_the_wrong_people_are_refused(way: str, reason: str) -> None:
    column = Column.from_texts("id", [f"{number:03d}" for number in range(250)])
    with pytest.raises(BadParameter, match=reason):
        pseudonymise(column, way, KEY)


def test_counted_people_do_not_get_the_number_of_another_one() -> None:
    patients = [f"P{number:02d}" for number in range(1, 31)]
    out = pseudonymise(Column.from_texts("id", patients), "numbered", KEY, SALT).texts().tolist()
    assert sorted(out) == [f"P{patient}" for patient in patients]


def test_numbers_count_people_in_an_order_only_the_key_tells() -> None:
    column = Column.from_texts("name", [f"n{i:03d}" for i in range(100)])
    out = pseudonymise(column, "numbered", KEY, SALT).texts().tolist()
    assert sorted(out) == [f"P{i:03d}" for i in range(1, 101)] != out
    assert out != pseudonymise(column, "numbered", bytes(32), SALT).texts().tolist()


@pytest.mark.parametrize("way", PSEUDONYM_KINDS)
def test_pseudonyms_without_a_key_are_refused(way: str) -> None:
    with pytest.raises(BadParameter, match="key file"):
        pseudonymise(NAMES, way, b"")


def test_an_unknown_way_is_refused_with_the_choices() -> None:
    with pytest.raises(BadParameter, match="no pseudonym"):
        pseudonymise(NAMES, "rot13", KEY)


def test_a_key_that_cannot_be_written_in_full_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(UnwritableFile, match="No space left"):
        make_key(tmp_path / "key")
    assert list(tmp_path.iterdir()) == []


def test_a_key_file_is_private_and_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "release.key"
    make_key(path)
    assert len(read_key(path)) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(UnwritableFile, match="never overwritten"):
        make_key(path)


def test_a_file_that_is_no_key_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("hello")
    with pytest.raises(UnreadableFile, match="not a key file"):
        read_key(path)
    with pytest.raises(UnreadableFile, match="There is no file"):
        read_key(tmp_path / "absent")


def test_digits_for_digits_leaves_no_letter_of_an_address() -> None:
    addresses = ["anna.schmidt10@clinic.org", "tom.miller22@clinic.org", "A-1234", "A-9999"]
    replaced = pseudonymise(Column.from_texts("mail", addresses), "digits", KEY, "salt").texts()
    assert not [text for text in replaced if "schmidt" in text or "miller" in text or "A-" in text]
