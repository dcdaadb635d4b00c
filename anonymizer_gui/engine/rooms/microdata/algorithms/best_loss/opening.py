"""New classes opened: rows of a cheap cell leave their classes together, and what is left of those is dissolved.

A row costs what the cell of its class loses, whoever else is in it. So classes are places that are opened and closed,
each for as many rows as the goals need at least (facility location with lower bounds). For a combination of levels all
its cells are looked at at once: what their rows would gain there, less what it costs to dissolve the classes that they
leave with too few. Where rows are missing, those that cost least fill up.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.block import Block
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.dissolving import Opening, Ways
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.keys import Keys
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.state import Bools
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import Floats, Ints

_LEAST_GAIN = 1e-4
_LEAST_HOPE = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class _Shares:
    """What classes have in cells: of each share its cell and class, its rows, and what it may bring.

    The units of a share begin at `first`; shares of one cell stand together.
    """

    units: Ints
    first: Ints
    cell: Ints
    classes: Ints
    rows: Floats
    spare: Floats
    """How many of the rows the class can do without."""
    by_row: Floats
    """What one row gains that goes."""
    by_all: Floats
    """What is gained if all go, and the rest of the class is dissolved."""
    n_cells: int

    def by_cell(self, values: Floats) -> Floats:
        """Add up what is given for the shares, for every cell."""
        return np.asarray(np.bincount(self.cell, values, self.n_cells), dtype=np.float64)


class Openings:
    """Looks for classes that are worth being opened."""

    def __init__(self, block: Block, keys: Keys, ways: Ways, least_rows: int) -> None:
        self._block = block
        self._keys = keys
        self._ways = ways
        self._least_rows = least_rows
        self._now = block.loss[block.group]
        self._all = np.arange(len(self._now))

    def at(self, node: tuple[int, ...], luck: float) -> list[Opening]:
        """Give the classes that may be opened at a node, also some that lose, but not more than the luck given."""
        shares = self._shares(node)
        if shares is None:
            return []
        closes = shares.by_all > np.maximum(shares.spare * shares.by_row, 0)
        goes = np.where(closes, shares.rows, np.where(shares.by_row > 0, shares.spare, 0))
        gain = shares.by_cell(np.where(closes, shares.by_all, goes * shares.by_row))
        gain -= self._fill_up(shares, goes, closes)
        enough = shares.by_cell(goes) >= self._least_rows
        good = np.flatnonzero(enough & (gain > _LEAST_GAIN - luck))
        return self._as_openings(shares, goes, closes, good, gain) if len(good) else []

    def _shares(self, node: tuple[int, ...]) -> _Shares | None:
        """List what the classes have in those cells of a node that hold enough rows and give hope."""
        block, least = self._block, self._least_rows
        lost = self._keys.lost(node, self._all)
        cell = pd.factorize(self._keys.of(node, self._all))[0]
        hope = np.bincount(cell, np.maximum(self._now - lost, 0) * block.counts)
        asked = (np.bincount(cell, block.counts) >= least) & (hope > _LEAST_HOPE)
        units = np.flatnonzero(asked[cell])
        if not len(units):
            return None
        cell = (np.cumsum(asked) - 1)[cell[units]]
        share = cell * block.n_classes + block.group[units]
        order = np.argsort(share, kind="stable")
        units, cell = units[order], cell[order]
        first = np.flatnonzero(np.diff(share[order], prepend=-1))
        classes, loss = block.group[units[first]], lost[units[first]].astype(np.float64)
        rows = np.add.reduceat(block.counts[units], first)
        rest = self._ways.of_class[classes] - np.add.reduceat(self._ways.least[units], first)
        spare = np.minimum(rows, np.maximum(block.size[classes] - least, 0))
        by_all = block.cost[classes] - rows * loss - rest
        by_row = block.loss[classes] - loss
        return _Shares(units, first, cell[first], classes, rows, spare, by_row, by_all, int(asked.sum()))

    def _fill_up(self, shares: _Shares, goes: Floats, closes: Bools) -> Floats:
        """Let the rows that cost least go to cells with too few, and give what that costs for every cell."""
        short = np.maximum(self._least_rows - shares.by_cell(goes), 0)[shares.cell]
        idle = np.flatnonzero((goes == 0) & (short > 0))
        some = np.where(shares.spare[idle] > 0, -shares.by_row[idle], np.inf)
        whole = -shares.by_all[idle] / np.minimum(shares.rows[idle], short[idle])
        order = np.lexsort((np.minimum(some, whole), shares.cell[idle]))
        idle, some, whole = idle[order], some[order], whole[order]
        shuts = whole < some
        offered = np.where(shuts, shares.rows[idle], shares.spare[idle])
        before = np.cumsum(offered) - offered
        begins = np.diff(shares.cell[idle], prepend=-1) != 0
        before -= before[np.flatnonzero(begins)][np.cumsum(begins) - 1]
        missing = short[idle] - before
        used = np.where(missing > 0, np.where(shuts, offered, np.minimum(offered, missing)), 0)
        goes[idle], closes[idle] = used, shuts & (used > 0)
        price = np.zeros(len(goes))
        price[idle] = np.where(shuts, -shares.by_all[idle], used * np.where(used > 0, some, 0)) * (used > 0)
        return shares.by_cell(price)

    def _as_openings(self, shares: _Shares, goes: Floats, closes: Bools, good: Ints, gain: Floats) -> list[Opening]:
        counts = self._block.counts[shares.units]
        lengths = np.diff(np.append(shares.first, len(counts)))
        before = np.cumsum(counts) - counts
        before -= np.repeat(before[shares.first], lengths)
        fits = (before < np.repeat(goes, lengths)) & (before + counts <= np.repeat(shares.spare, lengths))
        moves = np.repeat(closes, lengths) | fits
        begin, end = (np.searchsorted(shares.cell, good, side=side) for side in ("left", "right"))
        ends = np.append(shares.first, len(counts))
        found = []
        for cell, low, high in zip(good.tolist(), begin.tolist(), end.tolist(), strict=True):
            here = slice(int(ends[low]), int(ends[high]))
            units, closed = shares.units[here][moves[here]], shares.classes[low:high][closes[low:high]]
            found.append(Opening(float(gain[cell]), units, closed))
        return found
