"""What a plan will cost and how far off its answers will be: shown before anything is asked, without the data."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from anonymizer_gui.engine.core.budget import NO_BUDGET, Budget
from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.dp.accountant import ComposedBudget, compose, compose_parts
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS
from anonymizer_gui.engine.rooms.statistics.answering import planned, unknown_column
from anonymizer_gui.engine.rooms.statistics.asking import text_of
from anonymizer_gui.engine.rooms.statistics.calibration import EXACT, Calibrated, calibrate
from anonymizer_gui.engine.rooms.statistics.project import Asked, Project
from anonymizer_gui.engine.rooms.statistics.splitting import shares


@dataclass(frozen=True, slots=True)
class Outlook:
    """One question of a plan as it would be answered; one with a problem has nothing else to tell.

    `is_signal` says whether the answer is expected to be larger than its error, nothing where nobody can say.
    """

    asked: Asked
    ask: str
    problem: AnonymizerError | None = None
    mechanism: str = ""
    mechanism_title: str = ""
    sensitivity: Fraction = Fraction(0)
    why: str = ""
    scale: Fraction = Fraction(0)
    epsilon: Fraction = Fraction(0)
    spend: Budget = NO_BUDGET
    cells: int = 0
    error95: float | None = None
    error95_all: float | None = None
    in_unit: str = ""
    is_signal: bool | None = None


def outlook(project: Project, columns: Collection[str] | None = None) -> tuple[Outlook, ...]:
    """Look ahead at every question of a plan; one about a column that is not among those of the data has a problem."""
    problems = [_unknown(asked, columns) or _problem(asked, project) for asked in project.questions]
    good = tuple(asked for asked, problem in zip(project.questions, problems, strict=True) if problem is None)
    try:
        epsilons = iter(shares(replace(project, questions=good)))
    except AnonymizerError as error:
        return tuple(
            Outlook(asked, text_of(asked), problem or error)
            for asked, problem in zip(project.questions, problems, strict=True)
        )
    return tuple(
        Outlook(asked, text_of(asked), problem) if problem else _seen(asked, project, next(epsilons))
        for asked, problem in zip(project.questions, problems, strict=True)
    )


def cost(project: Project) -> ComposedBudget:
    """Compose what the questions of a plan would cost together; raises what keeps them from being asked."""
    spends = [(each.made.spend, each.asked.part) for each in planned(project)]
    return compose(compose_parts(spends, project.unit), project.delta)


def error_curve(asked: Asked, project: Project, epsilons: Iterable[Fraction]) -> tuple[float | None, ...]:
    """Give the 95 % error of one number of the answer for several epsilons; nothing where it cannot be had."""
    return tuple(_error(asked, project, epsilon) for epsilon in epsilons)


def _error(asked: Asked, project: Project, epsilon: Fraction) -> float | None:
    try:
        return calibrate(asked.question, project.public(asked), epsilon, project.delta_of(asked)).error()
    except AnonymizerError:
        return None


def _unknown(asked: Asked, columns: Collection[str] | None) -> AnonymizerError | None:
    unknown = [name for name in asked.columns() if columns is not None and name and name not in columns]
    return unknown_column(unknown[0]) if unknown else None


def _problem(asked: Asked, project: Project) -> AnonymizerError | None:
    try:
        calibrate(asked.question, project.public(asked), asked.epsilon or Fraction(1), project.delta_of(asked))
    except AnonymizerError as error:
        return error
    return None


def _seen(asked: Asked, project: Project, epsilon: Fraction) -> Outlook:
    made = calibrate(asked.question, project.public(asked), epsilon, project.delta_of(asked))
    question, public = made.question, made.public
    return Outlook(
        asked,
        text_of(asked),
        mechanism=made.mechanism,
        mechanism_title=_title(made),
        sensitivity=question.sensitivity(public),
        why=question.why(public),
        scale=made.scale,
        epsilon=made.epsilon,
        spend=made.spend,
        cells=made.cells,
        error95=made.error(),
        error95_all=made.error(made.cells),
        in_unit=question.in_unit(),
        is_signal=_is_signal(made),
    )


def _title(made: Calibrated) -> Message:
    return (
        message("No noise: it is public") if made.mechanism == EXACT else message(MECHANISMS.get(made.mechanism).title)
    )


def _is_signal(made: Calibrated) -> bool | None:
    typical, error = made.question.typical(made.public), made.error()
    return None if typical is None or error is None else error < typical
