"""Rules about roles, goals, classes, risk."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, join_messages, message, quote
from anonymizer_gui.engine.core.params import Choice, Flag, Float, Int, ListOf, Text, param
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS
from anonymizer_gui.engine.rooms.microdata.policies.contract import (
    AGREED,
    RULES,
    PolicyView,
    Rule,
    RuleResult,
    highest_risk,
    known_items,
    skipped_note,
    smallest_match,
)
from anonymizer_gui.engine.rooms.microdata.thresholds import PRESCRIBED_RISK

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

    def judge(self, shown: PolicyView) -> RuleResult:
        """Look at the columns that are there; one that does not leave tells nothing."""
        there = [column for column in shown.columns if column.name in self.columns and column.cells is not None]
        other = [column.name for column in there if column.role.name != self.role]
        if other:
            return RuleResult(False, message("Published with another role: {columns}.", columns=quote(other)))
        if there:
            return RuleResult(True, message("All of them that leave have it."))
        return RuleResult(True, message("None of them leaves."))


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

    def judge(self, shown: PolicyView) -> RuleResult:
        """Look for columns of no role, and for sensitive ones that no goal is about."""
        bare = [c.name for c, _ in shown.published(self.agreed) if c.role is Role.OTHER]
        if bare:
            return RuleResult(False, message("Without a role: {columns}.", columns=quote(bare)))
        if self.protected:
            open_ones = [
                c.name for c, _ in shown.published(self.agreed) if c.role is Role.SA and not _has_goal(c.name, shown)
            ]
            if open_ones:
                return RuleResult(False, message("No goal looks at {columns}.", columns=quote(open_ones)))
        return RuleResult(True, join_messages(message("There is none."), skipped_note(self.agreed)))


def _has_goal(column: str, shown: PolicyView) -> bool:
    """Tell whether a goal names the column, or names none although it could."""
    named = [goal["parameters"]["column"] for goal in shown.numbers["goals"] if "column" in goal["parameters"]]
    return "" in named or column in named


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

    def judge(self, shown: PolicyView) -> RuleResult:
        """Look for it among the goals that were measured."""
        there = [goal for goal in shown.numbers["goals"] if goal["model"] == self.goal]
        if not there:
            return RuleResult(False, message("No such goal is set."))
        if not all(goal["holds"] for goal in there):
            return RuleResult(False, message("It is set and does not hold."))
        return RuleResult(True, message("It is set and holds."))


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

    def judge(self, shown: PolicyView) -> RuleResult:
        """Look at the heights."""
        flat = [c.name for c in shown.of_role(Role.QI) if shown.heights.get(c.name, 0) < self.levels]
        if flat:
            return RuleResult(False, message("None, or too few levels: {columns}.", columns=quote(flat)))
        return RuleResult(True, message("Every quasi-identifier has one."))


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

    def judge(self, shown: PolicyView) -> RuleResult:
        """Compare with the smallest class that was counted, or what few known items of sets leave of one."""
        k, items = smallest_match(shown.numbers), known_items(shown.numbers)
        found = message("The smallest class has {k:record|records}.", k=k)
        if items:
            found = message(
                "Whoever knows a class and up to {m:item|items} is left with {k:record|records}.", m=items, k=k
            )
        return RuleResult(bool(shown.numbers["rows"]) and k >= self.k, found)


@RULES.register
@dataclass(frozen=True, slots=True)
class DifferentValues(Rule):
    """Distinct l-diversity of the published table; missing is no value."""

    name: ClassVar[str] = "different-values"
    title: ClassVar[str] = "Different values in every class"
    summary: ClassVar[str] = "Every class of the published table has at least l different sensitive values."

    l: int = param(Int(low=1), default=2, label="l", help="Fewest different values.")  # noqa: E741
    column: str = param(
        Text(column=True, empty="Every sensitive column"),
        default="",
        label="Column",
        help="The sensitive column; nothing means every one.",
    )

    def demand(self) -> Message:
        """Say the l and the column."""
        if self.column:
            return message("No class with fewer than {l} values of “{column}”", l=self.l, column=self.column)
        return message("No class with fewer than {l} values of a sensitive column", l=self.l)

    def judge(self, shown: PolicyView) -> RuleResult:
        """Compare with the fewest values that were counted in a class."""
        told = shown.numbers["per_sensitive"]
        there = [column.name for column in shown.of_role(Role.SA)]
        looked = [self.column] if self.column else there
        if self.column not in ("", *there) or not looked:
            return RuleResult(
                False, message("There is no such sensitive column: nothing says what is to be protected.")
            )
        fewest = {name: int(told[name]["l"]["distinct"] or 0) for name in looked}
        bad = [name for name, values in fewest.items() if values < self.l]
        if bad:
            least = min(fewest.values())
            return RuleResult(
                False,
                message("Some class has only {l:value|values} of {columns}.", l=least, columns=quote(bad)),
            )
        return RuleResult(True, message("Every class has at least {l:value|values}.", l=min(fewest.values())))


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

    def judge(self, shown: PolicyView) -> RuleResult:
        """Compare with the largest share of every sensitive column."""
        largest = shown.numbers["largest_share"]
        bad = [name for name, share in largest.items() if share > self.share]
        most = max(largest.values(), default=0.0)
        if bad:
            return RuleResult(
                False, message("{columns}: up to {share:.1%} of a class.", columns=quote(bad), share=most)
            )
        return RuleResult(True, message("The largest share is {share:.1%}.", share=most))


@RULES.register
@dataclass(frozen=True, slots=True)
class ReidentificationRisk(Rule):
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

    def judge(self, shown: PolicyView) -> RuleResult:
        """Compare with the risk that was counted."""
        highest, slack = highest_risk(shown.numbers), 1 + 1e-9
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
        return RuleResult(holds and bool(shown.numbers["rows"]), found)


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

    def judge(self, shown: PolicyView) -> RuleResult:
        """Count what is not there and what says nothing."""
        lost = shown.rows_before - shown.numbers["rows"] + shown.numbers["emptied"]
        found = lost / max(shown.rows_before, 1)
        return RuleResult(found <= self.share, message("{share:.2%} are.", share=found))
