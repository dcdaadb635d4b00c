"""Epsilon from below: what two heaps of samples prove about the mechanism that drew them.

An event is picked on one half of the samples and counted on the other; bounds for its two probabilities that hold
with the confidence asked for (Clopper and Pearson 1934) give an epsilon the mechanism certainly exceeds. It sees
only events of one number, so a small bound proves nothing good.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_MOST_VALUES = 1000
_WIDTH = 3.7  # of the bounds by which an event is picked, in standard deviations
_RELATIONS = "≤≥="


@dataclass(frozen=True, slots=True)
class LowerBound:
    """With probability 1 - `alpha`, epsilon is at least this: the event is so likely here and so unlikely there.

    `is_swapped` says that the event is likely for the second samples.
    """

    epsilon: float
    event: str
    likely: float
    unlikely: float
    runs: int
    alpha: float
    is_swapped: bool = False


def certified_epsilon(
    first: npt.ArrayLike, second: npt.ArrayLike, *, alpha: float = 1e-4, delta: float = 0.0
) -> LowerBound:
    """Certify an epsilon from samples of the same answer about two neighbouring tables, in either order."""
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    half = min(len(one), len(other)) // 2
    ways = [(one, other), (other, one)]
    picked = [_picked(likely[:half], unlikely[:half], delta) for likely, unlikely in ways]
    way = max(range(2), key=lambda place: picked[place][0])
    relation, value = picked[way][1]
    likely, unlikely = (samples[half:] for samples in ways[way])
    low = proportion_bounds(_count(likely, relation, value), len(likely), alpha)[0]
    high = proportion_bounds(_count(unlikely, relation, value), len(unlikely), alpha)[1]
    epsilon = math.log((low - delta) / high) if low > delta else 0.0
    runs, event = len(likely) + len(unlikely), f"{relation} {value + 0.0:.6g}"
    return LowerBound(max(epsilon, 0.0), event, low, high, runs, alpha, is_swapped=way == 1)


def certified_delta(first: npt.ArrayLike, second: npt.ArrayLike, epsilon: float, *, alpha: float = 1e-4) -> float:
    """Certify a delta at this epsilon: the best event's P(here) - e^epsilon P(there), from below."""
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    half, factor = min(len(one), len(other)) // 2, math.exp(epsilon)
    values = _telling(np.concatenate([one[:half], other[:half]]))
    gain = _counts(one[:half], values) - factor * _counts(other[:half], values)
    relation, place = np.unravel_index(np.argmax(gain), gain.shape)
    hits = [_count(samples[half:], _RELATIONS[relation], values[place]) for samples in (one, other)]
    low = proportion_bounds(hits[0], len(one) - half, alpha)[0]
    high = proportion_bounds(hits[1], len(other) - half, alpha)[1]
    return max(low - factor * high, 0.0)


def _picked(likely: Floats, unlikely: Floats, delta: float) -> tuple[float, tuple[str, float]]:
    """Pick the event by a lower bound of its ratio: the largest ratio itself is mostly chance."""
    values = _telling(np.concatenate([likely, unlikely]))
    low = _about(_counts(likely, values), len(likely), -_WIDTH) - delta
    ratio = low / _about(_counts(unlikely, values), len(unlikely), _WIDTH)
    relation, place = np.unravel_index(np.argmax(ratio), ratio.shape)
    return float(ratio[relation, place]), (_RELATIONS[relation], float(values[place]))


def _telling(samples: Floats) -> Floats:
    values, times = np.unique(samples, return_counts=True)
    if len(values) <= _MOST_VALUES:
        return np.asarray(values)
    spread = np.quantile(samples, np.linspace(0, 1, _MOST_VALUES), method="nearest")
    return np.asarray(np.unique(np.concatenate([spread, values[np.argsort(-times)[:10]]])))


def _counts(samples: Floats, values: Floats) -> Floats:
    """Count the samples that are at most, at least, and exactly each value."""
    ordered = np.sort(samples)
    up_to, below = np.searchsorted(ordered, values, "right"), np.searchsorted(ordered, values, "left")
    return np.array([up_to, len(ordered) - below, up_to - below], dtype=np.float64)


def _count(samples: Floats, relation: str, value: float) -> int:
    return int(_counts(samples, np.array([value]))[_RELATIONS.index(relation), 0])


def _about(hits: Floats, runs: int, width: float) -> Floats:
    """Bound probabilities as Wilson does, well enough for picking."""
    share, spread = hits / runs, width * width / runs
    return np.asarray((share + spread / 2 + width * np.sqrt((share * (1 - share) + spread / 4) / runs)) / (1 + spread))


def proportion_bounds(hits: int, runs: int, alpha: float) -> tuple[float, float]:
    """Give bounds that hold for a probability with 1 - alpha / 2 each, from how often something happened."""
    low = _solve(hits, runs - hits + 1, alpha / 2) if hits else 0.0
    high = _solve(hits + 1, runs - hits, 1 - alpha / 2) if hits < runs else 1.0
    return low * (1 - 1e-9), min(high * (1 + 1e-9), 1.0)


def _solve(a: int, b: int, wanted: float) -> float:
    """Find where the distribution function of Beta(a, b) takes a value, by halving."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if beta_function(a, b, middle) < wanted else (low, middle)
    return (low + high) / 2


def beta_function(a: float, b: float, x: float) -> float:
    """Give the regularised incomplete beta function by its continued fraction.

    >>> round(beta_function(2, 3, 0.4), 12)
    0.5248
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_function(b, a, 1 - x)
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    below, ratio, fraction = 1.0, 0.0, 1.0
    for step in range(100_000):
        half = step // 2
        if step == 0:
            term = 1.0
        elif step % 2 == 0:
            term = half * (b - half) * x / ((a + step - 1) * (a + step))
        else:
            term = -(a + half) * (a + b + half) * x / ((a + step - 1) * (a + step))
        ratio = 1 / (1 + term * ratio or 1e-300)
        below = 1 + term / below or 1e-300
        fraction *= below * ratio
        if step and abs(1 - below * ratio) < 1e-14:
            break
    return math.exp(front) * (fraction - 1) / a
