"""Correlation change: whether numbers still move together as they did."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import MISSING, ColumnSchema
from anonymizer_gui.engine.data.tables.values import parse_by_type
from anonymizer_gui.engine.hierarchy.leaf_encoding import leaf_intervals
from anonymizer_gui.engine.rooms.microdata.utility.contract import (
    METRICS,
    Comparison,
    Metric,
    MetricResult,
    Placed,
    pairs,
)

Floats = npt.NDArray[np.float64]


@METRICS.register
@dataclass(frozen=True, slots=True)
class CorrelationChange(Metric):
    """The mean change of Pearson's correlation over pairs of columns whose leaves are all numbers or dates.

    A published cell stands for the mean of its leaves. Rows missing in either column are left out of a pair.
    """

    name: ClassVar[str] = "correlation"
    title: ClassVar[str] = "Correlation change"
    summary: ClassVar[str] = "How much the correlation of two numeric columns changes on average."
    formula: ClassVar[str] = "mean over pairs of |r(original) - r(release)|"
    reference: ClassVar[str] = "Domingo-Ferrer, Torra, Disclosure control methods and information loss, 2001"
    direction: ClassVar[Literal["lower", "higher"]] = "lower"
    range: ClassVar[str] = "0 to 2"
    ends: ClassVar[tuple[float, float] | None] = (0.0, 2.0)
    needs_rows: ClassVar[bool] = False

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Give the mean change; the details hold before and after of every pair. NaN without numeric pairs."""
        numeric = {}
        for name, placed in comparison.columns.items():
            values = _leaf_values(placed, None if comparison.schema is None else comparison.schema.column(name))
            if values is not None:
                numeric[name] = (values[placed.leaf], _cell_means(placed, values)[placed.published.codes])
        changes, details = [], {}
        todo = pairs(list(numeric))
        for done, (one, other) in enumerate(todo):
            progress(done / len(todo), message("Correlation of “{one}” and “{other}”", one=one, other=other))
            before = _correlation(numeric[one][0], numeric[other][0])
            after = _correlation(numeric[one][1], numeric[other][1])
            changes.append(abs(before - after))
            details[f"{one} × {other}"] = [before, after]
        return MetricResult(float(np.mean(changes)) if changes else float("nan"), {"pairs": details})


def _leaf_values(placed: Placed, entry: ColumnSchema | None) -> Floats | None:
    """Give the number of every leaf (middle of its interval; NaN for missing), or None when some have none."""
    tree = placed.hierarchy
    values = parse_by_type(tree.leaf_labels, entry)
    bounds = leaf_intervals(tree)
    if len(bounds):
        values[bounds.leaves] = (bounds.low + bounds.high) / 2
    numbers = np.isfinite(values) | np.array([label == MISSING for label in tree.leaf_labels])
    return values if numbers.all() and np.isfinite(values).any() else None


def _cell_means(placed: Placed, values: Floats) -> Floats:
    """Give the mean of the leaves of every label; NaN when only missing ones are covered."""
    there = np.isfinite(values)
    sums = np.concatenate([[0.0], np.cumsum(np.where(there, values, 0.0))])
    counts = np.concatenate([[0], np.cumsum(there)])
    low, high = placed.cells.low, placed.cells.high + 1
    n = counts[high] - counts[low]
    return np.where(n > 0, (sums[high] - sums[low]) / np.maximum(n, 1), np.nan)


def _correlation(one: Floats, other: Floats) -> float:
    """Give Pearson's r; 0 when a column does not vary, since nothing moves together then."""
    known = np.isfinite(one) & np.isfinite(other)
    a, b = one[known], other[known]
    if len(a) < 2 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return 0.0
    return float(np.corrcoef(a, b)[0, 1])
