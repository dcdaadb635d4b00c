"""Classes left out within the limit, also where goals compare with what remains.

Dropping all groups that fail at once often drops far too many, and may drop everything where dropping one group
would do. Where there are few groups all choices are looked at; otherwise the worst are dropped a part at a time, and
what fits again afterwards is taken back.
"""

import itertools
import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.params import params_of
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.models.contract import (
    ClassGroups,
    GoalSet,
    PrivacyModel,
    SensitiveAttribute,
    WholeTable,
)

Bools = npt.NDArray[np.bool_]

Floats = npt.NDArray[np.float64]

MAX_EXHAUSTIVE_GROUPS = 8

_STEPS = (1.0, 0.5)

_RETURNS = 6

_TINY = 1e-300


def is_exhaustive(groups: ClassGroups, goals: GoalSet) -> bool:
    """Say whether all choices of groups to drop are looked at, so that the answer is the best there is."""
    if goals.compare_with_whole:
        few = np.count_nonzero(_alone(groups, goals) & (groups.sizes > 0)) <= MAX_EXHAUSTIVE_GROUPS
        return bool(few) and not goals.of_table
    kept = goals.satisfied(groups) & (groups.sizes > 0)
    return (
        not goals.of_table
        or np.count_nonzero(kept) <= MAX_EXHAUSTIVE_GROUPS
        or goals.kept_by_table(_only(groups, np.flatnonzero(kept)))
    )


def suppress_for_table_goals(
    groups: ClassGroups, goals: GoalSet, kept: Bools, allowed: int, price: Floats
) -> Bools | None:
    """Drop more of the kept groups until the goals about all classes together hold; None when no choice was found.

    Of few groups all choices are looked at, the cheapest first. Else the smallest classes go first, for they are at
    the greatest risk, of equals those that cost less; none goes that is large enough for all these goals.
    """
    there = np.flatnonzero(kept & (groups.sizes > 0))
    if goals.kept_by_table(_only(groups, there)):
        return kept
    left = allowed - int(groups.sizes.sum() - groups.sizes[there].sum())
    if left <= 0:
        return None
    found = _best_for_table(_only(groups, there), goals, left, price[there])
    if found is None:
        return None
    fewer = kept.copy()
    fewer[there] = found
    still_fine = not goals.compare_with_whole or _judged(groups, goals, fewer)[0][fewer].all()
    return fewer if still_fine else None


def _best_for_table(groups: ClassGroups, goals: GoalSet, allowed: int, price: Floats) -> Bools | None:
    if len(groups) <= MAX_EXHAUSTIVE_GROUPS:
        for kept in _choices(groups, allowed, price):
            if goals.kept_by_table(_only(groups, np.flatnonzero(kept))):
                return kept
        return None
    enough = max(model.enough_rows() for model in goals.of_table)
    order = np.lexsort((price / groups.sizes, groups.people))
    order = order[groups.people[order] < enough]
    low, high = 0, int(np.searchsorted(np.cumsum(groups.sizes[order]), allowed, side="right"))
    kept = np.ones(len(groups), dtype=np.bool_)
    if not _holds_without(groups, goals, order[:high]):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _holds_without(groups, goals, order[:middle]) else (middle, high)
    kept[order[:high]] = False
    return kept


def _holds_without(groups: ClassGroups, goals: GoalSet, dropped: npt.NDArray[np.int64]) -> bool:
    return goals.kept_by_table(_only(groups, np.delete(np.arange(len(groups)), dropped)))


def cheapest_suppression(groups: ClassGroups, goals: GoalSet, allowed: int, price: Floats) -> Bools | None:
    """Say which groups stay when those that are dropped cost least; None when no choice was found.

    A group that fails a goal which compares with nothing goes in any case.
    """
    alone = _alone(groups, goals)
    which = np.flatnonzero(alone & (groups.sizes > 0))
    left = allowed - int(groups.sizes.sum() - groups.sizes[which].sum())
    found = _choice(_only(groups, which), goals, left, price[which])
    if found is None:
        return None
    alone[which] = found
    return alone


