"""Interval cloaking, Casper, Hilbert cloak, temporal cloaking.

Kalnis, Ghinita, Mouratidis and Papadias, Preventing location-based identity inference in anonymous spatial queries,
TKDE 2007 (HilbASR): sorted along the Hilbert curve and cut into buckets of k, the cloak is reciprocal.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, Int, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.places import Floats, Ints, Places
from anonymizer_gui.engine.rooms.places.algorithms.contract import ALGORITHMS, CLOAK, Algorithm, PlaceDemands
from anonymizer_gui.engine.rooms.places.cloaking import (
    DEEPEST,
    CloakedRegions,
    QuadrantGrid,
    hilbert_index,
    least_side_parameter,
    moment_parameter,
    query_positions,
    require_spots,
    require_users,
    spots_parameter,
)


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

    spots: int = spots_parameter()
    least_side: float = least_side_parameter()
    moment: float = moment_parameter()

    def run(self, places: Places, wanted: PlaceDemands, progress: Progress) -> CloakedRegions:
        """Go down level by level, all users at once; raises Infeasible."""
        require_users(places, wanted.k)
        (x,), (y,) = query_positions(places, 1, self.moment)
        require_spots(x, y, self.spots)
        grid = QuadrantGrid.around(x, y)
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
        return CloakedRegions(x[None], y[None], box[None])


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

    spots: int = spots_parameter()
    least_side: float = least_side_parameter()
    moment: float = moment_parameter()

    def run(self, places: Places, wanted: PlaceDemands, progress: Progress) -> CloakedRegions:
        """Go up level by level, all users at once; raises Infeasible."""
        require_users(places, wanted.k)
        (x,), (y,) = query_positions(places, 1, self.moment)
        require_spots(x, y, self.spots)
        grid = QuadrantGrid.around(x, y)
        box = np.zeros((len(x), 4))
        waits = np.ones(len(x), dtype=bool)
        for level in range(_LEAVES, -1, -1):
            progress(1 - level / (_LEAVES + 1), "Cloaking")
            self._take(grid, level, wanted.k, box, waits)
        return CloakedRegions(x[None], y[None], box[None])

    def _take(self, grid: QuadrantGrid, level: int, k: int, box: Floats, waits: Flags) -> None:
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


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class HilbertCloak(Algorithm):
    """Buckets of k along the Hilbert curve, each with the box around its users; a bucket is kept while they move."""

    name: ClassVar[str] = "hilbert"
    title: ClassVar[str] = "Hilbert buckets"
    summary: ClassVar[str] = (
        "Groups k neighbours and sends the same region for all of them: reciprocal, and the group stays together."
    )
    way: ClassVar[str] = CLOAK
    needs_time: ClassVar[bool] = False
    is_usual: ClassVar[bool] = True
    is_reciprocal: ClassVar[bool] = True

    spots: int = spots_parameter()
    least_side: float = least_side_parameter()
    rounding: float = param(
        Float(low=1, high=10_000), default=10.0, label="Rounding in metres",
        help="Edges are moved outwards to multiples of this, for the edge of a box is where somebody is.",
    )  # fmt: skip
    queries: int = param(
        Int(low=1, high=100), default=1, label="Queries per person",
        help="Everybody asks so often while they move; the group of the first query is memorised for all of them.",
    )  # fmt: skip
    moment: float = moment_parameter()

    def run(self, places: Places, wanted: PlaceDemands, progress: Progress) -> CloakedRegions:
        """Cut the curve into buckets and lay a box around each; raises Infeasible."""
        require_users(places, wanted.k)
        progress(0.1, "Cloaking")
        x, y = query_positions(places, self.queries, self.moment)
        require_spots(x[0], y[0], self.spots)
        bucket = hilbert_buckets(x[0], y[0], wanted.k, self.spots)
        box = np.empty((self.queries, x.shape[1], 4))
        for query in range(self.queries):
            progress(0.3 + 0.7 * query / self.queries, "Cloaking")
            box[query] = self._around(x[query], y[query], bucket)[bucket]
        return CloakedRegions(x, y, box)

    def _around(self, x: Floats, y: Floats, bucket: Ints) -> Floats:
        """Lay boxes around buckets, as large as they must be and with round edges."""
        many = int(bucket.max()) + 1 if len(bucket) else 0
        low, high = np.full((many, 2), np.inf), np.full((many, 2), -np.inf)
        at = np.column_stack([x, y])
        np.minimum.at(low, bucket, at)
        np.maximum.at(high, bucket, at)
        missing = np.maximum(self.least_side - (high - low), 0) / 2
        low, high = low - missing, high + missing
        step = self.rounding
        return np.column_stack([np.floor(low / step) * step, np.ceil(high / step) * step])


def hilbert_buckets(x: Floats, y: Floats, k: int, spots: int = 1) -> Ints:
    """Number the bucket of every user: k neighbours along the curve at as many places as asked, the last one more."""
    grid = QuadrantGrid.around(x, y)
    order = np.lexsort((grid.place, hilbert_index(grid.column, grid.row)))
    if spots == 1:
        numbers = np.minimum(np.arange(len(order)) // k, max(len(order) // k - 1, 0))
    else:
        numbers = _with_spots(grid.place[order].tolist(), k, spots)
    bucket = np.empty(len(order), dtype=np.int64)
    bucket[order] = numbers
    return bucket


def _with_spots(places: list[int], k: int, spots: int) -> Ints:
    numbers, number, size, seen = [], 0, 0, set[int]()
    for place in places:
        if size >= k and len(seen) >= spots:
            number, size, seen = number + 1, 0, set()
        numbers.append(number)
        size, seen = size + 1, seen | {place}
    if number and (size < k or len(seen) < spots):  # the rest is too small for itself
        numbers = [min(each, number - 1) for each in numbers]
    return np.array(numbers, dtype=np.int64)


_EVERY = 512

Window = list[int]


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class TemporalCloaking(Algorithm):
    """Fixes the tile and waits until k different people visited it (Gruteser and Grunwald 2003, temporal variant)."""

    name: ClassVar[str] = "temporal"
    title: ClassVar[str] = "Temporal cloak"
    summary: ClassVar[str] = "Keeps the tile and sends the time as a span in which k people were there: costs waiting."
    way: ClassVar[str] = CLOAK
    needs_time: ClassVar[bool] = True
    is_reciprocal: ClassVar[bool] = True

    side: float = param(
        Float(low=1, high=1e6), default=500.0, label="Side of a tile in metres",
        help="How exactly the place is told.", series=(100, 250, 500, 1000, 2000),
    )  # fmt: skip
    clock: float = param(
        Float(low=1, high=86_400), default=60.0, label="Rounding of times in seconds",
        help="Both ends of a span are moved outwards to multiples of this, for they are when somebody was there.",
    )  # fmt: skip

    def run(self, places: Places, wanted: PlaceDemands, progress: Progress) -> CloakedRegions:
        """Cut the visits of every tile into windows of k people; raises Infeasible when no tile has so many."""
        require_users(places, wanted.k)
        person = places.person_of[places.track_of]
        column, row = np.floor(places.x / self.side).astype(np.int64), np.floor(places.y / self.side).astype(np.int64)
        tile = np.unique(np.column_stack([column, row]), axis=0, return_inverse=True)[1].reshape(-1)
        order = np.lexsort((places.t, tile))
        cuts = np.flatnonzero(np.diff(tile[order])) + 1
        rows: list[tuple[int, float, float, int]] = []
        withheld = 0
        for at, visits in enumerate(np.split(order, cuts)):
            if at % _EVERY == 0:
                progress(at / (len(cuts) + 1), "Waiting for k people")
            found, left = cut_windows(visits.tolist(), person, wanted.k)
            withheld += left
            rows += [each for window in found for each in self._rows(window, person, places)]
        if not rows:
            raise Infeasible(
                message("No tile was visited by {k} people.", k=wanted.k),
                "Choose larger tiles, or a smaller k.",
                "k",
                "",
            )
        first = np.array([each[0] for each in rows])
        box = np.column_stack([column[first], row[first], column[first] + 1, row[first] + 1]) * self.side
        spans = np.array([each[1:3] for each in rows])
        return CloakedRegions(
            places.x[first][None], places.y[first][None], box[None], spans, spans[:, 1] - places.t[first],
            np.array([float(each[3]) for each in rows]), len(set(person[first].tolist())), withheld,
        )  # fmt: skip

    def _rows(self, window: Window, person: Ints, places: Places) -> Iterator[tuple[int, float, float, int]]:
        """Give one row for everybody in a window: the first visit, the span, and how many people there are."""
        times = places.t[window]
        begin = float(np.floor(times.min() / self.clock) * self.clock)
        end = float(np.ceil(times.max() / self.clock) * self.clock)
        firsts: dict[int, int] = {}
        for visit in window:
            firsts.setdefault(int(person[visit]), visit)
        for visit in firsts.values():
            yield visit, begin, end, len(firsts)


def cut_windows(visits: list[int], person: Ints, k: int) -> tuple[list[Window], int]:
    """Cut visits, in the order of time, into windows of k different people; too few at the end join the last window.

    Gives the windows, and how many visits are in none because k people never came.
    """
    found: list[Window] = []
    window: Window = []
    people: set[int] = set()
    for visit in visits:
        window.append(visit)
        people.add(int(person[visit]))
        if len(people) >= k:
            found.append(window)
            window, people = [], set()
    if window and found:
        found[-1] += window
        window = []
    return found, len(window)
