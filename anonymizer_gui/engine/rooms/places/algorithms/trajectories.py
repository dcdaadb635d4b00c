"""Never Walk Alone; visits as tiles under k^m.

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
from anonymizer_gui.engine.data.places.places import Floats, Ints, Places
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.places.algorithms.contract import ALGORITHMS, TILES, TRACKS, Algorithm, PlaceDemands
from anonymizer_gui.engine.rooms.places.trajectories import (
    DAY,
    FAR,
    FOLDS,
    Node,
    TiledVisits,
    TrajectoryClass,
    TrajectoryClasses,
    cluster_trajectories,
    resample,
)
from anonymizer_gui.engine.sets.apriori import anonymise_without_root
from anonymizer_gui.engine.sets.encoding import DELETED, EncodedTransactions
from anonymizer_gui.engine.sets.encoding import ItemsetDemands as WantedOfSets

RELATIVE, ABSOLUTE = "relative", "absolute"

_MARGIN = 0.2
"""Metres a disc is smaller than allowed, for published numbers are rounded."""


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class NeverWalkAlone(Algorithm):
    """Tracks over the same time in groups of k people; with a delta of 0 all of a group become the same track."""

    name: ClassVar[str] = "nwa"
    title: ClassVar[str] = "Never Walk Alone"
    summary: ClassVar[str] = (
        "Groups k near tracks and publishes the same track for all of them; who is too far is lost."
    )
    way: ClassVar[str] = TRACKS
    needs_time: ClassVar[bool] = True
    is_usual: ClassVar[bool] = True

    delta: float = param(
        Float(low=0, high=1e6), default=0.0, label="Uncertainty (delta) in metres",
        help="0: k identical tracks. Above, tracks of a group differ by up to this at any time, which protects only "
        "as long as nobody knows places more exactly.", series=(0, 100, 200, 500),
    )  # fmt: skip
    time: str = param(
        Choice({RELATIVE: "Relative: only the time since the start is published", ABSOLUTE: "Absolute"}),
        default=RELATIVE, label="Time", help="Absolute times group only tracks over the same time of the same day.",
    )  # fmt: skip
    step: float = param(
        Float(low=0, high=86_400), default=0.0, label="Seconds between points",
        help="Of what is published; 0 takes the usual step of the file.",
    )  # fmt: skip
    trim: float = param(
        Float(low=0, high=100_000), default=0.0, label="Trim ends by metres",
        help="Leaves out the beginning and the end of each track near its first and last point: home.",
        series=(0, 100, 200, 500),
    )  # fmt: skip
    most_lost: float = param(
        Float(low=0.0, high=1.0), default=0.1, label="Share of far tracks that may be lost",
        help="The radius of groups grows until no more are lost: fewer lost tracks are moved farther.",
    )  # fmt: skip

    def metres_apart(self) -> float:
        """Give the uncertainty it relies on."""
        return self.delta

    def run(self, places: Places, wanted: PlaceDemands, progress: Progress) -> TrajectoryClasses:
        """Bring tracks to common instants, group them, and move each group together; raises Infeasible."""
        progress(0.0, "Bringing tracks to common times")
        is_relative = self.time == RELATIVE
        found = resample(places, wanted.k, self.step, self.trim, is_relative=is_relative)
        classes, lost = [], dict(found.lost)
        for at, (span, (tracks, at_instants)) in enumerate(found.spans.items()):
            part = progress.sub(0.1 + 0.9 * at / len(found.spans), 0.1 + 0.9 * (at + 1) / len(found.spans))
            there, numbers = np.array(at_instants), np.array(tracks, dtype=np.int64)
            groups, left = cluster_trajectories(there, places.person_of[numbers], wanted.k, self.most_lost, part)
            lost |= {int(numbers[track]): FAR for track in left}
            times = (np.arange(span.steps + 1) + span.first) * found.step
            classes += [self._class(numbers, there, times, np.array(group, dtype=np.int64)) for group in groups]
        if not classes:
            raise Infeasible(
                message("No {k} tracks can be put together.", k=wanted.k),
                "Choose a smaller k, or relative time." if not is_relative else "Choose a smaller k.", "k", "",
            )  # fmt: skip
        return TrajectoryClasses(
            tuple(classes), lost, len(places), is_relative, self.delta, found.step, found.cut, found.trimmed
        )

    def _class(self, numbers: Ints, there: Floats, times: Floats, group: Ints) -> TrajectoryClass:
        true = there[group]
        return TrajectoryClass(numbers[group], times, true, move_to_disc(true, self.delta))


def move_to_disc(true: Floats, delta: float) -> Floats:
    """Move every point onto the disc of half of delta around the mean of its group at that time."""
    middle = true.mean(axis=0, keepdims=True)
    reach = max(delta / 2 - _MARGIN, 0.0)
    away = true - middle
    far = np.sqrt((away**2).sum(axis=2, keepdims=True))
    found: Floats = middle + away * np.minimum(1.0, reach / np.maximum(far, 1e-12))
    return found


_LEVELS = 6

_ROOT = (99, 0, 0, 0)


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class TileGeneralisation(Algorithm):
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

    def run(self, places: Places, wanted: PlaceDemands, progress: Progress) -> TiledVisits:
        """Make sets of tiles and slots, and raise them along their tree; raises Infeasible."""
        progress(0.0, "Making tiles and slots")
        leaves, of_point = self._leaves(places)
        tree, number = tile_tree(leaves)
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
        return TiledVisits(
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


def parent_tile(node: Node) -> Node:
    """Give the node above: tiles grow to squares of four, and at every second step slots to four of them."""
    level, x, y, slot = node
    return level + 1, x >> 1, y >> 1, slot >> 2 if level % 2 else slot


def tile_tree(leaves: list[Node]) -> tuple[Hierarchy, Ints]:
    """Make the tree above some leaves, and number them as the tree does."""
    below: dict[Node, set[Node]] = {_ROOT: set()}
    for leaf in leaves:
        node = leaf
        for _level in range(_LEVELS):
            below.setdefault(parent_tile(node), set()).add(node)
            node = parent_tile(node)
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
