"""Each number from its published definition: references, distances, diversity, estimators.

A class has n records, n_v of the value v; the reference m records, m_v of v. Sums over values that the class
does not have are those of the reference less the values that it has, in whole numbers: nothing is lost by rounding.

Pitman's likelihood equations are those of Hoshino (2001), solved with plain sums of reciprocals; the slide negative
binomial takes the three equations of Chen and Keller-McNulty (1998); Zayatz (1991) is Bayes' rule.
"""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, product

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.rooms.microdata.independent.interface import Counts, Undecided
from anonymizer_gui.engine.rooms.microdata.independent.value_orders import PlainHierarchy


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """Counts of values, so that shares can be compared without rounding.

    `rising[i]` is the number of records up to the i-th value in order, `area[i]` the sum of all before it;
    `below[node]` the number of records under a node of the hierarchy, `climbed` what all of them climb to the root.
    """

    counts: Counts
    size: int
    squares: int
    place: Mapping[str, int]
    rising: Sequence[int]
    area: Sequence[int]
    branches: PlainHierarchy | None = None
    below: Mapping[int, int] | None = None
    climbed: int = 0

    @property
    def steps(self) -> int:
        """The number of steps from the first value to the last."""
        return len(self.rising) - 1


def make_reference(
    counts: Mapping[str, float], order: Sequence[str], branches: PlainHierarchy | None = None
) -> Reference:
    """Make a reference of counts or shares; `order` are all values of the reference and of the classes, in order."""
    whole = _whole_numbers(counts)
    rising = list(accumulate(whole.get(value, 0) for value in order))
    under = None if branches is None else sums_below(whole, branches)
    climbed = sum(times * branches.climb(node) for node, times in under.items()) if branches and under else 0
    return Reference(
        whole,
        sum(whole.values()),
        sum(times * times for times in whole.values()),
        {value: place for place, value in enumerate(order)},
        rising,
        [0, *accumulate(rising)],
        branches,
        under,
        climbed,
    )


def sums_below(counts: Counts, branches: PlainHierarchy) -> dict[int, int] | None:
    """Add up records under every node but the root; nothing when a value has no place."""
    found: dict[int, int] = {}
    for value, times in counts.items():
        leaf = branches.leaf_of(value)
        if leaf is None:
            return None
        for node in branches.path(leaf):
            found[node] = found.get(node, 0) + times
    return found


def _whole_numbers(counts: Mapping[str, float]) -> dict[str, int]:
    """Give shares as whole numbers in the same proportion; what is 0 is left out."""
    exact = {value: Fraction(times) for value, times in counts.items() if times > 0}
    multiple = math.lcm(*(times.denominator for times in exact.values()))
    return {value: int(times * multiple) for value, times in exact.items()}


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
    here = None if tree is None else sums_below(held, tree)
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


Worst = Callable[[Counts], float]
"""Gives the largest distance of any class from a group of records."""

_FEW_GROUPS = 2000


def nearest_reference_group(whole: Counts, n: int, limit: float, shown: Counts | None, worst: Worst) -> float:
    """Give the largest distance of a class from one group of at least n records: the one shown, else the best known.

    The whole table is such a group. Where none is shown and there are few groups, all are tried.
    Raises Undecided when nothing known is near enough and not all could be tried.
    """
    if shown is not None and is_group(shown, whole, n):
        return min(worst(shown), worst(whole))
    if math.prod(times + 1 for times in whole.values()) <= _FEW_GROUPS:
        return min(map(worst, _all(whole, n)))
    found = worst(whole)
    if found > limit:
        raise Undecided(message("The group of rows that all classes are near to is not known."))
    return found


def is_group(shown: Counts, whole: Counts, n: int) -> bool:
    """Say whether the table has these records, and n of them."""
    return sum(shown.values()) >= n and all(0 <= times <= whole.get(value, 0) for value, times in shown.items())


def _all(whole: Counts, n: int) -> Iterator[Counts]:
    values: Sequence[str] = list(whole)
    for numbers in product(*(range(times + 1) for times in whole.values())):
        if sum(numbers) >= n:
            yield dict(zip(values, numbers, strict=True))


SLACK = 1e-9
"""What rounding may add to a number before a limit counts as broken."""


