"""The chance of picking a person's record out of the release."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.params import Float, param
from anonymizer_gui.engine.rooms.microdata.policies.contract import RULES, Answer, Rule, Shown
from anonymizer_gui.engine.words import Sentence, say


@RULES.register
@dataclass(frozen=True, slots=True)
class PickedOut(Rule):
    """Highest and average risk of an attacker who knows that a person is in the table (prosecutor, marketer)."""

    name: ClassVar[str] = "picked-out"
    title: ClassVar[str] = "Chance of being picked out"
    summary: ClassVar[str] = "Highest and average chance that a record is picked out rightly."

    highest: float = param(
        Float(low=0, high=1, above=True), default=0.09, label="Highest chance", help="1 in the smallest class."
    )
    average: float = param(
        Float(low=0, high=1, above=True), default=0.09, label="Average chance", help="Classes by records."
    )

    def demand(self) -> Sentence:
        """Say both limits."""
        return say(
            "Picked out with a chance of at most {highest:.1%}, on average {average:.1%}",
            highest=self.highest,
            average=self.average,
        )

    def judge(self, shown: Shown) -> Answer:
        """Compare with the risk that was counted."""
        risk, slack = shown.numbers["risk"], 1 + 1e-9
        holds = risk["highest"] <= self.highest * slack and risk["average"] <= self.average * slack
        return Answer(
            holds and bool(shown.numbers["rows"]),
            say("At most {highest:.2%}, on average {average:.2%}.", highest=risk["highest"], average=risk["average"]),
        )
