"""The same tasks on a generalised, a synthetic, a noisy way.

All of it is simulated on made-up people, repeatable by a seed; nothing here is ever a release.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.statistics.budget_allocation import CalibratedQuestion, calibrate
from anonymizer_gui.engine.rooms.statistics.dp_sgd import FeatureEncoding, ModelShape, TrainingData, train_without_noise
from anonymizer_gui.engine.rooms.statistics.public_domains import domains_of
from anonymizer_gui.engine.rooms.statistics.question import NoisySteps, PublicKnowledge
from anonymizer_gui.engine.rooms.statistics.questions.clustering import HALF, KMeans, assign_clusters, cluster_cells
from anonymizer_gui.engine.rooms.statistics.questions.learning import Learn
from anonymizer_gui.engine.rooms.statistics.questions.synthetic import Synthetic
from anonymizer_gui.engine.rooms.statistics.synthesis import sample_cells

Floats = npt.NDArray[np.float64]

Ints = npt.NDArray[np.int64]

ROWS = 4000

FIELDS = ("age=18..90/24", "income=0..200/25", "hours=0..80/16")

NAMES = ("age", "income", "hours")

LOWS, HIGHS = np.array([18.0, 0.0, 0.0]), np.array([90.0, 200.0, 80.0])


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """Numbers of each person: age, income in thousands, hours of work; and whether they own a home."""

    numbers: Floats
    owns: Ints


def simulate_people(seed: int, rows: int = ROWS) -> People:
    """Make up young people who study, people who work, and people who have retired."""
    chance = np.random.default_rng(seed)
    kinds = chance.choice(3, rows, p=[0.25, 0.5, 0.25])
    middles = np.array([[23.0, 12.0, 14.0], [44.0, 62.0, 40.0], [72.0, 30.0, 3.0]])[kinds]
    spread = np.array([[3.5, 7.0, 7.0], [9.0, 22.0, 7.0], [6.0, 11.0, 4.0]])[kinds]
    numbers = np.rint(np.clip(middles + spread * chance.normal(0, 1, (rows, 3)), LOWS, HIGHS))
    likely = 1 / (1 + np.exp(-(0.09 * (numbers[:, 0] - 42) + 0.05 * (numbers[:, 1] - 45))))
    return People(numbers, (chance.random(rows) < likely).astype(np.int64))


def mondrian_ranges(people: People, k: int) -> tuple[Floats, Floats]:
    """Part people at medians until a part would have fewer than k (Mondrian); give the ranges of everybody."""
    lows, highs = people.numbers.copy(), people.numbers.copy()
    waiting = [np.arange(len(people.numbers))]
    while waiting:
        rows = waiting.pop()
        parts = _parted(people.numbers[rows], k)
        if parts is None:
            lows[rows], highs[rows] = people.numbers[rows].min(axis=0), people.numbers[rows].max(axis=0)
        else:
            waiting += [rows[parts], rows[~parts]]
    return lows, highs


def _parted(numbers: Floats, k: int) -> npt.NDArray[np.bool_] | None:
    """Give one side of a cut at the median of the widest column that allows it; nothing when none does."""
    widths = (numbers.max(axis=0) - numbers.min(axis=0)) / (HIGHS - LOWS)
    for column in np.argsort(-widths):
        is_low = numbers[:, column] <= np.median(numbers[:, column])
        if k <= is_low.sum() <= len(numbers) - k:
            return np.asarray(is_low)
    return None


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
    away = points - centres[assign_clusters(points, centres)]
    return float((away * away).sum(axis=1).mean())


def plain_centres(numbers: Floats) -> Floats:
    """Cluster without noise."""
    return cluster_cells(scaled(numbers), np.ones(len(numbers)), CLUSTERS)[0]


def noisy_centres(setting: Setting, epsilon: Fraction) -> Floats:
    """Cluster with noise inside."""
    question = KMeans(CLUSTERS, NAMES, tuple(LOWS), tuple(HIGHS))
    made = calibrate(question, PublicKnowledge(assumed=len(setting.people.owns)), epsilon, DELTA)
    whole = np.rint(scaled(setting.people.numbers) * HALF).astype(np.int64)
    told = question.told(simulated(made, whole, setting.seed), made.public)
    found = np.array([value for _, value in told.values], dtype=np.float64).reshape(CLUSTERS, len(NAMES) + 1)
    return scaled(found[:, :-1])


def synthetic_people(people: People, epsilon: Fraction, seed: int, target: str = "") -> People:
    """Draw synthetic people; the middle of a cell stands for the numbers in it."""
    question = Synthetic((*FIELDS, _OWNS), target=target)
    made = calibrate(question, PublicKnowledge(assumed=len(people.owns)), epsilon, DELTA)
    data = (*cells_of(people.numbers), people.owns)
    model = question.model(simulated(made, data, seed), made.public)
    chance = np.random.default_rng(seed + 1)
    cells = sample_cells(model, len(people.owns), lambda count: chance.integers(0, 2**64, count, dtype=np.uint64))
    is_known = np.logical_and.reduce([codes < size for codes, size in zip(cells, (24, 25, 16, 2), strict=True)])
    middles = [
        low + (codes[is_known] + 0.5) * steps / size - 0.5
        for codes, (size, low, steps) in zip(cells, ((24, 18, 73), (25, 0, 201), (16, 0, 81)), strict=False)
    ]
    return People(np.clip(np.column_stack(middles), LOWS, HIGHS), cells[3][is_known])


def simulated(made: CalibratedQuestion, data: object, seed: int) -> NoisySteps:
    """Answer every step about people who are made up."""
    chance, drawn = np.random.default_rng(seed), list[Ints]()
    for mechanism in made.mechanisms:
        numbers = made.question.counted_after(data, made.public, tuple(drawn))
        drawn.append(mechanism.simulate(numbers, chance))
    return NoisySteps(tuple(drawn), made.mechanisms)


def plain_accuracy(known: People, tested: People) -> float:
    """Learn without noise who owns a home."""
    encoding = FeatureEncoding(domains_of(FIELDS, PublicKnowledge()))
    rest = cells_of(tested.numbers), tested.owns
    return train_without_noise(encoding, cells_of(known.numbers), known.owns, 2, rest).accuracy


def noisy_accuracy(known: People, tested: People, epsilon: Fraction, seed: int) -> float:
    """Learn with noise in every step."""
    question = Learn(_OWNS, FIELDS, epochs=_EPOCHS, rate=_RATE, delta=float(DELTA))
    made = calibrate(question, PublicKnowledge(assumed=len(known.owns)), epsilon, DELTA)
    course, chance = question.course(made.public), np.random.default_rng(seed + 2)
    rows = len(known.owns)
    pupil = TrainingData(
        course, tuple(cells_of(known.numbers)), known.owns, np.arange(rows), chance.random(rows) < float(course.apart),
        lambda count, _step: np.asarray(chance.random(count) < float(course.rate)),
    )  # fmt: skip
    weights, _ = course.followed(simulated(made, pupil, seed).numbers)
    network: ModelShape = course.network
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
    lows, highs = mondrian_ranges(people, k)
    return People((lows + highs) / 2, people.owns)


Task = Literal["clusters", "classes", "queries"]

KS = (200, 100, 50, 20, 10, 5)

EPSILONS = tuple(Fraction(text) for text in ("0.05", "0.1", "0.3", "1", "3", "10"))

_TRIALS = 2


@dataclass(frozen=True, slots=True)
class TaskComparison:
    """One task: what comes out without protection, and for each setting of three ways; the first protects most."""

    task: Task
    best: float
    generalised: tuple[float, ...]
    synthetic: tuple[float, ...]
    noisy: tuple[float, ...]


def compare_ways(task: Task, seed: int, progress: Progress = SILENT) -> TaskComparison:
    """Do one task in three ways for every setting, on people who are made up."""
    setting = Setting(simulate_people(seed), seed)
    generalised_, synthetic, noisy = [], [], []
    for at, (k, epsilon) in enumerate(zip(KS, EPSILONS, strict=True)):
        progress(at / len(KS), "Comparing on made-up people")
        ways = [_three(task, setting, k, epsilon, seed + 10 * trial, progress) for trial in range(_TRIALS)]
        means = [sum(way[place] for way in ways) / len(ways) for place in range(3)]
        generalised_.append(means[0])
        synthetic.append(means[1])
        noisy.append(means[2])
    return TaskComparison(task, _best(task, setting), tuple(generalised_), tuple(synthetic), tuple(noisy))


def _best(task: Task, setting: Setting) -> float:
    if task == "clusters":
        return loss_of(plain_centres(setting.people.numbers), setting.people)
    return plain_accuracy(setting.learned(), setting.tested()) if task == "classes" else 0.0


def _three(
    task: Task, setting: Setting, k: int, epsilon: Fraction, seed: int, progress: Progress
) -> tuple[float, float, float]:
    """Give what comes out of a generalised table, a synthetic one, and noise inside."""
    progress.check()
    people, known, tested = setting.people, setting.learned(), setting.tested()
    if task == "clusters":
        made = synthetic_people(people, epsilon, seed)
        centres = (
            plain_centres(middles_of(people, k).numbers),
            plain_centres(made.numbers),
            noisy_centres(Setting(people, seed), epsilon),
        )
        return loss_of(centres[0], people), loss_of(centres[1], people), loss_of(centres[2], people)
    if task == "classes":
        made = synthetic_people(known, epsilon, seed, "owns")
        return (
            plain_accuracy(middles_of(known, k), tested),
            plain_accuracy(made, tested),
            noisy_accuracy(known, tested, epsilon, seed),
        )
    ranges = query_ranges(seed)
    made = synthetic_people(people, epsilon, seed)
    drawn = [
        len(people.owns) / max(len(made.owns), 1) * float(inside(made.numbers, low, high).sum()) for low, high in ranges
    ]
    answers = (
        counts_of_ranges(*mondrian_ranges(people, k), ranges),
        drawn,
        noisy_counts(people, ranges, epsilon, seed),
    )
    errors = [query_error(found, people, ranges) for found in answers]
    return errors[0], errors[1], errors[2]
