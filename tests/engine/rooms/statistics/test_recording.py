"""Whatever a question sends to the gateway moves by no more than it declares, for every kind of neighbour.

Each question is asked about one table and recorded, then about a neighbouring one with the answers frozen: the
requests must be the same ones, with numbers as near as declared.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.dp import gateway
from anonymizer_gui.engine.dp.accountant import compose
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.rooms.statistics.data_kinds import tables
from anonymizer_gui.engine.rooms.statistics.project import PlannedQuestion
from anonymizer_gui.engine.rooms.statistics.question import PublicKnowledge, Step
from anonymizer_gui.engine.rooms.statistics.questions.counts import Histogram
from anonymizer_gui.engine.rooms.statistics.questions.numbers import Sum
from anonymizer_gui.engine.rooms.statistics.run import run
from tests.engine.dp.recording import faults, recording
from tests.engine.rooms.statistics.making import ASKS, CHANGE, NAMES, PERSON, ROW, plan

Row = list[str]
# Ordinary cells, missing ones, outliers, texts that are no number, and categories nobody has named.
ROWS = st.tuples(
    st.sampled_from(["p1", "p2", "p3", MISSING]),
    st.sampled_from(["F", "M", MISSING, "X"]),
    st.sampled_from(["0", "37", "64.5", "65", "100", MISSING, "old", "1e12", "-1e12", "0.0001"]),
    st.sampled_from(["none", "basic", "BA", "PhD", MISSING, "unheard of"]),
    st.sampled_from(["2024-01-01", "2024-02-29", "2024-12-31", MISSING, "2024-02-30", "1999-01-01"]),
    st.sampled_from(["0", "0.5", "1", MISSING, "-7", "nowhere"]),
    st.sampled_from(["0", "1.99", "2", MISSING, "1e9"]),
).map(list)
APART = Fraction(1, 5)
SOME = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))


@st.composite
def neighbours(draw: st.DrawFn, unit: PrivacyUnit) -> tuple[Table, Table]:
    """Give two tables that differ in one row more or less, one changed row, or all rows of one person."""
    rows: list[Row] = draw(st.lists(ROWS, max_size=8))
    if unit == CHANGE:
        old, new = draw(ROWS), draw(ROWS)
        return _table([*rows, old]), _table([*rows, new])
    if unit == ROW:
        pair = _table(rows), _table([*rows, draw(ROWS)])
    else:
        added = [["new", *row[1:]] for row in draw(st.lists(ROWS, min_size=1, max_size=5))]
        at = draw(st.integers(0, len(rows)))
        pair = _table(rows), _table([*rows[:at], *added, *rows[at:]])
    return pair if draw(st.booleans()) else (pair[1], pair[0])


def _table(rows: Sequence[Row]) -> Table:
    return Table.from_rows(NAMES, rows)


def found(asks: Sequence[str], unit: PrivacyUnit, pair: tuple[Table, Table], **changes: object) -> list[str]:
    """Ask about both tables and say what an onlooker could tell apart.

    A changed row may leave a part and enter one, which is charged twice: each half of the way must be as declared.
    """
    if unit == CHANGE and any(" for " in ask for ask in asks):
        between = pair[0].take(np.arange(pair[0].n_rows - 1))
        return [each for half in (pair[0], pair[1]) for each in _told_apart(asks, unit, (half, between), **changes)]
    return _told_apart(asks, unit, pair, **changes)


def _told_apart(asks: Sequence[str], unit: PrivacyUnit, pair: tuple[Table, Table], **changes: object) -> list[str]:
    project = plan(*asks, unit=unit, **changes)
    # Lots are drawn anew in every run; here they fall in the order of the rows, and all or none are held out.
    seen = [lambda count, share: np.full(count, share > APART), lambda count, share: np.full(count, share == APART)]
    found = []
    for sampled in seen if any(ask.startswith("learn") for ask in asks) else seen[:1]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tables, "draw_lots", lambda count: np.arange(count, dtype=np.uint64))
            patch.setattr(gateway, "poisson_sample", sampled)
            found += faults(lambda table: run(project, {"table": table}), *pair, patch)
    return found


@pytest.mark.parametrize("unit", [ROW, CHANGE, PERSON], ids=str)
@pytest.mark.parametrize("ask", ASKS)
def test_no_neighbour_moves_what_is_sent_further_than_declared(ask: str, unit: PrivacyUnit) -> None:
    @SOME
    @given(neighbours(unit))
    def check(pair: tuple[Table, Table]) -> None:
        assert found([ask], unit, pair, surplus="first") == []
        if unit == PERSON:
            assert found([ask], unit, pair, surplus="sampled") == []

    check()


HARSH = (
    ["new", "F", "100", "BA", "2024-01-15", "0.1", "0.1"],
    ["new", "M", "0", "none", "2024-12-31", "1", "2"],
    ["new", "X", "1e12", "unheard of", "1999-01-01", "9", "9"],
    ["new", MISSING, MISSING, MISSING, MISSING, MISSING, MISSING],
    ["new", "F", "-1e12", "PhD", "2024-02-29", "0", "0"],
)
"""Rows at both bounds, beyond them, of no known category, and without any value: as far apart as can be."""


@pytest.mark.parametrize("unit", [ROW, CHANGE, PERSON], ids=str)
@pytest.mark.parametrize("ask", ASKS)
def test_the_harshest_neighbours_move_nothing_further_either(ask: str, unit: PrivacyUnit) -> None:
    base = [["p1", "M", "50", "MA", "2024-06-01", "0.5", "0.5"]]
    if unit == CHANGE:
        both = list(itertools.permutations(HARSH, 2))
        pairs = [([*rows, one], [*rows, two]) for rows in ([], base) for one, two in both]
    else:
        pairs = [(rows, [*rows, *[new] * unit.rows]) for rows in ([], base) for new in HARSH]
    for first, second in pairs:
        assert found([ask], unit, (_table(first), _table(second)), surplus="first") == []


@pytest.mark.parametrize("unit", [ROW, CHANGE, PERSON], ids=str)
def test_a_plan_sends_no_more_than_its_budget(unit: PrivacyUnit) -> None:
    project = plan(*ASKS[:27], unit=unit, epsilon=Fraction(3))
    with pytest.MonkeyPatch.context() as patch, recording(patch) as seen:
        release = run(project, {"table": _table([["p1", "F", "37", "BA", "2024-01-01", "0", "0"]] * 5)})
    spent = compose([seen.spent()], project.delta)
    assert spent.epsilon <= 3
    assert compose([answer.spend for answer in release.answers], project.delta).epsilon <= 3


@dataclass(frozen=True, slots=True)
class CategoriesFromData(Histogram):
    """A fault: the cells are those the table has."""

    def counted(self, data: Table, public: PublicKnowledge) -> tuple[Ints, ...]:
        return (data.column(self.column).counts(),)


@dataclass(frozen=True, slots=True)
class SumWithoutBounds(Sum):
    """A fault: the values are not moved to the bounds."""

    def counted(self, data: Table, public: PublicKnowledge) -> tuple[Ints, ...]:
        numbers = [float(text) for text in data.column(self.column).texts() if text not in (MISSING, "old")]
        return (np.array([int(sum(numbers) / float(self.size(public)))], dtype=np.int64),)


@dataclass(frozen=True, slots=True)
class TooSureHistogram(Histogram):
    """A fault: a changed row counts as one cell."""

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        return Histogram.steps(self, PublicKnowledge(ROW, public.hierarchies))


@pytest.mark.parametrize(
    ("question", "unit", "pair"),
    [
        (CategoriesFromData("sex", ("F", "M")), ROW, (["F", "M"], ["F", "M", "X"])),
        (SumWithoutBounds("age", 0.0, 10.0), ROW, (["1"], ["1", "50000"])),
        (TooSureHistogram("sex", ("F", "M")), CHANGE, (["F"], ["M"])),
    ],
    ids=["categories from the data", "no bounds", "wrong unit"],
)
def test_planted_faults_are_found(question: Histogram, unit: PrivacyUnit, pair: tuple[list[str], list[str]]) -> None:
    project = plan(unit=unit, questions=(PlannedQuestion(question),))
    first, second = (Table.from_rows([question.column], [[cell] for cell in cells]) for cells in pair)
    with pytest.MonkeyPatch.context() as patch:
        assert faults(lambda table: run(project, {"table": table}), first, second, patch, Budget(epsilon=1)) != []
