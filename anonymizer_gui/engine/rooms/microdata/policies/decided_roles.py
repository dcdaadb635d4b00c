"""Columns have the roles a policy wants, and nothing leaves that has none."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.messages import Message, join_messages, message, quote
from anonymizer_gui.engine.core.params import Choice, Flag, ListOf, Text, param
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.policies.contract import AGREED, RULES, Answer, Rule, Shown, passed_over

_ROLES = {"EI": "Identifier", "QI": "Quasi-identifier", "SA": "Sensitive"}


@RULES.register
@dataclass(frozen=True, slots=True)
class ColumnsOfRole(Rule):
    """Columns the house knows must be treated so wherever they are."""

    name: ClassVar[str] = "role"
    title: ClassVar[str] = "Role of columns"
    summary: ClassVar[str] = "Columns of these names have this role wherever they are in the table."

    columns: tuple[str, ...] = param(
        ListOf(Text(), most=200), default=(), label="Columns", help="Their names, separated by commas."
    )
    role: str = param(Choice(_ROLES), default="QI", label="Role", help="What they must be.")

    def demand(self) -> Message:
        """Name role and columns."""
        return message("{role}: {columns}", role=message(_ROLES[self.role]), columns=quote(self.columns))

    def judge(self, shown: Shown) -> Answer:
        """Look at the columns that are there; one that does not leave tells nothing."""
        there = [column for column in shown.columns if column.name in self.columns and column.cells is not None]
        other = [column.name for column in there if column.role.name != self.role]
        if other:
            return Answer(False, message("Published with another role: {columns}.", columns=quote(other)))
        if there:
            return Answer(True, message("All of them that leave have it."))
        return Answer(True, message("None of them leaves."))


@RULES.register
@dataclass(frozen=True, slots=True)
class NoneUndecided(Rule):
    """What has no role is neither generalised nor looked at by any goal."""

    name: ClassVar[str] = "no-undecided"
    title: ClassVar[str] = "No column without a role"
    summary: ClassVar[str] = "Every published column is a quasi-identifier or sensitive."

    protected: bool = param(
        Flag(), default=False, label="Sensitive ones protected", help="A goal must look at every sensitive column, too."
    )
    agreed: tuple[str, ...] = param(ListOf(Text(), most=200), default=(), label="Passed over", help=AGREED)

    def demand(self) -> Message:
        """Say both."""
        if self.protected:
            return message("No published column without a role, none sensitive without a goal")
        return message("No published column without a role")

    def judge(self, shown: Shown) -> Answer:
        """Look for columns of no role, and for sensitive ones that no goal is about."""
        bare = [c.name for c, _ in shown.published(self.agreed) if c.role is Role.OTHER]
        if bare:
            return Answer(False, message("Without a role: {columns}.", columns=quote(bare)))
        if self.protected:
            open_ones = [
                c.name for c, _ in shown.published(self.agreed) if c.role is Role.SA and not _has_goal(c.name, shown)
            ]
            if open_ones:
                return Answer(False, message("No goal looks at {columns}.", columns=quote(open_ones)))
        return Answer(True, join_messages(message("There is none."), passed_over(self.agreed)))


def _has_goal(column: str, shown: Shown) -> bool:
    """Tell whether a goal names the column, or names none although it could."""
    named = [goal["parameters"]["column"] for goal in shown.numbers["goals"] if "column" in goal["parameters"]]
    return "" in named or column in named
