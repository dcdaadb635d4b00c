"""Distinction and separation: by hand, and against all pairs."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.data.tables.column_profile import distinction, separation
from anonymizer_gui.engine.data.tables.table import MISSING, Table

small_tables = st.lists(st.lists(st.sampled_from(["0", "1", MISSING]), min_size=5, max_size=5), max_size=12).map(
    lambda rows: Table.from_rows("abcde", rows)
)


def by_pairs(table: Table, names: tuple[str, ...]) -> tuple[float, float]:
    tuples = list(zip(*(table.column(name).texts() for name in names), strict=True))
    pairs = list(combinations(tuples, 2))
    return (
        len(set(tuples)) / len(tuples) if tuples else 0.0,
        sum(a != b for a, b in pairs) / len(pairs) if pairs else 0.0,
    )


def test_a_worked_example() -> None:
    table = Table.from_rows(["age", "sex"], [["20", "f"], ["20", "m"], ["30", "f"], ["20", "f"]])
    assert distinction(table, ["age", "sex"]) == 3 / 4
    assert separation(table, ["age", "sex"]) == 5 / 6
    assert separation(table, ["sex"]) == 3 / 6


@given(small_tables)
def test_every_set_agrees_with_counting_all_pairs(table: Table) -> None:
    for names in (names for size in range(1, 5) for names in combinations(table.names, size)):
        assert (distinction(table, names), separation(table, names)) == pytest.approx(by_pairs(table, names))
