"""l-diversity: whoever knows a few items learns nothing for sure about what is sensitive."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.params import Int, Text, param
from anonymizer_gui.engine.rooms.baskets.promises.contract import GOALS, Goal
from anonymizer_gui.engine.sets.wanted import Wanted
from anonymizer_gui.engine.words import say


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

    def wants(self) -> Wanted:
        """Ask that no guess is sure."""
        return Wanted(m=self.m, l=self.l)

    def protects(self) -> str:
        """Name what is sensitive."""
        return self.sensitive

    def sentence(self) -> str:
        """Say the promise in words."""
        return say(
            "whoever knows up to {m:item|items} is left with at least {l:possibility|possibilities} for “{name}”",
            m=self.m,
            name=self.sensitive,
            l=self.l,
        )

    def short(self) -> str:
        """Say the promise in a few letters."""
        return f"l = {self.l}"
