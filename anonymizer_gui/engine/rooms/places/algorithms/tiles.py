"""Tiles and slots: sparse visits become sets of tiles at times, grouped until a few known visits fit k people.

The sets are made k^m-anonymous by AA-R (Terrovitis, Mamoulis and Kalnis, VLDB 2008) along a tree in which tiles grow to
squares of tiles and slots to parts of the day.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Float, Int, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.places import Ints, Places
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.places.algorithms.contract import ALGORITHMS, TILES, Algorithm, Wanted
from anonymizer_gui.engine.rooms.places.tiles.tiled import DAY, FOLDS, Node, Tiled
from anonymizer_gui.engine.sets.apriori import anonymise_without_root
from anonymizer_gui.engine.sets.encoding import DELETED, EncodedTransactions
from anonymizer_gui.engine.sets.encoding import ItemsetDemands as WantedOfSets

_LEVELS = 6
_ROOT = (99, 0, 0, 0)


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class Tiles(Algorithm):
    """Publishes for everybody the tiles and slots they were in, coarser where few were."""

    name: ClassVar[str] = "tiles"
    title: ClassVar[str] = "Tiles and slots (AA-R)"
    summary: ClassVar[str] = (
        "Turns visits into tiles and slots of time and makes them coarser until a few known visits fit k people."
    )
    way: ClassVar[str] = TILES
    needs_time: ClassVar[bool] = True
    is_usual: ClassVar[bool] = True

    known: int = param(
        Int(low=1, high=3), default=2, label="Known visits (m)", help="Most visits of somebody that may be known.",
        series=(1, 2, 3),
    )  # fmt: skip
    tile: float = param(
        Float(low=1, high=1e6), default=500.0, label="Side of a tile in metres", help="How exactly the place is told.",
        series=(250, 500, 1000, 2000),
    )  # fmt: skip
    slot: float = param(
        Float(low=1, high=1440), default=60.0, label="Length of a slot in minutes",
        help="How exactly the time is told.",
        series=(15, 30, 60, 240),
    )  # fmt: skip
    clock: str = param(
        Choice({DAY: "Time of the day", "week": "Time of the week", "none": "Date and time"}), default=DAY,
        label="Times", help="What is told of a time: the less, the more people share it.",
    )  # fmt: skip
    delete: float = param(
        Float(low=0, high=1), default=0.05, label="Deletions", help="Share of visits that may be deleted.",
        series=(0.0, 0.01, 0.05, 0.1),
    )  # fmt: skip

    def known_visits(self) -> int:
        """Give m."""
        return self.known

    def run(self, places: Places, wanted: Wanted, progress: Progress) -> Tiled:
        """Make sets of tiles and slots, and raise them along their tree; raises Infeasible."""
        progress(0.0, "Making tiles and slots")
        leaves, of_point = self._leaves(places)
        tree, number = tree_of(leaves)
        pairs = np.unique(np.column_stack([places.person_of[places.track_of], number[of_point]]), axis=0)
        people = np.unique(pairs[:, 0])
        data = EncodedTransactions(
            tree, len(people), np.searchsorted(people, pairs[:, 0]), pairs[:, 1].astype(np.int32),
            np.arange(len(pairs), dtype=np.int64),
        )  # fmt: skip
        found = anonymise_without_root(
            data, WantedOfSets(k=wanted.k, m=self.known), self.delete, progress.sub(0.1, 1.0)
        )
        needed = found.needed if found.recoding is None else found.recoding.deleted() / max(len(pairs), 1)
        if found.recoding is None or needed == 1:
            raise Infeasible(
                message("{share:.0%} of the visits would have to be deleted.", share=needed),
                "Allow more deletions, choose larger tiles and slots, or a smaller k.", "k", "",
            )  # fmt: skip
        became = found.recoding.became
        kept = became != DELETED
        published = np.unique(np.column_stack([data.basket_of[kept], became[kept]]), axis=0)
        nodes = tuple(_node_in(label) for label in tree.labels)
        counts = np.bincount(data.leaves, minlength=tree.n_leaves)
        return Tiled(
            len(people), published, nodes, self.tile, self.slot * 60.0, self.clock, self.known, len(pairs),
            int((~kept).sum()), found.recoding.loss(data), int((counts > 0).sum()),
        )  # fmt: skip

    def _leaves(self, places: Places) -> tuple[list[Node], Ints]:
        """Give the finest tiles and slots there are, and which of them each point is in."""
        shift, fold = FOLDS[self.clock]
        t = places.t + shift if not fold else (places.t + shift) % fold
        cells = np.column_stack([places.x // self.tile, places.y // self.tile, t // (self.slot * 60.0)])
        kinds, of = np.unique(cells.astype(np.int64), axis=0, return_inverse=True)
        return [(0, int(x), int(y), int(slot)) for x, y, slot in kinds], of.reshape(-1)


def above(node: Node) -> Node:
    """Give the node above: tiles grow to squares of four, and at every second step slots to four of them."""
    level, x, y, slot = node
    return level + 1, x >> 1, y >> 1, slot >> 2 if level % 2 else slot


def tree_of(leaves: list[Node]) -> tuple[Hierarchy, Ints]:
    """Make the tree above some leaves, and number them as the tree does."""
    below: dict[Node, set[Node]] = {_ROOT: set()}
    for leaf in leaves:
        node = leaf
        for _level in range(_LEVELS):
            below.setdefault(above(node), set()).add(node)
            node = above(node)
        below[_ROOT].add(node)
    nodes, parents, waiting = list[Node](), list[int](), [(_ROOT, -1)]
    while waiting:  # each node before those below it
        node, parent = waiting.pop()
        nodes.append(node)
        parents.append(parent)
        waiting += [(child, len(nodes) - 1) for child in sorted(below.get(node, ()), reverse=True)]
    tree = Hierarchy([_label(node) for node in nodes], parents)
    number = tree.leaf_number
    return tree, np.array([number[_label(leaf)] for leaf in leaves], dtype=np.int64)


def _label(node: Node) -> str:
    return " ".join(map(str, node))


def _node_in(label: str) -> Node:
    level, x, y, slot = map(int, label.split())
    return level, x, y, slot
