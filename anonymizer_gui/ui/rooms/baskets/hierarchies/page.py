"""The step of the tree of items: the one hierarchy there is."""

from typing import ClassVar

from anonymizer_gui.ui.hierarchies.page import HierarchiesPage
from anonymizer_gui.ui.hierarchies.tree_model import HierarchyTexts


class TreeOfItems(HierarchiesPage):
    """The shared page about the one column of baskets: their items."""

    words: ClassVar[HierarchyTexts] = HierarchyTexts(
        unmarked="Open baskets first.",
        some="The items have no tree yet",
        unplaced="Some items have no place in the tree",
        contradicted="Some groups of the tree contradict the items below them",
        done="The items have a tree",
        propose="Propose a tree for the items",
        no_data="Open baskets to shape the tree of their items.",
        no_column="Open baskets to shape the tree of their items.",
        way_out="The tree says which items become a group together.",
        go="Go to Baskets",
        level="<b>The items at level</b>",
        one_class="One group of all items, {rows:occurrence|occurrences} in all; LM {loss}",
        classes="{classes:group|groups} of items, the rarest with {rows:occurrence|occurrences}; LM {loss}",
        counted="Occurrences",
        counted_tip="How often an item under this label stands in a basket",
        node="{label}: level {level} of {height}, {rows:occurrence|occurrences}, {leaves:leaf|leaves}, LM {loss}",
        tray="<b>Without a place</b>: items {values}, occurrences {rows}",
        is_one=True,
    )
