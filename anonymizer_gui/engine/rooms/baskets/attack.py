"""The attacker who knows a few items: who is found by them, before and after."""

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.baskets.baskets import ITEMS, Baskets
from anonymizer_gui.engine.data.tables.table import Column, smallest_codes
from anonymizer_gui.engine.sets.support import Transactions, count_support, enumerate_itemsets

MOST_SHOWN = 500
_MOST_SETS = 5e6


@dataclass(frozen=True, slots=True, eq=False)
class Exposure:
    """Who is found: the fewest holders of any set of up to m items that each basket holds (0: it holds nothing)."""

    fewest: npt.NDArray[np.int64]

    def exposed(self, k: int) -> int:
        """Count the baskets that hold a set which fewer than k hold."""
        return int(np.count_nonzero((self.fewest > 0) & (self.fewest < k)))

    def share(self, k: int) -> float:
        """Give the share of baskets that hold a set which fewer than k hold."""
        return self.exposed(k) / max(len(self.fewest), 1)

    @property
    def smallest(self) -> int:
        """The fewest holders of any set; 0 when no basket holds anything."""
        return int(self.fewest[self.fewest > 0].min(initial=np.iinfo(np.int64).max)) if self.fewest.any() else 0

    @property
    def unique(self) -> int:
        """Count the baskets that hold a set which nobody else holds."""
        return self.exposed(2)


@dataclass(frozen=True, slots=True)
class RareItemset:
    """A set of items that few hold, and the first basket that it betrays."""

    items: tuple[str, ...]
    support: int
    basket: int


def as_transactions(baskets: Baskets) -> Transactions:
    """Take baskets for counting."""
    return Transactions(baskets.starts, baskets.codes, max(len(baskets.items), 1))


def exposure(baskets: Baskets, m: int, progress: Progress = SILENT) -> Exposure:
    """Find for every basket the set of up to m of its items that fewest hold."""
    return list(exposures(baskets, m, progress))[-1]


def exposures(baskets: Baskets, m: int, progress: Progress = SILENT) -> Iterator[Exposure]:
    """Find for every basket the set of at most 1, 2 and so on up to m of its items that fewest hold."""
    held = as_transactions(baskets)
    fewest = np.full(len(baskets), np.iinfo(np.int64).max, dtype=np.int64)
    for size in range(1, m + 1):
        progress((size - 1) / m, "Attacking")
        keys, counts = count_support(held, size, progress)
        for some, owners in enumerate_itemsets(held, size, progress) if len(keys) else ():
            _lower(fewest, owners, counts[np.searchsorted(keys, some)])
        yield Exposure(np.where(baskets.sizes > 0, fewest, 0))


def smallest_support(baskets: Baskets, m: int, progress: Progress = SILENT) -> int:
    """Count the fewest baskets that hold any set of up to m items; 0 when no basket holds anything."""
    held = as_transactions(baskets)
    counts = [count_support(held, size, progress)[1] for size in range(1, m + 1)]
    return int(min((each.min() for each in counts if len(each)), default=0))


def smallest_group(baskets: Baskets) -> int:
    """Count the baskets of the rarest content; 0 when there is none."""
    contents = (baskets.codes[low:high].tobytes() for low, high in itertools.pairwise(baskets.starts.tolist()))
    return min(Counter(contents).values(), default=0)


