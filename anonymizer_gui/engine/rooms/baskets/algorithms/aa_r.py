"""Apriori anonymisation with the root forbidden: what only the root could save is deleted, within a budget."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.baskets.algorithms.contract import ALGORITHMS, MINIMALITY, refuse_whole_baskets
from anonymizer_gui.engine.sets.apriori import anonymise_without_root, budget_exceeded
from anonymizer_gui.engine.sets.encoding import EncodedTransactions, ItemRecoding, ItemsetDemands


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class AaR:
    """Raises the cut, never to the root, then takes back as many steps as the budget of deletions allows."""

    name: ClassVar[str] = "aa-r"
    title: ClassVar[str] = "Groups and a few deletions (AA-R)"
    summary: ClassVar[str] = "Replaces rare items by groups and deletes the few that would make every group too coarse."
    reference: ClassVar[str] = (
        "after Terrovitis, Mamoulis and Kalnis, VLDB 2008; root forbidden, deletions within a budget"
    )
    attacks: ClassVar[str] = MINIMALITY

    delete: float = param(
        Float(low=0, high=1),
        default=0.01,
        label="Deletions",
        help="Share of all items that may be deleted, so that the others stay finer.",
        series=(0.0, 0.01, 0.02, 0.05, 0.1),
    )

    def run(self, data: EncodedTransactions, wanted: ItemsetDemands, progress: Progress) -> ItemRecoding:
        """Find the shortest way up whose deletions are within the budget; raises Infeasible when none is."""
        refuse_whole_baskets(wanted)
        found = anonymise_without_root(data, wanted, self.delete, progress)
        if found.recoding is None:
            raise budget_exceeded(found.needed, self.delete)
        note = message(
            "The cut rose in {steps:step|steps}; {undone:,} of them could be taken back by deleting.",
            steps=found.steps,
            undone=found.undone,
        )
        return ItemRecoding(found.recoding.became, found.recoding.cut, (note,))
