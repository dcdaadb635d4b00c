"""Equivalence classes and sparse histograms."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram, classes_of, group_rows
from anonymizer_gui.engine.data.tables.table import MISSING, Table

COLUMNS = st.integers(0, 60).flatmap(
    lambda n: st.lists(
        st.tuples(
            st.sampled_from([1, 3, 200, 70_000, 2**31]),
            st.lists(st.floats(0, 1, exclude_max=True), min_size=n, max_size=n),
        ),
        min_size=1,
        max_size=6,
    )
)


def coded(columns: list[tuple[int, list[float]]]) -> list[np.ndarray]:
    return [np.array([int(x * width) for x in values], dtype=np.uint32) for width, values in columns]


@given(COLUMNS)
def test_rows_share_a_class_exactly_when_all_their_codes_are_equal(columns: list[tuple[int, list[float]]]) -> None:
    codes = coded(columns)
    found = group_rows(codes, len(codes[0]))
    rows = list(zip(*(c.tolist() for c in codes), strict=True))
    number = {row: i for i, row in enumerate(dict.fromkeys(rows))}
    assert found.ids.tolist() == [number[row] for row in rows]
    assert found.sizes.tolist() == [Counter(rows)[row] for row in number]
    assert [rows[i] for i in found.first_rows.tolist()] == list(number)


def test_all_rows_are_one_class_without_columns() -> None:
    assert group_rows([], 3).sizes.tolist() == [3]


def test_a_table_without_rows_has_no_classes() -> None:
    assert len(group_rows([np.zeros(0, dtype=np.uint8)], 0)) == 0


def test_missing_is_a_value() -> None:
    table = Table.from_rows(["a"], [["1"], [MISSING], [MISSING]])
    assert classes_of(table, ["a"]).sizes.tolist() == [1, 2]


PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4)), max_size=50)


@given(PAIRS, st.sampled_from([6, 5_000_000]))
def test_a_histogram_counts_what_is_there_and_nothing_else(pairs: list[tuple[int, int]], n_groups: int) -> None:
    groups, values = (np.array([p[i] for p in pairs], dtype=np.int64) for i in (0, 1))
    found = Histogram.count(groups, n_groups, values, 5)
    entries = dict(
        zip(zip(found.groups.tolist(), found.values.tolist(), strict=True), found.counts.tolist(), strict=True)
    )
    assert entries == Counter(pairs)
    assert sorted(entries) == list(entries)


@given(PAIRS)
def test_merging_groups_adds_up_their_counts(pairs: list[tuple[int, int]]) -> None:
    groups, values = (np.array([p[i] for p in pairs], dtype=np.int64) for i in (0, 1))
    halved = np.arange(6) // 2
    merged = Histogram.count(groups, 6, values, 5).merged(halved, 3)
    assert np.array_equal(merged.dense(), Histogram.count(halved[groups], 3, values, 5).dense())


@pytest.mark.parametrize("n_groups", [0, 3])
def test_starts_bound_the_entries_of_each_group(n_groups: int) -> None:
    found = Histogram.count(np.arange(n_groups), n_groups, np.zeros(n_groups, dtype=np.int64), 2)
    assert found.starts().tolist() == list(range(n_groups + 1))


@given(
    st.sampled_from([(1, 70_000), (9, 10_000), (70_000, 1), (3, 2**31), (2**20, 2**20), (2**31, 2**31)]),
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.integers(1, 5)), max_size=30),
)
def test_histograms_of_many_cells_are_counted_without_them(
    shape: tuple[int, int], drawn: list[tuple[float, float, int]]
) -> None:
    n_groups, n_values = shape
    rows = [(int(g * (n_groups - 1)), int(v * (n_values - 1)), times) for g, v, times in drawn]
    wanted, weighted = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for g, v, times in rows:
        wanted[g, v] += 1
        weighted[g, v] += times
    groups, values, counts = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    found = Histogram.count(groups, n_groups, values, n_values)
    told = Histogram.count(groups, n_groups, values, n_values, counts)
    for histogram, expected in ((found, wanted), (told, weighted)):
        entries = zip(histogram.groups.tolist(), histogram.values.tolist(), histogram.counts.tolist(), strict=True)
        assert list(entries) == [(*cell, n) for cell, n in sorted(expected.items())]
