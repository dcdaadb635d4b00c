"""Edits of selected nodes (new tree + sentence) and the table of them."""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.hierarchy import edits, top_bottom_coding
from anonymizer_gui.engine.hierarchy.edits import joint_interval, split_interval
from anonymizer_gui.engine.hierarchy.edits import joint_label as numbers_together
from anonymizer_gui.engine.hierarchy.fit import (
    add_missing_values,
    contradictions,
    place_suggested,
    repair_contradictions,
)
from anonymizer_gui.engine.hierarchy.intervals import has_intervals, node_interval, stands_for_days
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval, unused_label
from anonymizer_gui.ui.i18n import tr


def midpoint(hierarchy: Hierarchy, node: int) -> str:
    """Propose where to cut the interval of a node, "" when it has no middle."""
    interval = node_interval(hierarchy, node)
    if interval is None:
        return ""
    place = (interval.low + interval.high) / 2
    if not math.isfinite(place):
        return ""
    if stands_for_days(hierarchy, node):
        return date.fromordinal(round(place)).isoformat()
    return f"{round(place) if interval.high - interval.low > 1 else place:g}"


def split_labels(hierarchy: Hierarchy, node: int, cuts: Sequence[float]) -> list[str] | None:
    """Name the parts of an interval of days; None leaves the naming of numbers to the engine."""
    interval = node_interval(hierarchy, node)
    if interval is None or not stands_for_days(hierarchy, node):
        return None
    ends = [interval.low, *sorted(set(cuts)), interval.high]
    return [_days(low, high, interval.closed and high == interval.high) for low, high in itertools.pairwise(ends)]


def merged_label(hierarchy: Hierarchy, nodes: Sequence[int], joint: Interval) -> str:
    """Name the interval that some nodes make together."""
    if stands_for_days(hierarchy, nodes[0]):
        return _days(joint.low, joint.high, joint.closed)
    return numbers_together(hierarchy, nodes, joint)


def _days(low: float, high: float, is_closed: bool) -> str:
    last = math.floor(high) if is_closed else math.ceil(high) - 1
    return f"{date.fromordinal(math.floor(low))} – {date.fromordinal(last)}"


_SPELT_OUT = 3
"""So many labels still make a readable label of their group."""


@dataclass(frozen=True, slots=True)
class NodeSelection:
    """The nodes somebody chose in the hierarchy of a column, in their order."""

    column: str
    hierarchy: Hierarchy
    nodes: tuple[int, ...]

    def labels(self) -> tuple[str, ...]:
        """Give the labels of the chosen nodes."""
        return tuple(self.hierarchy.labels[node] for node in self.nodes)

    def first(self) -> int:
        """Give the first chosen node, the root when there is none."""
        return self.nodes[0] if self.nodes else 0

    def parent(self) -> int:
        """Give the group the first chosen node stands in."""
        return max(int(self.hierarchy.parents[self.first()]), 0)

    def siblings(self) -> list[int]:
        """List the nodes beside the first chosen one, itself included."""
        return self.hierarchy.children(self.parent()) if self.first() else [0]

    def are_siblings(self) -> bool:
        """Say whether the chosen nodes stand in one group."""
        return bool(self.nodes) and len(np.unique(self.hierarchy.parents[list(self.nodes)])) == 1

    def has_group(self) -> bool:
        """Say whether a group below the root is chosen."""
        chosen = np.asarray(self.nodes, dtype=np.int64)
        return bool((~self.hierarchy.is_leaf[chosen] & (chosen > 0)).any())


@dataclass(frozen=True, slots=True)
class TreeEdit:
    """The new tree, the sentence for the history and the labels to select.

    A step that makes a new node lets the user name it at once; `named` then gives the sentence for both together.
    """

    hierarchy: Hierarchy
    sentence: str
    select: tuple[str, ...] = ()
    named: Callable[[str], str] | None = None


@dataclass(frozen=True, slots=True)
class TreeCommand:
    """One thing that can be done to the selection; `applies` says whether it makes sense now."""

    id: str
    title: str
    icon: str
    shortcut: str
    tip: str
    run: Callable[[NodeSelection], TreeEdit]
    applies: Callable[[NodeSelection], bool]
    group: str = ""


