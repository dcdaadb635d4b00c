"""Apriori anonymisation: the cut that rises, deletions, AA-R.

M. Terrovitis, N. Mamoulis, P. Kalnis: Privacy-preserving anonymization of set-valued data, VLDB 2008.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.sets.encoding import (
    EncodedTransactions,
    ItemRecoding,
    ItemsetDemands,
    recode_items,
    violating_itemsets,
)
from anonymizer_gui.engine.sets.support import Ints, Transactions, distinct_pairs, enumerate_itemsets

CutStep = tuple[int, ...]

_OFTEN = 256


class HierarchyCut:
    """A cut through the tree: which node each leaf is published as; it only ever rises."""

    def __init__(self, data: EncodedTransactions, wanted: ItemsetDemands, *, root_allowed: bool) -> None:
        self._data, self._wanted, self._tree = data, wanted, data.tree
        self._top = 0 if root_allowed else 1
        self.cut: npt.NDArray[np.int32] = data.tree.leaves.copy()
        self.trail: list[int] = []
        """The nodes the cut was raised to, one after the other."""
        self._often = np.bincount(data.leaves, minlength=data.tree.n_leaves).astype(np.float64)
        self._sum = np.concatenate([[0.0], np.cumsum(self._often)])
        self._spent = np.zeros(data.tree.n_leaves)
        self._given_up: set[CutStep] = set()

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

    def held(self) -> Transactions:
        """Give the baskets as the cut publishes them."""
        return transactions_at_cut(self._data, self.cut)

    def _repair(self, size: int, progress: Progress) -> None:
        changed = True
        while changed:
            held = self.held()
            progress(0.1, message("Looking at sets of {size:item|items}", size=size))
            keys, _ = violating_itemsets(held, size, self._wanted, self._data, progress)
            changed = self._raise_all(held, keys, size, progress)

    def _raise_all(self, held: Transactions, broken: Ints, size: int, progress: Progress) -> bool:
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

    def _cheapest(self, nodes: CutStep) -> CutStep | None:
        """Find the ancestors that lose least and hold what is wanted together; nothing when none does."""
        paths = [self._ways_up(node) for node in nodes]
        prices = {node: self.price(node) for path in paths for node in path} | dict.fromkeys(nodes, 0.0)
        ways = {self._outermost(way) for way in product(*paths)}
        ranked = sorted(ways, key=lambda way: (sum(prices[node] for node in way), way))
        return next((way for way in ranked if self._wanted.holds_for(self._data, way)), None)

    def _ways_up(self, node: int) -> list[int]:
        path = list(self._tree.path(node))
        return path[: len(path) - self._top] or path[:1]

    def _outermost(self, way: CutStep) -> CutStep:
        """Leave out nodes below another one of the same choice."""
        ends = self._tree.subtree_end
        return tuple(sorted({node for node in way if not any(other < node < int(ends[other]) for other in way)}))

    def price(self, node: int) -> float:
        """Give what is lost when everything below a node becomes the node."""
        low, high = int(self._tree.first_leaf[node]), int(self._tree.end_leaf[node])
        whole = (self._sum[high] - self._sum[low]) * self._data.cost[node]
        return float(whole - self._spent[low:high].sum())


def _few_by_few(held: Transactions, keys: Ints, size: int, progress: Progress) -> Iterator[CutStep]:
    """Take sets apart a few at a time: millions of tuples would keep whoever waits for the interpreter waiting."""
    for at in range(0, len(keys), _OFTEN):
        progress(0.1 + 0.8 * at / len(keys))
        yield from map(tuple, held.members(keys[at : at + _OFTEN], size).tolist())


def cut_after_steps(data: EncodedTransactions, trail: Sequence[int]) -> npt.NDArray[np.int32]:
    """Give the cut after some steps of a trail."""
    cut = data.tree.leaves.copy()
    for node in trail:
        cut[int(data.tree.first_leaf[node]) : int(data.tree.end_leaf[node])] = node
    return cut


def transactions_at_cut(data: EncodedTransactions, cut: npt.NDArray[np.int32]) -> Transactions:
    """Give the baskets as a cut publishes them."""
    return distinct_pairs(data.basket_of, cut[data.leaves], data.n_baskets, len(data.tree))


KeptOccurrences = npt.NDArray[np.bool_]


def delete_occurrences(
    held: Transactions, weights: Ints, wanted: ItemsetDemands, data: EncodedTransactions, most: int, progress: Progress
) -> tuple[KeptOccurrences, int] | None:
    """Say which values stay, and how many occurrences are deleted; nothing as soon as those are more than `most`.

    `weights` are the occurrences that each value of the baskets stands for. In each basket the value goes that is in
    most broken sets, the rarest of those; what is left is counted again, for a set may be rare only now.
    """
    kept = np.ones(len(held.values), dtype=np.bool_)
    deleted = 0
    while True:
        progress(0.1, "Deleting what is too rare")
        left = _left(held, kept)
        broken = _broken_places(left, wanted, data, most - deleted, progress)
        if broken is not None and not broken:
            return kept, deleted
        places = np.flatnonzero(kept)
        gone = None if broken is None else _chosen(left, broken, weights[places], most - deleted, progress)
        if gone is None:
            return None
        kept[places[gone]] = False
        deleted += int(weights[places[gone]].sum())


def budget_exceeded(share: float, budget: float) -> Infeasible:
    """Say that more would have to be deleted than is allowed."""
    return Infeasible(
        message(
            "{share:.2%} of all items would have to be deleted; the budget is {budget:.2%}.", share=share, budget=budget
        ),
        "Allow more deletions, another tree of items, a smaller k or m, or the method that may publish the root.",
        goal="km",
        nearest=str(round(share, 4)),
    )


def occurrence_weights(held: Transactions, data: EncodedTransactions, values: npt.NDArray[np.int32]) -> Ints:
    """Count the occurrences that each value of the baskets stands for; `values` is the one of every occurrence."""
    keys = held.basket_of() * held.top + held.values
    places = np.searchsorted(keys, data.basket_of * held.top + values)
    return np.bincount(places, minlength=len(keys)).astype(np.int64)


def _left(held: Transactions, kept: KeptOccurrences) -> Transactions:
    starts = np.concatenate([[0], np.cumsum(kept)])[held.starts]
    return Transactions(starts.astype(np.int64), held.values[kept], held.top)


def _broken_places(
    held: Transactions, wanted: ItemsetDemands, data: EncodedTransactions, most: int, progress: Progress
) -> list[Ints] | None:
    """List for each size the places of the values of every broken set in every basket that holds it.

    Nothing as soon as more baskets than `most` hold one: each would lose a value.
    """
    found = []
    touched = np.zeros(len(held), dtype=np.bool_)
    where = held.basket_of() * held.top + held.values
    for size in range(1, wanted.m + 1):
        keys = np.sort(violating_itemsets(held, size, wanted, data, progress)[0])
        for some, baskets in enumerate_itemsets(held, size, progress) if len(keys) else ():
            is_broken = keys[np.minimum(np.searchsorted(keys, some), len(keys) - 1)] == some
            touched[baskets[is_broken]] = True
            if int(touched.sum()) > most:
                return None
            members = held.members(some[is_broken], size)
            found.append(np.searchsorted(where, baskets[is_broken][:, None] * held.top + members))
    return [places for places in found if len(places)]


def _chosen(
    held: Transactions, broken: list[Ints], weights: Ints, most: int, progress: Progress
) -> KeptOccurrences | None:
    """Choose values until every broken set has lost one; nothing when they stand for more than `most` occurrences."""
    often = np.bincount(held.values, minlength=held.top)
    rank = np.empty(held.top, dtype=np.int64)
    rank[np.lexsort((np.arange(held.top), -often))] = np.arange(held.top)
    gone = np.zeros(len(held.values), dtype=np.bool_)
    filled = np.flatnonzero(np.diff(held.starts))
    begins, basket_of = held.starts[:-1][filled], np.repeat(np.arange(len(filled)), np.diff(held.starts)[filled])
    while broken:
        progress.check()
        counts = sum(np.bincount(places.ravel(), minlength=len(gone)) for places in broken)
        score = np.where(np.asarray(counts) > 0, np.asarray(counts) * held.top + rank[held.values], -1)
        best = np.maximum.reduceat(score, begins)
        gone |= (score == best[basket_of]) & (score >= 0)
        if int(weights[gone].sum()) > most:
            return None
        broken = [left for places in broken if len(left := places[~gone[places].any(axis=1)])]
    return gone


@dataclass(frozen=True, slots=True, eq=False)
class AprioriResult:
    """What came out, or how much would have to be deleted; the steps of the cut, and how many were taken back."""

    recoding: ItemRecoding | None
    steps: int
    undone: int = 0
    needed: float = 0.0


def anonymise_without_root(
    data: EncodedTransactions, wanted: ItemsetDemands, delete: float, progress: Progress
) -> AprioriResult:
    """Raise the cut, never to the root, then take back as many steps as deletions of this share allow."""
    cutting = HierarchyCut(data, wanted, root_allowed=False)
    cutting.run(progress.sub(0.0, 0.6))
    most = int(delete * len(data.leaves))
    found = _tried(data, wanted, cutting.cut, most, progress.sub(0.6, 0.7))
    if found is None:
        whole = _tried(data, wanted, cutting.cut, len(data.leaves), progress.sub(0.7, 1.0))
        needed = whole.deleted() if whole else len(data.leaves)
        return AprioriResult(None, len(cutting.trail), needed=needed / max(len(data.leaves), 1))
    undone, found = _undone(data, wanted, cutting.trail, most, found, progress.sub(0.7, 0.95))
    return AprioriResult(found, len(cutting.trail), undone)


def _undone(
    data: EncodedTransactions,
    wanted: ItemsetDemands,
    trail: list[int],
    most: int,
    found: ItemRecoding,
    progress: Progress,
) -> tuple[int, ItemRecoding]:
    """Take back as many of the last steps as the deletions allow.

    Fewer steps mean more deletions; that is not proven, so what is kept is always a result that was tried. Few steps
    can be taken back as a rule, and the coarse cuts near the end are tried fastest: the search begins there.
    """
    undone, refused, step = 0, len(trail) + 1, 1
    while most and undone + 1 < refused:
        steps = min(undone + step, refused - 1)
        tried = _tried(data, wanted, cut_after_steps(data, trail[: len(trail) - steps]), most, progress)
        if tried is None:
            refused, step = steps, max((steps - undone) // 2, 1)
        else:
            undone, found, step = steps, tried, step * 2
    return undone, found


def _tried(
    data: EncodedTransactions, wanted: ItemsetDemands, cut: npt.NDArray[np.int32], most: int, progress: Progress
) -> ItemRecoding | None:
    """Delete what a cut leaves too rare; nothing when that is more than is allowed."""
    held = transactions_at_cut(data, cut)
    found = delete_occurrences(held, occurrence_weights(held, data, cut[data.leaves]), wanted, data, most, progress)
    return None if found is None else recode_items(data, cut, held, found[0])
