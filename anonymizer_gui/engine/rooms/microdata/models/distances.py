"""Distances between distributions and their subgradients.

Every sum over all values is written as a sum over the values a class has plus a term of Q alone,
so that the work grows with the entries of the histogram and not with classes times values.
"""

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.hierarchy.coverage import node_heights
from anonymizer_gui.engine.rooms.microdata.models.contract import SensitiveAttribute
from anonymizer_gui.engine.rooms.microdata.models.sensitive_attribute import Floats, row_totals, shares, sums

Ints = npt.NDArray[np.int64]

DISTANCES = {
    "emd-equal": "Earth mover's, equal steps",
    "emd-ordered": "Earth mover's, by order",
    "emd-hierarchical": "Earth mover's, by hierarchy",
    "variational": "Variational distance",
    "kl": "Kullback-Leibler, in bits",
    "euclidean": "Euclidean distance",
    "jensen-shannon": "Jensen-Shannon, in bits",
}

DISTANCE_TITLES = {
    "emd-equal": "earth mover's, equal steps",
    "emd-ordered": "earth mover's, by order",
    "emd-hierarchical": "earth mover's, by hierarchy",
    "variational": "variational distance",
    "kl": "Kullback-Leibler, in bits",
    "euclidean": "euclidean distance",
    "jensen-shannon": "Jensen-Shannon, in bits",
}
"""The same inside a sentence."""

UNBOUNDED = frozenset({"kl"})
"""Those that are infinite for a group with a value that the reference lacks."""


def distance(name: str, histogram: Histogram, sensitive: SensitiveAttribute, reference: Floats | None = None) -> Floats:
    """Give the distance of every group from the whole table; a group without rows has 0.

    With `reference`, shares of the values, the distance from those; which values there are, their order and their
    hierarchy are still the whole table's, so that distances from several references can be compared.
    """
    q = table_shares(sensitive) if reference is None else reference
    if name == "emd-ordered":
        return emd_ordered(histogram, sensitive, q)
    if name == "emd-hierarchical":
        return emd_hierarchical(histogram, sensitive, q)
    return {
        "emd-equal": variational,
        "variational": variational,
        "kl": kullback_leibler,
        "euclidean": euclidean,
        "jensen-shannon": jensen_shannon,
    }[name](histogram, q)


def table_shares(sensitive: SensitiveAttribute) -> Floats:
    """Give the share of each value in the whole table."""
    return np.asarray(sensitive.counts / max(int(sensitive.counts.sum()), 1), dtype=np.float64)


def variational(histogram: Histogram, reference: Floats) -> Floats:
    """1/2 sum |p - q|, which is also the earth mover's distance when all values are equally far apart."""
    return sums(histogram, np.maximum(shares(histogram) - reference[histogram.values], 0.0))


def kullback_leibler(histogram: Histogram, reference: Floats) -> Floats:
    """sum p log2(p / q); infinite when a class has a value that the reference does not."""
    p, q = shares(histogram), reference[histogram.values]
    ratio = np.divide(p, q, out=np.full(len(p), np.inf), where=q > 0)
    return np.maximum(sums(histogram, p * np.log2(ratio)), 0.0)


def euclidean(histogram: Histogram, reference: Floats) -> Floats:
    """sqrt(sum (p - q)^2)."""
    q = reference[histogram.values]
    absent = np.square(reference).sum() - sums(histogram, np.square(q))
    absent[absent < 1e-15] = 0.0  # what rounding leaves of values that are all present
    return np.where(row_totals(histogram) > 0, np.sqrt(sums(histogram, np.square(shares(histogram) - q)) + absent), 0.0)


def jensen_shannon(histogram: Histogram, reference: Floats) -> Floats:
    """Half the divergence of P and half that of Q from their middle, in bits: 0 to 1 (not its square root)."""
    p, q = shares(histogram), reference[histogram.values]
    middle = (p + q) / 2
    q_part = np.zeros(len(q))
    np.log2(q / middle, out=q_part, where=q > 0)
    absent = 1.0 - sums(histogram, q)
    found = (sums(histogram, p * np.log2(p / middle)) + sums(histogram, q * q_part) + absent) / 2
    return np.where(row_totals(histogram) > 0, np.maximum(found, 0.0), 0.0)


