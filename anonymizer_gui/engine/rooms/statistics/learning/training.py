"""How a model is learned step by step: what is public of it, what noisy gradients make of it, and the rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp import gateway
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.sensitivity import Neighbours
from anonymizer_gui.engine.rooms.statistics.column_domains import ColumnDomain
from anonymizer_gui.engine.rooms.statistics.learning.encoding import UNIT, Encoding
from anonymizer_gui.engine.rooms.statistics.learning.measuring import right_and_wrong, score_counts
from anonymizer_gui.engine.rooms.statistics.learning.network import OFF, Floats, Network
from anonymizer_gui.engine.rooms.statistics.public import Public

Flags = npt.NDArray[np.bool_]
Draw = Callable[[int, int], Flags]
"""Says which of so many are seen in a step of that number."""
_MOST_MADE_UP = 1000


@dataclass(frozen=True, slots=True)
class Course:
    """All that is public: the model, how often which share of rows is seen, and when the model is looked at."""

    target: ColumnDomain
    encoding: Encoding
    network: Network
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
        learner, kinds = Learner(self), self.kinds()
        looks = [numbers for kind, numbers in zip(kinds, noisy, strict=False) if kind == "look"]
        learner.follow(noisy)
        return learner.weights(), looks


@dataclass(slots=True, eq=False)
class Learner:
    """Weights as they follow from noisy numbers alone; of the second half of the steps their mean counts."""

    course: Course
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
class Pupil:
    """The rows that are learned from, those that measure, and what is known so far."""

    course: Course
    cells: tuple[Ints, ...]
    classes: Ints
    people: Ints
    """To whom each row belongs: whoever is seen is seen with all rows."""
    is_apart: Flags
    draw: Draw
    learner: Learner = field(init=False)
    features: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.learner = Learner(self.course)
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
        count = score_counts if is_last and self.course.network.classes == 2 else right_and_wrong
        return count(likely, self.classes[self.is_apart])


def pupil_of(course: Course, table: Table, public: Public) -> Pupil:
    """Read the rows whose target is known, and part people by lot."""
    whole = whole_pupil(course, table, public)
    everybody = int(whole.people.max()) + 1 if len(whole.people) else 0
    is_apart = gateway.poisson_sample(everybody, course.apart)[whole.people]
    draw: Draw = lambda count, _step: gateway.poisson_sample(count, course.rate)  # noqa: E731
    return Pupil(course, whole.cells, whole.classes, whole.people, is_apart, draw)


def whole_pupil(course: Course, table: Table, public: Public) -> Pupil:
    """Read the rows whose target is known; all of them are seen in every step."""
    classes = course.target.of_rows(table.column(course.target.column), public)
    is_known = classes < len(course.target.labels)
    people = np.arange(table.n_rows, dtype=np.int64)
    if public.unit.kind is Neighbours.PERSON:
        people = table.column(public.unit.column).codes.astype(np.int64)
    cells = tuple(each[is_known] for each in course.encoding.cells(table, public))
    none = np.zeros(int(is_known.sum()), dtype=np.bool_)
    return Pupil(
        course, cells, classes[is_known], people[is_known], none, lambda count, _step: np.ones(count, np.bool_)
    )


def made_up_pupil(course: Course, rows: int) -> Pupil:
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
    return Pupil(
        course,
        cells,
        classes,
        np.arange(count),
        is_apart,
        lambda people, step: np.arange(people) % every == step % every,
    )
