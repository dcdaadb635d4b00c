"""Deletion alone: items stay what they are or go."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.baskets.algorithms.contract import ALGORITHMS, MINIMALITY, refuse_whole_baskets
from anonymizer_gui.engine.sets.cutting import held_at
from anonymizer_gui.engine.sets.deleting import deletions, refuse_budget, weights_of
from anonymizer_gui.engine.sets.encoding import Encoded
from anonymizer_gui.engine.sets.recoding import Recoding, recoded
from anonymizer_gui.engine.sets.wanted import Wanted


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

    def run(self, data: Encoded, wanted: Wanted, progress: Progress) -> Recoding:
        """Delete until everything holds; raises Infeasible when that is more than is allowed."""
        refuse_whole_baskets(wanted)
        cut = data.tree.leaves
        held = held_at(data, cut)
        whole = len(data.leaves)
        found = deletions(held, weights_of(held, data, cut[data.leaves]), wanted, data, whole, progress)
        kept, deleted = found if found is not None else (held.values < 0, whole)
        if deleted > int(self.most * whole):
            raise refuse_budget(deleted / max(whole, 1), self.most)
        return recoded(data, cut, held, kept)
