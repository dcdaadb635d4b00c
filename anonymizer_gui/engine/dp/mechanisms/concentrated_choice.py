"""The exponential mechanism paid with rho: a choice among noisy numbers that are Gaussian."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np

from anonymizer_gui.engine.dp.gateway import Ints, Request
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS, USUAL_SHARE, Mechanism
from anonymizer_gui.engine.dp.mechanisms.exponential import shortfall
from anonymizer_gui.engine.dp.rounding import root_below


@MECHANISMS.register
@dataclass(frozen=True, slots=True)
class ConcentratedChoice(Mechanism):
    """Chooses as the exponential mechanism with epsilon = sqrt(8 rho) does, which is rho-zCDP by its bounded range."""

    name: ClassVar[str] = "concentrated-choice"
    title: ClassVar[str] = "Exponential mechanism, paid with rho"
    summary: ClassVar[str] = (
        "Chooses one candidate as the exponential mechanism does, where the rest is Gaussian noise."
    )
    formula: ClassVar[str] = "P(c) ∝ exp(ε score(c) / 2S), ε = √(8ρ)"
    reference: ClassVar[str] = "Cesar and Rogers, Bounding, concentrating, and truncating, ALT 2021"
    spends: ClassVar[Literal["epsilon", "rho"]] = "rho"
    chooses: ClassVar[bool] = True

    def error(self, cells: int = 1, share: float = USUAL_SHARE) -> int:
        """Each worse candidate is chosen with probability of at most exp(-shortfall / scale)."""
        return shortfall(float(self.scale()), cells, share)

    def simulate(self, values: Ints, generator: np.random.Generator) -> Ints:
        """Choose by Gumbel noise, which has the same probabilities."""
        noisy = values + generator.gumbel(0.0, float(self.scale()), len(values))
        return np.array([np.argmax(noisy)], dtype=np.int64)

    def _request(self, values: Ints) -> Request:
        return Request("exponential", values, self.sensitivity.linf, self._epsilon(), self.sensitivity.is_monotone)

    def _epsilon(self) -> Fraction:
        """Give the epsilon whose square is no more than 8 rho."""
        return root_below(8 * self.limit)
