"""Every quasi-identifier has a hierarchy."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.messages import Message, message, quote
from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.policies.contract import RULES, Answer, Rule, Shown


@RULES.register
@dataclass(frozen=True, slots=True)
class WithHierarchies(Rule):
    """Values are made coarser by steps somebody has looked at, not by ranges that end at people's values."""

    name: ClassVar[str] = "hierarchies"
    title: ClassVar[str] = "Hierarchies"
    summary: ClassVar[str] = "Every quasi-identifier has a hierarchy with enough levels."

    levels: int = param(Int(low=1), default=1, label="Levels", help="Fewest levels above the values.")

    def demand(self) -> Message:
        """Say the levels."""
        return message("A hierarchy of at least {levels:level|levels} for every quasi-identifier", levels=self.levels)

    def judge(self, shown: Shown) -> Answer:
        """Look at the heights."""
        flat = [c.name for c in shown.of_role(Role.QI) if shown.heights.get(c.name, 0) < self.levels]
        if flat:
            return Answer(False, message("None, or too few levels: {columns}.", columns=quote(flat)))
        return Answer(True, message("Every quasi-identifier has one."))
