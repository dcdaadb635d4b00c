"""The numbers of one class that privacy models ask for, each written down from its definition."""

import math
from fractions import Fraction
from itertools import accumulate

from anonymizer_gui.engine.rooms.microdata.recount.asked import Counts
from anonymizer_gui.engine.rooms.microdata.recount.reference import Reference

SLACK = 1e-9
"""What rounding may add to a number before a limit counts as broken."""


def distinct(held: Counts) -> int:
    """Count the different values."""
    return len(held)


def entropy(held: Counts) -> float:
    """exp of the entropy: ln n - 1/n sum n_v ln n_v are its nats; 0 where there is no value at all."""
    n = sum(held.values())
    if not n:
        return 0.0
    nats = math.log(n) - math.fsum(times * math.log(times) for times in held.values()) / n
    return math.exp(max(nats, 0.0))


def recursive(held: Counts, c: float) -> int:
    """Give the largest l with r_1 < c (r_l + ... + r_m), the counts r from the largest down; 0 when there is none."""
    falling = sorted(held.values(), reverse=True)
    rest = list(accumulate(falling[::-1]))[::-1]
    above, below = Fraction(repr(c)).as_integer_ratio()  # as it was written: 1.1 is eleven tenths
    return sum(falling[0] * below < above * tail for tail in rest)  # the tails shrink: the first so many hold


def largest_share(held: Counts) -> float:
    """Give the share of the commonest value."""
    return max(held.values()) / sum(held.values())


def growth(held: Counts, other: Reference) -> float:
    """Give how much more frequent a value is than in the reference, at most; 0 when none is."""
    n, m = sum(held.values()), other.size
    return max(0.0, *(_grown(times * m, other.counts.get(value, 0) * n) for value, times in held.items()))


def least_beta(held: Counts, other: Reference) -> float:
    """Give the smallest beta with growth of every value within min(beta, -ln q); infinite when there is none."""
    n, m = sum(held.values()), other.size
    found = 0.0
    for value, times in held.items():
        records = other.counts.get(value, 0)
        grown = _grown(times * m, records * n)
        if not records or grown > math.log(m / records) + SLACK:
            return math.inf
        found = max(found, grown)
    return found


def disclosure(held: Counts, other: Reference) -> float:
    """Give the largest |ln(p/q)| over the values of the reference; infinite when one of either is not in the other."""
    if held.keys() != other.counts.keys():
        return math.inf
    n, m = sum(held.values()), other.size
    return max(abs(math.log(times * m / (other.counts[value] * n))) for value, times in held.items())


def at_least(value: float, limit: float) -> bool:
    """Say whether a value reaches a limit, rounding aside."""
    return value >= limit - SLACK * max(abs(limit), SLACK)


def at_most(value: float, limit: float) -> bool:
    """Say whether a value keeps within a limit, rounding aside."""
    return value <= limit + SLACK * max(abs(limit), 1e-3)


def _grown(here: int, there: int) -> float:
    return here / there - 1 if there else math.inf
