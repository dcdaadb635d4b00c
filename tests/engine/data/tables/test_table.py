"""Tables: codes and labels per column, and what is known about each."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.data.tables.table import (
    Column,
    ColumnSchema,
    ColumnType,
    Role,
    Schema,
    Table,
    smallest_codes,
)

texts = st.lists(st.text(max_size=3), max_size=20)
SCHEMA = Schema((ColumnSchema("age"), ColumnSchema("zip", role=Role.QI)))


@given(texts)
def test_a_column_gives_back_its_texts(cells: list[str]) -> None:
    column = Column.from_texts("a", cells)
    assert column.texts().tolist() == cells
    assert list(column.labels) == sorted(set(cells))


@given(texts, st.data())
def test_taking_rows_leaves_no_label_behind(cells: list[str], data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.booleans(), min_size=len(cells), max_size=len(cells)))
    column = Column.from_texts("a", cells).take(np.array(kept, dtype=bool))
    expected = [cell for cell, keep in zip(cells, kept, strict=True) if keep]
    assert column.texts().tolist() == expected
    assert set(column.labels) == set(expected)


@pytest.mark.parametrize(("count", "width"), [(1, 1), (256, 1), (257, 2), (65_536, 2), (65_537, 4)])
def test_codes_take_the_least_room(count: int, width: int) -> None:
    codes = smallest_codes(np.array([0, count - 1]), count)
    assert codes.dtype.itemsize == width
    assert codes.tolist() == [0, count - 1]


def test_columns_of_different_length_are_no_table() -> None:
    with pytest.raises(ValueError, match="same length"):
        Table((Column.from_texts("a", ["1"]), Column.from_texts("b", [])))


def test_a_table_selects_columns_and_rows() -> None:
    table = Table.from_rows(["a", "b"], [["1", "x"], ["2", "y"], ["3", "z"]])
    assert table.select(["b"]).names == ("b",)
    assert table.select([]).n_rows == 3
    assert table.take(np.array([2, 0])).column("a").texts().tolist() == ["3", "1"]
    assert table.take(np.array([True, False, False])).n_rows == 1


def test_a_column_that_is_not_there_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadParameter) as caught:
        Table.from_rows(["a", "b"], []).column("c")
    assert "a, b" in caught.value.hint


def test_roles_and_types_are_changed_in_a_copy() -> None:
    changed = SCHEMA.with_roles({"age": Role.SA}).with_type("age", ColumnType.DATE, "%Y")
    assert changed.column("age") == ColumnSchema("age", ColumnType.DATE, "%Y", Role.SA)
    assert changed.names(Role.QI) == ("zip",)
    assert SCHEMA.column("age").role is Role.OTHER


def test_a_schema_knows_only_its_columns() -> None:
    for change in (
        lambda: SCHEMA.with_roles({"sex": Role.QI}),
        lambda: SCHEMA.with_type("sex", ColumnType.TEXT),
        lambda: SCHEMA.column("sex"),
    ):
        with pytest.raises(BadParameter):
            change()
