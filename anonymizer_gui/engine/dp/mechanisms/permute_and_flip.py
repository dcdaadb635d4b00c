"""Permute and flip: chooses like the exponential mechanism, and never worse."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.dp.gateway import Ints, Request
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS, USUAL_SHARE, Mechanism
from anonymizer_gui.engine.dp.mechanisms.exponential import shortfall


@MECHANISMS.register
@dataclass(frozen=True, slots=True)
class PermuteAndFlip(Mechanism):
    """Chooses the largest score after exponential noise: the same as flipping a coin for candidates in random order."""

    name: ClassVar[str] = "permute-and-flip"
    title: ClassVar[str] = "Noisy maximum (permute and flip)"
    summary: ClassVar[str] = (
        "Chooses one candidate; the best one is never less likely than by the exponential mechanism."
    )
    formula: ClassVar[str] = "largest score(c) + exponential noise of scale 2S / ε; S / ε when all scores move one way"
    reference: ClassVar[str] = "McKenna and Sheldon, Permute-and-flip, NeurIPS 2020"
    chooses: ClassVar[bool] = True

    def error(self, cells: int = 1, share: float = USUAL_SHARE) -> int:
        """No candidate gains more than its noise."""
        return shortfall(float(self.scale()), cells, share)

    def simulate(self, values: Ints, generator: np.random.Generator) -> Ints:
        """Add exponential noise and take the largest."""
        noisy = values + generator.exponential(float(self.scale()), len(values))
        return np.array([np.argmax(noisy)], dtype=np.int64)

    def _request(self, values: Ints) -> Request:
        return Request("permute-and-flip", values, self.sensitivity.linf, self.limit, self.sensitivity.is_monotone)
