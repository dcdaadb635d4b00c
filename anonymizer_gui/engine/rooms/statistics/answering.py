"""One question on its way: counted, sent through its mechanisms, told; the only place where data and noise meet."""

import hashlib
import itertools
import json
from collections.abc import Collection
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from anonymizer_gui.engine.core import params
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.mechanisms.contract import Mechanism
from anonymizer_gui.engine.hierarchy.formats import json_tree
from anonymizer_gui.engine.rooms.statistics.answers import Answer, Noise
from anonymizer_gui.engine.rooms.statistics.asking import text_of
from anonymizer_gui.engine.rooms.statistics.calibration import Calibrated, calibrate
from anonymizer_gui.engine.rooms.statistics.interrupting import Interrupted
from anonymizer_gui.engine.rooms.statistics.project import Asked, Project
from anonymizer_gui.engine.rooms.statistics.question import Noisy, Question
from anonymizer_gui.engine.rooms.statistics.shape import refuse_no_unit, shape_of
from anonymizer_gui.engine.rooms.statistics.splitting import shares


@dataclass(frozen=True, slots=True)
class Planned:
    """A question of the plan with its budget, its words, and what it is remembered by."""

    asked: Asked
    made: Calibrated
    ask: str
    key: str


def planned(project: Project, rows: int | None = None) -> tuple[Planned, ...]:
    """Give every question of a plan its budget; `rows` are those of the data, used only where they are public.

    Raises BadParameter when a question cannot be asked, Infeasible when they cost more than the release may spend.
    """
    refuse_no_unit(project)
    for asked in project.questions:
        if asked.question.shape != project.shape:
            raise BadParameter(
                message("“{ask}” cannot be asked about this kind of data.", ask=text_of(asked)), "Leave it out."
            )
    both = zip(project.questions, shares(project, rows), strict=True)
    return tuple(_planned(asked, project, epsilon, rows) for asked, epsilon in both)


def unknown_column(name: str) -> BadParameter:
    """Say that a question is about a column that is not there."""
    return BadParameter(message("The data has no column “{name}”.", name=name), "Ask about one of its columns.")


def refuse_unknown(project: Project, columns: Collection[str]) -> None:
    """Raise BadParameter when a question or the unit is about a column that is not there."""
    asked = [name for each in project.questions for name in each.columns()]
    for name in filter(None, [project.unit.column, *asked]):
        if name not in columns:
            raise unknown_column(name)


def _planned(asked: Asked, project: Project, epsilon: Fraction, rows: int | None) -> Planned:
    made = calibrate(asked.question, project.public(asked, rows), epsilon, project.delta_of(asked))
    return Planned(asked, made, text_of(asked), _key(asked, project, made))


def _key(asked: Asked, project: Project, made: Calibrated) -> str:
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


def answer(planned: Planned, project: Project, data: Any, progress: Progress = SILENT) -> Answer:
    """Count, draw noise and tell; every call spends what the question was given.

    `data` is what is left of the whole when nobody has more rows than the unit allows.
    """
    progress(0.0, "Counting")
    asked, made = planned.asked, planned.made
    part = data if asked.part is None else shape_of(project.shape).part(data, asked.part)
    if asked.question.is_adaptive and made.mechanisms:
        return _told(asked, made, _in_turn(made, part, progress))
    counted = asked.question.counted(part, made.public)
    return _told(asked, made, _noisy(made, counted, progress.sub(0.5, 1.0)))


def _in_turn(made: Calibrated, data: Any, progress: Progress) -> Noisy:
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
        raise Interrupted(made.question.spent_after(made.mechanisms, len(drawn), made.public), cause) from cause
    return Noisy(tuple(drawn), made.mechanisms)


def _noisy(made: Calibrated, counted: tuple[Ints, ...], progress: Progress) -> Noisy:
    if not made.mechanisms:
        return Noisy(counted, ())
    both = zip(made.mechanisms, counted, strict=True)
    return Noisy(tuple(mechanism.release(numbers, progress) for mechanism, numbers in both), made.mechanisms)


def _told(asked: Asked, made: Calibrated, noisy: Noisy) -> Answer:
    question, public = made.question, made.public
    told = question.told(noisy, public)
    return Answer(
        ask=text_of(asked),
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


def _steps(made: Calibrated) -> tuple[Noise, ...]:
    steps = made.question.steps(made.public)
    every = [_noise(mechanism, step.cells) for mechanism, step in zip(made.mechanisms, steps, strict=False)]
    return tuple(replace(noise, times=len(list(alike))) for noise, alike in itertools.groupby(every))


def _noise(mechanism: Mechanism, cells: int) -> Noise:
    return Noise(
        mechanism.name,
        mechanism.distance,
        mechanism.sensitivity.is_monotone,
        mechanism.chosen,
        cells,
        mechanism.budget,
        mechanism.scale(),
    )
