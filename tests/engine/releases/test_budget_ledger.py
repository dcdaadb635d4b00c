"""The ledger of budgets keeps every spend, adds them up exactly, and finds out who meddled with it."""

import os
import signal
import sqlite3
import stat
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymizer_gui.engine.core.budget import NO_BUDGET, Budget
from anonymizer_gui.engine.core.errors import BadParameter, UnreadableFile, UnwritableFile
from anonymizer_gui.engine.dp.accountant import compose
from anonymizer_gui.engine.releases.ledger.budget import BudgetAccount, BudgetLedger, Spend

DATA = "a" * 64
PARTS = st.sampled_from([None, ("ward", "North"), ("ward", "South"), ("sex", "F")])
AMOUNTS = st.fractions(min_value=Fraction(1, 1000), max_value=2, max_denominator=1000)


def spend(epsilon: str = "0.1", key: str = "k", unit: str = "row", part: tuple[str, str] | None = None) -> Spend:
    return Spend("statistics", unit, "count", key, Budget(epsilon=Fraction(epsilon)), part, {"value": 7})


def written(ledger: BudgetLedger, *spends: Spend) -> list[str]:
    with ledger.spending(DATA) as spending:
        spending.set_total(Budget(epsilon=3))
        return [spending.add(each) for each in spends]


@pytest.fixture
def ledger(tmp_path: Path) -> BudgetLedger:
    return BudgetLedger(tmp_path / "x.budget")


def test_what_is_written_comes_back(ledger: BudgetLedger) -> None:
    digests = written(ledger, spend(), spend("0.25", "other", part=("ward", "North")))
    account = ledger.account(DATA)
    assert account.total == Budget(epsilon=3)
    assert [each.spend.epsilon for each in account.spends] == [Fraction(1, 10), Fraction(1, 4)]
    assert account.spends[1].part == ("ward", "North")
    assert account.spends[0].answer == {"value": 7}
    assert account.spends[0].created
    assert [each.digest for each in account.spends] == digests
    assert all(ledger.holds(digest) for digest in digests)
    assert not ledger.holds("0" * 64)
    assert ledger.account("b" * 64) == BudgetAccount("b" * 64)


def test_nothing_is_kept_when_the_work_fails(ledger: BudgetLedger) -> None:
    written(ledger, spend())

    def fail() -> None:
        with ledger.spending(DATA) as spending:
            spending.add(spend("0.9"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert len(ledger.account(DATA).spends) == 1


def test_a_ledger_is_its_owners_alone_and_has_a_secret_of_its_own(ledger: BudgetLedger, tmp_path: Path) -> None:
    assert ledger.secret() == ledger.secret()
    assert ledger.secret() != BudgetLedger(tmp_path / "other.budget").secret()
    if os.name != "nt":
        assert stat.S_IMODE(ledger.path.stat().st_mode) == 0o600


def test_looking_makes_no_ledger(ledger: BudgetLedger) -> None:
    assert ledger.accounts() == ()
    assert not ledger.holds("0" * 64)
    assert not ledger.path.exists()


def test_a_reset_needs_a_reason_and_keeps_it(ledger: BudgetLedger) -> None:
    written(ledger, spend())
    for reason in ("", "  ", "no"):
        with pytest.raises(BadParameter, match="for a reason only"):
            ledger.reset(DATA, reason)
    with pytest.raises(BadParameter, match="no such data set"):
        ledger.reset("b" * 64, "a new year of data")
    ledger.reset(DATA, "a new year of data")
    account = ledger.account(DATA)
    assert account.spends == ()
    assert account.total is None
    assert [reset["reason"] for reset in account.resets] == ["a new year of data"]


@pytest.mark.parametrize(
    "meddle",
    [
        "UPDATE entries SET told = replace(told, '0.1', '0.01') WHERE id = 2",
        "UPDATE entries SET subject = 'c' WHERE id = 2",
        "UPDATE entries SET digest = 'c' WHERE id = 2",
        "DELETE FROM entries WHERE id = 2",
        "DELETE FROM entries WHERE id = 3",
        "DELETE FROM entries",
        "UPDATE head SET entries = 2",
        "UPDATE secret SET key = x'00'",
        "DROP TABLE entries",
        "UPDATE entries SET told = 'no JSON' WHERE id = 1",
    ],
)
def test_whoever_meddles_is_found(ledger: BudgetLedger, meddle: str) -> None:
    written(ledger, spend(), spend("0.2", "other"))
    with sqlite3.connect(ledger.path) as database:
        database.execute(meddle)
    database.close()
    with pytest.raises(UnreadableFile, match="damaged"):
        ledger.accounts()
    with pytest.raises(UnreadableFile, match="damaged"), ledger.spending(DATA):
        pass


def test_another_file_is_no_ledger(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("a,b\n1,2\n" * 200)
    with pytest.raises(UnreadableFile):
        BudgetLedger(table).accounts()
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE t (a)")
    database.close()
    with pytest.raises(UnreadableFile, match="not a ledger of budgets"):
        BudgetLedger(other).accounts()
    assert table.read_text().startswith("a,b")


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile), BudgetLedger(tmp_path / "nowhere" / "x.budget").spending(DATA):
        pass


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(AMOUNTS, PARTS), max_size=8), st.randoms())
def test_the_order_of_spends_does_not_matter(
    pairs: list[tuple[Fraction, tuple[str, str] | None]], chance: object
) -> None:
    spends = [spend(str(amount), str(at), part=part) for at, (amount, part) in enumerate(pairs)]
    mixed = list(spends)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    one, other = (compose(BudgetAccount(DATA, spends=tuple(each)).charged()) for each in (spends, mixed))
    assert one == other


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(AMOUNTS, PARTS), max_size=8), st.sampled_from(["row", "change", "person=id:3"]))
def test_parts_of_a_column_cost_the_dearest_and_all_others_add_up(
    pairs: list[tuple[Fraction, tuple[str, str] | None]], unit: str
) -> None:
    spends = tuple(spend(str(amount), str(at), unit, part) for at, (amount, part) in enumerate(pairs))
    total = sum(BudgetAccount(DATA, spends=spends).charged(), NO_BUDGET).epsilon
    whole = sum((amount for amount, part in pairs if part is None), Fraction(0))
    wards = {name: sum((a for a, part in pairs if part == ("ward", name)), Fraction(0)) for name in ("North", "South")}
    asked = sum(amount > 0 for amount in wards.values())
    sexes = sum((amount for amount, part in pairs if part == ("sex", "F")), Fraction(0))
    touched = {"row": (1, 1), "change": (2, 2), "person=id:3": (min(3, asked), 1)}[unit]
    assert total == whole + touched[0] * max(wards.values()) + touched[1] * sexes
    more = BudgetAccount(DATA, spends=spends).charged((spend("0.5", "new", unit),))
    assert sum(more, NO_BUDGET).epsilon == total + Fraction(1, 2)


