"""Suggestions for types and roles come with reasons a person can follow."""

import pytest

from anonymizer_gui.engine.core.errors import Cancelled
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.suggestions import (
    Suggestion,
    guess_types,
    guessed_schema,
    suggest_columns,
    why_identifying,
)
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnType, Role, Table
from tests.engine.data.tables.court_records import IDENTIFYING, MOMENTS, court_records


def of(name: str, *texts: str) -> Suggestion:
    return suggest_columns(Table((Column.from_texts(name, texts),)))[0]


@pytest.mark.parametrize(
    "name",
    ["SSN", "e-mail", "E-Posta", "Telefonnummer", "IBAN", "Name", "firstName", "Vorname", "Soyadı", "patient_id",
     "TC Kimlik No", "Straße", "phone2", "Customer Name", "ip_address"],
)  # fmt: skip
def test_names_of_identifiers_are_ei(name: str) -> None:
    found = of(name, "x", "y", "x")
    assert found.role is Role.EI
    assert "name says" in found.reason


@pytest.mark.parametrize(
    "name",
    ["age", "Sex", "ZIP code", "zipCode", "PLZ", "Geburtsdatum", "date_of_birth", "birthDate", "Doğum Tarihi",
     "nationality", "Uyruk", "marital-status", "native-country", "Beruf", "patient_age", "country name"],
)  # fmt: skip
def test_names_of_what_others_may_know_are_qi(name: str) -> None:
    assert of(name, "x", "y", "x").role is Role.QI


@pytest.mark.parametrize(
    "name", ["diagnosis", "Krankheit", "Hastalık", "income", "monthly_salary", "Gehalt", "religion", "icd10"]
)
def test_names_of_secrets_are_sa(name: str) -> None:
    assert of(name, "x", "y", "x").role is Role.SA


@pytest.mark.parametrize("name", ["stage", "notes2x", "page", "average", "product name", "column 3"])
def test_words_inside_other_words_say_nothing(name: str) -> None:
    assert of(name, "x", "y", "x").role is Role.OTHER


@pytest.mark.parametrize(
    ("values", "what"),
    [
        (("ann@example.org", "bo.b@mail.example.com", MISSING), "e-mail"),
        (("123-45-6789", "987-65-4321"), "social security"),
        (("DE89 3704 0044 0532 0130 00", "TR330006100519786457841326"), "IBAN"),
        (("10.0.0.1", "192.168.1.20"), "IP"),
        (("https://example.org/a", "www.example.com"), "web"),
        (("+49 89 1234567", "0532 123 45 67", "(212) 555-0100"), "phone"),
    ],
)
def test_values_that_look_like_identifiers_are_ei(values: tuple[str, ...], what: str) -> None:
    found = of("c", *values)
    assert found.role is Role.EI
    assert what in found.reason


def test_dates_and_numbers_do_not_look_like_phone_numbers() -> None:
    assert of("c", "2024-01-31", "2023-02-28", "2024-01-31").role is Role.OTHER
    assert of("c", "0.1234567", "0.7654321", "0.1234567").role is Role.OTHER


def test_a_column_with_a_value_of_its_own_in_every_row_is_ei() -> None:
    found = of("c", *(f"k{i}" for i in range(20)))
    assert found.role is Role.EI
    assert "20 rows" in found.reason


def test_a_measure_with_many_digits_is_not_taken_for_an_identifier() -> None:
    assert of("c", *(f"{i}.5" for i in range(20))).role is Role.OTHER


def test_the_name_weighs_more_than_uniqueness() -> None:
    assert of("income", *(str(i) for i in range(20))).role is Role.SA


def test_a_suggestion_carries_type_format_distinction_and_doubt() -> None:
    found = of("born", *(["2000-01-01"] * 30), "2000-13-01")
    assert (found.type, found.format, found.misfits) == (ColumnType.DATE, "%Y-%m-%d", 1)
    assert found.distinction == pytest.approx(2 / 31)
    assert "1" in found.doubt


def test_a_guessed_schema_has_the_types_of_the_suggestions_and_no_roles() -> None:
    table = Table.from_rows(["age", "ssn", "born"], [["1", "2", "2000-01-01"]] * 3)
    columns = guessed_schema(guess_types(table)).columns
    assert {column.role for column in columns} == {Role.OTHER}
    suggested = [(found.column, found.type, found.format) for found in suggest_columns(table)]
    assert [(column.name, column.type, column.format) for column in columns] == suggested


def test_suggesting_can_be_cancelled() -> None:
    with pytest.raises(Cancelled):
        suggest_columns(Table.from_rows(["a"], [["1"]]), Progress(is_cancelled=lambda: True))


def test_an_empty_table_is_looked_at_without_fuss() -> None:
    assert of("age").role is Role.QI
    assert of("c").role is Role.OTHER


def test_nothing_that_points_to_a_person_is_missed_in_court_records() -> None:
    found = {suggestion.column: suggestion.role for suggestion in suggest_columns(court_records())}
    assert len(found) == 47
    assert {name: found[name] for name in IDENTIFYING} == dict.fromkeys(IDENTIFYING, Role.EI)
    assert not [name for name in MOMENTS if found[name] is Role.OTHER]


def test_rows_without_a_value_do_not_hide_that_all_others_have_their_own() -> None:
    found = of("reference", *(f"k{i}" for i in range(30)), *[MISSING] * 300)
    assert found.role is Role.EI
    assert "30 rows that have a value" in found.reason
    assert found.distinction == 1


@pytest.mark.parametrize("name", ["first", "Last"])
def test_parts_of_a_name_are_known_by_one_word_if_there_are_words_below(name: str) -> None:
    assert of(name, "Ann", "Bob", "Ann").role is Role.EI
    assert of(name, "1", "2", "1").role is Role.OTHER


def test_moments_to_the_second_point_to_people_and_days_do_not() -> None:
    moments = [f"2024-01-{day:02d} 0{hour}:15:27" for day in range(1, 29) for hour in (1, 2, 2)]
    assert of("booked", *moments).role is Role.QI
    assert of("booked", *(moment[:10] for moment in moments)).role is Role.OTHER


def test_dates_that_most_rows_have_for_themselves_point_to_people() -> None:
    days = [f"19{50 + number % 40}-{number % 12 + 1:02d}-{number % 28 + 1:02d}" for number in range(60)]
    alone, shared = Column.from_texts("seen", days + days[:10]), Column.from_texts("seen", days + days)
    assert "of the 70 rows with a value have one of their own" in why_identifying(alone, ColumnType.DATE)
    assert why_identifying(shared, ColumnType.DATE) == ""
