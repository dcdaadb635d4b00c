"""How many ties there are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.data.graphs.graph import Graph
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit, Sensitivity
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS, Step
from anonymizer_gui.engine.rooms.statistics.questions.graphs import moved
from anonymizer_gui.engine.rooms.statistics.questions.graphs.of_graphs import (
    OfGraphs,
    bound_of,
    hiding,
    number,
    one_step,
    ties_of_a_person,
)
from anonymizer_gui.engine.rooms.statistics.questions.graphs.projecting import added_one_by_one


@dataclass(frozen=True, slots=True)
class _Edges(OfGraphs):
    """The number of edges of a graph."""

    title: ClassVar[str] = "Number of ties"
    verbs: ClassVar[tuple[str, ...]] = ("edges",)

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take no words."""
        return None if words else cls()

    def words(self) -> tuple[str, ...]:
        """Give the verb alone."""
        return ("edges",)

    def in_unit(self) -> Message:
        """Say that ties are counted."""
        return message("ties")


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Edges(_Edges):
    """The number of edges, when nobody has more of them than a public bound."""

    name: ClassVar[str] = "graph-edges"
    summary: ClassVar[str] = "How many ties there are, of which a person counts with so many at most."
    usage: ClassVar[str] = "edges with degree=MOST"
    example: ClassVar[str] = "edges with degree=10"
    shape: ClassVar[str] = "graph"

    degree: int = ties_of_a_person()
    noise: str = hiding()

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number."""
        return one_step(self.noise, self.moved(public.unit))

    def moved(self, unit: PrivacyUnit) -> Sensitivity:
        """Say how far one person moves the number."""
        return moved.edges_of_people(unit, bound_of(self.degree))

    def counted(self, data: Graph, public: Public) -> tuple[Ints, ...]:
        """Count the ties that are left."""
        return number(added_one_by_one(data, bound_of(self.degree)).n_edges)

    def typical(self, public: Public) -> float | None:
        """Know nothing: how many ties people have is not said."""
        return None


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class SingleEdges(_Edges):
    """The number of edges, hiding one of them."""

    name: ClassVar[str] = "single-edges"
    summary: ClassVar[str] = "How many ties there are, hiding a single one."
    usage: ClassVar[str] = "edges"
    example: ClassVar[str] = "edges"
    shape: ClassVar[str] = "graph-edges"

    noise: str = hiding()

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number."""
        return one_step(self.noise, self.moved(public.unit))

    def moved(self, unit: PrivacyUnit) -> Sensitivity:
        """Say how far one tie moves the number."""
        return moved.edges(unit)

    def counted(self, data: Graph, public: Public) -> tuple[Ints, ...]:
        """Count the ties."""
        return number(data.n_edges)
