"""Degree-bounded projections, sensitivities and what graph questions share.

Leaving out people with many ties would not do: one person more could push any number of others over the bound. Both
ways here look at ties in an order that depends on the names of their two ends alone, so that neighbouring graphs have
the ties they share in the same order.
"""

import hashlib
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.data.graphs.graph import Graph
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit, Sensitivity
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import mix_bits
from anonymizer_gui.engine.rooms.statistics.question import (
    NOISES,
    AnswerValue,
    NoisySteps,
    PublicKnowledge,
    Question,
    Step,
)

MOST_DEGREE = 100_000


@dataclass(frozen=True, slots=True)
class GraphQuestion(Question):
    """A question about ties, sent in one step."""

    def columns(self) -> tuple[str, ...]:
        """Name nothing: it is about ties."""
        return ()

    @abstractmethod
    def moved(self, unit: PrivacyUnit) -> Sensitivity:
        """Say how far one unit of protection moves the numbers; raises BadParameter where nothing bounds that."""

    def told(self, noisy: NoisySteps, public: PublicKnowledge) -> AnswerValue:
        """Tell the number, or one for each label."""
        labels = self.labels(public)
        if labels:
            return AnswerValue(values=tuple(zip(labels, noisy[0].tolist(), strict=True)))
        return AnswerValue(int(noisy[0][0]))

    def in_unit(self) -> Message:
        """Say that people are counted."""
        return message("people")


def noise_parameter() -> Any:
    """Declare the noise, the last field of every question about graphs."""
    return param(NOISES, default="laplace", label="Noise", help="What hides a single person or tie.")


def one_step(noise: str, moved: Sensitivity, labels: tuple[str, ...] = ()) -> tuple[Step, ...]:
    """Send a number for each cell."""
    return (Step(noise, moved, max(len(labels), 1)),)


def degree_bound_parameter() -> Any:
    """Declare the bound that questions about whole people need."""
    return param(
        Int(low=0, high=MOST_DEGREE),
        default=0,
        label="Ties of a person",
        help="More ties of a person are left out. As many as there are people cut nothing; 0 is not said.",
    )


def degree_bound(degree: int) -> int:
    """Give how many ties a person has at most; raises BadParameter when nobody has said so."""
    if not degree:
        raise BadParameter(
            "One person more can bring as many ties as there are people, and change those of everybody: without a "
            "bound no noise hides that.",
            "Say how many ties of a person count, such as with degree=10; the number of people cuts nothing.",
        )
    return degree


def single_number(count: int) -> tuple[Ints, ...]:
    """Give one number as the only step."""
    return (np.array([count], dtype=np.int64),)


def long_tailed(rows: int, cells: int) -> Ints:
    """Spread people over numbers of ties as they often are: few have many."""
    weights = 1.0 / np.arange(1, cells + 1) ** 1.5
    return np.asarray(np.rint(rows * weights / weights.sum()), dtype=np.int64)


def node_private_edges(unit: PrivacyUnit, most: int) -> Sensitivity:
    """The number of ties, when a person has at most so many of them."""
    if unit.kind is Neighbours.CHANGE:
        why = message("A person has at most {most:tie|ties}, before and after they change.", most=most)
    else:
        why = message("A person more brings at most {most:tie|ties}.", most=most)
    return _one(most, why)


def node_private_nodes(unit: PrivacyUnit, most: int) -> Sensitivity:
    """The number of people with at least so many ties, when nobody has more than `most`."""
    if unit.kind is Neighbours.CHANGE:
        why = message(
            "A person loses up to {most:tie|ties} and gets as many; each changes one other, and the person counts.",
            most=most,
        )
        return _one(2 * most + 1, why)
    why = message(
        "A person more has at most {most:tie|ties}; each brings one other over the mark, and the person counts, too.",
        most=most,
    )
    return _one(most + 1, why)


def node_private_degrees(unit: PrivacyUnit, most: int) -> Sensitivity:
    """The number of people with each number of ties, when nobody has more than `most`."""
    if unit.kind is Neighbours.CHANGE:
        why = message(
            "A person loses up to {most:tie|ties} and gets as many; each moves one other from a cell to the next, "
            "and the person moves, too.",
            most=most,
        )
        moved = 2 * most + 1
        return Sensitivity(2 * moved, 2 * moved * moved, moved, False, why)
    why = message(
        "A person more has at most {most:tie|ties}; each moves one other from a cell to the next, and the person is "
        "new in a cell.",
        most=most,
    )
    return Sensitivity(2 * most + 1, most * most + (most + 1) ** 2, most + 1, False, why)


