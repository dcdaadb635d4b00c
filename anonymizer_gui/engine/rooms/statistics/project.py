"""The plan: unit, questions, budgets; its JSON.

A shape is one file in `shapes/`, its questions are files in `questions/<shape>/`, and what the audit must know of them
one file in `audit/shapes/`; nothing else has to be touched.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, Literal, Self, get_args

from anonymizer_gui.engine.core.budget import amount_text, exact_amount
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.dp.accountant import Part
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit
from anonymizer_gui.engine.hierarchy.formats import json_tree
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.projects.json_entries import (
    EntryReader,
    entry_at,
    number_in,
    refuse_unknown_entries,
    registered,
    registered_json,
    require_only,
    text_in,
    whole_in,
)
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import DATA_KINDS, Surplus, data_kind
from anonymizer_gui.engine.rooms.statistics.question import DEFAULT_DATA_KIND, QUESTIONS, PublicKnowledge, Question
from anonymizer_gui.engine.storage.sources import Source

TABLE, LEDGER = "table", "ledger"
"""The roles of the files a project may name."""

Policy = Literal["equal", "geometric", "weights", "error"]

POLICIES: Mapping[Policy, str] = {
    "equal": "The same for every question",
    "geometric": "Half of what is left for each question in turn",
    "weights": "By the weights of the questions",
    "error": "As little as the error wanted allows",
}


@dataclass(frozen=True, slots=True)
class PlannedQuestion:
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
    shape: str = DEFAULT_DATA_KIND
    unit: PrivacyUnit = field(default_factory=PrivacyUnit)
    surplus: Surplus = "sampled"
    questions: tuple[PlannedQuestion, ...] = ()
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

    def delta_of(self, asked: PlannedQuestion) -> Fraction:
        """Give the delta a question may use: of the whole where it spends one, otherwise what those leave over."""
        own = [each.question.own_delta(self.delta) for each in self.questions]
        if asked.question.own_delta(self.delta) is not None:
            return self.delta
        return max(self.delta - sum((delta for delta in own if delta is not None), Fraction(0)), Fraction(0))

    def public(self, asked: PlannedQuestion, rows: int | None = None) -> PublicKnowledge:
        """Give what a question may know; `rows` are those of the data, which a changed row leaves as they are."""
        unit = self.unit if asked.part is None else self.unit.within_part
        is_known = unit.kind is Neighbours.CHANGE
        known = (self.rows or None if rows is None else rows) if is_known else None
        decimal = str(self.source.options.get("decimal", ".")) if self.source else "."
        return PublicKnowledge(unit, self.hierarchies, decimal, known, self.rows)


def protected_by(project: Project) -> Message:
    """Say who is protected by a plan."""
    return data_kind(project.shape).sentence(project.unit)


def refuse_no_unit(project: Project) -> None:
    """Raise BadParameter when nobody can be protected like that in data of this shape."""
    shape = data_kind(project.shape)
    if project.unit.kind not in shape.units():
        raise BadParameter(
            message(
                "“{unit}” cannot be protected in this kind of data: {title}.",
                unit=str(project.unit),
                title=message(shape.title),
            ),
            message("Protect one of these: {units}.", units=[str(kind) for kind in shape.units()]),
        )


_LARGEST_EPSILON = 1000

_LARGEST_ERROR = 1e300

_MOST_ROWS = 1 << 50


def project_to_json(project: Project) -> dict[str, Json]:
    """Give everything that is decided but name and sources, in the order a person would read it."""
    return {
        "shape": project.shape,
        "unit": str(project.unit),
        "surplus": project.surplus,
        "questions": [_asked_json(asked) for asked in project.questions],
        "epsilon": amount_text(project.epsilon),
        "total": amount_text(project.total),
        "delta": amount_text(project.delta),
        "policy": project.policy,
        "ratio": amount_text(project.ratio),
        "rows": project.rows,
        "hierarchies": {name: json_tree.to_json(tree) for name, tree in project.hierarchies.items()},
    }


def project_from_json(entries: Mapping[str, Json]) -> Project:
    """Make the project; raises BadProject with one sentence for the first thing that is wrong."""
    usual = project_to_json(Project())
    refuse_unknown_entries(entries, usual)
    told = {**usual, **entries}
    read = EntryReader(told)

    def made(name: str, make: Callable[[Json], Any]) -> Any:
        return entry_at(name, make, told[name])

    return Project(
        shape=made("shape", lambda entry: _one_of(DATA_KINDS.names(), entry)),
        unit=made("unit", lambda entry: PrivacyUnit.parse(text_in(entry))),
        surplus=made("surplus", lambda entry: _one_of(get_args(Surplus), entry)),
        questions=read.list_of("questions", _asked),
        epsilon=made("epsilon", _epsilon),
        total=made("total", _epsilon),
        delta=made("delta", _delta),
        policy=made("policy", lambda entry: _one_of(get_args(Policy), entry)),
        ratio=made("ratio", _ratio),
        rows=made("rows", _rows),
        hierarchies=read.mapping_of("hierarchies", json_tree.from_json),
    )


def _asked_json(asked: PlannedQuestion) -> Json:
    return {
        **registered_json(asked.question),
        "epsilon": None if asked.epsilon is None else amount_text(asked.epsilon),
        "weight": amount_text(asked.weight),
        "error": asked.error,
        "part": None if asked.part is None else list(asked.part),
    }


def _asked(entry: Json) -> PlannedQuestion:
    known = require_only(entry, "name", "parameters", "epsilon", "weight", "error", "part")
    question = registered(QUESTIONS, {name: known[name] for name in ("name", "parameters") if name in known})
    epsilon, part = known.get("epsilon"), known.get("part")
    column, value = (text_in(side) for side in part) if part is not None else ("", "")
    return PlannedQuestion(
        question,
        None if epsilon is None else _epsilon(epsilon),
        _above(known.get("weight", "1"), _LARGEST_EPSILON),
        number_in(known.get("error", 0.0), 0.0, _LARGEST_ERROR),
        None if part is None else (column, value),
    )


def _one_of(options: Sequence[str], entry: Json) -> str:
    if text_in(entry) not in options:
        raise ValueError
    return str(entry)


def _epsilon(entry: Json) -> Fraction:
    return _above(entry, _LARGEST_EPSILON)


def _above(entry: Json, most: int) -> Fraction:
    number = _exact(entry)
    if not 0 < number <= most:
        raise ValueError
    return number


def _delta(entry: Json) -> Fraction:
    number = _exact(entry)
    if number >= 1:
        raise ValueError
    return number


def _ratio(entry: Json) -> Fraction:
    number = _exact(entry)
    if not 0 < number < 1:
        raise ValueError
    return number


def _exact(entry: Json) -> Fraction:
    if isinstance(entry, bool) or not isinstance(entry, int | float | str):
        raise ValueError
    return exact_amount(entry)


def _rows(entry: Json) -> int:
    if not 0 <= whole_in(entry) <= _MOST_ROWS:
        raise ValueError
    return int(entry)
