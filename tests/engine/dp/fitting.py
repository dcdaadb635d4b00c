"""How well samples fit a distribution, with an alpha so small that a test never fails by chance."""

import numpy as np
import numpy.typing as npt
from scipy import stats

ALPHA = 1e-9
LEAST = 50
"""Smaller expected counts are put together: the tail of chi-square is not yet theirs."""


def fits(samples: npt.ArrayLike, probabilities: dict[int, float]) -> bool:
    """Compare counts with probabilities by chi-square, two of them exactly; rare neighbours are put together."""
    values, found = np.unique(np.asarray(samples), return_counts=True)
    counts = dict(zip(values.tolist(), found.tolist(), strict=True))
    n = int(found.sum())
    if len(probabilities) == 2:
        value, probability = next(iter(probabilities.items()))
        is_known = set(counts) <= set(probabilities)
        return is_known and bool(stats.binomtest(counts.get(value, 0), n, probability).pvalue > ALPHA)
    observed, expected = [0], [0.0]
    for value in sorted(probabilities):
        if expected[-1] >= LEAST:
            observed.append(0)
            expected.append(0.0)
        observed[-1] += counts.get(value, 0)
        expected[-1] += n * probabilities[value]
    observed[-1] += n - sum(observed)
    expected[-1] += n - sum(expected)
    if len(expected) > 1 and expected[-1] < LEAST:
        observed[-2:], expected[-2:] = [sum(observed[-2:])], [sum(expected[-2:])]
    return bool(stats.chisquare(observed, expected).pvalue > ALPHA)


def laplace(scale: float, reach: int | None = None) -> dict[int, float]:
    """Give the probabilities of discrete Laplace noise."""
    a = np.exp(-1 / scale)
    reach = reach or int(np.ceil(12 * scale))
    return {x: float((1 - a) / (1 + a) * a ** abs(x)) for x in range(-reach, reach + 1)}


def gaussian(sigma: float) -> dict[int, float]:
    """Give the probabilities of discrete Gaussian noise."""
    reach = int(np.ceil(9 * sigma))
    weights = {x: float(np.exp(-(x**2) / 2 / sigma**2)) for x in range(-reach, reach + 1)}
    whole = sum(weights.values())
    return {x: weight / whole for x, weight in weights.items()}