def _choice(groups: ClassGroups, goals: GoalSet, allowed: int, price: Floats) -> Bools | None:
    """Say which of groups that may all stay do so."""
    if len(groups) <= MAX_EXHAUSTIVE_GROUPS:
        return _best_of_all(groups, goals, allowed, price)
    found = [_dropped_in_parts(groups, goals, allowed, step) for step in _STEPS]
    ends = [_taken_back(groups, goals, kept) for kept in found if kept is not None]
    prices = [float(price[~kept].sum()) for kept in ends]
    return ends[int(np.argmin(prices))] if ends else None


def remaining_table(whole: WholeTable, groups: ClassGroups, kept: Bools) -> WholeTable:
    """Give the whole table without the rows of the groups that are dropped."""
    n_rows = int(groups.sizes[kept].sum())
    sensitive = {name: _with_counts(column, groups.sensitive[name], kept) for name, column in whole.sensitive.items()}
    return replace(whole, n_rows=n_rows, sensitive=sensitive)


def _alone(groups: ClassGroups, goals: GoalSet) -> Bools:
    """Say which groups satisfy all goals that compare with nothing."""
    models = tuple(model for model in goals.models if not model.compares_with_whole)
    return replace(goals, models=models).satisfied(groups)


def _only(groups: ClassGroups, which: npt.NDArray[np.int64]) -> ClassGroups:
    """Keep some groups, in their order."""
    number = np.full(len(groups), -1, dtype=np.int64)
    number[which] = np.arange(len(which))
    sensitive = {name: _part(histogram, number, len(which)) for name, histogram in groups.sensitive.items()}
    population = None if groups.population is None else groups.population[which]
    persons = None if groups.persons is None else groups.persons.only(number, len(which))
    cells = None if groups.cells is None else groups.cells[which]
    return ClassGroups(groups.sizes[which], sensitive, population, persons, cells=cells)


def _part(histogram: Histogram, number: npt.NDArray[np.int64], n_groups: int) -> Histogram:
    kept = number[histogram.groups] >= 0
    groups = number[histogram.groups[kept]]
    return Histogram(n_groups, histogram.n_values, groups, histogram.values[kept], histogram.counts[kept])


def _judged(groups: ClassGroups, goals: GoalSet, kept: Bools) -> tuple[Bools, Floats]:
    """Say which groups satisfy the goals that compare, against the rows that are kept, and how badly others miss them.

    That is told as a share of what the goals ask for.
    """
    whole = remaining_table(goals.whole, groups, kept)
    fine, missed = np.ones(len(groups), dtype=np.bool_), np.zeros(len(groups))
    for model in goals.models:
        if model.compares_with_whole:
            values, satisfied = model.judged(groups, whole)
            fine &= satisfied
            missed += np.where(satisfied, 0.0, values / max(_limit(model), _TINY))
    return fine, missed


def _best_of_all(groups: ClassGroups, goals: GoalSet, allowed: int, price: Floats) -> Bools | None:
    """Look at every choice among a few groups, the cheapest first."""
    for kept in _choices(groups, allowed, price):
        if (_judged(groups, goals, kept)[0] | ~kept).all():
            return kept
    return None


def _choices(groups: ClassGroups, allowed: int, price: Floats) -> list[Bools]:
    """List every choice of groups that may be kept, the one that costs least first."""
    choices = [np.array(choice, dtype=np.bool_) for choice in itertools.product((True, False), repeat=len(groups))]
    within = [kept for kept in choices if groups.sizes[~kept].sum() <= allowed]
    return sorted(within, key=lambda kept: float(price[~kept].sum()))


def _dropped_in_parts(groups: ClassGroups, goals: GoalSet, allowed: int, step: float) -> Bools | None:
    """Drop groups that fail until none does, so large a share of their rows at a time, the worst first."""
    kept = np.ones(len(groups), dtype=np.bool_)
    while int(groups.sizes[~kept].sum()) <= allowed:
        fine, missed = _judged(groups, goals, kept)
        bad = np.flatnonzero(kept & ~fine)
        if not len(bad):
            return kept
        worst = bad[np.argsort(-missed[bad], kind="stable")]
        rows = np.cumsum(groups.sizes[worst])
        kept[worst[: max(1, int(np.searchsorted(rows, step * rows[-1], side="right")))]] = False
    return None


