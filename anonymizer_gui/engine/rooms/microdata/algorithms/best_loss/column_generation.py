"""Boxes worth opening at dual prices, Lagrangian bound, dive.

Every row has a price, the loss that is spared when somebody else takes it. A box is worth what its rows pay less what
they lose in it: all rows whose price is above the loss, and, where these are fewer than a class needs, the next ones.
Boxes are walked column by column (branch and bound). The dearest k rows of a cell pay no more than k times any limit
and what single rows pay beyond it, so that most cells are passed over by adding up alone.

This is the dual of the best recoding (Lagrangian relaxation of a facility location with lower bounds): every box that
is worth opening at the prices is opened, with its rows; the price of a row that several boxes take falls, that of a row
that none takes rises, in smaller and smaller steps (subgradient method). What all rows pay, less what the open boxes
are worth, is below the loss of every recoding. How often a box was open, and a row in it, tells which classes to make.

Rows bid for boxes until the prices agree with each other. Boxes that are open nearly always become classes, with the
rows they have most often; the others go on bidding (diving), until nobody is left who could fill a box.
"""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.assignment import Assignment, Floats, Ints, Singles
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.boxes import BoxCover
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.moves import LocalSearch, place_leftovers
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable
from anonymizer_gui.engine.rooms.microdata.algorithms.goal_evaluation import GoalEvaluator
from anonymizer_gui.engine.rooms.microdata.algorithms.loss_bound import column_levels, compact_numbers
from anonymizer_gui.engine.rooms.microdata.recoding import ProblemSize

_LIMITS = (0.3, 1.5)  # in mean prices

_MARK_SEED = 0

_VISITS_PER_CHECK = 250

_LISTED_PER_UNIT = 150

