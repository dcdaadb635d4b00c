"""Where each node of a hierarchy stands among its siblings, as plain lists a view can ask quickly."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.hierarchy.tree import Hierarchy

NodeName = tuple[str, int]
"""The label of a node and how many nodes of the same label stand above it (chains of only children may repeat one)."""


@dataclass(frozen=True, slots=True)
class NodeIndex:
    """Children, rows and names of the nodes of one hierarchy."""

    ordered: list[int]
    first: list[int]
    rows: list[int]
    parents: list[int]
    names: tuple[NodeName, ...]
    nodes: dict[NodeName, int]

    @classmethod
    def of(cls, hierarchy: Hierarchy) -> "NodeIndex":
        """Arrange the nodes by their parents."""
        parents = hierarchy.parents
        ordered = np.argsort(parents, kind="stable")
        first = np.searchsorted(parents[ordered], np.arange(len(parents) + 1))
        rows = np.zeros(len(parents), dtype=np.int64)
        rows[ordered] = np.arange(len(parents)) - np.concatenate([[0], first])[parents[ordered] + 1]
        names = _names(hierarchy.labels)
        nodes = {name: node for node, name in enumerate(names)}
        return cls(ordered.tolist(), first.tolist(), rows.tolist(), parents.tolist(), names, nodes)

    def n_children(self, node: int) -> int:
        """Count the children of a node."""
        return self.first[node + 1] - self.first[node]

    def runs(self, nodes: Sequence[int]) -> list[tuple[int, int]]:
        """Give the first and the last of every run of neighbours among some nodes in their order."""
        found: list[tuple[int, int]] = []
        places = sorted((self.parents[node], self.rows[node], node) for node in nodes)
        for at, (parent, row, node) in enumerate(places):
            follows = at > 0 and places[at - 1][:2] == (parent, row - 1)
            found[-1:] = [(found[-1][0], node)] if follows else [*found[-1:], (node, node)]
        return found


def _names(labels: tuple[str, ...]) -> tuple[NodeName, ...]:
    """Number the nodes of the same label from the top; almost always every label is there once."""
    if len(set(labels)) == len(labels):
        return tuple((label, 0) for label in labels)
    seen: Counter[str] = Counter()
    names = []
    for label in labels:
        names.append((label, seen[label]))
        seen[label] += 1
    return tuple(names)