def add(at: NodeSelection) -> TreeEdit:
    """Add a value to the chosen group, or beside the chosen value."""
    tree, node = at.hierarchy, at.first()
    parent = node if not tree.is_leaf[node] or node == 0 else at.parent()
    label = unused_label(tr("New value"), set(tree.labels))

    def named(given: str) -> str:
        return tr("Add “{label}” under “{group}” in {column}", label=given, group=tree.labels[parent], column=at.column)

    return TreeEdit(edits.add_leaf(tree, parent, label), named(label), (label,), named)


def group(at: NodeSelection) -> TreeEdit:
    """Put the chosen nodes under a new group."""
    label = unused_label(_joint_label(at), set(at.hierarchy.labels))

    def named(given: str) -> str:
        return tr("Group nodes under “{label}” in {column}", label=given, column=at.column)

    return TreeEdit(edits.group(at.hierarchy, at.nodes, label), named(label), (label,), named)


def ungroup(at: NodeSelection) -> TreeEdit:
    """Dissolve the chosen groups."""
    groups = [node for node in at.nodes if node and not at.hierarchy.is_leaf[node]]
    if not groups:
        raise BadHierarchy(tr("Only a group below the root can be dissolved."))
    freed = tuple(at.hierarchy.labels[child] for node in groups for child in at.hierarchy.children(node))
    sentence = tr("Dissolve “{label}” in {column}", label=at.hierarchy.labels[groups[0]], column=at.column)
    return TreeEdit(edits.delete(at.hierarchy, groups), sentence, freed)


def delete(at: NodeSelection) -> TreeEdit:
    """Delete the chosen nodes; what was below them moves up."""
    sentence = tr("Delete “{label}” in {column}", label=at.labels()[0], column=at.column)
    return TreeEdit(edits.delete(at.hierarchy, at.nodes), sentence, _beside(at))


def delete_below(at: NodeSelection) -> TreeEdit:
    """Delete the chosen nodes and everything below them."""
    sentence = tr("Delete “{label}” and all below it in {column}", label=at.labels()[0], column=at.column)
    return TreeEdit(edits.delete(at.hierarchy, at.nodes, children="go"), sentence, _beside(at))


def move_up(at: NodeSelection) -> TreeEdit:
    """Move the chosen nodes one place up among their siblings."""
    siblings = at.siblings()
    place = siblings.index(at.first()) - 1
    sentence = tr("Move “{label}” up in {column}", label=at.labels()[0], column=at.column)
    if place < 0 or len(at.nodes) == 1:
        return TreeEdit(edits.move_up(at.hierarchy, at.first()), sentence, at.labels())
    return TreeEdit(edits.move(at.hierarchy, at.nodes, at.parent(), siblings[place]), sentence, at.labels())


def move_down(at: NodeSelection) -> TreeEdit:
    """Move the chosen nodes one place down among their siblings."""
    siblings = at.siblings()
    place = siblings.index(at.nodes[-1]) + 2
    sentence = tr("Move “{label}” down in {column}", label=at.labels()[0], column=at.column)
    if place > len(siblings) or len(at.nodes) == 1:
        return TreeEdit(edits.move_down(at.hierarchy, at.nodes[-1]), sentence, at.labels())
    before = siblings[place] if place < len(siblings) else None
    return TreeEdit(edits.move(at.hierarchy, at.nodes, at.parent(), before), sentence, at.labels())


def promote(at: NodeSelection) -> TreeEdit:
    """Move the chosen nodes out of their group, to stand after it."""
    tree, parent = at.hierarchy, at.parent()
    if not parent:
        raise BadHierarchy(tr("“{label}” already stands directly under the root.", label=at.labels()[0]))
    above = int(tree.parents[parent])
    follower = int(tree.subtree_end[parent])
    before = follower if follower < len(tree) and tree.parents[follower] == above else None
    sentence = tr("Move “{label}” out of its group in {column}", label=at.labels()[0], column=at.column)
    return TreeEdit(edits.move(tree, at.nodes, above, before), sentence, at.labels())


