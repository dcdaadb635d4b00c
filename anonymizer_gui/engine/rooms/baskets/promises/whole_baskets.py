"""k-anonymity of whole baskets: the same content, and so the same size, at least k times."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.rooms.baskets.attack import smallest_group
from anonymizer_gui.engine.rooms.baskets.promises.contract import GOALS, Counted, Goal
from anonymizer_gui.engine.sets.encoding import ItemsetDemands


@GOALS.register
@dataclass(frozen=True, slots=True)
class WholeBaskets(Goal):
    """Every published basket is there at least k times."""

    name: ClassVar[str] = "k"
    title: ClassVar[str] = "k-anonymity of whole baskets"
    summary: ClassVar[str] = "Every basket has the same content, and so the same size, as at least k - 1 others."
    stops: ClassVar[str] = "Finding somebody's basket even when all that is in it, and how much, is known."
    leaves_open: ClassVar[str] = (
        "What all baskets of a group have in common is known of everybody in it. It costs much more than protecting "
        "against a few known items."
    )
    formula: ClassVar[str] = "every published basket is there at least k times"
    source: ClassVar[str] = (
        "He and Naughton, Anonymization of set-valued data via top-down, local generalization, VLDB 2009"
    )

    k: int = param(Int(low=1), default=5, label="k", help="Fewest baskets of the same content.", series=(2, 5, 10, 25))

    def wants(self) -> ItemsetDemands:
        """Ask for k equal baskets."""
        return ItemsetDemands(whole=self.k)

    def measure(self, published: Baskets, known: Baskets, progress: Progress) -> Counted:
        """Count the baskets of the rarest content."""
        smallest = smallest_group(known)
        return Counted(smallest, smallest == 0 or smallest >= self.k)

    def sentence(self) -> str:
        """Say the promise in words."""
        return message("every basket is the same as at least {others:other|others}", others=self.k - 1)

    def short(self) -> str:
        """Say the promise in a few letters."""
        return f"k = {self.k}"
