"""Items as leaves, what is demanded of item sets, what became of every occurrence."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.sets.support import (
    Ints,
    Transactions,
    count_support,
    distinct_pairs,
    enumerate_itemsets,
    merge_counts,
)

Bits = npt.NDArray[np.uint8]

_MOST_BYTES = 384 << 20
"""So much memory is used for bits that may be asked for again."""


@dataclass(frozen=True, slots=True, eq=False)
class SensitiveValue:
    """What nobody may learn: the value of every basket, as a code; of an item only whether it is there (1) or not."""

    name: str
    codes: Ints
    labels: tuple[str, ...]
    is_item: bool


@dataclass(frozen=True, eq=False)
class EncodedTransactions:
    """The occurrences of items that an attacker may know, as leaf numbers, basket by basket.

    `places` says which occurrence of the data each of them is; a sensitive item is not among them.
    """

    tree: Hierarchy
    n_baskets: int
    basket_of: Ints
    leaves: npt.NDArray[np.int32]
    places: Ints
    sensitive: SensitiveValue | None = None
    costs: npt.NDArray[np.float64] | None = None
    """What an item published as each node costs, where that is not the NCP."""
    _bits: OrderedDict[int, Bits] = field(default_factory=OrderedDict)
    _order: list[Ints] = field(default_factory=list)

    @cached_property
    def cost(self) -> npt.NDArray[np.float64]:
        """The NCP of an item published as each node: 0 at the leaves, else its share of all leaves."""
        if self.costs is not None:
            return self.costs
        return np.where(self.tree.is_leaf, 0.0, self.tree.leaf_counts / max(self.tree.n_leaves, 1))

    def __post_init__(self) -> None:
        order = np.argsort(self.leaves, kind="stable")
        first = np.searchsorted(self.leaves[order], np.arange(self.tree.n_leaves + 1))
        self._order.extend([self.basket_of[order], first.astype(np.int64)])

    def bits(self, node: int) -> Bits:
        """Give a bit for every basket: whether it holds anything below the node."""
        found = self._bits.get(node)
        if found is None:
            baskets, first = self._order
            low, high = int(first[self.tree.first_leaf[node]]), int(first[self.tree.end_leaf[node]])
            whole = np.zeros(-(-self.n_baskets // 64) * 64, dtype=np.bool_)
            whole[baskets[low:high]] = True
            found = np.packbits(whole, bitorder="little")
            self._keep(node, found)
        return found

    def _keep(self, node: int, bits: Bits) -> None:
        self._bits[node] = bits
        while len(self._bits) * len(bits) > _MOST_BYTES:
            self._bits.popitem(last=False)


_ONES = np.array([bin(number).count("1") for number in range(1 << 16)], dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class ItemsetDemands:
    """All promises together: sets of up to `m` items are in no basket or in `k`, whole baskets look alike `whole`
    times, and among those who hold such a set there are `l` sensitive values, or at most one in `l` holds the item."""

    k: int = 1
    m: int = 1
    whole: int = 1
    l: int = 1  # noqa: E741 - what everybody calls it

    @property
    def is_diverse(self) -> bool:
        """Whether guesses at something sensitive matter."""
        return self.l > 1

    def holds_for(self, data: EncodedTransactions, nodes: Sequence[int]) -> bool:
        """Tell whether the baskets with something below each of the nodes are enough and differ enough."""
        bits = data.bits(nodes[0])
        for node in nodes[1:]:
            bits = bits & data.bits(node)
        found = count_bits(bits)
        return found >= self.k and (not self.is_diverse or self.differs(data, bits, found))

    def differs(self, data: EncodedTransactions, bits: Bits, found: int) -> bool:
        """Tell whether nobody among some baskets can be guessed with certainty."""
        if data.sensitive is None:
            return True
        chosen = np.unpackbits(bits, count=data.n_baskets, bitorder="little").view(np.bool_)
        values = data.sensitive.codes[chosen]
        if data.sensitive.is_item:
            return int(values.sum()) * self.l <= found
        return len(np.unique(values)) >= self.l


def count_bits(bits: Bits) -> int:
    """Count the bits that are set."""
    return int(_ONES[bits.view(np.uint16)].sum(dtype=np.int64))


def violating_itemsets(
    held: Transactions, size: int, wanted: ItemsetDemands, data: EncodedTransactions, progress: Progress
) -> tuple[Ints, Ints]:
    """Give the keys and supports of sets of so many items that do not hold what is wanted, the rarest first."""
    keys, counts = count_support(held, size, progress)
    is_broken = counts < wanted.k
    if wanted.is_diverse and data.sensitive is not None:
        is_broken |= ~_diverse(held, size, wanted, data, keys, counts, progress)
    order = np.argsort(counts[is_broken], kind="stable")
    return keys[is_broken][order], counts[is_broken][order]


def _diverse(
    held: Transactions,
    size: int,
    wanted: ItemsetDemands,
    data: EncodedTransactions,
    keys: Ints,
    counts: Ints,
    progress: Progress,
) -> npt.NDArray[np.bool_]:
    """Say for every set whether the baskets that hold it differ enough."""
    sensitive = data.sensitive
    assert sensitive is not None
    if sensitive.is_item:
        parts = []
        for some, baskets in enumerate_itemsets(held, size, progress):
            parts.append(np.unique(some[sensitive.codes[baskets] == 1], return_counts=True))
        with_item, often = merge_counts(parts)
        guessed = np.zeros(len(keys), dtype=np.int64)
        guessed[np.searchsorted(keys, with_item)] = often
        return np.asarray(guessed * wanted.l <= counts)
    values = len(sensitive.labels)
    pairs = [
        np.unique(np.searchsorted(keys, some) * values + sensitive.codes[b])
        for some, b in enumerate_itemsets(held, size, progress)
    ]
    found = np.unique(np.concatenate(pairs)) if pairs else np.empty(0, dtype=np.int64)
    return np.asarray(np.bincount(found // values, minlength=len(keys)) >= wanted.l)


DELETED = -1


@dataclass(frozen=True, slots=True, eq=False)
class ItemRecoding:
    """The node each occurrence is published as, -1 for one that is deleted.

    `cut` is the node of every leaf where the same holds for all baskets; without one each group of baskets has its own.
    """

    became: npt.NDArray[np.int32]
    cut: npt.NDArray[np.int32] | None = None
    notes: tuple[str, ...] = ()

    def held(self, data: EncodedTransactions) -> Transactions:
        """Give the baskets as they are published."""
        kept = self.became != DELETED
        return distinct_pairs(data.basket_of[kept], self.became[kept], data.n_baskets, len(data.tree))

    def deleted(self) -> int:
        """Count the occurrences that are deleted."""
        return int(np.count_nonzero(self.became == DELETED))

    def loss(self, data: EncodedTransactions) -> float:
        """Give the NCP: the mean over all occurrences, where a deleted one costs 1."""
        if not len(self.became):
            return 0.0
        return float(np.where(self.became == DELETED, 1.0, data.cost[self.became]).mean())


def recode_items(
    data: EncodedTransactions, cut: npt.NDArray[np.int32], held: Transactions, kept: npt.NDArray[np.bool_]
) -> ItemRecoding:
    """Publish every item as the cut says, but for values that were deleted from baskets."""
    became = cut[data.leaves]
    places = np.searchsorted(held.basket_of() * held.top + held.values, data.basket_of * held.top + became)
    return (
        ItemRecoding(np.where(kept[places], became, DELETED).astype(np.int32), cut)
        if len(became)
        else ItemRecoding(became, cut)
    )
