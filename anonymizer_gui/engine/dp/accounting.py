"""What several spends cost together, always from above: budgets are exact, and what has no exact value is rounded up.

>>> thousand = [Budget(epsilon=Fraction(1, 100))] * 1000
>>> composed(thousand, delta=Fraction(1, 10**6)).way
'zcdp'
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from anonymizer_gui.engine.core.budget import NO_BUDGET, Budget
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.dp.conversion import epsilon_of_rho, exp_above
from anonymizer_gui.engine.dp.unit import Neighbours, Unit

# A group with so large an epsilon is promised nothing, whatever its delta.
_HOPELESS = 1000


@dataclass(frozen=True, slots=True)
class Total:
    """Epsilon and delta of all spends together, and the composition that gave the smaller epsilon."""

    epsilon: Fraction
    delta: Fraction
    way: Literal["basic", "zcdp"]

    def budget(self) -> Budget:
        """Give it as a budget."""
        return Budget(epsilon=self.epsilon, delta=self.delta)


def composed(spends: Iterable[Budget], delta: Fraction = Fraction(0)) -> Total:
    """Compose spends about the same people, one after the other, also when later questions depend on earlier answers.

    Basic composition adds epsilons and deltas, and converts what was spent as rho. Where `delta` allows, all spends
    without a delta of their own are also composed as zCDP, a pure epsilon as rho = epsilon^2 / 2; the smaller epsilon
    counts. `delta` bounds the delta of the result, that of the spends included. Raises BadParameter when rho was
    spent and no delta is left to convert it.
    """
    spends = [spend for spend in spends if spend]
    summed = sum(spends, NO_BUDGET)
    left = delta - summed.delta
    if summed.rho and left <= 0:
        raise BadParameter("Gaussian noise needs a delta above 0.", "Allow a delta, such as 1e-9.")
    converted = epsilon_of_rho(summed.rho, left) if summed.rho else Fraction(0)
    basic = Total(summed.epsilon + converted, delta if summed.rho else summed.delta, "basic")
    concentrated = _as_zcdp(spends, delta, left)
    return concentrated if concentrated and concentrated.epsilon < basic.epsilon else basic


def _as_zcdp(spends: list[Budget], delta: Fraction, left: Fraction) -> Total | None:
    """Compose as zCDP what can be; what has a delta of its own is added to it."""
    pure = [spend.epsilon for spend in spends if spend.epsilon and not spend.delta]
    if left <= 0 or not pure:
        return None
    others = sum((spend.epsilon for spend in spends if spend.delta), Fraction(0))
    squares = sum((epsilon * epsilon for epsilon in pure), Fraction(0))
    rho = sum((spend.rho for spend in spends), squares / 2)
    return Total(others + epsilon_of_rho(rho, left), delta, "zcdp")


def parallel(spends: Iterable[Budget], unit: Unit) -> Budget:
    """Compose spends about disjoint parts of the table, made by a public column: the largest of each kind.

    A changed row is one that goes and one that comes, in two parts or twice in the same one: it costs what a group of
    two rows does, whose rho is four times as large. A person with several rows may be in as many parts. The questions
    are calibrated for `unit.within_part`.
    """
    spends = list(spends)
    largest = Budget(*(max((part[place] for part in map(_parts, spends)), default=Fraction(0)) for place in range(3)))
    if unit.kind is Neighbours.CHANGE:
        return for_group(largest, 2)
    return largest * max(min(unit.rows, len(spends)), 1)


Part = tuple[str, str]
"""A part of a table made by a public column: the column and the value its rows have."""


def with_parts(spends: Iterable[tuple[Budget, Part | None]], unit: Unit) -> list[Budget]:
    """Give what must be composed of spends that are partly about disjoint parts: those about the parts of one column
    become one spend, in which only the most expensive part counts.
    """
    whole: list[Budget] = []
    columns: dict[str, dict[str, Budget]] = {}
    for spend, part in spends:
        if part is None:
            whole.append(spend)
        else:
            parts = columns.setdefault(part[0], {})
            parts[part[1]] = parts.get(part[1], NO_BUDGET) + spend
    return [*whole, *(parallel(parts.values(), unit) for parts in columns.values())]


def for_group(spend: Budget, people: int) -> Budget:
    """What the same releases cost a group of so many people together.

    Epsilon grows with the group, rho with its square, delta by (e^(g epsilon) - 1) / (e^epsilon - 1).
    """
    if people < 1:
        raise BadParameter("A group has at least one member.", "Give a number from 1 on.")
    return Budget(spend.epsilon * people, _delta_of_group(spend, people), spend.rho * people**2)


def _delta_of_group(spend: Budget, people: int) -> Fraction:
    if not spend.delta:
        return Fraction(0)
    if spend.epsilon * people > _HOPELESS:
        return Fraction(1)
    grown = sum((exp_above(spend.epsilon * member) for member in range(people)), Fraction(0))
    return min(spend.delta * grown, Fraction(1))


def odds(epsilon: Fraction) -> float:
    """Say how sure a guess between two equally likely tables can become at most: e^epsilon / (1 + e^epsilon)."""
    return 1 / (1 + math.exp(-epsilon))


def _parts(spend: Budget) -> tuple[Fraction, Fraction, Fraction]:
    return spend.epsilon, spend.delta, spend.rho
