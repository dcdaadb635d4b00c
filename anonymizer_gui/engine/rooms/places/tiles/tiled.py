"""Sets of tiles and slots: what leaves of everybody's visits, and what it cost."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anonymizer_gui.engine.data.places.places import Ints

Node = tuple[int, int, int, int]
"""A level, column and row of a square of tiles, and a number of slots; the finest are of level 0."""
DAY = "day"
_SECONDS = 86_400
FOLDS = {DAY: (0, _SECONDS), "week": (3 * _SECONDS, 7 * _SECONDS), "none": (0, 0)}
"""By how many seconds times are shifted, so that weeks begin on Monday, and after how many they begin anew."""


@dataclass(frozen=True, eq=False)
class Tiled:
    """Rows of a person's number and a node, every pair once; nodes are given by their number in `nodes`."""

    people: int
    published: Ints
    nodes: tuple[Node, ...]
    tile: float
    slot: float
    clock: str
    known: int
    visits: int
    deleted: int
    loss: float
    kinds: int
    """How many different tiles and slots there were."""

    @property
    def kinds_left(self) -> int:
        """How many different ones are told."""
        return len(np.unique(self.published[:, 1]))

    @cached_property
    def sets(self) -> tuple[tuple[Node, ...], ...]:
        """What is told of each person of whom anything is, in an order that tells nothing."""
        held: dict[int, list[Node]] = {}
        for person, node in self.published.tolist():
            held.setdefault(person, []).append(self.nodes[node])
        return tuple(sorted(tuple(sorted(nodes)) for nodes in held.values()))

    def box(self, node: Node) -> tuple[float, float, float, float]:
        """Give west, south, east and north of a node in metres."""
        level, x, y, _slot = node
        side = self.tile * (1 << level)
        return x * side, y * side, (x + 1) * side, (y + 1) * side

    def span(self, node: Node) -> tuple[float, float]:
        """Give the seconds from which to which a node reaches."""
        level, _x, _y, slot = node
        wide = self.slot * 4 ** (level // 2)
        fold = FOLDS[self.clock][1]
        return slot * wide, min((slot + 1) * wide, fold) if fold else (slot + 1) * wide
