"""Three tasks, each done on a generalised table, on a synthetic one, and by an algorithm with noise inside.

All of it is simulated on made-up people, repeatable by a seed; nothing here is ever a release.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from anonymizer_gui.engine.rooms.statistics.calibration import Calibrated, calibrate
from anonymizer_gui.engine.rooms.statistics.clustering import nearest, of_cells
from anonymizer_gui.engine.rooms.statistics.column_domains import domains_of
from anonymizer_gui.engine.rooms.statistics.learning.encoding import Encoding
from anonymizer_gui.engine.rooms.statistics.learning.network import Network
from anonymizer_gui.engine.rooms.statistics.learning.plainly import learned_plainly
from anonymizer_gui.engine.rooms.statistics.learning.training import Pupil
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import Noisy
from anonymizer_gui.engine.rooms.statistics.questions.tables.k_means import HALF, KMeans
from anonymizer_gui.engine.rooms.statistics.questions.tables.learn import Learn
from anonymizer_gui.engine.rooms.statistics.questions.tables.synthetic import Synthetic
from anonymizer_gui.engine.rooms.statistics.synthesis.model import drawn_cells
from anonymizer_gui.engine.rooms.statistics.versus.people import (
    FIELDS,
    HIGHS,
    LOWS,
    NAMES,
    Floats,
    Ints,
    People,
    generalised,
)

DELTA = Fraction(1, 10**6)
CLUSTERS = 3
_OWNS = "owns=no|yes"
_QUERIES = 60
_EPOCHS, _RATE = 8, 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """Made-up people, of whom every fourth is held out, and the chance that stands for noise."""

    people: People
    seed: int

    @property
    def is_tested(self) -> Ints:
        """Tell who is held out."""
        return np.asarray(np.arange(len(self.people.owns)) % 4 == 0)

    def learned(self) -> People:
        """Give everybody else."""
        return People(self.people.numbers[~self.is_tested], self.people.owns[~self.is_tested])

    def tested(self) -> People:
        """Give those who are held out."""
        return People(self.people.numbers[self.is_tested], self.people.owns[self.is_tested])


def cells_of(numbers: Floats) -> list[Ints]:
    """Give the public cell of every number in each column."""
    bins = [(24, 18, 73), (25, 0, 201), (16, 0, 81)]
    return [
        ((numbers[:, at] - low).astype(np.int64) * cells // steps).clip(0, cells - 1)
        for at, (cells, low, steps) in enumerate(bins)
    ]


def scaled(numbers: Floats) -> Floats:
    """Move numbers between -1 and 1."""
    return np.asarray((numbers - LOWS) / (HIGHS - LOWS) * 2 - 1)


def loss_of(centres: Floats, people: People) -> float:
    """Give the mean squared distance from the nearest centre."""
    points = scaled(people.numbers)
    away = points - centres[nearest(points, centres)]
    return float((away * away).sum(axis=1).mean())


def plain_centres(numbers: Floats) -> Floats:
    """Cluster without noise."""
    return of_cells(scaled(numbers), np.ones(len(numbers)), CLUSTERS)[0]


def noisy_centres(setting: Setting, epsilon: Fraction) -> Floats:
    """Cluster with noise inside."""
    question = KMeans(CLUSTERS, NAMES, tuple(LOWS), tuple(HIGHS))
    made = calibrate(question, Public(assumed=len(setting.people.owns)), epsilon, DELTA)
    whole = np.rint(scaled(setting.people.numbers) * HALF).astype(np.int64)
    told = question.told(simulated(made, whole, setting.seed), made.public)
    found = np.array([value for _, value in told.values], dtype=np.float64).reshape(CLUSTERS, len(NAMES) + 1)
    return scaled(found[:, :-1])


def synthetic_people(people: People, epsilon: Fraction, seed: int, target: str = "") -> People:
    """Draw synthetic people; the middle of a cell stands for the numbers in it."""
    question = Synthetic((*FIELDS, _OWNS), target=target)
    made = calibrate(question, Public(assumed=len(people.owns)), epsilon, DELTA)
    data = (*cells_of(people.numbers), people.owns)
    model = question.model(simulated(made, data, seed), made.public)
    chance = np.random.default_rng(seed + 1)
    cells = drawn_cells(model, len(people.owns), lambda count: chance.integers(0, 2**64, count, dtype=np.uint64))
    is_known = np.logical_and.reduce([codes < size for codes, size in zip(cells, (24, 25, 16, 2), strict=True)])
    middles = [
        low + (codes[is_known] + 0.5) * steps / size - 0.5
        for codes, (size, low, steps) in zip(cells, ((24, 18, 73), (25, 0, 201), (16, 0, 81)), strict=False)
    ]
    return People(np.clip(np.column_stack(middles), LOWS, HIGHS), cells[3][is_known])


def simulated(made: Calibrated, data: object, seed: int) -> Noisy:
    """Answer every step about people who are made up."""
    chance, drawn = np.random.default_rng(seed), list[Ints]()
    for mechanism in made.mechanisms:
        numbers = made.question.counted_after(data, made.public, tuple(drawn))
        drawn.append(mechanism.simulate(numbers, chance))
    return Noisy(tuple(drawn), made.mechanisms)


def plain_accuracy(known: People, tested: People) -> float:
    """Learn without noise who owns a home."""
    encoding = Encoding(domains_of(FIELDS, Public()))
    rest = cells_of(tested.numbers), tested.owns
    return learned_plainly(encoding, cells_of(known.numbers), known.owns, 2, rest).accuracy


def noisy_accuracy(known: People, tested: People, epsilon: Fraction, seed: int) -> float:
    """Learn with noise in every step."""
    question = Learn(_OWNS, FIELDS, epochs=_EPOCHS, rate=_RATE, delta=float(DELTA))
    made = calibrate(question, Public(assumed=len(known.owns)), epsilon, DELTA)
    course, chance = question.course(made.public), np.random.default_rng(seed + 2)
    rows = len(known.owns)
    pupil = Pupil(
        course, tuple(cells_of(known.numbers)), known.owns, np.arange(rows), chance.random(rows) < float(course.apart),
        lambda count, _step: np.asarray(chance.random(count) < float(course.rate)),
    )  # fmt: skip
    weights, _ = course.followed(simulated(made, pupil, seed).numbers)
    network: Network = course.network
    likely = network.scores(weights, course.encoding.features(cells_of(tested.numbers)))
    return float((likely.argmax(axis=1) == tested.owns).mean())


def query_ranges(seed: int) -> tuple[tuple[Floats, Floats], ...]:
    """Make up questions: how many people lie between two ages and two incomes."""
    chance = np.random.default_rng(seed + 3)
    both = [np.sort(chance.uniform(LOWS[:2], HIGHS[:2], (2, 2)), axis=0) for _ in range(_QUERIES)]
    return tuple((np.floor(pair[0]), np.ceil(pair[1])) for pair in both)


def query_error(found: Sequence[float], people: People, ranges: Sequence[tuple[Floats, Floats]]) -> float:
    """Give the mean error of counts, as a share of all people."""
    true = [float(inside(people.numbers, low, high).sum()) for low, high in ranges]
    return float(np.mean(np.abs(np.array(found) - true))) / len(people.owns)


def inside(numbers: Floats, low: Floats, high: Floats) -> Ints:
    """Tell who lies in a range of age and income."""
    return np.asarray(((numbers[:, :2] >= low) & (numbers[:, :2] <= high)).all(axis=1))


def counts_of_ranges(lows: Floats, highs: Floats, ranges: Sequence[tuple[Floats, Floats]]) -> list[float]:
    """Count people of whom only ranges are known: each for the part of the range that is asked for."""
    found = []
    for low, high in ranges:
        widths = highs[:, :2] - lows[:, :2] + 1
        common = np.minimum(highs[:, :2], high) - np.maximum(lows[:, :2], low) + 1
        found.append(float((np.clip(common, 0, None) / widths).prod(axis=1).sum()))
    return found


def noisy_counts(people: People, ranges: Sequence[tuple[Floats, Floats]], epsilon: Fraction, seed: int) -> list[float]:
    """Count with noise in each answer; the questions share the budget."""
    chance = np.random.default_rng(seed + 4)
    each = len(ranges) / float(epsilon)
    return [float(inside(people.numbers, low, high).sum() + chance.laplace(0, each)) for low, high in ranges]


def middles_of(people: People, k: int) -> People:
    """Give the generalised people by the middles of their ranges."""
    lows, highs = generalised(people, k)
    return People((lows + highs) / 2, people.owns)
