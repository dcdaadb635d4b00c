"""What a class is compared with: whole numbers of each value, with their sums in order and along a hierarchy."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from anonymizer_gui.engine.rooms.microdata.recount.asked import Counts
from anonymizer_gui.engine.rooms.microdata.recount.trees import Branches


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
    branches: Branches | None = None
    below: Mapping[int, int] | None = None
    climbed: int = 0

    @property
    def steps(self) -> int:
        """The number of steps from the first value to the last."""
        return len(self.rising) - 1


def reference(counts: Mapping[str, float], order: Sequence[str], branches: Branches | None = None) -> Reference:
    """Make a reference of counts or shares; `order` are all values of the reference and of the classes, in order."""
    whole = _whole_numbers(counts)
    rising = list(accumulate(whole.get(value, 0) for value in order))
    under = None if branches is None else below(whole, branches)
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


def below(counts: Counts, branches: Branches) -> dict[int, int] | None:
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
