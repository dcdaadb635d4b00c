"""Figures of a column: distinct values, histogram, distinction and separation."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import classes_of
from anonymizer_gui.engine.data.tables.set_valued_cells import explode_sets
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema, ColumnType, CountedColumn, Table
from anonymizer_gui.engine.data.tables.values import misfits, parse_dates, parse_numbers

FEW_ROWS = 10
"""In fewer rows than these, values that are all different say nothing."""

NEARLY_ALL = 0.95

MOST = 1 / 2


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """What the values of one column say about it; a cell without a value counts as missing only.

    `unique` counts the rows whose value no other row has.
    """

    name: str
    rows: int
    distinct: int
    missing: int
    unique: int

    @property
    def present(self) -> int:
        """How many rows have a value."""
        return self.rows - self.missing

    @property
    def unique_share(self) -> float:
        """The share of the rows with a value that have it for themselves."""
        return self.unique / self.present if self.present else 0.0

    @property
    def distinct_share(self) -> float:
        """Different values per row with a value."""
        return self.distinct / self.present if self.present else 0.0

    @property
    def is_nearly_unique(self) -> bool:
        """Whether nearly every row that has a value has its own, so that the value alone points to a person."""
        return self.present >= FEW_ROWS and self.distinct_share >= NEARLY_ALL

    @property
    def singles_out_most(self) -> bool:
        """Whether the value alone points to a person in most rows that have one, as a date of birth may."""
        return self.present >= FEW_ROWS and self.unique_share > MOST


def column_facts(column: Column) -> ColumnFacts:
    """Count the values of one column."""
    if isinstance(column, CountedColumn):
        crowd = column.crowd
        return ColumnFacts(column.name, crowd.rows, crowd.distinct, crowd.missing, crowd.unique)
    counts = column.counts()
    known = np.array([label != MISSING for label in column.labels], dtype=np.bool_)
    there = counts[known] if len(counts) else counts
    return ColumnFacts(
        column.name,
        column.rows,
        int(np.count_nonzero(there)),
        column.rows - int(there.sum()),
        int(np.count_nonzero(there == 1)),
    )


def all_column_facts(table: Table, progress: Progress = SILENT) -> tuple[ColumnFacts, ...]:
    """Count the values of every column, in order."""
    found = []
    for number, column in enumerate(table.wholes()):
        progress(number / len(table.columns), message("Looking at “{name}”", name=column.name))
        found.append(column_facts(column))
    return tuple(found)


Counts = npt.NDArray[np.int64]


def distinction(table: Table, columns: Sequence[str]) -> float:
    """Give the number of distinct tuples divided by the number of rows; 0 without rows."""
    return len(classes_of(table, columns)) / table.n_rows if table.n_rows else 0.0


def separation(table: Table, columns: Sequence[str]) -> float:
    """Give the share of pairs of rows that differ in some column; 0 where there is no pair."""
    return separation_of_sizes(classes_of(table, columns).sizes, table.n_rows)


def separation_of_sizes(sizes: Counts, rows: int) -> float:
    """Give the share of pairs of rows that are in different ones of groups of these sizes; 0 where there is no pair."""
    pairs = rows * (rows - 1)
    return 1 - int(np.dot(sizes, sizes - 1)) / pairs if pairs else 0.0


TOP = 12

BARS = 24


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a histogram: the words under it and its rows."""

    label: str
    rows: int


@dataclass(frozen=True, slots=True)
class Profile:
    """What there is to know about one column.

    `unique` counts rows whose value no other row has; `distinction` and `separation` are as in `separation`.
    The bars are equal ranges of numbers and dates, the most frequent values of anything else.
    """

    column: str
    rows: int
    distinct: int
    missing: int
    unique: int
    distinction: float
    separation: float
    lowest: str
    highest: str
    top: tuple[tuple[str, int], ...]
    bars: tuple[Bar, ...]
    misfits: int
    misfit_values: tuple[str, ...]


