"""Whoever is killed while spending has neither spent twice nor shown an answer that the ledger does not know."""

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import pytest

from anonymizer_gui.engine.releases.ledger.budget import BudgetAccount, BudgetLedger
from tests.conftest import ROOT
from tests.patience import WAIT_S

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no fork")
QUESTIONS = 25


class Spender:
    """The process that asks."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def asks(self, first: int, last: int, seconds: float) -> None:
        """Have it ask."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{first} {last} {seconds}\n")
        self._process.stdin.flush()

    def shown(self) -> tuple[dict[int, str], bool]:
        """Read what it showed, and whether it was killed."""
        assert self._process.stdout is not None
        lines = []
        while (line := self._process.stdout.readline().strip()) not in ("killed", "done"):
            assert line, "the process ended by itself"
            lines.append(line.split())
        return {int(number): value for number, value in lines}, line == "killed"


@contextmanager
def spender(ledger: Path, total: str) -> Iterator[Spender]:
    command = [sys.executable, "-m", "tests.engine.rooms.statistics.spending", str(ledger), total]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    try:
        yield Spender(process)
    finally:
        process.communicate()


def account(ledger: Path) -> BudgetAccount:
    """Give the account of the only data set."""
    found = BudgetLedger(ledger).accounts()
    return found[0] if found else BudgetAccount("")


def known(ledger: Path) -> dict[int, str]:
    """Give the answers the ledger knows, by the number of their question."""
    spends = account(ledger).spends
    return {int(spend.ask.removeprefix("count age>=")): str(spend.answer["value"]) for spend in spends}


def killed_often(folder: Path, kills: int) -> None:
    chance = random.Random(7)
    counted = 0
    turn = 0
    while counted < kills:
        ledger = folder / f"{turn}.budget"
        turn += 1
        with spender(ledger, "100") as asking:
            everything: dict[int, str] = {}
            while len(everything) < QUESTIONS and counted < kills:
                asking.asks(0, QUESTIONS, chance.uniform(0.005, 0.3))
                shown, was_killed = asking.shown()
                counted += was_killed
                assert shown.items() <= known(ledger).items(), "an answer was shown that the ledger does not know"
                assert everything.items() <= {**everything, **shown}.items(), "the same question was answered anew"
                everything |= shown
        asks = Counter(spend.ask for spend in account(ledger).spends)
        assert set(asks.values()) <= {1}, "a question was paid twice"


def test_a_dozen_kills(tmp_path: Path) -> None:
    killed_often(tmp_path, 12)


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_a_hundred_kills(tmp_path: Path) -> None:
    killed_often(tmp_path, 100)


def test_two_programs_cannot_spend_the_same_budget_twice(tmp_path: Path) -> None:
    ledger = tmp_path / "shared.budget"
    with spender(ledger, "1") as one, spender(ledger, "1") as other:
        one.asks(0, 20, WAIT_S)
        other.asks(100, 120, WAIT_S)
        shown = {**one.shown()[0], **other.shown()[0]}
    answered = {number: value for number, value in shown.items() if value != "-"}
    assert len(shown) == 40
    assert len(answered) == 10
    assert known(ledger) == answered
    assert sum((spend.spend.epsilon for spend in account(ledger).spends), Fraction(0)) == 1
