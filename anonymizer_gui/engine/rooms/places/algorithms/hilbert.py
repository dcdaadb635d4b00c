"""Hilbert cloak: neighbours along a curve share one region, so that who sends it is never fewer than k.

Kalnis, Ghinita, Mouratidis and Papadias, Preventing location-based identity inference in anonymous spatial queries,
TKDE 2007 (HilbASR): sorted along the Hilbert curve and cut into buckets of k, the cloak is reciprocal.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.params import Float, Int, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.places import Floats, Ints, Places
from anonymizer_gui.engine.rooms.places.algorithms.contract import ALGORITHMS, CLOAK, Algorithm, Wanted
from anonymizer_gui.engine.rooms.places.cloaking.grid import Grid, hilbert_index
from anonymizer_gui.engine.rooms.places.cloaking.moving import positions
from anonymizer_gui.engine.rooms.places.cloaking.parameters import least_side_wanted, moment_wanted, spots_wanted
from anonymizer_gui.engine.rooms.places.cloaking.regions import Regions, enough_spots, enough_users


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class Hilbert(Algorithm):
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

    spots: int = spots_wanted()
    least_side: float = least_side_wanted()
    rounding: float = param(
        Float(low=1, high=10_000), default=10.0, label="Rounding in metres",
        help="Edges are moved outwards to multiples of this, for the edge of a box is where somebody is.",
    )  # fmt: skip
    queries: int = param(
        Int(low=1, high=100), default=1, label="Queries per person",
        help="Everybody asks so often while they move; the group of the first query is memorised for all of them.",
    )  # fmt: skip
    moment: float = moment_wanted()

    def run(self, places: Places, wanted: Wanted, progress: Progress) -> Regions:
        """Cut the curve into buckets and lay a box around each; raises Infeasible."""
        enough_users(places, wanted.k)
        progress(0.1, "Cloaking")
        x, y = positions(places, self.queries, self.moment)
        enough_spots(x[0], y[0], self.spots)
        bucket = buckets(x[0], y[0], wanted.k, self.spots)
        box = np.empty((self.queries, x.shape[1], 4))
        for query in range(self.queries):
            progress(0.3 + 0.7 * query / self.queries, "Cloaking")
            box[query] = self._around(x[query], y[query], bucket)[bucket]
        return Regions(x, y, box)

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


def buckets(x: Floats, y: Floats, k: int, spots: int = 1) -> Ints:
    """Number the bucket of every user: k neighbours along the curve at as many places as asked, the last one more."""
    grid = Grid.around(x, y)
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
