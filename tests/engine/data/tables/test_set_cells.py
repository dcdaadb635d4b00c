"""Cells that hold sets and places: read as they are written, whatever stands in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.data.tables.set_valued_cells import (
    SET_FORMATS,
    explode_sets,
    guess_set_format,
    read_set,
    write_set,
)
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnType
from anonymizer_gui.engine.data.tables.values import guess_type, is_point, read_point
from anonymizer_gui.engine.rooms.microdata.independent.sets import parse_items

ITEMS = st.sets(st.text('ab ,;|"{}[]=-', min_size=1, max_size=5).map(str.strip).filter(bool), max_size=6)


@pytest.mark.parametrize("form", SET_FORMATS)
@given(items=ITEMS)
def test_what_is_written_is_read_again_by_both_readers(form: str, items: set[str]) -> None:
    cell = write_set(sorted(items), form)
    if cell == MISSING:
        assert not items
        return
    assert read_set(cell, form) == tuple(sorted(items))
    assert sorted(parse_items(cell, form)) == sorted(items)
    assert not cell.startswith(("=", "+", "-", "@"))


@pytest.mark.parametrize(
    ("cell", "form", "items"),
    [
        ("{milk, butter, milk}", "{,}", ("butter", "milk")),
        ("{}", "{,}", ()),
        ("{ , }", "{,}", ()),
        ("milk", "{,}", None),
        ('{"a, b}', "{,}", None),
        ('["x", "y"]', "[,]", ("x", "y")),
        ("tea;;milk ", ";", ("milk", "tea")),
        ('{a"b}', "{,}", ('a"b',)),
    ],
)
def test_sets_are_read(cell: str, form: str, items: tuple[str, ...] | None) -> None:
    assert read_set(cell, form) == items


@given(st.text('a ,;"{}', max_size=12), st.sampled_from(list(SET_FORMATS)))
def test_both_readers_agree_on_any_cell(cell: str, form: str) -> None:
    found = read_set(cell, form)
    assert sorted(set(parse_items(cell, form))) == ([cell.strip()] if found is None else sorted(found))


def test_items_know_their_rows() -> None:
    rows, items = explode_sets(Column.from_texts("s", ["{b, a}", MISSING, "{}", "{b}", "odd"]), "{,}")
    assert list(zip(rows.tolist(), items.texts().tolist(), strict=True)) == [(0, "a"), (0, "b"), (3, "b"), (4, "odd")]


def test_forms_are_guessed_where_cells_speak_for_themselves() -> None:
    assert guess_set_format(["{a, b}", "{c}", "{}"]) == "{,}"
    assert guess_set_format(["{a; b}", "{c}"]) == "{;}"
    assert guess_set_format(["tea;milk", "milk", "tea", "milk;tea"] * 3) == ";"
    assert guess_set_format(["Smith, John", "Miller, Ann"]) == ""
    assert guess_set_format([f"note {number}; and more" for number in range(20)]) == ""
    assert guess_type(Column.from_texts("s", ["{a, b}", "{c}", MISSING])).type is ColumnType.SET


@pytest.mark.parametrize(
    ("cell", "place"),
    [
        ("48.1, 11.6", (48.1, 11.6)),
        ("(48.1;11.6)", (48.1, 11.6)),
        ("POINT(11.6 48.1)", (48.1, 11.6)),
        ("90, -180", (90.0, -180.0)),
        ("90.1, 0.5", None),
        ("1.5, 180.5", None),
        ("inf, 2.0", None),
        ("nan, nan", None),
        ("1e2, 3", None),
        ("48.1", None),
        ("", None),
    ],
)
def test_places_are_read(cell: str, place: tuple[float, float] | None) -> None:
    assert read_point(cell) == place


def test_longitude_may_come_first() -> None:
    assert read_point("11.6, 48.1", "lon") == (48.1, 11.6)


def test_places_are_guessed_only_where_both_numbers_have_decimals() -> None:
    assert is_point("48.1, 11.6")
    assert not is_point("3, 4")
    assert guess_type(Column.from_texts("p", ["48.1, 11.6", "-48.25, 171.1"])).type is ColumnType.PLACE
    assert guess_type(Column.from_texts("p", ["3, 4", "5, 6"])).type is not ColumnType.PLACE
