"""No code leaves that was made of an identifier, and none that links releases."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.params import Choice, param
from anonymizer_gui.engine.rooms.microdata.policies.contract import RULES, Answer, Rule, Shown
from anonymizer_gui.engine.words import Sentence, quoted, say

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

    def demand(self) -> Sentence:
        """Say what is allowed."""
        return say("Pseudonyms: {which}", which=say(_WHICH[self.allowed]))

    def judge(self, shown: Shown) -> Answer:
        """Look at the ways pseudonyms were made."""
        there = [column for column, _ in shown.published() if column.pseudonym]
        if self.allowed == "not-derived":
            there = [column for column in there if column.pseudonym != _COUNTED]
        if self.allowed == "not-linkable" and not shown.linkable:
            there = []
        if there:
            return Answer(False, say("Published: {columns}.", columns=quoted([column.name for column in there])))
        return Answer(True, say("There is none."))
