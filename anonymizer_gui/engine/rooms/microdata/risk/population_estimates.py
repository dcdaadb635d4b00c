"""Superpopulation models (Pitman, Zayatz, SNB), individual risk (Benedetti-Franconi): formulas only.

Each model takes the sizes of population classes to be of some kind, and none can be checked from the sample: whoever
shows one of these numbers must call it an estimate.

How many people F of the population look like a class of f rows is not known; with every person drawn with chance p,
F - f is taken to be negative binomial, and the risk is the expected 1/F. Unlike scaling the class up to f/p people it
heeds that few rows may well stand for few people.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter

Ints = npt.NDArray[np.int64]

SMALL_FRACTION = 0.1
"""Up to this share of the population in the table Dankar and others found Pitman's model the most exact."""

_STEPS = 60

_LEAST_ALPHA = 1e-4

_LARGE = 10.0


@dataclass(frozen=True, slots=True)
class SampleFrequencies:
    """Classes of a sample: how many have each size, the rows, and the people of the population."""

    sizes: Ints
    counts: Ints
    rows: int
    population: int

    @classmethod
    def of(cls, class_sizes: Ints, population: int) -> "SampleFrequencies":
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


def refuse_small_population(population: int, people: int) -> None:
    """Raise BadParameter where a population has fewer people than a table that was drawn from it."""
    if population < people:
        raise BadParameter("The population has fewer people than the table has rows.", "Give a larger number.")


def estimate_all(sample: SampleFrequencies) -> dict[str, float | None]:
    """Give the number of people of the sample that are unique in the population, by every model; None: no answer."""
    if sample.fraction >= 1.0 or not sample.uniques:
        return dict.fromkeys(("zayatz", "pitman", "snb", "benedetti-franconi"), float(sample.uniques))
    told = {name: _by_model(name, sample) for name in ("zayatz", "pitman", "snb")}
    told["benedetti-franconi"] = sample.uniques * sample.fraction
    return told


def choose_model(fraction: float, told: Mapping[str, float | None]) -> str:
    """Choose a model as Dankar and others advise: Pitman for small fractions, else the lower of Zayatz and SNB."""
    if fraction <= SMALL_FRACTION and told["pitman"] is not None:
        return "pitman"
    snb, by_zayatz = told["snb"], told["zayatz"] or 0.0
    return "snb" if fraction > SMALL_FRACTION and snb is not None and snb < by_zayatz else "zayatz"


def population_uniques(model: str, sample: SampleFrequencies) -> float:
    """Give the people of the sample that are unique in the population by a model, or by Dankar's rule.

    Where the model has no answer all that are unique in the sample are taken for it.
    """
    if sample.fraction >= 1.0 or not sample.uniques:
        return float(sample.uniques)
    if model == "dankar":
        named = ("pitman", "zayatz") if sample.fraction <= SMALL_FRACTION else ("snb", "zayatz")
        told = {**dict.fromkeys(("pitman", "snb"), None), **{name: _by_model(name, sample) for name in named}}
        found = told[choose_model(sample.fraction, told)]
    else:
        found = _by_model(model, sample)
    return float(sample.uniques) if found is None else min(found, float(sample.uniques))


def _by_model(name: str, sample: SampleFrequencies) -> float | None:
    if name == "zayatz":
        return zayatz(sample)
    uniques = pitman(sample) if name == "pitman" else slide_negative_binomial(sample)
    # A person who is unique in the population is in the sample with the chance of everybody else.
    return None if uniques is None else min(uniques * sample.fraction, float(sample.uniques))


def zayatz(sample: SampleFrequencies) -> float:
    """Give sample uniques times P(population class has 1 | sample class has 1), sizes being spread as in the sample."""
    i = sample.sizes.astype(np.float64)
    log_chance = np.log(i) + np.log(sample.fraction) + (i - 1) * np.log1p(-sample.fraction)
    weights = sample.counts / sample.classes * np.exp(log_chance)
    return float(sample.uniques * weights[0] / weights.sum())


def pitman(sample: SampleFrequencies) -> float | None:
    """Give Γ(θ + 1) / Γ(θ + α) N^α, with θ and α of greatest likelihood under Pitman's sampling formula (Hoshino 2001).

    None where the likelihood has no maximum inside, as when all rows are unique.
    """
    if sample.classes < 2 or sample.uniques == sample.rows:
        return None

    # The likelihood is highest where both derivatives vanish; θ > -α on a scale of powers, to find large ones, too.
    def theta_of(alpha: float) -> float:
        return math.exp(_root(lambda power: _by_theta(sample, math.exp(power) - alpha, alpha), -12.0, 25.0)) - alpha

    def slope(alpha: float) -> float:
        return _by_alpha(sample, theta_of(alpha), alpha)

    # Where the likelihood only falls the smallest α is best: that is Ewens' model.
    alpha = _LEAST_ALPHA if slope(_LEAST_ALPHA) <= 0 else _root(slope, _LEAST_ALPHA, 1 - _LEAST_ALPHA)
    theta = theta_of(alpha)
    if theta + alpha <= 0:
        return None
    log_uniques = math.lgamma(theta + 1) - math.lgamma(theta + alpha) + alpha * math.log(sample.population)
    return math.exp(log_uniques)


def slide_negative_binomial(sample: SampleFrequencies) -> float | None:
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


def _by_theta(sample: SampleFrequencies, theta: float, alpha: float) -> float:
    """Give the derivative of the logarithm of Pitman's sampling formula by θ (Hoshino 2001)."""
    u, n = sample.classes, sample.rows
    seen = (_digamma(theta / alpha + u) - _digamma(theta / alpha + 1)) / alpha
    return seen - (_digamma(theta + n) - _digamma(theta + 1))


