"""A run spends what it says, never more than there is, and never twice for the same question."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import BadParameter, Cancelled, Infeasible
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.dp import gateway
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.releases.ledger.budget import BudgetLedger
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import data_kind
from anonymizer_gui.engine.rooms.statistics.run import run
from tests.engine.rooms.statistics.making import ASKS, CHANGE, PERSON, ROW, plan, visits

KEY = bytes(32)


@pytest.fixture
def ledger(tmp_path: Path) -> BudgetLedger:
    return BudgetLedger(tmp_path / "x.budget")


@pytest.mark.parametrize("unit", [ROW, CHANGE, PERSON], ids=str)
def test_every_question_is_answered(unit: PrivacyUnit) -> None:
    release = run(plan(*ASKS, unit=unit, epsilon=Fraction(50)), {"table": visits()})
    assert len(release.answers) == len(ASKS)
    assert all(answer.cells() or answer.notes for answer in release.answers)
    assert release.cost.epsilon <= 50
    assert all(promise.holds for promise in release.promises)


@pytest.mark.parametrize("rows", [0, 1])
def test_hardly_any_rows_are_no_reason_to_fail(rows: int) -> None:
    assert len(run(plan(*ASKS, epsilon=Fraction(50)), {"table": visits(rows)}).answers) == len(ASKS)


def test_the_same_question_again_costs_nothing(ledger: BudgetLedger) -> None:
    files = {"table": visits(), "ledger": ledger}
    first = run(plan("count", "histogram sex F,M"), files)
    again = run(plan("histogram sex F,M", "count", "count"), files)
    assert [answer.is_cached for answer in first.answers] == [False, False]
    assert [answer.is_cached for answer in again.answers] == [True, True, True]
    assert again.answers[0].values == first.answers[1].values
    assert again.cost.epsilon == 0
    assert again.spent.epsilon == first.spent.epsilon == 1
    assert len(ledger.accounts()[0].spends) == 2


def test_a_question_twice_in_one_plan_is_paid_once() -> None:
    release = run(plan("count", "count  ", "count age>=3", "count age >= 3"), {"table": visits()})
    assert [answer.is_cached for answer in release.answers] == [False, True, False, True]
    assert release.answers[0].value == release.answers[1].value
    assert release.cost.epsilon == Fraction(1, 2)


def test_a_better_answer_is_bought_only_when_it_is_asked_for(ledger: BudgetLedger) -> None:
    files = {"table": visits(), "ledger": ledger}
    run(plan("count with epsilon=0.2"), files)
    assert run(plan("count", epsilon=Fraction(2)), files).cost.epsilon == 0
    assert run(plan("count with epsilon=0.1"), files).cost.epsilon == 0
    assert run(plan("count with epsilon=0.5"), files).cost.epsilon == Fraction(1, 2)
    assert run(plan("count"), files).answers[0].epsilon == Fraction(1, 2)


def test_another_part_unit_or_category_is_another_question(ledger: BudgetLedger) -> None:
    files = {"table": visits(), "ledger": ledger}
    run(plan("histogram school"), files)
    others = plan("histogram school for sex=F", "histogram school low,high", "histogram school with others=yes")
    assert [answer.is_cached for answer in run(others, files).answers] == [False] * 3
    coarser = replace(
        plan("histogram school"), hierarchies={"school": plan().hierarchies["school"].from_nested({"*": ["BA"]})}
    )
    assert run(coarser, files).answers[0].is_cached is False


def test_what_would_overdraw_is_refused_with_what_is_left(
    ledger: BudgetLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"table": visits(), "ledger": ledger}
    run(plan("count", total=Fraction(3, 2)), files)
    monkeypatch.setattr(gateway, "answer", lambda *_: pytest.fail("noise was drawn for nothing"))
    with pytest.raises(Infeasible, match=r"This spends epsilon 1, but only epsilon 0\.5 is left\."):
        run(plan("histogram sex F,M", total=Fraction(3, 2)), files)
    assert len(ledger.accounts()[0].spends) == 1


@pytest.mark.parametrize(
    "asks", [["count age>=9 for sex=F", "count age>=9 for sex=M"], ["count age>=9 with noise=gaussian"]]
)
def test_what_is_refused_is_told_as_what_it_would_cost(ledger: BudgetLedger, asks: list[str]) -> None:
    files = {"table": visits(), "ledger": ledger}
    run(plan("count", total=Fraction(3, 2)), files)
    with pytest.raises(Infeasible, match=r"This spends epsilon 1, but only epsilon 0\.5 is left\."):
        run(plan(*asks), files)


def test_what_is_known_is_told_again_however_small_the_total_of_the_plan(ledger: BudgetLedger) -> None:
    files = {"table": visits(), "ledger": ledger}
    first = run(plan("count", total=Fraction(3)), files)
    again = run(plan("count", total=Fraction(1, 2)), files)
    assert again.answers[0].value == first.answers[0].value
    assert (again.cost.epsilon, again.spent.epsilon, again.left.epsilon) == (0, 1, 0)
    assert all(promise.holds for promise in again.promises)
    with pytest.raises(Infeasible, match=r"only epsilon 0 is left"):
        run(plan("mean age 0 100", total=Fraction(1, 2)), files)


def test_the_ledger_is_written_before_anybody_sees_an_answer(
    ledger: BudgetLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    from anonymizer_gui.engine.rooms.statistics import run as runner

    seen = []
    made = runner.Release

    def look(**fields: object) -> object:
        seen.append(len(BudgetLedger(ledger.path).accounts()[0].spends))
        return made(**fields)  # type: ignore[arg-type]

    monkeypatch.setattr(runner, "Release", look)
    run(plan("count"), {"table": visits(), "ledger": ledger})
    assert seen == [1]


def test_a_larger_total_than_that_of_the_ledger_does_not_count(ledger: BudgetLedger) -> None:
    files = {"table": visits(), "ledger": ledger}
    run(plan("count", total=Fraction(2)), files)
    release = run(plan("mean age 0 100", total=Fraction(50)), files)
    assert release.left.epsilon == 0
    assert "The ledger allows epsilon 2 in all; the larger total of the plan does not count." in release.notes
    with pytest.raises(Infeasible):
        run(plan("median age 0 100", total=Fraction(50)), files)


def test_a_larger_delta_than_that_of_the_ledger_is_refused(ledger: BudgetLedger) -> None:
    files = {"table": visits(), "ledger": ledger}
    run(plan("count", delta=Fraction(0)), files)
    with pytest.raises(Infeasible, match="the ledger only 0"):
        run(plan("mean age 0 100", delta=Fraction(1, 10**6)), files)


@pytest.mark.parametrize("unit", ["change", "person=id:2"])
def test_units_are_not_mixed(ledger: BudgetLedger, unit: str) -> None:
    files = {"table": visits(), "ledger": ledger}
    run(plan("count"), files)
    with pytest.raises(BadParameter, match="The ledger counts for the unit row"):
        run(plan("mean age 0 100", unit=PrivacyUnit.parse(unit)), files)


def test_a_person_may_have_other_limits_later(ledger: BudgetLedger) -> None:
    files = {"table": visits(), "ledger": ledger}
    run(plan("count", unit=PERSON), files)
    release = run(plan("count", unit=PrivacyUnit.parse("person=id:5")), files)
    assert release.spent.epsilon == 2
    assert release.answers[0].sensitivity == 5


def test_disjoint_parts_cost_as_much_as_the_dearest(ledger: BudgetLedger) -> None:
    files = {"table": visits(), "ledger": ledger}
    asks = "count for sex=F with epsilon=0.5", "count for sex=M with epsilon=0.3"
    assert run(plan(*asks), files).cost.epsilon == Fraction(1, 2)
    later = run(plan("count age>=9 for sex=M with epsilon=0.4"), files)
    assert later.spent.epsilon == Fraction(7, 10)
    changed = run(plan(*asks, unit=CHANGE), {"table": visits()})
    assert changed.cost.epsilon == 1
    assert [answer.sensitivity for answer in changed.answers] == [1, 1]


def test_many_small_questions_are_composed_as_concentrated(ledger: BudgetLedger) -> None:
    asks = [f"count age>={age} with epsilon=0.02" for age in range(100)]
    release = run(plan(*asks, epsilon=Fraction(2), delta=Fraction(1, 10**6)), {"table": visits()})
    assert release.spent.way == "zcdp"
    assert release.spent.epsilon < Fraction(6, 5)


def test_cancelling_spends_nothing(ledger: BudgetLedger) -> None:
    calls = 0

    def stop() -> bool:
        nonlocal calls
        calls += 1
        return calls > 12

    with pytest.raises(Cancelled):
        run(plan("count", "mean age 0 100"), {"table": visits(), "ledger": ledger}, Progress(is_cancelled=stop))
    assert ledger.accounts() == ()


def test_a_plan_without_questions_is_told() -> None:
    with pytest.raises(BadParameter, match="The plan asks nothing"):
        run(plan(), {"table": visits()})


def test_nobody_has_more_rows_than_the_unit_allows() -> None:
    rows = [["a", str(i)] for i in range(5)] + [["b", "9"]] + [[MISSING, str(i)] for i in range(4)]
    table = Table.from_rows(["id", "n"], rows)
    first = data_kind("table").cut(table, PERSON, "first")
    assert sorted(first.column("n").texts().tolist()) == ["0", "0", "1", "1", "9"]
    drawn = [data_kind("table").cut(table, PERSON, "sampled") for _ in range(60)]
    assert {part.n_rows for part in drawn} == {5}
    assert len({tuple(part.column("n").texts().tolist()) for part in drawn}) > 5
    assert data_kind("table").cut(table, ROW, "first") is table


def test_the_same_content_has_the_same_fingerprint_whatever_its_order() -> None:
    table = visits()
    shape = data_kind("table")
    mark = shape.fingerprint(table, KEY)
    mixed = np.random.default_rng(1).permutation(table.n_rows)
    other_way = Table(tuple(column.take(mixed) for column in reversed(table.columns)))
    assert shape.fingerprint(other_way, KEY) == mark
    assert shape.fingerprint(table.take(mixed[1:]), KEY) != mark
    assert shape.fingerprint(table, b"1" * 32) != mark
    texts = [list(row) for row in zip(*(column.texts() for column in table.columns), strict=True)]
    texts[0][1], texts[1][1] = texts[1][1], texts[0][1]
    assert shape.fingerprint(Table.from_rows(table.names, texts), KEY) != mark


def test_a_release_without_a_ledger_says_so() -> None:
    assert "No ledger was named: nobody will remember what was spent." in run(plan("count"), {"table": visits()}).notes


def test_an_answer_is_remembered_with_the_meaning_of_its_cells(ledger: BudgetLedger) -> None:
    """The same labels of another hierarchy are another question."""
    files = {"table": visits(), "ledger": ledger}
    run(plan("histogram school low,high", "count"), files)
    moved = Hierarchy.from_nested({"*": {"low": ["none", "basic", "BA"], "high": ["MA", "PhD"]}})
    again = run(plan("histogram school low,high", "count", hierarchies={"school": moved}), files)
    assert [answer.is_cached for answer in again.answers] == [False, True]


def test_a_question_about_no_column_of_the_data_spends_nothing(ledger: BudgetLedger) -> None:
    for asks, unit in ((["mean income 0 9"], "row"), (["count for town=X"], "row"), (["count"], "person=nobody:1")):
        with pytest.raises(BadParameter, match="has no column"):
            run(plan(*asks, unit=PrivacyUnit.parse(unit)), {"table": visits(), "ledger": ledger})
    assert ledger.accounts() == ()


def test_without_a_ledger_no_check_says_that_one_is_in_order() -> None:
    files = {"table": visits()}
    leaving = room_of("statistics").leaving(run(plan("count"), files), files, Safeguards(), SILENT)
    assert [check.name for check in leaving.checks] == ["budget"]
