"""Steps that make the values of a column coarser: rounding, limits, ranges, dates, microaggregation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.rooms.microdata.masking.contract import Step
from anonymizer_gui.engine.rooms.microdata.masking.global_recoding import (
    BinNumbers,
    RoundNumbers,
    TopBottomCoding,
    TruncateDates,
)
from anonymizer_gui.engine.rooms.microdata.masking.microaggregation import Microaggregation, mdav
from anonymizer_gui.engine.rooms.microdata.masking.noise_addition import AddNoise
from anonymizer_gui.engine.rooms.microdata.masking.rank_swapping import SwapRanks
from anonymizer_gui.engine.rooms.microdata.masking.steps import apply_steps, step_notes, with_steps
from anonymizer_gui.engine.storage.sources import Source


def changed(step: Step, texts: list[str], decimal: str = ".") -> list[str]:
    column = Table.from_rows(["a"], [[text] for text in texts])
    found: list[str] = step.apply(column, decimal).table.column("a").texts().tolist()
    return found


def test_numbers_are_rounded_exactly_and_words_stay() -> None:
    assert changed(RoundNumbers("a", 0.1), ["0.25", "0.35", "1", "x"]) == ["0.2", "0.4", "1", "x"]
    assert changed(RoundNumbers("a", 5), ["12", "13", "-3", "10"]) == ["10", "15", "-5", "10"]
    assert changed(RoundNumbers("a", 0.5), ["1,3", "2"], decimal=",") == ["1,5", "2"]


def test_the_largest_numbers_are_rounded_too() -> None:
    assert changed(RoundNumbers("a", 0.1), ["1e300", "0.04"]) == ["1" + "0" * 300, "0"]
    assert changed(BinNumbers("a", 0.5), ["1e300"])[0].startswith("[1000")


def test_extremes_become_the_limits() -> None:
    ages = ["5", "30", "95", "101", MISSING]
    assert changed(TopBottomCoding("a", "18", "90"), ages) == ["18", "30", "90", "90", MISSING]
    assert changed(TopBottomCoding("a", "", "90"), ages)[0] == "5"
    many = [str(number) for number in range(1, 101)]
    assert max(map(int, changed(TopBottomCoding("a", "", "0.95", quantiles=True), many))) == 95
    assert TopBottomCoding("a", "", "0.95", quantiles=True).sentence().endswith("quantiles none to 0.95")


def test_no_spelling_tells_who_was_round_or_at_the_limit_before() -> None:
    assert changed(RoundNumbers("a", 100), ["11700.00", "11712.50", "900.0"]) == ["11700", "11700", "900"]
    assert changed(TopBottomCoding("a", "", "90"), ["90.00", "95.50", "89.50"]) == ["90", "90", "89.50"]
    some = ["1.10", "2.20", "2.2", "3.30"]
    assert changed(TopBottomCoding("a", "", "0.5", quantiles=True), some) == ["1.10", "2.2", "2.2", "2.2"]


@pytest.mark.parametrize(
    ("step", "texts"),
    [
        (RoundNumbers("a", 5), ["12", "over 90", MISSING, "10"]),
        (TopBottomCoding("a", "", "90"), ["95", "over 90", MISSING]),
        (BinNumbers("a", 5), ["12", "over 90", MISSING]),
        (TruncateDates("a", "year"), ["2024-03-05", "2024-04-05", "05.03.2024", MISSING]),
        (SwapRanks(("a",), 1.0, seed=1), ["1", "2", "over 90", MISSING]),
    ],
)
def test_values_that_cannot_be_changed_are_counted_and_told(step: Step, texts: list[str]) -> None:
    column = Table.from_rows(["a"], [[text] for text in texts])
    assert step.apply(column, ".").kept == 1
    told = str(step_notes(apply_steps(column, with_steps(Source("x.csv"), [step]))[1])[0])
    assert told.endswith("changed, 1 cell could not be changed and stays.")


def test_people_with_only_some_of_the_numbers_are_counted_where_columns_go_together() -> None:
    rows = [["1", "10"], ["2", "20"], ["3", "30"], ["4", MISSING]]
    table = Table.from_rows(["a", "b"], rows)
    together = Microaggregation(("a", "b"), 2).apply(table, ".")
    assert (together.kept, together.table.column("a").texts()[3]) == (1, "4")
    assert Microaggregation(("a", "b"), 2, "each").apply(table, ".").kept == 0
    assert AddNoise(("a", "b"), way="correlated", seed=1).apply(table, ".").kept == 1
    alone = AddNoise(("a", "b"), amount=10.0, seed=1).apply(table, ".")
    assert (alone.kept, alone.table.column("a").texts()[3] != "4") == (0, True)


@pytest.mark.parametrize("step", [Microaggregation(("a",), 2, within=True), Microaggregation(("a",), 2, "class")])
def test_a_number_without_another_in_its_class_is_counted_as_kept(step: Microaggregation) -> None:
    table = Table.from_rows(["a"], [["10"], ["20"], ["70"], [MISSING], ["30"], ["50"], ["60"]])
    done = step.apply_within(table, ".", np.array([0, 0, 1, 1, 2, 2, 2]))
    assert (done.kept, done.table.column("a").texts()[2]) == (1, "70")


def test_whole_numbers_and_others_get_their_ranges() -> None:
    assert changed(BinNumbers("a", 5), ["20", "24", "25", "-1"]) == ["20-24", "20-24", "25-29", "-5--1"]
    assert changed(BinNumbers("a", 0.5), ["1.2", "1.5"]) == ["[1, 1.5[", "[1.5, 2["]


@pytest.mark.parametrize(
    ("unit", "left"), [("day", "2024-03-05"), ("month", "2024-03"), ("quarter", "2024-Q1"), ("year", "2024")]
)
def test_dates_are_cut(unit: str, left: str) -> None:
    assert changed(TruncateDates("a", unit), ["05.03.2024", MISSING, "soon"]) == [left, MISSING, "soon"]


@pytest.mark.parametrize(
    "step",
    [
        RoundNumbers("a", 5), TopBottomCoding("a", "1", "2"), BinNumbers("a", 5), TruncateDates("a"),
        Microaggregation(("a",), 2), Microaggregation((), 2),
    ],
)  # fmt: skip
def test_words_are_neither_numbers_nor_dates(step: Step) -> None:
    with pytest.raises(BadParameter):
        changed(step, ["blue", "green"])


@pytest.mark.parametrize("limits", [("", ""), ("9", "1"), ("x", "")])
def test_limits_that_make_no_sense_are_refused(limits: tuple[str, str]) -> None:
    with pytest.raises(BadParameter):
        changed(TopBottomCoding("a", *limits), ["1", "2"])


def plain_mdav(points: list[tuple[float, ...]], k: int) -> list[list[int]]:
    """Follow the paper step by step."""

    def far(rows: list[int], centre: list[float]) -> int:
        return max(rows, key=lambda row: (sum((a - b) ** 2 for a, b in zip(points[row], centre, strict=True)), -row))

    def near(rows: list[int], row: int) -> list[int]:
        centre = points[row]
        apart = {r: sum((a - b) ** 2 for a, b in zip(points[r], centre, strict=True)) for r in rows}
        return sorted(rows, key=lambda r: (apart[r], r))[:k]

    def mean(rows: list[int]) -> list[float]:
        return [sum(points[row][j] for row in rows) / len(rows) for j in range(len(points[0]))]

    left, groups = list(range(len(points))), []
    while len(left) >= 3 * k:
        first = far(left, mean(left))
        second = far(left, list(points[first]))
        for start in (first, second):
            groups.append(near(left, start))
            left = [row for row in left if row not in groups[-1]]
    if len(left) >= 2 * k:
        groups.append(near(left, far(left, mean(left))))
        left = [row for row in left if row not in groups[-1]]
    return [*groups, left]


@given(st.integers(0, 1000), st.integers(2, 4), st.integers(2, 30))
@settings(max_examples=40, deadline=None)
def test_mdav_is_that_of_the_paper(seed: int, k: int, count: int) -> None:
    points = np.random.default_rng(seed).normal(size=(max(count, k), 2))
    group = mdav(points, k)
    found = sorted(sorted(np.flatnonzero(group == number).tolist()) for number in np.unique(group))
    assert found == sorted(sorted(rows) for rows in plain_mdav([tuple(p) for p in points.tolist()], k))
    sizes = np.bincount(group)
    assert sizes.min() >= k
    assert sizes.max() < 2 * k


@given(st.lists(st.integers(0, 3), min_size=3, max_size=40), st.integers(2, 3))
@settings(max_examples=40, deadline=None)
def test_equal_points_make_groups_of_at_least_k(values: list[int], k: int) -> None:
    sizes = np.bincount(mdav(np.array(values, dtype=float)[:, None], k))
    assert sizes.min() >= k


@pytest.mark.parametrize("way", ["together", "each"])
@pytest.mark.parametrize("centre", ["mean", "median", "mode"])
def test_at_least_k_rows_share_every_value(way: str, centre: str) -> None:
    rng = np.random.default_rng(1)
    rows = [[str(a), f"{b:.2f}"] for a, b in zip(rng.integers(20, 80, 60), rng.normal(size=60), strict=True)]
    table = Table.from_rows(["age", "score"], [*rows, ["30", MISSING]])
    done = Microaggregation(("age", "score"), 4, way, centre).apply(table, ".")
    for name in table.names:
        counts = [c for c, label in zip(done.table.column(name).counts(), done.table.column(name).labels, strict=True)
                  if label != MISSING]  # fmt: skip
        assert min(counts) >= (4 if way == "each" else 1)
    assert done.cells > 0
    assert done.table.column("score").texts()[60] == MISSING
    if way == "together":
        pairs = list(zip(done.table.column("age").texts()[:60], done.table.column("score").texts()[:60], strict=True))
        assert min(pairs.count(pair) for pair in pairs) >= 4
    if centre == "mean" and way == "together":
        ages = np.array([float(text) for text in done.table.column("age").texts()[:60]])
        assert ages.mean() == pytest.approx(np.mean([int(row[0]) for row in rows]))


@pytest.mark.parametrize(("centre", "expected"), [("mean", ["4", "9"]), ("median", ["3", "9"]), ("mode", ["2", "9"])])
def test_every_class_gets_one_value_also_rows_without_a_number(centre: str, expected: list[str]) -> None:
    rows = [["2"], ["9"], ["8"], [MISSING], ["2"], ["4"], [MISSING]]
    classes = np.array([0, 1, 0, 0, 0, 0, 2])
    step = Microaggregation(("age",), way="class", centre=centre)
    assert step.waits()
    done = step.apply_within(Table.from_rows(["age"], rows), ".", classes)
    first, second = expected
    assert done.table.column("age").texts().tolist() == [first, second, first, first, first, first, MISSING]
    assert done.cells == sum(old != [new] for old, new in zip(rows, done.table.column("age").texts(), strict=True))


def test_a_column_named_twice_is_changed_once_and_one_without_numbers_is_named() -> None:
    table = Table.from_rows(["age", "sex"], [[str(age), "fm"[age % 2]] for age in range(20)])
    once, twice = (Microaggregation(names, 5).apply(table, ".") for names in (("age",), ("age", "age")))
    assert (once.cells, once.table.column("age").texts().tolist()) == (
        twice.cells,
        twice.table.column("age").texts().tolist(),
    )
    with pytest.raises(BadParameter, match="“sex” holds no numbers"):
        Microaggregation(("age", "sex"), 5).apply(table, ".")
