"""Edits of a hierarchy: each gives a new one, and refuses in one sentence what would break the tree.

Nodes are given by their numbers in the hierarchy passed. No edit but `delete` and `merge` takes a value away.
Groups left without values disappear.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.table import MISSING
from anonymizer_gui.engine.hierarchy.chains import repeated_below, with_room
from anonymizer_gui.engine.hierarchy.draft import Draft, descendants
from anonymizer_gui.engine.hierarchy.interval_edits import joint_interval
from anonymizer_gui.engine.hierarchy.labels import checked_label, natural_key
from anonymizer_gui.engine.hierarchy.spelt import begins_at, interval_at
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

Fate = Literal["up", "go"]
SortBy = Literal["label", "size", "interval"]


def add_leaf(hierarchy: Hierarchy, parent: int, label: str) -> Hierarchy:
    """Add a value as the last child of a group.

    >>> tree = Hierarchy.from_nested({"*": {"Europe": ["Italy"]}})
    >>> add_leaf(tree, 1, "Spain").leaf_labels
    ('Italy', 'Spain')
    """
    return add_leaves(hierarchy, {label: parent})


def add_leaves(hierarchy: Hierarchy, parents: Mapping[str, int]) -> Hierarchy:
    """Add values, each as the last child of its group, in the order given."""
    if not parents:
        return hierarchy
    homes = {}
    for parent in set(parents.values()):
        _refuse_value_as_group(hierarchy, _known(hierarchy, parent))
        hierarchy, homes[parent] = with_room(hierarchy, parent, are_values=True)
    draft = Draft(hierarchy)
    new = draft.add(
        [homes[parent] for parent in parents.values()],
        [checked_label(label) for label in parents],
        np.inf,
        is_value=True,
    )
    draft.forget_broken_intervals(new.tolist())
    return draft.finish()


def rename(hierarchy: Hierarchy, node: int, label: str) -> Hierarchy:
    """Give a node another label."""
    labels = list(hierarchy.labels)
    labels[_known(hierarchy, node)] = checked_label(label)
    return Hierarchy(labels, hierarchy.parents, hierarchy.intervals)


def delete(hierarchy: Hierarchy, nodes: int | Sequence[int], children: Fate = "up") -> Hierarchy:
    """Take nodes away; their children move up, or go with all values below them."""
    draft = Draft(hierarchy)
    chosen = sorted(_several(hierarchy, nodes))
    if 0 in chosen:
        raise BadHierarchy("The root cannot be deleted.", "Rename it instead.")
    for node in chosen:
        if children == "go":
            draft.drop(descendants(hierarchy, node))
        else:
            draft.place(hierarchy.children(node), int(draft.parents[node]))
        draft.drop([node])
    return draft.finish()


def ungroup(hierarchy: Hierarchy, node: int) -> Hierarchy:
    """Dissolve a group: its children take its place."""
    if hierarchy.is_leaf[_known(hierarchy, node)]:
        raise BadHierarchy(message("“{label}” is a value, not a group.", label=hierarchy.labels[node]))
    return delete(hierarchy, node)


def move(hierarchy: Hierarchy, nodes: int | Sequence[int], parent: int, before: int | None = None) -> Hierarchy:
    """Put nodes under another parent: before one of its children, or as its last ones."""
    chosen = _several(hierarchy, nodes)
    _refuse_value_as_group(hierarchy, _known(hierarchy, parent))
    for node in chosen:
        if node <= parent < hierarchy.subtree_end[node]:
            raise BadHierarchy(message("“{label}” cannot move into itself.", label=hierarchy.labels[node]))
    if before is not None and hierarchy.parents[_known(hierarchy, before)] != parent:
        raise BadHierarchy(
            message("“{label}” is not in “{group}”.", label=hierarchy.labels[before], group=hierarchy.labels[parent])
        )
    outermost = _outermost(hierarchy, chosen)
    if any(hierarchy.parents[node] != parent for node in outermost):
        hierarchy, home = with_room(hierarchy, parent, are_values=bool(hierarchy.is_leaf[outermost].all()))
        parent, before = home, before if home == parent else None
    draft = Draft(hierarchy)
    draft.place(outermost, parent, np.inf if before is None else before - 0.5)
    draft.forget_broken_intervals(outermost)
    return draft.finish()


def move_up(hierarchy: Hierarchy, node: int) -> Hierarchy:
    """Let a node change places with the sibling before it."""
    return _swap(hierarchy, node, -1)


def move_down(hierarchy: Hierarchy, node: int) -> Hierarchy:
    """Let a node change places with the sibling after it."""
    return _swap(hierarchy, node, 1)


def group(hierarchy: Hierarchy, nodes: Sequence[int], label: str) -> Hierarchy:
    """Put nodes under a new group, made where they meet; intervals that follow each other make up the group's.

    >>> tree = Hierarchy.from_nested({"*": ["Italy", "Spain", "Japan"]})
    >>> group(tree, [1, 2], "Europe").labels
    ('*', 'Europe', 'Italy', 'Spain', 'Japan')
    """
    chosen = _outermost(hierarchy, _several(hierarchy, nodes))
    paths = [hierarchy.path(int(hierarchy.parents[node])) for node in chosen]
    meeting = max(set(paths[0]).intersection(*paths))
    draft = Draft(hierarchy)
    new = draft.add([meeting], [checked_label(label)], chosen[0] - 0.5, is_value=False)
    draft.place(chosen, int(new[0]))
    joint = joint_interval([interval_at(hierarchy, node) for node in chosen])
    if joint is not None:
        draft.intervals[int(new[0])] = joint
    return draft.finish()


def merge(hierarchy: Hierarchy, nodes: Sequence[int], label: str) -> Hierarchy:
    """Make one group of several neighbouring groups; intervals that follow each other become one."""
    chosen = _several(hierarchy, nodes)
    if len({int(hierarchy.parents[node]) for node in chosen}) != 1 or len(chosen) < 2:
        raise BadHierarchy("Only two or more nodes of the same group can be merged.", "Move them together first.")
    joint = joint_interval([interval_at(hierarchy, node) for node in chosen])
    if joint is None and hierarchy.is_leaf[chosen].any():
        raise BadHierarchy("Values cannot be merged into one.", "Group them instead; every value keeps its place.")
    draft = Draft(hierarchy)
    first, others = chosen[0], chosen[1:]
    for node in chosen:
        links = repeated_below(hierarchy, node) if hierarchy.labels[node] == checked_label(label) else []
        draft.place(hierarchy.children(links[-1] if links else node), first)
        draft.drop(links)
    draft.drop(others)
    draft.is_value[first] = bool(hierarchy.is_leaf[chosen].all())
    draft.labels[first] = checked_label(label)
    draft.intervals.pop(first, None)
    if joint is not None:
        draft.intervals[first] = joint
    return draft.finish()


def sort(hierarchy: Hierarchy, node: int = 0, by: SortBy = "label", deep: bool = True) -> Hierarchy:
    """Sort the children of a node, or all below it: by label (numbers as numbers), number of values, or interval."""
    _known(hierarchy, node)
    below = descendants(hierarchy, node) if deep else np.asarray(hierarchy.children(node), dtype=np.int64)
    draft = Draft(hierarchy)
    draft.keys[below[_order(hierarchy, below.tolist(), by)]] = np.arange(len(below))
    return draft.finish() if len(below) else hierarchy


def insert_level(hierarchy: Hierarchy, depth: int) -> Hierarchy:
    """Put a group of its own, with the same label, above every node of a depth; rename and merge them afterwards."""
    at = np.flatnonzero(hierarchy.depths == depth)
    if depth < 1 or not len(at):
        raise BadHierarchy(
            message(
                "There is no level {depth} to insert above; the levels are 1 to {height}.",
                depth=depth,
                height=hierarchy.height,
            )
        )
    draft = Draft(hierarchy)
    new = draft.add(hierarchy.parents[at].tolist(), [hierarchy.labels[i] for i in at.tolist()], 0.0, is_value=False)
    draft.keys[new] = at
    draft.parents[at] = new
    for old, above in zip(at.tolist(), new.tolist(), strict=True):
        if old in draft.intervals:
            draft.intervals[above] = draft.intervals[old]
    return draft.finish()


def collapse_level(hierarchy: Hierarchy, depth: int) -> Hierarchy:
    """Dissolve all groups of a depth; values that stand there stay."""
    at = np.flatnonzero((hierarchy.depths == depth) & ~hierarchy.is_leaf)
    if depth < 1 or not len(at):
        raise BadHierarchy(message("Level {depth} has no groups that could be dissolved.", depth=depth))
    return delete(hierarchy, at.tolist())


def set_missing_place(hierarchy: Hierarchy, parent: int) -> Hierarchy:
    """Give missing cells their place under a group."""
    if MISSING not in hierarchy.leaf_number:
        return add_leaf(hierarchy, parent, MISSING)
    return move(hierarchy, int(hierarchy.leaves[hierarchy.leaf_number[MISSING]]), parent)


def _known(hierarchy: Hierarchy, node: int) -> int:
    if not 0 <= node < len(hierarchy):
        raise BadHierarchy(message("The hierarchy has no node {node}.", node=node))
    return node


def _several(hierarchy: Hierarchy, nodes: int | Sequence[int]) -> list[int]:
    chosen = [nodes] if isinstance(nodes, int) else sorted(set(nodes))
    if not chosen:
        raise BadHierarchy("No node is chosen.")
    return [_known(hierarchy, int(node)) for node in chosen]


def _outermost(hierarchy: Hierarchy, nodes: list[int]) -> list[int]:
    """Leave out nodes that lie below others of the list; the root is refused."""
    if nodes[0] == 0:
        raise BadHierarchy("The root cannot be moved or grouped.")
    kept: list[int] = []
    for node in nodes:
        if not kept or node >= hierarchy.subtree_end[kept[-1]]:
            kept.append(node)
    return kept


def _refuse_value_as_group(hierarchy: Hierarchy, node: int) -> None:
    if node and hierarchy.is_leaf[node]:
        raise BadHierarchy(
            message(
                "“{label}” is a value; it would lose its place if it became a group.", label=hierarchy.labels[node]
            ),
            "Group it first, then put the others into that group.",
        )


def _swap(hierarchy: Hierarchy, node: int, step: int) -> Hierarchy:
    siblings = hierarchy.children(int(hierarchy.parents[_known(hierarchy, node)])) if node else [0]
    at = siblings.index(node) + step
    if not 0 <= at < len(siblings):
        raise BadHierarchy(
            message(
                "“{label}” is already the first of its group."
                if step < 0
                else "“{label}” is already the last of its group.",
                label=hierarchy.labels[node],
            )
        )
    draft = Draft(hierarchy)
    draft.keys[[node, siblings[at]]] = draft.keys[[siblings[at], node]]
    return draft.finish()


def _order(hierarchy: Hierarchy, nodes: list[int], by: SortBy) -> list[int]:
    if by == "size":
        sizes = hierarchy.leaf_counts[nodes].tolist()
        return sorted(range(len(nodes)), key=sizes.__getitem__, reverse=True)
    if by == "interval":
        lows = begins_at(hierarchy, nodes)
        return sorted(range(len(nodes)), key=lows.__getitem__)
    keys = [natural_key(hierarchy.labels[node]) for node in nodes]
    return sorted(range(len(nodes)), key=keys.__getitem__)
