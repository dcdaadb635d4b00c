"""How far the values of a class are from a reference, each distance written down from its definition.

A class has n records, n_v of the value v; the reference m records, m_v of v. Sums over values that the class
does not have are those of the reference less the values that it has, in whole numbers: nothing is lost by rounding.
"""

import math
from bisect import bisect_left
from collections.abc import Callable

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.rooms.microdata.recount.asked import Counts
from anonymizer_gui.engine.rooms.microdata.recount.reference import Reference, below
from anonymizer_gui.engine.rooms.microdata.recount.told import Undecided

Distance = Callable[[Counts, Reference], float]


def variational(held: Counts, other: Reference) -> float:
    """1/2 sum |n_v/n - m_v/m|; with equal steps between all values also the earth mover's distance."""
    n, m = sum(held.values()), other.size
    here = sum(abs(times * m - other.counts.get(value, 0) * n) for value, times in held.items())
    return (here + _elsewhere(held, other) * n) / (2 * n * m)


def kullback_leibler(held: Counts, other: Reference) -> float:
    """sum n_v/n log2((n_v/n) / (m_v/m)); infinite when the reference lacks a value."""
    n, m = sum(held.values()), other.size
    if any(value not in other.counts for value in held):
        return math.inf
    return math.fsum(times / n * math.log2(times * m / (other.counts[value] * n)) for value, times in held.items())


def jensen_shannon(held: Counts, other: Reference) -> float:
    """Half the divergence of each of the two from the middle of both, in bits."""
    n, m = sum(held.values()), other.size
    found = [_elsewhere(held, other) / m]  # where the class has nothing, the middle is half the reference: one bit
    for value, times in held.items():
        p, q = times / n, other.counts.get(value, 0) / m
        found.append(p * math.log2(2 * p / (p + q)))
        found.append(q * math.log2(2 * q / (p + q)) if q else 0.0)
    return math.fsum(found) / 2


def euclidean(held: Counts, other: Reference) -> float:
    """The root of sum (n_v/n - m_v/m)^2."""
    n, m = sum(held.values()), other.size
    here = sum((times * m - other.counts.get(value, 0) * n) ** 2 for value, times in held.items())
    elsewhere = other.squares - sum(other.counts.get(value, 0) ** 2 for value in held)
    return math.sqrt((here + elsewhere * n * n) / (n * m) ** 2)


def earth_mover_ordered(held: Counts, other: Reference) -> float:
    """The sum over all places of what has to be carried past them, divided by the number of steps.

    From one value of the class to the next, its own running sum stands still while that of the reference rises
    and crosses it at most once.
    """
    if not other.steps:
        return 0.0
    n, m = sum(held.values()), other.size
    stops = sorted((other.place[value], times) for value, times in held.items())
    carried, reached = other.area[stops[0][0]] * n, 0
    ends = [place for place, _ in stops[1:]] + [len(other.rising)]
    for (first, times), last in zip(stops, ends, strict=True):
        reached += times
        crossing = min(max(bisect_left(other.rising, -(-reached * m // n)), first), last)
        ahead = reached * m * (crossing - first) - (other.area[crossing] - other.area[first]) * n
        behind = (other.area[last] - other.area[crossing]) * n - reached * m * (last - crossing)
        carried += ahead + behind
    return carried / (n * m * other.steps)


def earth_mover_hierarchical(held: Counts, other: Reference) -> float:
    """The sum over all edges of the tree of what has to cross them, each as long as it climbs, over twice the height.

    Two leaves are then as far apart as their common ancestor is high, divided by the height of the tree.
    """
    tree, there = other.branches, other.below
    here = None if tree is None else below(held, tree)
    if tree is None or there is None or here is None:
        raise Undecided(message("The hierarchy of the sensitive values is not known."))
    n, m = sum(held.values()), other.size
    crossing = other.climbed * n
    for node, times in here.items():
        records = there.get(node, 0) * n
        crossing += tree.climb(node) * (abs(times * m - records) - records)
    return crossing / (2 * n * m * max(tree.height, 1))


DISTANCES: dict[str, Distance] = {
    "emd-equal": variational,
    "emd-ordered": earth_mover_ordered,
    "emd-hierarchical": earth_mover_hierarchical,
    "variational": variational,
    "kl": kullback_leibler,
    "euclidean": euclidean,
    "jensen-shannon": jensen_shannon,
}


def _elsewhere(held: Counts, other: Reference) -> int:
    """Count the records of the reference whose values the class does not have."""
    return other.size - sum(other.counts.get(value, 0) for value in held)