HOSTILE = {
    "endless": (
        "DROP TABLE entries",
        "CREATE VIEW entries AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) "
        "SELECT id, 'x' AS subject, '{}' AS told, '' AS digest FROM n",
    ),
    "trigger": ("CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries; END",),
    "more": ("CREATE TABLE more (a)",),
    "other": ("DROP TABLE head", "CREATE TABLE head (entries, digest)"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_ledger_of_a_stranger_that_holds_more_than_a_ledger_is_refused(tmp_path: Path, name: str) -> None:
    ledger = BudgetLedger(tmp_path / "ledger")
    ledger.secret()
    with closing(sqlite3.connect(ledger.path)) as database, database:
        for statement in HOSTILE[name]:
            database.execute(statement)
    for ask in (ledger.accounts, ledger.secret, lambda: ledger.holds("x"), lambda: ledger.reset("x", "because")):
        with pytest.raises(UnreadableFile, match="damaged"):
            ask()


def test_looking_into_a_ledger_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert BudgetLedger(tmp_path / "empty").accounts() == ()
    assert not BudgetLedger(tmp_path / "empty").holds("x")
    assert (tmp_path / "empty").read_bytes() == b""
    with closing(sqlite3.connect(tmp_path / "foreign")) as database, database:
        database.execute("PRAGMA user_version = 7")
    before = (tmp_path / "foreign").read_bytes()
    with pytest.raises(UnreadableFile):
        BudgetLedger(tmp_path / "foreign").accounts()
    assert (tmp_path / "foreign").read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no fork")
def test_a_ledger_whose_making_was_killed_is_none_yet(ledger: BudgetLedger) -> None:
    """What is half written is taken back when it is next opened, and then there is nothing to read."""
    child = os.fork()
    if child == 0:
        database = sqlite3.connect(ledger.path, isolation_level=None)
        for statement in ("PRAGMA cache_size = 1", "BEGIN IMMEDIATE", "CREATE TABLE head (x BLOB)"):
            database.execute(statement)
        for _ in range(200):
            database.execute("INSERT INTO head VALUES (?)", (b"x" * 2000,))
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    assert ledger.path.stat().st_size > 0
    assert not ledger.holds("0" * 64)
    assert ledger.accounts() == ()
    written(ledger, spend())
    assert len(ledger.account(DATA).spends) == 1
