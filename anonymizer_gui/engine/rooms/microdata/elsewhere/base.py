"""The finest values a search starts from: raised until the distinct combinations fit into memory (SKALD, 2025).

Values of one leaf are told together, which loses nothing. Where there are still too many combinations the column of
most values is told at its next level, or in ranges; no cell finer than that base can be published, and it is recorded.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import NotEnoughMemory
from anonymizer_gui.engine.core.messages import Message, message, quote
from anonymizer_gui.engine.data.tables.table import SUPPRESSED, Column, ColumnType, Role
from anonymizer_gui.engine.data.tables.values import parse_by_type
from anonymizer_gui.engine.hierarchy.leaf_encoding import encode_column
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.scale.frequency_set import DistinctValues

Ints = npt.NDArray[np.int64]
MOST_BINS = 256
_ORDERED = (ColumnType.INTEGER, ColumnType.DECIMAL, ColumnType.DATE)


@dataclass(frozen=True, slots=True, eq=False)
class Base:
    """A project, the values it is searched with, and the level each raised column begins at."""

    project: Project
    values: tuple[DistinctValues, ...]
    raised: Mapping[str, int]
    binned: frozenset[str] = frozenset()

    def width(self, name: str) -> int:
        """Count the different values of a column as they are told now."""
        return len(np.unique(_of(self.values, name).column.codes))

    def note(self) -> Message | None:
        """Say which columns could not be searched at their finest level."""
        if not self.raised:
            return None
        return message(
            "There are too many combinations of values for memory, so that {columns} are not published finer than "
            "the base they were counted at.",
            columns=quote(list(self.raised)),
        )


def first_base(project: Project, values: tuple[DistinctValues, ...]) -> Base:
    """Tell values that lie in the same leaf of a hierarchy together; raises BadHierarchy when one has no place."""
    found = Base(project, values, {})
    for name in project.schema.names(Role.QI):
        if name in project.hierarchies:
            found = replace(found, values=_at_level(found, name, 0))
    return found


def raised(base: Base) -> Base:
    """Tell the column of most values more coarsely; raises NotEnoughMemory when none can be."""
    names = sorted(base.project.schema.names(Role.QI), key=base.width, reverse=True)
    for name in names:
        found = _raised(base, name)
        if found is not None and found.width(name) < base.width(name):
            return found
    raise NotEnoughMemory(
        "There are more combinations of values than memory holds, even at the highest level of every hierarchy.",
        "Give columns hierarchies with higher levels, use fewer quasi-identifiers, or allow more memory.",
    )


def _raised(base: Base, name: str) -> Base | None:
    project = base.project
    tree = project.hierarchies.get(name)
    if tree is None:
        return _binned(base, name) if project.schema.column(name).type in _ORDERED else None
    lowest, highest = project.bounds.get(name, (0, tree.height))
    highest = min(highest, tree.height)
    before = base.width(name)
    for level in range(max(base.raised.get(name, 0), lowest) + 1, highest + 1):
        bounded = replace(project, bounds={**project.bounds, name: (level, highest)})
        moved = replace(base, project=bounded, raised={**base.raised, name: level})
        moved = replace(moved, values=_at_level(moved, name, level))
        if moved.width(name) < before:
            return moved
    return None


def _binned(base: Base, name: str) -> Base | None:
    """Give numbers or dates without a hierarchy one of ranges with about equally many rows each."""
    one, schema = _of(base.values, name), base.project.schema.column(name)
    labels, counts = one.column.labels, one.column.counts()
    numbers = parse_by_type(labels, schema)
    known = np.flatnonzero(~np.isnan(numbers))
    if len(known) <= MOST_BINS:
        return None
    known = known[np.argsort(numbers[known], kind="stable")]
    before = np.cumsum(counts[known]) - counts[known]
    bins = np.minimum(before * MOST_BINS // max(int(counts[known].sum()), 1), MOST_BINS - 1)
    names: list[str] = [SUPPRESSED]
    parents: list[int] = [-1]
    for number in np.unique(bins).tolist():
        inside = [labels[code] for code in known[bins == number].tolist()]
        names += [f"[{inside[0]}-{inside[-1]}]", *inside] if len(inside) > 1 else [inside[0]]
        parents += [0, *([len(parents)] * len(inside))] if len(inside) > 1 else [0]
    rest = [label for label, number in zip(labels, numbers.tolist(), strict=True) if np.isnan(number)]
    tree = Hierarchy([*names, *rest], [*parents, *([0] * len(rest))])
    project = replace(base.project, hierarchies={**base.project.hierarchies, name: tree})
    project = replace(project, bounds={**project.bounds, name: (1, tree.height)})
    moved = replace(base, project=project, raised={**base.raised, name: 1}, binned=base.binned | {name})
    return replace(moved, values=_at_level(moved, name, 1))


def _at_level(base: Base, name: str, level: int) -> tuple[DistinctValues, ...]:
    """Tell every value of a column by the first one that has the same node at a level."""
    one, project = _of(base.values, name), base.project
    placed = encode_column(one.column, project.hierarchies[name], project.schema.column(name))
    tree = placed.hierarchy
    leaf = np.where(placed.leaf_of_label < 0, 0, placed.leaf_of_label)
    node = tree.level_table(project.uneven)[min(level, tree.height)][leaf]
    used = np.flatnonzero(one.column.counts() > 0)
    _, firsts, group = np.unique(node[used], return_index=True, return_inverse=True)
    of_code = np.arange(len(one.column.labels), dtype=np.int64)
    of_code[used] = used[firsts][group.reshape(-1)]
    column = Column(name, of_code[one.column.codes], one.column.labels, one.column.times)
    return tuple(replace(other, column=column) if other is one else other for other in base.values)


def _of(values: tuple[DistinctValues, ...], name: str) -> DistinctValues:
    return next(one for one in values if one.name == name)
