"""What a search saw: lattice, splits, distance from the best."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.normalisation import merge_homographs_in
from anonymizer_gui.engine.data.tables.table import SUPPRESSED, Role, Table
from anonymizer_gui.engine.hierarchy.coverage import flat_domain
from anonymizer_gui.engine.hierarchy.leaf_encoding import encode_column
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.best_loss import SearchCurve
from anonymizer_gui.engine.rooms.microdata.algorithms.encoding import encode_table, goal_set_for
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import RANGE_NODE
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice import CHOSEN, PRUNED, SATISFIED, STATES, Lattice
from anonymizer_gui.engine.rooms.microdata.algorithms.loss_bound import loss_bound
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import SplitHistory
from anonymizer_gui.engine.rooms.microdata.algorithms.top_down import SplitTree
from anonymizer_gui.engine.rooms.microdata.release.release import Release

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


def layout_lattice(lattice: Lattice, only_checked: bool, progress: Progress = SILENT) -> LatticeMap:
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


def search_facts(lattice: Lattice) -> LatticeFacts:
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


Names = tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SplitSteps:
    """Every part there ever was: its parent (-1: none), the column and value that tell it from its siblings, its rows.

    `split_on` is the column it was split by itself (-1: none); `published` its class in the release (-1: none).
    `children[starts[p]:starts[p + 1]]` are the parts of part p, those of most rows first.
    """

    columns: Names
    parent: Ints
    column: Ints
    labels: Names
    rows: Ints
    split_on: Ints
    published: Ints
    children: Ints
    starts: Ints

    @property
    def roots(self) -> Ints:
        """The parts the run began with."""
        return np.flatnonzero(self.parent < 0)

    def children_of(self, part: int) -> Ints:
        """Give the parts a part was split into."""
        return self.children[self.starts[part] : self.starts[part + 1]]


def has_steps(release: Release) -> bool:
    """Tell whether the run left a tree of its splits."""
    return isinstance(release.recoding.search, SplitTree | SplitHistory)


def is_specialization(release: Release) -> bool:
    """Tell whether the splits went down the hierarchies, rather than cut between values."""
    return isinstance(release.recoding.search, SplitTree)


def split_steps(release: Release, original: Table, progress: Progress = SILENT) -> SplitSteps:
    """Give the tree of splits of a run for which `has_steps` holds."""
    schema = release.project.schema
    columns = schema.names(Role.QI)
    trees = []
    for done, name in enumerate(columns):
        progress(0.5 * done / len(columns), message("Reading “{name}”", name=name))
        raw, entry = original.column(name), schema.column(name)
        trees.append(
            encode_column(raw, release.project.hierarchies.get(name) or flat_domain(raw, entry), entry).hierarchy
        )
    progress(0.5, "Building the tree")
    search = release.recoding.search
    if isinstance(search, SplitTree):
        return _of_top_down(search, trees)
    assert isinstance(search, SplitHistory)
    return _of_mondrian(search, release, columns, trees)


def _of_top_down(search: SplitTree, trees: list[Hierarchy]) -> SplitSteps:
    column = np.where(search.parent >= 0, search.split_on[search.parent], -1)
    labels = [
        "" if j < 0 else trees[j].labels[search.nodes[part, j]] for part, j in enumerate(column.tolist())
    ]  # fmt: skip
    return _joined(search.columns, search.parent, column, tuple(labels), search.sizes, search.published)


def _of_mondrian(search: SplitHistory, release: Release, columns: Names, trees: list[Hierarchy]) -> SplitSteps:
    n_parts = int(max(search.child.max(initial=-1), search.partition.max(initial=-1))) + 1
    parent, column = np.full(n_parts, -1, dtype=np.int64), np.full(n_parts, -1, dtype=np.int64)
    parent[search.child], column[search.child] = search.parent, search.column
    labels = [""] * n_parts
    edges = zip(search.child.tolist(), search.column.tolist(), search.low.tolist(), search.high.tolist(), strict=True)
    for child, j, low, high in edges:
        leaves = trees[j].leaf_labels
        labels[child] = leaves[low] if low == high else f"{leaves[low]} … {leaves[high]}"
    published = np.full(n_parts, -1, dtype=np.int64)
    published[search.partition] = np.arange(len(search.partition))
    rows = np.zeros(n_parts, dtype=np.int64)
    classes = release.recoding.class_of_row
    rows[search.partition] = np.bincount(classes[classes >= 0], minlength=len(search.partition))
    return _joined(columns, parent, column, tuple(labels), _with_parts(rows, parent), published)


def _with_parts(rows: Ints, parent: Ints) -> Ints:
    """Add the rows of every part to all it came from."""
    total, depth, above = rows.copy(), np.zeros(len(parent), dtype=np.int64), parent.copy()
    while (above >= 0).any():
        depth[above >= 0] += 1
        above = np.where(above >= 0, parent[above], -1)
    for level in range(int(depth.max(initial=0)), 0, -1):
        here = np.flatnonzero(depth == level)
        np.add.at(total, parent[here], total[here])
    return total


def _joined(columns: Names, parent: Ints, column: Ints, labels: Names, rows: Ints, published: Ints) -> SplitSteps:
    split_on = np.full(len(parent), -1, dtype=np.int64)
    inner = np.flatnonzero(parent >= 0)
    split_on[parent[inner]] = column[inner]
    children = np.lexsort((-rows[inner], parent[inner]))
    starts = np.searchsorted(parent[inner][children], np.arange(len(parent) + 1))
    return SplitSteps(columns, parent, column, labels, rows, split_on, published, inner[children], starts)


def loss_bound_of_release(
    release: Release, table: Table, population: Table | None, progress: Progress = SILENT
) -> float | None:
    """Give the proven bound for the settings of a release; None where ranges of no hierarchy were published.

    None, too, where there are too many combinations to prove one, and where sets lose something besides. What the
    search of the release has proven counts as well, where that is more.
    """
    if (release.recoding.node == RANGE_NODE).any() or release.project.schema.sets:
        return None
    merged = merge_homographs_in(table, release.project.schema.names(Role.SA))
    encoded = encode_table(merged, release.project, population, progress.sub(0.0, 0.1))
    least = loss_bound(encoded, goal_set_for(encoded, release.project, merged), progress.sub(0.1, 1.0))
    way = release.recoding.search
    known = way.bound if isinstance(way, SearchCurve) else None
    return max((bound for bound in (least, known) if bound is not None), default=None)