def demote(at: NodeSelection) -> TreeEdit:
    """Move the chosen nodes into the group before them, or after them when there is none before."""
    tree, siblings = at.hierarchy, at.siblings()
    place = siblings.index(at.first())
    before = [node for node in reversed(siblings[:place]) if not tree.is_leaf[node]]
    chosen = set(at.nodes)
    after = [node for node in siblings[place + 1 :] if not tree.is_leaf[node] and node not in chosen]
    target = (before + after)[:1]
    if not target or not at.first():
        raise BadHierarchy(
            tr("There is no group beside “{label}” to move it into.", label=at.labels()[0]), tr("Group it instead.")
        )
    sentence = tr(
        "Move “{label}” into “{group}” in {column}",
        label=at.labels()[0],
        group=tree.labels[target[0]],
        column=at.column,
    )
    return TreeEdit(edits.move(tree, at.nodes, target[0]), sentence, at.labels())


def merge(at: NodeSelection) -> TreeEdit:
    """Make one node of the chosen groups or intervals."""
    tree = at.hierarchy
    others = set(tree.labels).difference(at.labels())
    label = unused_label(_joint_label(at), others)

    def named(given: str) -> str:
        return tr("Merge nodes into “{label}” in {column}", label=given, column=at.column)

    return TreeEdit(edits.merge(tree, at.nodes, label), named(label), (label,), named)


def sort_by_label(at: NodeSelection) -> TreeEdit:
    """Sort everything below the first chosen node by label."""
    return _sort(at, "label", tr("Sort “{label}” by label in {column}", label=_whole(at), column=at.column))


def sort_by_size(at: NodeSelection) -> TreeEdit:
    """Sort everything below the first chosen node by number of values."""
    return _sort(at, "size", tr("Sort “{label}” by size in {column}", label=_whole(at), column=at.column))


def sort_by_interval(at: NodeSelection) -> TreeEdit:
    """Sort everything below the first chosen node by where intervals begin."""
    return _sort(at, "interval", tr("Sort “{label}” by interval in {column}", label=_whole(at), column=at.column))


def insert_level(at: NodeSelection) -> TreeEdit:
    """Put a level of groups above the level of the first chosen node."""
    depth = int(at.hierarchy.depths[at.first()])
    sentence = tr("Insert a level above “{label}” in {column}", label=_whole(at), column=at.column)
    return TreeEdit(edits.insert_level(at.hierarchy, depth), sentence, at.labels())


def collapse_level(at: NodeSelection) -> TreeEdit:
    """Dissolve all groups of the level of the first chosen node."""
    depth = int(at.hierarchy.depths[at.first()])
    sentence = tr("Collapse the level of “{label}” in {column}", label=_whole(at), column=at.column)
    return TreeEdit(edits.collapse_level(at.hierarchy, depth), sentence)


def place_missing(at: NodeSelection) -> TreeEdit:
    """Give missing cells their place under the chosen group."""
    sentence = tr("Put missing cells under “{group}” in {column}", group=_whole(at), column=at.column)
    return TreeEdit(edits.set_missing_place(at.hierarchy, at.first()), sentence)


def rename(at: NodeSelection, label: str) -> TreeEdit:
    """Give the first chosen node another label."""
    sentence = tr("Rename “{old}” to “{new}” in {column}", old=_whole(at), new=label, column=at.column)
    return TreeEdit(edits.rename(at.hierarchy, at.first(), label), sentence, (label,))


def drop(at: NodeSelection, parent: int, row: int) -> TreeEdit:
    """Move the chosen nodes under a group, before its child at a row (-1: at its end)."""
    children = at.hierarchy.children(parent)
    chosen = set(at.nodes)
    following = [child for child in children[row:] if child not in chosen] if 0 <= row < len(children) else []
    sentence = tr(
        "Move “{label}” to “{group}” in {column}",
        label=at.labels()[0],
        group=at.hierarchy.labels[parent],
        column=at.column,
    )
    return TreeEdit(
        edits.move(at.hierarchy, at.nodes, parent, following[0] if following else None), sentence, at.labels()
    )


