"""Marginals and pairs before and after: KL, contingency, correlation, charts."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram, group_rows
from anonymizer_gui.engine.data.tables.table import MISSING, ColumnSchema
from anonymizer_gui.engine.data.tables.values import parse_by_type
from anonymizer_gui.engine.hierarchy.leaf_encoding import leaf_intervals
from anonymizer_gui.engine.rooms.microdata.utility.contract import (
    METRICS,
    BinnedColumn,
    Comparison,
    Metric,
    MetricResult,
    PlacedColumn,
    bin_column,
    column_pairs,
)


@METRICS.register
@dataclass(frozen=True, slots=True)
class ColumnDivergence(Metric):
    """Bits between the original distribution of a column and that of the release, cells spread evenly."""

    name: ClassVar[str] = "column-kl"
    title: ClassVar[str] = "Column divergence"
    summary: ClassVar[str] = "How far the spread of each column, read off the release, is from the true one, in bits."
    formula: ClassVar[str] = (
        "mean over columns of Σ_v p(v) log₂(p(v) / p̂(v)), p̂ with every cell spread evenly over its leaves"
    )
    reference: ClassVar[str] = "Kifer, Gehrke, Injecting utility into anonymized datasets, SIGMOD 2006"
    direction: ClassVar[Literal["lower", "higher"]] = "lower"
    range: ClassVar[str] = "0 and above"
    needs_rows: ClassVar[bool] = False

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Give the mean over the quasi-identifiers; the details hold every column. Suppressed rows spread over all."""
        columns = {}
        for done, name in enumerate(comparison.qis):
            progress(done / len(comparison.qis), message("Distribution of “{name}”", name=name))
            before, after = comparison.columns[name].original_shares(), comparison.columns[name].published_shares()
            present = before > 0
            ratio = before[present] / np.maximum(after[present], np.finfo(float).tiny)
            columns[name] = max(float((before[present] * np.log2(ratio)).sum()), 0.0)
        return MetricResult(float(np.mean(list(columns.values()) or [0.0])), {"columns": columns})


Floats = npt.NDArray[np.float64]


@METRICS.register
@dataclass(frozen=True, slots=True)
class ContingencyChange(Metric):
    """The mean variational distance of two-way tables, cells spread evenly; suppressed rows spread over all.

    Domains of many leaves are cut into runs of neighbouring leaves first, the same before and after.
    """

    name: ClassVar[str] = "contingency"
    title: ClassVar[str] = "Contingency change"
    summary: ClassVar[str] = (
        "How far the table of two columns against each other, read off the release, is from the true one."
    )
    formula: ClassVar[str] = "mean over pairs of ½ Σ |p(u, v) - p̂(u, v)|, p̂ with every cell spread evenly"
    reference: ClassVar[str] = "Domingo-Ferrer, Torra, Disclosure control methods and information loss, 2001"
    direction: ClassVar[Literal["lower", "higher"]] = "lower"
    range: ClassVar[str] = "0 to 1"
    ends: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    needs_rows: ClassVar[bool] = False

    bins: int = param(Int(low=2, high=1000), default=50, label="Bins", help="Most runs a domain is cut into.")

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Give the mean over all pairs of quasi-identifiers and sensitive columns; the details hold every pair."""
        cut = {name: bin_column(placed, self.bins) for name, placed in comparison.columns.items()}
        todo = column_pairs(list(cut))
        found = {}
        for done, (one, other) in enumerate(todo):
            progress(done / len(todo), message("Table of “{one}” against “{other}”", one=one, other=other))
            before, after = contingency_tables(cut[one], cut[other], comparison.suppressed)
            found[f"{one} × {other}"] = float(np.abs(before - after).sum() / 2)
        return MetricResult(float(np.mean(list(found.values()))) if found else float("nan"), {"pairs": found})


def contingency_tables(one: BinnedColumn, other: BinnedColumn, suppressed: int) -> tuple[Floats, Floats]:
    """Give the shares of two columns against each other, in the original and read off the release."""
    return _counted(one, other), _spread(one, other, suppressed)


def _counted(one: BinnedColumn, other: BinnedColumn) -> Floats:
    counts = Histogram.count(one.bin_of_row, one.n_bins, other.bin_of_row, other.n_bins).dense()
    return np.asarray(counts / max(len(one.bin_of_row), 1), dtype=np.float64)


def _spread(one: BinnedColumn, other: BinnedColumn, suppressed: int) -> Floats:
    """Add up the outer product of both cells' shares over all published rows, equal pairs of cells at once."""
    together = group_rows([one.codes, other.codes], len(one.codes))
    counts = np.zeros((len(one.share), len(other.share)))
    counts[one.codes[together.first_rows], other.codes[together.first_rows]] = together.sizes
    table = one.share.T @ counts @ other.share
    lost = suppressed * np.outer(one.everything, other.everything)
    return np.asarray((table + lost) / max(len(one.codes) + suppressed, 1), dtype=np.float64)


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
        todo = column_pairs(list(numeric))
        for done, (one, other) in enumerate(todo):
            progress(done / len(todo), message("Correlation of “{one}” and “{other}”", one=one, other=other))
            before = _correlation(numeric[one][0], numeric[other][0])
            after = _correlation(numeric[one][1], numeric[other][1])
            changes.append(abs(before - after))
            details[f"{one} × {other}"] = [before, after]
        return MetricResult(float(np.mean(changes)) if changes else float("nan"), {"pairs": details})


