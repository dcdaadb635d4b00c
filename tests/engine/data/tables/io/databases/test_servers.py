"""Servers of strangers get nothing, and are reached by known drivers and options only."""

import sys
import time
import types
from pathlib import Path

import pymysql
import pytest

from anonymizer_gui.engine.core.errors import Cancelled, MissingExtra, UnreadableFile
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io import ReadOptions, database_servers, parts, read_table
from anonymizer_gui.engine.data.tables.io.database_servers import with_known_password
from anonymizer_gui.engine.storage.sources import PASSWORD, PasswordNeeded, parse_address
from tests.engine.data.tables.io.databases.mysql_script import scripted
from tests.patience import WAIT_S


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret"
    path.write_text("the secret of this computer")
    return path


def test_the_made_up_server_does_take_files_from_those_who_give_them(secret: Path) -> None:
    """Without this the next test would prove nothing."""
    with scripted(str(secret)) as server:
        connection = pymysql.connect(host="127.0.0.1", port=server.port, user="ann", local_infile=True)
        with connection, connection.cursor() as cursor:
            cursor.execute("SELECT * FROM people")
        assert server.stolen == [secret.read_bytes()]
        assert server.offered_files == [True]


@pytest.mark.parametrize("options", [ReadOptions(part="people"), ReadOptions(query="SELECT * FROM people")])
def test_a_server_that_asks_for_a_file_gets_none(secret: Path, options: ReadOptions) -> None:
    with scripted(str(secret)) as server:
        with pytest.raises(UnreadableFile, match="did not answer") as caught:
            read_table(server.address, options)
        assert server.offered_files == [False]
    assert secret.read_bytes() not in b"".join(server.stolen)
    assert "geheim" not in str(caught.value)


def test_a_server_that_never_answers_can_be_left(secret: Path) -> None:
    """Asked to stop, the program hangs up, although it waits for the line."""
    begun = time.monotonic()
    with scripted(str(secret)) as server:
        server.silent_on = "count"
        with pytest.raises(Cancelled):
            read_table(
                server.address,
                ReadOptions(query="SELECT count(1)"),
                Progress(is_cancelled=lambda: time.monotonic() - begun > 1),
            )
        # The server would be silent for as long as any test may last: the program hung up.
        assert server.was_left.wait(WAIT_S)


def test_a_session_is_held_to_reading_before_anything_is_asked(secret: Path) -> None:
    with scripted(str(secret)) as server:
        assert parts(server.address) == ("people",)
        begun = server.asked.index("START TRANSACTION READ ONLY")
        assert "SET SESSION TRANSACTION READ ONLY" in server.asked[:begun]
        assert not [question for question in server.asked[:begun] if "SHOW FULL TABLES" in question]


@pytest.mark.parametrize("option", [
    "local_infile=1", "read_default_file=/x", "init_command=DROP", "ssl_key=/x", "charset=../x", "unix_socket=x",
    "autocommit=1", "client_flag=65536", "conv=x", "cursorclass=x",
])  # fmt: skip
def test_options_that_are_not_listed_are_refused_unasked(secret: Path, option: str) -> None:
    with scripted(str(secret)) as server:
        with pytest.raises(UnreadableFile, match="option"):
            read_table(f"{server.address}?{option}", ReadOptions(part="people"))
        assert server.offered_files == []


@pytest.mark.parametrize("address", [
    "oracle://ann@host/x", "mssql+pyodbc://ann@host/x", "mysql+mysqldb://h/x", "mysql+mysqlconnector://h/x",
    "postgresql+asyncpg://h/x", "postgresql+pg8000://h/x", "sqlite://ann@h/x", "shillelagh://", "duckdb:///x",
])  # fmt: skip
def test_drivers_that_are_not_listed_are_refused(address: str) -> None:
    with pytest.raises(UnreadableFile, match=r"cannot be opened|not the address"):
        read_table(address)


@pytest.mark.parametrize(("address", "driver"), [
    ("postgresql://h/x", "postgresql+psycopg2"), ("postgres://h/x", "postgresql+psycopg2"),
    ("mysql://h/x", "mysql+pymysql"), ("mariadb://h/x", "mysql+pymysql"),
])  # fmt: skip
def test_an_address_finds_the_driver_that_is_shipped(address: str, driver: str) -> None:
    url = database_servers._url(parse_address(address))
    assert url.drivername == driver
    assert url.get_dialect().import_dbapi().__name__ in ("psycopg2", "pymysql")


def test_a_driver_that_is_not_installed_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg2", None)
    with pytest.raises(MissingExtra) as caught:
        read_table("postgresql://localhost/x")
    assert "[database]" in caught.value.hint


def test_a_server_that_is_not_there_is_a_sentence_without_the_password() -> None:
    with pytest.raises(UnreadableFile, match="did not answer") as caught:
        read_table("postgresql://ann:geheim@127.0.0.1:1/people")
    assert "geheim" not in str(caught.value)
    assert not isinstance(caught.value, PasswordNeeded)


def test_a_password_is_taken_from_the_environment_or_the_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    address = parse_address("postgresql://ann@host/people")
    kept: dict[tuple[str, str], str] = {}
    keyring = types.ModuleType("keyring")
    keyring.get_password = lambda service, account: kept.get((service, account))  # type: ignore[attr-defined]
    keyring.set_password = lambda service, account, word: kept.update({(service, account): word})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    assert with_known_password(address).password == ""
    assert database_servers.remember_password(address.with_password("from the keyring"))
    assert list(kept) == [("Anonymizer", "postgresql://ann@host/people")]
    assert with_known_password(address).password == "from the keyring"
    monkeypatch.setenv(PASSWORD, "from the environment")
    assert with_known_password(address).password == "from the environment"
    assert with_known_password(address.with_password("typed")).password == "typed"


def test_a_keyring_that_refuses_or_is_not_there_is_no_obstacle(monkeypatch: pytest.MonkeyPatch) -> None:
    address = parse_address("postgresql://ann@host/people")

    def refuse(*_: str) -> str:
        raise RuntimeError("locked")

    keyring = types.ModuleType("keyring")
    keyring.get_password = keyring.set_password = refuse  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    assert with_known_password(address) == address
    assert not database_servers.remember_password(address.with_password("x"))
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert with_known_password(address) == address
    assert not database_servers.has_keyring()
