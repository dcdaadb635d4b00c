"""One group of records that is near every class, as (n,t)-closeness asks for: believed when it is shown."""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.rooms.microdata.recount.asked import Counts
from anonymizer_gui.engine.rooms.microdata.recount.told import Undecided

Worst = Callable[[Counts], float]
"""Gives the largest distance of any class from a group of records."""
_FEW_GROUPS = 2000


def nearest(whole: Counts, n: int, limit: float, shown: Counts | None, worst: Worst) -> float:
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