Numbers = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class PricedBoxes:
    """Boxes with their units, one after the other: what a row loses in each, and what it is worth.

    Boxes with the same units have the same mark; the cheapest of them stands for all.
    """

    units: Ints
    lengths: Ints
    loss: Floats
    mark: Numbers
    worth: Floats

    def with_others(self, other: "PricedBoxes") -> "PricedBoxes":
        """Give the boxes of both, each once."""
        return _together([self, other])

    @property
    def box(self) -> Ints:
        """The box of every unit listed."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)


class BoxPricing:
    """A walk over all cells for rows at given prices; finds the boxes worth at least minus the slack for every row."""

    def __init__(
        self, encoded: EncodedTable, prices: Floats, least_rows: int, slack: float, progress: Progress
    ) -> None:
        self._least_rows, self._slack, self._progress = least_rows, slack, progress
        # The dearest first, and no walk changes the order: the first units of a cell are those that pay most.
        self._units = np.argsort(-prices, kind="stable")
        self._prices, self._counts = prices[self._units], encoded.counts[self._units].astype(np.float64)
        mean = float((self._prices * self._counts).sum() / max(self._counts.sum(), 1))
        self._limits = [limit * mean for limit in _LIMITS if limit * mean > slack]
        self._columns = [
            [(level.code[self._units], level.n_codes, level.loss[self._units]) for level in levels]
            for levels in sorted(column_levels(encoded), key=lambda levels: levels[0].n_codes)
        ]
        self._mark = np.random.default_rng(_MARK_SEED).integers(0, 1 << 64, len(prices), dtype=np.uint64)
        self._found: list[PricedBoxes] = []
        self._visits = self._most = self._listed = 0

    @property
    def checks(self) -> int:
        """What the walk took."""
        return self._visits // _VISITS_PER_CHECK

    def run(self, most_checks: int) -> PricedBoxes | None:
        """Walk all cells; None when that takes too long, or finds too much."""
        self._most = most_checks * _VISITS_PER_CHECK
        units = np.flatnonzero(self._counts > 0)
        self._narrow(0, units, np.zeros(len(units), dtype=np.int64), 1, np.zeros(len(units)))
        return None if self._is_over else _together(self._found)

    @property
    def _is_over(self) -> bool:
        return self._visits > self._most or self._listed > _LISTED_PER_UNIT * len(self._units)

    def _narrow(self, column: int, units: Ints, cell: Ints, n_cells: int, lost: Floats) -> None:
        """Narrow cells by one more column, to each of its levels."""
        pay, counts = self._prices[units] - lost, self._counts[units]
        for code, n_codes, loss in self._columns[column]:
            if self._is_over:
                return
            self._visits += len(units)
            self._progress.check()
            more = loss[units]
            pays = pay - more
            if pays.max(initial=-1.0) < -self._slack:
                continue
            part, n_parts = compact_numbers(cell * n_codes + code[units], n_cells * n_codes)
            hopeful = self._hopeful(part, n_parts, pays, counts)
            inside = np.flatnonzero(hopeful[part])
            if not len(inside):
                continue
            number = (np.cumsum(hopeful) - 1)[part[inside]]
            cost = (lost + more)[inside]
            if column + 1 < len(self._columns):
                self._narrow(column + 1, units[inside], number, int(hopeful.sum()), cost)
            else:
                self._keep(units[inside], number, pays[inside], cost)

    def _hopeful(self, part: Ints, n_parts: int, pays: Floats, counts: Floats) -> npt.NDArray[np.bool_]:
        """Say which cells may be worth enough, however they are narrowed."""
        hopeful = np.bincount(part, counts, n_parts) >= self._least_rows
        for limit in self._limits:
            beyond = np.bincount(part, np.maximum(pays + limit, 0) * counts, n_parts)
            hopeful &= beyond >= self._least_rows * (limit - self._slack)
        return np.asarray(hopeful)

    def _keep(self, units: Ints, box: Ints, pays: Floats, cost: Floats) -> None:
        """Keep the boxes that are worth enough."""
        order = np.argsort(box, kind="stable")
        units, pays, cost = units[order], pays[order], cost[order]
        first = np.flatnonzero(np.diff(box[order], prepend=-1))
        lengths = np.diff(np.append(first, len(units)))
        rows = self._counts[units]
        before = np.cumsum(rows) - rows
        before -= np.repeat(before[first], lengths)
        taken = np.where(pays > 0, rows, np.clip(self._least_rows - before, 0, rows))
        worth = np.add.reduceat(pays * taken, first)
        good = worth >= -self._slack * self._least_rows
        if not good.any():
            return
        kept, lengths = self._units[units[np.repeat(good, lengths)]], lengths[good]
        self._listed += len(kept)
        mark = np.add.reduceat(self._mark[kept], np.cumsum(lengths) - lengths)
        self._found.append(PricedBoxes(kept, lengths, cost[first[good]], mark, worth[good]))


def pricing_memory(size: ProblemSize) -> int:
    """Give the bytes that the levels of all columns take, in two orders, and the boxes that rows bid for."""
    return size.tuples * (32 * sum(size.levels) + 64 * _LISTED_PER_UNIT)


def _together(found: list[PricedBoxes]) -> PricedBoxes:
    """Put boxes together; of those with the same units the cheapest stays."""
    none = np.zeros(0, dtype=np.int64)
    empty = PricedBoxes(none, none, none.astype(np.float64), none.astype(np.uint64), none.astype(np.float64))
    parts = zip(*((one.units, one.lengths, one.loss, one.mark, one.worth) for one in (empty, *found)), strict=True)
    units, lengths, loss, mark, worth = map(np.concatenate, parts)
    order = np.lexsort((loss, mark))
    chosen = np.sort(order[np.flatnonzero(np.diff(mark[order], prepend=mark[order[:1]] + np.uint64(1)))])
    first = np.cumsum(lengths) - lengths
    lengths = lengths[chosen]
    ends = np.cumsum(lengths)
    place = np.repeat(first[chosen] - (ends - lengths), lengths) + np.arange(int(lengths.sum()))
    return PricedBoxes(units[place], lengths, loss[chosen], mark[chosen], worth[chosen])


_ROWS_KEPT = 6  # of a box, in classes: those of low price do not matter

_CELLS_AT_ONCE = 200_000

_PADDED = 6

_INERTIA = 0.8

_MOST_TAKEN = 3.0

_CELLS_PER_CHECK = 700

_NOTHING = np.float32(-9)


@dataclass(frozen=True, slots=True, eq=False)
class BoxBatch:
    """Boxes of about as many rows: their rows as units (one beyond the last for none), what a row loses in each.

    `is_open` and `taken` tell how often a box was open and each of its rows taken, lately.
    """

    boxes: Ints
    rows: Ints
    loss: Singles
    is_open: Singles
    taken: Singles


class LagrangianPrices:
    """The bidding of rows that are still free for boxes; `prices` are those of all units."""

    def __init__(self, offers: PricedBoxes, prices: Floats, counts: Ints, least_rows: int, progress: Progress) -> None:
        self.prices = prices
        self.free = counts > 0
        self.checks = 0
        self._offers, self._least_rows, self._progress = offers, least_rows, progress
        self._rows = np.minimum(counts, least_rows)
        self._drift = np.zeros(len(prices))
        self.lots: list[BoxBatch] = []
        self.put_in_lots()

    def bid(self, rounds: int, first: float, last: float, memory: float) -> None:
        """Let the rows bid in steps from the first to the last; `memory` is how much a round counts of what it was."""
        for turn in range(rounds):
            self._progress.check()
            taken = self._open(np.float32(memory)) / np.maximum(self._rows, 1)
            self._drift *= _INERTIA
            self._drift += (1 - _INERTIA) * np.maximum(1 - taken, -_MOST_TAKEN)
            step = first * (last / first) ** (turn / rounds)
            self.prices = np.clip(self.prices + step * self._drift, 0, 1)

    def _open(self, memory: np.float32) -> Floats:
        """Open the boxes that are worth it, and say how many rows of every unit they take."""
        prices = np.append(np.where(self.free, self.prices, _NOTHING), _NOTHING).astype(np.float32)
        taken = np.zeros(len(prices))
        for lot in self.lots:
            self.checks += max(1, lot.rows.size // _CELLS_PER_CHECK)
            pays = prices[lot.rows] - lot.loss[:, None]
            last = pays.shape[1] - self._least_rows
            dearest = np.partition(pays, last, axis=1)[:, last:]
            limit = dearest[:, 0]
            worth = np.where(limit > 0, np.maximum(pays, 0).sum(axis=1), dearest.sum(axis=1))
            opened = np.flatnonzero(worth > 0)
            share = _shares(pays[opened], np.minimum(limit[opened], 0), self._least_rows)
            lot.is_open[:] *= 1 - memory
            lot.taken[:] *= 1 - memory
            lot.is_open[opened] += memory
            lot.taken[opened] += memory * share
            taken += np.bincount(lot.rows[opened].reshape(-1), share.reshape(-1), len(taken))
        return taken[:-1]

    def put_in_lots(self) -> None:
        """Sort the boxes that still have enough free rows by their number, so that many are looked at at once."""
        known = np.zeros(len(self._offers.lengths), dtype=np.float32)
        for lot in self.lots:
            known[lot.boxes] = lot.is_open
        units, box = self._kept()
        length = np.bincount(box, minlength=len(known))
        first = np.cumsum(length) - length
        boxes = np.flatnonzero(length)
        boxes = boxes[np.argsort(length[boxes], kind="stable")]
        number, self.lots, start = length[boxes], [], 0
        while start < len(boxes):
            smallest = int(number[start])
            end = int(np.searchsorted(number, smallest + max(2, smallest // _PADDED), side="right"))
            end = min(end, start + max(1, _CELLS_AT_ONCE // smallest))
            here = boxes[start:end]
            column = np.arange(int(number[end - 1]))
            inside = column < length[here][:, None]
            place = np.where(inside, first[here][:, None] + column, 0)
            rows = np.where(inside, units[place], len(self.prices))
            loss = self._offers.loss[here].astype(np.float32)
            self.lots.append(BoxBatch(here, rows, loss, known[here], np.zeros(rows.shape, dtype=np.float32)))
            start = end

    def _kept(self) -> tuple[Ints, Ints]:
        """List the dearest free rows of every box that has enough of them, as units, and the box of each."""
        units, box = self._offers.units, self._offers.box
        free = self.free[units]
        units, box = units[free], box[free]
        order = np.lexsort((-self.prices[units], box))
        units, box = units[order], box[order]
        rows = self._rows[units]
        first = np.flatnonzero(np.diff(box, prepend=-1))
        before = np.cumsum(rows) - rows
        before -= np.repeat(before[first], np.diff(np.append(first, len(box))))
        enough = np.bincount(box, rows, len(self._offers.lengths)) >= self._least_rows
        kept = enough[box] & (before < _ROWS_KEPT * self._least_rows)
        return np.repeat(units[kept], rows[kept]), np.repeat(box[kept], rows[kept])


def _shares(pays: Singles, limit: Singles, least_rows: int) -> Singles:
    """Say which rows a box takes: all that pay more than the limit, and what is missing of those that pay just that."""
    above, equal = pays > limit[:, None], pays == limit[:, None]
    missing = np.maximum(least_rows - above.sum(axis=1), 0) / np.maximum(equal.sum(axis=1), 1)
    return np.asarray(above + equal * missing.astype(np.float32)[:, None], dtype=np.float32)


_MOST_CHECKS = 1_200_000

# In what a row must lose in the mean, but no more than so much.
_LARGEST_SCALE = 0.04

_SLACK = 0.15

_FIRST_GUESS = 1.5

_FIRST_PRICE = 0.25

_STEPS = ((40, 0.25, 0.075), (40, 0.1, 0.025), (60, 0.05, 0.0175))

_DIVING_STEP = 0.025

_MEMORY = 0.05

_DIVING_MEMORY = 0.1

_ROUNDS = 6

_ROUNDS_AGAIN = 15  # so that what rows were taken is known anew

_MEMORY_AGAIN = 0.15

_SHARE = 0.06

_FEWEST_CLASSES = 3

_LEAST_OPEN = 0.02

_FEWER = 0.8

_ROUNDS_OF_MOVES = 12

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class PricedAssignment:
    """An assignment in which every class has enough rows (None: none was found), and a bound of the loss (LM)."""

    group: Ints | None
    bound: float


class ColumnGeneration:
    """Makes classes by price where the goals ask for the size of a class alone, and nobody is suppressed."""

    def __init__(self, encoded: EncodedTable, judge: GoalEvaluator, least: Floats, progress: Progress) -> None:
        self._encoded, self._judge, self._progress = encoded, judge, progress
        self._least = least
        self._rows = int(encoded.counts.sum())
        self._bound = float(least @ encoded.counts) / self._rows
        self._scale = min(self._bound, _LARGEST_SCALE)

    def run(self, seed: int) -> Generator[int, None, PricedAssignment]:
        """Find prices, then classes; yields the checks of every step."""
        # Nobody pays more than his suppression would cost.
        prices = np.minimum(_FIRST_GUESS * self._least + _FIRST_PRICE * self._scale, 1)
        offers: PricedBoxes | None = None
        bidding: LagrangianPrices | None = None
        for rounds, first, last in _STEPS if self._scale else ():
            walk = BoxPricing(self._encoded, prices, self._judge.least_rows, _SLACK * self._scale, self._progress)
            found = walk.run(_MOST_CHECKS)
            yield walk.checks
            if found is None:
                return PricedAssignment(None, self._bound)
            self._prove(prices, found)
            offers = found if offers is None else offers.with_others(found)
            start = self._least if bidding is None else prices
            bidding = LagrangianPrices(offers, start, self._encoded.counts, self._judge.least_rows, self._progress)
            bidding.bid(rounds, first * self._scale, last * self._scale, _MEMORY)
            prices = bidding.prices
            yield bidding.checks
        if bidding is None:
            return PricedAssignment(None, self._bound)
        group = yield from _dive(bidding, self._encoded, self._judge, self._scale)
        return PricedAssignment(self._completed(group, seed), self._bound)

    def _prove(self, prices: Floats, found: PricedBoxes) -> None:
        """Take what all rows pay, less what all boxes are worth, for a bound; every box worth anything was found."""
        pays = float((prices * self._encoded.counts).sum())
        self._bound = max(self._bound, (pays - float(np.maximum(found.worth, 0).sum())) / self._rows - _ROUNDING)

    def _completed(self, group: Ints, seed: int) -> Ints | None:
        """Gather the rows that are left in boxes, or let them join classes, and move rows to cheaper ones."""
        boxes = BoxCover(self._encoded, self._judge, self._progress, seed)
        state = Assignment(self._encoded, boxes.gather(group), self._progress)
        place_leftovers(state, self._judge, 0, self._progress)
        if (state.group[self._encoded.counts > 0] < 0).any():
            return None
        LocalSearch(state, self._judge, self._progress).improve(_ROUNDS_OF_MOVES)
        return state.group


def _dive(
    bidding: LagrangianPrices, encoded: EncodedTable, judge: GoalEvaluator, scale: float
) -> Generator[int, None, Ints]:
    """Make classes of the boxes that are open most often, and let the other rows go on bidding."""
    group = np.full(len(encoded.tuples), -1, dtype=np.int64)
    n_classes, sorted_for = 0, np.count_nonzero(bidding.free)
    while True:
        before = bidding.checks
        bidding.bid(_ROUNDS, _DIVING_STEP * scale, _DIVING_STEP * scale, _DIVING_MEMORY)
        left = int(encoded.counts[bidding.free].sum())
        wanted = max(_SHARE * left, _FEWEST_CLASSES * judge.least_rows)
        made = _classes(bidding, encoded.counts, judge.least_rows, wanted)
        for units in made:
            group[units] = n_classes
            n_classes += 1
        if not made:
            return group
        n_free = np.count_nonzero(bidding.free)
        if n_free < _FEWER * sorted_for:
            sorted_for = n_free
            bidding.put_in_lots()
            bidding.bid(_ROUNDS_AGAIN, 2 * _DIVING_STEP * scale, _DIVING_STEP * scale, _MEMORY_AGAIN)
        yield bidding.checks - before


def _classes(bidding: LagrangianPrices, counts: Ints, least_rows: int, wanted: float) -> list[Ints]:
    """Take boxes, those open most often first, until so many rows have a class; these are no longer free."""
    candidates = [
        (float(lot.is_open[at]), lot, at)
        for lot in bidding.lots
        for at in np.flatnonzero(lot.is_open > _LEAST_OPEN).tolist()
    ]
    made: list[Ints] = []
    for _, lot, at in sorted(candidates, key=lambda one: -one[0]):
        if wanted <= 0:
            break
        units, is_stale = _of_box(bidding, lot, at, counts, least_rows)
        # What others took meanwhile may have been what made the box worth it.
        if not len(units) or (made and is_stale):
            continue
        bidding.free[units] = False
        wanted -= int(counts[units].sum())
        made.append(units)
    return made


def _of_box(bidding: LagrangianPrices, lot: BoxBatch, at: int, counts: Ints, least_rows: int) -> tuple[Ints, bool]:
    """Give the free units that a box took most often, none if they are too few; and whether others took many."""
    units, place = np.unique(lot.rows[at], return_index=True)
    there = np.flatnonzero(units < len(counts))
    there = there[bidding.free[units[there]]]
    units, often = units[there], lot.taken[at][place[there]]
    rows = counts[units]
    if rows.sum() < least_rows:
        return units[:0], True
    order = np.lexsort((units, -bidding.prices[units], -often))
    units, often, rows = units[order], often[order], rows[order]
    usual = 0.5 * lot.is_open[at]
    kept = (np.cumsum(rows) - rows < least_rows) | (often >= usual)
    return units[kept], bool((often * rows)[kept].sum() < usual * rows[kept].sum())
