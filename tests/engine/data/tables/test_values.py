"""Types are views: what fits a number or a date, what does not, and what a column seems to be."""

import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema, ColumnType
from anonymizer_gui.engine.data.tables.values import (
    DATE_FORMATS,
    guess_type,
    misfit_message,
    misfits,
    parse_dates,
    parse_numbers,
)


def column(*texts: str) -> Column:
    return Column.from_texts("a", texts)


def test_numbers_are_read_and_the_rest_is_marked() -> None:
    numbers, fits = parse_numbers(["1.50", "-3", "+2", ".5", "1e3", "1,5", "nan", "inf", "1_0", "", MISSING, "٣"])
    assert fits.tolist() == [True] * 5 + [False] * 7
    assert numbers[:5].tolist() == [1.5, -3.0, 2.0, 0.5, 1000.0]
    assert np.isnan(numbers[5:]).all()


def test_a_decimal_comma_is_a_choice() -> None:
    numbers, fits = parse_numbers(["1,5", "1.5"], ",")
    assert (numbers[0], fits.tolist()) == (1.5, [True, False])


def test_a_number_beyond_all_size_does_not_fit() -> None:
    assert parse_numbers(["1e999"])[1].tolist() == [False]


@given(st.dates())
def test_every_day_of_the_calendar_is_read_in_every_format(day: datetime.date) -> None:
    for form in DATE_FORMATS:
        text = day.strftime(form.replace("%Y", f"{day.year:04d}"))
        dates, fits = parse_dates([text], form)
        expected = day.replace(day=1) if "%d" not in form else day
        assert fits[0]
        assert dates[0].astype("datetime64[D]").item() == expected


@pytest.mark.parametrize(
    "text", ["2024-02-30", "2023-02-29", "2024-13-01", "2024-00-10", "2024-01-00", "24-01-01", "x"]
)
def test_a_day_no_calendar_has_is_no_date(text: str) -> None:
    dates, fits = parse_dates([text], "%Y-%m-%d")
    assert not fits[0]
    assert np.isnat(dates[0])


def test_an_hour_that_no_clock_has_is_no_date() -> None:
    assert parse_dates(["2024-01-01 24:00", "2024-01-01 23:59"], "%Y-%m-%d %H:%M")[1].tolist() == [False, True]


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(BadParameter):
        parse_dates(["1"], "%j")


@pytest.mark.parametrize(
    ("texts", "expected", "form"),
    [
        (["1", "20", "-3"], ColumnType.INTEGER, ""),
        (["1.50", "2"], ColumnType.DECIMAL, "."),
        (["01234", "99999"], ColumnType.CATEGORY, ""),
        (["2024-02-29", "2023-01-31"], ColumnType.DATE, "%Y-%m-%d"),
        (["31.12.1980", "1.2.1990"], ColumnType.DATE, "%d.%m.%Y"),
        (["12/31/1980", "01/02/1990"], ColumnType.DATE, "%m/%d/%Y"),
        (["20240131", "19991231"], ColumnType.DATE, "%Y%m%d"),
        (["20240131", "12345678"], ColumnType.INTEGER, ""),
        (["a", "b", "a"], ColumnType.CATEGORY, ""),
        ([MISSING, MISSING], ColumnType.CATEGORY, ""),
        ([], ColumnType.CATEGORY, ""),
        ([f"patient {i} came with a sore throat and a long story" for i in range(5)], ColumnType.TEXT, ""),
    ],
)
def test_the_type_is_guessed_with_its_format(texts: list[str], expected: ColumnType, form: str) -> None:
    guess = guess_type(column(*texts))
    assert (guess.type, guess.format) == (expected, form)


def test_a_few_misfits_are_counted_and_do_not_hide_the_type() -> None:
    ages = column(*[str(age) for age in range(20, 60)], "unknown", MISSING)
    assert (guess_type(ages).type, guess_type(ages).misfits) == (ColumnType.INTEGER, 1)


def test_many_misfits_hide_the_type() -> None:
    assert guess_type(column("1", "2", "3", "a", "b")).type is ColumnType.CATEGORY


def test_one_leading_zero_among_many_codes_is_found() -> None:
    assert guess_type(column(*map(str, range(10_000, 60_000)), "01234")).type is not ColumnType.INTEGER


def test_day_and_month_that_cannot_be_told_apart_are_a_stated_doubt() -> None:
    assert guess_type(column("01/02/1990", "03/04/1991")).doubt
    assert not guess_type(column("13/02/1990", "03/04/1991")).doubt


def test_the_rows_of_misfits_are_counted_from_one() -> None:
    found = misfits(column("1", "x", MISSING, "y", "x"), ColumnSchema("a", ColumnType.INTEGER))
    assert found.rows == (2, 4, 5)


def test_a_sentence_says_where_misfits_are_and_how_many_more() -> None:
    ages = Column.from_texts("age", ["36", *["old"] * 1200])
    wanted = ColumnSchema("age", ColumnType.INTEGER)
    assert misfit_message(ages, wanted) == (
        "1,200 cells of “age” do not fit the type integer (rows 2, 3, 4, 5, 6 and 1,195 more)."
    )
    assert misfit_message(ages, ColumnSchema("age", ColumnType.TEXT)) == ""


def test_misfits_are_listed_most_frequent_first_without_missing() -> None:
    found = misfits(column("1", "x", "y", "x", MISSING), ColumnSchema("a", ColumnType.INTEGER))
    assert (found.values, found.cells) == ((("x", 2), ("y", 1)), 3)


def test_everything_fits_a_category() -> None:
    assert misfits(column("1", "x"), ColumnSchema("a", ColumnType.CATEGORY)).cells == 0


def test_no_date_of_a_long_column_is_lost() -> None:
    days = np.datetime64("1900-01-01") + np.arange(40_000)
    dates, fits = parse_dates([*map(str, days), "no day"], "%Y-%m-%d")
    assert (dates[:-1] == days).all()
    assert fits.tolist() == [True] * 40_000 + [False]
