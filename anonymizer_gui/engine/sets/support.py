"""Counts how many baskets hold each set of a few items, for all sets at once."""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import Progress

Ints = npt.NDArray[np.int64]
_AT_ONCE = 1 << 19
"""So many sets are listed at a time: with more, numpy keeps other threads waiting longer than anybody notices."""
_FEW_KEYS = 1 << 22


@dataclass(frozen=True, slots=True, eq=False)
class Transactions:
    """What every basket holds: values `starts[b]` up to `starts[b + 1]`, rising and each once; all are below `top`."""

    starts: Ints
    values: npt.NDArray[np.int32]
    top: int
    listed: dict[int, list[tuple[Ints, Ints]]] = field(default_factory=dict, repr=False)
    """The sets of each size that were asked for before, where they are few."""

    def __len__(self) -> int:
        """The number of baskets."""
        return len(self.starts) - 1

    def basket_of(self) -> Ints:
        """Give the basket of every value."""
        return np.repeat(np.arange(len(self), dtype=np.int64), np.diff(self.starts))

    def members(self, keys: Ints, size: int) -> Ints:
        """Take keys of sets apart: a row for each, with its values."""
        places = [keys // self.top ** (size - 1 - at) % self.top for at in range(size)]
        return np.stack(places, axis=1) if len(keys) else np.empty((0, size), dtype=np.int64)


def distinct_pairs(basket_of: Ints, values: npt.NDArray[np.int32], n_baskets: int, top: int) -> Transactions:
    """Put pairs of a basket and a value in order, each once."""
    pairs = np.unique(basket_of * top + values)
    starts = np.searchsorted(pairs, np.arange(n_baskets + 1, dtype=np.int64) * top)
    return Transactions(starts.astype(np.int64), (pairs % top).astype(np.int32), top)


def enumerate_itemsets(
    held: Transactions, size: int, progress: Progress, at_once: int = _AT_ONCE
) -> Iterable[tuple[Ints, Ints]]:
    """List all sets of so many values, basket by basket: the key of each, and its basket.

    The key of values a < b < c is (a * top + b) * top + c. Many sets come in pieces of about `at_once`.
    """
    if size in held.listed:
        return held.listed[size]
    sizes = np.diff(held.starts).astype(np.float64)
    if float(np.prod([sizes - depth for depth in range(size)], axis=0).sum()) > _AT_ONCE:
        return _pieces(held, size, progress, at_once)
    return held.listed.setdefault(size, list(_pieces(held, size, progress, at_once)))


def _pieces(held: Transactions, size: int, progress: Progress, at_once: int) -> Iterator[tuple[Ints, Ints]]:
    ends = np.repeat(held.starts[1:], np.diff(held.starts))
    values = held.values.astype(np.int64)
    weights = np.ones(len(values), dtype=np.float64)
    for depth in range(1, size):
        weights *= np.maximum(ends - np.arange(len(values)) - depth, 0) / depth
    pieces = np.searchsorted(np.cumsum(weights), np.arange(0, weights.sum(), at_once), side="left")
    bounds = [*np.unique(pieces).tolist(), len(values)]
    basket_of = held.basket_of()
    for low, high in itertools.pairwise(bounds):
        progress.check()
        first = np.arange(low, high, dtype=np.int64)
        last, keys = first, values[first]
        for _ in range(1, size):
            later = ends[last] - last - 1
            begin = np.repeat(np.cumsum(later) - later, later)
            following = np.arange(len(begin), dtype=np.int64) - begin + 1
            last = np.repeat(last, later) + following
            keys = np.repeat(keys, later) * held.top + values[last]
        yield keys, basket_of[last]


def count_support(held: Transactions, size: int, progress: Progress) -> tuple[Ints, Ints]:
    """Give the keys of all sets of so many values that some basket holds, and how many baskets hold each."""
    if held.top**size <= _FEW_KEYS:
        return _counted(held, size, progress)
    used = np.flatnonzero(np.bincount(held.values, minlength=held.top))
    if len(used) ** size <= _FEW_KEYS:
        return _few_supports(held, used, size, progress)
    parts = [np.unique(keys, return_counts=True) for keys, _ in enumerate_itemsets(held, size, progress)]
    return merge_counts(parts)


def _few_supports(held: Transactions, used: Ints, size: int, progress: Progress) -> tuple[Ints, Ints]:
    """Count in one array, where few values are left."""
    rank = np.zeros(held.top, dtype=np.int32)
    rank[used] = np.arange(len(used))
    few = Transactions(held.starts, rank[held.values], len(used))
    found, counts = _counted(few, size, progress)
    keys = np.zeros(len(found), dtype=np.int64)
    for place in range(size):
        keys = keys * held.top + used[few.members(found, size)[:, place]]
    return keys, counts


def _counted(held: Transactions, size: int, progress: Progress) -> tuple[Ints, Ints]:
    """Count in one array of all keys there may be."""
    counts = np.zeros(held.top**size, dtype=np.int64)
    for keys, _ in enumerate_itemsets(held, size, progress, max(_AT_ONCE, len(counts) // 4)):
        counts += np.bincount(keys, minlength=len(counts))
    found = np.flatnonzero(counts)
    return found.astype(np.int64), counts[found]


def merge_counts(parts: list[tuple[Ints, Ints]]) -> tuple[Ints, Ints]:
    """Add up counts that were made in pieces."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    keys, where = np.unique(np.concatenate([part[0] for part in parts]), return_inverse=True)
    counts = np.bincount(where, weights=np.concatenate([part[1] for part in parts]), minlength=len(keys))
    return keys, counts.astype(np.int64)