def place(at: NodeSelection, values: tuple[str, ...], parent: int, row: int = -1) -> TreeEdit:
    """Add values of the data under a group, before its child at a row (-1: at its end)."""
    tree = add_missing_values(at.hierarchy, values, parent)
    sentence = tr(
        "Place “{value}” under “{group}” in {column}",
        value=values[0],
        group=at.hierarchy.labels[parent],
        column=at.column,
    )
    if 0 <= row < len(at.hierarchy.children(parent)):
        new = [int(tree.leaves[tree.leaf_number[value]]) for value in values]
        target = int(tree.parents[new[0]])
        tree = edits.move(tree, new, target, tree.children(target)[row])
    return TreeEdit(tree, sentence, values)


def repair(at: NodeSelection) -> TreeEdit:
    """Move values to the groups whose labels speak of them."""
    wrong = tuple(found.value for found in contradictions(at.hierarchy))
    return TreeEdit(
        repair_contradictions(at.hierarchy), tr("Mend contradicting labels in {column}", column=at.column), wrong
    )


def place_under_other(at: NodeSelection, values: tuple[str, ...]) -> TreeEdit:
    """Add values of the data under a group of their own."""
    sentence = tr("Place values under “Other” in {column}", column=at.column)
    return TreeEdit(add_missing_values(at.hierarchy, values, "Other"), sentence, values)


def place_as_suggested(at: NodeSelection, places: Mapping[str, int]) -> TreeEdit:
    """Add values of the data where similar labels are."""
    sentence = tr("Place values beside similar ones in {column}", column=at.column)
    return TreeEdit(place_suggested(at.hierarchy, places), sentence, tuple(places))


def split(at: NodeSelection, cuts: tuple[float, ...]) -> TreeEdit:
    """Cut the first chosen interval."""
    sentence = tr("Split “{label}” in {column}", label=_whole(at), column=at.column)
    tree = split_interval(at.hierarchy, at.first(), cuts, split_labels(at.hierarchy, at.first(), cuts))
    return TreeEdit(tree, sentence, tuple(label for label in tree.labels if label not in at.hierarchy.node_of_label))


def top_bottom_code(at: NodeSelection, below: float | None, above: float | None) -> TreeEdit:
    """Put everything beyond a bound into one group."""
    tree = top_bottom_coding.top_bottom_code(at.hierarchy, below, above)
    ends = [tree.labels[child] for child in tree.children(0) if tree.labels[child][:1] in "<>"]
    select = (*(ends[:1] if below is not None else ()), *(ends[-1:] if above is not None else ()))
    return TreeEdit(tree, tr("Code the ends of {column}", column=at.column), select)


def target_group(at: NodeSelection) -> int:
    """Give the group that is meant by the selection: the chosen one, or the one the chosen value stands in."""
    return at.first() if not at.hierarchy.is_leaf[at.first()] else at.parent()


def _sort(at: NodeSelection, by: edits.SortBy, sentence: str) -> TreeEdit:
    node = at.first() if not at.hierarchy.is_leaf[at.first()] else at.parent()
    return TreeEdit(edits.sort(at.hierarchy, node, by), sentence, at.labels())


def _whole(at: NodeSelection) -> str:
    return at.hierarchy.labels[at.first()]


def _joint_label(at: NodeSelection) -> str:
    """Propose a label for nodes together: the interval they make, or their labels when they are few."""
    joint = joint_interval([node_interval(at.hierarchy, node) for node in at.nodes])
    if joint is not None:
        return merged_label(at.hierarchy, at.nodes, joint)
    return ", ".join(at.labels()) if len(at.nodes) <= _SPELT_OUT else tr("New group")


def _beside(at: NodeSelection) -> tuple[str, ...]:
    """Name the node that is to be selected when the chosen ones are gone."""
    chosen = set(at.nodes)
    siblings = at.siblings()
    place = siblings.index(at.first())
    near = [node for node in (*siblings[place:], *reversed(siblings[:place])) if node not in chosen]
    return (at.hierarchy.labels[near[0] if near else at.parent()],)