def _by_alpha(sample: SampleFrequencies, theta: float, alpha: float) -> float:
    """Give its derivative by α: Σ i / (θ + i α) over classes, less Σ 1 / (j - α) within each class."""
    u = sample.classes
    reciprocals = (_digamma(theta / alpha + u) - _digamma(theta / alpha + 1)) / alpha
    within = sum(
        int(many) * (_digamma(size - alpha) - _digamma(1 - alpha))
        for size, many in zip(sample.sizes.tolist(), sample.counts.tolist(), strict=True)
    )
    return (u - 1 - theta * reciprocals) / alpha - within


def _digamma(x: float) -> float:
    """Give the derivative of ln Γ: by its recurrence up to where the asymptotic series is exact.

    >>> round(_digamma(1.0), 12)
    -0.577215664902
    """
    found = 0.0
    while x < _LARGE:
        found -= 1 / x
        x += 1
    square = 1 / (x * x)
    series = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square / 132))))
    return found + math.log(x) - 0.5 / x - series


def _chances(sample: SampleFrequencies, alpha: float, beta: float) -> tuple[float, float]:
    """Give the chance that a population class is not seen in the sample, and that one row of it is."""
    missed, rest = 1 - sample.fraction, 1 - (1 - beta) * (1 - sample.fraction)
    power = (beta / rest) ** alpha
    return missed * power, sample.fraction * power * (1 + missed * alpha * (1 - beta) / rest)


def _classes(sample: SampleFrequencies, alpha: float, beta: float) -> float:
    return sample.classes / (1 - _chances(sample, alpha, beta)[0])


def _alpha(sample: SampleFrequencies, beta: float) -> float | None:
    """Find α for which the population has as many people as it should."""

    def gap(power: float) -> float:
        alpha = math.exp(power)
        people = _classes(sample, alpha, beta) * (1 + alpha * (1 - beta) / beta)
        return people - sample.population

    low, high = -25.0, 10.0
    return math.exp(_root(gap, low, high)) if gap(low) < 0 < gap(high) else None


def _excess(sample: SampleFrequencies, beta: float) -> float | None:
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


_NODES = 64

Floats = npt.NDArray[np.float64]


def individual_risk(sizes: npt.NDArray[np.int64], people: Floats) -> Floats:
    """Give E(1/F | f) for classes of f rows whose sampling weights add up to so many people of the population.

    Each class has a fraction of its own, f over the sum of its weights (Benedetti and Franconi 1998). The published
    example of Capobianchi, Polettini and Lucarelli:

    >>> individual_risk(np.array([2, 2, 1, 1, 1, 1]), np.array([110, 84.5, 17, 541, 8, 5])).round(4).tolist()
    [0.0171, 0.022, 0.1771, 0.0117, 0.2971, 0.4024]
    """
    fractions = np.minimum(sizes / np.maximum(people, np.finfo(np.float64).tiny), 1.0)
    both = np.stack([sizes.astype(np.float64), fractions], axis=1)
    distinct, place = np.unique(both, axis=0, return_inverse=True)
    found = [float(expected_inverse_frequency(np.array([int(f)]), p)[0]) for f, p in distinct.tolist()]
    return np.array(found)[place.reshape(-1)] if found else np.zeros(0)


def individual_risk_approximation(sizes: npt.NDArray[np.int64], people: Floats) -> Floats:
    """Give the same by the approximation sdcMicro uses: exact for one and two rows, else p / (f - (1 - p)).

    >>> individual_risk_approximation(np.array([1, 2, 3]), np.array([5.0, 110.0, 30.0])).round(5).tolist()
    [0.40236, 0.01714, 0.04762]
    """
    p = np.minimum(sizes / np.maximum(people, np.finfo(np.float64).tiny), 1.0)
    return np.where(sizes > 2, p / (sizes - (1 - p)), individual_risk(np.minimum(sizes, 2), np.minimum(sizes, 2) / p))


def expected_inverse_frequency(sizes: npt.NDArray[np.int64], fraction: float) -> Floats:
    """Give E(1/F | f) for every class size f, where a share `fraction` of the population is in the table.

    E(1/F | f) is the integral of (p t / (1 - (1 - p) t))^f / t over t from 0 to 1; with u = p t / (1 - (1 - p) t) it
    is that of u^(f - 1) p / (p + (1 - p) u), which is smooth.

    >>> expected_inverse_frequency(np.array([1, 2]), 1.0).tolist()
    [1.0, 0.5]
    >>> round(float(expected_inverse_frequency(np.array([1]), 0.1)[0]), 5)  # p / (1 - p) ln(1 / p)
    0.25584
    """
    if fraction >= 1.0:
        return np.asarray(1.0 / np.maximum(sizes, 1), dtype=np.float64)
    distinct, place = np.unique(sizes, return_inverse=True)
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)  # type: ignore[no-untyped-call]
    # Half of the integral's weight lies near 0 for small fractions: the pieces halve towards it.
    edges = np.concatenate([[0.0], 2.0 ** np.arange(-40, 1)])
    half = np.diff(edges) / 2
    u = (edges[:-1] + half)[:, None] + half[:, None] * nodes[None, :]
    smooth = (fraction / (fraction + (1.0 - fraction) * u)) * (half[:, None] * weights[None, :])
    risks = np.array([float((u ** (size - 1) * smooth).sum()) for size in distinct.tolist()])
    return risks[place]
