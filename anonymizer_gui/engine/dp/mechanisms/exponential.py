"""The exponential mechanism: one candidate, the likelier the higher its score."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.dp.gateway import Ints, Request
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS, USUAL_SHARE, Mechanism


@MECHANISMS.register
@dataclass(frozen=True, slots=True)
class Exponential(Mechanism):
    """Chooses with P proportional to exp(score / scale), scale = 2 S / epsilon, or S / epsilon for monotone scores."""

    name: ClassVar[str] = "exponential"
    title: ClassVar[str] = "Exponential mechanism"
    summary: ClassVar[str] = "Chooses one candidate, the likelier the higher its score, and tells no score."
    formula: ClassVar[str] = "P(c) ∝ exp(ε score(c) / 2S); without the 2 when all scores move one way"
    reference: ClassVar[str] = "McSherry and Talwar, Mechanism design via differential privacy, FOCS 2007"
    chooses: ClassVar[bool] = True

    def error(self, cells: int = 1, share: float = USUAL_SHARE) -> int:
        """Each worse candidate is chosen with probability of at most exp(-shortfall / scale)."""
        return shortfall(float(self.scale()), cells, share)

    def simulate(self, values: Ints, generator: np.random.Generator) -> Ints:
        """Choose by Gumbel noise, which has the same probabilities."""
        noisy = values + generator.gumbel(0.0, float(self.scale()), len(values))
        return np.array([np.argmax(noisy)], dtype=np.int64)

    def _request(self, values: Ints) -> Request:
        return Request("exponential", values, self.sensitivity.linf, self.limit, self.sensitivity.is_monotone)


def shortfall(scale: float, ways: int, share: float) -> int:
    """Give the largest distance from the best that is not too unlikely, when so many ways lead to each."""
    return max(math.ceil(scale * math.log(ways / (1 - share)) - 1 - 1e-9), 0)
