"""Count queries asked of both tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, Int, param
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import classes_of
from anonymizer_gui.engine.data.tables.values import parse_by_type
from anonymizer_gui.engine.hierarchy.leaf_encoding import leaf_intervals
from anonymizer_gui.engine.rooms.microdata.utility.contract import (
    METRICS,
    Comparison,
    Metric,
    MetricResult,
    PlacedColumn,
)

Floats = npt.NDArray[np.float64]

QueryConditions = npt.NDArray[np.bool_]

Condition = frozenset[str] | tuple[float, float]


@dataclass(frozen=True, slots=True)
class CountQuery:
    """How many rows fulfil all conditions: per column a set of leaf labels, or a range of numbers with both ends."""

    conditions: Mapping[str, Condition]


@METRICS.register
@dataclass(frozen=True, slots=True)
class QueryError(Metric):
    """Random count queries over the quasi-identifiers, asked of both tables.

    A published cell counts as spread evenly over its leaves. The relative error is divided by the true count or the
    sanity bound, whichever is larger, so that counts near 0 do not drown the rest. Suppressed rows count as lost.
    """

    name: ClassVar[str] = "query-error"
    title: ClassVar[str] = "Query error"
    summary: ClassVar[str] = "How wrong a typical count is when it is asked of the release instead of the original."
    formula: ClassVar[str] = "median of |estimate - truth| / max(truth, sanity bound) over random count queries"
    reference: ClassVar[str] = "Xiao, Tao, Anatomy: simple and effective privacy preservation, VLDB 2006"
    direction: ClassVar[Literal["lower", "higher"]] = "lower"
    range: ClassVar[str] = "0 and above"
    ends: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    needs_rows: ClassVar[bool] = False

    queries: int = param(Int(low=1, high=10_000), default=500, label="Queries", help="How many random queries to ask.")
    columns: int = param(Int(low=1), default=2, label="Columns", help="How many quasi-identifiers a query limits.")
    width: float = param(
        Float(low=0, high=1, above=True), default=0.3, label="Width", help="Share of each domain that a query asks for."
    )
    sanity: float = param(
        Float(low=0, high=1), default=0.001, label="Sanity bound", help="Share of the rows (at least one row)."
    )
    seed: int = param(Int(low=0), default=0, label="Seed", help="The same seed asks the same queries.")

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Give the median relative error; the details hold the 95th percentile and the mean."""
        asked = self._random(comparison)
        if not asked or not comparison.original.n_rows:
            return MetricResult(float("nan"), {"queries": 0})
        truth, estimate = count_both(comparison, asked, progress)
        errors = relative_errors(truth, estimate, comparison.original.n_rows, self.sanity)
        p95 = float(np.percentile(errors, 95))
        details = {"p95": p95, "mean": float(errors.mean()), "queries": len(errors)}
        return MetricResult(float(np.median(errors)), details)

    def _random(self, comparison: Comparison) -> list[dict[str, QueryConditions]]:
        """Draw ranges of neighbouring leaves in random columns."""
        rng = np.random.default_rng(self.seed)
        n_columns = min(self.columns, len(comparison.qis))
        return [
            {
                name: self._run(comparison.columns[name].hierarchy.n_leaves, rng)
                for name in rng.choice(comparison.qis, n_columns, replace=False).tolist()
            }
            for _ in range(self.queries if n_columns else 0)
        ]

    def _run(self, n_leaves: int, rng: np.random.Generator) -> QueryConditions:
        length = max(round(self.width * n_leaves), 1)
        start = int(rng.integers(0, n_leaves - length + 1))
        wanted = np.zeros(n_leaves, dtype=np.bool_)
        wanted[start : start + length] = True
        return wanted


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """A count asked of both tables."""

    truth: float
    estimate: float
    relative_error: float


def answer_queries(
    comparison: Comparison, queries: Sequence[CountQuery], sanity: float = 0.001, progress: Progress = SILENT
) -> list[QueryAnswer]:
    """Answer the user's own queries from the original and from the release.

    Raises BadParameter when a condition names a column or value that is not there.
    """
    asked = [{name: _wanted(comparison, name, c) for name, c in query.conditions.items()} for query in queries]
    truth, estimate = count_both(comparison, asked, progress)
    errors = relative_errors(truth, estimate, comparison.original.n_rows, sanity)
    return [QueryAnswer(*row) for row in zip(truth.tolist(), estimate.tolist(), errors.tolist(), strict=True)]