def profile(table: Table, schema: ColumnSchema, progress: Progress = SILENT) -> Profile:
    """Describe the column the schema is about, with all rows there are."""
    column = table.whole(schema.name)
    if isinstance(column, CountedColumn):
        return _of_crowd(column)
    counts = column.counts()
    known = np.array([label != MISSING for label in column.labels], dtype=np.bool_)
    present = known & (counts > 0) if len(counts) else known
    progress(0.3, schema.name)
    numbers = _numbers(column, schema)
    unfit = misfits(column, schema)
    progress(0.7, schema.name)
    # Of sets the items are what is frequent; whole sets hardly ever come twice.
    shown = explode_sets(column, schema.format)[1] if schema.type is ColumnType.SET else column
    often = shown.counts()
    order = np.lexsort((np.arange(len(often)), -often))
    frequent = [i for i in order[: TOP + 1].tolist() if often[i] and shown.labels[i] != MISSING][:TOP]
    lowest, highest = _ends(column, numbers, present)
    return Profile(
        column=schema.name,
        rows=column.rows,
        distinct=int(np.count_nonzero(present)),
        missing=int(counts[~known].sum()) if len(counts) else 0,
        unique=int(np.count_nonzero(counts[known] == 1)) if len(counts) else 0,
        distinction=float(np.count_nonzero(counts)) / column.rows if column.rows else 0.0,
        separation=separation_of_sizes(counts, column.rows),
        lowest=lowest,
        highest=highest,
        top=tuple((shown.labels[i], int(often[i])) for i in frequent),
        bars=_bars(shown, schema, numbers, often, frequent),
        misfits=unfit.cells,
        misfit_values=tuple(value for value, _ in unfit.values[:TOP]),
    )


def _of_crowd(column: CountedColumn) -> Profile:
    """Describe a column that only an engine can list."""
    crowd = column.crowd
    known = crowd.distinct + (crowd.missing > 0)
    return Profile(
        column=column.name,
        rows=crowd.rows,
        distinct=crowd.distinct,
        missing=crowd.missing,
        unique=crowd.unique,
        distinction=known / crowd.rows if crowd.rows else 0.0,
        separation=1 - crowd.pairs / (crowd.rows * (crowd.rows - 1)) if crowd.rows > 1 else 0.0,
        lowest="",
        highest="",
        top=crowd.top,
        bars=tuple(Bar(label, rows) for label, rows in crowd.top),
        misfits=0,
        misfit_values=(),
    )


def _numbers(column: Column, schema: ColumnSchema) -> npt.NDArray[np.float64] | None:
    """Give a number for every label of a column of numbers or dates; NaN where there is none."""
    if schema.type is ColumnType.DATE:
        dates, fits = parse_dates(column.labels, schema.format)
        return np.where(fits, dates.astype(np.int64), np.nan)
    if schema.type in (ColumnType.INTEGER, ColumnType.DECIMAL):
        return parse_numbers(column.labels, schema.format or ".")[0]
    return None


def _ends(column: Column, numbers: npt.NDArray[np.float64] | None, present: npt.NDArray[np.bool_]) -> tuple[str, str]:
    if numbers is None:
        return "", ""
    usable = np.flatnonzero(present & np.isfinite(numbers))
    if not len(usable):
        return "", ""
    values = numbers[usable]
    return column.labels[usable[values.argmin()]], column.labels[usable[values.argmax()]]


def _bars(
    column: Column,
    schema: ColumnSchema,
    numbers: npt.NDArray[np.float64] | None,
    counts: npt.NDArray[np.int64],
    frequent: list[int],
) -> tuple[Bar, ...]:
    usable = np.flatnonzero(np.isfinite(numbers) & (counts > 0)) if numbers is not None else np.empty(0, dtype=np.int64)
    if numbers is None or len(usable) < 2:
        return tuple(Bar(column.labels[i], int(counts[i])) for i in frequent)
    values = numbers[usable]
    whole = schema.type is ColumnType.INTEGER
    width = float(values.max() - values.min()) + (1 if whole else 0)
    pieces = int(min(BARS, width)) if whole and width < BARS else BARS
    rows, edges = np.histogram(
        values, bins=pieces, range=(values.min(), values.min() + width), weights=counts[usable].astype(np.float64)
    )
    return tuple(
        Bar(_range(low, high, schema), int(count)) for low, high, count in zip(edges[:-1], edges[1:], rows, strict=True)
    )


def _range(low: float, high: float, schema: ColumnSchema) -> str:
    if schema.type is ColumnType.DATE:
        days = np.array([low, high]).astype("datetime64[s]").astype("datetime64[D]")
        return f"{days[0]} – {days[1]}"
    return f"{low:.6g} – {high:.6g}"
