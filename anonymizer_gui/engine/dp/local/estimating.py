"""What reports tell: unbiased estimates with their errors, and beside them a consistent version, which is biased.

This is the server: it sees supports and reports, never an answer.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.dp.local.drawing import Ints
from anonymizer_gui.engine.dp.local.protocol import Averaging, Counting, Reports

Floats = npt.NDArray[np.float64]
WIDTH95 = 1.959963984540054
"""Standard deviations to either side that hold the truth in 95 of 100 collections."""


@dataclass(frozen=True, slots=True, eq=False)
class CountEstimate:
    """How many respondents have each value; estimates add up to about `n`, and may be negative."""

    n: int
    support: Ints
    estimates: Floats
    sds: Floats
    sd: float
    """Of a value that nobody has."""

    def consistent(self) -> Floats:
        """Give the nearest counts that are not negative and add up to n; these are biased."""
        return nearest_counts(self.estimates, self.n)

    def intervals(self) -> Floats:
        """Give the bounds between which the truth lies in 95 of 100 collections, for each value."""
        half = WIDTH95 * self.sds
        return np.stack([self.estimates - half, self.estimates + half], axis=1)


@dataclass(frozen=True, slots=True)
class MeanEstimate:
    """The mean of a number, in its own unit."""

    n: int
    total: int
    """The sum of the reports as they were sent."""
    mean: float
    sd: float
    low: float
    high: float

    def consistent(self) -> float:
        """Give the nearest mean within the bounds; this is biased."""
        return min(max(self.mean, self.low), self.high)

    def interval(self) -> tuple[float, float]:
        """Give the bounds between which the truth lies in 95 of 100 collections."""
        return self.mean - WIDTH95 * self.sd, self.mean + WIDTH95 * self.sd


def estimate_counts(protocol: Counting, reports: Reports) -> CountEstimate:
    """Estimate how many respondents have each value: (support - n q) / (p - q)."""
    return counts_from(protocol, protocol.support(reports), len(reports))


def counts_from(protocol: Counting, support: Ints, n: int) -> CountEstimate:
    """Estimate from supports that were counted already."""
    p, q = float(protocol.p), float(protocol.q)
    estimates = (support - n * q) / (p - q)
    shares = np.clip(estimates / max(n, 1), 0.0, 1.0)
    spread = n * (shares * p * (1 - p) + (1 - shares) * q * (1 - q))
    sd = math.sqrt(n * q * (1 - q)) / (p - q)
    return CountEstimate(n, support, estimates, np.sqrt(spread) / (p - q), sd)


def estimate_mean(protocol: Averaging, reports: Reports, low: float, high: float) -> MeanEstimate:
    """Estimate the mean of a number between two bounds; the error is that of the reports themselves."""
    n = len(reports)
    if not n:
        return MeanEstimate(0, 0, math.nan, math.inf, low, high)
    numbers = protocol.numbers(reports)
    spread = float(np.var(numbers, ddof=1)) if n > 1 else protocol.variance()
    mean = low + (high - low) * float(np.mean(numbers))
    return MeanEstimate(n, int(reports.sum()), mean, (high - low) * math.sqrt(spread / n), low, high)


def nearest_counts(estimates: Floats, n: int) -> Floats:
    """Project onto counts of at least 0 that add up to n: all are lowered by the same, and none falls below 0."""
    ordered = np.sort(estimates)[::-1]
    lowered = (np.cumsum(ordered) - n) / np.arange(1, len(ordered) + 1)
    kept = np.flatnonzero(ordered > lowered)
    return np.maximum(estimates - lowered[kept[-1]], 0.0) if kept.size else np.full(len(estimates), n / len(estimates))
