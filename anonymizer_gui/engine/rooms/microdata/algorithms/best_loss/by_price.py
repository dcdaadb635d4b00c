"""Classes made by price: a second start of the search, and a proven bound that is close to what can be reached.

Rows bid for boxes until the prices agree with each other. Boxes that are open nearly always become classes, with the
rows they have most often; the others go on bidding (diving), until nobody is left who could fill a box.
"""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.bidding import Bidding, Lot
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.boxes import Boxes
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.leftovers import place_leftovers
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.moves import Moves
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.state import State
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import Floats, Ints
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.worthwhile import Offers, Walk
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.goals import Judge

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
class Priced:
    """An assignment in which every class has enough rows (None: none was found), and a bound of the loss (LM)."""

    group: Ints | None
    bound: float


class ByPrice:
    """Makes classes by price where the goals ask for the size of a class alone, and nobody is suppressed."""

    def __init__(self, encoded: Encoded, judge: Judge, least: Floats, progress: Progress) -> None:
        self._encoded, self._judge, self._progress = encoded, judge, progress
        self._least = least
        self._rows = int(encoded.counts.sum())
        self._bound = float(least @ encoded.counts) / self._rows
        self._scale = min(self._bound, _LARGEST_SCALE)

    def run(self, seed: int) -> Generator[int, None, Priced]:
        """Find prices, then classes; yields the checks of every step."""
        # Nobody pays more than his suppression would cost.
        prices = np.minimum(_FIRST_GUESS * self._least + _FIRST_PRICE * self._scale, 1)
        offers: Offers | None = None
        bidding: Bidding | None = None
        for rounds, first, last in _STEPS if self._scale else ():
            walk = Walk(self._encoded, prices, self._judge.least_rows, _SLACK * self._scale, self._progress)
            found = walk.run(_MOST_CHECKS)
            yield walk.checks
            if found is None:
                return Priced(None, self._bound)
            self._prove(prices, found)
            offers = found if offers is None else offers.with_others(found)
            start = self._least if bidding is None else prices
            bidding = Bidding(offers, start, self._encoded.counts, self._judge.least_rows, self._progress)
            bidding.bid(rounds, first * self._scale, last * self._scale, _MEMORY)
            prices = bidding.prices
            yield bidding.checks
        if bidding is None:
            return Priced(None, self._bound)
        group = yield from _dive(bidding, self._encoded, self._judge, self._scale)
        return Priced(self._completed(group, seed), self._bound)

    def _prove(self, prices: Floats, found: Offers) -> None:
        """Take what all rows pay, less what all boxes are worth, for a bound; every box worth anything was found."""
        pays = float((prices * self._encoded.counts).sum())
        self._bound = max(self._bound, (pays - float(np.maximum(found.worth, 0).sum())) / self._rows - _ROUNDING)

    def _completed(self, group: Ints, seed: int) -> Ints | None:
        """Gather the rows that are left in boxes, or let them join classes, and move rows to cheaper ones."""
        boxes = Boxes(self._encoded, self._judge, self._progress, seed)
        state = State(self._encoded, boxes.gather(group), self._progress)
        place_leftovers(state, self._judge, 0, self._progress)
        if (state.group[self._encoded.counts > 0] < 0).any():
            return None
        Moves(state, self._judge, self._progress).improve(_ROUNDS_OF_MOVES)
        return state.group


def _dive(bidding: Bidding, encoded: Encoded, judge: Judge, scale: float) -> Generator[int, None, Ints]:
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


def _classes(bidding: Bidding, counts: Ints, least_rows: int, wanted: float) -> list[Ints]:
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


def _of_box(bidding: Bidding, lot: Lot, at: int, counts: Ints, least_rows: int) -> tuple[Ints, bool]:
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
