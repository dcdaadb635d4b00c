"""Sets as algorithms see them: leaf numbers of a tree of items, and the bits of the baskets below every node."""

from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.hierarchy.tree import Hierarchy

Ints = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint8]
_MOST_BYTES = 384 << 20
"""So much memory is used for bits that may be asked for again."""


@dataclass(frozen=True, slots=True, eq=False)
class Sensitive:
    """What nobody may learn: the value of every basket, as a code; of an item only whether it is there (1) or not."""

    name: str
    codes: Ints
    labels: tuple[str, ...]
    is_item: bool


@dataclass(frozen=True, eq=False)
class Encoded:
    """The occurrences of items that an attacker may know, as leaf numbers, basket by basket.

    `places` says which occurrence of the data each of them is; a sensitive item is not among them.
    """

    tree: Hierarchy
    n_baskets: int
    basket_of: Ints
    leaves: npt.NDArray[np.int32]
    places: Ints
    sensitive: Sensitive | None = None
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
