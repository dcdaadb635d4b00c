"""Where each node of a hierarchy stands among its siblings, as plain lists a view can ask quickly."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from anonymizer_gui.engine.hierarchy.tree import Hierarchy

NodeName = tuple[str, int]
"""The label of a node and how many nodes of the same label stand above it (chains of only children may repeat one)."""


class NodeIndex:
    """Children, rows and names of the nodes of one hierarchy."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        parents = hierarchy.parents
        ordered = np.argsort(parents, kind="stable")
        first = np.searchsorted(parents[ordered], np.arange(len(parents) + 1))
        rows = np.zeros(len(parents), dtype=np.int64)
        rows[ordered] = np.arange(len(parents)) - np.concatenate([[0], first])[parents[ordered] + 1]
        self._hierarchy = hierarchy
        self.ordered: list[int] = ordered.tolist()
        self.first: list[int] = first.tolist()
        self.rows: list[int] = rows.tolist()
        self.parents: list[int] = parents.tolist()
        self.groups: list[int] = [0, *(np.flatnonzero(~hierarchy.is_leaf[1:]) + 1).tolist()]
        """The root and all nodes with children, from the top."""

    def n_children(self, node: int) -> int:
        """Count the children of a node."""
        return self.first[node + 1] - self.first[node]

    def name(self, node: int) -> NodeName:
        """Give the name by which a node is found again in the next hierarchy."""
        return self._repeated.get(node) or (self._hierarchy.labels[node], 0)

    def find(self, name: NodeName) -> int | None:
        """Find the node of a name."""
        return self._hierarchy.node_of_label.get(name[0]) if not name[1] else self._places.get(name)

    def runs(self, nodes: Sequence[int]) -> list[tuple[int, int]]:
        """Give the first and the last of every run of neighbours among some nodes in their order."""
        found: list[tuple[int, int]] = []
        places = sorted((self.parents[node], self.rows[node], node) for node in nodes)
        for at, (parent, row, node) in enumerate(places):
            follows = at > 0 and places[at - 1][:2] == (parent, row - 1)
            found[-1:] = [(found[-1][0], node)] if follows else [*found[-1:], (node, node)]
        return found

    @cached_property
    def _repeated(self) -> dict[int, NodeName]:
        """The names of nodes whose label stands above them already; almost always there are none."""
        labels = self._hierarchy.labels
        if len(self._hierarchy.node_of_label) == len(labels):
            return {}
        seen: dict[str, int] = {}
        found = {}
        topmost = self._hierarchy.topmost_of_label
        for node in np.flatnonzero(topmost < np.arange(len(labels))).tolist():
            label = labels[node]
            seen[label] = above = seen.get(label, 0) + 1
            found[node] = (label, above)
        return found

    @cached_property
    def _places(self) -> dict[NodeName, int]:
        return {name: node for node, name in self._repeated.items()}
