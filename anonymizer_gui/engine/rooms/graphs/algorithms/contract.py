"""What every algorithm for graphs keeps: a graph and what is wanted come in, edges or groups come out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.graphs.graph import Graph, Ints


@dataclass(frozen=True, slots=True)
class GraphDemands:
    """What must hold: at least k nodes in every candidate set, with at least l different labels."""

    k: int
    l: int = 0  # noqa: E741
    labels: tuple[str, ...] = ()
    """The sensitive value of each node, empty where it is missing; nothing where l is 0."""
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class AnonymisedGraph:
    """What came out, in the numbers of the original graph: its edges, or groups of nodes where only these leave."""

    graph: Graph
    groups: Ints | None = None
    lower_bound: int = 0
    """No way of this kind changes fewer edges."""
    notes: tuple[str, ...] = ()


class Algorithm(Protocol):
    """A way to change a graph; it never judges itself."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    protects: ClassVar[str]
    """Which knowledge of an attacker the result stands against."""

    def run(self, graph: Graph, wanted: GraphDemands, progress: Progress) -> AnonymisedGraph:
        """Make the graph; raises Infeasible."""


ALGORITHMS: Registry[Algorithm] = Registry("algorithm", "anonymizer_gui.engine.rooms.graphs.algorithms")


@dataclass(slots=True)
class DegreeClasses:
    """How many nodes have each degree, and with which labels; asks whether a node may change its degree."""

    wanted: GraphDemands
    members: dict[int, dict[str, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, degrees: Sequence[int], wanted: GraphDemands) -> "DegreeClasses":
        """Count the nodes of each degree."""
        found = cls(wanted)
        for node, degree in enumerate(degrees):
            found.add(node, degree)
        return found

    def add(self, node: int, degree: int) -> None:
        """Count a node."""
        held = self.members.setdefault(degree, {})
        held[self._label(node)] = held.get(self._label(node), 0) + 1

    def take(self, node: int, degree: int) -> None:
        """Take a node out of the count."""
        held = self.members[degree]
        held[self._label(node)] -= 1
        if not held[self._label(node)]:
            del held[self._label(node)]

    def size(self, degree: int) -> int:
        """Count the nodes of a degree."""
        return sum(self.members.get(degree, {}).values())

    def is_enough(self, degree: int) -> bool:
        """Tell whether the nodes of a degree are many and various enough."""
        held = self.members.get(degree, {})
        return self.size(degree) >= self.wanted.k and len(held) - ("" in held) >= self.wanted.l

    def can_spare(self, node: int, degree: int) -> bool:
        """Tell whether the others of a node's degree would still be enough without it."""
        held, own = self.members[degree], self._label(node)
        labels = len(held) - ("" in held) - (own != "" and held[own] == 1)
        return self.size(degree) > self.wanted.k and labels >= self.wanted.l

    def _label(self, node: int) -> str:
        return self.wanted.labels[node] if self.wanted.labels else ""
