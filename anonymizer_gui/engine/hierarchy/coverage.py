"""What a published cell covers: the leaves of the column's hierarchy that its label stands for."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.dictionary_encoding import text_order
from anonymizer_gui.engine.data.tables.table import MISSING, SUPPRESSED, Column, ColumnSchema, ColumnType
from anonymizer_gui.engine.data.tables.values import parse_by_type
from anonymizer_gui.engine.hierarchy.encode import find_leaves, with_missing
from anonymizer_gui.engine.hierarchy.foreign_labels import ForeignLabels
from anonymizer_gui.engine.hierarchy.tiles import tiles_of
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

NUMBERS_AND_DATES = (ColumnType.INTEGER, ColumnType.DECIMAL, ColumnType.DATE)
Leaves = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """A published column in its hierarchy: first and last leaf of every label, both included, and its node.

    The node of a label is the lowest of its name that covers those leaves; of a label that names none, as a range,
    the lowest that does.
    """

    hierarchy: Hierarchy
    low: Leaves
    high: Leaves
    nodes: Leaves

    @property
    def widths(self) -> Leaves:
        """The number of leaves each label covers."""
        return self.high - self.low + 1

    @property
    def loss(self) -> npt.NDArray[np.float64]:
        """The LM of each label: (values covered - 1) / (domain - 1)."""
        return (self.high - self.low) / max(self.hierarchy.n_leaves - 1, 1)


def cell_range(label: str, hierarchy: Hierarchy) -> tuple[int, int] | None:
    """Give the first and last leaf a published label covers, or None when it has no place.

    A label is that of a node, `*`, a range `[a-b]` of leaves (both included), or a set `{A, B}` of neighbouring leaves.

    >>> tree = Hierarchy.from_nested({"*": {"young": ["-1", "0"], "old": ["30", "40", "50"]}})
    >>> [cell_range(label, tree) for label in ("old", "40", "[-1-30]", "{40, 50}", "*", "60")]
    [(2, 4), (3, 3), (0, 2), (3, 4), (0, 4), None]
    """
    node = hierarchy.node_of_label.get(label)
    if node is not None:
        return int(hierarchy.first_leaf[node]), int(hierarchy.end_leaf[node]) - 1
    if label == SUPPRESSED:
        return 0, hierarchy.n_leaves - 1
    if label.startswith("[") and label.endswith("]"):
        return _from_bounds(label[1:-1], hierarchy)
    if label.startswith("{") and label.endswith("}"):
        return _from_set(label[1:-1], hierarchy)
    return None


def cells_of(column: Column, hierarchy: Hierarchy, schema: ColumnSchema | None = None) -> Cells:
    """Place every label of a published column, in our spelling or in that of other tools.

    Raises BadHierarchy with the column and the number of labels that have no place.
    """
    hierarchy = with_missing(hierarchy, _with_gaps(column))
    leaf = find_leaves(column, hierarchy, schema).astype(np.int64)
    low, high = leaf.copy(), leaf.copy()
    foreign = ForeignLabels(hierarchy, schema)
    for code in np.flatnonzero(leaf < 0).tolist():
        label = column.labels[code]
        low[code], high[code] = cell_range(label, hierarchy) or foreign.cell_range(label) or (-1, -1)
    lost = (low < 0) & (column.counts() > 0)
    if lost.any():
        raise BadHierarchy(
            message(
                "“{column}” has {labels:label|labels} ({rows:row|rows}) without a place in its hierarchy "
                "or among the values of the original.",
                column=column.name,
                labels=int(lost.sum()),
                rows=int(column.counts()[lost].sum()),
            ),
            "Measure with the hierarchy and the original the table was made from, or without them.",
        )
    nodes = hierarchy.common_ancestors(low, high).astype(np.int64)
    for code in np.flatnonzero(leaf < 0).tolist():
        nodes[code] = _named(column.labels[code], int(nodes[code]), hierarchy)
    return Cells(hierarchy, low, high, nodes)


def flat_domain(column: Column, schema: ColumnSchema | None = None) -> Hierarchy:
    """Put the values of a column under one root: numbers and dates by value, others by label, missing last.

    Without a schema the values are taken as numbers or dates when all of them can be read so. Places get
    tiles of the map.
    """
    if schema is not None and schema.type is ColumnType.PLACE:
        kept = [label for label in column.compact().labels if label != SUPPRESSED]
        return tiles_of(Column(column.name, np.arange(len(kept)), tuple(kept)), schema)
    labels = [label for label in column.compact().labels if label not in (MISSING, SUPPRESSED)]
    ordered = [labels[at] for at in text_order(labels).tolist()]
    values = parse_by_type(ordered, schema)
    by_value = schema.type in NUMBERS_AND_DATES if schema is not None else not np.isnan(values).any()
    if by_value:
        ordered = [ordered[i] for i in np.argsort(values, kind="stable").tolist()]
    kept = [*ordered, *([MISSING] if MISSING in column.labels else [])]
    return Hierarchy([SUPPRESSED, *kept], [-1, *([0] * len(kept))])


def domain_of(
    published: Column, original: Column | None, hierarchy: Hierarchy | None, schema: ColumnSchema | None = None
) -> Hierarchy | None:
    """Give the leaves a column is measured against: its hierarchy's, else the values of the original, else none."""
    if hierarchy is None:
        return None if original is None else flat_domain(original, schema)
    return with_missing(hierarchy, published if original is None else original)