def _leaf_values(placed: PlacedColumn, entry: ColumnSchema | None) -> Floats | None:
    """Give the number of every leaf (middle of its interval; NaN for missing), or None when some have none."""
    tree = placed.hierarchy
    values = parse_by_type(tree.leaf_labels, entry)
    bounds = leaf_intervals(tree)
    if len(bounds):
        values[bounds.leaves] = (bounds.low + bounds.high) / 2
    numbers = np.isfinite(values) | np.array([label == MISSING for label in tree.leaf_labels])
    return values if numbers.all() and np.isfinite(values).any() else None


def _cell_means(placed: PlacedColumn, values: Floats) -> Floats:
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


@dataclass(frozen=True, slots=True)
class Distribution:
    """The share of each value, or run of values, in the original and as the release tells it."""

    column: str
    labels: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class JointChange:
    """Two columns against each other: the change of every share, in percentage points."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    change: tuple[tuple[float, ...], ...]


def column_distribution(
    comparison: Comparison, column: str, most: int = 40, progress: Progress = SILENT
) -> Distribution:
    """Give the distribution of one column before and after; generalised cells are spread evenly."""
    progress(0.0, "Comparing distributions")
    placed = comparison.columns[column]
    starts = _starts(placed, most)
    sides = (np.add.reduceat(shares, starts) for shares in (placed.original_shares(), placed.published_shares()))
    before, after = (tuple(side.tolist()) for side in sides)
    return Distribution(column, _labels(placed, most), before, after)


def column_distributions(
    comparison: Comparison, columns: Sequence[str], most: int = 12, progress: Progress = SILENT
) -> tuple[Distribution, ...]:
    """Give the distributions of many columns."""
    found = []
    for done, name in enumerate(columns):
        progress(done / len(columns), "Comparing distributions")
        found.append(column_distribution(comparison, name, most))
    return tuple(found)


def joint_change(
    comparison: Comparison, one: str, other: str, most: int = 12, progress: Progress = SILENT
) -> JointChange:
    """Give the change of the table of two columns."""
    progress(0.0, "Comparing two columns")
    left, right = comparison.columns[one], comparison.columns[other]
    before, after = contingency_tables(bin_column(left, most), bin_column(right, most), comparison.suppressed)
    change = tuple(tuple(row) for row in (100 * (after - before)).round(3).tolist())
    return JointChange(_labels(left, most), _labels(right, most), change)


def _starts(placed: PlacedColumn, most: int) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """Give the first leaf of every run, cut as `binned` cuts."""
    n_leaves = placed.hierarchy.n_leaves
    n_bins = min(n_leaves, most)
    return np.searchsorted(np.arange(n_leaves) * n_bins // n_leaves, np.arange(n_bins)).astype(np.int64)


def _labels(placed: PlacedColumn, most: int) -> tuple[str, ...]:
    leaves = placed.hierarchy.leaf_labels
    edges = [*_starts(placed, most).tolist(), len(leaves)]
    runs = itertools.pairwise(edges)
    return tuple(leaves[a] if b - a == 1 else f"{leaves[a]} … {leaves[b - 1]}" for a, b in runs)
