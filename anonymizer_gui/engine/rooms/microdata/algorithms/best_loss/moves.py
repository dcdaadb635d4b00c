"""Leftover units placed; local search by moves."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.assignment import (
    INFEASIBLE_COST,
    Assignment,
    Bools,
    Floats,
    Ints,
    Singles,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import most_general_groups
from anonymizer_gui.engine.rooms.microdata.algorithms.goal_evaluation import GoalEvaluator
from anonymizer_gui.engine.rooms.microdata.recoding import ProblemSize

_CHOICES = 200

_FEW_CHOICES = 8

_CHOICES_AT_ONCE = 1 << 23

_PAIRS_AT_ONCE = 1 << 21


@dataclass(frozen=True, slots=True, eq=False)
class JoinChoices:
    """For every unit the groups that cost least to join, cheapest first."""

    units: Ints
    cost: Singles
    groups: npt.NDArray[np.int32]

    def keep(self, which: Bools) -> "JoinChoices":
        """Keep some of the units."""
        return JoinChoices(self.units[which], self.cost[which], self.groups[which])


def place_leftovers(state: Assignment, judge: GoalEvaluator, allowed: int, progress: Progress) -> int:
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


def _spared(state: Assignment, choices: JoinChoices, allowed: int) -> Bools:
    """Say which units may stay outside: those that cost more than they are worth, the dearest first."""
    units, cheapest = choices.units, choices.cost[:, 0]
    dear = cheapest > state.counts[units]
    dearest = np.lexsort((units, -cheapest / state.counts[units]))
    within = np.cumsum(np.where(dear, state.counts[units], 0)[dearest]) <= allowed
    spared = np.zeros(len(units), dtype=np.bool_)
    spared[dearest[within]] = dear[dearest[within]]
    return spared


def _join(state: Assignment, judge: GoalEvaluator, choices: JoinChoices, progress: Progress) -> None:
    """Let each unit that has no group yet try the groups of its choice, one after the other."""
    turns = choices.groups.shape[1]
    for turn in range(turns):
        progress(turn / turns, "Placing the rows that are left")
        open_ = (state.group[choices.units] < 0) & (choices.cost[:, turn] < INFEASIBLE_COST)
        groups = choices.groups[open_, turn].astype(np.int64)
        _try(state, judge, choices.units[open_], groups, choices.cost[open_, turn])


def _waiting(state: Assignment) -> Ints:
    return np.flatnonzero((state.group < 0) & (state.counts > 0))


def choices_memory(size: ProblemSize) -> int:
    """Give the bytes of the choices that are kept at once; by size alone the first choice always holds."""
    few = 8 * _FEW_CHOICES * size.tuples
    return few if size.by_size_alone else few + 8 * min(_CHOICES * size.tuples, _CHOICES_AT_ONCE)


def _choices(state: Assignment, units: Ints, wanted: slice, progress: Progress) -> JoinChoices:
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
    return JoinChoices(units, cost, choice)


def _try(state: Assignment, judge: GoalEvaluator, units: Ints, groups: Ints, cost: Singles) -> None:
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


def _violated(state: Assignment, judge: GoalEvaluator, trial: Ints, groups: Ints) -> Bools:
    asked = np.zeros(state.n_groups, dtype=np.bool_)
    asked[groups] = True
    units = np.flatnonzero((trial >= 0) & asked[trial])
    number = np.cumsum(asked) - 1
    sizes = np.bincount(number[trial[units]], state.counts[units], int(asked.sum()))
    violated = np.zeros(state.n_groups, dtype=np.bool_)
    violated[asked] = ~judge.parts_fine(units.astype(np.int32), number[trial[units]], sizes)
    return violated


def _take_together(state: Assignment, judge: GoalEvaluator, left: Ints, progress: Progress) -> None:
    """Make one group of what is left within the same most general cell, with as many groups as it needs."""
    top = most_general_groups(state.encoded)
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


def _price(state: Assignment, units: Ints, groups: Ints, progress: Progress) -> Singles:
    """Give what it costs that all of the units join, for every group."""
    price = np.empty(len(groups), dtype=np.float32)
    block = max(1, _PAIRS_AT_ONCE // len(units))
    for start in range(0, len(groups), block):
        progress.check()
        price[start : start + block] = state.cost_of_joining(units, groups[start : start + block]).sum(axis=0)
    return price


def _as_new_group(state: Assignment, units: Ints) -> None:
    trial = state.group.copy()
    trial[units] = state.n_groups
    state.n_groups += 1
    state.set_groups(trial)


_LEAST_GAIN = 1e-6

_LEAST_PROGRESS = 0.001

_DEAR = 1.5

PAIRS_PER_ROUND = 400_000_000


@dataclass(frozen=True, slots=True, eq=False)
class MovePlan:
    """Moves that touch different groups: the unit, where it goes, and the number of the operation it belongs to."""

    units: Ints
    targets: Ints
    operation: Ints


class LocalSearch:
    """Improves an assignment round by round; every round does all moves that do not touch the same group."""

    def __init__(self, state: Assignment, judge: GoalEvaluator, progress: Progress) -> None:
        self.state = state
        self.judge = judge
        self.progress = progress
        self._cost = np.full(len(state.group), np.inf, dtype=np.float32)
        self._target = np.full(len(state.group), -1, dtype=np.int64)
        self._stale = np.ones(len(state.group), dtype=np.bool_)
        self._changed = np.zeros(state.n_groups, dtype=np.bool_)
        self._frozen = np.zeros(len(state.group), dtype=np.bool_)

    def improve(self, rounds: int) -> None:
        """Make rounds of moves until one brings next to nothing, or as many as given."""
        for done in range(rounds):
            self.progress(done / rounds, "Moving rows to cheaper classes")
            before = self._total()
            if not self._round() or before - self._total() < _LEAST_PROGRESS * before:
                return

    def _total(self) -> float:
        return float((self.state.sizes * self.state.loss).sum())

    def _round(self) -> bool:
        state = self.state
        live = np.flatnonzero(state.sizes > 0)
        mine, gain = self._worth_a_look()
        if not len(mine) or len(live) < 2 or len(mine) * len(live) > PAIRS_PER_ROUND:
            return False
        self._look_for_targets(mine, live)
        plan = self._disjoint(*self._proposals(mine, gain))
        return bool(len(plan.units)) and self._apply(plan)

    def _worth_a_look(self) -> tuple[Ints, Floats]:
        """Give the units that may leave their group at a gain, or whose group is dear enough to be dissolved.

        Also gives what each would bring if it left (minus infinity when the group cannot do without it).
        """
        state = self.state
        units = np.flatnonzero((state.group >= 0) & (state.counts > 0))
        units = units[state.loss[state.group[units]] > 0]
        group = state.group[units]
        rest = state.sizes[group] - state.counts[units]
        gain = state.sizes[group] * state.loss[group] - rest * state.loss_without(self.progress)[units]
        gain[(rest < self.judge.least_rows) | self._frozen[units]] = -np.inf
        mean = self._total() / max(float(state.sizes.sum()), 1)
        dear = (state.loss[group] > _DEAR * mean) & (state.sizes[group] < 2 * self.judge.least_rows)
        kept = dear | (gain > _LEAST_GAIN)
        return units[kept], gain[kept]

    def _look_for_targets(self, units: Ints, live: Ints) -> None:
        """Update the cheapest target of every unit; only groups that changed are looked at anew."""
        stale = self._stale[units]
        fresh = units[~stale]
        changed = live[self._changed[live]]
        if len(changed) and len(fresh):
            cost, target = self.state.cheapest(fresh, changed, self.progress)
            better = cost < self._cost[fresh]
            self._cost[fresh[better]], self._target[fresh[better]] = cost[better], target[better]
        searching = units[stale]
        self._cost[searching], self._target[searching] = self.state.cheapest(searching, live, self.progress)
        self._stale[searching] = False
        self._changed[:] = False

    def _proposals(self, mine: Ints, leaving: Floats) -> tuple[MovePlan, Floats]:
        """List moves of single units and dissolutions of groups that promise a gain."""
        state = self.state
        group, cost = state.group[mine], self._cost[mine].astype(np.float64)
        gain = leaving - cost
        single = np.flatnonzero(gain > _LEAST_GAIN)
        complete = np.bincount(group, minlength=state.n_groups) == np.bincount(
            state.group[state.group >= 0], minlength=state.n_groups
        )
        price = np.bincount(group, np.where(self._frozen[mine], INFEASIBLE_COST, cost), state.n_groups)
        dissolved = np.where(complete, state.sizes * state.loss - price, -np.inf)
        going = np.flatnonzero(dissolved[group] > _LEAST_GAIN)
        units = np.concatenate([mine[single], mine[going]])
        operation = np.concatenate([np.arange(len(single)), len(single) + group[going]])
        gains = np.concatenate([gain[single], dissolved[group[going]]])
        return MovePlan(units, self._target[units], operation), gains

    def _disjoint(self, plan: MovePlan, gains: Floats) -> MovePlan:
        """Choose operations, the most profitable first, so that no group is touched twice."""
        state = self.state
        _, first, operation = np.unique(plan.operation, return_index=True, return_inverse=True)
        rank = np.empty(len(first), dtype=np.int64)
        rank[np.lexsort((plan.units[first], -gains[first]))] = np.arange(len(first))
        of_move = rank[operation.reshape(-1)]
        source, target = state.group[plan.units], plan.targets
        locked = np.zeros(state.n_groups, dtype=np.bool_)
        chosen = np.zeros(len(first), dtype=np.bool_)
        waiting = np.ones(len(plan.units), dtype=np.bool_)
        # Two units of one dissolved group that go to the same target spoil each other's price.
        waiting &= ~_in(_doubled(of_move, target, state.n_groups), of_move, len(first))
        for _ in range(20):
            waiting &= ~_in(of_move[locked[source] | locked[target]], of_move, len(first))
            if not waiting.any():
                break
            foremost = np.full(state.n_groups, len(first), dtype=np.int64)
            for touched in (source, target):
                np.minimum.at(foremost, touched[waiting], of_move[waiting])
            beaten = (foremost[source] < of_move) | (foremost[target] < of_move)
            won = waiting & ~_in(of_move[waiting & beaten], of_move, len(first))
            chosen[of_move[won]] = True
            locked[source[won]] = locked[target[won]] = True
            waiting &= ~won
        picked = chosen[of_move]
        return MovePlan(plan.units[picked], plan.targets[picked], of_move[picked])

    def _apply(self, plan: MovePlan) -> bool:
        """Make the moves, and take back those that violate a goal or bring nothing after all."""
        state = self.state
        before, source = state.sizes * state.loss, state.group[plan.units]
        state.move(plan.units, plan.targets)
        growth = state.sizes * state.loss - before
        violated = ~self._fine(np.unique(np.concatenate([source, plan.targets])))
        n_operations = int(plan.operation.max()) + 1
        bad = np.zeros(n_operations, dtype=np.bool_)
        bad[plan.operation[violated[source] | violated[plan.targets]]] = True
        pairs = np.unique(np.stack([np.tile(plan.operation, 2), np.concatenate([source, plan.targets])]), axis=1)
        bad |= np.bincount(pairs[0], growth[pairs[1]], n_operations) > -_LEAST_GAIN
        back = bad[plan.operation]
        self._frozen[plan.units[back]] = True
        state.move(plan.units[back], source[back])
        touched = np.concatenate([source[~back], plan.targets[~back]])
        self._changed[touched] = True
        self._stale |= self._changed[np.maximum(self._target, 0)]
        self._stale[plan.units] = True
        return bool((~back).any())

    def _fine(self, groups: Ints) -> Bools:
        """Say for every group whether it satisfies the goals; groups not asked about do."""
        state = self.state
        fine = np.ones(state.n_groups, dtype=np.bool_)
        asked = np.zeros(state.n_groups, dtype=np.bool_)
        asked[groups] = True
        units = np.flatnonzero((state.group >= 0) & asked[state.group])
        number = np.cumsum(asked) - 1
        fine[groups] = self.judge.parts_fine(units.astype(np.int32), number[state.group[units]], state.sizes[groups])
        return fine


def _in(marked: Ints, values: Ints, n_values: int) -> Bools:
    """Say which values are among the marked ones."""
    marks = np.zeros(n_values, dtype=np.bool_)
    marks[marked] = True
    return np.asarray(marks[values])


def _doubled(operation: Ints, target: Ints, n_groups: int) -> Ints:
    """List the operations that have the same target twice."""
    pair, counts = np.unique(operation * n_groups + target, return_counts=True)
    return np.asarray(pair[counts > 1] // n_groups)