def emd_ordered(histogram: Histogram, sensitive: SensitiveAttribute, reference: Floats) -> Floats:
    """1/(m - 1) sum_i |sum_{j <= i} (p_j - q_j)| over the m values in order (Li et al. 2007).

    Between two values of a class the sum of P stands still while that of Q rises: each such run is summed
    at once, from the place where the two cross and the running sum of Q's running sum.
    """
    place, order = value_positions(sensitive, reference)
    by_place = reference[order]
    m = len(by_place)
    if m < 2 or not len(histogram.groups):
        return np.zeros(histogram.n_groups)
    rising = np.cumsum(by_place)
    area = np.concatenate([[0.0], np.cumsum(rising)])
    rank = place[histogram.values]
    is_sorted = bool((np.diff(place) >= 0).all())  # entries come by group, then value
    entries = np.arange(len(rank)) if is_sorted else np.lexsort((rank, histogram.groups))
    groups, first, counts = histogram.groups[entries], rank[entries], histogram.counts[entries]
    begins = np.r_[True, groups[1:] != groups[:-1]]
    seen = np.cumsum(counts)  # whole numbers, so that a million classes add no rounding
    base = np.repeat((seen - counts)[begins], np.diff(np.r_[np.flatnonzero(begins), len(groups)]))
    level = (seen - base) / row_totals(histogram)[groups]
    last = np.where(np.r_[begins[1:], True], m, np.r_[first[1:], m])
    cross = np.clip(np.searchsorted(rising, level), first, last)
    below = level * (cross - first) - (area[cross] - area[first])
    above = (area[last] - area[cross]) - level * (last - cross)
    before = np.where(begins, area[first], 0.0)  # P is still 0 there
    found = np.bincount(groups, weights=below + above + before, minlength=histogram.n_groups) / (m - 1)
    return np.maximum(found, 0.0)  # rounding alone may leave less than nothing


def value_positions(sensitive: SensitiveAttribute, reference: Floats | None = None) -> tuple[Ints, Ints]:
    """Give the place of every value among those the whole table or the reference has, and the value at each place."""
    order = np.argsort(sensitive.rank)
    there = sensitive.counts[order] > 0
    if reference is not None:
        there |= reference[order] > 0
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.maximum(np.cumsum(there) - 1, 0)
    return place, order[there]


def emd_hierarchical(histogram: Histogram, sensitive: SensitiveAttribute, reference: Floats) -> Floats:
    """Two values are as far apart as their common ancestor is high, divided by the height of the hierarchy.

    Mass that cannot be levelled among the children of a node moves through it: the cost of a node is its height
    times the smaller of the surplus and the shortage of its children (Li et al. 2007, section 5.3).
    """
    if sensitive.hierarchy is None or sensitive.leaf is None:
        raise BadParameter(
            message("The column “{name}” has no hierarchy over its values.", name=sensitive.name),
            "Give it one, or choose another distance.",
        )
    tree = sensitive.hierarchy
    heights = node_heights(tree)
    nodes = tree.leaves[sensitive.leaf].astype(np.int64)
    group, node, share = _gathered(histogram.groups, nodes[histogram.values], shares(histogram), len(tree))
    whole = np.bincount(nodes, weights=reference, minlength=len(tree))
    cost = np.zeros(histogram.n_groups)
    for depth in range(tree.height, 0, -1):
        surplus = np.maximum(share - whole[node], 0.0)
        level = tree.depths == depth
        np.add.at(whole, tree.parents[level], whole[level])
        above = np.where(level[node], tree.parents[node], node)
        excess = _gathered(group, above, surplus, len(tree))[2]
        group, node, share = _gathered(group, above, share, len(tree))
        shortage = excess - (share - whole[node])
        moved = np.where(tree.depths[node] == depth - 1, np.minimum(excess, shortage), 0.0)
        cost += np.bincount(group, weights=heights[node] * np.maximum(moved, 0.0), minlength=histogram.n_groups)
    return cost / max(tree.height, 1)


def _gathered(group: Ints, node: Ints, amount: Floats, n_nodes: int) -> tuple[Ints, Ints, Floats]:
    """Add up the amounts of equal pairs of group and node; pairs come out sorted."""
    pairs, place = np.unique(group * n_nodes + node, return_inverse=True)
    totals_of_pairs = np.bincount(place, weights=amount, minlength=len(pairs))
    return pairs // n_nodes, pairs % n_nodes, totals_of_pairs.astype(np.float64, copy=False)


def subgradient(name: str, p: Floats, q: Floats, sensitive: SensitiveAttribute) -> Floats:
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


def _ordered(p: Floats, q: Floats, sensitive: SensitiveAttribute) -> Floats:
    """Each running sum that is too large falls when any value up to its place does."""
    order = value_positions(sensitive)[1]
    ahead = np.sign(np.cumsum((q - p)[order]))[:-1]
    found = np.zeros(len(p))
    found[order[:-1]] = np.cumsum(ahead[::-1])[::-1] / max(len(order) - 1, 1)
    return found


def _hierarchical(p: Floats, q: Floats, sensitive: SensitiveAttribute) -> Floats:
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
