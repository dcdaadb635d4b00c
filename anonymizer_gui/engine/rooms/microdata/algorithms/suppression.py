"""Classes that violate the goals are left out, as far as the suppression limit allows."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded, Limits
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.privacy.contract import Groups, Whole
from anonymizer_gui.engine.shapes.tables.classes import Histogram

_ROUNDING = 1e-9


def allowed_rows(n_rows: int, limit: float) -> int:
    """Give the number of rows a suppression limit allows: the share of the rows, rounded down."""
    return math.floor(n_rows * limit + _ROUNDING)


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """Which groups stay, and how many rows the others have."""

    kept: npt.NDArray[np.bool_]
    suppressed: int


def settle(groups: Groups, goals: Goals, allowed: int) -> Settled | None:
    """Drop the groups that violate the goals; None when that costs more rows than allowed.

    Goals that compare with the whole table are decided again against the rows that remain, until nothing
    more is dropped: what is published must hold by itself.
    """
    kept = goals.satisfied(groups)
    while True:
        suppressed = int(groups.sizes[~kept].sum())
        if suppressed > allowed:
            return None
        if not suppressed or not goals.compare_with_whole:
            break
        still = kept & replace(goals, whole=remaining(goals.whole, groups, kept)).satisfied(groups)
        if (still == kept).all():
            break
        kept = still
    return Settled(kept, suppressed) if _may_be_absent(groups, goals, ~kept) else None


def _may_be_absent(groups: Groups, goals: Goals, dropped: npt.NDArray[np.bool_]) -> bool:
    """Whether the goals about the population allow that nobody of the dropped groups is published."""
    if not dropped.any():
        return True
    without = replace(groups, sizes=np.where(dropped, 0, groups.sizes))
    about_population = (model for model in goals.models if model.needs_population)
    return all(model.satisfied(without, goals.whole)[dropped].all() for model in about_population)


def settle_tuples(
    encoded: Encoded, goals: Goals, limits: Limits, group_of_tuple: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64] | None:
    """Give -1 to the tuples of groups that violate the goals; None when the limit does not allow it."""
    n_groups = int(group_of_tuple.max(initial=-1)) + 1
    settled = settle(encoded.groups(group_of_tuple, n_groups), goals, allowed_rows(encoded.n_rows, limits.suppression))
    return None if settled is None else np.where(settled.kept[group_of_tuple], group_of_tuple, -1)


def remaining(whole: Whole, groups: Groups, kept: npt.NDArray[np.bool_]) -> Whole:
    """Give the whole table without the rows of the groups that are dropped."""
    n_rows = int(groups.sizes[kept].sum())
    sensitive = {
        name: replace(column, counts=_counts_of(groups.sensitive, name, kept, len(column.counts)))
        for name, column in whole.sensitive.items()
    }
    return replace(whole, n_rows=n_rows, sensitive=sensitive)


def _counts_of(
    sensitive: Mapping[str, Histogram], name: str, kept: npt.NDArray[np.bool_], n_values: int
) -> npt.NDArray[np.int64]:
    histogram = sensitive[name]
    counts = np.where(kept[histogram.groups], histogram.counts, 0)
    return np.bincount(histogram.values, weights=counts, minlength=n_values).astype(np.int64)
