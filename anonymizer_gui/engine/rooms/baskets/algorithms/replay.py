"""Rules again: every item becomes the group it was before, a new one stays what it is; what is too rare is deleted."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.baskets.algorithms.contract import ALGORITHMS, MINIMALITY, refuse_whole_baskets
from anonymizer_gui.engine.sets.apriori import (
    budget_exceeded,
    delete_occurrences,
    occurrence_weights,
    transactions_at_cut,
)
from anonymizer_gui.engine.sets.encoding import EncodedTransactions, ItemRecoding, ItemsetDemands, recode_items


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class Replay:
    """Publishes the groups directly under the root of the tree; with a file of rules, that tree is made of them."""

    name: ClassVar[str] = "replay"
    title: ClassVar[str] = "The rules of an earlier release"
    summary: ClassVar[str] = "Publishes every item as before, so that months can be compared; deletes what is too rare."
    reference: ClassVar[str] = "rules of a release made before, checked anew"
    attacks: ClassVar[str] = MINIMALITY

    delete: float = param(
        Float(low=0, high=1), default=0.05, label="Deletions", help="Share of all items that may be deleted."
    )

    def run(self, data: EncodedTransactions, wanted: ItemsetDemands, progress: Progress) -> ItemRecoding:
        """Apply the rules; raises Infeasible when more must be deleted than is allowed."""
        refuse_whole_baskets(wanted)
        cut = data.tree.ancestors[min(1, data.tree.height)].astype(np.int32)
        held = transactions_at_cut(data, cut)
        whole = len(data.leaves)
        found = delete_occurrences(
            held, occurrence_weights(held, data, cut[data.leaves]), wanted, data, whole, progress
        )
        kept, deleted = found if found is not None else (held.values < 0, whole)
        if deleted > int(self.delete * whole):
            raise budget_exceeded(deleted / max(whole, 1), self.delete)
        return recode_items(data, cut, held, kept)
