"""Each builder makes the hierarchy it promises."""

import math
from collections.abc import Sequence

import pytest

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema, ColumnType
from anonymizer_gui.engine.data.tables.values import parse_day_ordinals
from anonymizer_gui.engine.hierarchy.builders.automatic import Automatic, choose_builder
from anonymizer_gui.engine.hierarchy.builders.categories import Flat, Frequency, Ordered
from anonymizer_gui.engine.hierarchy.builders.contract import Builder, preview_levels
from anonymizer_gui.engine.hierarchy.builders.dates import Dates
from anonymizer_gui.engine.hierarchy.builders.numbers import Intervals
from anonymizer_gui.engine.hierarchy.builders.ready_made import Country, Month, Weekday, ready_table
from anonymizer_gui.engine.hierarchy.builders.strings import Mask, Prefix
from anonymizer_gui.engine.hierarchy.formats.delimited import LevelTable
from anonymizer_gui.engine.hierarchy.tree import Interval
from tests.engine.hierarchy.continents import CODES
from tests.made_adult import lines_of

CATEGORY = ColumnSchema("c")

INTEGER = ColumnSchema("c", ColumnType.INTEGER)
GERMAN_DATES = ColumnSchema("c", ColumnType.DATE, "%d.%m.%Y")


def lines(builder: Builder, texts: Sequence[str], schema: ColumnSchema = CATEGORY) -> list[str]:
    """Build and write down, one line per value."""
    return LevelTable.write(builder.build(Column.from_texts("c", texts), schema)).splitlines()


def test_masking_from_the_right_hides_one_character_more_at_each_level() -> None:
    assert lines(Mask(), ["130", "131", "240"]) == ["130;13*;1**;*", "131;13*;1**;*", "240;24*;2**;*"]


def test_a_level_that_is_the_same_for_all_values_is_left_out() -> None:
    assert lines(Mask(), ["130", "131", "148"]) == ["130;13*;*", "131;13*;*", "148;14*;*"]


def test_masking_from_the_left_keeps_the_end() -> None:
    assert lines(Mask(side="left"), ["ab", "cb", "ad"]) == ["ab;*b;*", "cb;*b;*", "ad;*d;*"]


def test_masking_takes_several_characters_per_level_and_stops_when_told() -> None:
    assert lines(Mask(step=2, levels=1), ["13053", "13068"]) == ["13053;*", "13068;*"]
    assert lines(Mask(step=2, levels=1), ["13053", "14850"]) == ["13053;130**;*", "14850;148**;*"]


def test_short_values_are_filled_before_masking() -> None:
    assert lines(Mask(pad="left"), ["7", "17", "18"])[0] == "7;0*;*"


def test_a_level_that_hides_everything_is_the_root() -> None:
    assert lines(Mask(), ["13", "24", MISSING])[-1] == "(missing);*"
    assert "**" not in "".join(lines(Mask(), ["13", "24", MISSING]))


def test_a_mark_of_two_characters_is_refused() -> None:
    with pytest.raises(BadParameter, match="one character"):
        Mask(mark="**").build(Column.from_texts("c", ["a"]), CATEGORY)


def test_long_texts_are_not_masked_letter_by_letter() -> None:
    with pytest.raises(BadParameter, match="50 levels"):
        Mask().build(Column.from_texts("c", ["x" * 1000]), CATEGORY)


def test_intervals_of_equal_width_have_round_ends_at_every_level() -> None:
    found = lines(Intervals(width=5, fan_out=(2,)), ["31", "37", "38", "44"], INTEGER)
    assert found == [
        "31;30-34;30-39;*",
        "37;35-39;30-39;*",
        "38;35-39;30-39;*",
        "44;40-44;40-44;*",
    ]


def test_intervals_of_a_width_chosen_hold_several_whole_numbers() -> None:
    assert lines(Intervals(fan_out=()), ["1", "2", "3", "5"], INTEGER) == [
        "1;0-1;*",
        "2;2-3;*",
        "3;2-3;*",
        "5;4-5;*",
    ]


