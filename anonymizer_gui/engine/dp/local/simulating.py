"""A collection played through with values that are known: how far estimates are from the truth, and from theory.

Repeatable by its seed, so never a way to make reports of real people.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.dp.local.estimation import Floats, estimate_from_support
from anonymizer_gui.engine.dp.local.protocol import FrequencyProtocol, Ints, MeanProtocol, Source


@dataclass(frozen=True, slots=True, eq=False)
class Simulation:
    """Many collections of the same answers: counts of values, or the one mean of a number in shares of its range."""

    n: int
    true: Floats
    told: Floats
    """What a plain count of the reports would say, on average of the repetitions; nothing for a mean."""
    estimates: Floats
    """A row for each repetition."""
    theory: Floats
    """The variance of each estimate, as the formula has it."""

    @property
    def measured(self) -> Floats:
        """The mean squared error of each estimate over the repetitions."""
        return np.asarray(np.mean((self.estimates - self.true) ** 2, axis=0))

    @property
    def ratio(self) -> float:
        """Measured against theory, over all values; near 1."""
        return float(self.measured.sum() / self.theory.sum())

    @property
    def bias(self) -> Floats:
        """The mean estimate less the truth, in standard errors of it; mostly between -3 and 3."""
        error = np.sqrt(self.theory / len(self.estimates))
        return np.asarray((self.estimates.mean(axis=0) - self.true) / error)


def simulate(
    protocol: FrequencyProtocol, true: Ints, repeats: int, seed: int, progress: Progress = SILENT
) -> Simulation:
    """Send everybody's value through a protocol again and again, by its own client and server."""
    values, n = np.repeat(np.arange(protocol.size), true), int(true.sum())
    source, supports = simulated(seed), np.empty((repeats, protocol.size), dtype=np.int64)
    for again in range(repeats):
        progress(again / repeats, "Asking everybody again")
        supports[again] = protocol.support(protocol.perturb(values, source))
    estimates = np.array([estimate_from_support(protocol, support, n).estimates for support in supports])
    theory = np.array([n * protocol.variance(share) for share in (true / max(n, 1)).tolist()])
    return Simulation(n, true.astype(np.float64), supports.mean(axis=0), estimates, theory)


def simulate_mean(
    protocol: MeanProtocol, steps: Ints, repeats: int, seed: int, progress: Progress = SILENT
) -> Simulation:
    """Send everybody's number through a protocol again and again; what comes out is its mean."""
    source, n = simulated(seed), len(steps)
    means = np.empty((repeats, 1))
    for again in range(repeats):
        progress(again / repeats, "Asking everybody again")
        means[again, 0] = protocol.numbers(protocol.perturb(steps, source)).mean()
    places, often = np.unique(steps, return_counts=True)
    spread = sum(
        protocol.variance(at) * times
        for at, times in zip((places / protocol.size).tolist(), often.tolist(), strict=True)
    )
    true = np.array([float(steps.mean()) / protocol.size])
    return Simulation(n, true, np.empty(0), means, np.array([spread / n**2]))


def central_sd(epsilon: Fraction) -> float:
    """Give the error of a count when all answers are collected and noise is added once, at the same epsilon.

    Somebody who changes their answer moves two counts by one, so discrete Laplace noise has scale 2 / epsilon.
    """
    a = math.exp(-epsilon / 2)
    return math.sqrt(2 * a) / (1 - a)


def central_mean_sd(protocol: MeanProtocol) -> float:
    """Give the error of a sum of numbers, in ranges, when noise is added once, at the same epsilon.

    Somebody who changes their answer moves the sum by the range at most, in as many steps as the protocol has.
    """
    a = math.exp(-protocol.epsilon / protocol.size)
    return math.sqrt(2 * a) / (1 - a) / protocol.size


def against_central(
    protocol: FrequencyProtocol | MeanProtocol, answers: Sequence[int]
) -> list[tuple[int, float, float]]:
    """Give for numbers of answers the error of a share or mean: asked with this protocol, and with noise added once."""
    if isinstance(protocol, FrequencyProtocol):
        local, central = protocol.variance(), central_sd(protocol.epsilon)
    else:
        local, central = max(protocol.variance(at) for at in (0.0, 0.5, 1.0)), central_mean_sd(protocol)
    return [(n, math.sqrt(local / n), central / n) for n in answers]


def simulated(seed: int) -> Source:
    """Give a source that is repeatable by its seed; never for a report of a real person."""
    return np.random.default_rng(seed).bytes
