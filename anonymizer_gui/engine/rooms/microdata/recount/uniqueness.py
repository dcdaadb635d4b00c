"""How many rows are unique in a population by estimate: the models once more, each from its published equations.

Pitman's likelihood equations are those of Hoshino (2001), solved with plain sums of reciprocals; the slide negative
binomial takes the three equations of Chen and Keller-McNulty (1998); Zayatz (1991) is Bayes' rule.
"""

import math
from collections.abc import Callable, Mapping

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
