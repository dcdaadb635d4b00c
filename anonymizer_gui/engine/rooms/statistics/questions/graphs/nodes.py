"""How many people have at least so many ties: vertices of a degree."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.data.graphs.graph import Graph
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit, Sensitivity
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS, Step
from anonymizer_gui.engine.rooms.statistics.questions.graphs import moved
from anonymizer_gui.engine.rooms.statistics.questions.graphs.of_graphs import (
    MOST_DEGREE,
    OfGraphs,
    bound_of,
    hiding,
    number,
    one_step,
    ties_of_a_person,
)
from anonymizer_gui.engine.rooms.statistics.questions.graphs.projecting import added_one_by_one

_CONDITION = re.compile(r"degree\s*>=\s*(?P<least>[1-9]\d{0,5})", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Nodes(OfGraphs):
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

    degree: int = ties_of_a_person()
    noise: str = hiding()

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number."""
        return one_step(self.noise, self.moved(public.unit))

    def moved(self, unit: PrivacyUnit) -> Sensitivity:
        """Say how far one person moves the number; raises BadParameter when nobody can have so many ties."""
        if bound_of(self.degree) < self.least:
            raise BadParameter(
                message(
                    "When {most:tie counts|ties count}, nobody has {least} of them.", most=self.degree, least=self.least
                ),
                "Let more ties of a person count.",
            )
        return moved.nodes_of_people(unit, bound_of(self.degree))

    def counted(self, data: Graph, public: Public) -> tuple[Ints, ...]:
        """Count people by the ties that are left."""
        return number(_many(added_one_by_one(data, bound_of(self.degree)), self.least))


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class SingleNodes(_Nodes):
    """The number of nodes of some degree, hiding one edge."""

    name: ClassVar[str] = "single-nodes"
    summary: ClassVar[str] = "How many people have at least so many ties, hiding a single tie."
    usage: ClassVar[str] = "count degree>=LEAST"
    example: ClassVar[str] = "count degree>=3"
    shape: ClassVar[str] = "graph-edges"

    noise: str = hiding()

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number."""
        return one_step(self.noise, self.moved(public.unit))

    def moved(self, unit: PrivacyUnit) -> Sensitivity:
        """Say how far one tie moves the number."""
        return moved.nodes(unit)

    def counted(self, data: Graph, public: Public) -> tuple[Ints, ...]:
        """Count people by their ties."""
        return number(_many(data, self.least))


def _many(data: Graph, least: int) -> int:
    return int(np.count_nonzero(data.degrees >= least))
