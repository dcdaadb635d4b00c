"""Noisy counts of a tree made to add up: first the best estimates, then whole numbers.

Every node was counted with the same noise, so a count says as much as the sum of the counts below it, less their
noise. The best estimates follow in one walk up and one down the tree (Hay, Rastogi, Miklau and Suciu, Boosting the
accuracy of differentially private histograms through consistency, VLDB 2010). Only noisy numbers go in: it is free.
"""

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

Floats = npt.NDArray[np.float64]


def counted_nodes(tree: Hierarchy) -> Ints:
    """Give the nodes that are counted: an only child holds the same rows as its parent and is left out."""
    same = np.zeros(len(tree), dtype=np.bool_)
    same[1:] = tree.leaf_counts[1:] == tree.leaf_counts[tree.parents[1:]]
    return np.flatnonzero(~same).astype(np.int64)


def levels_of(tree: Hierarchy) -> int:
    """Say how many counted nodes lie above a value at most, itself included."""
    return int(_depths(tree).max()) + 1


def _depths(tree: Hierarchy) -> Ints:
    depths = np.zeros(len(counted_nodes(tree)), dtype=np.int64)
    for place, parent in enumerate(_parents(tree).tolist()):
        depths[place] = depths[parent] + 1 if parent >= 0 else 0
    return depths


def _parents(tree: Hierarchy) -> Ints:
    """Give the place of each counted node's nearest counted ancestor, -1 for the root."""
    nodes = counted_nodes(tree)
    place_of = np.full(len(tree), -1, dtype=np.int64)
    place_of[nodes] = np.arange(len(nodes))
    above = np.full(len(tree), -1, dtype=np.int64)  # the nearest counted node, the node itself included
    for node, parent in enumerate(tree.parents.tolist()):
        above[node] = place_of[node] if place_of[node] >= 0 else above[parent]
    parents = tree.parents[nodes]
    return np.where(parents >= 0, above[np.maximum(parents, 0)], -1)


def consistent(tree: Hierarchy, noisy: Ints) -> Ints:
    """Give whole numbers near the noisy ones, of which those below a node add up to its own."""
    parents = _parents(tree)
    return _whole(parents, _estimates(parents, noisy.astype(np.float64)))


def _estimates(parents: Ints, noisy: Floats) -> Floats:
    """Give the best estimates that add up; nodes stand before those below them."""
    count = len(parents)
    best, variance = noisy.copy(), np.ones(count)
    summed, summed_variance = np.zeros(count), np.zeros(count)
    for node in range(count - 1, -1, -1):
        if summed_variance[node]:
            weight = summed_variance[node] / (1 + summed_variance[node])
            best[node] = weight * noisy[node] + (1 - weight) * summed[node]
            variance[node] = weight
        if parents[node] >= 0:
            summed[parents[node]] += best[node]
            summed_variance[parents[node]] += variance[node]
    found = best.copy()
    for node in range(1, count):
        above = parents[node]
        found[node] = best[node] + (found[above] - summed[above]) * variance[node] / summed_variance[above]
    return found


def _whole(parents: Ints, estimates: Floats) -> Ints:
    """Round from above: what is left over goes to the nodes that were rounded down the most."""
    whole = np.rint(estimates).astype(np.int64)
    children: dict[int, list[int]] = {}
    for node, parent in enumerate(parents.tolist()):
        if parent >= 0:
            children.setdefault(parent, []).append(node)
    for parent, below in children.items():
        floors = np.floor(estimates[below])
        over = int(whole[parent] - floors.sum())
        each, more = divmod(over, len(below))
        order = np.argsort(-(estimates[below] - floors), kind="stable")
        share = np.full(len(below), each, dtype=np.int64)
        share[order[:more]] += 1
        whole[below] = floors.astype(np.int64) + share
    return whole
