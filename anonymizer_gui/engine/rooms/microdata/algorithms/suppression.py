"""Classes that violate the goals are left out, as far as the suppression limit allows."""

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded, Limits
from anonymizer_gui.engine.rooms.microdata.algorithms.dropping import cheapest_drop, dropped_for_table
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.privacy.contract import Groups

_ROUNDING = 1e-9


def allowed_rows(n_rows: int, limit: float) -> int:
    """Give the number of rows a suppression limit allows: the share of the rows, rounded down."""
    return math.floor(n_rows * limit + _ROUNDING)


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """Which groups stay, and how many rows the others have."""

    kept: npt.NDArray[np.bool_]
    suppressed: int


def settle(groups: Groups, goals: Goals, allowed: int, price: npt.NDArray[np.float64] | None = None) -> Settled | None:
    """Drop the groups that violate the goals; None when that costs more rows than allowed.

    Goals that compare with the rows that remain are decided against them: what is published must hold by itself.
    Which groups are best dropped is then a search, and may not be found (see `dropping`). `price` is what each group
    costs that is dropped, its rows when it is not given. Goals about all classes together are asked in the end.
    """
    kept = goals.satisfied(groups)
    worth = groups.sizes.astype(np.float64) if price is None else price
    if goals.compare_with_whole and not kept.all():
        found = cheapest_drop(groups, goals, allowed, worth)
        if found is None:
            return None
        kept = found
    if goals.of_table:
        found = dropped_for_table(groups, goals, kept, allowed, worth)
        if found is None:
            return None
        kept = found
    suppressed = int(groups.sizes[~kept].sum())
    if suppressed > allowed or not _may_be_absent(groups, goals, ~kept):
        return None
    return Settled(kept, suppressed)


def _may_be_absent(groups: Groups, goals: Goals, dropped: npt.NDArray[np.bool_]) -> bool:
    """Whether the goals about the population allow that nobody of the dropped groups is published."""
    if not dropped.any():
        return True
    counted = None if groups.persons is None else np.where(dropped, 0, groups.people)
    without = replace(groups, sizes=np.where(dropped, 0, groups.sizes), counted=counted)
    about_population = (model for model in goals.models if model.needs_population)
    return all(model.satisfied(without, goals.whole)[dropped].all() for model in about_population)


def settle_tuples(
    encoded: Encoded, goals: Goals, limits: Limits, group_of_tuple: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64] | None:
    """Give -1 to the tuples of groups that violate the goals; None when the limit does not allow it."""
    n_groups = int(group_of_tuple.max(initial=-1)) + 1
    settled = settle(encoded.groups(group_of_tuple, n_groups), goals, allowed_rows(encoded.n_rows, limits.suppression))
    return None if settled is None else np.where(settled.kept[group_of_tuple], group_of_tuple, -1)
