"""Hierarchies in a project file: the tree beside the builder that made it, or the builder alone in a recipe."""

from collections.abc import Mapping

from anonymizer_gui.engine.hierarchy.formats import json_tree
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.projects.entries import registered, registered_json
from anonymizer_gui.engine.registry import Named

_MADE_BY = "made_by"


def tree_json(tree: Hierarchy) -> Json:
    """Give a hierarchy with its builder; earlier versions of the program do not look at that entry."""
    told = json_tree.to_json(tree)
    return told if tree.made_by is None else {**told, _MADE_BY: registered_json(tree.made_by)}


def tree_from(entry: Json) -> Hierarchy:
    """Make a hierarchy; raises BadHierarchy, and BadParameter for a builder that there is not."""
    tree = json_tree.from_json(entry)
    builder = entry.get(_MADE_BY) if isinstance(entry, Mapping) else None
    return tree if builder is None else tree.built_by(rule_from(builder))


def rule_from(entry: Json) -> Named:
    """Make a builder of its name and parameters; raises BadParameter."""
    from anonymizer_gui.engine.hierarchy.builders.builder import BUILDERS  # few projects need them

    return registered(BUILDERS, entry)
