"""How the distance of one class from a reference changes with the reference: subgradients for a descent."""

import numpy as np

from anonymizer_gui.engine.hierarchy.coverage import node_heights
from anonymizer_gui.engine.rooms.microdata.privacy.contract import Sensitive
from anonymizer_gui.engine.rooms.microdata.privacy.distances import places
from anonymizer_gui.engine.rooms.microdata.privacy.histogram_numbers import Floats


def slope(name: str, p: Floats, q: Floats, sensitive: Sensitive) -> Floats:
    """Give a subgradient of the distance of P from Q at Q; every distance here is convex in Q.

    For the Kullback-Leibler divergence Q must have every value that P has.
    """
    if name == "emd-ordered":
        return _ordered(p, q, sensitive)
    if name == "emd-hierarchical":
        return _hierarchical(p, q, sensitive)
    return {
        "emd-equal": _variational,
        "variational": _variational,
        "kl": _kullback_leibler,
        "euclidean": _euclidean,
        "jensen-shannon": _jensen_shannon,
    }[name](p, q)


def _variational(p: Floats, q: Floats) -> Floats:
    return np.asarray(np.sign(q - p) / 2)


def _kullback_leibler(p: Floats, q: Floats) -> Floats:
    return np.asarray(-np.divide(p, q, out=np.zeros(len(p)), where=p > 0) / np.log(2))


def _euclidean(p: Floats, q: Floats) -> Floats:
    apart = q - p
    length = np.sqrt(np.square(apart).sum())
    return apart / length if length > 0 else apart


def _jensen_shannon(p: Floats, q: Floats) -> Floats:
    tiny = np.finfo(float).tiny
    return np.asarray(np.log2(np.maximum(q, tiny) / np.maximum((p + q) / 2, tiny)) / 2)


def _ordered(p: Floats, q: Floats, sensitive: Sensitive) -> Floats:
    """Each running sum that is too large falls when any value up to its place does."""
    order = places(sensitive)[1]
    ahead = np.sign(np.cumsum((q - p)[order]))[:-1]
    found = np.zeros(len(p))
    found[order[:-1]] = np.cumsum(ahead[::-1])[::-1] / max(len(order) - 1, 1)
    return found


def _hierarchical(p: Floats, q: Floats, sensitive: Sensitive) -> Floats:
    """The distance is a sum over the edges of the tree: half the height climbed times what the two sides differ in."""
    tree, leaf = sensitive.hierarchy, sensitive.leaf
    if tree is None or leaf is None:
        return np.zeros(len(p))
    node = tree.leaves[leaf].astype(np.int64)
    differ = np.bincount(node, weights=q - p, minlength=len(tree))
    levels = [np.flatnonzero(tree.depths == depth) for depth in range(1, tree.height + 1)]
    for level in reversed(levels):
        np.add.at(differ, tree.parents[level], differ[level])
    heights = node_heights(tree)
    path = np.zeros(len(tree))
    for level in levels:
        climbed = (heights[tree.parents[level]] - heights[level]) / 2
        path[level] = path[tree.parents[level]] + climbed * np.sign(differ[level])
    return path[node] / max(tree.height, 1)
