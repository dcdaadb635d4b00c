"""DP-SGD: features, model, clipped gradients, training, noisy and plain evaluation.

A gradient of one row is the product of two lists of whole numbers, what is off and what was put in; cut towards zero
it only gets shorter, so that its length is bounded exactly, whatever floats do.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp import gateway
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.sensitivity import Neighbours
from anonymizer_gui.engine.rooms.statistics.public_domains import ColumnDomain
from anonymizer_gui.engine.rooms.statistics.question import PublicKnowledge

UNIT = 64
"""A feature of 1 in whole numbers."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class FeatureEncoding:
    """The features of every column: a 1 for its cell, for numbers and days also the middle of the bin; and a bias."""

    domains: tuple[ColumnDomain, ...]

    @cached_property
    def blocks(self) -> tuple[Floats, ...]:
        """Give for each column what each of its cells looks like, in whole numbers."""
        return tuple(_block(domain) for domain in self.domains)

    @property
    def width(self) -> int:
        """The number of features, the bias included."""
        return sum(block.shape[1] for block in self.blocks) + 1

    def features(self, cells: Sequence[Ints]) -> Floats:
        """Give the features of some rows by their cells; whole numbers held as floats, which multiply faster."""
        rows = len(cells[0]) if cells else 0
        parts = [block[at] for block, at in zip(self.blocks, cells, strict=True)]
        return np.hstack([*parts, np.full((rows, 1), float(UNIT))])

    def cells(self, table: Table, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Give the cells of all rows of a table."""
        return tuple(domain.of_rows(table.column(domain.column), public) for domain in self.domains)


def _block(domain: ColumnDomain) -> Floats:
    ones = np.eye(domain.cells) * UNIT
    middles = domain.middles()
    if middles is None:
        return ones
    line = np.append(np.trunc(middles * UNIT), 0.0)
    return np.column_stack([ones, line])


OFF = 1 << 12
"""What is off by 1, in whole numbers."""

_FIRST_SIZE = 0.5

_FARTHEST = 100.0


@dataclass(frozen=True, slots=True)
class ModelShape:
    """The sizes of a model: features, hidden units (none for logistic regression), and classes."""

    features: int
    hidden: int
    classes: int
    clip: float

    @property
    def outputs(self) -> int:
        """One output tells two classes apart."""
        return 1 if self.classes == 2 else self.classes

    @property
    def longest(self) -> int:
        """The length no gradient of a row exceeds, in whole numbers."""
        return int(self.clip * OFF * UNIT)

    @property
    def parameters(self) -> int:
        """The number of weights."""
        inside = self.hidden * self.features
        return inside + self.outputs * ((self.hidden + 1) if self.hidden else self.features)

    def first_weights(self) -> Floats:
        """Give weights to begin with, the same ones every time: small and different inside, zero outside."""
        weights = np.zeros(self.parameters)
        if self.hidden:
            inside = self.hidden * self.features
            weights[:inside] = _FIRST_SIZE * (2 * ((np.arange(1, inside + 1) * 0.6180339887498949) % 1) - 1)
        return weights

    def scores(self, weights: Floats, features: Floats) -> Floats:
        """Give how likely each class is, a row for each row."""
        inner, outer = self._split(weights)
        inside = np.maximum(features @ inner.T, 0.0) if self.hidden else features
        return self._likely(outer, _with_bias(inside) if self.hidden else inside)

    def gradient(self, weights: Floats, features: Floats, classes: Ints) -> Ints:
        """Add up the clipped whole gradients of some rows."""
        outer = self._split(weights)[1]
        inside = self._inside(weights, features)
        off = self._off(self._likely(outer, inside), classes)
        below = (off @ outer[:, :-1]) * (inside[:, :-1] > 0) if self.hidden else np.zeros((len(off), 0))
        sizes = _squares(inside), _squares(features)
        length = np.sqrt(
            (off * off).sum(axis=1) * sizes[0] + (below * below).sum(axis=1) * sizes[1] * bool(self.hidden)
        )
        factor = OFF * np.minimum(1.0, self.clip * UNIT / np.maximum(length, 1e-9))
        whole_off, whole_below = (np.trunc(part * factor[:, np.newaxis]) for part in (off, below))
        is_short = _squares(whole_off) * sizes[0] + _squares(whole_below) * sizes[1] <= float(self.longest) ** 2
        whole_off, whole_below = whole_off * is_short[:, np.newaxis], whole_below * is_short[:, np.newaxis]
        parts = [(whole_below.T @ features).ravel(), (whole_off.T @ inside).ravel()]
        return np.asarray(np.concatenate(parts if self.hidden else parts[1:]), dtype=np.int64)

    def _split(self, weights: Floats) -> tuple[Floats, Floats]:
        inside = self.hidden * self.features
        return weights[:inside].reshape(self.hidden, self.features), weights[inside:].reshape(self.outputs, -1)

    def _inside(self, weights: Floats, features: Floats) -> Floats:
        """Give what the last layer is given, in whole numbers: the features, or the hidden units and a bias."""
        if not self.hidden:
            return features
        return _with_bias(np.trunc(np.clip(features @ self._split(weights)[0].T, 0.0, _FARTHEST * UNIT)))

    def _likely(self, outer: Floats, inside: Floats) -> Floats:
        sums = np.clip(inside @ outer.T / UNIT, -50.0, 50.0)
        if self.outputs == 1:
            yes = 1 / (1 + np.exp(-sums[:, 0]))
            return np.column_stack([1 - yes, yes])
        raised = np.exp(sums - sums.max(axis=1, keepdims=True))
        return np.asarray(raised / raised.sum(axis=1, keepdims=True))

    def _off(self, likely: Floats, classes: Ints) -> Floats:
        """Give how far off each output is."""
        if self.outputs == 1:
            return (likely[:, 1] - classes)[:, np.newaxis]
        return likely - np.eye(self.classes)[classes]


def _with_bias(hidden: Floats) -> Floats:
    return np.column_stack([hidden, np.full(len(hidden), float(UNIT))])


def _squares(rows: Floats) -> Floats:
    """Add up the squares of each row; of whole numbers below 2^53 exactly."""
    return np.asarray((rows * rows).sum(axis=1))


BINS = 40
"""How finely scores are counted; an even number, so that one half is an edge."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Noisy measures; the area is known for two classes only."""

    rows: float
    accuracy: float
    area: float | None


def count_correct(likely: Floats, classes: Ints) -> Ints:
    """Count rows whose class is foretold, and the others."""
    right = int((likely.argmax(axis=1) == classes).sum()) if len(classes) else 0
    return np.array([right, len(classes) - right], dtype=np.int64)


def score_counts(likely: Floats, classes: Ints) -> Ints:
    """Count the rows of both classes by score."""
    bins = np.minimum((likely[:, 1] * BINS).astype(np.int64), BINS - 1)
    return np.bincount(classes * BINS + bins, minlength=2 * BINS).astype(np.int64)


def evaluate_accuracy(noisy: Ints) -> Evaluation:
    """Measure by noisy counts of right and wrong guesses."""
    right, wrong = (max(float(number), 0.0) for number in noisy)
    rows = max(right + wrong, 1.0)
    return Evaluation(rows, right / rows, None)


def evaluate_scores(noisy: Ints) -> Evaluation:
    """Measure by noisy counts of scores; negative ones stay negative, for without them noise would look like rows."""
    no, yes = noisy.reshape(2, BINS).astype(np.float64)
    rows = max(float(no.sum() + yes.sum()), 1.0)
    right = no[: BINS // 2].sum() + yes[BINS // 2 :].sum()
    below = np.concatenate([[0.0], np.cumsum(no)[:-1]])
    pairs = max(float(no.sum()), 1.0) * max(float(yes.sum()), 1.0)
    area = float((yes * (below + no / 2)).sum()) / pairs
    return Evaluation(rows, _share(float(right) / rows), _share(area))


def _share(number: float) -> float:
    return min(max(number, 0.0), 1.0)


Flags = npt.NDArray[np.bool_]

Draw = Callable[[int, int], Flags]
"""Says which of so many are seen in a step of that number."""

_MOST_MADE_UP = 1000


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """All that is public: the model, how often which share of rows is seen, and when the model is looked at."""

    target: ColumnDomain
    encoding: FeatureEncoding
    network: ModelShape
    rate: Fraction
    steps: int
    speed: float
    apart: Fraction
    checks: int
    has_count: bool
    rows: int
    """How many rows there are where that is public, and counted otherwise."""

    @property
    def looks(self) -> tuple[int, ...]:
        """The steps after which the model is looked at; the last one is the last."""
        return tuple(round(self.steps * look / self.checks) for look in range(1, self.checks + 1))

    def share(self, step: int) -> Fraction:
        """Give the share of epsilon for a look: half of it for the last one."""
        return Fraction(1, 2) if step == self.steps else Fraction(1, 2 * (self.checks - 1))

    def epoch(self, step: int) -> float:
        """Say how often each row was seen on average."""
        return round(float(step * self.rate), 2)

    def kinds(self) -> list[str]:
        """Name what is sent, in order."""
        found = ["count"] if self.has_count else []
        for step in range(1, self.steps + 1):
            found += ["gradient", *(["look"] if step in self.looks else [])]
        return found

    def followed(self, noisy: Sequence[Ints]) -> tuple[Floats, list[Ints]]:
        """Give the weights after all noisy gradients, and the noisy looks."""
        learner, kinds = NoisyTraining(self), self.kinds()
        looks = [numbers for kind, numbers in zip(kinds, noisy, strict=False) if kind == "look"]
        learner.follow(noisy)
        return learner.weights(), looks


@dataclass(slots=True, eq=False)
class NoisyTraining:
    """Weights as they follow from noisy numbers alone; of the second half of the steps their mean counts."""

    course: TrainingPlan
    seen: int = 0
    step: int = 0
    batch: float = 1.0
    now: Floats = field(default_factory=lambda: np.zeros(0))
    summed: Floats = field(default_factory=lambda: np.zeros(0))
    kinds: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.now = self.course.network.first_weights()
        self.summed, self.kinds = np.zeros_like(self.now), self.course.kinds()
        self._expect(self.course.rows * float(1 - self.course.apart))

    def follow(self, noisy: Sequence[Ints]) -> None:
        """Take the noisy numbers that are new."""
        for at in range(self.seen, len(noisy)):
            if self.kinds[at] == "count":
                self._expect(float(noisy[at][0]))
            elif self.kinds[at] == "gradient":
                self._move(noisy[at])
        self.seen = len(noisy)

    def weights(self) -> Floats:
        """Give the mean of the later weights, or the present ones in the first half."""
        averaged = self.step - self.course.steps // 2
        return self.summed / averaged if averaged > 0 else self.now

    def _expect(self, rows: float) -> None:
        self.batch = max(rows * float(self.course.rate), 1.0)

    def _move(self, noisy: Ints) -> None:
        self.now = self.now - self.course.speed * noisy / (OFF * UNIT) / self.batch
        self.step += 1
        if self.step > self.course.steps // 2:
            self.summed = self.summed + self.now


@dataclass(slots=True, eq=False)
class TrainingData:
    """The rows that are learned from, those that measure, and what is known so far."""

    course: TrainingPlan
    cells: tuple[Ints, ...]
    classes: Ints
    people: Ints
    """To whom each row belongs: whoever is seen is seen with all rows."""
    is_apart: Flags
    draw: Draw
    learner: NoisyTraining = field(init=False)
    features: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.learner = NoisyTraining(self.course)
        self.features = self.course.encoding.features([cells[self.is_apart] for cells in self.cells])

    def next(self, noisy: Sequence[Ints]) -> Ints:
        """Give the numbers of the next step."""
        self.learner.follow(noisy)
        kind = self.learner.kinds[len(noisy)]
        if kind == "count":
            return np.array([int((~self.is_apart).sum())], dtype=np.int64)
        return self._gradient() if kind == "gradient" else self._look()

    def _gradient(self) -> Ints:
        """Add up the gradients of the rows of everybody who is drawn."""
        people = int(self.people.max()) + 1 if len(self.people) else 0
        is_seen = self.draw(people, self.learner.step)[self.people] & ~self.is_apart
        features = self.course.encoding.features([cells[is_seen] for cells in self.cells])
        return self.course.network.gradient(self.learner.now, features, self.classes[is_seen])

    def _look(self) -> Ints:
        likely = self.course.network.scores(self.learner.weights(), self.features)
        is_last = self.learner.step == self.course.steps
        count = score_counts if is_last and self.course.network.classes == 2 else count_correct
        return count(likely, self.classes[self.is_apart])


def split_training_data(course: TrainingPlan, table: Table, public: PublicKnowledge) -> TrainingData:
    """Read the rows whose target is known, and part people by lot."""
    whole = full_training_data(course, table, public)
    everybody = int(whole.people.max()) + 1 if len(whole.people) else 0
    is_apart = gateway.poisson_sample(everybody, course.apart)[whole.people]
    draw: Draw = lambda count, _step: gateway.poisson_sample(count, course.rate)  # noqa: E731
    return TrainingData(course, whole.cells, whole.classes, whole.people, is_apart, draw)


def full_training_data(course: TrainingPlan, table: Table, public: PublicKnowledge) -> TrainingData:
    """Read the rows whose target is known; all of them are seen in every step."""
    classes = course.target.of_rows(table.column(course.target.column), public)
    is_known = classes < len(course.target.labels)
    people = np.arange(table.n_rows, dtype=np.int64)
    if public.unit.kind is Neighbours.PERSON:
        people = table.column(public.unit.column).codes.astype(np.int64)
    cells = tuple(each[is_known] for each in course.encoding.cells(table, public))
    none = np.zeros(int(is_known.sum()), dtype=np.bool_)
    return TrainingData(
        course, cells, classes[is_known], people[is_known], none, lambda count, _step: np.ones(count, np.bool_)
    )


def simulated_training_data(course: TrainingPlan, rows: int) -> TrainingData:
    """Make up rows whose class follows from their cells, most of the time; the same ones every time."""
    count = min(max(rows, 1), _MOST_MADE_UP)
    order = (np.arange(count) * 0.6180339887498949) % 1
    cells = tuple(
        np.minimum(((order * (1 + 0.1 * at)) % 1 * (domain.cells - 1)).astype(np.int64), max(domain.cells - 2, 0))
        for at, domain in enumerate(course.encoding.domains)
    )
    classes = np.minimum((order * course.network.classes).astype(np.int64), course.network.classes - 1)
    is_odd = np.arange(count) % 7 == 0
    classes = np.where(is_odd, (classes + 1) % course.network.classes, classes)
    is_apart = np.arange(count) % max(round(1 / course.apart), 2) == 0
    every = max(round(1 / course.rate), 1)
    return TrainingData(
        course,
        cells,
        classes,
        np.arange(count),
        is_apart,
        lambda people, step: np.arange(people) % every == step % every,
    )


_STEPS, _SPEED, _UNCLIPPED = 150, 6.0, 100.0

_MOST_ROWS = 20_000

Labelled = tuple[Sequence[Ints], Ints]


@dataclass(frozen=True, slots=True)
class PlainEvaluation:
    """How good a model is on rows it has not seen."""

    accuracy: float
    area: float | None


def train_without_noise(
    encoding: FeatureEncoding, cells: Sequence[Ints], target: Ints, classes: int, tested: Labelled
) -> PlainEvaluation:
    """Learn by logistic regression from all rows at once, and measure on others."""
    network = ModelShape(encoding.width, 0, classes, _UNCLIPPED)
    weights = gradient_descent(network, encoding, cells, target)
    known = tested[1] < classes
    likely = network.scores(weights, encoding.features([codes[known] for codes in tested[0]]))
    found = evaluate_scores(score_counts(likely, tested[1][known])) if classes == 2 else None
    right = evaluate_accuracy(count_correct(likely, tested[1][known]))
    return PlainEvaluation(right.accuracy, None if found is None else found.area)


def gradient_descent(network: ModelShape, encoding: FeatureEncoding, cells: Sequence[Ints], target: Ints) -> Floats:
    """Give the weights after some steps of accelerated descent."""
    known = np.flatnonzero(target < network.classes)[:_MOST_ROWS]
    features, classes = encoding.features([codes[known] for codes in cells]), target[known]
    weights, speed = network.first_weights(), np.zeros(network.parameters)
    for _ in range(_STEPS):
        gradient = network.gradient(weights, features, classes) / (OFF * UNIT) / max(len(known), 1)
        speed = 0.9 * speed - _SPEED * gradient / 4
        weights = weights + speed
    return weights
