"""Every published class has at least k records, or people where they are known."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.rooms.microdata.policies.chances import fewest_left, known_items
from anonymizer_gui.engine.rooms.microdata.policies.contract import RULES, Answer, Rule, Shown


@RULES.register
@dataclass(frozen=True, slots=True)
class SmallestClass(Rule):
    """k-anonymity of the published table, whatever the goals were."""

    name: ClassVar[str] = "smallest-class"
    title: ClassVar[str] = "Smallest class"
    summary: ClassVar[str] = "Every class of the published table has at least k records."

    k: int = param(Int(low=1), default=11, label="k", help="Fewest records that look alike.")

    def demand(self) -> Message:
        """Say the k."""
        return message("No class smaller than {k}", k=self.k)

    def judge(self, shown: Shown) -> Answer:
        """Compare with the smallest class that was counted, or what few known items of sets leave of one."""
        k, items = fewest_left(shown.numbers), known_items(shown.numbers)
        found = message("The smallest class has {k:record|records}.", k=k)
        if items:
            found = message(
                "Whoever knows a class and up to {m:item|items} is left with {k:record|records}.", m=items, k=k
            )
        return Answer(bool(shown.numbers["rows"]) and k >= self.k, found)
