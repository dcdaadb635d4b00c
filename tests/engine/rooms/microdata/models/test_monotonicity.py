"""Merging classes never lowers k or distinct l, keeps what held for every class, and never raises t."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.measurement import TableMeasurement, measure_table
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.distances import DISTANCES
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import EntropyLDiversity, RecursiveLDiversity
from anonymizer_gui.engine.rooms.microdata.models.likeness import DeltaDisclosure
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import NTCloseness, TCloseness

Row = tuple[int, str]
COARSER = st.lists(st.integers(0, 2), min_size=5, max_size=5)
ROWS = st.lists(st.tuples(st.integers(0, 4), st.sampled_from(["1", "2", "10", "30"])), min_size=1, max_size=30)
ROUNDING = 1e-9


def both(rows: list[Row], coarser: list[int], *goals: PrivacyModel) -> tuple[TableMeasurement, TableMeasurement]:
    """Measure a table with its classes, and with classes merged as told."""
    fine = [[str(label), value] for label, value in rows]
    coarse = [[str(coarser[label]), value] for label, value in rows]
    before, after = (
        measure_table(Table.from_rows(["q", "s"], table), ["q"], ["s"], goals=goals) for table in (fine, coarse)
    )
    return before, after


@given(ROWS, COARSER)
def test_coarsening_never_lowers_k_or_distinct_l(rows: list[Row], coarser: list[int]) -> None:
    before, after = both(rows, coarser)
    assert after.k >= before.k
    assert after.l["distinct"] >= before.l["distinct"]


@given(ROWS, COARSER)
def test_coarsening_never_raises_t(rows: list[Row], coarser: list[int]) -> None:
    before, after = both(rows, coarser)
    for name in ("variational", "kl", "emd", "emd-equal", "emd-ordered", "euclidean", "jensen-shannon"):
        assert after.t[name] <= before.t[name] + ROUNDING


@given(ROWS, COARSER)
def test_entropy_l_that_every_class_has_stays_when_classes_are_merged(rows: list[Row], coarser: list[int]) -> None:
    before, after = both(rows, coarser)
    assert after.l["entropy"] >= before.l["entropy"] - ROUNDING
    goal = EntropyLDiversity(l=max(before.l["entropy"], 1.0))
    assert both(rows, coarser, goal)[1].holds


@given(ROWS, COARSER, st.sampled_from([0.7, 1.0, 2.0, 3.5]), st.integers(1, 4))
def test_recursive_l_that_every_class_has_stays_when_classes_are_merged(
    rows: list[Row],
    coarser: list[int],
    c: float,
    l: int,  # noqa: E741
) -> None:
    before, after = both(rows, coarser, RecursiveLDiversity(l=l, c=c))
    assert after.holds or not before.holds


def test_the_value_of_a_single_class_can_go_down_when_it_is_merged() -> None:
    even, skewed = [(0, "1"), (0, "2")], [(1, "1")] * 6
    fine, coarse = both(even + skewed, [0, 0, 0, 0, 0], EntropyLDiversity(l=1.0), RecursiveLDiversity(c=2.0))
    (_, entropy), (_, recursive) = fine.goals
    (_, entropy_after), (_, recursive_after) = coarse.goals
    assert entropy.per_class[0] == pytest.approx(2.0)
    assert entropy_after.per_class[0] < 2.0
    assert (recursive.per_class[0], recursive_after.per_class[0]) == (2, 1)


@pytest.mark.parametrize("name", [name for name in DISTANCES if name != "emd-hierarchical"])
@given(rows=ROWS, coarser=COARSER)
def test_one_group_that_serves_every_class_serves_the_coarser_table_too(
    rows: list[Row], coarser: list[int], name: str
) -> None:
    """The best group of the coarser table is at least as good; on these small tables the best is found."""
    few = rows[:8]
    before, after = both(few, coarser, NTCloseness(n=max(len(few) // 2, 1), distance=name))
    assert after.goals[0][1].value <= before.goals[0][1].value + ROUNDING


@given(ROWS, COARSER)
def test_every_goal_about_shares_that_holds_still_does(rows: list[Row], coarser: list[int]) -> None:
    goals = (DeltaDisclosure(delta=1.0), TCloseness(t=0.3, distance="kl"))
    before, after = both(rows, coarser, *goals)
    for (_, one), (_, other) in zip(before.goals, after.goals, strict=True):
        assert other.holds or not one.holds
