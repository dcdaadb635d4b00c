"""One group of records that is near every class, as (n,t)-closeness asks for: believed when it is shown."""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product

from anonymizer_gui.engine.rooms.microdata.recount.asked import Counts
from anonymizer_gui.engine.rooms.microdata.recount.told import Undecided

Worst = Callable[[Counts], float]
"""Gives the largest distance of any class from a group of records."""
_FEW_GROUPS = 2000


def nearest(whole: Counts, n: int, limit: float, shown: Counts | None, worst: Worst) -> float:
    """Give the largest distance from the best group of at least n records that is known.

    The whole table is such a group, and so is the one shown if the table has its records. Where there are few groups
    all are tried. Raises Undecided when nothing known is near enough and not all could be tried.
    """
    candidates = [whole, *([shown] if shown is not None and is_group(shown, whole, n) else [])]
    if math.prod(times + 1 for times in whole.values()) <= _FEW_GROUPS:
        return min(map(worst, (*candidates, *_all(whole, n))))
    found = min(map(worst, candidates))
    if found > limit and len(candidates) == 1:
        raise Undecided("The group of rows that all classes are near to is not known.")
    return found


def is_group(shown: Counts, whole: Counts, n: int) -> bool:
    """Say whether the table has these records, and n of them."""
    return sum(shown.values()) >= n and all(0 <= times <= whole.get(value, 0) for value, times in shown.items())


def _all(whole: Counts, n: int) -> Iterator[Counts]:
    values: Sequence[str] = list(whole)
    for numbers in product(*(range(times + 1) for times in whole.values())):
        if sum(numbers) >= n:
            yield dict(zip(values, numbers, strict=True))
