"""Several ways to the same goals, and the result that loses least: so that no other algorithm does better.

After some checks other classes are made by price and improved, too, where the goals ask for the size of a class alone.

What it does depends on the checks done so far alone, never on the clock or on how many are still to come: more checks
go further on the same way, and a run that was stopped is repeated by as many checks as it had done.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Choice, Int, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.assignment import (
    Assignment,
    Floats,
    Ints,
    join_memory,
    split_by_sensitive_values,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.boxes import (
    BoxCover,
    full_box_memory,
    keys_memory,
    trimming_memory,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.column_generation import (
    ColumnGeneration,
    pricing_memory,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.cyclic_exchange import (
    LARGEST_TABLE,
    OTHERS,
    ExchangeBlock,
    join_tables,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.exchanges import (
    NEAR_CLASSES,
    BlockSearch,
    CandidateLevels,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.moves import (
    PAIRS_PER_ROUND,
    LocalSearch,
    choices_memory,
    place_leftovers,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.class_merging import is_about_population, merge_for_population
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm, EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.feasibility import explain_infeasible
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import (
    most_general_groups,
    recoding_loss,
    recoding_of_groups,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.goal_evaluation import GoalEvaluator
from anonymizer_gui.engine.rooms.microdata.algorithms.loss_bound import tuple_loss_bounds
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import CutRule, Partitioner
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian_cuts import CodeMatrix, cutting_memory
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import allowed_suppressions, suppress_tuples
from anonymizer_gui.engine.rooms.microdata.models.contract import GoalSet
from anonymizer_gui.engine.rooms.microdata.recoding import ProblemSize, Recoding, SizeLimit

SMALL_TABLE_ROWS = 500
"""Up to so many rows asking everybody costs nothing worth mentioning; on more, best loss is far ahead."""

_TIE = 1e-9  # rounding alone must not choose

Run = Callable[[EncodedTable, GoalSet, SearchLimits, Progress], Recoding]


def least_loss_run(
    ways: Sequence[Run], task: tuple[EncodedTable, GoalSet, SearchLimits], progress: Progress
) -> Recoding:
    """Give what loses least, of equals the first; raises Infeasible when none reaches the goals.

    The first alone may tell how it was found: it is asked for its own sake.
    """
    best: tuple[float, Recoding] | None = None
    for done, run in enumerate(ways):
        try:
            found = run(*task, progress.sub(done / len(ways), (done + 1) / len(ways)))
        except Infeasible:
            continue
        lost = recoding_loss(task[0], found)
        if best is None or lost < best[0] - _TIE:
            best = lost, found if done == 0 else replace(found, search=None, notes=())
    if best is None:
        raise explain_infeasible(*task)
    return best[1]


UNITS_AT_ONCE = 25_000

_TURNS_OF_A_PART = 8

_UNITS_WITH_MANY_VALUES = 800

_LEAST_CHECKS = 500

_BOUND_AFTER = 50_000

_BOUND_VISITS = 200_000_000

_PROVEN = 1e-9

_PRICES_AFTER = 200_000

_CATCHING_UP = 1_000_000

_PAIRS_MEMORY = 48_000_000


@dataclass(frozen=True, slots=True)
class SearchStep:
    """How far a search is: the checks done, and the loss (LM) reached."""

    checks: int
    loss: float


@dataclass(frozen=True, slots=True)
class SearchCurve:
    """The way of a search: the loss after so many checks, and the bound below which none can be (None: not proven)."""

    steps: tuple[SearchStep, ...]
    bound: float | None = None
    stopped: bool = False
    """Whether the user had enough before all checks were done."""
    is_exhausted: bool = False
    """Whether nothing more was found before all checks were done."""


class AnytimeSearch:
    """Improves an assignment in which every class satisfies the goals; `curve` tells the way."""

    def __init__(
        self, encoded: EncodedTable, judge: GoalEvaluator, group: Ints, lost: float, progress: Progress
    ) -> None:
        self.encoded = encoded
        self.judge = judge
        self.group = group
        self.progress = progress
        self._lost = lost
        self._rows = max(encoded.n_rows, 1)
        self._at_once = UNITS_AT_ONCE
        self._least: Floats | None = None
        self._bound: float | None = None
        self.curve = SearchCurve((SearchStep(0, lost / self._rows),))

    def run(self, checks: int, seed: int) -> Ints:
        """Give the assignment after so many checks, or when nothing more is found, or the user has enough."""
        done = 0
        steps = self._ways(seed) if checks else iter(())
        while done < checks:
            if self.progress.enough():
                self.curve = replace(self.curve, stopped=True)
                break
            price = next(steps, None)
            if price is None:
                self.curve = replace(self.curve, is_exhausted=True)
                break
            done += price
            self._tell(done, checks)
            if self.curve.bound is not None and self._lost / self._rows <= self.curve.bound + _PROVEN:
                break
        return self.group

    def _tell(self, done: int, checks: int) -> None:
        """Remember how far the search is, and say it."""
        loss = self._lost / self._rows
        is_time = done >= _BOUND_AFTER > self.curve.steps[-1].checks
        if is_time and not self.judge.goals.are_stricter:
            self._least = tuple_loss_bounds(self.encoded, self.judge.goals, self.progress, _BOUND_VISITS)
            self._bound = None if self._least is None else float(self._least @ self.encoded.counts) / self._rows
        self.curve = SearchCurve((*self.curve.steps, SearchStep(done, loss)), self._bound)
        self.progress(done / checks, _words(loss, self._bound))

    def _ways(self, seed: int) -> Iterator[int]:
        """Improve part after part of the table, all of it at once where it is small; give what each step checked."""
        random = np.random.default_rng(seed)
        inside = np.flatnonzero((self.group >= 0) & (self.encoded.counts > 0))
        if len(np.unique(self.group[inside])) < 2:
            return
        if len(inside) <= UNITS_AT_ONCE and join_tables(self.encoded, inside) is not None:
            yield from self._whole(inside, seed, random)
            return
        if len(inside) <= UNITS_AT_ONCE:
            self._at_once = _UNITS_WITH_MANY_VALUES
        fruitless = 0
        while fruitless < 3:
            before, units = self._lost, self._drawn(inside, random)
            exchanges = self._exchanges(units, self.group[units], random)
            if exchanges is not None:
                yield from self._taking(exchanges, self._turns(exchanges, _TURNS_OF_A_PART))
            fruitless = fruitless + 1 if self._lost == before else 0

    def _whole(self, units: Ints, seed: int, random: np.random.Generator) -> Iterator[int]:
        """Improve the whole table; after some time classes are made by price, too, and the better ones go on."""
        exchanges = self._exchanges(units, self.group[units], random)
        if exchanges is None:
            return
        turns = self._turns(exchanges)
        yield from self._taking(exchanges, turns, _PRICES_AFTER)
        if self.judge.by_size_alone and len(units) == np.count_nonzero(self.encoded.counts):
            better = yield from self._by_price(units, exchanges.block.total(), seed, random)
            exchanges, turns = better or (exchanges, turns)
        yield from self._taking(exchanges, turns)

    def _by_price(
        self, units: Ints, best: float, seed: int, random: np.random.Generator
    ) -> Generator[int, None, tuple[BlockSearch, Iterator[int]] | None]:
        """Make other classes by price, and improve them until they lose less than the best; None if they never do."""
        if self._least is None:
            return None
        priced = yield from ColumnGeneration(self.encoded, self.judge, self._least, self.progress).run(seed)
        self._bound = priced.bound
        other = None if priced.group is None else self._exchanges(units, priced.group[units], random)
        if other is None:
            return None
        turns, checks = self._turns(other), 0
        for price in turns:
            checks += price
            is_better = other.block.total() < best
            if is_better:
                self._lost = other.block.total()
                self._take(units, other.block.group)
            yield price
            if is_better:
                return other, turns
            if checks > _CATCHING_UP:
                break
        return None

    def _taking(self, exchanges: BlockSearch, turns: Iterator[int], most: int | None = None) -> Iterator[int]:
        """Take over what gets better, turn by turn, for so many checks or until nothing more is found."""
        before, checks = exchanges.block.total(), 0
        while (most is None or checks < most) and (price := next(turns, None)) is not None:
            after = exchanges.block.total()
            self._lost += after - before
            before = after
            self._take(exchanges.units, exchanges.block.group)
            checks += price
            yield price

    def _turns(self, exchanges: BlockSearch, most: int | None = None) -> Iterator[int]:
        """Improve some classes until nothing more is found, or for so many turns; give what each step checked."""
        checked = fruitless = turns = 0
        while fruitless < exchanges.patience and (most is None or turns < most):
            if exchanges.settled:
                fruitless = 0 if exchanges.improve() else fruitless + 1
                turns += 1
            else:
                exchanges.descend(1)
            yield max(exchanges.checks - checked, _LEAST_CHECKS)
            checked = exchanges.checks

    def _exchanges(self, units: Ints, groups: Ints, random: np.random.Generator) -> BlockSearch | None:
        joins = join_tables(self.encoded, units)
        names, group = np.unique(groups, return_inverse=True)
        if joins is None or len(names) < 2:
            return None
        counts = self.encoded.counts[units].astype(np.float64)
        most = min(len(units), int(counts.sum()) // max(self.judge.least_rows, 1))
        block = ExchangeBlock(joins, counts, group.reshape(-1), max(len(names), most), self.progress)
        return BlockSearch(units, block, CandidateLevels(self.encoded, units, self.progress), self.judge, random)

    def _take(self, units: Ints, group: Ints) -> None:
        """Take over the classes of a part under numbers of their own."""
        self.group = self.group.copy()
        self.group[units] = -1
        self.group[units] = int(self.group.max(initial=-1)) + 1 + group
        inside = self.group >= 0
        self.group[inside] = np.unique(self.group[inside], return_inverse=True)[1].reshape(-1)

    def _drawn(self, inside: Ints, random: np.random.Generator) -> Ints:
        """Draw a part of the table: whole classes whose first units are alike in some columns."""
        order = inside[np.argsort(self.group[inside], kind="stable")]
        names, first = np.unique(self.group[order], return_index=True)
        columns = random.permutation(self.encoded.tuples.shape[1])
        row = np.lexsort(self.encoded.tuples[order[first]][:, columns].T)
        number = np.diff(np.append(first, len(order)))[row]
        begin = int(random.integers(len(row)))
        row, number = np.roll(row, -begin), np.roll(number, -begin)
        chosen = names[row[: max(2, int(np.searchsorted(np.cumsum(number), self._at_once)))]]
        return inside[np.isin(self.group[inside], chosen)]


def search_memory(size: ProblemSize) -> int:
    """Give the bytes that exchanges take at most: tables of columns, places that units may take, what rows bid for."""
    units = min(size.tuples, UNITS_AT_ONCE)
    tables = (
        min(nodes * min(leaves, units), LARGEST_TABLE) for nodes, leaves in zip(size.nodes, size.leaves, strict=True)
    )
    places = units * NEAR_CLASSES * (size.columns + OTHERS)
    by_price = pricing_memory(replace(size, tuples=units)) if size.by_size_alone else 0
    return 32 * sum(tables) + 64 * places + keys_memory(size.levels, units) + _PAIRS_MEMORY + by_price


def _words(loss: float, bound: float | None) -> Message:
    if bound is None:
        return message("Exchanging rows between classes: loss {loss:.2%}", loss=loss)
    return message(
        "Exchanging rows between classes: loss {loss:.2%}, no recoding below {bound:.2%}", loss=loss, bound=bound
    )


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
    reach: ClassVar[SizeLimit | None] = SizeLimit(300_000, 20_000)
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

    def memory(self, size: ProblemSize) -> int:
        """Give the bytes a run takes at most beside the encoded table."""
        units = size if size.by_size_alone else replace(size, tuples=min(size.rows, size.tuples * size.values))
        per_unit = 24 * size.columns + 100
        later = choices_memory(units) + join_memory(units) + cutting_memory(units)
        keys = keys_memory(size.levels, units.tuples)
        boxes = trimming_memory(units) + full_box_memory(size.levels, units.tuples)
        own = keys + per_unit * units.tuples + max(boxes, later, search_memory(units))
        return own if self.start == OWN else max(own, ALGORITHMS.get(self.start)().memory(size))

    def seconds(self, size: ProblemSize) -> float:
        """Boxes and cuts take a time for every unit, moves one for every unit and class that are compared.

        The exchanges that follow are not counted: they may be ended at any time, with what was found.
        """
        units = size.tuples if size.by_size_alone else min(size.rows, size.tuples * size.values)
        per_cell = _PER_CELL if size.by_size_alone else _PER_CELL_WITH_VALUES
        pairs = units * min(units, size.rows / size.least_rows)
        moves = 0.0 if pairs > PAIRS_PER_ROUND else pairs * min(self.rounds, _FULL_ROUNDS)
        return size.columns * (per_cell * units + _PER_PAIR * moves)

    def run(self, encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, progress: Progress) -> Recoding:
        """Find classes of low LM; raises Infeasible when the goals cannot be reached."""
        if self.start != OWN or encoded.n_rows > SMALL_TABLE_ROWS:
            return self._alone(encoded, goals, limits, progress)
        others = [other().run for other in ALGORITHMS if other.reach is not None and other.name != self.name]
        return least_loss_run((self._alone, *others), (encoded, goals, limits), progress)

    def _alone(self, encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, progress: Progress) -> Recoding:
        about_rows = replace(goals, models=tuple(model for model in goals.models if not model.needs_population))
        recoding = self._local(encoded, about_rows, limits, progress.sub(0.0, 0.95))
        if recoding is None and limits.suppression:
            recoding = self._local(encoded, about_rows, replace(limits, suppression=0.0), progress.sub(0.0, 0.95))
        if recoding is None:
            raise explain_infeasible(encoded, goals, limits)
        if is_about_population(goals):
            merged = merge_for_population(encoded, goals, limits, recoding.class_of_row, progress.sub(0.95, 1.0))
            notes = (*merged.notes, *recoding.notes)
            return replace(merged, search=recoding.search, notes=notes, method=recoding.method)
        return recoding

    def _local(
        self, encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, progress: Progress
    ) -> Recoding | None:
        """Find classes of low LM under goals about the rows; None when the limit does not allow what is left out."""
        if not encoded.n_rows:
            return recoding_of_groups(encoded, np.full(len(encoded.tuples), -1, dtype=np.int64))
        units = split_by_sensitive_values(encoded, goals)
        judge = GoalEvaluator(units, goals, progress)
        allowed = allowed_suppressions(encoded.n_rows, limits.suppression)
        if self.start == OWN:
            state = self._own_start(units, judge, allowed, limits.seed, progress)
        else:
            state = self._taken(encoded, units, goals, limits, progress.sub(0.0, 0.5))
            place_leftovers(state, judge, allowed, progress.sub(0.5, 0.55))
            state = state.regrouped(_cut(units, judge, _with_rest(state), progress.sub(0.55, 0.6)))
        LocalSearch(state, judge, progress.sub(0.6, 0.7)).improve(self.rounds)
        search = AnytimeSearch(units, judge, state.group, _total(state), progress.sub(0.7, 1.0))
        state = state.regrouped(search.run(self.checks, limits.seed))
        progress(1.0, "Publishing the classes")
        kept = suppress_tuples(units, goals, limits, _with_rest(state))
        return None if kept is None else self._told(recoding_of_groups(units, kept), search.curve)

    def _told(self, found: Recoding, way: SearchCurve) -> Recoding:
        """Say how it was found; where the user ended the search, also with what the same is found again."""
        if not way.stopped:
            return replace(found, search=way)
        checks = way.steps[-1].checks
        note = message(
            "The search was ended by hand after {checks:check|checks}; with as many the same is found again.",
            checks=checks,
        )
        return replace(found, search=way, notes=(note,), method=replace(self, checks=checks))

    def _taken(
        self, encoded: EncodedTable, units: EncodedTable, goals: GoalSet, limits: SearchLimits, progress: Progress
    ) -> Assignment:
        """Take the classes of another algorithm, which keeps rows with equal QIs together."""
        taken = ALGORITHMS.get(self.start)().run(encoded, goals, limits, progress)
        group = np.full(len(units.tuples), -1, dtype=np.int64)
        group[units.tuple_of_row] = taken.class_of_row
        return Assignment(units, group)

    def _own_start(
        self, units: EncodedTable, judge: GoalEvaluator, allowed: int, seed: int, progress: Progress
    ) -> Assignment:
        """Give an assignment without leftovers: from boxes, or, where these leave many rows, from cuts if better."""
        state = Assignment(units, BoxCover(units, judge, progress.sub(0.0, 0.4), seed).gather(), progress)
        left = int(units.counts[state.group < 0].sum())
        place_leftovers(state, judge, allowed, progress.sub(0.4, 0.5))
        progress(0.5, "Cutting the classes")
        state = state.regrouped(_cut(units, judge, _with_rest(state), progress.sub(0.5, 0.55)))
        if left <= _FEW_LEFT * units.n_rows:
            return state
        progress(0.55, "Cutting the whole table")
        other = state.regrouped(_cut(units, judge, most_general_groups(units), progress.sub(0.55, 0.6)))
        progress(0.6, "Comparing both")
        return other if _total(other) < _total(state) else state


def _cut(units: EncodedTable, judge: GoalEvaluator, start: Ints, progress: Progress) -> Ints:
    rule = CutRule((False,) * len(units.qis), by_gain=True)
    return Partitioner(CodeMatrix.of(units, progress), judge, rule, progress).run(start).group_of_tuple()


def _with_rest(state: Assignment) -> Ints:
    """Give units without a group one per most general cell, in which they are suppressed unless it satisfies."""
    outside = state.group < 0
    rest = np.unique(most_general_groups(state.encoded)[outside], return_inverse=True)[1].reshape(-1)
    groups = state.group.copy()
    groups[outside] = state.n_groups + rest
    return groups


def _total(state: Assignment) -> float:
    return float((state.sizes * state.loss).sum())
