"""Microaggregation: groups of at least k near rows share their mean, median or mode (MDAV, univariate)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message, quote
from anonymizer_gui.engine.core.params import Choice, Flag, Int, ListOf, Text, param
from anonymizer_gui.engine.data.tables.table import Column, Table
from anonymizer_gui.engine.data.tables.values import parse_numbers
from anonymizer_gui.engine.rooms.microdata.preparing.contract import STEPS, Prepared, Step, column_of
from anonymizer_gui.engine.rooms.microdata.preparing.mdav import mdav
from anonymizer_gui.engine.rooms.microdata.preparing.number_columns import kept_in, values_in

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
CENTRES = {"mean": "Mean", "median": "Median", "mode": "Most frequent value"}
ONE_VALUE = "class"
"""Every class of a release gets one value, as ARX does it."""
_DIGITS = 12


@STEPS.register
@dataclass(frozen=True, slots=True)
class Microaggregate(Step):
    """Several columns together by MDAV, on standardised numbers; or each column by itself, in its order."""

    name: ClassVar[str] = "microaggregate"
    title: ClassVar[str] = "Microaggregate"
    summary: ClassVar[str] = (
        "Puts at least k rows of near numbers together and writes their mean, median or most frequent value for each."
    )

    columns: tuple[str, ...] = param(
        ListOf(Text()), default=(), label="Columns", help="Columns of numbers, separated by commas."
    )
    k: int = param(Int(low=2), default=5, label="k", help="Fewest rows that share a value.")
    way: str = param(
        Choice(
            {
                "together": "All columns together (MDAV)",
                "each": "Each column by itself",
                ONE_VALUE: "All rows of a class of the release",
            }
        ),
        default="together",
        label="Groups",
        help="Whether rows are near in all columns at once, groups are made for each column, or every class is one.",
    )
    centre: str = param(Choice(CENTRES), default="mean", label="Written is", help="What stands for a group.")
    within: bool = param(
        Flag(),
        default=False,
        label="Within the classes of the release",
        help="Groups then lie inside the classes of every release; sensitive columns and those of no role only.",
    )

    def waits(self) -> bool:
        """Wait for classes where groups are to lie inside them."""
        return self.within or self.way == ONE_VALUE

    def apply(self, table: Table, decimal: str) -> Prepared:
        """Write the centres; rows without a number in one of the columns stay as they are."""
        return self.apply_within(table, decimal, np.zeros(table.n_rows, dtype=np.int64))

    def apply_within(self, table: Table, decimal: str, classes: Ints) -> Prepared:
        """Write the centres of groups that lie inside classes; a class of fewer than 2k rows is one group."""
        names = tuple(dict.fromkeys(self.columns))
        if not names:
            raise BadParameter("There is no column to microaggregate.", "Name columns of numbers.")
        values, columns = values_in(table, names, decimal), [column_of(table, name) for name in names]
        if self.way == ONE_VALUE:
            return _one_value(table, columns, decimal, classes, _OF[self.centre])
        parts = [slice(0, len(columns))] if self.way == "together" else [slice(j, j + 1) for j in range(len(columns))]
        changed = kept = 0
        for part in parts:
            rows = np.flatnonzero(~np.isnan(values[:, part]).any(axis=1))
            if len(rows) < self.k:
                raise BadParameter("Fewer rows than k have numbers in these columns.", "Choose a smaller k.")
            group = _groups(_standard(values[rows, part]), classes[rows], self.k)
            for at in range(part.start, part.stop):
                new = _centres(values[rows, at], group, _OF[self.centre])
                table, cells = _written(table, columns[at], rows, new, decimal)
                changed, kept = changed + cells, kept + kept_in(columns[at], rows) + _alone(group)
        return Prepared(table, cells=changed, kept=kept)

    def touched(self) -> tuple[str, ...]:
        """Name the columns."""
        return self.columns

    def sentence(self) -> Message:
        """Say columns and k."""
        if self.way == ONE_VALUE:
            return message("Microaggregate {columns}, one value for every class", columns=quote(self.columns))
        if self.within:
            return message(
                "Microaggregate {columns} within the classes, k = {k}", columns=quote(self.columns), k=self.k
            )
        return message("Microaggregate {columns}, k = {k}", columns=quote(self.columns), k=self.k)

    def without_values(self) -> Message:
        """Say the same; k is a rule, not a value."""
        if self.way == ONE_VALUE:
            return message(
                "{columns} were microaggregated, one value for every class: values are not those of single people",
                columns=quote(self.columns),
            )
        if self.within:
            return message(
                "{columns} were microaggregated within the classes in groups of at least {k}, or of all numbers of a "
                "class that has fewer: values are not those of single people",
                columns=quote(self.columns),
                k=self.k,
            )
        return message(
            "{columns} were microaggregated in groups of at least {k}: values are not those of single people",
            columns=quote(self.columns),
            k=self.k,
        )


def _one_value(
    table: Table, columns: list[Column], decimal: str, classes: Ints, centre: Callable[[Floats], float]
) -> Prepared:
    """Give all rows of a class the centre of its numbers, also those without one; a class of none stays as it is."""
    changed = kept = 0
    for column in columns:
        values = parse_numbers(column.labels, decimal)[0][column.codes]
        known = np.flatnonzero(~np.isnan(values))
        of_class = np.full(int(classes.max(initial=0)) + 1, np.nan)
        of_class[classes[known]] = _centres(values[known], classes[known], centre)
        rows = np.flatnonzero(~np.isnan(of_class[classes]))
        table, cells = _written(table, column, rows, of_class[classes[rows]], decimal)
        changed, kept = changed + cells, kept + kept_in(column, rows) + _alone(classes[known])
    return Prepared(table, cells=changed, kept=kept)


def _alone(group: Ints) -> int:
    """Count the numbers that have no other beside them, as in a class with one number: they stay those of a person."""
    return int(np.count_nonzero(np.bincount(group) == 1))


def _groups(points: Floats, classes: Ints, k: int) -> Ints:
    """Group the points of every class by itself."""
    group, number = np.empty(len(points), dtype=np.int64), 0
    order = np.argsort(classes, kind="stable")
    starts = np.flatnonzero(np.diff(classes[order], prepend=-1))
    for rows in np.split(order, starts[1:]):
        found = mdav(points[rows], k)
        group[rows] = found + number
        number += int(found.max(initial=-1)) + 1
    return group


def _mode(values: Floats) -> float:
    found, counts = np.unique(values, return_counts=True)
    return float(found[counts.argmax()])


_OF: dict[str, Callable[[Floats], float]] = {
    "mean": lambda values: float(values.mean()),
    "median": lambda values: float(np.median(values)),
    "mode": _mode,
}


def _standard(values: Floats) -> Floats:
    """Give columns the same spread, so that none rules by its unit."""
    spread = values.std(axis=0)
    return np.asarray((values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0))


def _centres(values: Floats, group: Ints, centre: Callable[[Floats], float]) -> Floats:
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    new = np.empty(len(values))
    for rows in np.split(order, starts[1:]):
        new[rows] = centre(values[rows])
    return new


def _written(table: Table, column: Column, rows: Ints, new: Floats, decimal: str) -> tuple[Table, int]:
    """Write the centres, all rows of a group alike, and count the numbers that are others now."""
    texts = column.texts()
    before = parse_numbers(column.labels, decimal)[0][column.codes[rows]]
    found, place = np.unique(new, return_inverse=True)
    shown = [np.format_float_positional(round(value, _DIGITS), trim="-") for value in found.tolist()]
    texts[rows] = np.array([text.replace(".", decimal) for text in shown], dtype=object)[place.reshape(-1)]
    made = Column.from_texts(column.name, texts)
    columns = tuple(made if each.name == column.name else each for each in table.columns)
    others = int(np.count_nonzero(~np.isclose(before, new, rtol=1e-12, atol=0)))
    return Table(columns, table.n_rows), others
