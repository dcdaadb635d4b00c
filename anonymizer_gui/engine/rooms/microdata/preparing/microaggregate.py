"""Microaggregation: groups of at least k near rows share their mean, median or mode (MDAV, univariate)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.errors import BadParameter
from anonymizer_gui.engine.params import Choice, Int, Listing, Text, param
from anonymizer_gui.engine.rooms.microdata.preparing.contract import STEPS, Prepared, Step, column_of
from anonymizer_gui.engine.rooms.microdata.preparing.mdav import mdav
from anonymizer_gui.engine.shapes.tables.table import Column, Table
from anonymizer_gui.engine.shapes.tables.values import numbers_of
from anonymizer_gui.engine.words import Sentence, quoted, say

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
CENTRES = {"mean": "Mean", "median": "Median", "mode": "Most frequent value"}
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
        Listing(Text()), default=(), label="Columns", help="Columns of numbers, separated by commas."
    )
    k: int = param(Int(low=2), default=5, label="k", help="Fewest rows that share a value.")
    way: str = param(
        Choice({"together": "All columns together (MDAV)", "each": "Each column by itself"}),
        default="together",
        label="Groups",
        help="Whether rows are near in all columns at once, or groups are made for each column.",
    )
    centre: str = param(Choice(CENTRES), default="mean", label="Written is", help="What stands for a group.")

    def apply(self, table: Table, decimal: str) -> Prepared:
        """Write the centres; rows without a number in one of the columns stay as they are."""
        columns = [column_of(table, name) for name in self.columns]
        if not columns:
            raise BadParameter("There is no column to microaggregate.", "Name columns of numbers.")
        values = np.stack([numbers_of(column.labels, decimal)[0][column.codes] for column in columns], axis=1)
        parts = [slice(0, len(columns))] if self.way == "together" else [slice(j, j + 1) for j in range(len(columns))]
        changed = 0
        for part in parts:
            rows = np.flatnonzero(~np.isnan(values[:, part]).any(axis=1))
            if len(rows) < self.k:
                raise BadParameter("Fewer rows than k have numbers in these columns.", "Choose a smaller k.")
            group = mdav(_standard(values[rows, part]), self.k)
            for at in range(part.start, part.stop):
                new = _centres(values[rows, at], group, _OF[self.centre])
                table, cells = _written(table, columns[at], rows, new, decimal)
                changed += cells
        return Prepared(table, cells=changed)

    def sentence(self) -> Sentence:
        """Say columns and k."""
        return say("Microaggregate {columns}, k = {k}", columns=quoted(self.columns), k=self.k)

    def without_values(self) -> Sentence:
        """Say the same; k is a rule, not a value."""
        return say(
            "{columns} were microaggregated in groups of at least {k}: values are not those of single people",
            columns=quoted(self.columns),
            k=self.k,
        )


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
    before = numbers_of(column.labels, decimal)[0][column.codes[rows]]
    found, place = np.unique(new, return_inverse=True)
    shown = [np.format_float_positional(round(value, _DIGITS), trim="-") for value in found.tolist()]
    texts[rows] = np.array([text.replace(".", decimal) for text in shown], dtype=object)[place.reshape(-1)]
    made = Column.from_texts(column.name, texts)
    columns = tuple(made if each.name == column.name else each for each in table.columns)
    others = int(np.count_nonzero(~np.isclose(before, new, rtol=1e-12, atol=0)))
    return Table(columns, table.n_rows), others
