"""Synthetic tables: like the data where they promise to be, of public values only, whatever the table is."""

import itertools
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter, Cancelled, CancelledAtCost
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.ledger.budget import BudgetLedger
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.statistics.independent.certificate_check import check_synthetic_table
from anonymizer_gui.engine.rooms.statistics.mechanism_run import budget_questions
from anonymizer_gui.engine.rooms.statistics.public_domains import domain_of
from anonymizer_gui.engine.rooms.statistics.question import PublicKnowledge
from anonymizer_gui.engine.rooms.statistics.release import Release
from anonymizer_gui.engine.rooms.statistics.run import run
from anonymizer_gui.engine.rooms.statistics.synthesis import (
    PairSelection,
    allot_rows,
    drawing_order,
    project_to_simplex,
)
from tests.engine.rooms.statistics.making import plan, visits

SURE = Fraction(1000)
MANY = "|".join(map(str, range(3000)))
ASK = "synthetic sex=F|M sick=yes|no ward=A|B|C"


def people(rows: int = 2000) -> Table:
    """Give rows in which who is sick depends on sex, and the ward on nothing."""
    cells = [["FM"[i % 2], "yes" if i % 2 and i % 3 else "no", "ABC"[(i // 7) % 3]] for i in range(rows)]
    return Table.from_rows(["sex", "sick", "ward"], cells)


def made(ask: str, table: Table, **changes: Any) -> tuple[Release, Table]:
    release = run(plan(ask, **{"epsilon": SURE, "total": SURE, **changes}), {"table": table})
    drawn = release.made[0].table
    assert drawn is not None
    return release, drawn


def shares(table: Table, *names: str) -> dict[tuple[str, ...], float]:
    rows = list(zip(*(table.column(name).texts() for name in names), strict=True))
    return {row: rows.count(row) / len(rows) for row in set(rows)}


@pytest.mark.parametrize(
    "options", ["", " with target=sick", " with way=tree noise=laplace", " with way=net", " with way=net target=ward"]
)
def test_columns_and_chosen_pairs_are_as_in_the_data(options: str) -> None:
    table = people()
    _, drawn = made(ASK + options, table)
    for names in (("sex",), ("ward",), ("sex", "sick")):
        true, found = shares(table, *names), shares(drawn, *names)
        assert max(abs(true.get(row, 0) - found.get(row, 0)) for row in {*true, *found}) < 0.01


def test_a_net_draws_a_column_by_two_others() -> None:
    """Late are women in ward A: a tree draws sex and ward as if only the shift joined them, a net knows better."""
    cells = [["FM"[i % 2], "AB"[i // 2 % 2], "late" if i % 4 == 0 else "early"] for i in range(2000)]
    table = Table.from_rows(["sex", "ward", "shift"], cells)
    off = {}
    for way in ("tree", "net"):
        drawn = made(f"synthetic sex=F|M ward=A|B shift=early|late with way={way}", table)[1]
        pairs = [(shares(table, *names), shares(drawn, *names)) for names in itertools.combinations(table.names, 2)]
        off[way] = max(abs(true.get(row, 0) - found.get(row, 0)) for true, found in pairs for row in {*true, *found})
    # The rows are drawn: 0.008 ± 0.003 and 0.082 ± 0.004 over many runs, so that both limits are 8 deviations away.
    assert off["net"] < 0.045 < 0.05 < off["tree"]


def test_a_net_hangs_every_column_on_two_others() -> None:
    for middle in (None, 2):
        net = PairSelection("net", 6, middle)
        picks = [np.array([3])] * (middle is None)
        while len(picks) < net.picks:
            picks.append(np.array([net.joinable(picks)[-1]]))
        edges = net.edges(picks)
        assert len(set(edges)) == net.pairs == 9
        order = drawing_order(6, edges)
        assert sorted(len(parents) for _, parents in order) == [0, 1, 2, 2, 2, 2]
        assert all(len(parents) < 2 or tuple(sorted(parents)) in edges for _, parents in order)
    useless = [np.array([3]), *[np.array([0])] * 4]
    assert len(PairSelection("net", 6).edges(useless)) == 6


def test_as_many_rows_as_wanted_are_drawn_for_nothing(tmp_path: Path) -> None:
    files = {"table": people(), "ledger": BudgetLedger(tmp_path / "x.budget")}
    first = run(plan(f"{ASK} with rows=10"), files)
    again = run(plan(f"{ASK} with rows=5000"), files)
    assert [first.made[0].table.n_rows, again.made[0].table.n_rows] == [10, 5000]  # type: ignore[union-attr]
    assert (float(first.cost.epsilon), float(again.cost.epsilon)) == (pytest.approx(1), 0)
    assert made(ASK, people())[1].n_rows == 2000  # at this budget a count is wrong with a probability below exp(-99)


def test_it_is_called_synthetic_wherever_it_goes(tmp_path: Path) -> None:
    release, _ = made(ASK, people(300))
    leaving = room_of("statistics").leaving(release, {}, Safeguards(), SILENT)
    exported = export(leaving, tmp_path / "made.csv")
    assert verify_release(exported.path).differences == ()
    told = exported.certificate.read_text(encoding="utf-8")
    assert '"synthetic": true' in told
    assert "no row is a person" in told
    assert "No row is a person" in exported.report.read_text(encoding="utf-8")
    assert any("no row is a person" in note for note in release.notes)
    head = exported.path.read_text(encoding="utf-8").splitlines()[0]
    assert head == "sex,sick,ward"


@pytest.mark.parametrize("what", ["a private value", "a row less", "another column"])
def test_a_table_that_was_changed_is_found(tmp_path: Path, what: str) -> None:
    answer = {"parameters": {"fields": ["sex=F|M", "age=0..9"], "values": {"sex": ["F", "M"]}}}
    told = {"rows": 2, "columns": ["sex", "age"]}
    rows = [["sex", "age"], ["F", "3"], ["", "9"]]
    assert list(check_synthetic_table(rows, told, answer)) == []
    wrong = {
        "a private value": [["sex", "age"], ["F", "3"], ["Anna", "9"]],
        "a row less": rows[:2],
        "another column": [["sex", "name"], ["F", "3"], ["", "9"]],
    }
    assert len(list(check_synthetic_table(wrong[what], told, answer))) == 1
    assert list(check_synthetic_table([*rows[:2], ["M", "10"]], told, answer)) != []


def test_rare_values_are_counted_together_with_a_word() -> None:
    cells = [[f"v{i % 3}"] for i in range(900)] + [[f"v{i}"] for i in range(3, 1000)]
    names = "|".join(f"v{i}" for i in range(1000))
    release, drawn = made(f"synthetic v={names}", Table.from_rows(["v"], cells), epsilon=Fraction(3))
    assert any("too rare for this budget" in note for note in release.notes)
    found = shares(drawn, "v")
    assert all(found[(f"v{i}",)] == pytest.approx(300 / 1900, abs=0.1) for i in range(3))


def test_little_budget_is_warned_of() -> None:
    release, _ = made(ASK, people(100), epsilon=Fraction(1, 50))
    assert any("Noise exceeds" in note for note in release.notes)
    assert not any("Noise exceeds" in note for note in made(ASK + " with target=sex", people())[0].notes[1:2])


TABLES = st.one_of(
    st.just([]),
    st.lists(st.sampled_from([["F", "3"], ["M", "x"], [MISSING, MISSING], ["odd", "1e9"]]), max_size=6),
    st.just([["F", "5"]] * 40),
    st.just([[MISSING, MISSING]] * 30),
)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(TABLES, st.sampled_from(["synthetic sex=F|M age=0..9/3", "synthetic age=0..9", "synthetic sex=F age=0..0"]))
def test_any_table_gives_rows_of_public_values(rows: list[list[str]], ask: str) -> None:
    _, drawn = made(ask, Table.from_rows(["sex", "age"], rows), epsilon=Fraction(1))
    public = {"sex": {"F", "M", MISSING}, "age": {*map(str, range(10)), MISSING}}
    assert drawn.n_rows >= 1
    assert all(set(column.labels) <= public[column.name] for column in drawn.columns)


WIDE = st.one_of(
    st.just([]),
    st.just([["F", "3", "A", "x"]]),
    st.just([["F", "3", "A", "x"]] * 30),
    st.just([[MISSING] * 4] * 20),
    st.lists(st.tuples(*map(st.sampled_from, ("FMZ", "059", "AB", "xy"))).map(list), max_size=30),
)


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(WIDE, st.sampled_from(["", " target=ward"]), st.sampled_from([Fraction(1, 50), SURE]))
def test_any_table_gives_a_net_of_public_values(rows: list[list[str]], target: str, epsilon: Fraction) -> None:
    ask = f"synthetic sex=F|M age=0..9/3 ward=A|B site=x|y with way=net{target}"
    _, drawn = made(ask, Table.from_rows(["sex", "age", "ward", "site"], rows), epsilon=epsilon)
    assert drawn.n_rows >= 1
    assert set(drawn.column("sex").labels) <= {"F", "M", MISSING}


@pytest.mark.parametrize(
    ("field", "text", "cell"),
    [
        ("age=0..99/10", "0", 0), ("age=0..99/10", "99", 9), ("age=0..99/10", "500", 9), ("age=0..99/10", "-5", 0),
        ("age=0..99/10", "old", 10), ("age=0..99/10", MISSING, 10), ("day=2024-01-01..2024-12-31/12", "2024-12-31", 11),
        ("x=0.00..1.00/4", "0.99", 3), ("x=-1.5..1.5/3", "0", 1), ("sex=F|M", "M", 1), ("sex=F|M", "X", 2),
    ],
)  # fmt: skip
def test_values_have_a_cell(field: str, text: str, cell: int) -> None:
    domain = domain_of(field, PublicKnowledge())
    assert domain.of_labels(Column.from_texts(domain.column, [text]), PublicKnowledge()).tolist() == [cell]
    drawn = domain.texts(np.full(200, cell), np.linspace(0, 0.999, 200))
    assert set(domain.of_labels(Column.from_texts("x", drawn), PublicKnowledge()).tolist()) == {cell}


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        ("synthetic sex", "categories of “sex” are not public"),
        ("synthetic sex=F|M sex=F|M", "named twice"),
        ("synthetic age=9..1", "bounds of “age” are not public"),
        ("synthetic sex=F|M with target=age", "none of the columns"),
        ("synthetic sex=F|M age=0..9 with way=star", "star needs a target"),
        (f"synthetic sex={MANY} age={MANY}", "too many cells"),
    ],
)
def test_what_is_not_public_is_refused(ask: str, said: str) -> None:
    with pytest.raises(BadParameter, match=said):
        run(plan(ask), {"table": visits()})


def _stopping(after: int) -> Progress:
    asked = iter(range(10**6))
    return Progress(is_cancelled=lambda: next(asked) >= after)


def test_a_run_that_is_stopped_costs_what_was_drawn_until_then(tmp_path: Path) -> None:
    ledger = BudgetLedger(tmp_path / "x.budget")
    ask = "synthetic sex=F|M age=0..99/5 school day=2024-01-01..2024-12-31/4"
    files = {"table": visits(), "ledger": ledger}
    project = plan(ask, total=Fraction(90))
    with pytest.raises(Cancelled):
        run(project, files, _stopping(3))
    assert not any(account.spends for account in ledger.accounts())
    for after in (18, 20):
        with pytest.raises(CancelledAtCost, match="stands in the ledger"):
            run(project, files, _stopping(after))
    first, second = ledger.accounts()[0].spends
    assert 0 < first.spend.rho < second.spend.rho < budget_questions(project)[0].made.spend.rho
    assert first.answer is None


def test_whole_numbers_of_rows_are_as_near_as_can_be() -> None:
    for _ in range(20):
        drawn = allot_rows(np.array([0.5, 0.3, 0.2]), 7)
        assert np.abs(np.bincount(drawn, minlength=3) - [3.5, 2.1, 1.4]).max() < 1
    assert project_to_simplex(np.array([5.0, -3.0, 1.0]), 4.0).tolist() == [4.0, 0.0, 0.0]
    assert project_to_simplex(np.array([5.0, 3.0]), 8.0).tolist() == [5.0, 3.0]
