"""Apriori anonymisation as it was published: groups only, up to the root."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.baskets.algorithms.contract import ALGORITHMS, MINIMALITY, refuse_whole_baskets
from anonymizer_gui.engine.sets.apriori import HierarchyCut
from anonymizer_gui.engine.sets.encoding import EncodedTransactions, ItemRecoding, ItemsetDemands


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class Aa:
    """Raises the cut through the tree where sets of items are too rare; nothing is ever deleted."""

    name: ClassVar[str] = "aa"
    title: ClassVar[str] = "Groups only (AA)"
    summary: ClassVar[str] = "Replaces rare items by groups, by the root of the tree if nothing else helps."
    reference: ClassVar[str] = (
        "Terrovitis, Mamoulis and Kalnis, Privacy-preserving anonymization of set-valued data, VLDB 2008"
    )
    attacks: ClassVar[str] = MINIMALITY

    def run(self, data: EncodedTransactions, wanted: ItemsetDemands, progress: Progress) -> ItemRecoding:
        """Find the cut; raises Infeasible when not even the root holds what is wanted."""
        refuse_whole_baskets(wanted)
        cutting = HierarchyCut(data, wanted, root_allowed=True)
        if not cutting.run(progress):
            raise Infeasible(
                "Not even the root of the tree would do: there are too few baskets, or too many are sensitive.",
                "Take a smaller k or l, or delete items instead.",
                goal="km",
            )
        to_root = np.count_nonzero(cutting.cut[data.leaves] == 0)
        share = to_root / max(len(data.leaves), 1)
        notes = (_root_note(share),) if to_root else ()
        return ItemRecoding(cutting.cut[data.leaves], cutting.cut, notes)


def _root_note(share: float) -> str:
    return message(
        "{share:.1%} of all items are published as the root of the tree, which says nothing; "
        "deleting a few rare items would keep many others.",
        share=share,
    )