def _limit(model: PrivacyModel) -> float:
    return float(getattr(model, params_of(type(model))[0].name))


def _taken_back(groups: ClassGroups, goals: GoalSet, kept: Bools) -> Bools:
    """Take groups back that fit what remains, the largest first, as many as leave all others fine."""
    many = len(groups)
    for _ in range(_RETURNS):
        back = np.flatnonzero(~kept & _judged(groups, goals, kept)[0])
        if not len(back):
            break
        back = back[np.argsort(-groups.sizes[back], kind="stable")]
        many = min(many, len(back))
        trial = kept.copy()
        trial[back[:many]] = True
        if (_judged(groups, goals, trial)[0] | ~trial).all():
            kept, many = trial, len(groups)
        else:
            many = max(many // 4, 1)
    return kept


def _with_counts(column: SensitiveAttribute, histogram: Histogram, kept: npt.NDArray[np.bool_]) -> SensitiveAttribute:
    wider = None if column.wider is None else _with_counts(column.wider, histogram, kept)
    counts = np.where(kept[histogram.groups], histogram.counts, 0)
    total = np.bincount(histogram.values, weights=counts, minlength=len(column.counts)).astype(np.int64)
    return replace(column, counts=total, wider=wider)


_ROUNDING = 1e-9


def allowed_suppressions(n_rows: int, limit: float) -> int:
    """Give the number of rows a suppression limit allows: the share of the rows, rounded down."""
    return math.floor(n_rows * limit + _ROUNDING)


@dataclass(frozen=True, slots=True, eq=False)
class Suppression:
    """Which groups stay, and how many rows the others have."""

    kept: npt.NDArray[np.bool_]
    suppressed: int


def suppress_groups(
    groups: ClassGroups, goals: GoalSet, allowed: int, price: npt.NDArray[np.float64] | None = None
) -> Suppression | None:
    """Drop the groups that violate the goals; None when that costs more rows than allowed.

    Goals that compare with the rows that remain are decided against them: what is published must hold by itself.
    Which groups are best dropped is then a search, and may not be found (see `dropping`). `price` is what each group
    costs that is dropped, its rows when it is not given. Goals about all classes together are asked in the end.
    """
    kept = goals.satisfied(groups)
    worth = groups.sizes.astype(np.float64) if price is None else price
    if goals.compare_with_whole and not kept.all():
        found = cheapest_suppression(groups, goals, allowed, worth)
        if found is None:
            return None
        kept = found
    if goals.of_table:
        found = suppress_for_table_goals(groups, goals, kept, allowed, worth)
        if found is None:
            return None
        kept = found
    suppressed = int(groups.sizes[~kept].sum())
    if suppressed > allowed or not _may_be_absent(groups, goals, ~kept):
        return None
    return Suppression(kept, suppressed)


def _may_be_absent(groups: ClassGroups, goals: GoalSet, dropped: npt.NDArray[np.bool_]) -> bool:
    """Whether the goals about the population allow that nobody of the dropped groups is published."""
    if not dropped.any():
        return True
    counted = None if groups.persons is None else np.where(dropped, 0, groups.people)
    without = replace(groups, sizes=np.where(dropped, 0, groups.sizes), counted=counted)
    about_population = (model for model in goals.models if model.needs_population)
    return all(model.satisfied(without, goals.whole)[dropped].all() for model in about_population)


def suppress_tuples(
    encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, group_of_tuple: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64] | None:
    """Give -1 to the tuples of groups that violate the goals; None when the limit does not allow it."""
    n_groups = int(group_of_tuple.max(initial=-1)) + 1
    settled = suppress_groups(
        encoded.groups(group_of_tuple, n_groups), goals, allowed_suppressions(encoded.n_rows, limits.suppression)
    )
    return None if settled is None else np.where(settled.kept[group_of_tuple], group_of_tuple, -1)
