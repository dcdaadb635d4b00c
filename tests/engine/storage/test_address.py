"""Addresses of databases are taken apart strictly, and no file keeps a password."""

import pytest

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.storage.sources import Address, parse_address, without_password


def test_an_address_is_taken_apart_and_put_together_again() -> None:
    text = "postgresql://ann:p%40ss%2Fword@db.example.org:5433/people?sslmode=require"
    address = parse_address(text)
    assert address == Address(
        "postgresql", "ann", "p@ss/word", "db.example.org", 5433, "people", (("sslmode", "require"),)
    )
    assert str(address) == text
    assert address.place == "ann@db.example.org:5433/people"
    assert "word" not in address.place


@pytest.mark.parametrize("text", [
    "mysql://localhost/people", "postgresql:///people?host=/var/run/postgresql", "postgresql://[::1]:5432/x",
    "postgresql://ann@host/x", "mariadb+pymysql://u:p@h/x?charset=utf8mb4",
])  # fmt: skip
def test_usual_addresses_are_understood(text: str) -> None:
    assert parse_address(str(parse_address(text))) == parse_address(text)


@pytest.mark.parametrize("text", [
    "://", "people.csv", "postgresql:/host/x", "postgresql://a@b@c/x", "postgresql://u:p/w@h/x",
    "postgresql://h/x#y", "postgresql://h/a=b", "postgresql://h/x/y", "post gres://h/x", "postgresql://h:99999999/x",
    "postgresql://host,other/x", "postgresql://h/x?a=b@c", "postgresql://u:p w@h/x", "POSTGRESQL://h\n/x",
])  # fmt: skip
def test_what_could_be_understood_in_two_ways_is_refused(text: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        parse_address(text)
    assert "p w" not in str(caught.value)


@pytest.mark.parametrize("text", [
    "postgresql://ann:geheim@host/people",
    "postgresql://ann:ge:heim@host/people",
    "postgresql://ann:ge/heim@host/people",
    "postgresql://ann:ge@heim@host/people",
    "postgresql://ann:ge?heim#@host/people",
    "mysql://:geheim@host/people",
    "mysql://ann@host/people?password=geheim",
    "mysql://ann@host/people?charset=utf8&passwd=geheim&x=1",
    "mysql://ann@host/people?pwd=geheim",
    "odd+thing://ann:geheim@host",
])  # fmt: skip
def test_no_password_is_kept(text: str) -> None:
    kept = without_password(text)
    assert "geheim" not in kept
    assert "heim" not in kept
    assert kept.startswith(text.partition("://")[0] + "://")


@pytest.mark.parametrize("text", [
    "postgresql://ann@host:5432/people?sslmode=require", "sqlite:///people.db", "people.csv", "C:/x/y.csv",
    "postgresql://host/people",
])  # fmt: skip
def test_an_address_without_a_password_is_kept_as_it_is(text: str) -> None:
    assert without_password(text) == text
