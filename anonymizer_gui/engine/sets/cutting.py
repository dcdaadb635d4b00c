"""Apriori anonymisation: the cut through the tree of items rises where sets of items are too rare.

M. Terrovitis, N. Mamoulis, P. Kalnis: Privacy-preserving anonymization of set-valued data, VLDB 2008.
"""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.sets.counting import Held, Ints, distinct
from anonymizer_gui.engine.sets.encoding import Encoded
from anonymizer_gui.engine.sets.wanted import Wanted, broken_sets

Chosen = tuple[int, ...]
_OFTEN = 256


class Cutting:
    """A cut through the tree: which node each leaf is published as; it only ever rises."""

    def __init__(self, data: Encoded, wanted: Wanted, *, root_allowed: bool) -> None:
        self._data, self._wanted, self._tree = data, wanted, data.tree
        self._top = 0 if root_allowed else 1
        self.cut: npt.NDArray[np.int32] = data.tree.leaves.copy()
        self.trail: list[int] = []
        """The nodes the cut was raised to, one after the other."""
        self._often = np.bincount(data.leaves, minlength=data.tree.n_leaves).astype(np.float64)
        self._sum = np.concatenate([[0.0], np.cumsum(self._often)])
        self._spent = np.zeros(data.tree.n_leaves)
        self._given_up: set[Chosen] = set()

    def run(self, progress: Progress) -> bool:
        """Raise the cut until all sets of items hold what is wanted; tell whether they do, sets given up aside."""
        while True:
            before = len(self.trail)
            for size in range(1, self._wanted.m + 1):
                self._repair(size, progress.sub((size - 1) / self._wanted.m, size / self._wanted.m))
            # Diversity may be lost again where groups meet; rarity alone never is.
            if len(self.trail) == before or not self._wanted.is_diverse:
                return not self._given_up

    def start_at(self, cut: npt.NDArray[np.int32]) -> None:
        """Begin with a cut that was found before."""
        self.cut = cut.copy()
        self._spent = self._often * self._data.cost[cut]

    def held(self) -> Held:
        """Give the baskets as the cut publishes them."""
        return held_at(self._data, self.cut)

    def _repair(self, size: int, progress: Progress) -> None:
        changed = True
        while changed:
            held = self.held()
            progress(0.1, message("Looking at sets of {size:item|items}", size=size))
            keys, _ = broken_sets(held, size, self._wanted, self._data, progress)
            changed = self._raise_all(held, keys, size, progress)

    def _raise_all(self, held: Held, broken: Ints, size: int, progress: Progress) -> bool:
        """Raise the cut for one set after the other, the rarest first; those that meet a group made now can wait."""
        changed: set[int] = set()
        at_cut = set(np.unique(self.cut).tolist())
        for nodes in _few_by_few(held, broken, size, progress):
            if nodes in self._given_up or not at_cut.issuperset(nodes):
                continue
            best = self._cheapest(nodes)
            if best is None:
                self._given_up.add(nodes)
                continue
            for node in best:
                if node not in nodes:
                    self.raise_to(node)
                    changed.add(node)
                    at_cut = at_cut.difference(range(node, int(self._tree.subtree_end[node]))) | {node}
        return bool(changed)

    def raise_to(self, node: int) -> None:
        """Publish everything below a node as the node."""
        low, high = int(self._tree.first_leaf[node]), int(self._tree.end_leaf[node])
        self.cut[low:high] = node
        self._spent[low:high] = self._often[low:high] * self._data.cost[node]
        self.trail.append(node)

    def _cheapest(self, nodes: Chosen) -> Chosen | None:
        """Find the ancestors that lose least and hold what is wanted together; nothing when none does."""
        paths = [self._ways_up(node) for node in nodes]
        prices = {node: self.price(node) for path in paths for node in path} | dict.fromkeys(nodes, 0.0)
        ways = {self._outermost(way) for way in product(*paths)}
        ranked = sorted(ways, key=lambda way: (sum(prices[node] for node in way), way))
        return next((way for way in ranked if self._wanted.holds_for(self._data, way)), None)

    def _ways_up(self, node: int) -> list[int]:
        path = list(self._tree.path(node))
        return path[: len(path) - self._top] or path[:1]

    def _outermost(self, way: Chosen) -> Chosen:
        """Leave out nodes below another one of the same choice."""
        ends = self._tree.subtree_end
        return tuple(sorted({node for node in way if not any(other < node < int(ends[other]) for other in way)}))

    def price(self, node: int) -> float:
        """Give what is lost when everything below a node becomes the node."""
        low, high = int(self._tree.first_leaf[node]), int(self._tree.end_leaf[node])
        whole = (self._sum[high] - self._sum[low]) * self._data.cost[node]
        return float(whole - self._spent[low:high].sum())


def _few_by_few(held: Held, keys: Ints, size: int, progress: Progress) -> Iterator[Chosen]:
    """Take sets apart a few at a time: millions of tuples would keep whoever waits for the interpreter waiting."""
    for at in range(0, len(keys), _OFTEN):
        progress(0.1 + 0.8 * at / len(keys))
        yield from map(tuple, held.members(keys[at : at + _OFTEN], size).tolist())


def cut_of(data: Encoded, trail: Sequence[int]) -> npt.NDArray[np.int32]:
    """Give the cut after some steps of a trail."""
    cut = data.tree.leaves.copy()
    for node in trail:
        cut[int(data.tree.first_leaf[node]) : int(data.tree.end_leaf[node])] = node
    return cut


def held_at(data: Encoded, cut: npt.NDArray[np.int32]) -> Held:
    """Give the baskets as a cut publishes them."""
    return distinct(data.basket_of, cut[data.leaves], data.n_baskets, len(data.tree))
