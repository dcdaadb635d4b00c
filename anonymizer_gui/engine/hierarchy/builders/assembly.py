"""Trees from the groups that each value belongs to, level by level."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.hierarchy.labels import free_label, natural_key
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval
from anonymizer_gui.engine.table import MISSING, SUPPRESSED, Column


@dataclass(frozen=True, slots=True)
class Level:
    """The group of every value at one level, and the intervals that groups stand for."""

    groups: Sequence[str]
    intervals: Mapping[str, Interval] | None = None


def values_of(column: Column) -> list[str]:
    """List the values that rows have, missing left out, numbers in their order."""
    counts = column.counts().tolist()
    used = [label for label, rows in zip(column.labels, counts, strict=True) if rows and label != MISSING]
    return sorted(used, key=natural_key)


def assemble(values: Sequence[str], levels: Sequence[Level], column: Column) -> Hierarchy:
    """Make the tree of values under their groups, from the level next to the values up to the root.

    Values of the column that are not among them, such as missing cells, come directly under the root. A group whose
    label is already a value's or another group's gets a number after it.

    >>> column = Column.from_texts("c", ["a", "b", "c"])
    >>> assemble(["a", "b"], [Level(["x", "x"])], column).labels
    ('*', 'x', 'a', 'b', 'c')
    """
    placed = set(values)
    loose = [value for value in values_of(column) if value not in placed]
    loose += [MISSING] if MISSING in column.compact().labels else []
    kept = [level for level in levels if loose or len(set(level.groups)) > 1]
    labels, parents, intervals = [SUPPRESSED], [-1], {}
    known: dict[tuple[int, str], int] = {}
    for at, value in enumerate(values):
        node = 0
        for level in reversed(kept):
            group = level.groups[at]
            found = known.setdefault((node, group), len(labels))
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
    _settle_names(labels, parents, {*known.values(), 0})
    return Hierarchy.arranged(labels, np.asarray(parents, dtype=np.int64), None, intervals)


def _settle_names(labels: list[str], parents: list[int], groups: set[int]) -> None:
    """Number the labels of groups that are taken, except where a group has the label of its only child."""
    children: dict[int, list[int]] = {}
    for node, parent in enumerate(parents):
        children.setdefault(parent, []).append(node)
    taken = {label for node, label in enumerate(labels) if node not in groups}
    for node in sorted(groups, reverse=True):
        below = children.get(node, [])
        if len(below) != 1 or labels[below[0]] != labels[node]:
            labels[node] = free_label(labels[node], taken)
        taken.add(labels[node])
