"""The labels of records under one tree: every quasi-identifier's own tree below a common root."""

from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.data.trees.trees import ROOT, Ints
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.trees.domains import ABSENT
from anonymizer_gui.engine.rooms.trees.patterns import Labelled
from anonymizer_gui.engine.rooms.trees.placing import Placed
from anonymizer_gui.engine.sets.encoding import DELETED, EncodedTransactions


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """All quasi-identifying labels: record, vertex, quasi-identifier and node of each; `first` begins each tree."""

    held: Placed
    data: EncodedTransactions
    vertex: Ints
    leaf: Ints
    first: list[int]

    def known(self, value: Ints) -> Labelled:
        """Give the labels as patterns are found in them, published as these nodes; deleted ones are left out."""
        trees = self.held.trees
        is_root = np.isin(trees.branch_of, [*trees.spine, *trees.above_spine])
        parent = np.where(trees.parent_of >= 0, trees.parent_of, 0)
        parent = np.where((trees.parent_of < 0) | is_root | is_root[parent], ROOT, parent)
        vertex = np.where(is_root[self.vertex] | (value == DELETED), ROOT, self.vertex)
        return Labelled(self.data.basket_of, vertex, value, parent, len(trees), len(self.data.tree))

    def codes(self, became: Ints) -> tuple[Ints, ...]:
        """Give the code of each vertex for each quasi-identifier."""
        found = []
        for number in range(len(self.held.known)):
            own = self.leaf == number
            codes = np.full(len(self.held.trees.vertices), ABSENT, dtype=np.int64)
            nodes = became[own]
            topmost = self.held.domains[number].tree.topmost_of_label
            inner = np.where(nodes == DELETED, 0, nodes - self.first[number])
            codes[self.vertex[own]] = np.where(nodes == DELETED, ABSENT, topmost[inner])
            found.append(codes)
        return tuple(found)


def labels_of(held: Placed) -> Labels:
    """Put all labels under one tree; what a node costs is its LM in the tree of its path."""
    names, parents, costs, first = ["*"], [-1], [1.0], list[int]()
    vertices, numbers, nodes = list[Ints](), list[Ints](), list[Ints]()
    for number, (leaf, domain) in enumerate(zip(held.known, held.domains, strict=True)):
        start, tree = len(names), domain.tree
        first.append(start)
        names += [f"{number}\x1f{label}" for label in tree.labels]
        parents += [0 if parent < 0 else int(parent) + start for parent in tree.parents.tolist()]
        costs += tree.loss.tolist()
        vertices.append(leaf.holders)
        numbers.append(np.full(len(leaf.holders), number, dtype=np.int64))
        nodes.append(domain.codes + start)
    tree = Hierarchy(names, parents)
    leaf_of = np.cumsum(tree.is_leaf) - 1
    vertex = np.concatenate(vertices)
    records = held.trees.record_of[vertex]
    leaves = leaf_of[np.concatenate(nodes)].astype(np.int32)
    data = EncodedTransactions(tree, len(held.trees), records, leaves, np.arange(len(vertex)), costs=np.array(costs))
    return Labels(held, data, vertex, np.concatenate(numbers), first)
