"""Numbers of each group from its sparse histogram: totals, distinct values, largest counts, entropy."""

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram

Floats = npt.NDArray[np.float64]

TOLERANCE = 1e-9
"""Relative slack of comparisons, so that rounding alone never breaks a goal that is met exactly."""


def at_least(values: Floats, limit: float) -> npt.NDArray[np.bool_]:
    """Say which values reach the limit, rounding aside."""
    return np.asarray(values >= limit - TOLERANCE * max(abs(limit), TOLERANCE))


def at_most(values: Floats, limit: float) -> npt.NDArray[np.bool_]:
    """Say which values do not exceed the limit, rounding aside."""
    return np.asarray(values <= limit + TOLERANCE * max(abs(limit), 1e-3))


def totals(histogram: Histogram) -> npt.NDArray[np.int64]:
    """Count the rows of each group."""
    return np.bincount(histogram.groups, weights=histogram.counts, minlength=histogram.n_groups).astype(np.int64)


def shares(histogram: Histogram) -> Floats:
    """Give the share each entry has in its group."""
    return np.asarray(histogram.counts / totals(histogram)[histogram.groups], dtype=np.float64)


def sums(histogram: Histogram, entries: Floats) -> Floats:
    """Add up one number per entry over each group."""
    return np.bincount(histogram.groups, entries, histogram.n_groups).astype(np.float64, copy=False)


def largest(histogram: Histogram, entries: Floats, empty: float = 0.0) -> Floats:
    """Give the largest of the entries' numbers in each group, `empty` for a group without entries."""
    result = np.full(histogram.n_groups, empty)
    if len(entries):
        first = np.flatnonzero(np.r_[True, histogram.groups[1:] != histogram.groups[:-1]])
        result[histogram.groups[first]] = np.maximum.reduceat(entries, first)
    return result


def without(histogram: Histogram, value: int) -> Histogram:
    """Leave one value out of all groups; -1 leaves out nothing."""
    kept = histogram.values != value
    if value < 0 or kept.all():
        return histogram
    entries = (histogram.groups[kept], histogram.values[kept], histogram.counts[kept])
    return Histogram(histogram.n_groups, histogram.n_values, *entries)


def distinct_values(histogram: Histogram) -> Floats:
    """Count the different values of each group."""
    return np.bincount(histogram.groups, minlength=histogram.n_groups).astype(np.float64)


def entropies(histogram: Histogram) -> Floats:
    """Give the entropy of each group in nats."""
    part = shares(histogram)
    return np.maximum(-sums(histogram, part * np.log(part)), 0.0)


def effective_values(histogram: Histogram) -> Floats:
    """Give the number of equally likely values that are as uncertain as those of each group; 0 without any."""
    return np.where(distinct_values(histogram) > 0, np.exp(entropies(histogram)), 0.0)
