"""Made-up people on which both kinds of protection can be tried for any setting; nobody's table is looked at."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
ROWS = 4000
FIELDS = ("age=18..90/24", "income=0..200/25", "hours=0..80/16")
NAMES = ("age", "income", "hours")
LOWS, HIGHS = np.array([18.0, 0.0, 0.0]), np.array([90.0, 200.0, 80.0])


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """Numbers of each person: age, income in thousands, hours of work; and whether they own a home."""

    numbers: Floats
    owns: Ints


def made_up_people(seed: int, rows: int = ROWS) -> People:
    """Make up young people who study, people who work, and people who have retired."""
    chance = np.random.default_rng(seed)
    kinds = chance.choice(3, rows, p=[0.25, 0.5, 0.25])
    middles = np.array([[23.0, 12.0, 14.0], [44.0, 62.0, 40.0], [72.0, 30.0, 3.0]])[kinds]
    spread = np.array([[3.5, 7.0, 7.0], [9.0, 22.0, 7.0], [6.0, 11.0, 4.0]])[kinds]
    numbers = np.rint(np.clip(middles + spread * chance.normal(0, 1, (rows, 3)), LOWS, HIGHS))
    likely = 1 / (1 + np.exp(-(0.09 * (numbers[:, 0] - 42) + 0.05 * (numbers[:, 1] - 45))))
    return People(numbers, (chance.random(rows) < likely).astype(np.int64))


def generalised(people: People, k: int) -> tuple[Floats, Floats]:
    """Part people at medians until a part would have fewer than k (Mondrian); give the ranges of everybody."""
    lows, highs = people.numbers.copy(), people.numbers.copy()
    waiting = [np.arange(len(people.numbers))]
    while waiting:
        rows = waiting.pop()
        parts = _parted(people.numbers[rows], k)
        if parts is None:
            lows[rows], highs[rows] = people.numbers[rows].min(axis=0), people.numbers[rows].max(axis=0)
        else:
            waiting += [rows[parts], rows[~parts]]
    return lows, highs


def _parted(numbers: Floats, k: int) -> npt.NDArray[np.bool_] | None:
    """Give one side of a cut at the median of the widest column that allows it; nothing when none does."""
    widths = (numbers.max(axis=0) - numbers.min(axis=0)) / (HIGHS - LOWS)
    for column in np.argsort(-widths):
        is_low = numbers[:, column] <= np.median(numbers[:, column])
        if k <= is_low.sum() <= len(numbers) - k:
            return np.asarray(is_low)
    return None
