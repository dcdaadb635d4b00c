"""The plan: who is protected, what is asked, and what it may cost; one frozen value that a user edits."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import ClassVar, Literal, Self

from anonymizer_gui.engine.dp.accountant import Part
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import USUAL_SHAPE, Question
from anonymizer_gui.engine.storage.sources import Source

TABLE, LEDGER = "table", "ledger"
"""The roles of the files a project may name."""

Surplus = Literal["sampled", "first"]
SURPLUS: Mapping[Surplus, str] = {
    "sampled": "Keep some of a person's rows, drawn by lot",
    "first": "Keep the first rows of a person",
}
Policy = Literal["equal", "geometric", "weights", "error"]
POLICIES: Mapping[Policy, str] = {
    "equal": "The same for every question",
    "geometric": "Half of what is left for each question in turn",
    "weights": "By the weights of the questions",
    "error": "As little as the error wanted allows",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of the plan, and what is decided about its budget.

    An epsilon that is given is locked; the others share what is left by the policy. `error` is the 95 % error wanted,
    in the unit of the answer. `part` restricts the question to the rows with one value of a public column.
    """

    question: Question
    epsilon: Fraction | None = None
    weight: Fraction = Fraction(1)
    error: float = 0.0
    part: Part | None = None

    def columns(self) -> tuple[str, ...]:
        """Name the columns it speaks of, that of its part included."""
        return (*self.question.columns(), *(self.part or ())[:1])


@dataclass(frozen=True, slots=True)
class Project:
    """Everything that is decided about the statistics of one data set; an edit makes a new value."""

    room: ClassVar[str] = "statistics"

    name: str = ""
    source: Source | None = None
    ledger: Source | None = None
    shape: str = USUAL_SHAPE
    unit: PrivacyUnit = field(default_factory=PrivacyUnit)
    surplus: Surplus = "sampled"
    questions: tuple[Asked, ...] = ()
    epsilon: Fraction = Fraction(1)
    """What one release may spend."""
    total: Fraction = Fraction(3)
    """What all releases of the data set may spend together."""
    delta: Fraction = Fraction(0)
    """The chance of failure that all releases together may have; Gaussian noise needs one."""
    policy: Policy = "equal"
    ratio: Fraction = Fraction(1, 2)
    """What each question leaves to the ones behind it, by the geometric policy."""
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    rows: int = 0
    """About how many rows there are, public or guessed; only for expected errors and simulated previews."""

    def columns(self) -> list[str]:
        """Name the columns the plan speaks of, each once."""
        asked = [name for each in self.questions for name in each.columns()]
        return list(dict.fromkeys(filter(None, [self.unit.column, *asked, *self.hierarchies])))

    def sources(self) -> dict[str, Source]:
        """Give the files the project speaks of, by role."""
        named = {TABLE: self.source, LEDGER: self.ledger}
        return {role: source for role, source in named.items() if source is not None}

    def with_sources(self, sources: Mapping[str, Source]) -> Self:
        """Take other files for these roles; a role that is not named has none."""
        return replace(self, source=sources.get(TABLE), ledger=sources.get(LEDGER))

    def delta_of(self, asked: Asked) -> Fraction:
        """Give the delta a question may use: of the whole where it spends one, otherwise what those leave over."""
        own = [each.question.own_delta(self.delta) for each in self.questions]
        if asked.question.own_delta(self.delta) is not None:
            return self.delta
        return max(self.delta - sum((delta for delta in own if delta is not None), Fraction(0)), Fraction(0))

    def public(self, asked: Asked, rows: int | None = None) -> Public:
        """Give what a question may know; `rows` are those of the data, which a changed row leaves as they are."""
        unit = self.unit if asked.part is None else self.unit.within_part
        is_known = unit.kind is Neighbours.CHANGE
        known = (self.rows or None if rows is None else rows) if is_known else None
        decimal = str(self.source.options.get("decimal", ".")) if self.source else "."
        return Public(unit, self.hierarchies, decimal, known, self.rows)
