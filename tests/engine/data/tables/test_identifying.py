"""The smallest sets of columns that single out most rows: against trying all sets by hand."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import Cancelled
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.data.tables.unique_columns import find_unique_combinations
from tests.engine.data.tables.court_records import court_records

small_tables = st.lists(st.lists(st.sampled_from(["0", "1", "2", MISSING]), min_size=5, max_size=5), max_size=12).map(
    lambda rows: Table.from_rows("abcde", rows)
)


def alone(table: Table, names: tuple[str, ...]) -> float:
    tuples = list(zip(*(table.column(name).texts() for name in names), strict=True))
    counts = Counter(tuples)
    return sum(counts[one] == 1 for one in tuples) / len(tuples) if tuples else 0.0


@given(small_tables, st.sampled_from([0.3, 0.5, 0.9]))
def test_exactly_the_smallest_sets_are_found(table: Table, share: float) -> None:
    expected: dict[tuple[str, ...], float] = {}
    for size in (1, 2, 3):
        for names in combinations(table.names, size):
            if alone(table, names) > share and not any(set(small) <= set(names) for small in expected):
                expected[names] = alone(table, names)
    found = {one.columns: one.share for one in find_unique_combinations(table, table.names, share)}
    assert found == pytest.approx(expected)


def test_the_smaller_sets_come_first() -> None:
    table = court_records()
    found = find_unique_combinations(table, table.names)
    keys = [(len(one.columns), -one.share) for one in found]
    assert keys == sorted(keys)
    assert ("id",) in [one.columns for one in found]
    assert ("dob",) in [one.columns for one in found]


def test_measuring_sets_can_be_cancelled() -> None:
    with pytest.raises(Cancelled):
        find_unique_combinations(court_records(20), ["dob", "age"], progress=Progress(is_cancelled=lambda: True))