def relative_errors(truth: Floats, estimate: Floats, n_rows: int, sanity: float) -> Floats:
    """Divide the errors by the true count or the sanity bound (a share of the rows, at least one row)."""
    return np.asarray(np.abs(estimate - truth) / np.maximum(truth, max(1.0, sanity * n_rows)))


def count_both(
    comparison: Comparison, asked: Sequence[Mapping[str, QueryConditions]], progress: Progress
) -> tuple[Floats, Floats]:
    """Count in the original, and estimate from the release with every cell spread evenly over its leaves."""
    names = sorted({name for query in asked for name in query})
    before = _distinct(comparison, names)
    classes = classes_of(comparison.published, names)
    after = {name: comparison.published.column(name).codes[classes.first_rows] for name in names}
    truth, estimate = np.empty(len(asked)), np.empty(len(asked))
    for at, query in enumerate(asked):
        progress(at / len(asked), "Asking both tables")
        truth[at] = _weighed({n: w.astype(np.float64)[before[0][n]] for n, w in query.items()}, before[1])
        parts = {name: _overlap(comparison.columns[name], wanted)[after[name]] for name, wanted in query.items()}
        estimate[at] = _weighed(parts, classes.sizes)
    return truth, estimate


def _distinct(
    comparison: Comparison, names: Sequence[str]
) -> tuple[dict[str, npt.NDArray[np.int32]], npt.NDArray[np.int64]]:
    classes = classes_of(comparison.original, names)
    return {name: comparison.columns[name].leaf[classes.first_rows] for name in names}, classes.sizes


def _weighed(parts: Mapping[str, Floats], counts: npt.NDArray[np.int64]) -> float:
    total = counts.astype(np.float64)
    for part in parts.values():
        total = total * part
    return float(total.sum())


def _overlap(placed: PlacedColumn, wanted: QueryConditions) -> Floats:
    """Give the share of every label's leaves that is asked for."""
    seen = np.concatenate([[0], np.cumsum(wanted)])
    return np.asarray((seen[placed.cells.high + 1] - seen[placed.cells.low]) / placed.cells.widths)


def _wanted(comparison: Comparison, name: str, condition: Condition) -> QueryConditions:
    """Mark the leaves a condition asks for."""
    if name not in comparison.columns:
        known = ", ".join(comparison.columns)
        raise BadParameter(
            message("A query asks for “{name}”, which is neither a quasi-identifier nor sensitive.", name=name),
            message("There are: {known}.", known=known),
        )
    tree = comparison.columns[name].hierarchy
    if isinstance(condition, tuple):
        return _between(comparison, name, condition)
    unknown = [label for label in condition if label not in tree.leaf_number]
    if unknown:
        raise BadParameter(
            message(
                "A query asks “{name}” for {count:value|values} that its domain does not have.",
                name=name,
                count=len(unknown),
            )
        )
    wanted = np.zeros(tree.n_leaves, dtype=np.bool_)
    wanted[[tree.leaf_number[label] for label in condition]] = True
    return wanted


def _between(comparison: Comparison, name: str, bounds: tuple[float, float]) -> QueryConditions:
    tree = comparison.columns[name].hierarchy
    entry = None if comparison.schema is None else comparison.schema.column(name)
    values = parse_by_type(tree.leaf_labels, entry)
    low, high = values.copy(), values.copy()
    leaves = leaf_intervals(tree)
    low[leaves.leaves], high[leaves.leaves] = leaves.low, leaves.high
    if np.isnan(low).all():
        raise BadParameter(message("A query asks “{name}” for a range of numbers, but its values are none.", name=name))
    return np.asarray((low >= bounds[0]) & (high <= bounds[1]), dtype=np.bool_)


def ask_texts(
    comparison: Comparison, conditions: Mapping[str, str], progress: Progress = SILENT
) -> tuple[QueryAnswer, CountQuery]:
    """Ask a query as it was typed: values separated by commas, or a range such as `30..40`; empty means all.

    Raises BadParameter when a column does not have a value.
    """
    query = CountQuery({name: _condition(text) for name, text in conditions.items() if text.strip()})
    return answer_queries(comparison, [query], progress=progress)[0], query


def _condition(text: str) -> Condition:
    low, dots, high = text.partition("..")
    if dots:
        try:
            return float(low), float(high)
        except ValueError:
            pass
    return frozenset(part.strip() for part in text.split(",") if part.strip())
