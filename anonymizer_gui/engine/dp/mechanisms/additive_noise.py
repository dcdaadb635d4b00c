"""Discrete Laplace and Gaussian."""

import math
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import ClassVar, Literal

import numpy as np

from anonymizer_gui.engine.dp.gateway import Ints, NoiseRequest
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS, USUAL_SHARE, Mechanism
from anonymizer_gui.engine.dp.safe_rounding import root_above


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

    def _request(self, values: Ints) -> NoiseRequest:
        return NoiseRequest("laplace", values, self.distance, self.limit)


@MECHANISMS.register
@dataclass(frozen=True, slots=True)
class DiscreteGaussian(Mechanism):
    """Adds noise with P(x) proportional to exp(-x^2 / 2 sigma^2), sigma^2 = squared L2 sensitivity / 2 rho."""

    name: ClassVar[str] = "gaussian"
    title: ClassVar[str] = "Discrete Gaussian noise"
    summary: ClassVar[str] = "Adds a random whole number to every cell; less noise than Laplace for many cells at once."
    formula: ClassVar[str] = "P(x) ∝ exp(-x² / 2σ²), σ² = S₂² / 2ρ"
    reference: ClassVar[str] = "Canonne, Kamath and Steinke, The discrete Gaussian for differential privacy, 2020"
    spends: ClassVar[Literal["epsilon", "rho"]] = "rho"

    @property
    def distance(self) -> int:
        """The squared L2 sensitivity."""
        return self.sensitivity.l2_squared

    def scale(self) -> Fraction:
        """Give sigma."""
        return root_above(self._request(np.zeros(0, dtype=np.int64)).scale())

    def error(self, cells: int = 1, share: float = USUAL_SHARE) -> int:
        """Bound the tail by that of the continuous Gaussian, which is no lighter."""
        tail = -math.expm1(math.log(share) / cells)
        return math.ceil(-NormalDist().inv_cdf(tail / 2) * float(self.scale()) - 1e-9)

    def simulate(self, values: Ints, generator: np.random.Generator) -> Ints:
        """Add a rounded Gaussian, which looks the same."""
        return np.asarray(values + np.rint(generator.normal(0.0, float(self.scale()), len(values))), dtype=np.int64)

    def _request(self, values: Ints) -> NoiseRequest:
        return NoiseRequest("gaussian", values, self.distance, self.limit)