def test_intervals_of_whole_numbers_can_name_both_ends() -> None:
    assert lines(Intervals(width=5, fan_out=(), style="a-b"), ["31", "37"], INTEGER) == ["31;30-34;*", "37;35-39;*"]


def test_intervals_know_the_numbers_they_stand_for() -> None:
    tree = Intervals(width=5, fan_out=()).build(Column.from_texts("c", ["31", "37"]), INTEGER)
    assert tree.intervals[tree.node_of_label["35-39"]] == Interval(35, 40)


def test_intervals_of_equal_frequency_hold_about_as_many_rows_each() -> None:
    texts = [str(n) for n in [1, 1, 1, 2, 3, 50, 60, 1000]]
    levels = preview_levels(Intervals(method="frequency", count=2, fan_out=()), Column.from_texts("c", texts), INTEGER)
    assert levels[1].rows == (4, 4)


def test_the_ends_of_equal_frequency_are_nobodys_value() -> None:
    texts = ["1550.75", "3391.5", "3418.25", "90736.3"]
    schema = ColumnSchema("c", ColumnType.DECIMAL)
    found = lines(Intervals(method="frequency", count=2, fan_out=()), texts, schema)
    assert found == ["1550.75;<3400;*", "3391.5;<3400;*", "3418.25;>=3400;*", "90736.3;>=3400;*"]


def test_a_level_of_one_endless_interval_is_the_root() -> None:
    texts = ["1", "2", "unknown"]
    assert lines(Intervals(method="frequency", count=2, fan_out=(2,)), texts) == ["1;<2;*", "2;>=2;*", "unknown;*"]


def test_intervals_at_cuts_made_by_hand_are_open_at_both_ends() -> None:
    tree = Intervals(method="cuts", cuts=(18, 65), fan_out=()).build(Column.from_texts("c", ["3", "18", "70"]), INTEGER)
    assert LevelTable.write(tree).splitlines() == ["3;<18;*", "18;18-64;*", "70;>=65;*"]
    assert tree.intervals[tree.node_of_label[">=65"]] == Interval(65, math.inf)


@pytest.mark.parametrize("cuts", [(), (5, 5), (6, 5)])
def test_cuts_that_do_not_rise_are_refused(cuts: tuple[float, ...]) -> None:
    with pytest.raises(BadParameter, match="rise"):
        Intervals(method="cuts", cuts=cuts).build(Column.from_texts("c", ["1"]), INTEGER)


def test_a_width_that_makes_too_many_intervals_is_refused() -> None:
    with pytest.raises(BadParameter, match="more than"):
        Intervals(width=0.001).build(Column.from_texts("c", ["1", "1000"]), INTEGER)


def test_words_among_numbers_come_under_the_root() -> None:
    assert lines(Intervals(width=5, fan_out=()), ["31", "unknown", MISSING])[1:] == ["unknown;*", "(missing);*"]


def test_a_decimal_comma_counts_as_such() -> None:
    schema = ColumnSchema("c", ColumnType.DECIMAL, ",")
    assert lines(Intervals(width=1, fan_out=()), ["1,5", "2,5"], schema) == ["1,5;[1-2);*", "2,5;[2-3);*"]


def test_dates_go_into_the_units_chosen() -> None:
    found = lines(Dates(("month", "quarter", "year")), ["05.03.2024", "31.12.2023"], GERMAN_DATES)
    assert found == ["31.12.2023;2023-12;2023-Q4;2023;*", "05.03.2024;2024-03;2024-Q1;2024;*"]


@pytest.mark.parametrize(
    ("day", "week"), [("2021-01-03", "2020-W53"), ("2021-01-04", "2021-W01"), ("2024-12-30", "2025-W01")]
)
def test_weeks_are_those_of_iso(day: str, week: str) -> None:
    assert lines(Dates(("week",)), [day, "1999-06-06"])[1] == f"{day};{week};*"


def test_times_go_into_hours_and_days() -> None:
    found = lines(Dates(("hour", "day")), ["2024-03-05 14:59", "2024-03-06 00:00"])
    assert found[0] == "2024-03-05 14:59;2024-03-05 14h;2024-03-05;*"