def fewest_values(baskets: Baskets, codes: npt.NDArray[np.int64], m: int, progress: Progress = SILENT) -> int:
    """Count the fewest values among the holders of any set of up to m items, or of all baskets if they hold nothing.

    `codes` has the value of every basket.
    """
    held, wide = as_transactions(baskets), int(codes.max(initial=0)) + 1
    fewest = len(np.unique(codes))
    for size in range(1, m + 1):
        keys, _ = count_support(held, size, progress)
        pairs = [
            np.unique(np.searchsorted(keys, some) * wide + codes[b])
            for some, b in enumerate_itemsets(held, size, progress)
        ]
        found = np.unique(np.concatenate(pairs)) if pairs else np.empty(0, dtype=np.int64)
        fewest = min(fewest, int(np.bincount(found // wide).min(initial=fewest)))
    return fewest


def fewest_to_one(baskets: Baskets, has: npt.NDArray[np.bool_], m: int, progress: Progress = SILENT) -> int | None:
    """Give how many baskets there are at least for each that `has` something, among the holders of any set of items.

    Nothing when none has it.
    """
    if not has.any():
        return None
    held = as_transactions(baskets)
    fewest = len(baskets) // int(has.sum())
    for size in range(1, m + 1):
        keys, counts = count_support(held, size, progress)
        with_it = np.zeros(len(keys), dtype=np.int64)
        for some, owners in enumerate_itemsets(held, size, progress):
            with_it += np.bincount(np.searchsorted(keys, some[has[owners]]), minlength=len(keys))
        found = counts[with_it > 0] // with_it[with_it > 0]
        fewest = min(fewest, int(found.min(initial=fewest)))
    return fewest


def without(baskets: Baskets, item: str) -> Baskets:
    """Leave out an item that an attacker is taken not to know."""
    if item not in baskets.items:
        return baskets
    kept = baskets.codes != baskets.items.index(item)
    column = Column(ITEMS, smallest_codes(baskets.codes[kept], len(baskets.items)), baskets.items)
    return Baskets.from_pairs(baskets.basket_of[kept], column, len(baskets), baskets.beside)


def _lower(fewest: npt.NDArray[np.int64], owners: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> None:
    """Take the least of each basket, whose sets stand together."""
    if len(owners):
        begins = np.flatnonzero(np.diff(owners, prepend=-1))
        fewest[owners[begins]] = np.minimum(fewest[owners[begins]], np.minimum.reduceat(counts, begins))


def max_known_items(baskets: Baskets) -> int:
    """Give how many known items can be tried without waiting long: 3, or fewer where baskets are too large or many."""
    sizes = baskets.sizes.astype(np.float64)
    return 3 if float((sizes * (sizes - 1) * (sizes - 2)).sum()) / 6 <= _MOST_SETS else 2


def rare_itemsets(
    baskets: Baskets, m: int, below: int = 2, containing: str = "", most: int = MOST_SHOWN, progress: Progress = SILENT
) -> tuple[RareItemset, ...]:
    """List sets of up to m items that fewer than `below` hold, each with a basket it betrays; small sets first.

    Only sets with one item whose name contains a text are listed where that is given.
    """
    held = as_transactions(baskets)
    wanted = np.array([containing.lower() in item.lower() for item in baskets.items] or [False])
    found: list[RareItemset] = []
    for size in range(1, m + 1):
        progress((size - 1) / m, "Looking for rare sets")
        keys, counts = count_support(held, size, progress)
        rare = counts < below
        keys, counts = keys[rare], counts[rare]
        if containing:
            chosen = wanted[held.members(keys, size)].any(axis=1)
            keys, counts = keys[chosen], counts[chosen]
        order = np.argsort(counts, kind="stable")[: most - len(found)]
        found += _with_baskets(baskets, held, size, keys[order], counts[order], progress)
        if len(found) >= most:
            break
    return tuple(found)


def _with_baskets(
    baskets: Baskets,
    held: Transactions,
    size: int,
    keys: npt.NDArray[np.int64],
    counts: npt.NDArray[np.int64],
    progress: Progress,
) -> list[RareItemset]:
    if not len(keys):
        return []
    order = np.argsort(keys)
    owner = np.zeros(len(keys), dtype=np.int64)
    for some, owners in enumerate_itemsets(held, size, progress):
        at = np.minimum(np.searchsorted(keys[order], some), len(keys) - 1)
        hit = keys[order][at] == some
        owner[order[at[hit][::-1]]] = owners[hit][::-1]
    members = held.members(keys, size).tolist()
    return [
        RareItemset(tuple(baskets.items[code] for code in row), int(count), int(basket))
        for row, count, basket in zip(members, counts.tolist(), owner.tolist(), strict=True)
    ]
