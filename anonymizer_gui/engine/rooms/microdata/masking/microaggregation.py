"""Microaggregation, MDAV.

Domingo-Ferrer, Torra, Ordinal, continuous and heterogeneous k-anonymity through microaggregation, DMKD 11, 2005.
"""

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
from anonymizer_gui.engine.rooms.microdata.masking.contract import (
    STEPS,
    Step,
    StepResult,
    column_of,
    column_values,
    count_kept,
)

Floats = npt.NDArray[np.float64]

Singles = npt.NDArray[np.float32]

Ints = npt.NDArray[np.int64]

_SOME = 2048
"""So many points tell how near the k nearest are at most; only what is that near is sorted."""

_PACK_AT = 0.85

_ROUNDING = 1e-5
"""What single precision may do to the share of a column at most, by a wide margin."""


def mdav(points: Floats, k: int) -> Ints:
    """Give every point its group, of at least k and fewer than 2k points; ties go to the first."""
    group = np.full(len(points), -1, dtype=np.int64)
    left, number = _Left(points), 0
    while left.count >= 3 * k:
        first = left.point(left.farthest(left.about(left.mean())))
        about = left.about(first)
        opposite = left.farthest(about)
        second = left.point(opposite)
        group[left.take(left.nearest(about, k))] = number
        # The farthest from the far one may have joined it, where many points are the same.
        start = second if left.is_there(opposite) else left.point(int(left.nearest(left.about(second), 1)[0]))
        group[left.take(left.nearest(left.about(start), k))] = number + 1
        number += 2
        left.pack()
    if left.count >= 2 * k:
        far = left.point(left.farthest(left.about(left.mean())))
        group[left.take(left.nearest(left.about(far), k))] = number
        number += 1
    group[left.rest()] = number
    return group


@dataclass(frozen=True, slots=True, eq=False)
class _About:
    """A point, and about how far all others are from it: half the square, short of what is the same for all."""

    centre: list[float]
    rough: Singles
    """Of a point, minus its product with the centre; half its square belongs to it, too."""


