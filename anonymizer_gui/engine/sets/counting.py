"""Counts how many baskets hold each set of a few items, for all sets at once."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.progress import Progress

Ints = npt.NDArray[np.int64]
_AT_ONCE = 1 << 22
"""So many sets are listed at a time."""
_FEW_KEYS = 1 << 22


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """What every basket holds: values `starts[b]` up to `starts[b + 1]`, rising and each once; all are below `top`."""

    starts: Ints
    values: npt.NDArray[np.int32]
    top: int

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


def distinct(basket_of: Ints, values: npt.NDArray[np.int32], n_baskets: int, top: int) -> Held:
    """Put pairs of a basket and a value in order, each once."""
    pairs = np.unique(basket_of * top + values)
    starts = np.searchsorted(pairs, np.arange(n_baskets + 1, dtype=np.int64) * top)
    return Held(starts.astype(np.int64), (pairs % top).astype(np.int32), top)


def sets_of(held: Held, size: int, progress: Progress) -> Iterator[tuple[Ints, Ints]]:
    """List all sets of so many values, basket by basket: the key of each, and its basket.

    The key of values a < b < c is (a * top + b) * top + c. Many sets come in several pieces.
    """
    ends = np.repeat(held.starts[1:], np.diff(held.starts))
    values = held.values.astype(np.int64)
    weights = np.ones(len(values), dtype=np.float64)
    for depth in range(1, size):
        weights *= np.maximum(ends - np.arange(len(values)) - depth, 0) / depth
    pieces = np.searchsorted(np.cumsum(weights), np.arange(0, weights.sum(), _AT_ONCE), side="left")
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


def supports(held: Held, size: int, progress: Progress) -> tuple[Ints, Ints]:
    """Give the keys of all sets of so many values that some basket holds, and how many baskets hold each."""
    used = np.flatnonzero(np.bincount(held.values, minlength=held.top))
    if len(used) ** size <= _FEW_KEYS:
        return _few_supports(held, used, size, progress)
    parts = [np.unique(keys, return_counts=True) for keys, _ in sets_of(held, size, progress)]
    return added(parts)


def _few_supports(held: Held, used: Ints, size: int, progress: Progress) -> tuple[Ints, Ints]:
    """Count in one array, where few values are left."""
    rank = np.zeros(held.top, dtype=np.int32)
    rank[used] = np.arange(len(used))
    few = Held(held.starts, rank[held.values], len(used))
    counts = np.zeros(len(used) ** size, dtype=np.int64)
    for keys, _ in sets_of(few, size, progress):
        counts += np.bincount(keys, minlength=len(counts))
    found = np.flatnonzero(counts)
    keys = np.zeros(len(found), dtype=np.int64)
    for place in range(size):
        keys = keys * held.top + used[few.members(found, size)[:, place]]
    return keys, counts[found]


def added(parts: list[tuple[Ints, Ints]]) -> tuple[Ints, Ints]:
    """Add up counts that were made in pieces."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    keys, where = np.unique(np.concatenate([part[0] for part in parts]), return_inverse=True)
    counts = np.bincount(where, weights=np.concatenate([part[1] for part in parts]), minlength=len(keys))
    return keys, counts.astype(np.int64)
