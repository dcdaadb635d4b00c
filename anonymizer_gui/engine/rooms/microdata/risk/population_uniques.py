"""How many people are unique in a population of known size, estimated from the class sizes of a sample alone.

Each model takes the sizes of population classes to be of some kind, and none can be checked from the sample: whoever
shows one of these numbers must call it an estimate.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
SMALL_FRACTION = 0.1
"""Up to this share of the population in the table Dankar and others found Pitman's model the most exact."""
_STEPS = 60
_GOLDEN = (math.sqrt(5) - 1) / 2


@dataclass(frozen=True, slots=True)
class Sample:
    """Classes of a sample: how many have each size, the rows, and the people of the population."""

    sizes: Ints
    counts: Ints
    rows: int
    population: int

    @classmethod
    def of(cls, class_sizes: Ints, population: int) -> "Sample":
        """Count the classes of each size."""
        sizes, counts = np.unique(class_sizes, return_counts=True)
        return cls(sizes.astype(np.int64), counts.astype(np.int64), int(class_sizes.sum()), population)

    @property
    def classes(self) -> int:
        """The number of classes."""
        return int(self.counts.sum())

    @property
    def uniques(self) -> int:
        """The number of classes of one row."""
        return int(self.counts[self.sizes == 1].sum())

    @property
    def fraction(self) -> float:
        """The share of the population that is in the sample."""
        return min(self.rows / max(self.population, 1), 1.0)


def estimates(sample: Sample) -> dict[str, float | None]:
    """Give the number of people of the sample that are unique in the population, by every model; None: no answer."""
    if sample.fraction >= 1.0 or not sample.uniques:
        return dict.fromkeys(("zayatz", "pitman", "snb", "benedetti-franconi"), float(sample.uniques))
    in_population = {"pitman": pitman(sample), "snb": slide_negative_binomial(sample)}
    told: dict[str, float | None] = {"zayatz": zayatz(sample)}
    for name, uniques in in_population.items():
        # A person who is unique in the population is in the sample with the chance of everybody else.
        told[name] = None if uniques is None else min(uniques * sample.fraction, float(sample.uniques))
    told["benedetti-franconi"] = sample.uniques * sample.fraction
    return told


def chosen(fraction: float, told: Mapping[str, float | None]) -> str:
    """Choose a model as Dankar and others advise: Pitman for small fractions, else the lower of Zayatz and SNB."""
    if fraction <= SMALL_FRACTION and told["pitman"] is not None:
        return "pitman"
    snb, by_zayatz = told["snb"], told["zayatz"] or 0.0
    return "snb" if fraction > SMALL_FRACTION and snb is not None and snb < by_zayatz else "zayatz"


def zayatz(sample: Sample) -> float:
    """Give sample uniques times P(population class has 1 | sample class has 1), sizes being spread as in the sample."""
    i = sample.sizes.astype(np.float64)
    log_chance = np.log(i) + np.log(sample.fraction) + (i - 1) * np.log1p(-sample.fraction)
    weights = sample.counts / sample.classes * np.exp(log_chance)
    return float(sample.uniques * weights[0] / weights.sum())


def pitman(sample: Sample) -> float | None:
    """Give Γ(θ + 1) / Γ(θ + α) N^α, with θ and α of greatest likelihood under Pitman's sampling formula (Hoshino 2001).

    None where the likelihood has no maximum inside, as when all rows are unique.
    """
    if sample.classes < 2 or sample.uniques == sample.rows:
        return None

    def best_theta(alpha: float) -> tuple[float, float]:
        # θ > -α on a scale of powers, so that large ones are found, too
        at, found = _highest(lambda power: _likelihood(sample, math.exp(power) - alpha, alpha), -12.0, 25.0)
        return math.exp(at) - alpha, found

    alpha, _ = _highest(lambda value: best_theta(value)[1], 1e-6, 1 - 1e-6)
    theta, _ = best_theta(alpha)
    if theta + alpha <= 0:
        return None
    log_uniques = math.lgamma(theta + 1) - math.lgamma(theta + alpha) + alpha * math.log(sample.population)
    return math.exp(log_uniques)


def slide_negative_binomial(sample: Sample) -> float | None:
    """Give K β^α, a population class having one person more than negative binomial (Chen, Keller-McNulty 1998).

    K, α and β are such that the number of people, of classes seen and of unique classes seen are as expected; None
    where no such numbers are.
    """
    grid = np.exp(np.linspace(math.log(1e-6), math.log(1 - 1e-6), 400))
    gaps = [(beta, _excess(sample, beta)) for beta in grid.tolist()]
    known = [(beta, gap) for beta, gap in gaps if gap is not None]
    for (low, before), (high, after) in pairwise(known):
        if before == 0 or (before < 0) != (after < 0):
            beta = _root(lambda value: _excess(sample, value) or 0.0, low, high)
            alpha = _alpha(sample, beta)
            return None if alpha is None else _classes(sample, alpha, beta) * beta**alpha
    return None


def _likelihood(sample: Sample, theta: float, alpha: float) -> float:
    """Give the logarithm of Pitman's sampling formula but for what depends on neither parameter."""
    u, n = sample.classes, sample.rows
    if theta <= -alpha:
        return -math.inf
    rising = (u - 1) * math.log(alpha) + math.lgamma(theta / alpha + u) - math.lgamma(theta / alpha + 1)
    falling = math.lgamma(theta + n) - math.lgamma(theta + 1)
    within = sum(
        int(many) * (math.lgamma(size - alpha) - math.lgamma(1 - alpha))
        for size, many in zip(sample.sizes.tolist(), sample.counts.tolist(), strict=True)
    )
    return rising - falling + within


def _chances(sample: Sample, alpha: float, beta: float) -> tuple[float, float]:
    """Give the chance that a population class is not seen in the sample, and that one row of it is."""
    missed, rest = 1 - sample.fraction, 1 - (1 - beta) * (1 - sample.fraction)
    power = (beta / rest) ** alpha
    return missed * power, sample.fraction * power * (1 + missed * alpha * (1 - beta) / rest)


def _classes(sample: Sample, alpha: float, beta: float) -> float:
    return sample.classes / (1 - _chances(sample, alpha, beta)[0])


def _alpha(sample: Sample, beta: float) -> float | None:
    """Find α for which the population has as many people as it should."""

    def gap(power: float) -> float:
        alpha = math.exp(power)
        people = _classes(sample, alpha, beta) * (1 + alpha * (1 - beta) / beta)
        return people - sample.population

    low, high = -25.0, 10.0
    return math.exp(_root(gap, low, high)) if gap(low) < 0 < gap(high) else None


def _excess(sample: Sample, beta: float) -> float | None:
    alpha = _alpha(sample, beta)
    if alpha is None:
        return None
    return _classes(sample, alpha, beta) * _chances(sample, alpha, beta)[1] - sample.uniques


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    below = function(low) < 0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if (function(middle) < 0) == below:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _highest(function: Callable[[float], float], low: float, high: float) -> tuple[float, float]:
    """Find where a function with one hill is highest."""
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = function(left), function(right)
    for _ in range(_STEPS):
        if at_left < at_right:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = function(right)
        else:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = function(left)
    return (left, at_left) if at_left > at_right else (right, at_right)
