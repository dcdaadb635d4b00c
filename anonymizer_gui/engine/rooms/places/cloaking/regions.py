"""Regions that stand for points: who is in which, where everybody was, and how large and how shared regions are."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.places.places import Floats, Ints, Places

SIDE_QUANTILE = 0.9


@dataclass(frozen=True, eq=False)
class Regions:
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
        found = [users_in(self.x[q], self.y[q], self.box[q]) for q in range(self.n_queries)]
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
        return users_in(places[:, 0], places[:, 1], self.box[0])

    def reciprocal(self, k: int) -> float:
        """Give the share of users whose region at least k users send."""
        return float((self.senders >= k).mean()) if self.n_users else 1.0


def users_in(x: Floats, y: Floats, boxes: Floats) -> Ints:
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


def enough_users(places: Places, k: int) -> None:
    """Raise Infeasible when there are fewer people than must be in a region."""
    if places.n_people < k:
        raise Infeasible(
            message("There are only {people:person|people}, fewer than the {k} that every region must hold.",
                people=places.n_people, k=k),
            message("Choose a k of at most {people}.", people=places.n_people), "k", str(places.n_people),
        )  # fmt: skip


def enough_spots(x: Floats, y: Floats, spots: int) -> None:
    """Raise Infeasible when people are at fewer different places than must be in a region."""
    there = len(np.unique(np.column_stack([x, y]), axis=0))
    if there < spots:
        raise Infeasible(
            message("All people together are at {there:different place|different places}, fewer than the {spots} that "
                "every region must hold.", there=there, spots=spots),
            message("Choose at most {there} for different places (l).", there=there), "spots", str(there),
        )  # fmt: skip
