"""A hierarchy under change: nodes are added, moved and dropped, then arranged into a new tree."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.data.tables.values import parse_by_type
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval


class Draft:
    """The nodes of a hierarchy in arrays that may change; node numbers stay those of the hierarchy."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self.labels = list(hierarchy.labels)
        self.parents = hierarchy.parents.astype(np.int64)
        self.keys = np.arange(len(hierarchy), dtype=np.float64)
        self.intervals = dict(hierarchy.intervals)
        self.alive = np.ones(len(hierarchy), dtype=np.bool_)
        self.is_value = hierarchy.is_leaf.copy()
        self.is_value[0] = False

    def add(self, parents: Iterable[int], labels: Iterable[str], key: float, is_value: bool) -> npt.NDArray[np.int64]:
        """Add nodes, values or groups, in the given place among their siblings; give their numbers."""
        first = len(self.labels)
        self.labels.extend(labels)
        self.parents = np.append(self.parents, np.fromiter(parents, np.int64))
        new = np.arange(first, len(self.labels))
        self.keys = np.append(self.keys, np.full(len(new), key))
        self.alive = np.append(self.alive, np.ones(len(new), dtype=np.bool_))
        self.is_value = np.append(self.is_value, np.full(len(new), is_value))
        return new

    def place(self, nodes: npt.ArrayLike, parent: int, key: float | None = None) -> None:
        """Put nodes under a parent, at a place among the siblings or at their old place."""
        at = np.asarray(nodes, dtype=np.int64)
        self.parents[at] = parent
        if key is not None:
            self.keys[at] = key

    def drop(self, nodes: npt.ArrayLike) -> None:
        """Leave nodes out of the new tree."""
        self.alive[np.asarray(nodes, dtype=np.int64)] = False

    def finish(self) -> Hierarchy:
        """Arrange the tree; groups left empty go.

        Raises BadHierarchy when no value or no tree is left, or a label stands twice.
        """
        self._drop_empty_groups()
        if not self.alive[1:].any():
            raise BadHierarchy("This would leave the hierarchy without any value.")
        kept = np.flatnonzero(self.alive)
        new_id = np.full(len(self.labels) + 1, -1, dtype=np.int64)
        new_id[kept] = np.arange(len(kept))
        return Hierarchy.arranged(
            [self.labels[node] for node in kept.tolist()],
            new_id[self.parents[kept]],
            self.keys[kept],
            {int(new_id[node]): each for node, each in self.intervals.items() if self.alive[node]},
        )

    def _drop_empty_groups(self) -> None:
        while True:
            held = self.parents[self.alive & (self.parents >= 0)]
            children = np.bincount(held, minlength=len(self.labels))
            empty = self.alive & ~self.is_value & (children == 0)
            empty[0] = False
            if not empty.any():
                return
            self.alive &= ~empty

    def forget_broken_intervals(self, nodes: Sequence[int]) -> None:
        """Take away the intervals above nodes that came from elsewhere where the nodes do not lie in them."""
        if not self.intervals:
            return
        points = parse_by_type([self.labels[node] for node in nodes]).tolist()
        for node, point in zip(nodes, points, strict=True):
            inner = self.intervals.get(node) or Interval(point, point, closed=True)
            above = int(self.parents[node])
            while above >= 0:
                outer = self.intervals.get(above)
                if outer is not None and not outer.covers(inner):
                    del self.intervals[above]
                above = int(self.parents[above])


def descendants(hierarchy: Hierarchy, node: int) -> npt.NDArray[np.integer[Any]]:
    """List the nodes below a node."""
    return np.arange(node + 1, int(hierarchy.subtree_end[node]))
