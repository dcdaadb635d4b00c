"""What rows are worth: prices at which no box can be opened at a gain, found by letting the rows bid.

This is the dual of the best recoding (Lagrangian relaxation of a facility location with lower bounds): every box that
is worth opening at the prices is opened, with its rows; the price of a row that several boxes take falls, that of a row
that none takes rises, in smaller and smaller steps (subgradient method). What all rows pay, less what the open boxes
are worth, is below the loss of every recoding. How often a box was open, and a row in it, tells which classes to make.
"""

from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import Floats, Ints, Singles
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.worthwhile import Offers

_ROWS_KEPT = 6  # of a box, in classes: those of low price do not matter
_CELLS_AT_ONCE = 200_000
_PADDED = 6
_INERTIA = 0.8
_MOST_TAKEN = 3.0
_CELLS_PER_CHECK = 700
_NOTHING = np.float32(-9)


@dataclass(frozen=True, slots=True, eq=False)
class Lot:
    """Boxes of about as many rows: their rows as units (one beyond the last for none), what a row loses in each.

    `is_open` and `taken` tell how often a box was open and each of its rows taken, lately.
    """

    boxes: Ints
    rows: Ints
    loss: Singles
    is_open: Singles
    taken: Singles


class Bidding:
    """The bidding of rows that are still free for boxes; `prices` are those of all units."""

    def __init__(self, offers: Offers, prices: Floats, counts: Ints, least_rows: int, progress: Progress) -> None:
        self.prices = prices
        self.free = counts > 0
        self.checks = 0
        self._offers, self._least_rows, self._progress = offers, least_rows, progress
        self._rows = np.minimum(counts, least_rows)
        self._drift = np.zeros(len(prices))
        self.lots: list[Lot] = []
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
            self.lots.append(Lot(here, rows, loss, known[here], np.zeros(rows.shape, dtype=np.float32)))
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
