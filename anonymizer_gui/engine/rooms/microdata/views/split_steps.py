"""How a top-down or partitioning run came to its classes: a tree of parts, each with the value it was split by."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Role, Table
from anonymizer_gui.engine.hierarchy.coverage import flat_domain
from anonymizer_gui.engine.hierarchy.leaf_encoding import encode_column
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.partition import Splits
from anonymizer_gui.engine.rooms.microdata.algorithms.top_down.local import SplitTree
from anonymizer_gui.engine.rooms.microdata.release import Release

Ints = npt.NDArray[np.int64]
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
    return isinstance(release.recoding.search, SplitTree | Splits)


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
    assert isinstance(search, Splits)
    return _of_mondrian(search, release, columns, trees)


def _of_top_down(search: SplitTree, trees: list[Hierarchy]) -> SplitSteps:
    column = np.where(search.parent >= 0, search.split_on[search.parent], -1)
    labels = [
        "" if j < 0 else trees[j].labels[search.nodes[part, j]] for part, j in enumerate(column.tolist())
    ]  # fmt: skip
    return _joined(search.columns, search.parent, column, tuple(labels), search.sizes, search.published)


def _of_mondrian(search: Splits, release: Release, columns: Names, trees: list[Hierarchy]) -> SplitSteps:
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