def distinct_l(held: Counts) -> int:
    """Count the different values."""
    return len(held)


def entropy_l(held: Counts) -> float:
    """exp of the entropy: ln n - 1/n sum n_v ln n_v are its nats; 0 where there is no value at all."""
    n = sum(held.values())
    if not n:
        return 0.0
    nats = math.log(n) - math.fsum(times * math.log(times) for times in held.values()) / n
    return math.exp(max(nats, 0.0))


def recursive_l(held: Counts, c: float) -> int:
    """Give the largest l with r_1 < c (r_l + ... + r_m), the counts r from the largest down; 0 when there is none."""
    falling = sorted(held.values(), reverse=True)
    rest = list(accumulate(falling[::-1]))[::-1]
    above, below = Fraction(repr(c)).as_integer_ratio()  # as it was written: 1.1 is eleven tenths
    return sum(falling[0] * below < above * tail for tail in rest)  # the tails shrink: the first so many hold


def largest_share(held: Counts) -> float:
    """Give the share of the commonest value."""
    return max(held.values()) / sum(held.values())


def relative_gain(held: Counts, other: Reference) -> float:
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


def log_ratio(held: Counts, other: Reference) -> float:
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


_MOST = 1 << 40


def is_rare(rows: int, k: int, fraction: float, significance: float, *, truncated: bool) -> bool:
    """Say whether so many rows or more are as rare as the significance level where only k people look alike."""
    if rows < 1:
        return False
    mean = k * fraction
    fewer = math.fsum(math.exp(i * math.log(mean) - mean - math.lgamma(i + 1)) for i in range(rows))
    rest = math.fsum(math.exp(i * math.log(mean) - mean - math.lgamma(i + 1)) for i in _tail(rows, mean))
    chance = rest if fewer > 0.5 else 1 - fewer
    return chance / (1 - math.exp(-mean) if truncated else 1.0) <= significance


def _tail(rows: int, mean: float) -> range:
    """Give the numbers from there on that have a chance worth adding."""
    return range(rows, rows + 60 + math.ceil(max(mean - rows, 0.0) + 40 * math.sqrt(mean + 1)))


def estimated_k(rows: int, fraction: float, significance: float, *, truncated: bool) -> int:
    """Give the largest k that so many rows are enough for; they always are for as many people."""
    reached, step = rows, 1
    while reached + step < _MOST and is_rare(rows, reached + step, fraction, significance, truncated=truncated):
        reached, step = reached + step, step * 2
    while step:
        if is_rare(rows, reached + step, fraction, significance, truncated=truncated):
            reached += step
        step //= 2
    return reached


Sizes = Mapping[int, int]
"""How many classes have each number of rows."""

_FEW = 40

_HALVINGS = 80

_LEAST_ALPHA = 1e-4

_GRID = 400

SMALL_SHARE = 0.1


def unique_share(model: str, sizes: Sizes, population: float) -> float:
    """Give the share of rows that are unique in a population of so many people; all unique ones where none is known."""
    rows = sum(size * many for size, many in sizes.items())
    alone = sizes.get(1, 0)
    drawn = rows / max(population, rows, 1)
    if not alone or drawn >= 1:
        return alone / max(rows, 1)
    found = _ruled(sizes, drawn) if model == "dankar" else _MODELS[model](sizes, drawn)
    return min(alone if found is None else found, alone) / rows


def _ruled(sizes: Sizes, drawn: float) -> float | None:
    """Dankar's rule: Pitman for a tenth of the population or less, else the lower of SNB and Zayatz."""
    by_zayatz = _zayatz(sizes, drawn)
    other = _pitman(sizes, drawn) if drawn <= SMALL_SHARE else _snb(sizes, drawn)
    if drawn <= SMALL_SHARE:
        return by_zayatz if other is None else other
    return by_zayatz if other is None else min(other, by_zayatz)


def _zayatz(sizes: Sizes, drawn: float) -> float:
    """One row of a population class of i is drawn with chance i drawn (1 - drawn)^(i - 1)."""
    chances = {size: many * size * drawn * (1 - drawn) ** (size - 1) for size, many in sizes.items()}
    return sizes[1] * chances[1] / math.fsum(chances.values())


