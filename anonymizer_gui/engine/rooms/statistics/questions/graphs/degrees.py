"""How many people have one tie, two ties, three: the degree histogram."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.data.graphs.graph import Graph
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit, Sensitivity
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS, Step
from anonymizer_gui.engine.rooms.statistics.questions.graphs import moved
from anonymizer_gui.engine.rooms.statistics.questions.graphs.of_graphs import OfGraphs, falling, hiding, one_step
from anonymizer_gui.engine.rooms.statistics.questions.graphs.projecting import added_one_by_one
from anonymizer_gui.engine.rooms.statistics.wording import number_in

_MOST_CELLS = 10_000


@dataclass(frozen=True, slots=True)
class _Degrees(OfGraphs):
    """The numbers of nodes of each degree; nobody without a tie is counted, for no list of ties has them."""

    title: ClassVar[str] = "Histogram of ties"
    verbs: ClassVar[tuple[str, ...]] = ("degrees",)

    most: int = param(Int(low=1, high=_MOST_CELLS), default=10, label="Ties at most", help="The last cell.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take the number of the last cell."""
        most = number_in(words[0]) if len(words) == 1 else None
        return None if most is None or most != int(most) or not 1 <= most <= _MOST_CELLS else cls(most=int(most))

    def words(self) -> tuple[str, ...]:
        """Give the number of the last cell."""
        return "degrees", str(self.most)

    def simulated(self, public: Public, rows: int) -> tuple[Ints, ...]:
        """Let few people have many ties."""
        return (falling(rows, self.most),)


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Degrees(_Degrees):
    """The degree histogram of a graph whose people have no more edges than a public bound."""

    name: ClassVar[str] = "graph-degrees"
    summary: ClassVar[str] = "How many people have one tie, two and so on; a person counts with so many at most."
    usage: ClassVar[str] = "degrees MOST"
    example: ClassVar[str] = "degrees 10"
    shape: ClassVar[str] = "graph"

    noise: str = hiding()

    def labels(self, public: Public) -> tuple[str, ...]:
        """Name the numbers of ties."""
        return tuple(map(str, range(1, self.most + 1)))

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number for each cell."""
        return one_step(self.noise, self.moved(public.unit), self.labels(public))

    def moved(self, unit: PrivacyUnit) -> Sensitivity:
        """Say how far one person moves the cells."""
        return moved.degrees_of_people(unit, self.most)

    def counted(self, data: Graph, public: Public) -> tuple[Ints, ...]:
        """Count people by the ties that are left."""
        return (_cells(added_one_by_one(data, self.most).degrees, self.most),)


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class SingleDegrees(_Degrees):
    """The degree histogram, hiding one edge; the last cell holds everybody with more."""

    name: ClassVar[str] = "single-degrees"
    summary: ClassVar[str] = "How many people have one tie, two and so on, hiding a single tie."
    usage: ClassVar[str] = "degrees MOST"
    example: ClassVar[str] = "degrees 10"
    shape: ClassVar[str] = "graph-edges"

    noise: str = hiding()

    def labels(self, public: Public) -> tuple[str, ...]:
        """Name the numbers of ties, and that the last cell holds more."""
        return (*map(str, range(1, self.most)), f"≥{self.most}")

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number for each cell."""
        return one_step(self.noise, self.moved(public.unit), self.labels(public))

    def moved(self, unit: PrivacyUnit) -> Sensitivity:
        """Say how far one tie moves the cells."""
        return moved.degrees(unit)

    def counted(self, data: Graph, public: Public) -> tuple[Ints, ...]:
        """Count people by their ties."""
        return (_cells(np.minimum(data.degrees, self.most), self.most),)


def _cells(degrees: Ints, most: int) -> Ints:
    return np.bincount(degrees, minlength=most + 1)[1:].astype(np.int64)
