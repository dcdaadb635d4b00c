"""A column of a table played through a protocol again and again, with a seed: for seeing, never for releasing."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from anonymizer_gui.engine.dp.local.design import counting
from anonymizer_gui.engine.dp.local.simulating import Simulation, against_central, simulate
from anonymizer_gui.engine.errors import BadParameter
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.survey.question import BEST, Question
from anonymizer_gui.engine.rooms.survey.truth import true_counts
from anonymizer_gui.engine.shapes.tables.table import Table
from anonymizer_gui.engine.words import say

MOST_VALUES = 500
_NUMBERS = tuple(round(10 ** (step / 2)) for step in range(4, 15))


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """What came out: the values, the simulation, and the errors of local and central privacy at the same epsilon."""

    values: tuple[str, ...]
    protocol: str
    simulation: Simulation
    against: tuple[tuple[int, float, float], ...]
    seed: int


@dataclass(frozen=True, slots=True)
class Game:
    """What is to be played: a column, a protocol, what an answer costs, how often, and with which seed."""

    column: str
    protocol: str = BEST
    epsilon: Fraction = Fraction(1)
    repeats: int = 100
    seed: int = 1


def play(game: Game, table: Table, progress: Progress = SILENT) -> Played:
    """Send every row of a column through a protocol, many times; raises BadParameter."""
    values, true = true_counts(table, game.column)
    if not 2 <= len(values) <= MOST_VALUES:
        raise BadParameter(
            say("The column “{name}” has {values:value|values}.", name=game.column, values=len(values)),
            say("Choose one with 2 to {most}.", most=MOST_VALUES),
        )
    name = Question(game.column, values=values, protocol=game.protocol).chosen(game.epsilon)
    protocol = counting(name, len(values), game.epsilon)
    found = simulate(protocol, np.asarray(true), game.repeats, game.seed, progress)
    return Played(values, name, found, tuple(against_central(protocol, _NUMBERS)), game.seed)
