"""Whether released baskets hold what was promised: the promise as its certificate tells it, the baskets as they are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.baskets.recount.counting import (
    Basket,
    fewest_values,
    smallest_group,
    smallest_support,
    surest_guess,
)


@dataclass(frozen=True, slots=True)
class Released:
    """What is in a released file: the baskets, and a column beside them where there is one."""

    baskets: Sequence[Basket]
    values: Sequence[str] | None = None
    column: str = ""


def without(baskets: Sequence[Basket], hidden: str) -> list[Basket]:
    """Leave out an item that is not known to an attacker."""
    return [tuple(item for item in basket if item != hidden) for basket in baskets]


def asked(promises: Sequence[Mapping[str, Any]]) -> tuple[int, int]:
    """Give the largest k and m of promises, from their parameters."""
    k, m = (max([1, *(int(each[name]) for each in promises if name in each)]) for name in ("k", "m"))
    return k, m


def judged(
    released: Released, name: str, parameters: Mapping[str, Any], progress: Progress = SILENT
) -> tuple[int, bool]:
    """Give the figure of a promise, and whether it holds; raises ValueError for a promise nobody knows.

    A sensitive item is nothing that is known beforehand: it is left out where baskets are compared.
    """
    baskets = without(released.baskets, parameters.get("hidden", ""))
    if name == "km":
        smallest = smallest_support(baskets, parameters["m"], progress)
        return smallest, smallest == 0 or smallest >= parameters["k"]
    if name == "k":
        group = smallest_group(baskets)
        return group, group == 0 or group >= parameters["k"]
    if name == "l":
        return _diversity(released, parameters, progress)
    raise ValueError(name)


def _diversity(released: Released, parameters: Mapping[str, Any], progress: Progress) -> tuple[int, bool]:
    if released.values is not None and parameters["sensitive"] == released.column:
        values = fewest_values(released.baskets, released.values, parameters["m"], progress)
        return values, not released.baskets or values >= parameters["l"]
    with_item, holders = surest_guess(released.baskets, parameters["sensitive"], parameters["m"], progress)
    possible = holders // with_item if with_item else len(released.baskets)
    return possible, with_item * parameters["l"] <= holders
