"""Moves that lower the loss: a unit goes to a cheaper class, or a whole class is dissolved into others."""

from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.state import Bools, State
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import FORBIDDEN, Floats, Ints
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.goals import Judge

_LEAST_GAIN = 1e-6
_LEAST_PROGRESS = 0.001
_DEAR = 1.5
PAIRS_PER_ROUND = 400_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Moves that touch different groups: the unit, where it goes, and the number of the operation it belongs to."""

    units: Ints
    targets: Ints
    operation: Ints


class Moves:
    """Improves an assignment round by round; every round does all moves that do not touch the same group."""

    def __init__(self, state: State, judge: Judge, progress: Progress) -> None:
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

    def _proposals(self, mine: Ints, leaving: Floats) -> tuple[Plan, Floats]:
        """List moves of single units and dissolutions of groups that promise a gain."""
        state = self.state
        group, cost = state.group[mine], self._cost[mine].astype(np.float64)
        gain = leaving - cost
        single = np.flatnonzero(gain > _LEAST_GAIN)
        complete = np.bincount(group, minlength=state.n_groups) == np.bincount(
            state.group[state.group >= 0], minlength=state.n_groups
        )
        price = np.bincount(group, np.where(self._frozen[mine], FORBIDDEN, cost), state.n_groups)
        dissolved = np.where(complete, state.sizes * state.loss - price, -np.inf)
        going = np.flatnonzero(dissolved[group] > _LEAST_GAIN)
        units = np.concatenate([mine[single], mine[going]])
        operation = np.concatenate([np.arange(len(single)), len(single) + group[going]])
        gains = np.concatenate([gain[single], dissolved[group[going]]])
        return Plan(units, self._target[units], operation), gains

    def _disjoint(self, plan: Plan, gains: Floats) -> Plan:
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
        return Plan(plan.units[picked], plan.targets[picked], of_move[picked])

    def _apply(self, plan: Plan) -> bool:
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
