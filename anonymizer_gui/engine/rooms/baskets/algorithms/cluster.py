"""Local clustering: baskets that are alike form groups, and everybody of a group leaves with the same basket."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.params import Choice, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.baskets.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.baskets.algorithms.grouping import grouped
from anonymizer_gui.engine.sets.encoding import DELETED, EncodedTransactions, ItemRecoding, ItemsetDemands

WAYS = {
    "best": "Whatever loses less in each group",
    "generalise": "Replace items by groups of items; delete what only the root could save",
    "delete": "Delete items that not everybody of a group has",
}
_OFTEN = 64


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class Cluster:
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
        groups = grouped(data, least, wanted, progress.sub(0.0, 0.7))
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
