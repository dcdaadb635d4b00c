"""What every mechanism has: a sensitivity and a budget, the scale that follows, and an error one can expect."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.dp import gateway
from anonymizer_gui.engine.dp.gateway import Ints, NoiseRequest
from anonymizer_gui.engine.dp.sensitivity import Sensitivity

USUAL_SHARE = 0.95
_FARTHEST_SCALE = 2**50


@dataclass(frozen=True, slots=True)
class Mechanism(ABC):
    """One mechanism, calibrated: `budget` is spent by one release of numbers that move by `sensitivity` at most.

    A subclass declares its words, what it spends, and whether it chooses candidates by their scores or answers with
    noisy numbers.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    formula: ClassVar[str]
    reference: ClassVar[str]
    spends: ClassVar[Literal["epsilon", "rho"]] = "epsilon"
    chooses: ClassVar[bool] = False

    sensitivity: Sensitivity
    budget: Budget

    def __post_init__(self) -> None:
        if not self.limit or self.budget != Budget(**{self.spends: self.limit}):
            words = message(
                "{mechanism} spends {what}, and nothing else.", mechanism=message(self.title), what=self.spends
            )
            raise BadParameter(words, "Give it some.")
        scale = self.scale()
        if scale and not 1 <= scale * _FARTHEST_SCALE <= _FARTHEST_SCALE**2:
            raise BadParameter(
                message("{mechanism} cannot draw noise of so extreme a size.", mechanism=message(self.title)),
                message("Choose a usual {what}, such as 1.", what=self.spends),
            )

    @property
    def limit(self) -> Fraction:
        """The amount of what it spends."""
        return self.budget.rho if self.spends == "rho" else self.budget.epsilon

    @property
    def distance(self) -> int:
        """How far the numbers can move, in the distance by which it is calibrated."""
        return self.sensitivity.linf

    @property
    def chosen(self) -> int:
        """How many candidates it chooses; 1 where it chooses none."""
        return 1

    def scale(self) -> Fraction:
        """Give the scale of the noise, a little above where it is a root."""
        return self._request(np.zeros(0, dtype=np.int64)).scale()

    @abstractmethod
    def error(self, cells: int = 1, share: float = USUAL_SHARE) -> int:
        """Say how far off an answer is at most in so large a share of releases.

        For noisy numbers it is the distance of the farthest of so many cells from the truth; for a choice among
        so many candidates, how much lower the score of a chosen one is than that of the best in its place.
        """

    def release(self, values: Ints, progress: Progress = SILENT) -> Ints:
        """Answer through the gateway; every call spends the budget."""
        return gateway.answer(self._request(values), progress)

    @abstractmethod
    def simulate(self, values: Ints, generator: np.random.Generator) -> Ints:
        """Answer about values that are not private, repeatable by the seed of the generator; never a release."""

    @abstractmethod
    def _request(self, values: Ints) -> NoiseRequest: ...


MECHANISMS: Registry[Mechanism] = Registry("mechanism", __package__)
