"""One question counted, perturbed, answered: where data and noise meet."""

import hashlib
import itertools
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from anonymizer_gui.engine.core import params
from anonymizer_gui.engine.core.budget import NO_BUDGET, Budget
from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter, Cancelled, CancelledAtCost
from anonymizer_gui.engine.core.messages import Message, join_messages, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.mechanisms.contract import Mechanism
from anonymizer_gui.engine.hierarchy.formats import json_tree
from anonymizer_gui.engine.releases.ledger.budget import Spend
from anonymizer_gui.engine.rooms.statistics.answers import Answer, NoiseRecord
from anonymizer_gui.engine.rooms.statistics.budget_allocation import CalibratedQuestion, allocate_budget, calibrate
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import data_kind
from anonymizer_gui.engine.rooms.statistics.project import PlannedQuestion, Project, refuse_no_unit
from anonymizer_gui.engine.rooms.statistics.question import NoisySteps, Question
from anonymizer_gui.engine.rooms.statistics.question_syntax import question_text


class InterruptedRun(Exception):
    """A question of several steps ended early; `spent` is what its noise has cost until then."""

    def __init__(self, spent: Budget, cause: BaseException) -> None:
        super().__init__(str(cause))
        self.spent = spent
        self.cause = cause


def error_with_cost(cause: BaseException, spends: Sequence[Spend], *, has_ledger: bool) -> BaseException:
    """Give what ended a run, with a sentence about its cost; a fault of the program stays as it is."""
    cost = _cost(sum((spend.spend for spend in spends), NO_BUDGET), has_ledger=has_ledger)
    if isinstance(cause, Cancelled | KeyboardInterrupt):
        return CancelledAtCost(cost, message("Nothing of it was shown."))
    if isinstance(cause, AnonymizerError):
        cause.message = join_messages(cause.message, cost)
    return cause


def _cost(spent: Budget, *, has_ledger: bool) -> Message:
    if has_ledger:
        return message("Noise was drawn already: {spent} was spent and stands in the ledger.", spent=spent.sentence())
    return message("Noise was drawn already: {spent} was spent, and no ledger remembers it.", spent=spent.sentence())


@dataclass(frozen=True, slots=True)
class BudgetedQuestion:
    """A question of the plan with its budget, its words, and what it is remembered by."""

    asked: PlannedQuestion
    made: CalibratedQuestion
    ask: str
    key: str


def budget_questions(project: Project, rows: int | None = None) -> tuple[BudgetedQuestion, ...]:
    """Give every question of a plan its budget; `rows` are those of the data, used only where they are public.

    Raises BadParameter when a question cannot be asked, Infeasible when they cost more than the release may spend.
    """
    refuse_no_unit(project)
    for asked in project.questions:
        if asked.question.shape != project.shape:
            raise BadParameter(
                message("“{ask}” cannot be asked about this kind of data.", ask=question_text(asked)), "Leave it out."
            )
    both = zip(project.questions, allocate_budget(project, rows), strict=True)
    return tuple(_planned(asked, project, epsilon, rows) for asked, epsilon in both)


def unknown_column(name: str) -> BadParameter:
    """Say that a question is about a column that is not there."""
    return BadParameter(message("The data has no column “{name}”.", name=name), "Ask about one of its columns.")


def refuse_unknown_columns(project: Project, columns: Collection[str]) -> None:
    """Raise BadParameter when a question or the unit is about a column that is not there."""
    asked = [name for each in project.questions for name in each.columns()]
    for name in filter(None, [project.unit.column, *asked]):
        if name not in columns:
            raise unknown_column(name)


def _planned(asked: PlannedQuestion, project: Project, epsilon: Fraction, rows: int | None) -> BudgetedQuestion:
    made = calibrate(asked.question, project.public(asked, rows), epsilon, project.delta_of(asked))
    return BudgetedQuestion(asked, made, question_text(asked), _key(asked, project, made))


