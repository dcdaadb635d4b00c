"""A question with its budget: the mechanisms that will answer it, and the error one can expect; no data is touched."""

from dataclasses import dataclass, replace
from fractions import Fraction

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.dp.mechanisms.contract import Mechanism
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import Noisy, Question, spend_of

EXACT = "none"
"""The mechanism of an answer that is public anyway."""


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A question, what it may know, what it spends, and a mechanism for each of its steps.

    A question whose numbers are public anyway has no mechanisms and spends nothing.
    """

    question: Question
    public: Public
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

    def error(self, cells: int = 1, noisy: Noisy | None = None) -> float | None:
        """Say how far off the farthest of so many cells is at most in 95 of 100 releases."""
        return self.question.error(self.mechanisms, self.public, cells, noisy) if self.mechanisms else 0.0


def calibrate(question: Question, public: Public, epsilon: Fraction, delta: Fraction) -> Calibrated:
    """Give a question its budget; raises BadParameter when it cannot be asked."""
    public = replace(public, epsilon=epsilon, delta=delta)
    spend = spend_of(question, public, epsilon, delta)
    if not spend:
        return Calibrated(question, public, Fraction(0), spend, ())
    return Calibrated(question, public, epsilon, spend, question.calibrated(public, spend))
