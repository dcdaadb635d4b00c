"""Items in the order of the alphabet."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.rooms.baskets.trees.contract import TREES, how_many


@TREES.register
@dataclass(frozen=True, slots=True)
class Alphabetical:
    """Neighbours in the alphabet, or numbers next to each other, form a group."""

    name: ClassVar[str] = "alphabetical"
    title: ClassVar[str] = "By the alphabet"
    summary: ClassVar[str] = "Items that stand side by side in the alphabet form a group; codes often mean something."

    fan_out: int = how_many()

    def order(self, baskets: Baskets, progress: Progress) -> list[str]:
        """Give the items as they are sorted."""
        progress(0.0, "Sorting the items")
        return sorted(baskets.items)