def _key(asked: PlannedQuestion, project: Project, made: CalibratedQuestion) -> str:
    """Give what tells one question from another, whatever it costs: the same question again is answered from memory."""
    decided: Json = [
        asked.question.name,
        params.to_json(asked.question.remembered()),
        asked.part,
        str(project.unit),
        project.surplus if project.unit.column else "",
        asked.question.labels(made.public),
        made.public.decimal,
        _meanings(asked.question, project),
    ]
    return hashlib.sha256(json.dumps(decided, sort_keys=True).encode()).hexdigest()


def _meanings(question: Question, project: Project) -> Json:
    """Give the hierarchies that say which values belong to which cell."""
    if not question.uses_hierarchies:
        return []
    return [json_tree.to_json(tree) for name in question.columns() if (tree := project.hierarchies.get(name))]


def answer_question(planned: BudgetedQuestion, project: Project, data: Any, progress: Progress = SILENT) -> Answer:
    """Count, draw noise and tell; every call spends what the question was given.

    `data` is what is left of the whole when nobody has more rows than the unit allows.
    """
    progress(0.0, "Counting")
    asked, made = planned.asked, planned.made
    part = data if asked.part is None else data_kind(project.shape).part(data, asked.part)
    if asked.question.is_adaptive and made.mechanisms:
        return _told(asked, made, _in_turn(made, part, progress))
    counted = asked.question.counted(part, made.public)
    return _told(asked, made, _noisy(made, counted, progress.sub(0.5, 1.0)))


def _in_turn(made: CalibratedQuestion, data: Any, progress: Progress) -> NoisySteps:
    """Draw one step after the other; each is counted with the noisy answers before it in hand."""
    drawn: list[Ints] = []
    data = made.question.prepared(data, made.public)
    try:
        for at, mechanism in enumerate(made.mechanisms):
            progress(at / len(made.mechanisms), "Counting")
            drawn.append(mechanism.release(made.question.counted_after(data, made.public, tuple(drawn)), progress))
    except BaseException as cause:
        if not drawn:
            raise
        raise InterruptedRun(made.question.spent_after(made.mechanisms, len(drawn), made.public), cause) from cause
    return NoisySteps(tuple(drawn), made.mechanisms)


def _noisy(made: CalibratedQuestion, counted: tuple[Ints, ...], progress: Progress) -> NoisySteps:
    if not made.mechanisms:
        return NoisySteps(counted, ())
    both = zip(made.mechanisms, counted, strict=True)
    return NoisySteps(tuple(mechanism.release(numbers, progress) for mechanism, numbers in both), made.mechanisms)


def _told(asked: PlannedQuestion, made: CalibratedQuestion, noisy: NoisySteps) -> Answer:
    question, public = made.question, made.public
    told = question.told(noisy, public)
    return Answer(
        ask=question_text(asked),
        question=question.name,
        mechanism=made.mechanism,
        sensitivity=question.sensitivity(public),
        why=question.why(public),
        scale=made.scale,
        epsilon=made.epsilon,
        spend=made.spend,
        error95=made.error(1, noisy),
        error95_all=made.error(max(len(told.values), 1), noisy),
        in_unit=question.in_unit(),
        value=told.value,
        values=told.values,
        notes=told.notes,
        part=asked.part,
        steps=_steps(made),
        parameters={**params.to_json(question), **question.facts(public)},
        has_interval=question.has_interval,
        model=told.model,
    )


def _steps(made: CalibratedQuestion) -> tuple[NoiseRecord, ...]:
    steps = made.question.steps(made.public)
    every = [_noise(mechanism, step.cells) for mechanism, step in zip(made.mechanisms, steps, strict=False)]
    return tuple(replace(noise, times=len(list(alike))) for noise, alike in itertools.groupby(every))


def _noise(mechanism: Mechanism, cells: int) -> NoiseRecord:
    return NoiseRecord(
        mechanism.name,
        mechanism.distance,
        mechanism.sensitivity.is_monotone,
        mechanism.chosen,
        cells,
        mechanism.budget,
        mechanism.scale(),
    )
