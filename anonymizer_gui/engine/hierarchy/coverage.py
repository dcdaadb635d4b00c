"""The leaves a published cell stands for; map tiles; the domain of a column."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.dictionary_encoding import text_order
from anonymizer_gui.engine.data.tables.table import MISSING, SUPPRESSED, Column, ColumnSchema, ColumnType
from anonymizer_gui.engine.data.tables.values import parse_by_type, read_point
from anonymizer_gui.engine.hierarchy.intervals import ForeignLabels
from anonymizer_gui.engine.hierarchy.leaf_encoding import find_leaves, with_missing
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval, natural_key, unused_label

_OFTEN = 4096
"""After so many values the progress is told."""


@dataclass(frozen=True, slots=True)
class LevelGroups:
    """The group of every value at one level, and the intervals that groups stand for."""

    groups: Sequence[str]
    intervals: Mapping[str, Interval] | None = None


def occurring_values(column: Column) -> list[str]:
    """List the values that rows have, missing left out."""
    counts = column.counts().tolist()
    return [label for label, rows in zip(column.labels, counts, strict=True) if rows and label != MISSING]


def ordered_values(column: Column, progress: Progress = SILENT) -> list[str]:
    """List the values that rows have, missing left out, numbers in their order."""
    return _in_order(occurring_values(column), progress)


def _in_order(values: Sequence[str], progress: Progress) -> list[str]:
    keys: list[str] = []
    for start in range(0, len(values), _OFTEN):
        progress(0.0)
        keys += map(natural_key, values[start : start + _OFTEN])
    return [values[at] for at in text_order(keys).tolist()]


def tree_from_levels(
    values: Sequence[str], levels: Iterable[LevelGroups], column: Column, progress: Progress = SILENT
) -> Hierarchy:
    """Make the tree of values under their groups, from the level next to the values up to the root.

    Values of the column that are not among them, such as missing cells, come directly under the root. A group whose
    label is already a value's or another group's gets a number after it.

    >>> column = Column.from_texts("c", ["a", "b", "c"])
    >>> tree_from_levels(["a", "b"], [LevelGroups(["x", "x"])], column).labels
    ('*', 'x', 'a', 'b', 'c')
    """
    progress(0.0)
    placed = set(values)
    loose = _in_order([value for value in occurring_values(column) if value not in placed], progress)
    loose += [MISSING] if MISSING in column.compact().labels else []
    kept = []
    for made, level in enumerate(levels, start=1):
        progress(0.5 * made / (made + 1))
        if loose or len(set(level.groups)) > 1:
            kept.append(level)
    labels, parents, intervals = [SUPPRESSED], [-1], {}
    known: dict[int, int] = {}  # of numbers: a million pairs would be looked through for garbage again and again
    numbers: dict[str, int] = {}
    most = len(values) * len(kept)
    for at, value in enumerate(values):
        if at % _OFTEN == 0:
            progress(0.5 + 0.3 * at / len(values))
        node = 0
        for level in reversed(kept):
            group = level.groups[at]
            found = known.setdefault(node * most + numbers.setdefault(group, len(numbers)), len(labels))
            if found == len(labels):
                labels.append(group)
                parents.append(node)
                if level.intervals and group in level.intervals:
                    intervals[found] = level.intervals[group]
            node = found
        labels.append(value)
        parents.append(node)
    labels += loose
    parents += [0] * len(loose)
    _settle_names(labels, parents, {*known.values(), 0}, progress.sub(0.8, 0.9))
    progress(0.9)
    return Hierarchy.arranged(labels, np.asarray(parents, dtype=np.int64), None, intervals)


def _settle_names(labels: list[str], parents: list[int], groups: set[int], progress: Progress) -> None:
    """Number the labels of groups that are taken, except where a group has the label of its only child."""
    n_children = np.bincount(parents[1:], minlength=len(parents)).tolist()
    child = [0] * len(parents)
    for node, parent in enumerate(parents[1:], start=1):
        child[parent] = node
    taken = {label for node, label in enumerate(labels) if node not in groups}
    for done, node in enumerate(sorted(groups, reverse=True)):
        if done % _OFTEN == 0:
            progress(done / len(groups))
        if n_children[node] != 1 or labels[child[node]] != labels[node]:
            labels[node] = unused_label(labels[node], taken)
        taken.add(labels[node])


SIDES = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0)
"""Sides of tiles in degrees; each fits a whole number of times into the next."""

FINEST, COARSEST = 0.01, 10.0

_DIGITS = 2


def tile_hierarchy(
    column: Column,
    schema: ColumnSchema | None,
    finest: float = FINEST,
    coarsest: float = COARSEST,
    progress: Progress = SILENT,
) -> Hierarchy:
    """Put every place of a column into tiles of each size from the finest to the coarsest, as far as they differ.

    Cells that are no place on the earth come directly under the root, as missing ones do.
    """
    form = "" if schema is None else schema.format
    points = {text: point for text in occurring_values(column) if (point := read_point(text, form)) is not None}
    # Neighbours in the tree are neighbours on the map, whatever their texts look like.
    ordered = sorted(points, key=lambda text: (tuple(_corner(points[text], side) for side in reversed(SIDES)), text))
    levels = []
    for side in (side for side in SIDES if finest <= side <= coarsest):
        progress.check()
        levels.append(LevelGroups([tile_label(points[text], side) for text in ordered]))
    return tree_from_levels(ordered, levels, column, progress)


def tile_label(point: tuple[float, float], side: float) -> str:
    """Name the tile of a place by its bounds.

    >>> tile_label((-33.87, 151.21), 0.5)
    'lat -34 .. -33.5, lon 151 .. 151.5'
    """
    south, west = _corner(point, side)
    return (
        f"lat {_degrees(south * side)} .. {_degrees((south + 1) * side)}, "
        f"lon {_degrees(west * side)} .. {_degrees((west + 1) * side)}"
    )


def _corner(point: tuple[float, float], side: float) -> tuple[int, int]:
    """Number the tile; the pole and the antimeridian belong to the last ones before them."""
    lat, lon = point
    south, west = math.floor(round(lat / side, 9)), math.floor(round(lon / side, 9))
    return min(south, round(90 / side) - 1), min(west, round(180 / side) - 1)


def _degrees(value: float) -> str:
    return f"{round(value, _DIGITS) + 0.0:g}"


NUMBERS_AND_DATES = (ColumnType.INTEGER, ColumnType.DECIMAL, ColumnType.DATE)

Leaves = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class PublishedColumn:
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


def covered_leaves(label: str, hierarchy: Hierarchy) -> tuple[int, int] | None:
    """Give the first and last leaf a published label covers, or None when it has no place.

    A label is that of a node, `*`, a range `[a-b]` of leaves (both included), or a set `{A, B}` of neighbouring leaves.

    >>> tree = Hierarchy.from_nested({"*": {"young": ["-1", "0"], "old": ["30", "40", "50"]}})
    >>> [covered_leaves(label, tree) for label in ("old", "40", "[-1-30]", "{40, 50}", "*", "60")]
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


