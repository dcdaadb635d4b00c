"""Edits, each a new tree; also of intervals.

All links of a chain stand for the same values. Whoever joins one must not make them differ under one label.

Nodes are given by their numbers in the hierarchy passed. No edit but `delete` and `merge` takes a value away.
Groups left without values disappear.
"""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.table import MISSING
from anonymizer_gui.engine.data.tables.values import parse_by_type
from anonymizer_gui.engine.hierarchy.intervals import Style, format_interval, interval_starts, node_interval
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval, natural_key, require_label, unused_label


class TreeBuilder:
    """The nodes of a hierarchy in arrays that may change; node numbers stay those of the hierarchy."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self.labels = list(hierarchy.labels)
        self.parents = hierarchy.parents.astype(np.int64)
        self.keys = np.arange(len(hierarchy), dtype=np.float64)
        self.intervals = dict(hierarchy.intervals)
        self.alive = np.ones(len(hierarchy), dtype=np.bool_)
        self.is_value = hierarchy.is_leaf.copy()
        self.is_value[0] = False

    def add(self, parents: Iterable[int], labels: Iterable[str], key: float, is_value: bool) -> npt.NDArray[np.int64]:
        """Add nodes, values or groups, in the given place among their siblings; give their numbers."""
        first = len(self.labels)
        self.labels.extend(labels)
        self.parents = np.append(self.parents, np.fromiter(parents, np.int64))
        new = np.arange(first, len(self.labels))
        self.keys = np.append(self.keys, np.full(len(new), key))
        self.alive = np.append(self.alive, np.ones(len(new), dtype=np.bool_))
        self.is_value = np.append(self.is_value, np.full(len(new), is_value))
        return new

    def place(self, nodes: npt.ArrayLike, parent: int, key: float | None = None) -> None:
        """Put nodes under a parent, at a place among the siblings or at their old place."""
        at = np.asarray(nodes, dtype=np.int64)
        self.parents[at] = parent
        if key is not None:
            self.keys[at] = key

    def drop(self, nodes: npt.ArrayLike) -> None:
        """Leave nodes out of the new tree."""
        self.alive[np.asarray(nodes, dtype=np.int64)] = False

    def finish(self) -> Hierarchy:
        """Arrange the tree; groups left empty go.

        Raises BadHierarchy when no value or no tree is left, or a label stands twice.
        """
        self._drop_empty_groups()
        if not self.alive[1:].any():
            raise BadHierarchy("This would leave the hierarchy without any value.")
        kept = np.flatnonzero(self.alive)
        new_id = np.full(len(self.labels) + 1, -1, dtype=np.int64)
        new_id[kept] = np.arange(len(kept))
        return Hierarchy.arranged(
            [self.labels[node] for node in kept.tolist()],
            new_id[self.parents[kept]],
            self.keys[kept],
            {int(new_id[node]): each for node, each in self.intervals.items() if self.alive[node]},
        )

    def _drop_empty_groups(self) -> None:
        while True:
            held = self.parents[self.alive & (self.parents >= 0)]
            children = np.bincount(held, minlength=len(self.labels))
            empty = self.alive & ~self.is_value & (children == 0)
            empty[0] = False
            if not empty.any():
                return
            self.alive &= ~empty

    def forget_broken_intervals(self, nodes: Sequence[int]) -> None:
        """Take away the intervals above nodes that came from elsewhere where the nodes do not lie in them."""
        if not self.intervals:
            return
        points = parse_by_type([self.labels[node] for node in nodes]).tolist()
        for node, point in zip(nodes, points, strict=True):
            inner = self.intervals.get(node) or Interval(point, point, closed=True)
            above = int(self.parents[node])
            while above >= 0:
                outer = self.intervals.get(above)
                if outer is not None and not outer.covers(inner):
                    del self.intervals[above]
                above = int(self.parents[above])


def descendants(hierarchy: Hierarchy, node: int) -> npt.NDArray[np.integer[Any]]:
    """List the nodes below a node."""
    return np.arange(node + 1, int(hierarchy.subtree_end[node]))


def repeated_below(hierarchy: Hierarchy, node: int) -> list[int]:
    """List the groups below a node that repeat its label, the lowest last.

    >>> tree = Hierarchy.from_nested({"*": {"Europe": {"Europe": ["Italy", "Spain"]}, "Asia": ["Japan"]}})
    >>> repeated_below(tree, 1)
    [2]
    """
    return [link for link in _links_below(hierarchy, node) if not hierarchy.is_leaf[link]]


def make_room_in_chain(hierarchy: Hierarchy, group: int, are_values: bool) -> tuple[Hierarchy, int]:
    """Prepare a group for newcomers; give the tree, and the group they go to, which may be a link below.

    Values go to the lowest group of the chain. Where that would leave one label for two sets of values (a group
    and its only value are called alike, or a group joins a chain from above), the group gets a name of its own.

    >>> tree = Hierarchy.from_nested({"*": {"Male": ["Male"], "Female": ["Female"]}})
    >>> make_room_in_chain(tree, 1, are_values=True)[0].labels[:3]
    ('*', 'Male (group)', 'Male')
    """
    groups = repeated_below(hierarchy, group)
    if groups and are_values:
        group = groups[-1]
    if not _links_below(hierarchy, group):
        return hierarchy, group
    label = hierarchy.labels[group]
    alike = [node for node in hierarchy.path(group) if hierarchy.labels[node] == label]
    labels = list(hierarchy.labels)
    for node in alike:
        labels[node] = unused_label(f"{label} (group)", set(hierarchy.labels))
    return Hierarchy(labels, hierarchy.parents, hierarchy.intervals), group


def _links_below(hierarchy: Hierarchy, node: int) -> list[int]:
    found, children = [], hierarchy.children(node)
    while len(children) == 1 and hierarchy.labels[children[0]] == hierarchy.labels[node]:
        found.append(children[0])
        children = hierarchy.children(children[0])
    return found


def split_interval(
    hierarchy: Hierarchy, node: int, cuts: Sequence[float], labels: Sequence[str] | None = None
) -> Hierarchy:
    """Replace a node by one node per part of its interval; its children go to the parts they lie in.

    Raises BadHierarchy when the node has no interval, a cut lies outside it, or a child lies across a cut.

    >>> tree = Hierarchy(["*", "[30-40)"], [-1, 0], {1: Interval(30, 40)})
    >>> split_interval(tree, 1, [35]).leaf_labels
    ('[30-35)', '[35-40)')
    """
    whole = node_interval(hierarchy, node) if node else None
    if whole is None:
        raise BadHierarchy("Only a node below the root that stands for an interval can be split.")
    parts = _parts(whole, sorted(set(cuts)))
    names = list(labels) if labels is not None else _names(parts, hierarchy, node)
    if len(names) != len(parts):
        raise BadHierarchy(message("{parts:part needs|parts need} {parts:label|labels}.", parts=len(parts)))
    children = hierarchy.children(node)
    homes = _homes(hierarchy, children, parts)
    draft = TreeBuilder(hierarchy)
    is_value = bool(hierarchy.is_leaf[node])
    new = draft.add([int(hierarchy.parents[node])] * len(parts), names, float(node), is_value)
    for at, part in zip(new.tolist(), parts, strict=True):
        draft.intervals[at] = part
    draft.parents[np.asarray(children, dtype=np.int64)] = new[homes]
    draft.drop([node])
    return draft.finish()


def joint_interval(intervals: Sequence[Interval | None]) -> Interval | None:
    """Join intervals that follow each other; None when there is a gap, an overlap, or one is not there."""
    known = [each for each in intervals if each is not None]
    if len(known) != len(intervals):
        return None
    ordered = sorted(known, key=lambda each: each.low)
    for one, two in itertools.pairwise(ordered):
        touching = one.high == two.low and one.closed == two.open_low
        if not touching and not _neighbouring_whole_numbers(one, two):
            return None
    return Interval(ordered[0].low, ordered[-1].high, ordered[-1].closed, ordered[0].open_low)


def _neighbouring_whole_numbers(one: Interval, two: Interval) -> bool:
    """Say whether the second begins with the whole number after the last of the first, as in 30-34 and 35-39."""
    return one.closed and not two.open_low and two.low == one.high + 1 and one.high == math.floor(one.high)


def joint_label(hierarchy: Hierarchy, nodes: Sequence[int], joint: Interval) -> str:
    """Name the interval that some nodes make together, in the style of their own labels."""
    return format_interval(joint, style_beside(hierarchy, nodes[0]), whole=_has_whole_ends([joint]))


def style_beside(hierarchy: Hierarchy, node: int) -> Style:
    """Tell how the intervals beside a node are written: with brackets where any of them is."""
    siblings = hierarchy.children(int(hierarchy.parents[node])) if node else [node]
    return "[a-b)" if any(hierarchy.labels[each][:1] in "[(]" for each in siblings) else "a-b"


def _names(parts: list[Interval], hierarchy: Hierarchy, node: int) -> list[str]:
    """Name the parts in the style of the labels beside the whole."""
    style = style_beside(hierarchy, node)
    is_whole = _has_whole_ends([parts[0], parts[-1]])
    return [format_interval(part, style, whole=is_whole) for part in parts]


def _has_whole_ends(parts: list[Interval]) -> bool:
    ends = (end for end in (parts[0].low, parts[-1].high) if math.isfinite(end))
    return all(float(end).is_integer() for end in ends)


def _parts(whole: Interval, cuts: list[float]) -> list[Interval]:
    if not cuts or not all(whole.low < cut < whole.high and math.isfinite(cut) for cut in cuts):
        raise BadHierarchy("A cut must lie between the ends of the interval.")
    ends = [whole.low, *cuts, whole.high]
    parts = [Interval(low, high) for low, high in itertools.pairwise(ends)]
    parts[0] = Interval(ends[0], ends[1], open_low=whole.open_low)
    parts[-1] = Interval(ends[-2], ends[-1], whole.closed, whole.open_low if len(parts) == 1 else False)
    return parts


def _homes(hierarchy: Hierarchy, children: list[int], parts: list[Interval]) -> npt.NDArray[np.int64]:
    points = parse_by_type([hierarchy.labels[child] for child in children])
    homes = np.zeros(len(children), dtype=np.int64)
    for at, child in enumerate(children):
        inner = node_interval(hierarchy, child) or Interval(points[at], points[at], closed=True)
        found = [number for number, part in enumerate(parts) if part.covers(inner)]
        if not found:
            raise BadHierarchy(
                message("“{label}” does not lie on one side of the cut.", label=hierarchy.labels[child]),
                "Split it first.",
            )
        homes[at] = found[0]
    return homes


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
        hierarchy, homes[parent] = make_room_in_chain(hierarchy, parent, are_values=True)
    draft = TreeBuilder(hierarchy)
    new = draft.add(
        [homes[parent] for parent in parents.values()],
        [require_label(label) for label in parents],
        np.inf,
        is_value=True,
    )
    draft.forget_broken_intervals(new.tolist())
    return draft.finish()


def rename(hierarchy: Hierarchy, node: int, label: str) -> Hierarchy:
    """Give a node another label."""
    labels = list(hierarchy.labels)
    labels[_known(hierarchy, node)] = require_label(label)
    return Hierarchy(labels, hierarchy.parents, hierarchy.intervals)


def delete(hierarchy: Hierarchy, nodes: int | Sequence[int], children: Fate = "up") -> Hierarchy:
    """Take nodes away; their children move up, or go with all values below them."""
    draft = TreeBuilder(hierarchy)
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
        hierarchy, home = make_room_in_chain(hierarchy, parent, are_values=bool(hierarchy.is_leaf[outermost].all()))
        parent, before = home, before if home == parent else None
    draft = TreeBuilder(hierarchy)
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
    draft = TreeBuilder(hierarchy)
    new = draft.add([meeting], [require_label(label)], chosen[0] - 0.5, is_value=False)
    draft.place(chosen, int(new[0]))
    joint = joint_interval([node_interval(hierarchy, node) for node in chosen])
    if joint is not None:
        draft.intervals[int(new[0])] = joint
    return draft.finish()


def merge(hierarchy: Hierarchy, nodes: Sequence[int], label: str) -> Hierarchy:
    """Make one group of several neighbouring groups; intervals that follow each other become one."""
    chosen = _several(hierarchy, nodes)
    if len({int(hierarchy.parents[node]) for node in chosen}) != 1 or len(chosen) < 2:
        raise BadHierarchy("Only two or more nodes of the same group can be merged.", "Move them together first.")
    joint = joint_interval([node_interval(hierarchy, node) for node in chosen])
    if joint is None and hierarchy.is_leaf[chosen].any():
        raise BadHierarchy("Values cannot be merged into one.", "Group them instead; every value keeps its place.")
    draft = TreeBuilder(hierarchy)
    first, others = chosen[0], chosen[1:]
    for node in chosen:
        links = repeated_below(hierarchy, node) if hierarchy.labels[node] == require_label(label) else []
        draft.place(hierarchy.children(links[-1] if links else node), first)
        draft.drop(links)
    draft.drop(others)
    draft.is_value[first] = bool(hierarchy.is_leaf[chosen].all())
    draft.labels[first] = require_label(label)
    draft.intervals.pop(first, None)
    if joint is not None:
        draft.intervals[first] = joint
    return draft.finish()


def sort(hierarchy: Hierarchy, node: int = 0, by: SortBy = "label", deep: bool = True) -> Hierarchy:
    """Sort the children of a node, or all below it: by label (numbers as numbers), number of values, or interval."""
    _known(hierarchy, node)
    below = descendants(hierarchy, node) if deep else np.asarray(hierarchy.children(node), dtype=np.int64)
    draft = TreeBuilder(hierarchy)
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
    draft = TreeBuilder(hierarchy)
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
    draft = TreeBuilder(hierarchy)
    draft.keys[[node, siblings[at]]] = draft.keys[[siblings[at], node]]
    return draft.finish()


def _order(hierarchy: Hierarchy, nodes: list[int], by: SortBy) -> list[int]:
    if by == "size":
        sizes = hierarchy.leaf_counts[nodes].tolist()
        return sorted(range(len(nodes)), key=sizes.__getitem__, reverse=True)
    if by == "interval":
        lows = interval_starts(hierarchy, nodes)
        return sorted(range(len(nodes)), key=lows.__getitem__)
    keys = [natural_key(hierarchy.labels[node]) for node in nodes]
    return sorted(range(len(nodes)), key=keys.__getitem__)
