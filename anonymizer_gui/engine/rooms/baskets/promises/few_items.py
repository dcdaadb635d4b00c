"""k^m-anonymity: whoever knows up to m items of somebody still finds k baskets."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.rooms.baskets.attack import smallest_support
from anonymizer_gui.engine.rooms.baskets.promises.contract import GOALS, Counted, Goal
from anonymizer_gui.engine.sets.encoding import ItemsetDemands


@GOALS.register
@dataclass(frozen=True, slots=True)
class FewItems(Goal):
    """Every set of up to m items is in no basket or in at least k (Terrovitis, Mamoulis and Kalnis 2008)."""

    name: ClassVar[str] = "km"
    title: ClassVar[str] = "k^m-anonymity"
    summary: ClassVar[str] = "Whoever knows up to m items of somebody finds at least k baskets that hold them."
    stops: ClassVar[str] = (
        "Finding somebody's basket by a few things known to be in it: what a friend saw at the till, or was told."
    )
    leaves_open: ClassVar[str] = (
        "Knowing more than m items, knowing that something is not in the basket, and what all k baskets share. "
        "Several baskets of one person count as several people."
    )
    formula: ClassVar[str] = "support(S) = 0 or support(S) ≥ k for every set S of at most m items"
    source: ClassVar[str] = (
        "Terrovitis, Mamoulis and Kalnis, Privacy-preserving anonymization of set-valued data, VLDB 2008"
    )

    k: int = param(
        Int(low=1), default=5, label="k", help="Fewest baskets that hold the known items.", series=(2, 5, 10, 25, 50)
    )
    m: int = param(
        Int(low=1, high=3), default=2, label="m", help="Most items that somebody may know.", series=(1, 2, 3)
    )

    def wants(self) -> ItemsetDemands:
        """Ask for k baskets with any m items."""
        return ItemsetDemands(k=self.k, m=self.m)

    def measure(self, published: Baskets, known: Baskets, progress: Progress) -> Counted:
        """Count the baskets with the rarest set of up to m items."""
        smallest = smallest_support(known, self.m, progress)
        return Counted(smallest, smallest == 0 or smallest >= self.k)

    def sentence(self) -> str:
        """Say the promise in words."""
        return message(
            "whoever knows up to {m:item|items} of somebody finds at least {k:basket|baskets}", m=self.m, k=self.k
        )

    def short(self) -> str:
        """Say the promise in a few letters."""
        return f"{self.k}^{self.m}"
