"""Items by how many baskets hold them."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.rooms.baskets.trees.contract import TREES, how_many


@TREES.register
@dataclass(frozen=True, slots=True)
class Frequency:
    """Items that are about as frequent form a group: rare ones with rare ones."""

    name: ClassVar[str] = "frequency"
    title: ClassVar[str] = "By frequency"
    summary: ClassVar[str] = "Frequent items stay among themselves, rare ones meet rare ones."

    fan_out: int = how_many()

    def order(self, baskets: Baskets, progress: Progress) -> list[str]:
        """Give the most frequent items first."""
        progress(0.0, "Counting the items")
        counts = dict(zip(baskets.items, baskets.counts().tolist(), strict=True))
        return sorted(baskets.items, key=lambda item: (-counts[item], item))
