"""Unbiased estimates, consistent projection, poisoning.

This is the server: it sees supports and reports, never an answer.

Cao, Jia and Gong, Data poisoning attacks to local differential privacy protocols, USENIX Security 2021. What protects
respondents from the server protects liars, too: no single report proves that it was made up.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.dp.local.protocol import FrequencyProtocol, Ints, MeanProtocol, Reports
from anonymizer_gui.engine.dp.local.protocols.local_hashing import LocalHashing
from anonymizer_gui.engine.dp.local.protocols.unary_encoding import UnaryEncoding

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
        return project_to_counts(self.estimates, self.n)

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


def estimate_counts(protocol: FrequencyProtocol, reports: Reports) -> CountEstimate:
    """Estimate how many respondents have each value: (support - n q) / (p - q)."""
    return estimate_from_support(protocol, protocol.support(reports), len(reports))


def estimate_from_support(protocol: FrequencyProtocol, support: Ints, n: int) -> CountEstimate:
    """Estimate from supports that were counted already."""
    p, q = float(protocol.p), float(protocol.q)
    estimates = (support - n * q) / (p - q)
    shares = np.clip(estimates / max(n, 1), 0.0, 1.0)
    spread = n * (shares * p * (1 - p) + (1 - shares) * q * (1 - q))
    sd = math.sqrt(n * q * (1 - q)) / (p - q)
    return CountEstimate(n, support, estimates, np.sqrt(spread) / (p - q), sd)


def estimate_mean(protocol: MeanProtocol, reports: Reports, low: float, high: float) -> MeanEstimate:
    """Estimate the mean of a number between two bounds; the error is that of the reports themselves."""
    n = len(reports)
    if not n:
        return MeanEstimate(0, 0, math.nan, math.inf, low, high)
    numbers = protocol.numbers(reports)
    spread = float(np.var(numbers, ddof=1)) if n > 1 else protocol.variance()
    mean = low + (high - low) * float(np.mean(numbers))
    return MeanEstimate(n, int(reports.sum()), mean, (high - low) * math.sqrt(spread / n), low, high)


def project_to_counts(estimates: Floats, n: int) -> Floats:
    """Project onto counts of at least 0 that add up to n: all are lowered by the same, and none falls below 0."""
    ordered = np.sort(estimates)[::-1]
    lowered = (np.cumsum(ordered) - n) / np.arange(1, len(ordered) + 1)
    kept = np.flatnonzero(ordered > lowered)
    return np.maximum(estimates - lowered[kept[-1]], 0.0) if kept.size else np.full(len(estimates), n / len(estimates))


@dataclass(frozen=True, slots=True)
class Poisoned:
    """What made-up reports do to the estimated count of the value they push."""

    value: int
    fakes: int
    before: float
    after: float
    bound: float
    """No reports of that number can raise the estimate by more."""


def max_gain(protocol: FrequencyProtocol) -> float:
    """Give the most that one report can add to the estimate of a value: (1 - q) / (p - q)."""
    p, q = float(protocol.p), float(protocol.q)
    return (1 - q) / (p - q)


def max_loss(protocol: FrequencyProtocol) -> float:
    """Give the most that one report can take from the estimate of a value: q / (p - q)."""
    p, q = float(protocol.p), float(protocol.q)
    return q / (p - q)


def forge_reports(protocol: FrequencyProtocol, value: int, fakes: int) -> Reports:
    """Make up reports that support a value for certain."""
    if isinstance(protocol, UnaryEncoding):
        bits = np.zeros((fakes, protocol.size), dtype=np.bool_)
        bits[:, value] = True
        return np.packbits(bits, axis=1)
    if isinstance(protocol, LocalHashing):
        return np.tile(np.array([1, 0, value % protocol.places], dtype=np.int64), (fakes, 1))
    return np.full(fakes, value, dtype=np.int64)


def poison_counts(protocol: FrequencyProtocol, support: npt.ArrayLike, n: int, value: int, fakes: int) -> Poisoned:
    """Add so many made-up reports that push a value, and estimate again."""
    counted = np.asarray(support, dtype=np.int64)
    before = estimate_from_support(protocol, counted, n).estimates[value]
    pushed = counted + protocol.support(forge_reports(protocol, value, fakes))
    after = estimate_from_support(protocol, pushed, n + fakes).estimates[value]
    return Poisoned(value, fakes, float(before), float(after), fakes * max_gain(protocol))


def poison_mean(
    protocol: MeanProtocol, mean: float, n: int, bounds: tuple[float, float], fakes: int
) -> tuple[float, float]:
    """Give the mean after so many made-up reports that say the most, and how far any of that number can move one."""
    low, high = bounds
    ends = protocol.numbers(np.array([0, (1 << protocol.bits) - 1]))
    least, most = (low + (high - low) * ends).tolist()
    weight = fakes / (n + fakes)
    return mean + weight * (most - mean), weight * (most - least)
