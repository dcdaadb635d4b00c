"""Equivalence classes and their histograms from integer codes: the one kernel everyone uses."""

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.tables.table import FEW, Codes, Table

_LARGEST_KEY = 1 << 62
_LARGEST_NARROW_KEY = (1 << 32) - 1
_DIGIT, _FEW_DIGITS = 16, 2


@dataclass(frozen=True, slots=True, eq=False)
class EquivalenceClasses:
    """Rows grouped by equal codes; classes are numbered by first appearance."""

    ids: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]
    first_rows: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.sizes)


def group_rows(columns: Sequence[Codes], n_rows: int) -> EquivalenceClasses:
    """Group rows whose codes are equal in every column; without columns all rows are one class.

    >>> group_rows([np.array([0, 1, 0]), np.array([2, 2, 2])], 3).sizes.tolist()
    [2, 1]
    """
    widths = [int(codes.max()) + 1 if n_rows else 1 for codes in columns]
    narrow = math.prod(widths) <= _LARGEST_NARROW_KEY  # half the memory to hash: a third less time
    key: Codes = np.zeros(n_rows, dtype=np.uint32 if narrow else np.int64)
    span = 1
    for codes, width in zip(columns, widths, strict=True):
        if span * width > _LARGEST_KEY:
            key, span = number_values(key)
        key = codes.astype(key.dtype) if span == 1 else _with(key, codes, width)
        span *= width
    ids, n_classes = number_values(key)
    return EquivalenceClasses(ids, np.bincount(ids, minlength=n_classes), _first_rows(ids))


def _with(key: Codes, codes: Codes, width: int) -> Codes:
    """Give keys that also tell apart the codes of a further column."""
    longer = key * key.dtype.type(width)
    longer += codes.astype(key.dtype, copy=False)
    return longer


def number_values(key: Codes) -> tuple[npt.NDArray[np.int64], int]:
    """Number values in the order they come, and say how many different ones there are.

    >>> [part.tolist() if hasattr(part, "tolist") else part for part in number_values(np.array([7, 3, 7]))]
    [[0, 1, 0], 2]
    """
    if len(key) <= FEW and "pandas" not in sys.modules:
        _values, first, number = np.unique(key, return_index=True, return_inverse=True)
        rank = np.empty(len(first), dtype=np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        return rank[number], len(first)
    import pandas as pd

    ids, uniques = pd.factorize(key)
    return ids, len(uniques)


def _first_rows(ids: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Give the rows that begin a new class: classes are numbered by first appearance."""
    seen = np.maximum.accumulate(ids)
    begins = np.ones(len(ids), dtype=np.bool_)
    np.not_equal(seen[1:], seen[:-1], out=begins[1:])
    return np.flatnonzero(begins).astype(np.int64, copy=False)


def number_rows(parts: Sequence[Codes]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Number equal rows of several arrays in their order: the first row of each number, and the number of each row.

    Told to do this along an axis, numpy keeps all other threads waiting while it sorts.

    >>> [part.tolist() for part in number_rows([np.array([7, 3, 7]), np.array([1, 2, 1])])]
    [[1, 0], [1, 0, 1]]
    """
    order = np.lexsort(parts[::-1])
    begins = np.ones(len(order), dtype=np.bool_)
    begins[1:] = np.logical_or.reduce([part[order[1:]] != part[order[:-1]] for part in parts])
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.cumsum(begins) - 1
    return order[begins], number


def classes_of(table: Table, names: Sequence[str]) -> EquivalenceClasses:
    """Group the rows of a table by some of its columns; missing is a value like any other."""
    found = group_rows([table.column(name).codes for name in names], table.n_told)
    return found if table.times is None else replace(found, sizes=sum_by_group(found.ids, table.times, len(found)))


def sum_by_group(groups: Codes, times: npt.NDArray[np.int64], n_groups: int) -> npt.NDArray[np.int64]:
    """Add up how many rows the rows of each group stand for."""
    return np.bincount(groups, weights=times, minlength=n_groups).astype(np.int64)


def size_bins(sizes: npt.NDArray[np.int64]) -> list[tuple[int, int, int]]:
    """Count classes by size, as (smallest, largest size, classes): single sizes below 10, then doubling.

    >>> size_bins(np.array([1, 1, 5, 12, 19, 20]))
    [(1, 1, 2), (5, 5, 1), (10, 19, 2), (20, 39, 1)]
    """
    bins = []
    low = 1
    while low <= sizes.max(initial=0):
        high = low if low < 10 else 2 * low - 1
        count = int(np.count_nonzero((sizes >= low) & (sizes <= high)))
        if count:
            bins.append((low, high, count))
        low = high + 1
    return bins


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """How often each value occurs in each group, without the zeros; sorted by group, then value."""

    n_groups: int
    n_values: int
    groups: npt.NDArray[np.int64]
    values: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]

    @classmethod
    def count(
        cls,
        groups: Codes,
        n_groups: int,
        values: Codes,
        n_values: int,
        times: npt.NDArray[np.int64] | None = None,
    ) -> "Histogram":
        """Count the values of each row's group; `times` says how many rows each stands for."""
        if times is not None:
            return cls.weighted(groups, n_groups, values, n_values, times)
        cells = n_groups * n_values
        if _is_dense(cells, len(groups)):
            totals = np.bincount(groups.astype(np.int64) * n_values + values, minlength=cells)
            kept = np.flatnonzero(totals)
            totals = totals[kept]
        else:
            narrow = np.uint32 if cells <= _LARGEST_NARROW_KEY else np.int64
            kept, first = _runs(_with(groups.astype(narrow), values, n_values))[:2]
            totals = np.diff(first, append=len(groups))
        return cls(n_groups, n_values, kept // max(n_values, 1), kept % max(n_values, 1), totals)

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
        if _is_dense(cells, len(key)):
            totals = np.bincount(key, weights=counts, minlength=cells).astype(np.int64)
            kept = np.flatnonzero(totals)
            totals = totals[kept]
        else:
            kept, first, order = _runs(key)
            totals = np.add.reduceat(counts[order], first)
        return cls(n_groups, n_values, kept // max(n_values, 1), kept % max(n_values, 1), totals)


def _is_dense(cells: int, entries: int) -> bool:
    """Say whether counting in a table of all cells is quicker than sorting the entries, and small enough."""
    return cells <= max(4 * entries, 1 << 16)


def _runs(key: Codes) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Sort keys from 0 on; give those that differ, where each begins in the order, and the order.

    Sixteen bits at a time are sorted by counting, without comparing: a third of the time.
    """
    digits = range(0, max(1, int(key.max(initial=0)).bit_length()), _DIGIT)
    if len(digits) <= _FEW_DIGITS:
        order = np.lexsort([(key >> key.dtype.type(d)).astype(np.uint16) for d in digits])
    else:
        order = np.argsort(key, kind="stable")
    ordered = key[order]
    begins = np.ones(len(key), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=begins[1:])
    first = np.flatnonzero(begins)
    return ordered[first].astype(np.int64, copy=False), first, order
