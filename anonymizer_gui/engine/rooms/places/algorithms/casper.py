"""Casper: from the user's own cell upwards, first with a neighbour, then the parent (Mokbel, Chow and Aref 2006)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.params import Float, Int, param
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.rooms.places.algorithms.contract import ALGORITHMS, CLOAK, Algorithm, Wanted
from anonymizer_gui.engine.rooms.places.cloaking.grid import DEEPEST, Grid
from anonymizer_gui.engine.rooms.places.cloaking.moving import positions
from anonymizer_gui.engine.rooms.places.cloaking.regions import Regions, enough_users
from anonymizer_gui.engine.shapes.places.places import Ints, Places
from anonymizer_gui.engine.shapes.places.projection import Floats

Flags = npt.NDArray[np.bool_]
_LEAVES = 9
"""Levels of the pyramid: of a town of 50 km, the smallest cells are 100 m wide."""


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class Casper(Algorithm):
    """Takes a cell, or two beside each other, as soon as they hold enough users on enough ground."""

    name: ClassVar[str] = "casper"
    title: ClassVar[str] = "Casper (pyramid)"
    summary: ClassVar[str] = (
        "Sends the first cell, or pair of neighbours, with k users on the way up; often smaller, least often shared."
    )
    way: ClassVar[str] = CLOAK
    needs_time: ClassVar[bool] = False

    spots: int = param(
        Int(low=1, high=1000), default=2, label="Different places (l)",
        help="Fewest different places in a region, against k people at one spot.", series=(1, 2, 5),
    )  # fmt: skip
    least_side: float = param(
        Float(low=0, high=1e6), default=0.0, label="Smallest side in metres",
        help="No region is smaller than a square of this side.", series=(0, 100, 500),
    )  # fmt: skip
    moment: float = param(
        Float(low=0, high=1), default=1.0, label="Moment of the query",
        help="How much of the time in the file has passed when everybody asks: 1 is the last place known of each.",
    )  # fmt: skip

    def run(self, places: Places, wanted: Wanted, progress: Progress) -> Regions:
        """Go up level by level, all users at once; raises Infeasible."""
        enough_users(places, wanted.k)
        (x,), (y,) = positions(places, 1, self.moment)
        grid = Grid.around(x, y)
        box = np.zeros((len(x), 4))
        waits = np.ones(len(x), dtype=bool)
        for level in range(_LEAVES, -1, -1):
            progress(1 - level / (_LEAVES + 1), "Cloaking")
            self._take(grid, level, wanted.k, box, waits)
        return Regions(x[None], y[None], box[None])

    def _take(self, grid: Grid, level: int, k: int, box: Floats, waits: Flags) -> None:
        """Give a region of this level to those who wait and find one: their cell, or the emptier pair with it."""
        shift = DEEPEST - level
        column, row = grid.column >> shift, grid.row >> shift
        area, least = grid.side_at(level) ** 2, self.least_side**2
        users, spots = grid.counts(grid.cells(level))
        alone = waits & (users >= k) & (spots >= self.spots) & ((area >= least) | (level == 0))
        depth = np.full(len(column), level)
        box[alone] = grid.boxes(column, row, depth)[alone]
        waits &= ~alone
        if level == 0 or not waits.any():
            return
        across, there = grid.counts((column >> 1 << level) | row)
        up, over = grid.counts((column << level) | (row >> 1))
        fits_across = (across >= k) & (there >= self.spots) & (2 * area >= least)
        fits_up = (up >= k) & (over >= self.spots) & (2 * area >= least)
        takes_across = waits & fits_across & (~fits_up | (across <= up))
        takes_up = waits & fits_up & ~takes_across
        self._put(box, takes_across, grid, column >> 1 << 1, row, depth, 2, 1)
        self._put(box, takes_up, grid, column, row >> 1 << 1, depth, 1, 2)
        waits &= ~(takes_across | takes_up)

    def _put(
        self, box: Floats, who: Flags, grid: Grid, column: Ints, row: Ints, depth: Ints, wide: int, high: int
    ) -> None:
        box[who] = grid.boxes(column, row, depth, wide, high)[who]
