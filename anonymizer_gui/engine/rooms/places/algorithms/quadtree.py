"""Interval cloaking: the smallest quadrant around a user that still holds k (Gruteser and Grunwald 2003)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.places import Places
from anonymizer_gui.engine.rooms.places.algorithms.contract import ALGORITHMS, CLOAK, Algorithm, Wanted
from anonymizer_gui.engine.rooms.places.cloaking.grid import DEEPEST, Grid
from anonymizer_gui.engine.rooms.places.cloaking.moving import positions
from anonymizer_gui.engine.rooms.places.cloaking.parameters import least_side_wanted, moment_wanted, spots_wanted
from anonymizer_gui.engine.rooms.places.cloaking.regions import Regions, enough_spots, enough_users


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class Quadtree(Algorithm):
    """Starts with the whole area and goes down into the user's quadrant as long as it holds enough."""

    name: ClassVar[str] = "quadtree"
    title: ClassVar[str] = "Interval cloak (quadtree)"
    summary: ClassVar[str] = (
        "Sends the smallest quadrant that holds k users; those whom others leave behind in a large one stand out."
    )
    way: ClassVar[str] = CLOAK
    needs_time: ClassVar[bool] = False

    spots: int = spots_wanted()
    least_side: float = least_side_wanted()
    moment: float = moment_wanted()

    def run(self, places: Places, wanted: Wanted, progress: Progress) -> Regions:
        """Go down level by level, all users at once; raises Infeasible."""
        enough_users(places, wanted.k)
        (x,), (y,) = positions(places, 1, self.moment)
        enough_spots(x, y, self.spots)
        grid = Grid.around(x, y)
        level = np.zeros(len(x), dtype=np.int64)
        for depth in range(1, DEEPEST + 1):
            progress(depth / (DEEPEST + 1), "Cloaking")
            if grid.side_at(depth) < self.least_side:
                break
            users, spots = grid.counts(grid.cells(depth))
            goes = (level == depth - 1) & (users >= wanted.k) & (spots >= self.spots)
            if not goes.any():
                break
            level[goes] = depth
        shift = DEEPEST - level
        box = grid.boxes(grid.column >> shift, grid.row >> shift, level)
        return Regions(x[None], y[None], box[None])
