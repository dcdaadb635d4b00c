"""A real PostgreSQL: it is read, and nothing that is asked changes it, takes a file from it or runs a program."""

import contextlib
import time
from collections.abc import Iterator

import pytest

from anonymizer_gui.engine.core.errors import Cancelled, UnreadableFile
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io import ReadOptions, parts, read_table
from anonymizer_gui.engine.data.tables.io.database_servers import open_server
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.storage.sources import PASSWORD, PasswordNeeded, parse_address
from tests.engine.data.tables.io.databases.postgres_server import Postgres, installed, programs, running
from tests.engine.data.tables.io.databases.test_sql_question import GOOD, REFUSED

pytestmark = [pytest.mark.soak, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    where = programs() or installed()
    if where is None:
        pytest.skip("there is no PostgreSQL on this machine, and only root may install one with apt-get")
    with running(where) as started:
        yield started


@pytest.fixture(autouse=True)
def nothing_has_changed(server: Postgres) -> Iterator[None]:
    """Compare what the server holds before and after each test, its sequence and its log of programs included."""
    look = "SELECT count(*), sum(age) FROM people; SELECT last_value, is_called FROM ids; SELECT count(*) FROM pg_class"
    before = server.sql(look)
    yield
    assert server.sql(look) == before


def rows(table: Table) -> list[list[str]]:
    return [list(row) for row in zip(*(column.texts() for column in table.columns), strict=True)]


def test_the_shipped_driver_is_found_and_tables_are_read(server: Postgres) -> None:
    assert set(parts(server.address)) == {'odd "name', "people", "grown", "trap"}
    table, report = read_table(server.address, ReadOptions(part="people"))
    assert table.names == ("name", "age", "born", "score")
    assert rows(table) == [["Ann", "34", "1990-02-28", "1.50"], ["Bob", MISSING, MISSING, "2.00"]]
    assert (report.kind, report.part) == ("database", "people")
    assert rows(read_table(server.address, ReadOptions(part="grown"))[0]) == [["Ann"]]
    assert read_table(server.address, ReadOptions(part='odd "name'))[0].n_rows == 0


def test_questions_are_answered_as_they_are_written(server: Postgres) -> None:
    for question, answer in [
        ("SELECT '100 %' AS a, 'a:b' AS b, '%s' AS c", [["100 %", "a:b", "%s"]]),
        ("SELECT age::text FROM people ORDER BY 1 -- with a comment; DROP TABLE people", [["34"], [MISSING]]),
        ("WITH few(n) AS (SELECT name FROM people) SELECT count(*) FROM few;", [["2"]]),
        ("SELECT substring(name FROM 1 FOR 1) FROM people ORDER BY 1", [["A"], ["B"]]),
        ("SELECT i FROM generate_series(1, 12000) AS i", [[str(i)] for i in range(1, 12001)]),
    ]:
        assert rows(read_table(server.address, ReadOptions(query=question))[0]) == answer


@pytest.mark.parametrize("question", REFUSED)
def test_what_the_parser_refuses_never_reaches_the_server(server: Postgres, question: str) -> None:
    with pytest.raises(UnreadableFile):
        read_table(server.address, ReadOptions(query=question or " "))


@pytest.mark.parametrize("question", GOOD)
def test_what_the_parser_lets_through_does_no_harm(server: Postgres, question: str) -> None:
    with contextlib.suppress(UnreadableFile):  # tables of these names are not there
        read_table(server.address, ReadOptions(query=question))


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM people",
        "WITH gone AS (DELETE FROM people RETURNING *) SELECT * FROM gone",
        "SELECT nextval('ids')",
        "CREATE TABLE t (a int)",
        "SELECT wipe()",
        "SELECT 1; COMMIT; DROP TABLE people",
        "SELECT * FROM people FOR UPDATE",
    ],
)
def test_behind_the_parser_the_session_itself_can_only_read(server: Postgres, statement: str) -> None:
    with pytest.raises(UnreadableFile), open_server(parse_address(server.address)) as database:
        database.query(statement).some(1)


def test_a_view_that_writes_is_stopped_by_the_server(server: Postgres) -> None:
    with pytest.raises(UnreadableFile, match="did not answer"):
        read_table(server.address, ReadOptions(part="trap"))


def test_an_answer_that_takes_too_long_is_broken_off(server: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    from anonymizer_gui.engine.data.tables.io import database_servers

    session = tuple(
        each.replace(f"'{database_servers.ANSWER_SECONDS}s'", "'200ms'")
        for each in database_servers._SESSION["postgresql"]
    )
    monkeypatch.setitem(database_servers._SESSION, "postgresql", session)
    with pytest.raises(UnreadableFile, match="did not answer"):
        read_table(server.address, ReadOptions(query="SELECT count(*) FROM generate_series(1, 1000000000) AS i"))


def test_a_long_answer_can_be_left(server: Postgres) -> None:
    begun = time.monotonic()
    question = "SELECT count(*) FROM generate_series(1, 1000000000) AS i"
    with pytest.raises(Cancelled):
        read_table(
            server.address, ReadOptions(query=question), Progress(is_cancelled=lambda: time.monotonic() - begun > 1)
        )


def test_a_password_is_asked_for_and_taken_from_the_environment(
    server: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = server.address.replace(f"{server.user}@", "reader@")
    with pytest.raises(PasswordNeeded) as needed:
        read_table(address, ReadOptions(part="people"))
    assert "reader@" in needed.value.message
    with pytest.raises(PasswordNeeded) as wrong:
        read_table(address.replace("reader@", "reader:falsch@"), ReadOptions(part="people"))
    assert "falsch" not in str(wrong.value)
    monkeypatch.setenv(PASSWORD, "geheim")
    assert read_table(address, ReadOptions(part="people"))[0].n_rows == 2


@pytest.mark.parametrize(
    "option", ["options=-c%20default_transaction_read_only%3Doff", "service=x", "passfile=/x", "sslkey=/x", "port=1"]
)
def test_options_that_could_undo_it_are_refused(server: Postgres, option: str) -> None:
    with pytest.raises(UnreadableFile, match="option"):
        read_table(f"{server.address}&{option}", ReadOptions(part="people"))
