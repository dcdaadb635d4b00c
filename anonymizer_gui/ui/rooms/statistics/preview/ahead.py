"""What is seen ahead of one question: possible releases, and the error for several epsilons."""

from dataclasses import dataclass
from fractions import Fraction

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.statistics.benches.simulated_releases import simulate_question
from anonymizer_gui.engine.rooms.statistics.cost_preview import error_curve
from anonymizer_gui.engine.rooms.statistics.project import PlannedQuestion, Project
from anonymizer_gui.engine.rooms.statistics.question import AnswerValue

RELEASES = 30
_EPSILONS = tuple(Fraction(n) * Fraction(10) ** power for power in (-2, -1, 0, 1) for n in (1, 2, 3, 5, 7))


@dataclass(frozen=True, slots=True)
class Ahead:
    """Numbers for the charts; of a choice 1 stands for a candidate that is chosen, 0 for the others."""

    labels: tuple[str, ...]
    truth: tuple[float, ...]
    draws: tuple[tuple[float, ...], ...]
    chooses: bool
    epsilons: tuple[float, ...]
    errors: tuple[float, ...]
    error: float | None
    in_unit: str
    rows: int
    seed: int


def look_ahead(asked: PlannedQuestion, project: Project, epsilon: Fraction, seed: int, progress: Progress) -> Ahead:
    """Draw possible releases and compute the errors, from the plan alone: the table is not even given."""
    progress(0.0, "Drawing possible releases")
    preview = simulate_question(asked, project, epsilon, seed=seed, releases=RELEASES)
    progress(0.5, "Computing errors")
    *errors, error = error_curve(asked, project, (*_EPSILONS, epsilon))
    known = [(float(at), found) for at, found in zip(_EPSILONS, errors, strict=True) if found is not None]
    every = _labels(preview.labels, preview.truth)
    labels = tuple(label for label in every if label.endswith(asked.question.charted))
    return Ahead(
        labels,
        _numbers(preview.truth, labels),
        tuple(_numbers(told, labels) for told in preview.draws),
        isinstance(preview.truth.value, str | tuple),
        tuple(at for at, _ in known),
        tuple(found for _, found in known),
        error,
        asked.question.in_unit(),
        preview.rows,
        seed,
    )


def _labels(labels: tuple[str, ...], truth: AnswerValue) -> tuple[str, ...]:
    if isinstance(truth.value, int | float):
        return ("",)
    return tuple(label for label, _ in truth.values) if truth.values and truth.value is None else labels


def _numbers(told: AnswerValue, labels: tuple[str, ...]) -> tuple[float, ...]:
    """Give a number for each label."""
    if isinstance(told.value, str | tuple):
        chosen = {told.value} if isinstance(told.value, str) else set(told.value)
        return tuple(float(label in chosen) for label in labels)
    if told.value is not None:
        return (float(told.value),)
    found = dict(told.values)
    return tuple(float(found.get(label, 0)) for label in labels)
