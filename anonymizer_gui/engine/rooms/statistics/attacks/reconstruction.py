"""Many accurate counts give the whole secret column away; noise that grows with the questions does not.

Dinur and Nissim, Revealing information while preserving privacy, PODS 2003: whoever may count any subset of people
with small errors can compute who has the secret, by finding the column that fits all answers best.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit, count
from anonymizer_gui.engine.dp.simulation import possible_releases

MOST_PEOPLE, MOST_QUESTIONS = 400, 4000
Bits = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Reconstruction:
    """The secret column and what the attacker makes of the answers."""

    secret: Bits
    guessed: Bits
    error95: int
    """How far off an answer was at most in 95 of 100 questions."""

    @property
    def share(self) -> float:
        """The share of people whose secret is guessed right; half of them by chance."""
        return float(np.mean(self.secret == self.guessed)) if len(self.secret) else 0.0


def reconstruction(people: int, questions: int, epsilon: Fraction | None, *, seed: int) -> Reconstruction:
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
        answers, error = possible_releases(mechanism, answers, releases=1, seed=seed + 1)[0], mechanism.error()
    # Around one half, so that who is in no subset is guessed by chance.
    fitted = np.linalg.lstsq(asked.astype(np.float64), answers - asked.sum(axis=1) / 2, rcond=None)[0]
    return Reconstruction(secret, fitted > 0, error)
