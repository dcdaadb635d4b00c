"""The commands of the tree editor, each once: its buttons, its context menu and the shortcuts of the page derive."""

from anonymizer_gui.engine.hierarchy.intervals import has_intervals
from anonymizer_gui.ui.hierarchies import commands as does
from anonymizer_gui.ui.hierarchies.commands import Command, Selection

ENDS_TIP = "Publish everything beyond a bound as one group, such as >=90"


def _any(_at: Selection) -> bool:
    return True


def _some(at: Selection) -> bool:
    return bool(at.nodes) and at.first() > 0


def _inner(at: Selection) -> bool:
    return at.has_group()


def _siblings(at: Selection) -> bool:
    return _some(at) and at.are_siblings()


def _several_siblings(at: Selection) -> bool:
    return len(at.nodes) > 1 and _siblings(at)


def _one_group(at: Selection) -> bool:
    return len(at.nodes) == 1 and (not at.nodes[0] or not at.hierarchy.is_leaf[at.nodes[0]])


def _has_intervals(at: Selection) -> bool:
    return has_intervals(at.hierarchy)


COMMANDS = (
    Command(
        "group", "Group", "group", "Ctrl+G", "Put the selected nodes under a new group", does.group, _some, "groups"
    ),
    Command(
        "ungroup",
        "Ungroup",
        "ungroup",
        "Ctrl+Shift+G",
        "Dissolve the selected groups; what is in them stays",
        does.ungroup,
        _inner,
        "groups",
    ),
    Command(
        "merge",
        "Merge",
        "merge",
        "Ctrl+M",
        "Make one node of the selected groups or intervals",
        does.merge,
        _several_siblings,
        "groups",
    ),
    Command("add", "Add Value", "add", "Ins", "Add a value to the selected group", does.add, _any, "nodes"),
    Command("delete", "Delete", "delete", "Del", "Delete; what is below moves up", does.delete, _some, "nodes"),
    Command(
        "delete_below",
        "Delete with All Below",
        "delete_tree",
        "Ctrl+Del",
        "Delete the selected nodes and everything below them",
        does.delete_below,
        _inner,
        "nodes",
    ),
    Command("up", "Move Up", "move_up", "Alt+Up", "Move up among its siblings", does.move_up, _siblings, "moves"),
    Command(
        "down", "Move Down", "move_down", "Alt+Down", "Move down among its siblings", does.move_down, _siblings, "moves"
    ),
    Command(
        "promote", "Move Out of Group", "promote", "Alt+Left", "Move out of its group", does.promote, _siblings, "moves"
    ),
    Command(
        "demote",
        "Move into Group",
        "demote",
        "Alt+Right",
        "Move into the group before it, or after it when there is none before",
        does.demote,
        _siblings,
        "moves",
    ),
    Command(
        "sort",
        "Sort by Label",
        "sort",
        "Ctrl+Shift+L",
        "Sort everything below the selected node by label; numbers count as numbers",
        does.sort_by_label,
        _any,
        "order",
    ),
    Command(
        "sort_size",
        "Sort by Size",
        "",
        "",
        "Sort everything below the selected node by number of values",
        does.sort_by_size,
        _any,
        "order",
    ),
    Command(
        "sort_interval",
        "Sort by Interval",
        "",
        "",
        "Sort everything below the selected node by where its intervals begin",
        does.sort_by_interval,
        _has_intervals,
        "order",
    ),
    Command(
        "insert_level",
        "Insert Level Above",
        "insert_level",
        "Alt+Ins",
        "Put a level of groups above the level of the selected node",
        does.insert_level,
        _some,
        "levels",
    ),
    Command(
        "collapse_level",
        "Collapse Level",
        "collapse_level",
        "Alt+Del",
        "Dissolve all groups of the level of the selected node",
        does.collapse_level,
        _inner,
        "levels",
    ),
    Command(
        "missing",
        "Put Missing Cells Here",
        "",
        "",
        "Give missing cells their place under the selected group",
        does.place_missing,
        _one_group,
        "levels",
    ),
)

BY_ID = {command.id: command for command in COMMANDS}
