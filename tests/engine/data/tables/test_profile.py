"""One column at a glance."""

import pytest

from anonymizer_gui.engine.data.tables.column_profile import BARS, profile
from anonymizer_gui.engine.data.tables.table import MISSING, ColumnSchema, ColumnType, Table

TABLE = Table.from_rows(
    ("age", "sex", "day"),
    [
        ("36", "f", "2024-01-31"),
        ("9", "m", "2024-02-01"),
        (MISSING, "f", "2024-02-30"),
        ("100", "f", MISSING),
    ],
)


def test_values_missing_cells_and_unique_rows_are_counted() -> None:
    found = profile(TABLE, ColumnSchema("age", ColumnType.INTEGER))
    assert (found.rows, found.distinct, found.missing, found.unique) == (4, 3, 1, 3)
    assert (found.lowest, found.highest) == ("9", "100")


def test_missing_counts_as_a_value_that_tells_rows_apart() -> None:
    found = profile(TABLE, ColumnSchema("age", ColumnType.INTEGER))
    assert found.distinction == 1
    assert found.separation == 1


def test_separation_is_the_share_of_pairs_that_differ() -> None:
    assert profile(TABLE, ColumnSchema("sex")).separation == pytest.approx(3 / 6)


def test_the_most_frequent_values_come_first() -> None:
    assert profile(TABLE, ColumnSchema("sex")).top == (("f", 3), ("m", 1))


def test_the_bars_of_numbers_hold_every_row_that_has_one() -> None:
    found = profile(TABLE, ColumnSchema("age", ColumnType.INTEGER))
    assert len(found.bars) == BARS
    assert sum(bar.rows for bar in found.bars) == 3


def test_few_whole_numbers_get_a_bar_each() -> None:
    table = Table.from_rows(("n",), [("1",), ("2",), ("4",)])
    assert [bar.rows for bar in profile(table, ColumnSchema("n", ColumnType.INTEGER)).bars] == [1, 1, 0, 1]


def test_values_that_do_not_fit_are_counted_and_named() -> None:
    found = profile(TABLE, ColumnSchema("day", ColumnType.DATE, "%Y-%m-%d"))
    assert (found.misfits, found.misfit_values) == (1, ("2024-02-30",))
    assert (found.lowest, found.highest) == ("2024-01-31", "2024-02-01")


@pytest.mark.parametrize("column_type", list(ColumnType))
def test_a_table_without_rows_has_a_profile(column_type: ColumnType) -> None:
    column_format = "%Y-%m-%d" if column_type is ColumnType.DATE else ""
    found = profile(Table.from_rows(("a",), []), ColumnSchema("a", column_type, column_format))
    assert (found.rows, found.distinct, found.missing, found.bars) == (0, 0, 0, ())
