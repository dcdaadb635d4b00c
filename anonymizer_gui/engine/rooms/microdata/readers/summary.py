"""Every column in a few numbers: mean, standard deviation, median, quantiles, and the most frequent values."""

from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.shapes.tables.table import MISSING, Column, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.shapes.tables.values import numbers_of
from anonymizer_gui.engine.words import say

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_FREQUENT = 5
_NUMBERS = (ColumnType.INTEGER, ColumnType.DECIMAL)


@dataclass(frozen=True, slots=True)
class Summary:
    """What the cells of one column say together; numbers only where the column is of numbers and has some."""

    rows: int
    missing: int
    distinct: int
    frequent: tuple[tuple[str, int], ...]
    numbers: int = 0
    mean: float | None = None
    sd: float | None = None
    quantiles: tuple[float, ...] = ()

    def to_json(self, *, with_values: bool) -> dict[str, Json]:
        """Give it as JSON; values of people stand in no file but a release, so most columns are told without."""
        return {
            "rows": self.rows,
            "missing": self.missing,
            "distinct": self.distinct,
            "frequent": [list(pair) for pair in self.frequent] if with_values else [],
            "numbers": self.numbers,
            "mean": self.mean,
            "sd": self.sd,
            "quantiles": list(self.quantiles),
        }


def summaries(table: Table, schema: Schema, names: tuple[str, ...], progress: Progress = SILENT) -> dict[str, Summary]:
    """Sum up these columns of a table."""
    found = {}
    for done, name in enumerate(names):
        progress(done / len(names), say("Looking at “{name}”", name=name))
        entry = schema.column(name)
        decimal = (entry.format or ".") if entry.type in _NUMBERS else ""
        summary = summary_of(table.column(name), decimal)
        # The mean of those few numbers that were not generalised would say nothing about the column.
        is_partial = entry.role is Role.QI and summary.numbers < summary.rows - summary.missing
        found[name] = summary_of(table.column(name)) if is_partial else summary
    return found


def summary_of(column: Column, decimal: str = "") -> Summary:
    """Sum up one column; with a decimal mark its cells are read as numbers, and what is none is left aside.

    >>> summary_of(Column.from_texts("age", ["1", "2", "3", "4"]), ".").quantiles
    (1.15, 1.75, 2.5, 3.25, 3.8499999999999996)
    """
    counts = column.counts()
    there = [(label, int(count)) for label, count in zip(column.labels, counts, strict=True) if count]
    known = [pair for pair in there if pair[0] != MISSING]
    rows = sum(count for _, count in there)
    frequent = tuple(sorted(known, key=lambda pair: (-pair[1], pair[0]))[:MOST_FREQUENT])
    plain = Summary(rows, rows - sum(count for _, count in known), len(known), frequent)
    if not decimal:
        return plain
    values, fits = numbers_of(column.labels, decimal)
    numbers = np.repeat(values[fits], counts[fits])
    if not len(numbers):
        return plain
    return Summary(
        plain.rows,
        plain.missing,
        plain.distinct,
        plain.frequent,
        len(numbers),
        float(numbers.mean()),
        float(numbers.std(ddof=1)) if len(numbers) > 1 else 0.0,
        tuple(np.quantile(numbers, QUANTILES).tolist()),
    )