def place_cells(column: Column, hierarchy: Hierarchy, schema: ColumnSchema | None = None) -> PublishedColumn:
    """Place every label of a published column, in our spelling or in that of other tools.

    Raises BadHierarchy with the column and the number of labels that have no place.
    """
    hierarchy = with_missing(hierarchy, _with_gaps(column))
    leaf = find_leaves(column, hierarchy, schema).astype(np.int64)
    low, high = leaf.copy(), leaf.copy()
    foreign = ForeignLabels(hierarchy, schema)
    for code in np.flatnonzero(leaf < 0).tolist():
        label = column.labels[code]
        low[code], high[code] = covered_leaves(label, hierarchy) or foreign.cell_range(label) or (-1, -1)
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
    return PublishedColumn(hierarchy, low, high, nodes)


def flat_domain(column: Column, schema: ColumnSchema | None = None) -> Hierarchy:
    """Put the values of a column under one root: numbers and dates by value, others by label, missing last.

    Without a schema the values are taken as numbers or dates when all of them can be read so. Places get
    tiles of the map.
    """
    if schema is not None and schema.type is ColumnType.PLACE:
        kept = [label for label in column.compact().labels if label != SUPPRESSED]
        return tile_hierarchy(Column(column.name, np.arange(len(kept)), tuple(kept)), schema)
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
