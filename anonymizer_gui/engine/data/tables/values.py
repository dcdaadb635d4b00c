"""Texts read as numbers, dates and points; misfits; guessed types."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.set_valued_cells import guess_set_format, read_set
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema, ColumnType

POINT_FORMATS = {"": "48.1° N, 11.6° E: 48.1, 11.6", "lon": "48.1° N, 11.6° E: 11.6, 48.1"}
"""Whether the latitude or the longitude comes first; `POINT (11.6 48.1)` has the longitude first in both."""

_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)"

_PAIR = re.compile(rf"\(?\s*({_NUMBER})\s*(?:[,;]\s*|\s+)({_NUMBER})\s*\)?", re.ASCII)

_WKT = re.compile(rf"(?:SRID=4326;)?\s*POINT\s*\(\s*({_NUMBER})\s+({_NUMBER})\s*\)", re.ASCII | re.IGNORECASE)

_BROKEN = re.compile(r"\d\.\d")


def read_point(text: str, form: str = "") -> tuple[float, float] | None:
    """Give latitude and longitude; nothing where the cell is no place on the earth.

    >>> read_point("48.1, 11.6"), read_point("POINT (11.6 48.1)"), read_point("95.0, 11.6"), read_point("nan, 1.5")
    ((48.1, 11.6), (48.1, 11.6), None, None)
    """
    wkt = _WKT.fullmatch(text.strip())
    found = wkt or _PAIR.fullmatch(text.strip())
    if found is None:
        return None
    first, second = float(found[1]), float(found[2])
    lat, lon = (second, first) if wkt or form == "lon" else (first, second)
    return (lat, lon) if math.isfinite(lat + lon) and abs(lat) <= 90 and abs(lon) <= 180 else None


def write_point(lat: str, lon: str) -> str:
    """Write two numbers, each as it stands, as one cell."""
    return f"{lat}, {lon}"


def is_point(text: str) -> bool:
    """Say whether a cell is a place beyond doubt: two numbers with decimals, or a point by name."""
    return read_point(text) is not None and (
        _WKT.fullmatch(text.strip()) is not None or len(_BROKEN.findall(text)) == 2
    )


Flags = npt.NDArray[np.bool_]

Numbers = npt.NDArray[np.float64]

Dates = npt.NDArray[np.datetime64]

DATE_FORMATS = {
    "%Y-%m-%d": "2024-12-31",
    "%d.%m.%Y": "31.12.2024",
    "%d/%m/%Y": "31/12/2024",
    "%m/%d/%Y": "12/31/2024",
    "%Y/%m/%d": "2024/12/31",
    "%d-%m-%Y": "31-12-2024",
    "%Y%m%d": "20241231",
    "%Y-%m": "2024-12",
    "%Y-%m-%d %H:%M": "2024-12-31 23:59",
    "%Y-%m-%d %H:%M:%S": "2024-12-31 23:59:59",
    "%Y-%m-%dT%H:%M:%S": "2024-12-31T23:59:59",
    "%d.%m.%Y %H:%M": "31.12.2024 23:59",
    "%d.%m.%Y %H:%M:%S": "31.12.2024 23:59:59",
}

_DIGITS = {"Y": r"\d{4}", "m": r"\d{1,2}", "d": r"\d{1,2}", "H": r"\d{1,2}", "M": r"\d{2}", "S": r"\d{2}"}

_INTEGER = re.compile(r"[-+]?[0-9]+")

_PADDED = re.compile(r"[-+]?0[0-9]+([.,][0-9]*)?")

_FITTING_SHARE = 0.95

_LIKELY_SHARE = 0.5  # of the distinct values, to be worth counting the cells

_SAMPLE = 2000

_LABELS_AT_ONCE = 16_384

_ROWS_NAMED = 5


def parse_numbers(labels: Sequence[str], decimal: str = ".") -> tuple[Numbers, Flags]:
    """Read labels as numbers with a decimal mark; what does not fit is NaN, and missing never fits.

    >>> parse_numbers(["1.50", "-3", "1,5", "2024-02-30"])[1].tolist()
    [True, True, False, False]
    """
    mark = re.escape(decimal)
    pattern = re.compile(rf"[-+]?([0-9]+({mark}[0-9]*)?|{mark}[0-9]+)([eE][-+]?[0-9]{{1,3}})?")
    fits = np.fromiter((pattern.fullmatch(label) is not None for label in labels), dtype=bool, count=len(labels))
    numbers = np.full(len(labels), np.nan)
    # Not by way of a list: a million numbers at once would keep every other thread waiting.
    read = (float(labels[i].replace(decimal, ".")) for i in np.flatnonzero(fits).tolist())
    numbers[fits] = np.fromiter(read, dtype=np.float64)
    fits &= np.isfinite(numbers)
    return np.where(fits, numbers, np.nan), fits


def parse_dates(labels: Sequence[str], date_format: str) -> tuple[Dates, Flags]:
    """Read labels as dates (to the second); a day that no calendar has does not fit and is NaT.

    >>> parse_dates(["2024-02-29", "2024-02-30"], "%Y-%m-%d")[1].tolist()
    [True, False]
    """
    pattern = _date_pattern(date_format)
    # In pieces: to forget all matches of a long column at once would hold up every other thread.
    starts = range(0, max(len(labels), 1), _LABELS_AT_ONCE)
    pieces = [_dates_of(labels[start : start + _LABELS_AT_ONCE], pattern) for start in starts]
    return np.concatenate([dates for dates, _ in pieces]), np.concatenate([fits for _, fits in pieces])


def _dates_of(labels: Sequence[str], pattern: re.Pattern[str]) -> tuple[Dates, Flags]:
    found = [pattern.fullmatch(label) for label in labels]
    fits = np.fromiter((match is not None for match in found), dtype=bool, count=len(labels))
    dates = np.full(len(labels), np.datetime64("NaT", "s"))
    groups = pattern.groupindex
    fields = {name: np.array([int(m[name]) for m in found if m], dtype=np.int64) for name in groups}
    dates[fits], valid = _seconds(fields, int(np.count_nonzero(fits)))
    fits[fits] = valid
    return dates, fits


def _date_pattern(date_format: str) -> re.Pattern[str]:
    fixed = date_format == "%Y%m%d"
    parts = re.split(r"%(.)", date_format)
    if not set(parts[1::2]) >= {"Y", "m"} or not set(parts[1::2]) <= set(_DIGITS):
        raise BadParameter(
            message("“{format}” is not a date format.", format=date_format),
            message("Use one such as {formats}.", formats=list(DATE_FORMATS)),
        )
    digits = [r"\d{2}" if fixed and part != "Y" else _DIGITS[part] for part in parts[1::2]]
    named = [f"(?P<{name}>{digit})" for name, digit in zip(parts[1::2], digits, strict=True)]
    plain = [re.escape(part) for part in parts[0::2]]
    return re.compile("".join(a + b for a, b in zip(plain, [*named, ""], strict=True)), re.ASCII)


def _seconds(fields: dict[str, npt.NDArray[np.int64]], count: int) -> tuple[Dates, Flags]:
    def field(name: str, default: int) -> npt.NDArray[np.int64]:
        return fields.get(name, np.full(count, default, dtype=np.int64))

    year, month, day = field("Y", 1970), field("m", 1), field("d", 1)
    months = ((year - 1970) * 12 + np.clip(month, 1, 12) - 1).astype("datetime64[M]")
    length = ((months + 1).astype("datetime64[D]") - months.astype("datetime64[D]")).astype(np.int64)
    hour, minute, second = field("H", 0), field("M", 0), field("S", 0)
    valid = (month >= 1) & (month <= 12) & (day >= 1) & (day <= length) & (year >= 1)
    valid &= (hour <= 23) & (minute <= 59) & (second <= 59)
    days = months.astype("datetime64[D]").astype(np.int64) + day - 1
    dates = (days * 86_400 + hour * 3600 + minute * 60 + second).astype("datetime64[s]")
    dates[~valid] = np.datetime64("NaT")
    return dates, valid


@dataclass(frozen=True, slots=True)
class Misfits:
    """The values of a column that do not fit its type, most frequent first, how many cells hold them, and where.

    `rows` are the first rows with such a cell, counted from 1.
    """

    values: tuple[tuple[str, int], ...] = ()
    cells: int = 0
    rows: tuple[int, ...] = ()


def fits_type(labels: Sequence[str], column_type: ColumnType, column_format: str = "") -> Flags:
    """Tell which labels can be read as a type; every label fits a category or a text."""
    if column_type is ColumnType.SET:
        return np.fromiter((read_set(text, column_format) is not None for text in labels), bool, len(labels))
    if column_type is ColumnType.PLACE:
        return np.fromiter((read_point(text, column_format) is not None for text in labels), bool, len(labels))
    if column_type is ColumnType.DATE:
        return parse_dates(labels, column_format)[1]
    if column_type is ColumnType.DECIMAL:
        return parse_numbers(labels, column_format or ".")[1]
    if column_type is ColumnType.INTEGER:
        return np.fromiter((_INTEGER.fullmatch(text) is not None for text in labels), dtype=bool, count=len(labels))
    return np.ones(len(labels), dtype=bool)


def misfits(column: Column, schema: ColumnSchema) -> Misfits:
    """List and count the values that do not fit the type of a column; missing is no misfit."""
    fits = fits_type(column.labels, schema.type, schema.format)
    if MISSING in column.labels:
        fits[column.labels.index(MISSING)] = True
    counts = column.counts()
    unfit = np.flatnonzero(~fits & (counts > 0))
    if not len(unfit):
        return Misfits()
    values = sorted(((column.labels[i], int(counts[i])) for i in unfit), key=lambda pair: (-pair[1], pair[0]))
    # Rows that are counted have no place of their own.
    rows = np.flatnonzero(~fits[column.codes])[:_ROWS_NAMED] + 1 if column.times is None else np.empty(0, np.int64)
    return Misfits(tuple(values), sum(count for _, count in values), tuple(rows.tolist()))


def misfit_message(column: Column, schema: ColumnSchema) -> str:
    """Say how many cells do not fit the type of a column, and in which rows; nothing when all fit.

    >>> misfit_message(Column.from_texts("age", ["36", "old"]), ColumnSchema("age", ColumnType.INTEGER))
    '1 cell of “age” does not fit the type integer (row 2).'
    """
    unfit = misfits(column, schema)
    if not unfit.cells:
        return ""
    told = {"cells": unfit.cells, "column": column.name, "kind": message(schema.type.value), "rows": unfit.rows}
    if not unfit.rows:
        return message("{cells:,} cells of “{column}” do not fit the type {kind}.", **told)
    if more := unfit.cells - len(unfit.rows):
        return message(
            "{cells:,} cells of “{column}” do not fit the type {kind} (rows {rows} and {more:,} more).",
            **told,
            more=more,
        )
    if unfit.cells == 1:
        return message("{cells} cell of “{column}” does not fit the type {kind} (row {rows}).", **told)
    return message("{cells:,} cells of “{column}” do not fit the type {kind} (rows {rows}).", **told)


@dataclass(frozen=True, slots=True)
class TypeGuess:
    """The type a column seems to have, its format, how many cells do not fit, and what is doubtful about it."""

    type: ColumnType
    format: str = ""
    misfits: int = 0
    doubt: str = ""


def guess_type(column: Column, decimal: str = ".") -> TypeGuess:
    """Guess the type of a column: one that nearly all cells fit; digits with leading zeros are no numbers."""
    counts = column.counts()
    known = [i for i, label in enumerate(column.labels) if label != MISSING and counts[i]]
    if not known:
        return TypeGuess(ColumnType.CATEGORY)
    sample = [column.labels[i] for i in known[:: max(len(known) // _SAMPLE, 1)]]
    numeric = not any(_PADDED.fullmatch(column.labels[i]) for i in known)
    for guess in _candidates(sample, numeric, decimal):
        unfit = misfits(column, ColumnSchema(column.name, guess.type, guess.format)).cells
        if unfit <= (1 - _FITTING_SHARE) * counts[known].sum():
            return TypeGuess(guess.type, guess.format, unfit, guess.doubt)
    return TypeGuess(_words_type(sample, len(known), int(counts[known].sum())))


def _candidates(sample: list[str], numeric: bool, decimal: str) -> list[TypeGuess]:
    """List the types worth a full check, the most telling first."""
    found = _date_guesses(sample)
    likely = _LIKELY_SHARE * len(sample)
    if numeric and np.count_nonzero(fits_type(sample, ColumnType.INTEGER)) >= likely:
        found.append(TypeGuess(ColumnType.INTEGER))
    if numeric and np.count_nonzero(parse_numbers(sample, decimal)[1]) >= likely:
        found.append(TypeGuess(ColumnType.DECIMAL, decimal))
    if sum(map(is_point, sample)) >= likely:
        found.append(TypeGuess(ColumnType.PLACE))
    if not found and (form := guess_set_format(sample)):
        found.append(TypeGuess(ColumnType.SET, form))
    return found


def _date_guesses(sample: list[str]) -> list[TypeGuess]:
    fitting = {form: int(np.count_nonzero(parse_dates(sample, form)[1])) for form in DATE_FORMATS}
    good = [form for form, fit in fitting.items() if fit >= _LIKELY_SHARE * len(sample) and _plausible(sample, form)]
    both = fitting["%d/%m/%Y"] == fitting["%m/%d/%Y"] and "%d/%m/%Y" in good
    doubt = "Day and month cannot be told apart; check the format." if both else ""
    return [TypeGuess(ColumnType.DATE, form, 0, doubt) for form in sorted(good, key=lambda form: -fitting[form])]


def _plausible(sample: list[str], date_format: str) -> bool:
    """Take plain digits for dates only if every one is a day of the last or this century."""
    if date_format != "%Y%m%d":
        return True
    dates, fits = parse_dates(sample, date_format)
    years = dates[fits].astype("datetime64[Y]").astype(np.int64) + 1970
    return bool(fits.all() and len(sample) > 1 and (years >= 1900).all() and (years <= 2100).all())


def _words_type(sample: list[str], distinct: int, cells: int) -> ColumnType:
    long = sum(len(label) for label in sample) > 40 * len(sample)
    return ColumnType.TEXT if long or (distinct > 100 and distinct > cells / 2) else ColumnType.CATEGORY


Floats = npt.NDArray[np.float64]

EPOCH = 719_163  # the day ordinal of 1970-01-01

_NUMERIC = (ColumnType.INTEGER, ColumnType.DECIMAL)

_ISO = ("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S")


def parse_texts_as_numbers(texts: Sequence[str], schema: ColumnSchema | None = None) -> Floats:
    """Read texts as numbers, with the decimal mark of their column; what is no number is NaN.

    >>> parse_texts_as_numbers(["37", "1.50", "x"]).tolist()
    [37.0, 1.5, nan]
    """
    mark = schema.format if schema is not None and schema.type in _NUMERIC else ""
    return parse_numbers(texts, mark or ".")[0]


def parse_day_ordinals(texts: Sequence[str], schema: ColumnSchema | None = None) -> Floats:
    """Read texts as dates, in the format of their column or ISO; give day ordinals, times as parts of a day.

    >>> parse_day_ordinals(["1970-01-01", "1970-01-01 12:00", "2024-02-30"]).tolist()
    [719163.0, 719163.5, nan]
    """
    stated = schema.format if schema is not None and schema.type is ColumnType.DATE else ""
    found = np.full(len(texts), np.nan)
    for date_format in (stated,) if stated else _ISO:
        moments, fits = parse_dates(texts, date_format)
        found[fits] = moments[fits].astype(np.int64) / 86_400 + EPOCH
    return found


def parse_by_type(texts: Sequence[str], schema: ColumnSchema | None = None) -> Floats:
    """Read texts by the stated type of their column; without one as numbers, else as ISO dates."""
    if schema is not None and schema.type is ColumnType.DATE:
        return parse_day_ordinals(texts, schema)
    found = parse_texts_as_numbers(texts, schema)
    if schema is not None and schema.type in _NUMERIC:
        return found
    return np.where(np.isnan(found), parse_day_ordinals(texts), found)
