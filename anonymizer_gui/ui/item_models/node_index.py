"""Where each node of a hierarchy stands among its siblings, as plain lists a view can ask quickly."""

from collections import Counter
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
