"""How far really drawn noise may lie from the truth before a test fails: by chance once in a thousand million runs."""

import math

from scipy import stats

CHANCE = 1e-9
"""With which probability a test of secret noise may fail although all is well."""


def laplace_tolerance(scale: float, chance: float = CHANCE) -> float:
    """Give the distance that Laplace noise of a scale passes with at most this probability.

    Discrete noise x has P(|x| >= t) = 2 a^t / (1 + a) with a = exp(-1 / scale), which is at most 2 exp(-t / scale).
    """
    return scale * math.log(2 / chance)


def least_hits(tries: int, share: float, chance: float = CHANCE) -> int:
    """Give how many of independent tries that each succeed with at least this probability do so, but for a chance."""
    return int(stats.binom.ppf(chance, tries, share))
