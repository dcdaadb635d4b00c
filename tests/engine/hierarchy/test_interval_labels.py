"""Labels that spell intervals are read where they agree, and left alone where they do not."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.data.tables.table import Column
from anonymizer_gui.engine.hierarchy.intervals import format_interval, parse_interval, with_intervals
from anonymizer_gui.engine.hierarchy.leaf_encoding import encode_column
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval


@pytest.mark.parametrize(
    ("label", "interval"),
    [
        ("[35-40)", Interval(35, 40)),
        ("[35, 40]", Interval(35, 40, closed=True)),
        ("(12.5K, 25K]", Interval(12500, 25000, closed=True, open_low=True)),
        ("30-34", Interval(30, 34, closed=True)),
        ("-5 - -1", Interval(-5, -1, closed=True)),
        ("<30", Interval(-math.inf, 30)),
        ("<=50K", Interval(-math.inf, 50000, closed=True)),
        (">40", Interval(40, math.inf, open_low=True)),
        (">=40", Interval(40, math.inf)),
        ("90+", Interval(90, math.inf)),
        ("(1e+03,2e+03]", Interval(1000, 2000, closed=True, open_low=True)),
        ("(-inf, 30.0]", Interval(-math.inf, 30, closed=True, open_low=True)),
        ("[40, Inf)", Interval(40, math.inf)),
        ("[0, ∞)", Interval(0, math.inf)),
        ("[inf, 3)", None),
        ("40-30", None),
        ("2024-01-05", None),
        ("12", None),
        ("a-b", None),
        ("*", None),
    ],
)
def test_a_label_spells_its_interval(label: str, interval: Interval | None) -> None:
    assert parse_interval(label) == interval


@pytest.mark.parametrize(
    ("interval", "label"),
    [
        (Interval(15, 17.5), "15-17"),
        (Interval(17.5, 20), "18-19"),
        (Interval(15, 20, closed=True), "15-20"),
        (Interval(15, 20, open_low=True), "16-19"),
        (Interval(-7.5, -5), "-7 to -6"),
        (Interval(15, 15.5), "15"),
        (Interval(15.2, 15.4), "[15.2-15.4)"),
    ],
)
def test_a_plain_range_of_whole_numbers_names_the_first_and_the_last(interval: Interval, label: str) -> None:
    assert format_interval(interval, "a-b", whole=True) == label


def test_very_large_ends_are_written_with_an_exponent() -> None:
    assert format_interval(Interval(1e300, 2e300)) == "[1e+300-2e+300)"
    assert parse_interval("[1e+300-2e+300)") == Interval(1e300, 2e300)


def test_plain_ranges_include_both_ends() -> None:
    tree = with_intervals(Hierarchy.from_nested({"*": {"30-34": ["30", "34"], "35-39": ["35"]}}))
    assert tree.intervals[tree.node_of_label["30-34"]] == Interval(30, 34, closed=True)


def test_the_last_of_plain_ranges_that_touch_keeps_its_upper_end() -> None:
    tree = with_intervals(Hierarchy.from_nested({"*": ["30-35", "35-40"]}))
    assert encode_column(Column.from_texts("n", ["35", "40"]), tree).codes.tolist() == [1, 1]


def test_plain_ranges_that_touch_end_before_the_next_begins() -> None:
    tree = with_intervals(Hierarchy.from_nested({"30-40": {"30-35": ["30", "34"], "35-40": ["35", "39"]}}))
    assert tree.intervals == {0: Interval(30, 40, closed=True), 1: Interval(30, 35), 4: Interval(35, 40, closed=True)}


@pytest.mark.parametrize(
    "nested",
    [
        {"*": {"0-4": ["1", "5"], "5-9": ["6"]}},
        {"*": {"0-4": ["1", "x"], "5-9": ["6"]}},
        {"*": {"0-9": [], "5-15": []}},
        {"*": {"0-9": {"5-15": []}, "20-30": []}},
    ],
)
def test_labels_that_contradict_each_other_give_no_intervals(nested: dict[str, object]) -> None:
    assert with_intervals(Hierarchy.from_nested(nested)).intervals == {}


@given(st.integers(-999, 999), st.integers(1, 999), st.booleans(), st.booleans())
def test_what_is_spelt_is_read_back(low: int, width: int, closed: bool, open_low: bool) -> None:
    interval = Interval(low, low + width, closed, open_low)
    assert parse_interval(format_interval(interval)) == interval


@given(st.integers(-999, 999), st.integers(2, 999))
def test_whole_numbers_are_spelt_with_both_ends(low: int, width: int) -> None:
    label = format_interval(Interval(low, low + width), "a-b", whole=True)
    assert parse_interval(label) == Interval(low, low + width - 1, closed=True)
