"""Apriori anonymisation with the root forbidden (AA-R): what only the root could save is deleted, within a budget."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.sets.cutting import Cutting, cut_of, held_at
from anonymizer_gui.engine.sets.deleting import deletions, weights_of
from anonymizer_gui.engine.sets.encoding import Encoded
from anonymizer_gui.engine.sets.recoding import Recoding, recoded
from anonymizer_gui.engine.sets.wanted import Wanted


@dataclass(frozen=True, slots=True, eq=False)
class Raised:
    """What came out, or how much would have to be deleted; the steps of the cut, and how many were taken back."""

    recoding: Recoding | None
    steps: int
    undone: int = 0
    needed: float = 0.0


def raised(data: Encoded, wanted: Wanted, delete: float, progress: Progress) -> Raised:
    """Raise the cut, never to the root, then take back as many steps as deletions of this share allow."""
    cutting = Cutting(data, wanted, root_allowed=False)
    cutting.run(progress.sub(0.0, 0.6))
    most = int(delete * len(data.leaves))
    found = _tried(data, wanted, cutting.cut, most, progress.sub(0.6, 0.7))
    if found is None:
        whole = _tried(data, wanted, cutting.cut, len(data.leaves), progress.sub(0.7, 1.0))
        needed = whole.deleted() if whole else len(data.leaves)
        return Raised(None, len(cutting.trail), needed=needed / max(len(data.leaves), 1))
    undone, found = _undone(data, wanted, cutting.trail, most, found, progress.sub(0.7, 0.95))
    return Raised(found, len(cutting.trail), undone)


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