class _Left:
    """The points without a group; those that got one stay until it pays to pack anew.

    How far points are is first told roughly, by one product of a matrix and a vector; what comes near to the farthest
    or the nearest is then measured.
    """

    def __init__(self, points: Floats) -> None:
        self.count = len(points)
        self._keep(np.arange(len(points)), [np.ascontiguousarray(column) for column in points.T])

    def _keep(self, rows: Ints, columns: list[Floats]) -> None:
        self._rows, self._columns = rows, columns
        self._is_there = np.ones(len(rows), dtype=np.bool_)
        self._sums = [float(column.sum()) for column in columns]
        # Seen from the middle numbers are small, and so is what rounding does to them.
        self._middle = self.mean() if len(rows) else [0.0] * len(columns)
        around = [column - middle for column, middle in zip(columns, self._middle, strict=True)]
        self._scale = max((float(np.abs(column).max(initial=0)) for column in around), default=0.0) or 1.0
        self._around = np.array(around).reshape(len(columns), len(rows)) / self._scale
        self._if_far = ((self._around**2).sum(axis=0) / 2).astype(np.float32)
        self._around = self._around.astype(np.float32)
        self._if_near = self._if_far.copy()
        self._blur = _ROUNDING * len(columns)
        self._rough, self._work = np.empty_like(self._if_far), np.empty_like(self._if_far)

    def point(self, place: int) -> list[float]:
        """Give the point in a place."""
        return [float(column[place]) for column in self._columns]

    def is_there(self, place: int) -> bool:
        """Tell whether the point in a place has no group yet."""
        return bool(self._is_there[place])

    def mean(self) -> list[float]:
        """Give the average of the points."""
        return [total / self.count for total in self._sums]

    def about(self, centre: list[float]) -> _About:
        """Tell roughly how far all points are from one, in an array that is used again."""
        seen = [(middle - value) / self._scale for value, middle in zip(centre, self._middle, strict=True)]
        # No threads are begun for it, as np.dot does: they wait for each other longer than they work.
        np.einsum("j,jn->n", np.array(seen, dtype=np.float32), self._around, out=self._rough)
        return _About(centre, self._rough)

    def farthest(self, about: _About) -> int:
        """Give the place of the farthest point that has no group; of equally far ones the first."""
        rough = np.add(self._if_far, about.rough, out=self._work)
        far = np.flatnonzero(rough >= rough.max() - self._blur)
        return int(far[self._squares(about.centre, far).argmax()]) if len(far) > 1 else int(far[0])

    def nearest(self, about: _About, k: int) -> Ints:
        """Give the places of the k nearest points; of equally near ones the first."""
        rough = np.add(self._if_near, about.rough, out=self._work)
        # The k-th of some points is never nearer than the k-th of all.
        some = rough[:_SOME]
        bound = np.partition(some, k - 1)[k - 1] if len(some) >= k else np.inf
        near = np.flatnonzero(rough <= bound + self._blur)
        near = near[self._is_there[near]]
        squares = self._squares(about.centre, near)
        limit = np.partition(squares, k - 1)[k - 1]
        surely, maybe = near[squares < limit], near[squares == limit]
        return np.concatenate([surely, maybe[: k - len(surely)]])

    def _squares(self, centre: list[float], places: Ints) -> Floats:
        """Measure the squared distances of some points."""
        squares = np.zeros(len(places))
        for column, value in zip(self._columns, centre, strict=True):
            part = column[places] - value
            squares += part * part
        return squares

    def take(self, places: Ints) -> Ints:
        """Give the rows of some places, which have a group from now on."""
        self._is_there[places], self._if_far[places], self._if_near[places] = False, -np.inf, np.inf
        self._sums = [
            total - float(column[places].sum()) for total, column in zip(self._sums, self._columns, strict=True)
        ]
        self.count -= len(places)
        return self._rows[places]

    def rest(self) -> Ints:
        """Give the rows that have no group."""
        return self._rows[self._is_there]

    def pack(self) -> None:
        """Drop the points that have a group, once they are many."""
        if self.count <= _PACK_AT * len(self._rows):
            there = self._is_there
            self._keep(self._rows[there], [column[there] for column in self._columns])


CENTRES = {"mean": "Mean", "median": "Median", "mode": "Most frequent value"}

ONE_VALUE = "class"
"""Every class of a release gets one value, as ARX does it."""

_DIGITS = 12


@STEPS.register
@dataclass(frozen=True, slots=True)
class Microaggregation(Step):
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

    def apply(self, table: Table, decimal: str) -> StepResult:
        """Write the centres; rows without a number in one of the columns stay as they are."""
        return self.apply_within(table, decimal, np.zeros(table.n_rows, dtype=np.int64))

    def apply_within(self, table: Table, decimal: str, classes: Ints) -> StepResult:
        """Write the centres of groups that lie inside classes; a class of fewer than 2k rows is one group."""
        names = tuple(dict.fromkeys(self.columns))
        if not names:
            raise BadParameter("There is no column to microaggregate.", "Name columns of numbers.")
        values, columns = column_values(table, names, decimal), [column_of(table, name) for name in names]
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
                changed, kept = changed + cells, kept + count_kept(columns[at], rows) + _alone(group)
        return StepResult(table, cells=changed, kept=kept)

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
) -> StepResult:
    """Give all rows of a class the centre of its numbers, also those without one; a class of none stays as it is."""
    changed = kept = 0
    for column in columns:
        values = parse_numbers(column.labels, decimal)[0][column.codes]
        known = np.flatnonzero(~np.isnan(values))
        of_class = np.full(int(classes.max(initial=0)) + 1, np.nan)
        of_class[classes[known]] = _centres(values[known], classes[known], centre)
        rows = np.flatnonzero(~np.isnan(of_class[classes]))
        table, cells = _written(table, column, rows, of_class[classes[rows]], decimal)
        changed, kept = changed + cells, kept + count_kept(column, rows) + _alone(classes[known])
    return StepResult(table, cells=changed, kept=kept)


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
