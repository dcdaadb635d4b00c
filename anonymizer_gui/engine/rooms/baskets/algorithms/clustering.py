"""Local clustering."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.baskets.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.sets.encoding import DELETED, EncodedTransactions, ItemRecoding, ItemsetDemands

Ints = npt.NDArray[np.int64]

_FEWEST = 256
"""With fewer baskets left, sorting them out anew is not worth it."""


def cluster_baskets(data: EncodedTransactions, least: int, wanted: ItemsetDemands, progress: Progress) -> list[Ints]:
    """Put every basket into a group of at least so many that differ enough in what is sensitive.

    Baskets that are the same as enough others are a group of their own. Raises Infeasible when the sensitive values
    of all baskets together are not diverse enough.
    """
    everybody = np.arange(data.n_baskets, dtype=np.int64)
    if not _is_diverse(everybody, wanted, data):
        raise Infeasible(
            "Even all baskets together are not diverse enough in what is sensitive.", "Take a smaller l.", goal="l"
        )
    groups, left = _identical(data, least, wanted)
    progress(0.05, "Looking for baskets that are alike")
    pool = _Pool.of(data, left)
    while len(pool.baskets) >= 2 * least:
        progress(0.05 + 0.95 * (1 - len(pool.baskets) / data.n_baskets))
        taken = _next_groups(pool, data, least, wanted, groups, progress)
        pool = _Pool.of(data, pool.baskets[~taken])
        if not taken.any():
            break
    return _with_leftovers(groups, pool.baskets, data, least, wanted)


@dataclass(frozen=True, slots=True, eq=False)
class _Pool:
    """Baskets that have no group yet: the nodes each has something of, and the baskets of each node."""

    baskets: Ints
    starts: Ints
    nodes: npt.NDArray[np.int32]
    by_node: Ints
    first: Ints
    weights: npt.NDArray[np.float64]
    sizes: npt.NDArray[np.float64]

    @classmethod
    def of(cls, data: EncodedTransactions, baskets: Ints) -> "_Pool":
        """Look up the items of some baskets, and all categories they belong to but the root."""
        number = np.full(data.n_baskets, -1, dtype=np.int64)
        number[baskets] = np.arange(len(baskets))
        chosen = number[data.basket_of] >= 0
        basket_of, at = number[data.basket_of[chosen]], data.tree.leaves[data.leaves[chosen]].astype(np.int64)
        pairs, top = [], len(data.tree)
        while len(at):
            inside = at > 0
            basket_of, at = basket_of[inside], at[inside]
            pairs.append(basket_of * top + at)
            at = data.tree.parents[at].astype(np.int64)
        flat = np.unique(np.concatenate(pairs)) if pairs else np.empty(0, dtype=np.int64)
        owner, nodes = flat // top, (flat % top).astype(np.int32)
        order = np.argsort(nodes, kind="stable")
        weights = np.where(data.tree.is_leaf, 1.0, 0.5 * (1.0 - data.cost))
        sizes = np.bincount(owner, weights=weights[nodes], minlength=len(baskets)).astype(np.float64)
        starts = np.searchsorted(owner, np.arange(len(baskets) + 1))
        first = np.searchsorted(nodes[order], np.arange(top + 1))
        return cls(baskets, starts, nodes, owner[order], first, weights, sizes)

    def distances(self, basket: int) -> npt.NDArray[np.float64]:
        """Give how far all baskets are from one of them: what either has and the other has not."""
        shared = np.zeros(len(self.baskets))
        for node in self.nodes[self.starts[basket] : self.starts[basket + 1]].tolist():
            shared[self.by_node[self.first[node] : self.first[node + 1]]] += self.weights[node]
        return np.asarray(self.sizes + self.sizes[basket] - 2 * shared)


def _next_groups(
    pool: _Pool, data: EncodedTransactions, least: int, wanted: ItemsetDemands, groups: list[Ints], progress: Progress
) -> npt.NDArray[np.bool_]:
    """Make groups until half of the baskets have one; say which. The largest baskets begin: they are hardest."""
    taken = np.zeros(len(pool.baskets), dtype=np.bool_)
    half = max(len(pool.baskets) // 2, 1) if len(pool.baskets) > _FEWEST else len(pool.baskets)
    for seed in np.argsort(-pool.sizes, kind="stable").tolist():
        left = len(taken) - int(taken.sum())
        if left < 2 * least or len(taken) - left >= half:
            break
        if taken[seed]:
            continue
        progress.check()
        far = np.where(taken, np.inf, pool.distances(seed))
        group = _nearest(far, seed, least, left, pool, data, wanted)
        taken[group] = True
        groups.append(np.sort(pool.baskets[group]))
    return taken


def _nearest(
    far: npt.NDArray[np.float64],
    seed: int,
    least: int,
    left: int,
    pool: _Pool,
    data: EncodedTransactions,
    wanted: ItemsetDemands,
) -> Ints:
    """Take the nearest baskets, more of them until they are diverse enough; all that are left if they must be."""
    far[seed] = -1.0
    count = least
    while count < left - least:
        group = np.argpartition(far, count - 1)[:count]
        if _is_diverse(pool.baskets[group], wanted, data):
            return group
        count += least
    return np.flatnonzero(np.isfinite(far))


def _identical(data: EncodedTransactions, least: int, wanted: ItemsetDemands) -> tuple[list[Ints], Ints]:
    """Find groups of the same content that are large and diverse enough already, and who is left."""
    starts = np.searchsorted(data.basket_of, np.arange(data.n_baskets + 1))
    found: dict[bytes, list[int]] = {}
    for basket in range(data.n_baskets):
        found.setdefault(data.leaves[starts[basket] : starts[basket + 1]].tobytes(), []).append(basket)
    groups = [np.array(same, dtype=np.int64) for same in found.values() if len(same) >= least]
    ready = [group for group in groups if _is_diverse(group, wanted, data)]
    grouped_already = np.zeros(data.n_baskets, dtype=np.bool_)
    for group in ready:
        grouped_already[group] = True
    return ready, np.flatnonzero(~grouped_already)


def _with_leftovers(
    groups: list[Ints], left: Ints, data: EncodedTransactions, least: int, wanted: ItemsetDemands
) -> list[Ints]:
    """Make a group of what is left, or join it to the last groups until it is large and diverse enough."""
    while len(left) and (len(left) < least or not _is_diverse(left, wanted, data)):
        if not groups:
            raise Infeasible(message("There are too few baskets for a group."), "Take a smaller k or l.", goal="k")
        left = np.sort(np.concatenate([groups.pop(), left]))
    return [*groups, left] if len(left) else groups


def _is_diverse(baskets: Ints, wanted: ItemsetDemands, data: EncodedTransactions) -> bool:
    """Tell whether nobody of a group can be guessed with certainty."""
    if not wanted.is_diverse or data.sensitive is None or not len(baskets):
        return True
    values = data.sensitive.codes[baskets]
    if data.sensitive.is_item:
        return int(values.sum()) * wanted.l <= len(baskets)
    return len(np.unique(values)) >= wanted.l


WAYS = {
    "best": "Whatever loses less in each group",
    "generalise": "Replace items by groups of items; delete what only the root could save",
    "delete": "Delete items that not everybody of a group has",
}

_OFTEN = 64


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class LocalClustering:
    """Groups of at least k similar baskets, made equal group by group."""

    name: ClassVar[str] = "cluster"
    title: ClassVar[str] = "Local clustering"
    summary: ClassVar[str] = "Makes groups of similar baskets equal: whoever knows the whole basket still finds k."
    reference: ClassVar[str] = (
        "after He and Naughton, Anonymization of set-valued data via top-down, local generalization, VLDB 2009"
    )
    attacks: ClassVar[str] = (
        "The same item may be published as itself in one group and as its category in another; counts of an item "
        "add up over both."
    )

    way: str = param(
        Choice(WAYS), default="best", label="Make equal by", help="How baskets of a group become the same."
    )

    def run(self, data: EncodedTransactions, wanted: ItemsetDemands, progress: Progress) -> ItemRecoding:
        """Make groups and make each equal; raises Infeasible when there are fewer baskets than a group needs."""
        least = max(wanted.whole, wanted.k)
        if 0 < data.n_baskets < least:
            raise Infeasible(
                "There are fewer baskets than a group must have.",
                "Take a smaller k.",
                goal="k",
                nearest=str(data.n_baskets),
            )
        groups = cluster_baskets(data, least, wanted, progress.sub(0.0, 0.7))
        became = np.empty(len(data.leaves), dtype=np.int32)
        starts = np.searchsorted(data.basket_of, np.arange(data.n_baskets + 1))
        for at, baskets in enumerate(groups):
            if at % _OFTEN == 0:
                progress(0.7 + 0.3 * at / len(groups), "Making groups equal")
            places = np.concatenate([np.arange(starts[b], starts[b + 1]) for b in baskets.tolist()])
            became[places] = self._equal(data, places, len(baskets))
        return ItemRecoding(became)

    def _equal(self, data: EncodedTransactions, places: npt.NDArray[np.int64], n_baskets: int) -> npt.NDArray[np.int32]:
        """Give what every occurrence of a group becomes, so that all of its baskets are the same."""
        leaves, basket_of = data.leaves[places], data.basket_of[places]
        found, at, often = np.unique(leaves, return_inverse=True, return_counts=True)
        nodes = np.where(often == n_baskets, data.tree.leaves[found], DELETED)[at].astype(np.int32)
        for leaf in found[often < n_baskets].tolist() if self.way != "delete" else ():
            if (nodes[leaves == leaf] == DELETED).any():
                self._lift(data, leaf, leaves, basket_of, nodes, n_baskets)
        return nodes

    def _lift(
        self,
        data: EncodedTransactions,
        leaf: int,
        leaves: npt.NDArray[np.int32],
        basket_of: npt.NDArray[np.int64],
        nodes: npt.NDArray[np.int32],
        n_baskets: int,
    ) -> None:
        """Replace what would be deleted by the lowest category below the root that every basket has something of."""
        tree = data.tree
        for node in tree.path(int(tree.leaves[leaf]))[1:-1]:
            inside = (leaves >= tree.first_leaf[node]) & (leaves < tree.end_leaf[node])
            if len(np.unique(basket_of[inside])) == n_baskets:
                lifted = float(np.count_nonzero(inside) * data.cost[node])
                if self.way == "generalise" or lifted < np.count_nonzero(inside & (nodes == DELETED)):
                    nodes[inside] = node
                return
