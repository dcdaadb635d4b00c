"""A graph as numbered nodes and an array of edges; each edge stands once, and nothing is joined to itself."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.shapes.tables.table import Table

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