def node_heights(tree: Hierarchy) -> Leaves:
    """Give the number of steps from each node down to its deepest leaf."""
    heights = np.zeros(len(tree), dtype=np.int64)
    for depth in range(tree.height, 0, -1):
        level = np.flatnonzero(tree.depths == depth)
        np.maximum.at(heights, tree.parents[level], heights[level] + 1)
    return heights


def _with_gaps(column: Column) -> Column:
    """Give a column with a missing cell where one of its sets speaks of missing cells."""
    named = any(MISSING in label and label[:1] + label[-1:] == "{}" for label in column.labels)
    if MISSING in column.labels or not named:
        return column
    return Column(column.name, np.append(column.codes, len(column.labels)), (*column.labels, MISSING))


def _named(label: str, node: int, hierarchy: Hierarchy) -> int:
    """Climb a chain of only children to the node of a name; stay where the chain has none."""
    above = node
    while hierarchy.labels[above] != label:
        parent = int(hierarchy.parents[above])
        if parent < 0 or hierarchy.leaf_counts[parent] != hierarchy.leaf_counts[node]:
            return node
        above = parent
    return above


def _from_bounds(text: str, hierarchy: Hierarchy) -> tuple[int, int] | None:
    for at in (at for at, sign in enumerate(text) if sign == "-"):
        low, high = (hierarchy.leaf_number.get(part.strip()) for part in (text[:at], text[at + 1 :]))
        if low is not None and high is not None and low <= high:
            return low, high
    return None


def _from_set(text: str, hierarchy: Hierarchy) -> tuple[int, int] | None:
    parts = text.split(", ")
    for end in range(1, len(parts) + 1):
        first = hierarchy.leaf_number.get(", ".join(parts[:end]))
        last = None if first is None else _last_of_run(text, first, hierarchy.leaf_labels)
        if first is not None and last is not None:
            return first, last
    leaves = sorted({hierarchy.leaf_number.get(part, -1) for part in parts})
    return (leaves[0], leaves[-1]) if leaves[0] >= 0 and leaves[-1] - leaves[0] == len(leaves) - 1 else None


def _last_of_run(text: str, first: int, labels: Sequence[str]) -> int | None:
    """Give the leaf with which a set ends that lists neighbouring leaves in order, or None."""
    at, leaf = 0, first
    while leaf < len(labels) and text.startswith(labels[leaf], at):
        at += len(labels[leaf])
        if at == len(text):
            return leaf
        if not text.startswith(", ", at):
            return None
        at, leaf = at + 2, leaf + 1
    return None
