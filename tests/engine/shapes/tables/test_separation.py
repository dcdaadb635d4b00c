"""Distinction and separation: by hand, against all pairs, and for all sets of columns."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.errors import Cancelled
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.shapes.tables.separation import column_sets, distinction, separation
from anonymizer_gui.engine.shapes.tables.table import MISSING, Table

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
def test_every_set_up_to_four_agrees_with_counting_all_pairs(table: Table) -> None:
    found = {s.columns: (s.distinction, s.separation) for s in column_sets(table, table.names)}
    expected = {names: by_pairs(table, names) for size in range(1, 5) for names in combinations(table.names, size)}
    assert found.keys() == expected.keys()
    for names, figures in expected.items():
        assert found[names] == pytest.approx(figures)
        assert (distinction(table, names), separation(table, names)) == pytest.approx(figures)


@given(small_tables)
def test_the_most_telling_sets_come_first(table: Table) -> None:
    figures = [(s.distinction, s.separation) for s in column_sets(table, table.names)]
    assert figures == sorted(figures, reverse=True)


def test_measuring_sets_can_be_cancelled() -> None:
    with pytest.raises(Cancelled):
        column_sets(Table.from_rows("ab", [["1", "2"]]), ["a", "b"], progress=Progress(is_cancelled=lambda: True))
