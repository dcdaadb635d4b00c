"""The people of the bench: a made-up table on which both attacks can be tried for any epsilon."""

from fractions import Fraction

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.statistics.attacks.differencing import Differencing, differencing
from anonymizer_gui.engine.rooms.statistics.attacks.reconstruction import Reconstruction, reconstruction

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


def one_salary(epsilon: Fraction, seed: int, progress: Progress = SILENT) -> Differencing:
    """Compute one salary from two averages, exact ones and noisy ones."""
    progress(0.0, "Attacking")
    return differencing(np.array(SALARIES, dtype=np.int64), TARGET, BOUNDS, epsilon, seed=seed, attempts=ATTEMPTS)


def all_secrets(epsilon: Fraction, seed: int, progress: Progress = SILENT) -> Reconstruction:
    """Compute everybody's secret from many counts."""
    progress(0.0, "Attacking")
    return reconstruction(PEOPLE, QUESTIONS, epsilon, seed=seed)


def shares_right(seed: int, progress: Progress = SILENT) -> tuple[tuple[float, float], ...]:
    """Give for some epsilons the share of secrets that come out right, on average over several tables."""
    points = []
    for place, epsilon in enumerate(EPSILONS):
        part = progress.sub(place / len(EPSILONS), (place + 1) / len(EPSILONS))
        tried = [all_secrets(epsilon, seed + trial, part).share for trial in range(_TABLES)]
        points.append((float(epsilon), sum(tried) / len(tried)))
    return tuple(points)
