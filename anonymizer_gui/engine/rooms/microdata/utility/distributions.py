"""What charts show of a release beside its original: distributions of a column, and two columns together."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.microdata.utility.binned_columns import binned
from anonymizer_gui.engine.rooms.microdata.utility.contingency_change import both_tables
from anonymizer_gui.engine.rooms.microdata.utility.contract import Comparison, Placed
from anonymizer_gui.engine.rooms.microdata.utility.query_error import Answer, Condition, CountQuery, ask


@dataclass(frozen=True, slots=True)
class Distribution:
    """The share of each value, or run of values, in the original and as the release tells it."""

    column: str
    labels: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Together:
    """Two columns against each other: the change of every share, in percentage points."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    change: tuple[tuple[float, ...], ...]


def distribution(comparison: Comparison, column: str, most: int = 40, progress: Progress = SILENT) -> Distribution:
    """Give the distribution of one column before and after; generalised cells are spread evenly."""
    progress(0.0, "Comparing distributions")
    placed = comparison.columns[column]
    starts = _starts(placed, most)
    sides = (np.add.reduceat(shares, starts) for shares in (placed.original_shares(), placed.published_shares()))
    before, after = (tuple(side.tolist()) for side in sides)
    return Distribution(column, _labels(placed, most), before, after)


def distributions(
    comparison: Comparison, columns: Sequence[str], most: int = 12, progress: Progress = SILENT
) -> tuple[Distribution, ...]:
    """Give the distributions of many columns."""
    found = []
    for done, name in enumerate(columns):
        progress(done / len(columns), "Comparing distributions")
        found.append(distribution(comparison, name, most))
    return tuple(found)


def together(comparison: Comparison, one: str, other: str, most: int = 12, progress: Progress = SILENT) -> Together:
    """Give the change of the table of two columns."""
    progress(0.0, "Comparing two columns")
    left, right = comparison.columns[one], comparison.columns[other]
    before, after = both_tables(binned(left, most), binned(right, most), comparison.suppressed)
    change = tuple(tuple(row) for row in (100 * (after - before)).round(3).tolist())
    return Together(_labels(left, most), _labels(right, most), change)


def ask_texts(
    comparison: Comparison, conditions: Mapping[str, str], progress: Progress = SILENT
) -> tuple[Answer, CountQuery]:
    """Ask a query as it was typed: values separated by commas, or a range such as `30..40`; empty means all.

    Raises BadParameter when a column does not have a value.
    """
    query = CountQuery({name: _condition(text) for name, text in conditions.items() if text.strip()})
    return ask(comparison, [query], progress=progress)[0], query


def _condition(text: str) -> Condition:
    low, dots, high = text.partition("..")
    if dots:
        try:
            return float(low), float(high)
        except ValueError:
            pass
    return frozenset(part.strip() for part in text.split(",") if part.strip())


def _starts(placed: Placed, most: int) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """Give the first leaf of every run, cut as `binned` cuts."""
    n_leaves = placed.hierarchy.n_leaves
    n_bins = min(n_leaves, most)
    return np.searchsorted(np.arange(n_leaves) * n_bins // n_leaves, np.arange(n_bins)).astype(np.int64)


def _labels(placed: Placed, most: int) -> tuple[str, ...]:
    leaves = placed.hierarchy.leaf_labels
    edges = [*_starts(placed, most).tolist(), len(leaves)]
    runs = itertools.pairwise(edges)
    return tuple(leaves[a] if b - a == 1 else f"{leaves[a]} … {leaves[b - 1]}" for a, b in runs)
