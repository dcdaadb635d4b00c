"""The chance of picking a person's record out of the release."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.rooms.microdata.policies.chances import highest_chance, known_items
from anonymizer_gui.engine.rooms.microdata.policies.contract import RULES, Answer, Rule, Shown
from anonymizer_gui.engine.rooms.microdata.privacy.known_thresholds import PRESCRIBED_RISK


@RULES.register
@dataclass(frozen=True, slots=True)
class PickedOut(Rule):
    """Highest and average risk of an attacker who knows that a person is in the table (prosecutor, marketer)."""

    name: ClassVar[str] = "picked-out"
    title: ClassVar[str] = "Chance of being picked out"
    summary: ClassVar[str] = "Highest and average chance that a record is picked out rightly."

    highest: float = param(
        Float(low=0, high=1, above=True),
        default=PRESCRIBED_RISK,
        label="Highest chance",
        help="1 in the smallest class.",
    )
    average: float = param(
        Float(low=0, high=1, above=True), default=PRESCRIBED_RISK, label="Average chance", help="Classes by records."
    )

    def demand(self) -> Message:
        """Say both limits."""
        return message(
            "Picked out with a chance of at most {highest:.1%}, on average {average:.1%}",
            highest=self.highest,
            average=self.average,
        )

    def judge(self, shown: Shown) -> Answer:
        """Compare with the risk that was counted."""
        highest, slack = highest_chance(shown.numbers), 1 + 1e-9
        # What classes tell on average says nothing of whoever knows items, too: there the highest chance bounds it.
        items = known_items(shown.numbers)
        average = highest if items else shown.numbers["risk"]["average"]
        holds = highest <= self.highest * slack and average <= self.average * slack
        found = message("At most {highest:.2%}, on average {average:.2%}.", highest=highest, average=average)
        if items:
            found = message(
                "At most {highest:.2%} for whoever also knows up to {m:item|items}, and no more on average.",
                highest=highest,
                m=items,
            )
        return Answer(holds and bool(shown.numbers["rows"]), found)
