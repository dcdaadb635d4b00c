"""Differencing and reconstruction on exact and noisy answers.

Dinur and Nissim, Revealing information while preserving privacy, PODS 2003: whoever may count any subset of people
with small errors can compute who has the secret, by finding the column that fits all answers best.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit, bounded_sum, count
from anonymizer_gui.engine.rooms.statistics.benches.simulated_releases import simulate_releases


@dataclass(frozen=True, slots=True, eq=False)
class DifferencingResult:
    """What the attacker computes: exactly, and in many releases of the same two questions with noise."""

    truth: int
    from_exact: float
    from_noisy: npt.NDArray[np.float64]

    def share_near(self, distance: float) -> float:
        """Say how often a noisy attempt comes as near to the truth."""
        return float(np.mean(np.abs(self.from_noisy - self.truth) <= distance))


def attack_by_differencing(
    values: npt.NDArray[np.int64],
    target: int,
    bounds: tuple[int, int],
    epsilon: Fraction,
    *,
    seed: int,
    attempts: int = 200,
) -> DifferencingResult:
    """Ask for the sum of everybody and of everybody but one, exactly and with half of epsilon each.

    How many people there are is taken to be known, so a mean is as good as a sum. Raises BadParameter for nobody.
    """
    if not 0 <= target < len(values):
        raise BadParameter("There is no such person.", "Choose one of the rows.")
    inside = np.clip(values, *bounds)
    mechanism = MECHANISMS.get("laplace")(bounded_sum(PrivacyUnit(), *bounds), Budget(epsilon=epsilon / 2))
    sums = np.array([inside.sum(), np.delete(inside, target).sum()], dtype=np.int64)
    drawn = simulate_releases(mechanism, sums, releases=attempts, seed=seed)
    return DifferencingResult(
        int(inside[target]), float(sums[0] - sums[1]), (drawn[:, 0] - drawn[:, 1]).astype(np.float64)
    )


MOST_PEOPLE, MOST_QUESTIONS = 400, 4000

Bits = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class ReconstructionResult:
    """The secret column and what the attacker makes of the answers."""

    secret: Bits
    guessed: Bits
    error95: int
    """How far off an answer was at most in 95 of 100 questions."""

    @property
    def share(self) -> float:
        """The share of people whose secret is guessed right; half of them by chance."""
        return float(np.mean(self.secret == self.guessed)) if len(self.secret) else 0.0


def attack_by_reconstruction(
    people: int, questions: int, epsilon: Fraction | None, *, seed: int
) -> ReconstructionResult:
    """Count made-up people with a secret in random subsets, and guess the secrets from the answers.

    All questions share epsilon; without one they are answered exactly. Raises BadParameter for too large a bench.
    """
    if not (1 <= people <= MOST_PEOPLE and 1 <= questions <= MOST_QUESTIONS):
        raise BadParameter("The bench is for small tables.", "Take up to 400 people and 4,000 questions.")
    made_up = np.random.default_rng(seed)
    secret = made_up.random(people) < 0.5
    asked = made_up.random((questions, people)) < 0.5
    answers = (asked @ secret.astype(np.int64)).astype(np.int64)
    error = 0
    if epsilon is not None:
        mechanism = MECHANISMS.get("laplace")(
            count(PrivacyUnit(), has_condition=True), Budget(epsilon=epsilon / questions)
        )
        answers, error = simulate_releases(mechanism, answers, releases=1, seed=seed + 1)[0], mechanism.error()
    # Around one half, so that who is in no subset is guessed by chance.
    fitted = np.linalg.lstsq(asked.astype(np.float64), answers - asked.sum(axis=1) / 2, rcond=None)[0]
    return ReconstructionResult(secret, fitted > 0, error)


SALARIES = (31_200, 38_500, 42_000, 44_700, 47_300, 51_900, 55_000, 58_400, 63_100, 70_600, 84_000, 97_300)

BOUNDS = (20_000, 120_000)

TARGET = 9

ATTEMPTS = 40

PEOPLE, QUESTIONS = 40, 160

EPSILONS = tuple(Fraction(text) for text in ("0.1", "0.3", "1", "3", "10", "30", "100", "300", "1000"))

_TABLES = 8


def averages() -> tuple[float, float]:
    """Give the average salary of everybody, and of everybody but one."""
    rest = [salary for place, salary in enumerate(SALARIES) if place != TARGET]
    return sum(SALARIES) / len(SALARIES), sum(rest) / len(rest)


def demonstrate_differencing(epsilon: Fraction, seed: int, progress: Progress = SILENT) -> DifferencingResult:
    """Compute one salary from two averages, exact ones and noisy ones."""
    progress(0.0, "Attacking")
    return attack_by_differencing(
        np.array(SALARIES, dtype=np.int64), TARGET, BOUNDS, epsilon, seed=seed, attempts=ATTEMPTS
    )


def demonstrate_reconstruction(epsilon: Fraction, seed: int, progress: Progress = SILENT) -> ReconstructionResult:
    """Compute everybody's secret from many counts."""
    progress(0.0, "Attacking")
    return attack_by_reconstruction(PEOPLE, QUESTIONS, epsilon, seed=seed)


def reconstruction_accuracy(seed: int, progress: Progress = SILENT) -> tuple[tuple[float, float], ...]:
    """Give for some epsilons the share of secrets that come out right, on average over several tables."""
    points = []
    for place, epsilon in enumerate(EPSILONS):
        part = progress.sub(place / len(EPSILONS), (place + 1) / len(EPSILONS))
        tried = [demonstrate_reconstruction(epsilon, seed + trial, part).share for trial in range(_TABLES)]
        points.append((float(epsilon), sum(tried) / len(tried)))
    return tuple(points)
