"""Estimated k-map once more: how many people a class stands for, by the Poisson distribution added up term by term."""

import math

_MOST = 1 << 40


def is_rare(rows: int, k: int, fraction: float, significance: float, *, truncated: bool) -> bool:
    """Say whether so many rows or more are as rare as the significance level where only k people look alike."""
    if rows < 1:
        return False
    mean = k * fraction
    fewer = math.fsum(math.exp(i * math.log(mean) - mean - math.lgamma(i + 1)) for i in range(rows))
    rest = math.fsum(math.exp(i * math.log(mean) - mean - math.lgamma(i + 1)) for i in _tail(rows, mean))
    chance = rest if fewer > 0.5 else 1 - fewer
    return chance / (1 - math.exp(-mean) if truncated else 1.0) <= significance


def _tail(rows: int, mean: float) -> range:
    """Give the numbers from there on that have a chance worth adding."""
    return range(rows, rows + 60 + math.ceil(max(mean - rows, 0.0) + 40 * math.sqrt(mean + 1)))


def people_stood_for(rows: int, fraction: float, significance: float, *, truncated: bool) -> int:
    """Give the largest k that so many rows are enough for; they always are for as many people."""
    reached, step = rows, 1
    while reached + step < _MOST and is_rare(rows, reached + step, fraction, significance, truncated=truncated):
        reached, step = reached + step, step * 2
    while step:
        if is_rare(rows, reached + step, fraction, significance, truncated=truncated):
            reached += step
        step //= 2
    return reached
