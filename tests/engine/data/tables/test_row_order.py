"""Sorting, filtering and finding rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.data.tables.sort_and_filter import (
    RowQuery,
    as_tsv,
    matching_rows,
    natural_order,
    select_rows,
    sorted_rows,
)
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema, ColumnType, Schema, Table

TABLE = Table.from_rows(
    ("name", "age", "day"),
    [
        ("Ada", "36", "31.01.2024"),
        ("bob", "9", "01.12.2023"),
        ("Cleo", MISSING, "05.02.2024"),
        ("Dora", "100", MISSING),
    ],
)
SCHEMA = Schema(
    (
        ColumnSchema("name"),
        ColumnSchema("age", ColumnType.INTEGER),
        ColumnSchema("day", ColumnType.DATE, "%d.%m.%Y"),
    )
)


@pytest.mark.parametrize(
    ("column", "descending", "rows"),
    [
        ("name", False, [0, 1, 2, 3]),
        ("name", True, [3, 2, 1, 0]),
        ("age", False, [1, 0, 3, 2]),
        ("age", True, [3, 0, 1, 2]),
        ("day", False, [1, 0, 2, 3]),
        ("day", True, [2, 0, 1, 3]),
    ],
)
def test_numbers_and_dates_sort_by_value_and_missing_comes_last(column: str, descending: bool, rows: list[int]) -> None:
    order = sorted_rows(TABLE.column(column), SCHEMA.column(column), descending, natural_order(TABLE))
    assert order.tolist() == rows


def test_text_is_found_in_any_column_and_case() -> None:
    assert matching_rows(TABLE, "DO", TABLE.names, natural_order(TABLE)).tolist() == [3]
    assert matching_rows(TABLE, "202", ["day"], natural_order(TABLE)).tolist() == [0, 1, 2]
    assert matching_rows(TABLE, "a+", TABLE.names, natural_order(TABLE)).tolist() == []


def test_only_matching_rows_are_shown_or_all_with_the_matches_marked() -> None:
    only = select_rows(TABLE, SCHEMA, RowQuery("o", "name", True, "name", True))
    assert only.order.tolist() == [3, 2, 1]
    assert only.matches.tolist() == [0, 1, 2]
    marked = select_rows(TABLE, SCHEMA, RowQuery("o", "name", False, "name", True))
    assert marked.order.tolist() == [3, 2, 1, 0]
    assert marked.matches.tolist() == [0, 1, 2]


def test_cells_become_lines_with_tabs() -> None:
    table = Table.from_rows(("a", "b"), [("1\t2", "x\ny"), ("3", "4")])
    assert as_tsv(table, np.array([1, 0]), ("a", "b"), True) == "a\tb\n3\t4\n1 2\tx y"


@given(st.lists(st.text(st.characters(blacklist_characters="\0", codec="utf-8"), max_size=4), max_size=12), st.text())
def test_finding_agrees_with_looking_at_each_cell(texts: list[str], wanted: str) -> None:
    column = Column.from_texts("c", texts)
    table = Table((column,), len(texts))
    clean = wanted.replace("\0", "")
    found = matching_rows(table, clean, ["c"], natural_order(table)).tolist()
    assert found == [row for row, text in enumerate(texts) if clean.casefold() in text.casefold()]


def test_labels_sort_as_their_texts_in_one_case() -> None:
    names = ["émile", "Zoe", "a\0b", "ab", "A", "", "Emile", "straße", "STRASSE", "x" * 80, "X" * 80 + "a"]
    table = Table.from_rows(("name",), [(name,) for name in names])
    order = sorted_rows(table.column("name"), ColumnSchema("name"), False, natural_order(table))
    wanted = sorted(names, key=lambda name: name.replace("\0", " ").casefold())
    assert [names[row].casefold().replace("\0", " ") for row in order] == [
        name.casefold().replace("\0", " ") for name in wanted
    ]


def test_more_rows_than_go_into_one_call_are_copied_completely() -> None:
    rows = np.arange(40_000)
    table = Table.from_rows(("n",), [(str(number),) for number in rows])
    assert as_tsv(table, rows, ["n"], header=True).split("\n") == ["n", *map(str, rows)]
