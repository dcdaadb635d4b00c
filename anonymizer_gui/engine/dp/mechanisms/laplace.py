"""Discrete Laplace noise: whole numbers, pure differential privacy."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.dp.gateway import Ints, Request
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS, USUAL_SHARE, Mechanism


@MECHANISMS.register
@dataclass(frozen=True, slots=True)
class DiscreteLaplace(Mechanism):
    """Adds noise with P(x) proportional to exp(-|x| / scale), scale = L1 sensitivity / epsilon, to every cell."""

    name: ClassVar[str] = "laplace"
    title: ClassVar[str] = "Discrete Laplace noise"
    summary: ClassVar[str] = "Adds a random whole number to every count or sum; its spread is sensitivity / epsilon."
    formula: ClassVar[str] = "P(x) ∝ exp(-|x| ε / S), S = largest sum of changes"
    reference: ClassVar[str] = "Ghosh, Roughgarden and Sundararajan, Universally utility-maximizing privacy, STOC 2009"

    @property
    def distance(self) -> int:
        """The L1 sensitivity."""
        return self.sensitivity.l1

    def error(self, cells: int = 1, share: float = USUAL_SHARE) -> int:
        """Solve P(|x| > error) = 2 a^(error + 1) / (1 + a) for the tail that so many cells leave to each."""
        if not self.sensitivity.l1:
            return 0
        scale, tail = float(self.scale()), -math.expm1(math.log(share) / cells)
        return max(math.ceil(-scale * math.log(tail * (1 + math.exp(-1 / scale)) / 2) - 1 - 1e-9), 0)

    def simulate(self, values: Ints, generator: np.random.Generator) -> Ints:
        """Add the difference of two geometric variables."""
        stop = -math.expm1(-1 / float(self.scale())) if self.sensitivity.l1 else 1.0
        first, second = generator.geometric(stop, (2, len(values)))
        return np.asarray(values + first - second, dtype=np.int64)

    def _request(self, values: Ints) -> Request:
        return Request("laplace", values, self.distance, self.limit)
