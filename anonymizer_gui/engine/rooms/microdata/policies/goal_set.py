"""A goal of some sort is set and holds."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Text, param
from anonymizer_gui.engine.rooms.microdata.policies.contract import RULES, Answer, Rule, Shown
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS


@RULES.register
@dataclass(frozen=True, slots=True)
class GoalSet(Rule):
    """The release was made under a goal, which certificate and `verify` then speak of."""

    name: ClassVar[str] = "goal"
    title: ClassVar[str] = "Goal that is set"
    summary: ClassVar[str] = "The release was made under this goal, and it holds."

    goal: str = param(Text(), default="k", label="Goal", help="The name of a goal as `list models` has it, such as k.")

    def demand(self) -> Message:
        """Name the goal."""
        return message("The goal “{goal}” is set and holds", goal=self.goal)

    def refuse_unmeetable(self) -> None:
        """Raise BadParameter when there is no such goal."""
        known = PRIVACY_MODELS.names()
        if self.goal not in known:
            raise BadParameter(
                message("There is no goal “{goal}”; there are: {known}.", goal=self.goal, known=known),
                "Write the name of a goal as `list models` has it.",
            )

    def judge(self, shown: Shown) -> Answer:
        """Look for it among the goals that were measured."""
        there = [goal for goal in shown.numbers["goals"] if goal["model"] == self.goal]
        if not there:
            return Answer(False, message("No such goal is set."))
        if not all(goal["holds"] for goal in there):
            return Answer(False, message("It is set and does not hold."))
        return Answer(True, message("It is set and holds."))
