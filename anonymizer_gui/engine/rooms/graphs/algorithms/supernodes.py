"""Groups: only how many ties there are inside and between groups of people leaves (Hay et al., VLDB 2008)."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.graphs.graph import Graph, Ints
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import ALGORITHMS, Algorithm, AnonymisedGraph, GraphDemands
from anonymizer_gui.engine.rooms.graphs.algorithms.degree_sequence import nearest_sequence

_MOST_TRIES = 100_000
_EVERY = 512


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class SuperNodes(Algorithm):
    """Super-nodes of at least k people; whatever an attacker knows of somebody's ties, the whole group fits."""

    name: ClassVar[str] = "group"
    title: ClassVar[str] = "Publish groups"
    summary: ClassVar[str] = "Puts k people or more into each group and publishes how many ties are inside and between."
    protects: ClassVar[str] = "all"

    effort: int = param(
        Int(low=0, high=100), default=10, label="Effort",
        help="Exchanges of two people that are tried per person, so that the groups tell more about the graph.",
    )  # fmt: skip

    def run(self, graph: Graph, wanted: GraphDemands, progress: Progress) -> AnonymisedGraph:
        """Group people of like degree, then exchange them while that tells more; raises Infeasible."""
        targets = nearest_sequence(graph.degrees, wanted.k, wanted.labels, wanted.l, progress=progress.sub(0.0, 0.3))
        search = _Exchange(graph, targets.groups, wanted)
        tries = min(self.effort * graph.n_nodes, _MOST_TRIES)
        random = np.random.default_rng(wanted.seed)
        for at in range(tries):
            if at % _EVERY == 0:
                progress(0.3 + 0.7 * at / tries, "Exchanging people between groups")
            one, other = random.integers(graph.n_nodes, size=2).tolist()
            search.try_exchange(one, other)
        return AnonymisedGraph(graph, np.array(search.group, dtype=np.int64), 0)


class _Exchange:
    """Groups of a graph, and how many graphs fit the counts between them: the fewer, the more they tell."""

    def __init__(self, graph: Graph, groups: Ints, wanted: GraphDemands) -> None:
        self.near = graph.neighbours()
        self.group: list[int] = groups.tolist()
        self.size = np.bincount(groups).tolist() if len(groups) else []
        self.labels = wanted.labels
        self.between: dict[tuple[int, int], int] = {}
        for one, other in graph.edges.tolist():
            self._count(self.group[one], self.group[other], 1)

    def _count(self, one: int, other: int, by: int) -> None:
        key = (one, other) if one <= other else (other, one)
        self.between[key] = self.between.get(key, 0) + by

    def try_exchange(self, one: int, other: int) -> None:
        """Exchange two people when fewer graphs fit afterwards; only such of one label, so that groups stay various."""
        first, second = self.group[one], self.group[other]
        if first == second or (self.labels and self.labels[one] != self.labels[other]):
            return
        touched = self._touched(one, other)
        before = sum(map(self._worlds, touched))
        self._exchange(one, other)
        if sum(map(self._worlds, touched)) >= before:
            self._exchange(one, other)

    def _touched(self, one: int, other: int) -> set[tuple[int, int]]:
        groups = {self.group[node] for node in self.near[one] | self.near[other]} | {self.group[one], self.group[other]}
        mine = (self.group[one], self.group[other])
        return {(min(a, b), max(a, b)) for a in groups for b in mine}

    def _exchange(self, one: int, other: int) -> None:
        self._put(one, -1)
        self._put(other, -1)
        self.group[one], self.group[other] = self.group[other], self.group[one]
        self._put(one, 1)
        self._put(other, 1)

    def _put(self, node: int, by: int) -> None:
        for near in self.near[node]:
            self._count(self.group[node], self.group[near], by)

    def _worlds(self, pair: tuple[int, int]) -> float:
        """Give the logarithm of the number of ways to have so many edges between two groups."""
        one, other = pair
        edges = self.between.get(pair, 0)
        possible = self.size[one] * (self.size[one] - 1) // 2 if one == other else self.size[one] * self.size[other]
        edges = min(edges, possible)  # a directed graph may have two edges between two people
        return math.lgamma(possible + 1) - math.lgamma(edges + 1) - math.lgamma(possible - edges + 1)
