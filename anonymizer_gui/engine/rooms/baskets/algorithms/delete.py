"""Deletion alone: items stay what they are or go."""

from dataclasses import dataclass
from typing import ClassVar

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
class Delete:
    """Takes the items out of baskets that make somebody stand out; no item is ever replaced by a group."""

    name: ClassVar[str] = "delete"
    title: ClassVar[str] = "Deletions only"
    summary: ClassVar[str] = "Takes rare items out of baskets; what stays is exactly what was there."
    reference: ClassVar[str] = "greedy deletion, each time of the item that is in most rare sets"
    attacks: ClassVar[str] = MINIMALITY

    most: float = param(
        Float(low=0, high=1),
        default=1.0,
        label="Deletions at most",
        help="Share of all items that may be deleted; more is refused.",
    )

    def run(self, data: EncodedTransactions, wanted: ItemsetDemands, progress: Progress) -> ItemRecoding:
        """Delete until everything holds; raises Infeasible when that is more than is allowed."""
        refuse_whole_baskets(wanted)
        cut = data.tree.leaves
        held = transactions_at_cut(data, cut)
        whole = len(data.leaves)
        found = delete_occurrences(
            held, occurrence_weights(held, data, cut[data.leaves]), wanted, data, whole, progress
        )
        kept, deleted = found if found is not None else (held.values < 0, whole)
        if deleted > int(self.most * whole):
            raise budget_exceeded(deleted / max(whole, 1), self.most)
        return recode_items(data, cut, held, kept)
