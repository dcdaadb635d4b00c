"""Calibrated mechanisms of a question; how a budget is shared among questions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.core.errors import BadParameter, Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.dp.accountant import compose_parts
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS, Mechanism
from anonymizer_gui.engine.dp.sensitivity import Neighbours
from anonymizer_gui.engine.rooms.statistics.project import PlannedQuestion, Project
from anonymizer_gui.engine.rooms.statistics.question import NoisySteps, PublicKnowledge, Question, WithNoise, cost_of

EXACT = "none"
"""The mechanism of an answer that is public anyway."""


@dataclass(frozen=True, slots=True)
class CalibratedQuestion:
    """A question, what it may know, what it spends, and a mechanism for each of its steps.

    A question whose numbers are public anyway has no mechanisms and spends nothing.
    """

    question: Question
    public: PublicKnowledge
    epsilon: Fraction
    spend: Budget
    mechanisms: tuple[Mechanism, ...]

    @property
    def mechanism(self) -> str:
        """The name of the mechanism."""
        return self._told.name if self.mechanisms else EXACT

    @property
    def _told(self) -> Mechanism:
        return self.mechanisms[self.question.told_step(self.public)]

    @property
    def cells(self) -> int:
        """The number of cells or candidates."""
        return self.question.steps(self.public)[self.question.told_step(self.public)].cells

    @property
    def scale(self) -> Fraction:
        """The scale of the noise, in the unit of the answer; for a choice in that of the scores."""
        return self._told.scale() * self.question.size(self.public) if self.mechanisms else Fraction(0)

    def error(self, cells: int = 1, noisy: NoisySteps | None = None) -> float | None:
        """Say how far off the farthest of so many cells is at most in 95 of 100 releases."""
        return self.question.error(self.mechanisms, self.public, cells, noisy) if self.mechanisms else 0.0


def calibrate(question: Question, public: PublicKnowledge, epsilon: Fraction, delta: Fraction) -> CalibratedQuestion:
    """Give a question its budget; raises BadParameter when it cannot be asked."""
    public = replace(public, epsilon=epsilon, delta=delta)
    spend = cost_of(question, public, epsilon, delta)
    if not spend:
        return CalibratedQuestion(question, public, Fraction(0), spend, ())
    return CalibratedQuestion(question, public, epsilon, spend, question.calibrated(public, spend))


_MILLION = 10**6

_LARGEST = 1000


def allocate_budget(project: Project, rows: int | None = None) -> tuple[Fraction, ...]:
    """Give the epsilon of every question, 0 for what costs nothing; they never cost more than the release may spend.

    Raises Infeasible when what is locked, or the error wanted, costs more; BadParameter when a question lacks bounds.
    """
    given = [_given(asked, project, rows) for asked in project.questions]
    waiting = [epsilon is None for epsilon in given]
    locked = [epsilon or Fraction(0) for epsilon in given]
    left = project.epsilon - _cost(locked, project)
    if left < 0 or (any(waiting) and left == 0):
        raise Infeasible(
            message(
                "The questions cost epsilon {asked:.9g}, but the release may spend {most:.9g}.",
                asked=float(project.epsilon - left),
                most=float(project.epsilon),
            ),
            "Ask less, accept larger errors, or give the release a larger epsilon.",
        )
    weights = _weights(project, waiting)
    whole = _cost(weights, project)
    one = left / max(whole, Fraction(1)) if project.policy == "geometric" else left / (whole or Fraction(1))
    return tuple(epsilon + one * weight for epsilon, weight in zip(locked, weights, strict=True))


def _given(asked: PlannedQuestion, project: Project, rows: int | None) -> Fraction | None:
    """Give what a question gets whatever the others do: 0 for what is public, what is locked, what its error needs."""
    if _is_free(asked, project, rows):
        return Fraction(0)
    if asked.epsilon is None and project.policy == "error":
        return _for_error(asked, project, rows)
    return asked.epsilon


def _is_free(asked: PlannedQuestion, project: Project, rows: int | None) -> bool:
    return not cost_of(asked.question, project.public(asked, rows), Fraction(1), project.delta_of(asked))


def _cost(epsilons: Sequence[Fraction], project: Project) -> Fraction:
    """Add up epsilons; of the parts of one column only the dearest counts."""
    both = zip(epsilons, project.questions, strict=True)
    charged = compose_parts(((_about(epsilon, asked, project), asked.part) for epsilon, asked in both), project.unit)
    return sum((spend.epsilon for spend in charged), Fraction(0))


def _about(epsilon: Fraction, asked: PlannedQuestion, project: Project) -> Budget:
    """Give what stands for a spend while epsilons are shared; four times a rho is no more than four times its epsilon,
    of which parts are charged two.
    """
    is_dearer = asked.part is not None and project.unit.kind is Neighbours.CHANGE
    is_rho = (
        is_dearer and isinstance(asked.question, WithNoise) and MECHANISMS.get(asked.question.noise).spends == "rho"
    )
    return Budget(epsilon=2 * epsilon if is_rho else epsilon)


def _weights(project: Project, waiting: Sequence[bool]) -> list[Fraction]:
    """Give the weight of every question that waits for its share, 0 for the others."""
    if project.policy == "weights":
        every = [asked.weight for asked in project.questions]
    elif project.policy == "geometric":
        every = [(1 - project.ratio) * project.ratio ** sum(waiting[:place]) for place in range(len(waiting))]
    else:
        every = [Fraction(1)] * len(waiting)
    return [weight if waits else Fraction(0) for weight, waits in zip(every, waiting, strict=True)]


def _for_error(asked: PlannedQuestion, project: Project, rows: int | None) -> Fraction:
    """Find the smallest epsilon, in millionths, whose expected error is the one wanted."""
    if not asked.error:
        raise BadParameter(
            message("The question “{ask}” has no error wanted.", ask=" ".join(asked.question.words())),
            "Say how far off the answer may be, or lock its epsilon.",
        )
    low, high = 0, _LARGEST * _MILLION
    if not _is_enough(asked, project, rows, high):
        raise BadParameter(
            message(
                "No epsilon brings the error of “{ask}” down to {error:g}.",
                ask=" ".join(asked.question.words()),
                error=asked.error,
            ),
            "Accept a larger error, or say how many rows there are.",
        )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _is_enough(asked, project, rows, middle) else (middle, high)
    return Fraction(high, _MILLION)


def _is_enough(asked: PlannedQuestion, project: Project, rows: int | None, millionths: int) -> bool:
    try:
        made = calibrate(
            asked.question, project.public(asked, rows), Fraction(millionths, _MILLION), project.delta_of(asked)
        )
    except BadParameter:
        return False
    error = made.error()
    return error is not None and error <= asked.error
