"""l-diversity: whoever knows a few items learns nothing for sure about what is sensitive."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Int, Text, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.rooms.baskets.attack import fewest_to_one, fewest_values
from anonymizer_gui.engine.rooms.baskets.promises.contract import GOALS, Counted, Goal
from anonymizer_gui.engine.sets.encoding import ItemsetDemands


@GOALS.register
@dataclass(frozen=True, slots=True)
class Diversity(Goal):
    """Among those who hold any known items, at most one in l holds the sensitive item, or l values occur."""

    name: ClassVar[str] = "l"
    title: ClassVar[str] = "l-diversity"
    summary: ClassVar[str] = (
        "Whoever knows up to m other items cannot be sure of a sensitive item or of the value of a column."
    )
    stops: ClassVar[str] = (
        "Learning from a few harmless items that somebody has the sensitive one, because all or most who hold them do."
    )
    leaves_open: ClassVar[str] = (
        "Guesses that are better than chance but not sure, values that mean nearly the same, and whoever knows more "
        "than m items."
    )
    formula: ClassVar[str] = "an item: share among holders of S ≤ 1/l; a column: at least l values among them; |S| ≤ m"
    source: ClassVar[str] = "after Xu, Wang, Fu and Yu, Anonymizing transaction databases for publication, KDD 2008"
    is_about_sensitive: ClassVar[bool] = True

    sensitive: str = param(
        Text(column=True), default="", label="Sensitive", help="An item, or a column beside the baskets."
    )
    l: int = param(  # noqa: E741 - what everybody calls it
        Int(low=1), default=2, label="l", help="At most one in l has the item; at least l values.", series=(2, 3, 4)
    )
    m: int = param(
        Int(low=1, high=3), default=2, label="m", help="Most items that somebody may know.", series=(1, 2, 3)
    )

    def wants(self) -> ItemsetDemands:
        """Ask that no guess is sure."""
        return ItemsetDemands(m=self.m, l=self.l)

    def protects(self) -> str:
        """Name what is sensitive."""
        return self.sensitive

    def measure(self, published: Baskets, known: Baskets, progress: Progress) -> Counted:
        """Count what whoever knows up to m items is left with: values of the column, or baskets for each with the item.

        Where nobody has the item, everybody may be without it.
        """
        if self.sensitive in published.beside.names:
            codes = published.beside.column(self.sensitive).codes.astype(np.int64)
            values = fewest_values(known, codes, self.m, progress)
            return Counted(values, values >= self.l or not len(published))
        has = np.zeros(len(published), dtype=np.bool_)
        if self.sensitive in published.items:
            has[published.basket_of[published.codes == published.items.index(self.sensitive)]] = True
        left = fewest_to_one(known, has, self.m, progress)
        return Counted(len(published), True) if left is None else Counted(left, left >= self.l)

    def sentence(self) -> str:
        """Say the promise in words."""
        return message(
            "whoever knows up to {m:item|items} is left with at least {l:possibility|possibilities} for “{name}”",
            m=self.m,
            name=self.sensitive,
            l=self.l,
        )

    def short(self) -> str:
        """Say the promise in a few letters."""
        return f"l = {self.l}"