def _pitman(sizes: Sizes, drawn: float) -> float | None:
    classes, rows = sum(sizes.values()), sum(size * many for size, many in sizes.items())
    if classes < 2 or sizes.get(1, 0) == rows:
        return None

    def theta(alpha: float) -> float:
        def slope(power: float) -> float:
            at = math.exp(power) - alpha
            return _reciprocals(at + alpha, alpha, classes - 1) - _reciprocals(at + 1, 1.0, rows - 1)

        return math.exp(_zero(slope, -12.0, 25.0)) - alpha

    def slope(alpha: float) -> float:
        at = theta(alpha)
        steps = (classes - 1 - at * _reciprocals(at + alpha, alpha, classes - 1)) / alpha
        inside = math.fsum(many * _reciprocals(1 - alpha, 1.0, size - 1) for size, many in sizes.items())
        return steps - inside

    alpha = _LEAST_ALPHA if slope(_LEAST_ALPHA) <= 0 else _zero(slope, _LEAST_ALPHA, 1 - _LEAST_ALPHA)
    at = theta(alpha)
    if at + alpha <= 0:
        return None
    return drawn * math.exp(math.lgamma(at + 1) - math.lgamma(at + alpha) + alpha * math.log(rows / drawn))


def _reciprocals(first: float, step: float, number: int) -> float:
    """Add up 1 / (first + i step) for i from 0; what is far out by the formula of Euler and Maclaurin."""
    few = min(number, _FEW + max(0, math.ceil((_FEW * step - first) / step)))
    found = math.fsum(1 / (first + i * step) for i in range(few))
    if few == number:
        return found
    low, high = first + few * step, first + (number - 1) * step
    between = math.log1p((high - low) / low) / step + (1 / low + 1 / high) / 2
    second = step / 12 * (1 / (low * low) - 1 / (high * high))
    fourth = math.pow(step, 3) / 120 * (math.pow(low, -4) - math.pow(high, -4))
    return found + between + second - fourth


def _snb(sizes: Sizes, drawn: float) -> float | None:
    """Find K, alpha, beta that give the people, the classes seen and the single rows seen; K beta^alpha are alone."""
    seen, alone = sum(sizes.values()), sizes.get(1, 0)
    people = sum(size * many for size, many in sizes.items()) / drawn

    def of_beta(beta: float) -> tuple[float, float, float] | None:
        """Give alpha, K, and how many more single rows are expected than there are."""
        rest = 1 - (1 - beta) * (1 - drawn)

        def unseen(alpha: float) -> float:
            return (1 - drawn) * math.pow(beta / rest, alpha)

        def more_people(power: float) -> float:
            alpha = math.exp(power)
            return seen / (1 - unseen(alpha)) * (1 + alpha * (1 - beta) / beta) - people

        if not more_people(-25.0) < 0 < more_people(10.0):
            return None
        alpha = math.exp(_zero(more_people, -25.0, 10.0))
        every = seen / (1 - unseen(alpha))
        single = drawn * math.pow(beta / rest, alpha) * (1 + (1 - drawn) * alpha * (1 - beta) / rest)
        return alpha, every, every * single - alone

    low, high = math.log(1e-6), math.log(1 - 1e-6)
    before: tuple[float, float] | None = None
    for step in range(_GRID):
        beta = math.exp(low + (high - low) * step / (_GRID - 1))
        found = of_beta(beta)
        if found is None:
            continue
        if before is not None and (before[1] == 0 or (before[1] < 0) != (found[2] < 0)):
            root = _zero(lambda at: (of_beta(at) or (0.0, 0.0, 0.0))[2], before[0], beta)
            last = of_beta(root)
            return None if last is None else drawn * last[1] * math.pow(root, last[0])
        before = (beta, found[2])
    return None


def _zero(function: Callable[[float], float], low: float, high: float) -> float:
    """Halve the way to where a function changes its sign."""
    rises = function(low) < 0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if (function(middle) < 0) == rises:
            low = middle
        else:
            high = middle
    return (low + high) / 2


_MODELS: dict[str, Callable[[Sizes, float], float | None]] = {"zayatz": _zayatz, "pitman": _pitman, "snb": _snb}
