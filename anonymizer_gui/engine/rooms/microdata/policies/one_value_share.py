"""No value of a sensitive column makes up more than a share of a published class."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.messages import Message, message, quote
from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.rooms.microdata.policies.contract import RULES, Answer, Rule, Shown


@RULES.register
@dataclass(frozen=True, slots=True)
class OneValueShare(Rule):
    """How sure somebody may become of a sensitive value who knows the class of a person."""

    name: ClassVar[str] = "one-value-share"
    title: ClassVar[str] = "Largest share of one value"
    summary: ClassVar[str] = "No sensitive value makes up more than a share of any class."

    share: float = param(Float(low=0, high=1, above=True), default=0.8, label="Share", help="The largest share.")

    def demand(self) -> Message:
        """Say the share."""
        return message("No sensitive value with more than {share:.0%} of a class", share=self.share)

    def judge(self, shown: Shown) -> Answer:
        """Compare with the largest share of every sensitive column."""
        largest = shown.numbers["largest_share"]
        bad = [name for name, share in largest.items() if share > self.share]
        most = max(largest.values(), default=0.0)
        if bad:
            return Answer(False, message("{columns}: up to {share:.1%} of a class.", columns=quote(bad), share=most))
        return Answer(True, message("The largest share is {share:.1%}.", share=most))
