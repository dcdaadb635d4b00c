"""A column played through a protocol, with a seed.

Repeatable by its seed, so never a way to make reports of real people.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.local.estimation import Floats, estimate_from_support
from anonymizer_gui.engine.dp.local.protocol import PROTOCOLS, FrequencyProtocol, Ints, MeanProtocol, Source
from anonymizer_gui.engine.rooms.survey.collection import BEST, Question
from anonymizer_gui.engine.rooms.survey.estimates import true_counts


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


def simulate_counts(
    protocol: FrequencyProtocol, true: Ints, repeats: int, seed: int, progress: Progress = SILENT
) -> Simulation:
    """Send everybody's value through a protocol again and again, by its own client and server."""
    values, n = np.repeat(np.arange(protocol.size), true), int(true.sum())
    source, supports = seeded_source(seed), np.empty((repeats, protocol.size), dtype=np.int64)
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
    source, n = seeded_source(seed), len(steps)
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


def compare_with_central(
    protocol: FrequencyProtocol | MeanProtocol, answers: Sequence[int]
) -> list[tuple[int, float, float]]:
    """Give for numbers of answers the error of a share or mean: asked with this protocol, and with noise added once."""
    if isinstance(protocol, FrequencyProtocol):
        local, central = protocol.variance(), central_sd(protocol.epsilon)
    else:
        local, central = max(protocol.variance(at) for at in (0.0, 0.5, 1.0)), central_mean_sd(protocol)
    return [(n, math.sqrt(local / n), central / n) for n in answers]


def seeded_source(seed: int) -> Source:
    """Give a source that is repeatable by its seed; never for a report of a real person."""
    return np.random.default_rng(seed).bytes


MOST_VALUES = 500

_NUMBERS = tuple(round(10 ** (step / 2)) for step in range(4, 15))


@dataclass(frozen=True, slots=True, eq=False)
class SimulationResult:
    """What came out: the values, the simulation, and the errors of local and central privacy at the same epsilon."""

    question: Question
    protocol: str
    simulation: Simulation
    against: tuple[tuple[int, float, float], ...]
    price: float
    """How many times larger the error is than with noise that is added once, for as many as there are."""
    seed: int

    @property
    def values(self) -> tuple[str, ...]:
        """What could be answered; nothing where the mean of a number was asked for."""
        return self.question.domain


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """What is to be played: a column, a protocol, what an answer costs, how often, and with which seed."""

    column: str
    protocol: str = BEST
    epsilon: Fraction = Fraction(1)
    repeats: int = 100
    seed: int = 1
    asked: Question | None = None
    """The question of the survey about this column; bounds and ranges of a number are taken from it."""
    decimal: str = "."


def simulate_column(game: SimulationPlan, table: Table, progress: Progress = SILENT) -> SimulationResult:
    """Send every row of a column through a protocol, many times; raises BadParameter."""
    question = _question(game, table)
    protocol = question.made(game.epsilon)
    column = table.column(game.column).compact()
    steps = question.places([str(label) for label in column.labels], game.decimal)[column.codes]
    if isinstance(protocol, FrequencyProtocol):
        true = np.bincount(steps, minlength=protocol.size).astype(np.int64)
        found = simulate_counts(protocol, true, game.repeats, game.seed, progress)
    else:
        found = simulate_mean(protocol, steps, game.repeats, game.seed, progress)
    (_, local, central), *against = compare_with_central(protocol, (found.n, *_NUMBERS))
    return SimulationResult(question, protocol.name, found, tuple(against), local / central, game.seed)


def _question(game: SimulationPlan, table: Table) -> Question:
    """Ask for the values of the column, or for its number where the protocol or the survey does."""
    values, _ = true_counts(table, game.column)
    kind = None if game.protocol == BEST else PROTOCOLS.get(game.protocol)
    bins = game.asked.bins if game.asked is not None and not game.asked.values else 0
    is_number = game.asked is not None and not game.asked.values
    if (kind is not None and kind.asks == "number") or (is_number and (kind is None or bins)):
        low, high = _bounds(game, values)
        wanted = 0 if kind is not None and kind.asks == "number" else bins
        return Question(game.column, low=low, high=high, bins=wanted, protocol=game.protocol)
    if not 2 <= len(values) <= MOST_VALUES:
        raise BadParameter(
            message("The column “{name}” has {values:value|values}.", name=game.column, values=len(values)),
            message("Choose one with 2 to {most}, or a protocol for the mean of a number.", most=MOST_VALUES),
        )
    return Question(game.column, values=values, protocol=game.protocol)


def _bounds(game: SimulationPlan, values: tuple[str, ...]) -> tuple[float, float]:
    """Take the bounds of the question, or those of the column, which only a simulation may look at."""
    if game.asked is not None and game.asked.low < game.asked.high:
        return game.asked.low, game.asked.high
    try:
        numbers = [float(value.replace(game.decimal, ".")) for value in values]
    except ValueError:
        numbers = []
    if len(numbers) < 2 or not math.isfinite(max(numbers) - min(numbers)):
        raise BadParameter(
            message("The column “{name}” does not hold numbers alone.", name=game.column),
            "Choose another column, or a protocol for values.",
        )
    return min(numbers), max(numbers)
