"""A lattice laid out for drawing: one row per height, in it the nodes of least loss first."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import SUPPRESSED
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.lattice import CHOSEN, PRUNED, SATISFIED, STATES, Lattice

Ints = npt.NDArray[np.int64]
Keys = npt.NDArray[np.bytes_]
MOST_NODES = 20_000
"""Above so many nodes only those that were checked are laid out at first."""
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class LatticeMap:
    """Where each node of a lattice stands.

    `nodes[starts[r]:starts[r + 1]]` are the nodes of row r; row 0 is the most general. `row` and `place` tell where
    a node stands, -1 when it is not laid out. `height` is the sum of levels of each row, `top` the largest levels.
    """

    lattice: Lattice
    nodes: Ints
    starts: Ints
    height: Ints
    row: Ints
    place: Ints
    top: Ints
    keys: Keys
    by_key: Ints

    @property
    def widest(self) -> int:
        """The number of nodes in the longest row."""
        return int(np.diff(self.starts).max(initial=0))

    def in_row(self, row: int) -> Ints:
        """Give the nodes of a row."""
        return self.nodes[self.starts[row] : self.starts[row + 1]]

    def neighbours(self, node: int, step: int) -> Ints:
        """Give the nodes with one level more (step 1) or less (step -1) in one column, those of least loss first."""
        levels = self.lattice.levels[node].astype(np.int64)
        around = levels + step * np.eye(len(levels), dtype=np.int64)
        found = self._find(around)
        found = found[found >= 0]
        return found[np.argsort(self.lattice.lm[found], kind="stable")]

    def _find(self, levels: Ints) -> Ints:
        inside = ((levels >= 0) & (levels <= self.top)).all(axis=1)
        key = _keys(np.clip(levels, 0, self.top))
        at = np.minimum(np.searchsorted(self.keys, key), max(len(self.keys) - 1, 0))
        if not len(self.keys):
            return np.full(len(levels), -1, dtype=np.int64)
        return np.where(inside & (self.keys[at] == key), self.by_key[at], -1)


@dataclass(frozen=True, slots=True)
class LatticeFacts:
    """What a search did: nodes laid out or known, checked, satisfying; whether the chosen one is proven best.

    `second` is the node of least loss that satisfies beside the chosen one, -1 when there is none.
    """

    nodes: int
    checked: int
    satisfied: int
    proven: bool
    second: int


def lay_out(lattice: Lattice, only_checked: bool, progress: Progress = SILENT) -> LatticeMap:
    """Put the nodes in rows; `only_checked` leaves out those that were pruned."""
    progress(0.0, "Laying the lattice out")
    shown = np.flatnonzero(lattice.state != PRUNED) if only_checked else np.arange(len(lattice.state))
    levels = lattice.levels[shown].astype(np.int64)
    heights = levels.sum(axis=1)
    order = np.lexsort((lattice.lm[shown], -heights))
    progress(0.5, "Laying the lattice out")
    nodes, falling = shown[order], -heights[order]
    height, starts = np.unique(falling, return_index=True)
    row, place = (np.full(len(lattice.state), -1, dtype=np.int64) for _ in range(2))
    row[nodes] = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(nodes))))
    place[nodes] = np.arange(len(nodes)) - starts[row[nodes]] if len(nodes) else nodes
    top = lattice.levels.max(axis=0, initial=0).astype(np.int64)
    keys = _keys(levels)
    by_key = np.argsort(keys)
    bounds = np.append(starts, len(nodes)).astype(np.int64)
    return LatticeMap(lattice, nodes, bounds, -height, row, place, top, keys[by_key], shown[by_key])


def facts(lattice: Lattice) -> LatticeFacts:
    """Sum up what a search saw."""
    checked = int(np.count_nonzero(lattice.state != PRUNED))
    fine = np.flatnonzero(lattice.state == SATISFIED)
    second = int(fine[lattice.lm[fine].argmin()]) if len(fine) else -1
    proven = bool(lattice.lm[lattice.chosen] <= lattice.bound + _ROUNDING)
    return LatticeFacts(len(lattice.state), checked, len(fine) + 1, proven, second)


def state_of(lattice: Lattice, node: int) -> str:
    """Name the state of a node: pruned, violated, satisfied or chosen."""
    return STATES[int(lattice.state[node])]


def count_states(lattice: Lattice) -> dict[str, int]:
    """Count the nodes of each state."""
    counts = np.bincount(lattice.state, minlength=CHOSEN + 1).tolist()
    return dict(zip(STATES, counts, strict=True))


def _keys(levels: Ints) -> Keys:
    """Write the levels of each node as one text of bytes: there is no limit to the number of columns."""
    narrow = np.ascontiguousarray(levels, dtype=np.uint8)
    return np.asarray(narrow.view(f"S{max(levels.shape[1], 1)}").reshape(-1), dtype=np.bytes_)


def example_of_level(tree: Hierarchy | None, level: int) -> str:
    """Give a label of a level, to show what it looks like; without a hierarchy a value or `*`."""
    if tree is None:
        return SUPPRESSED if level else ""
    table = tree.level_table()
    return tree.labels[int(table[min(level, len(table) - 1)][tree.n_leaves // 2])]


def node_with(lattice: Lattice, levels: Mapping[str, int]) -> int:
    """Give the node with these levels (a column without one is at its top), or the chosen one when it is not there."""
    top = lattice.levels.max(axis=0)
    wanted = np.array([levels.get(name, int(top[j])) for j, name in enumerate(lattice.columns)])
    found = np.flatnonzero((lattice.levels == wanted).all(axis=1))
    return int(found[0]) if len(found) else lattice.chosen
