"""A graph as numbered nodes and an array of edges; each edge stands once, and nothing is joined to itself.

(Gansner, Koren and North, Graph drawing by stress majorization, 2004.)
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Table

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Graph:
    """Nodes by number, with the names they have in the file; `edges` has a row (from, to) for each edge.

    An undirected edge is written with the smaller number first. Edges are sorted, so equal graphs have equal arrays.
    """

    names: tuple[str, ...]
    edges: Ints
    is_directed: bool = False
    people: Table | None = None
    """What the file tells of its nodes beside their names: a row for each, named in the first column."""

    @classmethod
    def of(
        cls, names: Sequence[str], edges: npt.ArrayLike, *, is_directed: bool = False, people: Table | None = None
    ) -> "Graph":
        """Make a graph of any list of pairs: loops and doubled edges are left out.

        >>> Graph.of(["a", "b", "c"], [[1, 0], [0, 1], [2, 2]]).edges.tolist()
        [[0, 1]]
        """
        pairs = np.asarray(edges, dtype=np.int64).reshape(-1, 2)
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
        if not is_directed:
            pairs = np.sort(pairs, axis=1)
        keys = np.unique(pairs[:, 0] * max(len(names), 1) + pairs[:, 1])
        return cls(tuple(names), np.stack(np.divmod(keys, max(len(names), 1)), axis=1), is_directed, people)

    @property
    def n_nodes(self) -> int:
        """How many nodes there are, those without an edge included."""
        return len(self.names)

    @property
    def n_edges(self) -> int:
        """How many edges there are."""
        return len(self.edges)

    @cached_property
    def degrees(self) -> Ints:
        """The number of edges at each node, whichever way they go."""
        return np.bincount(self.edges.ravel(), minlength=self.n_nodes).astype(np.int64)

    @cached_property
    def out_degrees(self) -> Ints:
        """The number of edges that leave each node."""
        return np.bincount(self.edges[:, 0], minlength=self.n_nodes).astype(np.int64)

    @cached_property
    def in_degrees(self) -> Ints:
        """The number of edges that reach each node."""
        return np.bincount(self.edges[:, 1], minlength=self.n_nodes).astype(np.int64)

    def neighbours(self) -> list[set[int]]:
        """Give the nodes each node is joined to, whichever way the edges go."""
        near: list[set[int]] = [set() for _ in range(self.n_nodes)]
        for one, other in self.edges.tolist():
            near[one].add(other)
            near[other].add(one)
        return near

    def pairs(self) -> set[tuple[int, int]]:
        """Give the edges as a set."""
        return set(map(tuple, self.edges.tolist()))

    def n_lacking_in(self, other: "Graph") -> int:
        """Count the edges that another graph of the same nodes does not have.

        >>> Graph.of("abc", [[0, 1], [1, 2]]).n_lacking_in(Graph.of("abc", [[0, 1]]))
        1
        """
        here, there = (graph.edges[:, 0] * max(graph.n_nodes, 1) + graph.edges[:, 1] for graph in (self, other))
        return len(np.setdiff1d(here, there, assume_unique=True))

    def renumbered(self, place: Ints, names: Iterable[str]) -> "Graph":
        """Give the graph whose node `place[i]` is node i of this one, under other names."""
        return Graph.of(tuple(names), place[self.edges], is_directed=self.is_directed)


MOST_DRAWN = 500

_ROUNDS = 60

_NEAR = 1e-9

Layout = npt.NDArray[np.float64]


def stress_layout(graph: Graph, progress: Progress = SILENT) -> Layout:
    """Give every node a place in the unit square; the same graph always looks the same."""
    n = graph.n_nodes
    if n < 2:
        return np.full((n, 2), 0.5)
    steps = graph_distances(graph)
    weights = np.divide(1.0, steps**2, out=np.zeros_like(steps), where=steps > 0)
    pulls = np.diag(weights.sum(axis=1)) - weights
    solved = np.linalg.inv(pulls + 1.0 / n) - 1.0 / n
    wanted, at = weights * steps, _spread_out(steps)
    for turn in range(_ROUNDS):
        progress(turn / _ROUNDS, "Placing the nodes")
        squares = (at**2).sum(axis=1)
        far = np.sqrt(np.maximum(squares[:, None] + squares - 2 * at @ at.T, _NEAR))
        push = wanted / far
        at = solved @ (push.sum(axis=1)[:, None] * at - push @ at)
    low, high = at.min(axis=0), at.max(axis=0)
    return np.asarray((at - low) / np.maximum(high - low, _NEAR))


def graph_distances(graph: Graph) -> Layout:
    """Count the steps from each node to each other; separate parts are a little farther apart than any of them is wide.

    >>> graph_distances(Graph.of("abcd", [[0, 1], [1, 2]])).tolist()[0]
    [0.0, 1.0, 2.0, 4.0]
    """
    n = graph.n_nodes
    tied = np.zeros((n, n), dtype=np.float32)
    tied[graph.edges[:, 0], graph.edges[:, 1]] = tied[graph.edges[:, 1], graph.edges[:, 0]] = 1
    found = reached = np.eye(n, dtype=np.bool_)
    steps, turn = np.full((n, n), np.inf), 0
    np.fill_diagonal(steps, 0.0)
    while found.any():
        turn += 1
        found = (found.astype(np.float32) @ tied > 0) & ~reached
        reached = reached | found
        steps[found] = turn
    return np.where(np.isinf(steps), steps[reached].max() + 2, steps)


def _spread_out(steps: Layout) -> Layout:
    """Begin with the two directions in which the graph is widest (classical scaling), a little shaken."""
    n = len(steps)
    squares = steps**2
    centred = -(squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()) / 2
    values, vectors = np.linalg.eigh(centred)
    wide = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], _NEAR))
    return np.asarray(wide + np.random.default_rng(n).normal(scale=0.05, size=(n, 2)))


def neighbourhood(graph: Graph, node: int, most: int = 60) -> Ints:
    """Give a node and its neighbours, the best connected ones first where there are many."""
    near = np.array(sorted(graph.neighbours()[node]), dtype=np.int64)
    best = near[np.argsort(-graph.degrees[near], kind="stable")][: most - 1]
    return np.concatenate([[node], best]).astype(np.int64)


def induced_subgraph(graph: Graph, nodes: Ints) -> Graph:
    """Give the graph of some nodes only."""
    place = np.full(graph.n_nodes, -1, dtype=np.int64)
    place[nodes] = np.arange(len(nodes))
    ends = place[graph.edges]
    inside = (ends >= 0).all(axis=1)
    return Graph.of([graph.names[node] for node in nodes.tolist()], ends[inside], is_directed=graph.is_directed)
