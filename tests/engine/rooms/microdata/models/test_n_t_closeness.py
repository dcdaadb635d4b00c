"""(n,t)-closeness with one group for all classes: by hand, against all groups, and against a linear program."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.measurement import measure_table
from anonymizer_gui.engine.rooms.microdata.models.contract import ClassGroups, SensitiveAttribute, WholeTable
from anonymizer_gui.engine.rooms.microdata.models.distances import DISTANCES, distance, subgradient
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import NTCloseness, TCloseness, nearest_reference_group

TREE = Hierarchy.from_nested({"*": {"a": ["0", "1"], "b": {"c": ["2"], "d": ["3"]}}})
Shares = list[float]


def counted(table: list[list[int]]) -> tuple[ClassGroups, WholeTable]:
    counts = np.array(table)
    groups, values = np.nonzero(counts)
    histogram = Histogram(*counts.shape, groups, values, counts[groups, values])
    order = np.arange(counts.shape[1])
    sensitive = SensitiveAttribute("s", tuple(map(str, order)), counts.sum(axis=0), order, TREE, order % 4)
    return ClassGroups(counts.sum(axis=1), {"s": histogram}), WholeTable(int(counts.sum()), {"s": sensitive})


def one_group(table: list[list[int]], n: int, name: str) -> float:
    return NTCloseness(n=n, distance=name).measure(*counted(table)).value


THREE = [[2, 2], [1, 1], [8, 0]]
"""Eleven against three: the whole has a share of 11/14, the classes 1/2, 1/2 and 1."""


def test_one_group_may_serve_every_class_where_the_whole_table_does_not() -> None:
    groups, whole = counted(THREE)
    assert TCloseness(t=0.25).measure(groups, whole).value == pytest.approx(11 / 14 - 1 / 2)
    assert not TCloseness(t=0.25).measure(groups, whole).holds
    found = NTCloseness(t=0.25, n=4).measure(groups, whole)  # three of the one and one of the other: 3/4
    assert found.per_class.tolist() == pytest.approx([0.25, 0.25, 0.25])
    assert found.holds


@pytest.mark.parametrize(("n", "value"), [(1, 1 / 4), (12, 1 / 4), (13, 10 / 13 - 1 / 2), (14, 11 / 14 - 1 / 2)])
def test_the_more_records_a_group_needs_the_nearer_it_is_to_the_whole_table(n: int, value: float) -> None:
    assert one_group(THREE, n, "variational") == pytest.approx(value)


def test_candidate_classes_are_decided_against_the_whole_table() -> None:
    assert NTCloseness(t=0.25, n=4).satisfied(*counted(THREE)).tolist() == [False, False, True]


def test_no_group_is_large_enough_in_a_smaller_table() -> None:
    found = NTCloseness(t=1.0, n=15).measure(*counted(THREE))
    assert math.isinf(found.value)
    assert not found.holds


def test_a_class_that_is_its_own_group_may_differ_only_in_the_other_reading() -> None:
    groups, whole = counted([[10, 0], [0, 2], [5, 5]])
    assert NTCloseness(t=0.3, n=10, group="each").satisfied(groups, whole).tolist() == [True, False, True]
    assert NTCloseness(t=0.3, n=10).satisfied(groups, whole).tolist() == [False, False, True]


def test_each_sensitive_column_has_its_own_group() -> None:
    rows = [["1", "u", "x"], ["1", "v", "x"], ["2", "u", "x"], ["2", "u", "y"]]
    table = Table.from_rows(["q", "a", "b"], rows)
    goal = NTCloseness(n=1, distance="variational")
    both = measure_table(table, ["q"], ["a", "b"], goals=[goal]).goals[0][1].value
    assert both == max(measure_table(table, ["q"], [name], goals=[goal]).goals[0][1].value for name in "ab")


def variational(p: Shares, q: Shares) -> float:
    return sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2


def ordered(p: Shares, q: Shares) -> float:
    steps = itertools.accumulate(a - b for a, b in zip(p, q, strict=True))
    return sum(map(abs, steps)) / (len(p) - 1)


def divergence(p: Shares, q: Shares) -> float:
    pairs = [(a, b) for a, b in zip(p, q, strict=True) if a > 0]
    return math.inf if any(b == 0 for _, b in pairs) else sum(a * math.log2(a / b) for a, b in pairs)


def euclidean(p: Shares, q: Shares) -> float:
    return math.dist(p, q)


def jensen_shannon(p: Shares, q: Shares) -> float:
    middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    return (divergence(p, middle) + divergence(q, middle)) / 2


PLAIN = {
    "variational": variational,
    "emd-equal": variational,
    "emd-ordered": ordered,
    "kl": divergence,
    "euclidean": euclidean,
    "jensen-shannon": jensen_shannon,
}


@st.composite
def tables(draw: st.DrawFn, most: int = 2) -> list[list[int]]:
    """Some classes of three values, each of which somebody has."""
    rows = draw(st.lists(st.lists(st.integers(0, most), min_size=3, max_size=3), min_size=1, max_size=4))
    rows = [row for row in rows if sum(row)]
    assume(rows and all(sum(column) for column in zip(*rows, strict=True)))
    return rows


@pytest.mark.parametrize("name", PLAIN)
@given(table=tables(), data=st.data())
def test_no_group_of_a_small_table_is_better(name: str, table: list[list[int]], data: st.DataObject) -> None:
    whole = [sum(column) for column in zip(*table, strict=True)]
    n = data.draw(st.integers(1, sum(whole)))
    least = min(
        max(PLAIN[name]([c / sum(row) for c in row], [m / sum(group) for m in group]) for row in table)
        for group in itertools.product(*(range(count + 1) for count in whole))
        if sum(group) >= n
    )
    assert one_group(table, n, name) == pytest.approx(least, abs=1e-9)


@pytest.mark.parametrize("name", DISTANCES)
@settings(max_examples=12)
@given(table=tables(most=30), data=st.data())
def test_it_is_weaker_than_closeness_to_the_whole_table(name: str, table: list[list[int]], data: st.DataObject) -> None:
    rows = sum(map(sum, table))
    close = TCloseness(distance=name).measure(*counted(table)).value
    assert 0 <= one_group(table, data.draw(st.integers(1, rows)), name) <= close
    assert one_group(table, rows, name) == close


@pytest.mark.parametrize("name", DISTANCES)
@settings(max_examples=12)
@given(table=tables(most=30), data=st.data())
def test_the_group_found_is_a_group_of_the_table(name: str, table: list[list[int]], data: st.DataObject) -> None:
    groups, whole = counted(table)
    n = data.draw(st.integers(1, whole.n_rows))
    group = nearest_reference_group(name, groups.sensitive["s"], whole.sensitive["s"], n)
    assert group.sum() >= n
    assert ((group >= 0) & (group <= whole.sensitive["s"].counts)).all()


@settings(max_examples=12)
@given(table=tables(most=30), data=st.data())
def test_the_numbering_of_the_values_does_not_matter(table: list[list[int]], data: st.DataObject) -> None:
    n = data.draw(st.integers(1, sum(map(sum, table))))
    groups, whole = counted(table)
    turned, other = counted([row[::-1] for row in table])
    sensitive = SensitiveAttribute("s", ("2", "1", "0"), other.sensitive["s"].counts, np.array([2, 1, 0]))
    found = nearest_reference_group("emd-ordered", groups.sensitive["s"], whole.sensitive["s"], n)
    assert nearest_reference_group("emd-ordered", turned.sensitive["s"], sensitive, n).tolist() == found.tolist()[::-1]


def test_the_order_of_the_classes_does_not_matter() -> None:
    rng = np.random.default_rng(51)  # some of its classes are equally far from the groups on the way
    table = rng.integers(0, 3, (12, 6))
    n = int(table.sum()) // 3
    assert len({one_group(rng.permutation(table).tolist(), n, "euclidean") for _ in range(4)}) == 1


def made_up(seed: int) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    n_classes, n_values = rng.integers(3, 10), rng.integers(5, 12)
    return (rng.poisson(rng.gamma(0.7, 15.0, (n_classes, n_values))) + 1).tolist()


@pytest.mark.parametrize("name", ["variational", "emd-ordered"])
@pytest.mark.parametrize(("seed", "share"), [(0, 0.2), (1, 0.5), (2, 0.8), (3, 0.3), (4, 0.6), (5, 0.1)])
def test_in_larger_tables_it_is_within_a_hundredth_of_what_any_shares_could_reach(
    seed: int, share: float, name: str
) -> None:
    table = made_up(seed)
    n = int(share * sum(map(sum, table)))
    bound = least_of_all_shares(np.array(table), n, name)
    assert bound - 1e-9 <= one_group(table, n, name) <= bound + 0.01


def least_of_all_shares(counts: np.ndarray, n: int, name: str) -> float:
    """Solve for real shares q with q_v <= N_v / n: no group of whole records is better than those."""
    n_values = counts.shape[1]
    steps = (
        np.tril(np.ones((n_values, n_values)))[:-1] / (n_values - 1) if name == "emd-ordered" else np.eye(n_values) / 2
    )
    shares = counts / counts.sum(axis=1, keepdims=True)
    width = n_values + len(shares) * len(steps) + 1
    rows, limits = [], []
    for number, p in enumerate(shares):
        begin = n_values + number * len(steps)
        for at, step in enumerate(steps):
            for sign in (1, -1):
                row = np.zeros(width)
                row[:n_values], row[begin + at] = -sign * step, -1
                rows.append(row)
                limits.append(-sign * step @ p)
        row = np.zeros(width)
        row[begin : begin + len(steps)], row[-1] = 1, -1
        rows.append(row)
        limits.append(0)
    cost = np.r_[np.zeros(width - 1), 1]
    total = np.r_[np.ones(n_values), np.zeros(width - n_values)][None]
    bounds = [(0, count / n) for count in counts.sum(axis=0)] + [(0, None)] * (width - n_values)
    return float(linprog(cost, A_ub=rows, b_ub=limits, A_eq=total, b_eq=[1], bounds=bounds).fun)


@pytest.mark.parametrize("name", DISTANCES)
@given(
    st.lists(st.integers(1, 9), min_size=4, max_size=4),
    st.lists(st.integers(1, 9), min_size=4, max_size=4),
    st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(any),
)
def test_every_distance_lies_above_its_slope(name: str, at: list[int], to: list[int], of: list[int]) -> None:
    groups, _ = counted([of])
    histogram = groups.sensitive["s"]
    sensitive = SensitiveAttribute("s", tuple("0123"), np.ones(4, dtype=np.int64), np.arange(4), TREE, np.arange(4))
    p, q, other = (np.array(counts) / sum(counts) for counts in (of, at, to))
    here, there = (distance(name, histogram, sensitive, shares)[0] for shares in (q, other))
    assert there >= here + subgradient(name, p, q, sensitive) @ (other - q) - 1e-9
