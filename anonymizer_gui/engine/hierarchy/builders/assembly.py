"""Trees from the groups that each value belongs to, level by level."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.dictionary_encoding import text_order
from anonymizer_gui.engine.data.tables.table import MISSING, SUPPRESSED, Column
from anonymizer_gui.engine.hierarchy.labels import free_label, natural_key
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval

_OFTEN = 4096
"""After so many values the progress is told."""


@dataclass(frozen=True, slots=True)
class Level:
    """The group of every value at one level, and the intervals that groups stand for."""

    groups: Sequence[str]
    intervals: Mapping[str, Interval] | None = None


def used_values(column: Column) -> list[str]:
    """List the values that rows have, missing left out."""
    counts = column.counts().tolist()
    return [label for label, rows in zip(column.labels, counts, strict=True) if rows and label != MISSING]


def values_of(column: Column, progress: Progress = SILENT) -> list[str]:
    """List the values that rows have, missing left out, numbers in their order."""
    return _in_order(used_values(column), progress)


def _in_order(values: Sequence[str], progress: Progress) -> list[str]:
    keys: list[str] = []
    for start in range(0, len(values), _OFTEN):
        progress(0.0)
        keys += map(natural_key, values[start : start + _OFTEN])
    return [values[at] for at in text_order(keys).tolist()]


def assemble(values: Sequence[str], levels: Iterable[Level], column: Column, progress: Progress = SILENT) -> Hierarchy:
    """Make the tree of values under their groups, from the level next to the values up to the root.

    Values of the column that are not among them, such as missing cells, come directly under the root. A group whose
    label is already a value's or another group's gets a number after it.

    >>> column = Column.from_texts("c", ["a", "b", "c"])
    >>> assemble(["a", "b"], [Level(["x", "x"])], column).labels
    ('*', 'x', 'a', 'b', 'c')
    """
    progress(0.0)
    placed = set(values)
    loose = _in_order([value for value in used_values(column) if value not in placed], progress)
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
            labels[node] = free_label(labels[node], taken)
        taken.add(labels[node])
