"""Edges, nodes, degrees, triangles under node and edge privacy."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NoReturn, Self

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.data.graphs.graph import Graph
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit, Sensitivity
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS, PublicKnowledge, Step, parse_number
from anonymizer_gui.engine.rooms.statistics.questions import graph_projection
from anonymizer_gui.engine.rooms.statistics.questions.graph_projection import (
    MOST_DEGREE,
    GraphQuestion,
    count_triangles,
    degree_bound,
    degree_bound_parameter,
    long_tailed,
    noise_parameter,
    one_step,
    project_by_edge_addition,
    project_by_first_edges,
    single_number,
)


@dataclass(frozen=True, slots=True)
class _Edges(GraphQuestion):
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

    degree: int = degree_bound_parameter()
    noise: str = noise_parameter()

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number."""
        return one_step(self.noise, self.moved(public.unit))

    def moved(self, unit: PrivacyUnit) -> Sensitivity:
        """Say how far one person moves the number."""
        return graph_projection.node_private_edges(unit, degree_bound(self.degree))

    def counted(self, data: Graph, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count the ties that are left."""
        return single_number(project_by_edge_addition(data, degree_bound(self.degree)).n_edges)

    def typical(self, public: PublicKnowledge) -> float | None:
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

    noise: str = noise_parameter()

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number."""
        return one_step(self.noise, self.moved(public.unit))

    def moved(self, unit: PrivacyUnit) -> Sensitivity:
        """Say how far one tie moves the number."""
        return graph_projection.edge_private_edges(unit)

    def counted(self, data: Graph, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count the ties."""
        return single_number(data.n_edges)


_CONDITION = re.compile(r"degree\s*>=\s*(?P<least>[1-9]\d{0,5})", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Nodes(GraphQuestion):
    """The number of nodes of at least some degree."""

    title: ClassVar[str] = "People with many ties"
    verbs: ClassVar[tuple[str, ...]] = ("count",)

    least: int = param(
        Int(low=1, high=MOST_DEGREE), default=1, label="Ties at least", help="Who has fewer ties is not counted."
    )

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a condition such as degree>=3."""
        found = _CONDITION.fullmatch(" ".join(words))
        return cls(least=int(found["least"])) if found else None

    def words(self) -> tuple[str, ...]:
        """Give the condition."""
        return "count", f"degree>={self.least}"


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Nodes(_Nodes):
    """The number of nodes of some degree, when nobody has more edges than a public bound."""

    name: ClassVar[str] = "graph-nodes"
    summary: ClassVar[str] = (
        "How many people have at least so many ties, of which a person counts with so many at most."
    )
    usage: ClassVar[str] = "count degree>=LEAST with degree=MOST"
    example: ClassVar[str] = "count degree>=3 with degree=10"
    shape: ClassVar[str] = "graph"

    degree: int = degree_bound_parameter()
    noise: str = noise_parameter()

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number."""
        return one_step(self.noise, self.moved(public.unit))

    def moved(self, unit: PrivacyUnit) -> Sensitivity:
        """Say how far one person moves the number; raises BadParameter when nobody can have so many ties."""
        if degree_bound(self.degree) < self.least:
            raise BadParameter(
                message(
                    "When {most:tie counts|ties count}, nobody has {least} of them.", most=self.degree, least=self.least
                ),
                "Let more ties of a person count.",
            )
        return graph_projection.node_private_nodes(unit, degree_bound(self.degree))

    def counted(self, data: Graph, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count people by the ties that are left."""
        return single_number(_many(project_by_edge_addition(data, degree_bound(self.degree)), self.least))


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class SingleNodes(_Nodes):
    """The number of nodes of some degree, hiding one edge."""

    name: ClassVar[str] = "single-nodes"
    summary: ClassVar[str] = "How many people have at least so many ties, hiding a single tie."
    usage: ClassVar[str] = "count degree>=LEAST"
    example: ClassVar[str] = "count degree>=3"
    shape: ClassVar[str] = "graph-edges"

    noise: str = noise_parameter()

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number."""
        return one_step(self.noise, self.moved(public.unit))

    def moved(self, unit: PrivacyUnit) -> Sensitivity:
        """Say how far one tie moves the number."""
        return graph_projection.edge_private_nodes(unit)

    def counted(self, data: Graph, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count people by their ties."""
        return single_number(_many(data, self.least))


def _many(data: Graph, least: int) -> int:
    return int(np.count_nonzero(data.degrees >= least))


_MOST_CELLS = 10_000


@dataclass(frozen=True, slots=True)
class _Degrees(GraphQuestion):
    """The numbers of nodes of each degree; nobody without a tie is counted, for no list of ties has them."""

    title: ClassVar[str] = "Histogram of ties"
    verbs: ClassVar[tuple[str, ...]] = ("degrees",)

    most: int = param(Int(low=1, high=_MOST_CELLS), default=10, label="Ties at most", help="The last cell.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take the number of the last cell."""
        most = parse_number(words[0]) if len(words) == 1 else None
        return None if most is None or most != int(most) or not 1 <= most <= _MOST_CELLS else cls(most=int(most))

    def words(self) -> tuple[str, ...]:
        """Give the number of the last cell."""
        return "degrees", str(self.most)

    def simulated(self, public: PublicKnowledge, rows: int) -> tuple[Ints, ...]:
        """Let few people have many ties."""
        return (long_tailed(rows, self.most),)


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Degrees(_Degrees):
    """The degree histogram of a graph whose people have no more edges than a public bound."""

    name: ClassVar[str] = "graph-degrees"
    summary: ClassVar[str] = "How many people have one tie, two and so on; a person counts with so many at most."
    usage: ClassVar[str] = "degrees MOST"
    example: ClassVar[str] = "degrees 10"
    shape: ClassVar[str] = "graph"

    noise: str = noise_parameter()

    def labels(self, public: PublicKnowledge) -> tuple[str, ...]:
        """Name the numbers of ties."""
        return tuple(map(str, range(1, self.most + 1)))

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number for each cell."""
        return one_step(self.noise, self.moved(public.unit), self.labels(public))

    def moved(self, unit: PrivacyUnit) -> Sensitivity:
        """Say how far one person moves the cells."""
        return graph_projection.node_private_degrees(unit, self.most)

    def counted(self, data: Graph, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count people by the ties that are left."""
        return (_cells(project_by_edge_addition(data, self.most).degrees, self.most),)


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class SingleDegrees(_Degrees):
    """The degree histogram, hiding one edge; the last cell holds everybody with more."""

    name: ClassVar[str] = "single-degrees"
    summary: ClassVar[str] = "How many people have one tie, two and so on, hiding a single tie."
    usage: ClassVar[str] = "degrees MOST"
    example: ClassVar[str] = "degrees 10"
    shape: ClassVar[str] = "graph-edges"

    noise: str = noise_parameter()

    def labels(self, public: PublicKnowledge) -> tuple[str, ...]:
        """Name the numbers of ties, and that the last cell holds more."""
        return (*map(str, range(1, self.most)), f"≥{self.most}")

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number for each cell."""
        return one_step(self.noise, self.moved(public.unit), self.labels(public))

    def moved(self, unit: PrivacyUnit) -> Sensitivity:
        """Say how far one tie moves the cells."""
        return graph_projection.edge_private_degrees(unit)

    def counted(self, data: Graph, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count people by their ties."""
        return (_cells(np.minimum(data.degrees, self.most), self.most),)


def _cells(degrees: Ints, most: int) -> Ints:
    return np.bincount(degrees, minlength=most + 1)[1:].astype(np.int64)


_LEAST = 2


@dataclass(frozen=True, slots=True)
class _Triangles(GraphQuestion):
    """The number of triangles, of the first edges of every node."""

    title: ClassVar[str] = "Triangles"
    verbs: ClassVar[tuple[str, ...]] = ("triangles",)

    degree: int = param(
        Int(low=0, high=MOST_DEGREE),
        default=0,
        label="Ties of a person",
        help="More ties of a person are left out; 0 is not said.",
    )

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take how many ties of a person count."""
        most = parse_number(words[0]) if len(words) == 1 else 0
        return None if len(words) > 1 or most is None or most != int(most) or most < 0 else cls(degree=int(most))

    def words(self) -> tuple[str, ...]:
        """Give how many ties of a person count."""
        return ("triangles", *([str(self.degree)] if self.degree else []))

    def counted(self, data: Graph, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count the triangles of the ties that are left."""
        return single_number(count_triangles(project_by_first_edges(data, self.degree)))

    def in_unit(self) -> Message:
        """Say that triangles are counted."""
        return message("triangles")

    def typical(self, public: PublicKnowledge) -> float | None:
        """Know nothing: how many ties are closed is not said."""
        return None


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class SingleTriangles(_Triangles):
    """The number of triangles, hiding one edge, when nobody has more of them than a public bound."""

    name: ClassVar[str] = "single-triangles"
    summary: ClassVar[str] = "How many times three people are all tied to each other, hiding a single tie."
    usage: ClassVar[str] = "triangles MOST"
    example: ClassVar[str] = "triangles 10"
    shape: ClassVar[str] = "graph-edges"

    noise: str = noise_parameter()

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number."""
        return one_step(self.noise, self.moved(public.unit))

    def moved(self, unit: PrivacyUnit) -> Sensitivity:
        """Say how far one tie moves the number; raises BadParameter without a bound."""
        if self.degree < _LEAST:
            raise BadParameter(
                "One tie more can close as many triangles as there are people: without a bound no noise hides that.",
                "Say how many ties of a person count, at least 2, such as triangles 10.",
            )
        return graph_projection.edge_private_triangles(unit, self.degree)


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Triangles(_Triangles):
    """The number of triangles, which nothing bounds as soon as whole people are protected: it is refused."""

    name: ClassVar[str] = "graph-triangles"
    summary: ClassVar[str] = "How many times three people are all tied to each other; refused for whole people."
    usage: ClassVar[str] = "triangles MOST"
    shape: ClassVar[str] = "graph"
    why_careful: ClassVar[str] = "It is refused as long as whole people are protected."

    noise: str = noise_parameter()

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number."""
        return one_step(self.noise, self.moved(public.unit))

    def moved(self, unit: PrivacyUnit) -> NoReturn:
        """Raise BadParameter: a person more may change which ties of everybody are kept."""
        raise BadParameter(
            "One person more can close any number of triangles, and even where ties are cut it can change which ones "
            "of everybody are kept: nothing bounds how far that moves their number.",
            "Protect single ties instead, or ask for the number of ties.",
        )
