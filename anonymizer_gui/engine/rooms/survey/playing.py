"""A column of a table played through a protocol again and again, with a seed: for seeing, never for releasing."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.local.protocol import PROTOCOLS, FrequencyProtocol
from anonymizer_gui.engine.dp.local.simulating import (
    Simulation,
    against_central,
    simulate,
    simulate_mean,
)
from anonymizer_gui.engine.rooms.survey.question import BEST, Question
from anonymizer_gui.engine.rooms.survey.truth import true_counts

MOST_VALUES = 500
_NUMBERS = tuple(round(10 ** (step / 2)) for step in range(4, 15))


@dataclass(frozen=True, slots=True, eq=False)
class Played:
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
class Game:
    """What is to be played: a column, a protocol, what an answer costs, how often, and with which seed."""

    column: str
    protocol: str = BEST
    epsilon: Fraction = Fraction(1)
    repeats: int = 100
    seed: int = 1
    asked: Question | None = None
    """The question of the survey about this column; bounds and ranges of a number are taken from it."""
    decimal: str = "."


def play(game: Game, table: Table, progress: Progress = SILENT) -> Played:
    """Send every row of a column through a protocol, many times; raises BadParameter."""
    question = _question(game, table)
    protocol = question.made(game.epsilon)
    column = table.column(game.column).compact()
    steps = question.places([str(label) for label in column.labels], game.decimal)[column.codes]
    if isinstance(protocol, FrequencyProtocol):
        true = np.bincount(steps, minlength=protocol.size).astype(np.int64)
        found = simulate(protocol, true, game.repeats, game.seed, progress)
    else:
        found = simulate_mean(protocol, steps, game.repeats, game.seed, progress)
    (_, local, central), *against = against_central(protocol, (found.n, *_NUMBERS))
    return Played(question, protocol.name, found, tuple(against), local / central, game.seed)


def _question(game: Game, table: Table) -> Question:
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


def _bounds(game: Game, values: tuple[str, ...]) -> tuple[float, float]:
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