def edge_private_edges(unit: PrivacyUnit) -> Sensitivity:
    """The number of ties, of which one is protected.

    >>> edge_private_edges(PrivacyUnit.parse("row")).l1, edge_private_edges(PrivacyUnit.parse("change")).l1
    (1, 0)
    """
    if unit.kind is Neighbours.CHANGE:
        return _one(0, message("An exchanged tie leaves the number of ties as it is."))
    return _one(1, message("One tie more or less changes the number by 1."))


def edge_private_nodes(unit: PrivacyUnit) -> Sensitivity:
    """The number of people with at least so many ties, of which one is protected."""
    if unit.kind is Neighbours.CHANGE:
        return _one(2, message("An exchanged tie takes two people below the mark, or brings two over it, at most."))
    return _one(2, message("One tie more or less brings its two ends over the mark or below it."))


def edge_private_degrees(unit: PrivacyUnit) -> Sensitivity:
    """The number of people with each number of ties, of which one is protected."""
    if unit.kind is Neighbours.CHANGE:
        why = message("An exchanged tie moves four people from one cell to the next, which changes eight counts by 1.")
        return Sensitivity(8, 32, 4, False, why)
    why = message("One tie more or less moves two people from one cell to the next, which changes four counts by 1.")
    return Sensitivity(4, 8, 2, False, why)


def edge_private_triangles(unit: PrivacyUnit, most: int) -> Sensitivity:
    """The number of triangles, when only the first `most` ties of a person count and one tie is protected."""
    closed = most - 1
    if unit.kind is Neighbours.CHANGE:
        why = message(
            "An exchanged tie is one less and one more: twice {closed:triangle|triangles}.", closed=2 * closed
        )
        return _one(4 * closed, why)
    why = message(
        "One tie more may push out another at each end, and each of those closes up to {closed:triangle|triangles}.",
        closed=closed,
    )
    return _one(2 * closed, why)


def _one(most: int, why: str) -> Sensitivity:
    return Sensitivity(most, most * most, most, True, why)


Mask = npt.NDArray[np.bool_]


def edge_order(graph: Graph) -> Ints:
    """Give the places of the edges in an order made of names alone; alike marks are told apart by the names."""
    names = np.array(graph.names, dtype=object)
    rank = np.empty(len(names), dtype=np.int64)
    rank[np.argsort(names, kind="stable")] = np.arange(len(names))
    marks = np.array([_mark(name) for name in graph.names], dtype=np.uint64)
    ends = rank[graph.edges]
    key = mix_bits(marks[graph.edges[:, 0]] + marks[graph.edges[:, 1]]) if len(ends) else np.empty(0, dtype=np.uint64)
    return np.asarray(np.lexsort((ends.max(axis=1), ends.min(axis=1), key)), dtype=np.int64)


def _mark(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def project_by_edge_addition(graph: Graph, most: int) -> Graph:
    """Add edges in turn while both ends have room (Day, Li and Lyu, SIGMOD 2016).

    A person more gets at most `most` edges. Each of them fills a place at its other end, which may shut out a later
    edge there, whose other end has then room for one that was shut out before, and so on: along such a chain the
    number of ties changes only for the one at its end. So everybody else's ties change by no more than `most` in all,
    and the number of edges by no more than `most`.
    """
    degrees = [0] * graph.n_nodes
    order = edge_order(graph)
    kept = np.zeros(graph.n_edges, dtype=np.bool_)
    for at, (one, other) in zip(order.tolist(), graph.edges[order].tolist(), strict=True):
        if degrees[one] < most and degrees[other] < most:
            degrees[one] += 1
            degrees[other] += 1
            kept[at] = True
    return Graph(graph.names, graph.edges[kept])


def project_by_first_edges(graph: Graph, most: int) -> Graph:
    """Keep the edges that are among the first `most` at both ends (Blocki, Blum, Datta and Sheffet, ITCS 2013).

    One edge more pushes out at most one edge at each end, so at most three edges differ.
    """
    order = edge_order(graph)
    ends = graph.edges[order]
    kept = np.ones(graph.n_edges, dtype=np.bool_)
    both = np.concatenate([ends[:, 0], ends[:, 1]])
    turn = np.tile(np.arange(len(ends)), 2)
    by_person = np.lexsort((turn, both))
    places = np.arange(len(both))
    begins = np.diff(both[by_person], prepend=-1) != 0
    place = places - np.maximum.accumulate(np.where(begins, places, 0)) if len(both) else places
    kept[order[turn[by_person[place >= most]]]] = False
    return Graph(graph.names, graph.edges[kept])


def count_triangles(graph: Graph) -> int:
    """Count three people who are all tied to each other.

    >>> count_triangles(Graph.of("abcd", [[0, 1], [1, 2], [0, 2], [2, 3]]))
    1
    """
    later: list[set[int]] = [set() for _ in range(graph.n_nodes)]
    for one, other in graph.edges.tolist():
        later[one].add(other)
    return sum(len(later[one] & later[other]) for one, other in graph.edges.tolist())
