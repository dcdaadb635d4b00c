"""The cut through the tree of items: what is published, what lies above and below, and how many baskets hold each."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.baskets.release import Release

Side = Literal["above", "published", "below"]
_OFTEN = 64


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the tree, its parent before it; how many baskets held something of it, and are published with it."""

    label: str
    parent: int
    side: Side
    before: int
    after: int

    @property
    def is_gone(self) -> bool:
        """Whether it would be published and was deleted from every basket that had it."""
        return self.side == "published" and self.before > 0 and self.after == 0


@dataclass(frozen=True, slots=True)
class Cut:
    """The first nodes of a tree, parents before their children, with the side of the cut each is on."""

    nodes: tuple[Node, ...]
    all: int
    """How many nodes the tree has."""
    is_one: bool
    """Whether one cut goes through the tree; with local clustering each group of baskets has its own."""


def cut_in(release: Release, most: int, progress: Progress = SILENT) -> Cut:
    """Look at the tree of a release, node by node."""
    data, cut = release.data, release.recoding.cut
    tree = data.tree
    after = np.bincount(release.recoding.held(data).values, minlength=len(tree))
    published = set((np.unique(cut) if cut is not None else np.flatnonzero(after)).tolist())
    nodes: list[Node] = []
    for node in range(min(len(tree), most)):
        if node % _OFTEN == 0:
            progress(node / len(tree), "Counting the tree")
        parent = int(tree.parents[node])
        is_below = cut is not None and parent >= 0 and nodes[parent].side != "above"
        side: Side = "below" if is_below else "published" if node in published else "above"
        before = int(np.unpackbits(data.bits(node)).sum())
        nodes.append(Node(tree.labels[node], parent, side, before, int(after[node])))
    return Cut(tuple(nodes), len(tree), cut is not None)
