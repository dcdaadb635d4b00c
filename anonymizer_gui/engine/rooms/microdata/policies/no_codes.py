"""No code leaves that was made of an identifier, and none that links releases."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.messages import Message, message, quote
from anonymizer_gui.engine.core.params import Choice, param
from anonymizer_gui.engine.rooms.microdata.policies.contract import RULES, Answer, Rule, Shown

_WHICH = {"none": "No pseudonyms", "not-derived": "None made of an identifier", "not-linkable": "None that link"}
_COUNTED = "numbered"
"""Pseudonyms that are numbers in an order only the key tells; all others are made of the identifier."""


@RULES.register
@dataclass(frozen=True, slots=True)
class NoCodes(Rule):
    """Pseudonyms are still about one person each; 45 CFR 164.514(c) allows codes that are not derived from one."""

    name: ClassVar[str] = "codes"
    title: ClassVar[str] = "Pseudonyms"
    summary: ClassVar[str] = "No pseudonyms, or none that are made of an identifier, or none that link releases."

    allowed: str = param(Choice(_WHICH), default="none", label="Allowed", help="Which pseudonyms may leave.")

    def demand(self) -> Message:
        """Say what is allowed."""
        return message("Pseudonyms: {which}", which=message(_WHICH[self.allowed]))

    def judge(self, shown: Shown) -> Answer:
        """Look at the ways pseudonyms were made."""
        there = [column for column, _ in shown.published() if column.pseudonym]
        if self.allowed == "not-derived":
            there = [column for column in there if column.pseudonym != _COUNTED]
        if self.allowed == "not-linkable" and not shown.linkable:
            there = []
        if there:
            return Answer(False, message("Published: {columns}.", columns=quote([column.name for column in there])))
        return Answer(True, message("There is none."))