def test_long_times_have_long_units() -> None:
    found = lines(Dates(("half", "decade", "century")), ["1999-07-01", "2024-01-01", "9999-12-31"])
    assert found[0] == "1999-07-01;1999-H2;1990-1999;1900-1999;*"
    assert found[2] == "9999-12-31;9999-H2;9990-9999;9900-9999;*"


def test_units_of_time_know_their_days() -> None:
    tree = Dates(("week",)).build(Column.from_texts("c", ["2024-03-05", "1999-01-01"]), CATEGORY)
    monday, next_monday = parse_day_ordinals(["2024-03-04", "2024-03-11"]).tolist()
    assert tree.intervals[tree.node_of_label["2024-W10"]] == Interval(monday, next_monday)


@pytest.mark.parametrize("levels", [("year", "month"), ("month", "month"), ("week", "month")])
def test_units_that_do_not_nest_are_refused(levels: tuple[str, ...]) -> None:
    with pytest.raises(BadParameter):
        Dates(levels).build(Column.from_texts("c", ["2024-03-05"]), CATEGORY)


def test_neighbours_are_grouped_in_the_order_given() -> None:
    found = lines(Ordered(order=("low", "mid", "high"), fan_out=(2, 2)), ["high", "mid", "low", "zero", "top"])
    assert found == [
        "low;low – mid;low – top;*",
        "mid;low – mid;low – top;*",
        "high;high – top;low – top;*",
        "top;high – top;low – top;*",
        "zero;zero;zero;*",
    ]


def test_groups_can_list_what_they_hold() -> None:
    assert lines(Ordered(fan_out=(2,), style="list"), ["1", "2", "10"])[0] == "1;{1, 2};*"


def test_a_flat_hierarchy_has_one_step() -> None:
    assert lines(Flat(), ["b", "a"]) == ["a;*", "b;*"]


def test_rare_values_are_grouped_and_frequent_ones_left() -> None:
    assert lines(Frequency((0.2,), "Rare"), ["a"] * 8 + ["b", "c"]) == ["b;Rare;*", "c;Rare;*", "a;a;*"]


def test_rising_shares_take_in_more_and_more_values() -> None:
    texts = ["a"] * 70 + ["b"] * 20 + ["c"] * 6 + ["d"] * 2 + ["e"] * 2
    assert lines(Frequency((0.05, 0.1)), texts) == [
        "d;Other (below 0.05);Other (below 0.1);*",
        "e;Other (below 0.05);Other (below 0.1);*",
        "c;c;Other (below 0.1);*",
        "b;b;b;*",
        "a;a;a;*",
    ]


def test_one_rare_value_makes_no_group() -> None:
    assert lines(Frequency((0.2,)), ["a"] * 9 + ["b"]) == ["b;*", "a;*"]


def test_values_with_the_same_first_word_form_a_group() -> None:
    found = lines(Prefix(), ["Self-emp-inc", "Self-emp-not-inc", "Local gov", "Self"])
    assert found == ["Local gov;Local…;*", "Self;Self…;*", "Self-emp-inc;Self…;*", "Self-emp-not-inc;Self…;*"]


def test_codes_are_grouped_by_their_first_characters() -> None:
    found = lines(Prefix(by="characters", lengths=(1, 3)), ["A01.1", "A01.2", "B20"])
    assert found == ["A01.1;A01…;A…;*", "A01.2;A01…;A…;*", "B20;B20;B…;*"]


@pytest.mark.parametrize("name", ["Italy", "IT", "ita", "Italian"])
def test_countries_are_known_by_name_code_and_nationality(name: str) -> None:
    assert lines(Country(), [name, "Japan"])[1] == f"{name};Southern Europe;Europe;*"


def test_every_continent_has_its_countries() -> None:
    found: dict[str, set[str]] = {continent: set() for continent in CODES}
    for name, (_region, continent) in ready_table("countries").items():
        if len(name) == 2 and name not in ("uk", "xk", "yu"):  # in use, though none of ISO 3166
            found[continent].add(name.upper())
    assert found == {continent: set(codes.split()) for continent, codes in CODES.items()}


