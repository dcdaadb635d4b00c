"""Not too many records are left out or emptied."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.rooms.microdata.policies.contract import RULES, Answer, Rule, Shown


@RULES.register
@dataclass(frozen=True, slots=True)
class LeftOutRows(Rule):
    """What is left out biases what is found in the rest."""

    name: ClassVar[str] = "left-out"
    title: ClassVar[str] = "Records left out"
    summary: ClassVar[str] = "At most a share of the records is suppressed or has nothing left."

    share: float = param(Float(low=0, high=1), default=0.05, label="Share", help="The largest share of the records.")

    def demand(self) -> Message:
        """Say the share."""
        return message("At most {share:.1%} of the records left out or emptied", share=self.share)

    def judge(self, shown: Shown) -> Answer:
        """Count what is not there and what says nothing."""
        lost = shown.rows_before - shown.numbers["rows"] + shown.numbers["emptied"]
        found = lost / max(shown.rows_before, 1)
        return Answer(found <= self.share, message("{share:.2%} are.", share=found))
