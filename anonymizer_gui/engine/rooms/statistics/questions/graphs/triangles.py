"""How many triangles there are: three people who are all tied to each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NoReturn, Self

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
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
    hiding,
    number,
    one_step,
)
from anonymizer_gui.engine.rooms.statistics.questions.graphs.projecting import first_of_each, triangles
from anonymizer_gui.engine.rooms.statistics.wording import number_in

_LEAST = 2


@dataclass(frozen=True, slots=True)
class _Triangles(OfGraphs):
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
        most = number_in(words[0]) if len(words) == 1 else 0
        return None if len(words) > 1 or most is None or most != int(most) or most < 0 else cls(degree=int(most))

    def words(self) -> tuple[str, ...]:
        """Give how many ties of a person count."""
        return ("triangles", *([str(self.degree)] if self.degree else []))

    def counted(self, data: Graph, public: Public) -> tuple[Ints, ...]:
        """Count the triangles of the ties that are left."""
        return number(triangles(first_of_each(data, self.degree)))

    def in_unit(self) -> Message:
        """Say that triangles are counted."""
        return message("triangles")

    def typical(self, public: Public) -> float | None:
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

    noise: str = hiding()

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number."""
        return one_step(self.noise, self.moved(public.unit))

    def moved(self, unit: PrivacyUnit) -> Sensitivity:
        """Say how far one tie moves the number; raises BadParameter without a bound."""
        if self.degree < _LEAST:
            raise BadParameter(
                "One tie more can close as many triangles as there are people: without a bound no noise hides that.",
                "Say how many ties of a person count, at least 2, such as triangles 10.",
            )
        return moved.triangles(unit, self.degree)


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Triangles(_Triangles):
    """The number of triangles, which nothing bounds as soon as whole people are protected: it is refused."""

    name: ClassVar[str] = "graph-triangles"
    summary: ClassVar[str] = "How many times three people are all tied to each other; refused for whole people."
    usage: ClassVar[str] = "triangles MOST"
    shape: ClassVar[str] = "graph"
    why_careful: ClassVar[str] = "It is refused as long as whole people are protected."

    noise: str = hiding()

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number."""
        return one_step(self.noise, self.moved(public.unit))

    def moved(self, unit: PrivacyUnit) -> NoReturn:
        """Raise BadParameter: a person more may change which ties of everybody are kept."""
        raise BadParameter(
            "One person more can close any number of triangles, and even where ties are cut it can change which ones "
            "of everybody are kept: nothing bounds how far that moves their number.",
            "Protect single ties instead, or ask for the number of ties.",
        )