def test_every_region_lies_in_one_continent() -> None:
    places = set(ready_table("countries").values())
    assert len(places) == len({region for region, _continent in places})


def test_the_countries_of_adult_are_all_known_but_one() -> None:
    column = Column.from_texts("native-country", [value for value, *_groups in lines_of("native-country")])
    tree = Country().build(column, CATEGORY)
    assert [tree.labels[node] for node in tree.children(0) if tree.is_leaf[node]] == ["South"]


def test_days_and_months_have_their_groups() -> None:
    assert lines(Weekday(), ["Mon", "sunday"]) == ["Mon;Weekday;*", "sunday;Weekend;*"]
    assert lines(Month(), ["3", "Dezember"]) == ["3;Q1;H1;*", "Dezember;Q4;H2;*"]


def test_a_value_with_the_label_of_a_group_keeps_its_label() -> None:
    assert lines(Mask(), ["1*", "12", "22"])[:2] == ["1*;1* (2);*", "12;1* (2);*"]


def test_a_preview_counts_rows_per_label() -> None:
    levels = preview_levels(Mask(), Column.from_texts("c", ["11", "12", "21", "21"]), CATEGORY)
    assert [dict(zip(level.labels, level.rows, strict=True)) for level in levels] == [
        {"11": 1, "12": 1, "21": 2},
        {"1*": 2, "2*": 2},
        {"*": 4},
    ]


@pytest.mark.parametrize(
    ("name", "texts", "column_type", "chosen"),
    [
        ("age", [str(n) for n in range(17, 91)], ColumnType.INTEGER, Intervals(width=5.0, fan_out=(2, 2))),
        ("zip", [f"{n:05}" for n in range(1000, 1100)], ColumnType.CATEGORY, Mask()),
        ("ZIP code", [str(n) for n in range(1000, 1100)], ColumnType.INTEGER, Mask(pad="left")),
        ("Zip", ["13053", "13068", "14850", "14853"], ColumnType.INTEGER, Mask(pad="left")),
        ("Age", ["28", "31", "47", "50"], ColumnType.INTEGER, Intervals(width=5.0, fan_out=(2, 2))),
        ("zip", ["13053", "13068"], ColumnType.INTEGER, Flat()),
        ("born", ["1950-01-01", "2001-12-31"], ColumnType.DATE, Dates(("month", "year", "decade"))),
        ("seen", ["2024-01-01 10:00", "2024-01-09 11:30"], ColumnType.DATE, Dates(("hour", "day", "week"))),
        ("nationality", ["Italian", "French", "Russian"], ColumnType.CATEGORY, Country()),
        ("weekday", ["1", "2", "7"], ColumnType.INTEGER, Weekday()),
        ("grade", ["1", "2", "3"], ColumnType.INTEGER, Flat()),
        ("month", ["1", "2", "12"], ColumnType.INTEGER, Month()),
        ("sex", ["m", "f"], ColumnType.CATEGORY, Flat()),
        ("unit", [f"{a} {b}" for a in "xy" for b in range(9)], ColumnType.CATEGORY, Prefix()),
        ("job", ["a"] * 300 + list("bcdefghijk"), ColumnType.CATEGORY, Frequency((0.01, 0.05))),
        ("note", list("abcdefghijklmnop"), ColumnType.TEXT, Flat()),
        (
            "gain",
            [str(n * n * n * n) for n in range(1, 60)],
            ColumnType.INTEGER,
            Intervals(method="frequency", count=16, fan_out=(2, 2, 2)),
        ),
    ],
)
def test_the_automatic_builder_proposes_what_a_person_would(
    name: str, texts: list[str], column_type: ColumnType, chosen: Builder
) -> None:
    column, schema = Column.from_texts(name, texts), ColumnSchema(name, column_type)
    assert choose_builder(column, schema) == chosen
    assert Automatic().build(column, schema) == chosen.build(column, schema)