TOP_BOTTOM_TIP = "Publish everything beyond a bound as one group, such as >=90"


def _any(_at: NodeSelection) -> bool:
    return True


def _some(at: NodeSelection) -> bool:
    return bool(at.nodes) and at.first() > 0


def _inner(at: NodeSelection) -> bool:
    return at.has_group()


def _siblings(at: NodeSelection) -> bool:
    return _some(at) and at.are_siblings()


def _several_siblings(at: NodeSelection) -> bool:
    return len(at.nodes) > 1 and _siblings(at)


def _one_group(at: NodeSelection) -> bool:
    return len(at.nodes) == 1 and (not at.nodes[0] or not at.hierarchy.is_leaf[at.nodes[0]])


def _has_intervals(at: NodeSelection) -> bool:
    return has_intervals(at.hierarchy)


TREE_COMMANDS = (
    TreeCommand(
        "group", "Group", "group", "Ctrl+G", "Put the selected nodes under a new group", group, _some, "groups"
    ),
    TreeCommand(
        "ungroup",
        "Ungroup",
        "ungroup",
        "Ctrl+Shift+G",
        "Dissolve the selected groups; what is in them stays",
        ungroup,
        _inner,
        "groups",
    ),
    TreeCommand(
        "merge",
        "Merge",
        "merge",
        "Ctrl+M",
        "Make one node of the selected groups or intervals",
        merge,
        _several_siblings,
        "groups",
    ),
    TreeCommand("add", "Add Value", "add", "Ins", "Add a value to the selected group", add, _any, "nodes"),
    TreeCommand("delete", "Delete", "delete", "Del", "Delete; what is below moves up", delete, _some, "nodes"),
    TreeCommand(
        "delete_below",
        "Delete with All Below",
        "delete_tree",
        "Ctrl+Del",
        "Delete the selected nodes and everything below them",
        delete_below,
        _inner,
        "nodes",
    ),
    TreeCommand("up", "Move Up", "move_up", "Alt+Up", "Move up among its siblings", move_up, _siblings, "moves"),
    TreeCommand(
        "down", "Move Down", "move_down", "Alt+Down", "Move down among its siblings", move_down, _siblings, "moves"
    ),
    TreeCommand(
        "promote", "Move Out of Group", "promote", "Alt+Left", "Move out of its group", promote, _siblings, "moves"
    ),
    TreeCommand(
        "demote",
        "Move into Group",
        "demote",
        "Alt+Right",
        "Move into the group before it, or after it when there is none before",
        demote,
        _siblings,
        "moves",
    ),
    TreeCommand(
        "sort",
        "Sort by Label",
        "sort",
        "Ctrl+Shift+L",
        "Sort everything below the selected node by label; numbers count as numbers",
        sort_by_label,
        _any,
        "order",
    ),
    TreeCommand(
        "sort_size",
        "Sort by Size",
        "",
        "",
        "Sort everything below the selected node by number of values",
        sort_by_size,
        _any,
        "order",
    ),
    TreeCommand(
        "sort_interval",
        "Sort by Interval",
        "",
        "",
        "Sort everything below the selected node by where its intervals begin",
        sort_by_interval,
        _has_intervals,
        "order",
    ),
    TreeCommand(
        "insert_level",
        "Insert Level Above",
        "insert_level",
        "Alt+Ins",
        "Put a level of groups above the level of the selected node",
        insert_level,
        _some,
        "levels",
    ),
    TreeCommand(
        "collapse_level",
        "Collapse Level",
        "collapse_level",
        "Alt+Del",
        "Dissolve all groups of the level of the selected node",
        collapse_level,
        _inner,
        "levels",
    ),
    TreeCommand(
        "missing",
        "Put Missing Cells Here",
        "",
        "",
        "Give missing cells their place under the selected group",
        place_missing,
        _one_group,
        "levels",
    ),
)

COMMAND_BY_ID = {command.id: command for command in TREE_COMMANDS}
