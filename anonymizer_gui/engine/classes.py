"""Equivalence classes and their histograms from integer codes: the one kernel everyone uses."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonymizer_gui.engine.table import Codes, Table

_LARGEST_KEY = 1 << 62


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """Rows grouped by equal codes; classes are numbered by first appearance."""

    ids: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]
    first_rows: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.sizes)


def group(columns: Sequence[Codes], n_rows: int) -> Classes:
    """Group rows whose codes are equal in every column; without columns all rows are one class.

    >>> group([np.array([0, 1, 0]), np.array([2, 2, 2])], 3).sizes.tolist()
    [2, 1]
    """
    key = np.zeros(n_rows, dtype=np.int64)
    span = 1
    for codes in columns:
        width = int(codes.max()) + 1 if n_rows else 1
        if span * width > _LARGEST_KEY:
            key, uniques = pd.factorize(key)
            span = len(uniques)
        key = key * width + codes
        span *= width
    ids, uniques = pd.factorize(key)
    first_rows = np.zeros(len(uniques), dtype=np.int64)
    first_rows[ids[::-1]] = np.arange(n_rows - 1, -1, -1)
    return Classes(ids, np.bincount(ids, minlength=len(uniques)), first_rows)


def classes_of(table: Table, names: Sequence[str]) -> Classes:
    """Group the rows of a table by some of its columns; missing is a value like any other."""
    return group([table.column(name).codes for name in names], table.n_rows)


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """How often each value occurs in each group, without the zeros; sorted by group, then value."""

    n_groups: int
    n_values: int
    groups: npt.NDArray[np.int64]
    values: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]

    @classmethod
    def count(cls, groups: Codes, n_groups: int, values: Codes, n_values: int) -> "Histogram":
        """Count the values of each row's group."""
        key = groups.astype(np.int64) * n_values + values
        return cls._from_keys(key, np.ones(len(key), dtype=np.int64), n_groups, n_values)

    @classmethod
    def weighted(
        cls, groups: Codes, n_groups: int, values: Codes, n_values: int, counts: npt.NDArray[np.int64]
    ) -> "Histogram":
        """Count rows that stand for several each."""
        return cls._from_keys(groups.astype(np.int64) * n_values + values, counts, n_groups, n_values)

    def merged(self, group_of: Codes, n_groups: int) -> "Histogram":
        """Add up groups that fall into the same coarser group."""
        key = group_of[self.groups].astype(np.int64) * self.n_values + self.values
        return self._from_keys(key, self.counts, n_groups, self.n_values)

    def starts(self) -> npt.NDArray[np.int64]:
        """Where the entries of each group begin; one more entry than groups."""
        return np.searchsorted(self.groups, np.arange(self.n_groups + 1)).astype(np.int64)

    def dense(self) -> npt.NDArray[np.int64]:
        """Give the counts as a matrix of groups by values."""
        matrix = np.zeros((self.n_groups, self.n_values), dtype=np.int64)
        matrix[self.groups, self.values] = self.counts
        return matrix

    @classmethod
    def _from_keys(
        cls, key: npt.NDArray[np.int64], counts: npt.NDArray[np.int64], n_groups: int, n_values: int
    ) -> "Histogram":
        cells = n_groups * n_values
        if cells <= max(4 * len(key), 1 << 16):
            totals = np.bincount(key, weights=counts, minlength=cells).astype(np.int64)
            kept = np.flatnonzero(totals)
            totals = totals[kept]
        else:
            kept, place = np.unique(key, return_inverse=True)
            totals = np.bincount(place, weights=counts, minlength=len(kept)).astype(np.int64)
        return cls(n_groups, n_values, kept // max(n_values, 1), kept % max(n_values, 1), totals)
