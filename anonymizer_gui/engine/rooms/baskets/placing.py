"""Puts every item at its leaf of the tree, and what is sensitive aside."""

import numpy as np

from anonymizer_gui.engine.core.errors import BadHierarchy, BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.baskets.project import Project
from anonymizer_gui.engine.rooms.baskets.rules import Rules, tree_of
from anonymizer_gui.engine.sets.encoding import EncodedTransactions, SensitiveValue

ROOT = "*"


def placed(baskets: Baskets, project: Project, rules: Rules | None) -> EncodedTransactions:
    """Encode baskets with the tree of a project, that of its rules, or none but a root.

    Raises BadHierarchy when an item has no leaf, BadParameter when nothing is called what should be sensitive.
    """
    sensitive = sensitive_of(baskets, project.sensitive())
    hidden = sensitive.name if sensitive is not None and sensitive.is_item else None
    known = [item for item in baskets.items if item != hidden]
    tree = tree_of(rules, known) if rules is not None else project.tree or flat_tree(known)
    number = tree.leaf_number
    homeless = [item for item in known if item not in number]
    if homeless:
        raise BadHierarchy(
            message(
                "{items:item has|items have} no place in the tree, “{first}” for one.",
                items=len(homeless),
                first=homeless[0],
            ),
            "Repair the tree of items: add them where they belong.",
        )
    leaf_of = np.array(
        [number.get(item, -1) if item != hidden else -1 for item in baskets.items] or [0], dtype=np.int32
    )
    leaves = leaf_of[baskets.codes]
    places = np.flatnonzero(leaves >= 0)
    return EncodedTransactions(tree, len(baskets), baskets.basket_of[places], leaves[places], places, sensitive)


def flat_tree(items: list[str]) -> Hierarchy:
    """Make the tree that has nothing between the items and the root."""
    root = ROOT
    while root in items:
        root += ROOT
    return Hierarchy([root, *items], [-1, *([0] * len(items))]) if items else Hierarchy([root, "-"], [-1, 0])


def sensitive_of(baskets: Baskets, name: str) -> SensitiveValue | None:
    """Find the column or the item that is called so; raises BadParameter when there is none."""
    if not name:
        return None
    if name in baskets.beside.names:
        column = baskets.beside.column(name)
        return SensitiveValue(name, column.codes.astype(np.int64), column.labels, is_item=False)
    if name in baskets.items:
        has = np.zeros(len(baskets), dtype=np.int64)
        has[baskets.basket_of[baskets.codes == baskets.items.index(name)]] = 1
        return SensitiveValue(name, has, ("no", "yes"), is_item=True)
    raise BadParameter(
        message("There is neither a column nor an item “{name}”.", name=name), "Choose what is sensitive again."
    )
