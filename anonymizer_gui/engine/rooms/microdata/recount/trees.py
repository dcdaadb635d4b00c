"""A hierarchy as plain lists: the leaf of a text, the heights of nodes, what lies under a node."""

from collections.abc import Callable, Iterator

from anonymizer_gui.engine.rooms.microdata.recount.asked import Tree
from anonymizer_gui.engine.rooms.microdata.recount.orders import Reader


class Branches:
    """A tree that can be climbed; nodes follow their parents, and the subtree of a node has no gaps.

    A missing value has a leaf of its own under the root, the last of all, if the tree names none.
    """

    def __init__(self, tree: Tree, is_missing: Callable[[str], bool], value_of: Reader) -> None:
        self._spans = tree.spans
        self._is_missing = is_missing
        self._value_of = value_of
        has_children = set(tree.parents)
        leaves = [node for node in range(len(tree.labels)) if node not in has_children]
        has_missing = any(is_missing(tree.labels[leaf]) for leaf in leaves)
        self._labels = [*tree.labels, *([] if has_missing else [""])]
        self._parents = [*tree.parents, *([] if has_missing else [0])]
        self._leaves = leaves if has_missing else [*leaves, len(tree.labels)]
        self._number = {leaf: number for number, leaf in enumerate(self._leaves)}
        self._by_label = {self._labels[leaf]: leaf for leaf in self._leaves}
        self._missing = next(leaf for leaf in reversed(self._leaves) if is_missing(self._labels[leaf]))
        self._heights = self._measured()
        self._under = self._gathered()

    @property
    def height(self) -> int:
        """The number of steps from the root to the deepest leaf."""
        return self._heights[0]

    @property
    def leaf_labels(self) -> list[str]:
        """The labels of the leaves, in order."""
        return [self._labels[leaf] for leaf in self._leaves]

    def climb(self, node: int) -> int:
        """Give how much higher the node above is."""
        return self._heights[self._parents[node]] - self._heights[node]

    def leaf_of(self, text: str) -> int | None:
        """Give the leaf of this name, else the one whose interval holds the number or date."""
        if self._is_missing(text):
            return self._missing
        if text in self._by_label:
            return self._by_label[text]
        value = self._value_of(text) if self._spans else None
        return None if value is None else self._holding(value)

    def number_of_leaf(self, text: str) -> int | None:
        """Give the place of a text's leaf among the leaves."""
        leaf = self.leaf_of(text)
        return None if leaf is None else self._number[leaf]

    def leaves_under(self, label: str) -> range | None:
        """Give the places of the leaves under the node of this name, or nothing."""
        return self._under.get(label)

    def path(self, leaf: int) -> Iterator[int]:
        """Climb from a leaf to the node below the root, both included."""
        while self._parents[leaf] >= 0:
            yield leaf
            leaf = self._parents[leaf]

    def _holding(self, value: float) -> int | None:
        return next((leaf for leaf in self._leaves if leaf in self._spans and self._spans[leaf].holds(value)), None)

    def _measured(self) -> list[int]:
        """Count the steps from every node down to its deepest leaf."""
        found = [0] * len(self._labels)
        for node in range(len(self._labels) - 1, 0, -1):
            above = self._parents[node]
            found[above] = max(found[above], found[node] + 1)
        return found

    def _gathered(self) -> dict[str, range]:
        """Find the leaves under every label; the root covers missing values, too."""
        first: dict[int, int] = {}
        last: dict[int, int] = {}
        for number, leaf in enumerate(self._leaves):
            for node in (leaf, *(self._parents[below] for below in self.path(leaf))):
                first.setdefault(node, number)
                last[node] = number
        return {self._labels[node]: range(first[node], last[node] + 1) for node in first}
