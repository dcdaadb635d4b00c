"""Boxes worth opening: those for which the rows of a class would pay more than they lose there.

Every row has a price, the loss that is spared when somebody else takes it. A box is worth what its rows pay less what
they lose in it: all rows whose price is above the loss, and, where these are fewer than a class needs, the next ones.
Boxes are walked column by column (branch and bound). The dearest k rows of a cell pay no more than k times any limit
and what single rows pay beyond it, so that most cells are passed over by adding up alone.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import Floats, Ints
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded
from anonymizer_gui.engine.rooms.microdata.algorithms.least_loss import levels_of, numbered
from anonymizer_gui.engine.rooms.microdata.size import Size

_LIMITS = (0.3, 1.5)  # in mean prices
_MARK_SEED = 0
_VISITS_PER_CHECK = 250
_LISTED_PER_UNIT = 150
Numbers = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class Offers:
    """Boxes with their units, one after the other: what a row loses in each, and what it is worth.

    Boxes with the same units have the same mark; the cheapest of them stands for all.
    """

    units: Ints
    lengths: Ints
    loss: Floats
    mark: Numbers
    worth: Floats

    def with_others(self, other: "Offers") -> "Offers":
        """Give the boxes of both, each once."""
        return _together([self, other])

    @property
    def box(self) -> Ints:
        """The box of every unit listed."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)


class Walk:
    """A walk over all cells for rows at given prices; finds the boxes worth at least minus the slack for every row."""

    def __init__(self, encoded: Encoded, prices: Floats, least_rows: int, slack: float, progress: Progress) -> None:
        self._least_rows, self._slack, self._progress = least_rows, slack, progress
        # The dearest first, and no walk changes the order: the first units of a cell are those that pay most.
        self._units = np.argsort(-prices, kind="stable")
        self._prices, self._counts = prices[self._units], encoded.counts[self._units].astype(np.float64)
        mean = float((self._prices * self._counts).sum() / max(self._counts.sum(), 1))
        self._limits = [limit * mean for limit in _LIMITS if limit * mean > slack]
        self._columns = [
            [(level.code[self._units], level.n_codes, level.loss[self._units]) for level in levels]
            for levels in sorted(levels_of(encoded), key=lambda levels: levels[0].n_codes)
        ]
        self._mark = np.random.default_rng(_MARK_SEED).integers(0, 1 << 64, len(prices), dtype=np.uint64)
        self._found: list[Offers] = []
        self._visits = self._most = self._listed = 0

    @property
    def checks(self) -> int:
        """What the walk took."""
        return self._visits // _VISITS_PER_CHECK

    def run(self, most_checks: int) -> Offers | None:
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
            part, n_parts = numbered(cell * n_codes + code[units], n_cells * n_codes)
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
        self._found.append(Offers(kept, lengths, cost[first[good]], mark, worth[good]))


def walking_memory(size: Size) -> int:
    """Give the bytes that the levels of all columns take, in two orders, and the boxes that rows bid for."""
    return size.tuples * (32 * sum(size.levels) + 64 * _LISTED_PER_UNIT)


def _together(found: list[Offers]) -> Offers:
    """Put boxes together; of those with the same units the cheapest stays."""
    none = np.zeros(0, dtype=np.int64)
    empty = Offers(none, none, none.astype(np.float64), none.astype(np.uint64), none.astype(np.float64))
    parts = zip(*((one.units, one.lengths, one.loss, one.mark, one.worth) for one in (empty, *found)), strict=True)
    units, lengths, loss, mark, worth = map(np.concatenate, parts)
    order = np.lexsort((loss, mark))
    chosen = np.sort(order[np.flatnonzero(np.diff(mark[order], prepend=mark[order[:1]] + np.uint64(1)))])
    first = np.cumsum(lengths) - lengths
    lengths = lengths[chosen]
    ends = np.cumsum(lengths)
    place = np.repeat(first[chosen] - (ends - lengths), lengths) + np.arange(int(lengths.sum()))
    return Offers(units[place], lengths, loss[chosen], mark[chosen], worth[chosen])
