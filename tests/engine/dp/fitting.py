"""How well samples fit a distribution, with an alpha so small that a test never fails by chance."""

import numpy as np
import numpy.typing as npt
from scipy import stats

ALPHA = 1e-6


def fits(samples: npt.ArrayLike, probabilities: dict[int, float]) -> bool:
    """Compare counts with probabilities by chi-square; rare values and those not named are put together."""
    values, found = np.unique(np.asarray(samples), return_counts=True)
    counts = dict(zip(values.tolist(), found.tolist(), strict=True))
    n = int(found.sum())
    named = [value for value, probability in probabilities.items() if n * probability >= 10]
    observed = [counts.get(value, 0) for value in named]
    expected = [n * probabilities[value] for value in named]
    rest = n - sum(expected)
    if rest >= 10:
        observed, expected = [*observed, n - sum(observed)], [*expected, rest]
    elif n - sum(observed) > 100:
        return False
    expected = list(np.array(expected) * sum(observed) / sum(expected))
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
