"""The hierarchy a global recode stands for: its groups under one root, below them codes and ranges, or the values."""

import re
from collections.abc import Mapping

import numpy as np

from anonymizer_gui.engine.data.tables.set_valued_cells import hierarchy_values
from anonymizer_gui.engine.data.tables.table import SUPPRESSED, Column, ColumnSchema
from anonymizer_gui.engine.data.tables.values import parse_by_type
from anonymizer_gui.engine.hierarchy.encode import find_leaves
from anonymizer_gui.engine.hierarchy.formats.paths import PathTree
from anonymizer_gui.engine.hierarchy.labels import free_label
from anonymizer_gui.engine.hierarchy.recodes.lines import Piece, pieces_of
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

_LISTED = 4
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def read_recode(text: str, name: str, named: Mapping[str, str] | None = None) -> Hierarchy:
    """Read a global recode; groups are called as the code list names them, else by what they hold.

    A code such as `2` for the ages from 21 to 30 is no label, for it is an age as well.

    >>> read_recode("1: -20\\n2: 21-30\\n3: 31, 32\\n", "age.grc").labels
    ('*', '<=20', '21-30', '{31, 32}', '31', '32')
    """
    groups: dict[str, list[Piece]] = {}
    for piece in pieces_of(text, name):
        groups.setdefault(piece.group, []).append(piece)
    tree = PathTree(name)
    root = tree.add_below(-1, SUPPRESSED, groups[next(iter(groups))][0].line)
    taken = {piece.label for pieces in groups.values() for piece in pieces}
    for code, pieces in groups.items():
        _add_group(tree, root, _label(code, pieces, named or {}, taken), pieces)
    return tree.tree()


def with_values(tree: Hierarchy, column: Column, schema: ColumnSchema | None = None) -> Hierarchy:
    """Put the values of a column below the ranges that hold them, so that level 0 is the value itself.

    A range below a group gives its place to the values; one directly under the root is their group.
    """
    column = hierarchy_values(column, schema)
    leaves, counts = find_leaves(column, tree, schema), column.counts()
    found: dict[int, list[str]] = {}
    for at in np.flatnonzero((leaves >= 0) & (counts > 0)).tolist():
        node = int(tree.leaves[leaves[at]])
        if node in tree.intervals and column.labels[at] != tree.labels[node]:
            found.setdefault(node, []).append(column.labels[at])
    labels, parents = list(tree.labels), tree.parents.tolist()
    for node, values in found.items():
        home = node if parents[node] == 0 else parents[node]
        labels += [values[at] for at in np.argsort(parse_by_type(values, schema), kind="stable").tolist()]
        parents += [home] * len(values)
    gone = {node for node in found if parents[node] != 0}
    return _kept(labels, parents, gone, tree)


def _add_group(tree: PathTree, root: int, label: str, pieces: list[Piece]) -> None:
    """Add a group; a range that is called like its group is the group, until values are put below it."""
    if len(pieces) == 1 and pieces[0].interval and pieces[0].label == label:
        tree.intervals[tree.add_below(root, label, pieces[0].line)] = pieces[0].interval
        return
    group = tree.add_below(root, label, pieces[0].line)
    for piece in pieces:
        node = tree.add_below(group, piece.label, piece.line)
        if piece.interval:
            tree.intervals[node] = piece.interval


def _label(code: str, pieces: list[Piece], named: Mapping[str, str], taken: set[str]) -> str:
    """Name a group so that no value and no other group has the name; a single piece may be called like its group."""
    labels = [piece.label for piece in pieces]
    text = named.get(code) or ("" if _NUMBER.fullmatch(code) else code)
    if not text and len(labels) == 1:
        return labels[0]
    listed = [*labels[:_LISTED], *(["…"] if len(labels) > _LISTED else [])]
    label = free_label(text or f"{{{', '.join(listed)}}}", taken - set(labels if len(labels) == 1 else ()))
    taken.add(label)
    return label


def _kept(labels: list[str], parents: list[int], gone: set[int], tree: Hierarchy) -> Hierarchy:
    kept = [node for node in range(len(labels)) if node not in gone]
    place = {node: at for at, node in enumerate(kept)} | {-1: -1}
    intervals = {place[node]: each for node, each in tree.intervals.items() if node not in gone}
    return Hierarchy.arranged(
        [labels[node] for node in kept],
        np.array([place[parents[node]] for node in kept], dtype=np.int64),
        intervals=intervals,
    )
