"""Cloaked regions, the quadrant grid, the Hilbert curve, users who move."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, Int, param
from anonymizer_gui.engine.data.places.places import Floats, Ints, Places

SIDE_QUANTILE = 0.9


@dataclass(frozen=True, eq=False)
class CloakedRegions:
    """A region for every query: `box[q, i]` is west, south, east and north of what user i sends at query q, in metres.

    `x` and `y` are where the users truly were, for measuring only. `spans` are the times a region stands for, where
    one is sent only after a while; `waits` is how long each user waited for it.
    """

    x: Floats
    y: Floats
    box: Floats
    spans: Floats | None = None
    waits: Floats | None = None
    visitors: Floats | None = None
    """How many people were in the region during its span, for each row."""
    people: int = 0
    """How many people the rows are of, where somebody has several; otherwise one row is one user."""
    withheld: int = 0
    """Queries that were never answered, for too few people came by."""

    @property
    def n_users(self) -> int:
        """The number of rows that leave per query: one for every user."""
        return self.box.shape[1]

    @property
    def n_queries(self) -> int:
        """How often everybody asks."""
        return self.box.shape[0]

    @cached_property
    def keys(self) -> Floats:
        """What a reader sees of each row: the regions of all its queries, and the times."""
        flat = self.box.transpose(1, 0, 2).reshape(self.n_users, -1)
        return flat if self.spans is None else np.column_stack([flat, self.spans])

    @cached_property
    def region_of(self) -> Ints:
        """Number the regions; those who send the same have the same number."""
        return np.unique(self.keys, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)

    @cached_property
    def senders(self) -> Ints:
        """How many users send exactly the same, for each user."""
        return np.bincount(self.region_of)[self.region_of] if self.n_users else np.zeros(0, dtype=np.int64)

    @cached_property
    def inside(self) -> Ints:
        """How many users are in the region of each user; with several queries, in the emptiest of them."""
        if self.visitors is not None:
            return self.visitors.astype(np.int64)
        found = [count_users(self.x[q], self.y[q], self.box[q]) for q in range(self.n_queries)]
        return np.min(found, axis=0) if self.n_users else np.zeros(0, dtype=np.int64)

    @property
    def sides(self) -> Floats:
        """The side of a square as large as the region of each user, at every query, in metres."""
        wide, high = self.box[:, :, 2] - self.box[:, :, 0], self.box[:, :, 3] - self.box[:, :, 1]
        found: Floats = np.sqrt(np.maximum(wide, 0) * np.maximum(high, 0)).reshape(-1)
        return found

    @cached_property
    def spots(self) -> Ints:
        """How many different places there are in the region of each user, at the first query."""
        if self.visitors is not None:
            return self.visitors.astype(np.int64)
        places = np.unique(np.column_stack([self.x[0], self.y[0]]), axis=0)
        return count_users(places[:, 0], places[:, 1], self.box[0])

    def reciprocal(self, k: int) -> float:
        """Give the share of users whose region at least k users send."""
        return float((self.senders >= k).mean()) if self.n_users else 1.0


def count_users(x: Floats, y: Floats, boxes: Floats) -> Ints:
    """Count the points in each box, its edges included."""
    kinds, of = np.unique(boxes, axis=0, return_inverse=True)
    order = np.argsort(x, kind="stable")
    xs, ys = x[order], y[order]
    low, high = np.searchsorted(xs, kinds[:, 0], "left"), np.searchsorted(xs, kinds[:, 2], "right")
    counts = np.array(
        [
            int(((ys[a:b] >= south) & (ys[a:b] <= north)).sum())
            for a, b, south, north in zip(low.tolist(), high.tolist(), kinds[:, 1], kinds[:, 3], strict=True)
        ],
        dtype=np.int64,
    )
    return counts[of.reshape(-1)] if len(counts) else np.zeros(0, dtype=np.int64)


def require_users(places: Places, k: int) -> None:
    """Raise Infeasible when there are fewer people than must be in a region."""
    if places.n_people < k:
        raise Infeasible(
            message("There are only {people:person|people}, fewer than the {k} that every region must hold.",
                people=places.n_people, k=k),
            message("Choose a k of at most {people}.", people=places.n_people), "k", str(places.n_people),
        )  # fmt: skip


def require_spots(x: Floats, y: Floats, spots: int) -> None:
    """Raise Infeasible when people are at fewer different places than must be in a region."""
    there = len(np.unique(np.column_stack([x, y]), axis=0))
    if there < spots:
        raise Infeasible(
            message("All people together are at {there:different place|different places}, fewer than the {spots} that "
                "every region must hold.", there=there, spots=spots),
            message("Choose at most {there} for different places (l).", there=there), "spots", str(there),
        )  # fmt: skip


DEEPEST = 16
"""Levels of quadrants: of a town of 50 km, the smallest are below a metre."""

_EDGE = 1e-9


@dataclass(frozen=True, eq=False)
class QuadrantGrid:
    """A square with quadrants; a cell of a level is numbered by its column and row."""

    west: float
    south: float
    side: float
    column: Ints
    row: Ints
    place: Ints
    """The number of the exact place of each user: users at one spot share it."""

    @classmethod
    def around(cls, x: Floats, y: Floats) -> "QuadrantGrid":
        """Lay the smallest square with whole metres around some users."""
        west, south = np.floor(x.min()), np.floor(y.min())
        side = max(float(np.ceil(max(x.max() - west, y.max() - south))), 1.0) * (1.0 + _EDGE)
        fine = 1 << DEEPEST
        column = np.clip(((x - west) / side * fine).astype(np.int64), 0, fine - 1)
        row = np.clip(((y - south) / side * fine).astype(np.int64), 0, fine - 1)
        place = np.unique(np.column_stack([x, y]), axis=0, return_inverse=True)[1].reshape(-1)
        return cls(float(west), float(south), side, column, row, place.astype(np.int64))

    def cells(self, level: int) -> Ints:
        """Number the cell of every user at a level; 0 is the whole square."""
        shift = DEEPEST - level
        return (self.column >> shift << level) | (self.row >> shift)

    def side_at(self, level: int) -> float:
        """Give the side of a cell of a level in metres."""
        return self.side / (1 << level)

    def counts(self, cells: Ints) -> tuple[Ints, Ints]:
        """Count users and different places in the cell of every user."""
        _kinds, of = np.unique(cells, return_inverse=True)
        pairs = np.unique(np.column_stack([of.reshape(-1), self.place]), axis=0)[:, 0]
        return np.bincount(of.reshape(-1))[of.reshape(-1)], np.bincount(pairs)[of.reshape(-1)]

    def boxes(self, columns: Ints, rows: Ints, level: Ints, wide: Ints | int = 1, high: Ints | int = 1) -> Floats:
        """Give the boxes of cells, or of as many beside each other, in metres."""
        side = self.side / np.exp2(level)
        # Each edge by one product: those of nested cells are then the same number, to the last bit.
        edges = [columns * side, rows * side, (columns + wide) * side, (rows + high) * side]
        found: Floats = np.column_stack(edges) + np.array([self.west, self.south, self.west, self.south])
        return found


def hilbert_index(column: Ints, row: Ints) -> Ints:
    """Give the place of each finest cell along the Hilbert curve, which keeps near cells near (Hilbert 1891).

    >>> hilbert_index(np.array([0, 0, 65535]), np.array([0, 65535, 0])).tolist()
    [0, 1431655765, 4294967295]
    """
    x, y = column.copy(), row.copy()
    found = np.zeros(len(x), dtype=np.int64)
    size = 1 << DEEPEST
    half = size >> 1
    while half:
        right, up = (x & half) > 0, (y & half) > 0
        found += half * half * ((3 * right) ^ up)
        turn = ~up
        flip = turn & right
        x, y = np.where(flip, size - 1 - x, x), np.where(flip, size - 1 - y, y)
        x, y = np.where(turn, y, x), np.where(turn, x, y)
        half >>= 1
    return found


def query_positions(places: Places, queries: int = 1, moment: float = 1.0) -> tuple[Floats, Floats]:
    """Give where everybody is at each query: the last one when so large a part of the time there is has passed.

    Several are spread over the time before it. Who was not seen before a query is where they are seen first.
    """
    _people, x, y = places.latest()
    if not places.has_time or (queries == 1 and moment == 1):
        return np.repeat(x[None], queries, axis=0), np.repeat(y[None], queries, axis=0)
    owner = places.person_of[places.track_of]
    order = np.lexsort((places.t, owner))
    who, begins = np.unique(owner[order], return_index=True)
    first = float(places.t.min())
    instants = np.linspace(first, first + moment * (float(places.t.max()) - first), queries + 1)[1:]
    xs, ys = [], []
    for instant in instants.tolist():
        seen = np.bincount(np.searchsorted(who, owner[places.t <= instant]), minlength=len(who))
        at = order[begins + np.maximum(seen - 1, 0)]
        xs.append(places.x[at])
        ys.append(places.y[at])
    return np.array(xs), np.array(ys)


def spots_parameter() -> Any:
    """Ask for different places in a region."""
    return param(
        Int(low=1, high=1000), default=2, label="Different places (l)",
        help="Fewest different places in a region, against k people at one spot.", series=(1, 2, 5),
    )  # fmt: skip


def least_side_parameter() -> Any:
    """Ask for regions that are not too small."""
    return param(
        Float(low=0, high=1e6), default=0.0, label="Smallest side in metres",
        help="No region is smaller than a square of this side.", series=(0, 100, 500),
    )  # fmt: skip


def moment_parameter() -> Any:
    """Ask when everybody asks."""
    return param(
        Float(low=0, high=1), default=1.0, label="Moment of the query",
        help="How much of the time in the file has passed when everybody asks: 1 is the last place known of each.",
    )  # fmt: skip
