"""Units without a class: each joins the class where it costs least, the rest are taken together."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.state import Bools, State
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import FORBIDDEN, Ints, Singles
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.goals import Judge
from anonymizer_gui.engine.rooms.microdata.recoding import first_groups
from anonymizer_gui.engine.rooms.microdata.size import Size

_CHOICES = 200
_FEW_CHOICES = 8
_CHOICES_AT_ONCE = 1 << 23
_PAIRS_AT_ONCE = 1 << 21


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """For every unit the groups that cost least to join, cheapest first."""

    units: Ints
    cost: Singles
    groups: npt.NDArray[np.int32]

    def keep(self, which: Bools) -> "Choices":
        """Keep some of the units."""
        return Choices(self.units[which], self.cost[which], self.groups[which])


def place_leftovers(state: State, judge: Judge, allowed: int, progress: Progress) -> int:
    """Give the units without a group one, where the goals allow it; returns the rows that may yet be suppressed.

    A unit that would cost more in any class than its suppression stays outside while `allowed` rows last.
    """
    left = _waiting(state)
    if state.n_groups and len(left):
        # Most find a class among the cheapest few: only for the others more are looked up, as many as may be kept.
        n_choices = min(_CHOICES, int(np.count_nonzero(state.sizes)))
        done, upto = 0, min(_FEW_CHOICES, n_choices)
        choices = _choices(state, left, slice(done, upto), progress.sub(0.0, 0.5))
        spared = _spared(state, choices, allowed)
        allowed -= int(state.counts[left[spared]].sum())
        _join(state, judge, choices.keep(~spared), progress.sub(0.5, 0.5))
        left = rest = left[~spared]
        while upto < n_choices and len(rest := rest[state.group[rest] < 0]):
            done, upto = upto, min(upto + max(_FEW_CHOICES, _CHOICES_AT_ONCE // len(rest)), n_choices)
            ahead = progress.sub(0.5 + 0.5 * done / n_choices, 0.5 + 0.5 * upto / n_choices)
            choices = _choices(state, rest, slice(done, upto), ahead.sub(0.0, 0.5))
            _join(state, judge, choices, ahead.sub(0.5, 1.0))
        state.set_groups(state.group)
    _take_together(state, judge, left[state.group[left] < 0], progress)
    return allowed


def _spared(state: State, choices: Choices, allowed: int) -> Bools:
    """Say which units may stay outside: those that cost more than they are worth, the dearest first."""
    units, cheapest = choices.units, choices.cost[:, 0]
    dear = cheapest > state.counts[units]
    dearest = np.lexsort((units, -cheapest / state.counts[units]))
    within = np.cumsum(np.where(dear, state.counts[units], 0)[dearest]) <= allowed
    spared = np.zeros(len(units), dtype=np.bool_)
    spared[dearest[within]] = dear[dearest[within]]
    return spared


def _join(state: State, judge: Judge, choices: Choices, progress: Progress) -> None:
    """Let each unit that has no group yet try the groups of its choice, one after the other."""
    turns = choices.groups.shape[1]
    for turn in range(turns):
        progress(turn / turns, "Placing the rows that are left")
        open_ = (state.group[choices.units] < 0) & (choices.cost[:, turn] < FORBIDDEN)
        groups = choices.groups[open_, turn].astype(np.int64)
        _try(state, judge, choices.units[open_], groups, choices.cost[open_, turn])


def _waiting(state: State) -> Ints:
    return np.flatnonzero((state.group < 0) & (state.counts > 0))


def choices_memory(size: Size) -> int:
    """Give the bytes of the choices that are kept at once; by size alone the first choice always holds."""
    few = 8 * _FEW_CHOICES * size.tuples
    return few if size.by_size_alone else few + 8 * min(_CHOICES * size.tuples, _CHOICES_AT_ONCE)


def _choices(state: State, units: Ints, wanted: slice, progress: Progress) -> Choices:
    """Find for some units the groups that cost least to join, and keep those wanted of them."""
    groups = np.flatnonzero(state.sizes > 0)
    n_choices = min(_CHOICES, len(groups))
    cost = np.empty((len(units), wanted.stop - wanted.start), dtype=np.float32)
    choice = np.empty(cost.shape, dtype=np.int32)
    block = max(1, _PAIRS_AT_ONCE // len(groups))
    for start in range(0, len(units), block):
        progress(start / len(units), "Looking for the cheapest classes")
        here = slice(start, start + block)
        matrix = state.cost_of_joining(units[here], groups)
        some = np.sort(np.argpartition(matrix, n_choices - 1, axis=1)[:, :n_choices], axis=1)
        price = np.take_along_axis(matrix, some, axis=1)
        order = np.argsort(price, axis=1, kind="stable")[:, wanted]
        cost[here] = np.take_along_axis(price, order, axis=1)
        choice[here] = groups[np.take_along_axis(some, order, axis=1)]
    return Choices(units, cost, choice)


def _try(state: State, judge: Judge, units: Ints, groups: Ints, cost: Singles) -> None:
    """Put units into groups: all of a group's at once, then half of them, down to one, as the goals allow."""
    while len(units):
        order = np.lexsort((units, cost, groups))
        units, groups, cost = units[order], groups[order], cost[order]
        first = np.searchsorted(groups, groups)
        trial = state.group.copy()
        trial[units] = groups
        violated = _violated(state, judge, trial, groups)
        trial[units[violated[groups]]] = -1
        state.group = trial
        # Of those refused, the cheaper half of each group tries again.
        number = np.arange(len(units)) - first
        many = np.bincount(groups, minlength=state.n_groups)[groups]
        again = violated[groups] & (number < many // 2)
        units, groups, cost = units[again], groups[again], cost[again]


def _violated(state: State, judge: Judge, trial: Ints, groups: Ints) -> Bools:
    asked = np.zeros(state.n_groups, dtype=np.bool_)
    asked[groups] = True
    units = np.flatnonzero((trial >= 0) & asked[trial])
    number = np.cumsum(asked) - 1
    sizes = np.bincount(number[trial[units]], state.counts[units], int(asked.sum()))
    violated = np.zeros(state.n_groups, dtype=np.bool_)
    violated[asked] = ~judge.parts_fine(units.astype(np.int32), number[trial[units]], sizes)
    return violated


def _take_together(state: State, judge: Judge, left: Ints, progress: Progress) -> None:
    """Make one group of what is left within the same most general cell, with as many groups as it needs."""
    top = first_groups(state.encoded)
    for cell in np.unique(top[left]).tolist():
        mine = left[top[left] == cell]
        inside = np.unique(state.group[(top == cell) & (state.group >= 0)])
        price = _price(state, mine, inside, progress)
        inside = inside[np.lexsort((inside, price))]
        taken = 0
        while True:
            units = np.concatenate([mine, np.flatnonzero(np.isin(state.group, inside[:taken]))])
            size = np.array([state.counts[units].sum()])
            if judge.parts_fine(units.astype(np.int32), np.zeros(len(units), dtype=np.int64), size)[0]:
                _as_new_group(state, units)
                break
            if taken == len(inside):
                break
            taken = min(max(1, 2 * taken), len(inside))


def _price(state: State, units: Ints, groups: Ints, progress: Progress) -> Singles:
    """Give what it costs that all of the units join, for every group."""
    price = np.empty(len(groups), dtype=np.float32)
    block = max(1, _PAIRS_AT_ONCE // len(units))
    for start in range(0, len(groups), block):
        progress.check()
        price[start : start + block] = state.cost_of_joining(units, groups[start : start + block]).sum(axis=0)
    return price


def _as_new_group(state: State, units: Ints) -> None:
    trial = state.group.copy()
    trial[units] = state.n_groups
    state.n_groups += 1
    state.set_groups(trial)
