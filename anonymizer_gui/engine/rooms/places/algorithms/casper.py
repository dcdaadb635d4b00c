"""Casper: from the user's own cell upwards, first with a neighbour, then the parent (Mokbel, Chow and Aref 2006)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.places import Floats, Ints, Places
from anonymizer_gui.engine.rooms.places.algorithms.contract import ALGORITHMS, CLOAK, Algorithm, Wanted
from anonymizer_gui.engine.rooms.places.cloaking.grid import DEEPEST, Grid
from anonymizer_gui.engine.rooms.places.cloaking.moving import positions
from anonymizer_gui.engine.rooms.places.cloaking.parameters import least_side_wanted, moment_wanted, spots_wanted
from anonymizer_gui.engine.rooms.places.cloaking.regions import Regions, enough_spots, enough_users

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

    spots: int = spots_wanted()
    least_side: float = least_side_wanted()
    moment: float = moment_wanted()

    def run(self, places: Places, wanted: Wanted, progress: Progress) -> Regions:
        """Go up level by level, all users at once; raises Infeasible."""
        enough_users(places, wanted.k)
        (x,), (y,) = positions(places, 1, self.moment)
        enough_spots(x, y, self.spots)
        grid = Grid.around(x, y)
        box = np.zeros((len(x), 4))
        waits = np.ones(len(x), dtype=bool)
        for level in range(_LEAVES, -1, -1):
            progress(1 - level / (_LEAVES + 1), "Cloaking")
            self._take(grid, level, wanted.k, box, waits)
        return Regions(x[None], y[None], box[None])

    def _take(self, grid: Grid, level: int, k: int, box: Floats, waits: Flags) -> None:
        """Give a region of this level to those who wait and find one: their cell, or a pair of cells.

        Within a parent all pairs lie the same way. Otherwise two pairs may share a cell, and who reads the file could
        not tell that each of them holds k users: now everybody in a pair sends it, or something inside.
        """
        shift = DEEPEST - level
        column, row = grid.column >> shift, grid.row >> shift
        area, least = grid.side_at(level) ** 2, self.least_side**2
        users, spots = grid.counts(grid.cells(level))
        # Nothing is larger than the whole square: who finds nothing else takes it.
        alone = waits & ((users >= k) & (spots >= self.spots) & (area >= least) | (level == 0))
        depth = np.full(len(column), level)
        box[alone] = grid.boxes(column, row, depth)[alone]
        waits &= ~alone
        if level == 0 or not waits.any():
            return
        pairs = [grid.counts(cells) for cells in ((column >> 1 << level) | row, (column << level) | (row >> 1))]
        fits = [waits & (users >= k) & (spots >= self.spots) & (2 * area >= least) for users, spots in pairs]
        lies_across = _lies_across(grid.cells(level - 1), fits, [users for users, _spots in pairs])
        across, up = fits[0] & lies_across, fits[1] & ~lies_across
        box[across] = grid.boxes(column >> 1 << 1, row, depth, 2, 1)[across]
        box[up] = grid.boxes(column, row >> 1 << 1, depth, 1, 2)[up]
        waits &= ~(across | up)


def _lies_across(parents: Ints, fits: list[Flags], users: list[Ints]) -> Flags:
    """Tell for every user whether the pairs of their parent lie across: more find one so, or an emptier one."""
    of = np.unique(parents, return_inverse=True)[1].reshape(-1)
    found = [np.bincount(of, each) for each in fits]
    filled = [np.bincount(of, np.where(each, many, 0)) for each, many in zip(fits, users, strict=True)]
    is_so = (found[0] > found[1]) | ((found[0] == found[1]) & (filled[0] <= filled[1]))
    return np.asarray(is_so[of])
