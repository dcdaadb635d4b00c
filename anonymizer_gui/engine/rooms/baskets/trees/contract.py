"""What every way to make a tree of items has, and how groups of so many are stacked into a tree."""

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, unused_label

ROOT = "*"


class TreeMaker(Protocol):
    """A frozen dataclass with `fan_out`, registered in `TREES`."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]

    @property
    def fan_out(self) -> int:
        """How many items or groups form a group."""

    def order(self, baskets: Baskets, progress: Progress) -> list[str]:
        """Give all items in an order in which neighbours may share a group."""


TREES: Registry[TreeMaker] = Registry("tree of items", __package__)


def how_many() -> Any:
    """Declare how many belong to a group."""
    return param(Int(low=2, high=50), default=5, label="In each group", help="How many items or groups form a group.")


def build(maker: TreeMaker, baskets: Baskets, progress: Progress) -> Hierarchy:
    """Make the tree: neighbours form groups, groups form larger ones, until few enough are left for the root."""
    return stacked(maker.order(baskets, progress), maker.fan_out)


def stacked(items: Sequence[str], fan: int) -> Hierarchy:
    """Stack items into groups of so many; groups have numbers for names, which tell nothing about what is in them."""
    taken = set(items)
    root = unused_label(ROOT, taken)
    taken.add(root)
    trees: list[tuple[str, list[tuple[str, list[object]]]]] = [(item, []) for item in items]
    level = 0
    while len(trees) > fan:
        level += 1
        above = []
        for at in range(0, len(trees), fan):
            label = unused_label(f"Group {level}-{at // fan + 1}", taken)
            taken.add(label)
            above.append((label, trees[at : at + fan]))
        trees = above  # type: ignore[assignment]
    labels, parents = [root], [-1]
    waiting = [(tree, 0) for tree in reversed(trees)]
    while waiting:
        (label, below), parent = waiting.pop()
        node = len(labels)
        labels.append(label)
        parents.append(parent)
        waiting.extend((child, node) for child in reversed(below))  # type: ignore[misc]
    return Hierarchy(labels, parents) if len(labels) > 1 else Hierarchy([root, "-"], [-1, 0])
