"""Best loss: local recoding that gathers rows in the cheapest boxes and then moves them until nothing is gained."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Int, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.asking import FEW_ROWS, best_of
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.boxes import Boxes
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.crowds import crowds_memory
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.keys import keys_memory
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.leftovers import choices_memory, place_leftovers
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.moves import PAIRS_PER_ROUND, Moves
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.search import Curve, Search, searching_memory
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.state import State, joining_memory
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.trimming import trimming_memory
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import Ints, in_units
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm, Encoded, Limits
from anonymizer_gui.engine.rooms.microdata.algorithms.explain import infeasible
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.cuts import cutting_memory
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.goals import Judge
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.partition import Partitioner, Rule
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.space import Space
from anonymizer_gui.engine.rooms.microdata.algorithms.people_repair import about_people, merged_for_people
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import allowed_rows, settle_tuples
from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.method import Reach
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.recoding import first_groups, from_groups
from anonymizer_gui.engine.rooms.microdata.size import Size

OWN = "own"
DEFAULT_CHECKS = 200_000
# Seconds, measured on tables of a million and of ten million rows with four columns.
_PER_CELL = 2.5e-6
_PER_CELL_WITH_VALUES = 1e-5
_PER_PAIR = 2e-9
_FULL_ROUNDS = 3  # what later rounds compare is little
_FEW_LEFT = 0.01  # of the rows: where boxes hold all others, cuts lose about twice as much


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class BestLoss(Algorithm):
    """Local recoding in five steps, none of which promises the optimum.

    1. Boxes: combinations of levels are walked by rising mean LM; rows that agree at these levels form a class as
       soon as they satisfy the goals. With goals on sensitive values, rows whose value is too frequent in a box
       are left for later boxes. Where boxes leave many rows, a Mondrian by LM gain is made as well, and the better of
       the two goes on.
    2. Rows that are left join the class where they cost least, or are taken together.
    3. Classes that can be cut are cut (as Mondrian does, by LM gain).
    4. Rows move to cheaper classes, and whole classes are dissolved into others, while the LM falls.
    5. Rows change places in chains, classes are opened in cheap cells and others dissolved for them, near classes are
       parted anew, and what got better is kept, for as many checks as are given (an anytime search: ruin and recreate,
       cyclic exchanges, facility location). Where goals ask for the size of a class alone, other classes are made by
       price on the way (Lagrangian relaxation) and improved, too, which also proves how far it is to the best. More
       checks never lose more.

    Another algorithm's result may be taken instead of step 1: it is cut, its rows are moved, and it never gets worse.
    On few rows, where the steps have little to work with, the others are asked, too, and the best result is taken.

    Cells are the common nodes of the rows of a class, so the same value may be published at different levels.
    """

    name: ClassVar[str] = "best-loss"
    title: ClassVar[str] = "Best loss"
    summary: ClassVar[str] = (
        "Gathers rows in the cheapest boxes, then exchanges them while the loss falls: more checks, lower loss; local "
        "recoding."
    )
    reference: ClassVar[str] = (
        "Cell-wise local recoding as in Xu et al., Utility-based anonymization using local recoding, KDD 2006, "
        "with cyclic exchanges after Thompson and Orlin, The theory of cyclic transfers, 1989, and prices of rows "
        "after Fisher, The Lagrangian relaxation method for solving integer programming problems, 1981"
    )
    attacks: ClassVar[str] = (
        "Minimality: the moves depend on sensitive values when goals do, which somebody who knows the method may "
        "use to sharpen a guess. Downcoding (Cohen 2022) applies: a cell is the lowest common node of its rows, and "
        "classes overlap, so that finer values can be inferred."
    )
    reach: ClassVar[Reach | None] = Reach(300_000, 20_000)
    takes_rows_in_turn: ClassVar[bool] = True

    rounds: int = param(
        Int(low=0, high=1000), default=12, label="Rounds", help="How often rows are moved to cheaper classes at most."
    )

    checks: int = param(
        Int(low=0, high=1_000_000_000),
        default=DEFAULT_CHECKS,
        label="Checks",
        help="How many rows are looked at, again and again, for exchanges between classes: more checks, lower loss.",
    )

    start: str = param(
        Choice(
            {
                OWN: "Boxes or cuts of its own",
                "bottom-up": "The result of bottom-up",
                "top-down": "The result of top-down",
                "mondrian": "The result of Mondrian",
            }
        ),
        default=OWN,
        label="Start from",
        help=(
            "The classes that are improved: of its own, boxes or cuts, whichever lose less, or those of another "
            "algorithm."
        ),
    )

    def memory(self, size: Size) -> int:
        """Give the bytes a run takes at most beside the encoded table."""
        units = size if size.by_size_alone else replace(size, tuples=min(size.rows, size.tuples * size.values))
        per_unit = 24 * size.columns + 100
        later = choices_memory(units) + joining_memory(units) + cutting_memory(units)
        keys = keys_memory(size.levels, units.tuples)
        boxes = trimming_memory(units) + crowds_memory(size.levels, units.tuples)
        own = keys + per_unit * units.tuples + max(boxes, later, searching_memory(units))
        return own if self.start == OWN else max(own, ALGORITHMS.get(self.start)().memory(size))

    def seconds(self, size: Size) -> float:
        """Boxes and cuts take a time for every unit, moves one for every unit and class that are compared.

        The exchanges that follow are not counted: they may be ended at any time, with what was found.
        """
        units = size.tuples if size.by_size_alone else min(size.rows, size.tuples * size.values)
        per_cell = _PER_CELL if size.by_size_alone else _PER_CELL_WITH_VALUES
        pairs = units * min(units, size.rows / size.least_rows)
        moves = 0.0 if pairs > PAIRS_PER_ROUND else pairs * min(self.rounds, _FULL_ROUNDS)
        return size.columns * (per_cell * units + _PER_PAIR * moves)

    def run(self, encoded: Encoded, goals: Goals, limits: Limits, progress: Progress) -> Recoding:
        """Find classes of low LM; raises Infeasible when the goals cannot be reached."""
        if self.start != OWN or encoded.n_rows > FEW_ROWS:
            return self._alone(encoded, goals, limits, progress)
        others = [other().run for other in ALGORITHMS if other.reach is not None and other.name != self.name]
        return best_of((self._alone, *others), (encoded, goals, limits), progress)

    def _alone(self, encoded: Encoded, goals: Goals, limits: Limits, progress: Progress) -> Recoding:
        about_rows = replace(goals, models=tuple(model for model in goals.models if not model.needs_population))
        recoding = self._local(encoded, about_rows, limits, progress.sub(0.0, 0.95))
        if recoding is None and limits.suppression:
            recoding = self._local(encoded, about_rows, replace(limits, suppression=0.0), progress.sub(0.0, 0.95))
        if recoding is None:
            raise infeasible(encoded, goals, limits)
        if about_people(goals):
            merged = merged_for_people(encoded, goals, limits, recoding.class_of_row, progress.sub(0.95, 1.0))
            notes = (*merged.notes, *recoding.notes)
            return replace(merged, search=recoding.search, notes=notes, method=recoding.method)
        return recoding

    def _local(self, encoded: Encoded, goals: Goals, limits: Limits, progress: Progress) -> Recoding | None:
        """Find classes of low LM under goals about the rows; None when the limit does not allow what is left out."""
        if not encoded.n_rows:
            return from_groups(encoded, np.full(len(encoded.tuples), -1, dtype=np.int64))
        units = in_units(encoded, goals)
        judge = Judge(units, goals, progress)
        allowed = allowed_rows(encoded.n_rows, limits.suppression)
        if self.start == OWN:
            state = self._own_start(units, judge, allowed, limits.seed, progress)
        else:
            state = self._taken(encoded, units, goals, limits, progress.sub(0.0, 0.5))
            place_leftovers(state, judge, allowed, progress.sub(0.5, 0.55))
            state = state.regrouped(_cut(units, judge, _with_rest(state), progress.sub(0.55, 0.6)))
        Moves(state, judge, progress.sub(0.6, 0.7)).improve(self.rounds)
        search = Search(units, judge, state.group, _total(state), progress.sub(0.7, 1.0))
        state = state.regrouped(search.run(self.checks, limits.seed))
        progress(1.0, "Publishing the classes")
        kept = settle_tuples(units, goals, limits, _with_rest(state))
        return None if kept is None else self._told(from_groups(units, kept), search.curve)

    def _told(self, found: Recoding, way: Curve) -> Recoding:
        """Say how it was found; where the user ended the search, also with what the same is found again."""
        if not way.stopped:
            return replace(found, search=way)
        checks = way.steps[-1].checks
        note = message(
            "The search was ended by hand after {checks:check|checks}; with as many the same is found again.",
            checks=checks,
        )
        return replace(found, search=way, notes=(note,), method=replace(self, checks=checks))

    def _taken(self, encoded: Encoded, units: Encoded, goals: Goals, limits: Limits, progress: Progress) -> State:
        """Take the classes of another algorithm, which keeps rows with equal QIs together."""
        taken = ALGORITHMS.get(self.start)().run(encoded, goals, limits, progress)
        group = np.full(len(units.tuples), -1, dtype=np.int64)
        group[units.tuple_of_row] = taken.class_of_row
        return State(units, group)

    def _own_start(self, units: Encoded, judge: Judge, allowed: int, seed: int, progress: Progress) -> State:
        """Give an assignment without leftovers: from boxes, or, where these leave many rows, from cuts if better."""
        state = State(units, Boxes(units, judge, progress.sub(0.0, 0.4), seed).gather(), progress)
        left = int(units.counts[state.group < 0].sum())
        place_leftovers(state, judge, allowed, progress.sub(0.4, 0.5))
        progress(0.5, "Cutting the classes")
        state = state.regrouped(_cut(units, judge, _with_rest(state), progress.sub(0.5, 0.55)))
        if left <= _FEW_LEFT * units.n_rows:
            return state
        progress(0.55, "Cutting the whole table")
        other = state.regrouped(_cut(units, judge, first_groups(units), progress.sub(0.55, 0.6)))
        progress(0.6, "Comparing both")
        return other if _total(other) < _total(state) else state


def _cut(units: Encoded, judge: Judge, start: Ints, progress: Progress) -> Ints:
    rule = Rule((False,) * len(units.qis), by_gain=True)
    return Partitioner(Space.of(units, progress), judge, rule, progress).run(start).group_of_tuple()


def _with_rest(state: State) -> Ints:
    """Give units without a group one per most general cell, in which they are suppressed unless it satisfies."""
    outside = state.group < 0
    rest = np.unique(first_groups(state.encoded)[outside], return_inverse=True)[1].reshape(-1)
    groups = state.group.copy()
    groups[outside] = state.n_groups + rest
    return groups


def _total(state: State) -> float:
    return float((state.sizes * state.loss).sum())
