"""What a search for people in a release finds, and what it does not cry about."""

import numpy as np
import pytest

from anonymizer_gui.engine.data.tables.table import Column, Table
from anonymizer_gui.engine.rooms.microdata.release.residual_identifiers import find_identifiers

PEOPLE = ["Anna Schmidt", "Eric Jones", "María Pérez", "Tom Miller", "Ida Weber", "Olga Braun"]


def found_in(cells: list[str], identifiers: list[str], name: str = "name", unchanged: bool = True) -> list[str]:
    table = Table((Column.from_texts("shown", cells),))
    raw = [Column.from_texts(name, identifiers)]
    plain = ["shown"] if unchanged else []
    return [finding.sentence for finding in find_identifiers(table, np.arange(len(cells)), raw, plain)]


def test_the_full_name_of_another_person_in_a_note_is_found() -> None:
    cells = ["fine", "brought in by Anna  SCHMIDT", "fine", "fine", "fine", "fine"]
    assert found_in(cells, PEOPLE) == ["“shown” shows a value of the identifier “name” in 1 row."]


def test_a_surname_beside_its_own_full_name_is_found() -> None:
    surnames = [person.split()[1] for person in PEOPLE]
    assert found_in(surnames, PEOPLE) == [
        "“shown” shows a part of the identifier “name” of its own row in 6 rows."
    ]  # fmt: skip


def test_a_number_without_its_dashes_is_found() -> None:
    numbers = [f"123-45-67{i:02d}" for i in range(6)]
    assert found_in(["x", "123456701", "x", "x", "x", "x"], numbers, "ssn") == [
        "“shown” shows a value of the identifier “ssn” in 1 row."
    ]


@pytest.mark.parametrize(
    ("cell", "what"),
    [
        ("write to a.b@clinic.org", "an e-mail address"),
        ("see 078-05-1120", "a social security number"),
        ("pay to DE89 3704 0044 0532 0130 00", "a bank account (IBAN)"),
        ("call +49 30 1234567", "a phone number"),
    ],
)
def test_texts_that_look_like_a_person_are_found(cell: str, what: str) -> None:
    assert found_in([cell, "x"], ["1", "2"]) == [f"“shown” holds what looks like {what} in 1 row."]
    assert found_in([cell, "x"], ["1", "2"], unchanged=False) == []


def test_a_name_inside_another_word_is_no_finding() -> None:
    assert found_in(["African-American"] * 6, [person.split()[0] for person in PEOPLE]) == []


def test_a_short_number_inside_a_case_number_is_no_finding() -> None:
    assert found_in([f"A1238-{i}X" for i in range(6)], [str(1235 + i) for i in range(6)], "id") == []


def test_a_word_that_is_a_surname_of_others_by_chance_is_no_finding() -> None:
    rng = np.random.default_rng(1)
    jobs = rng.choice(["Miller", "Baker", "Clerk", "Nurse"], 400).tolist()
    names = [f"P{i} {name}" for i, name in enumerate(rng.choice(["Miller", "Baker", "Smith", "Weber"], 400))]
    assert found_in(jobs, names) == []


def test_a_common_word_does_not_hide_the_surnames_beside_it() -> None:
    """Hundreds of notes say “will”, some people are called so; five notes show the surname of their own row."""
    surnames = [f"Name{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(600)]
    names = [f"Will {surname}" if i % 20 == 0 else f"Ida {surname}" for i, surname in enumerate(surnames)]
    notes = ["she will come again" if i % 2 == 0 else "fine" for i in range(600)]
    assert found_in(notes, names) == []
    for i in (7, 101, 203, 305, 599):
        notes[i] = f"patient {surnames[i]} came late"
    assert found_in(notes, names) == [
        "“shown” shows a part of the identifier “name” of its own row in 5 rows."
    ]  # fmt: skip


def test_a_state_that_is_a_first_name_is_no_finding_and_a_first_name_in_a_note_is() -> None:
    first = ["Virginia", "Georgia", *(f"Person{i}" for i in range(98))]
    states = ["Virginia"] * 30 + ["Georgia"] * 30 + ["Texas"] * 40
    assert found_in(states[::-1], first, "first") == []
    notes = ["fine"] * 99 + ["seen with Virginia"]
    assert found_in(notes, first, "first") == ["“shown” shows a value of the identifier “first” in 1 row."]


def test_rows_to_look_at_are_those_of_the_original() -> None:
    table = Table((Column.from_texts("shown", ["x", "Anna Schmidt"]),))
    (finding,) = find_identifiers(table, np.array([4, 2]), [Column.from_texts("name", PEOPLE)], [])
    assert (finding.place, finding.rows) == ("shown", (2,))
