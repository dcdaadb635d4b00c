"""Apriori anonymisation with the root forbidden: what only the root could save is deleted, within a budget."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.params import Float, param
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.rooms.baskets.algorithms.contract import ALGORITHMS, MINIMALITY, refuse_whole_baskets
from anonymizer_gui.engine.sets.cutting import Cutting, cut_of, held_at
from anonymizer_gui.engine.sets.deleting import deletions, refuse_budget, weights_of
from anonymizer_gui.engine.sets.encoding import Encoded
from anonymizer_gui.engine.sets.recoding import Recoding, recoded
from anonymizer_gui.engine.sets.wanted import Wanted
from anonymizer_gui.engine.words import say


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

    def run(self, data: Encoded, wanted: Wanted, progress: Progress) -> Recoding:
        """Find the shortest way up whose deletions are within the budget; raises Infeasible when none is."""
        refuse_whole_baskets(wanted)
        cutting = Cutting(data, wanted, root_allowed=False)
        cutting.run(progress.sub(0.0, 0.6))
        most = int(self.delete * len(data.leaves))
        found = _tried(data, wanted, cutting.cut, most, progress.sub(0.6, 0.7))
        if found is None:
            raise self._refused(data, wanted, cutting, progress)
        steps = len(cutting.trail)
        undone, found = _undone(data, wanted, cutting.trail, most, found, progress.sub(0.7, 0.95))
        note = say(
            "The cut rose in {steps:step|steps}; {undone:,} of them could be taken back by deleting.",
            steps=steps,
            undone=undone,
        )
        return Recoding(found.became, found.cut, (note,))

    def _refused(self, data: Encoded, wanted: Wanted, cutting: Cutting, progress: Progress) -> Exception:
        whole = _tried(data, wanted, cutting.cut, len(data.leaves), progress.sub(0.7, 1.0))
        needed = whole.deleted() if whole else len(data.leaves)
        return refuse_budget(needed / max(len(data.leaves), 1), self.delete)


def _undone(
    data: Encoded, wanted: Wanted, trail: list[int], most: int, found: Recoding, progress: Progress
) -> tuple[int, Recoding]:
    """Take back as many of the last steps as the deletions allow.

    Fewer steps mean more deletions; that is not proven, so what is kept is always a result that was tried. Few steps
    can be taken back as a rule, and the coarse cuts near the end are tried fastest: the search begins there.
    """
    undone, refused, step = 0, len(trail) + 1, 1
    while most and undone + 1 < refused:
        steps = min(undone + step, refused - 1)
        tried = _tried(data, wanted, cut_of(data, trail[: len(trail) - steps]), most, progress)
        if tried is None:
            refused, step = steps, max((steps - undone) // 2, 1)
        else:
            undone, found, step = steps, tried, step * 2
    return undone, found


def _tried(data: Encoded, wanted: Wanted, cut: npt.NDArray[np.int32], most: int, progress: Progress) -> Recoding | None:
    """Delete what a cut leaves too rare; nothing when that is more than is allowed."""
    held = held_at(data, cut)
    found = deletions(held, weights_of(held, data, cut[data.leaves]), wanted, data, most, progress)
    return None if found is None else recoded(data, cut, held, found[0])
