"""What an algorithm brings out: what became of every occurrence of an item."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.sets.counting import Held, distinct
from anonymizer_gui.engine.sets.encoding import Encoded

DELETED = -1


@dataclass(frozen=True, slots=True, eq=False)
class Recoding:
    """The node each occurrence is published as, -1 for one that is deleted.

    `cut` is the node of every leaf where the same holds for all baskets; without one each group of baskets has its own.
    """

    became: npt.NDArray[np.int32]
    cut: npt.NDArray[np.int32] | None = None
    notes: tuple[str, ...] = ()

    def held(self, data: Encoded) -> Held:
        """Give the baskets as they are published."""
        kept = self.became != DELETED
        return distinct(data.basket_of[kept], self.became[kept], data.n_baskets, len(data.tree))

    def deleted(self) -> int:
        """Count the occurrences that are deleted."""
        return int(np.count_nonzero(self.became == DELETED))

    def loss(self, data: Encoded) -> float:
        """Give the NCP: the mean over all occurrences, where a deleted one costs 1."""
        if not len(self.became):
            return 0.0
        return float(np.where(self.became == DELETED, 1.0, data.cost[self.became]).mean())


def recoded(data: Encoded, cut: npt.NDArray[np.int32], held: Held, kept: npt.NDArray[np.bool_]) -> Recoding:
    """Publish every item as the cut says, but for values that were deleted from baskets."""
    became = cut[data.leaves]
    places = np.searchsorted(held.basket_of() * held.top + held.values, data.basket_of * held.top + became)
    return (
        Recoding(np.where(kept[places], became, DELETED).astype(np.int32), cut)
        if len(became)
        else Recoding(became, cut)
    )
