"""Two exact averages, with and without one person, reveal that person's value; two noisy ones do not."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit, bounded_sum
from anonymizer_gui.engine.dp.simulation import possible_releases


@dataclass(frozen=True, slots=True, eq=False)
class Differencing:
    """What the attacker computes: exactly, and in many releases of the same two questions with noise."""

    truth: int
    from_exact: float
    from_noisy: npt.NDArray[np.float64]

    def share_near(self, distance: float) -> float:
        """Say how often a noisy attempt comes as near to the truth."""
        return float(np.mean(np.abs(self.from_noisy - self.truth) <= distance))


def differencing(
    values: npt.NDArray[np.int64],
    target: int,
    bounds: tuple[int, int],
    epsilon: Fraction,
    *,
    seed: int,
    attempts: int = 200,
) -> Differencing:
    """Ask for the sum of everybody and of everybody but one, exactly and with half of epsilon each.

    How many people there are is taken to be known, so a mean is as good as a sum. Raises BadParameter for nobody.
    """
    if not 0 <= target < len(values):
        raise BadParameter("There is no such person.", "Choose one of the rows.")
    inside = np.clip(values, *bounds)
    mechanism = MECHANISMS.get("laplace")(bounded_sum(PrivacyUnit(), *bounds), Budget(epsilon=epsilon / 2))
    sums = np.array([inside.sum(), np.delete(inside, target).sum()], dtype=np.int64)
    drawn = possible_releases(mechanism, sums, releases=attempts, seed=seed)
    return Differencing(int(inside[target]), float(sums[0] - sums[1]), (drawn[:, 0] - drawn[:, 1]).astype(np.float64))
