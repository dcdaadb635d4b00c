"""Contract (TREES); alphabet, frequency, co-occurrence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, unused_label
from anonymizer_gui.engine.rooms.baskets.attack import as_transactions
from anonymizer_gui.engine.sets.support import count_support

ROOT = "*"


class ItemHierarchyBuilder(Protocol):
    """A frozen dataclass with `fan_out`, registered in `TREES`."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]

    @property
    def fan_out(self) -> int:
        """How many items or groups form a group."""

    def order(self, baskets: Baskets, progress: Progress) -> list[str]:
        """Give all items in an order in which neighbours may share a group."""


ITEM_HIERARCHIES: Registry[ItemHierarchyBuilder] = Registry("tree of items", __package__)


def fan_out_parameter() -> Any:
    """Declare how many belong to a group."""
    return param(Int(low=2, high=50), default=5, label="In each group", help="How many items or groups form a group.")


def build_tree(maker: ItemHierarchyBuilder, baskets: Baskets, progress: Progress) -> Hierarchy:
    """Make the tree: neighbours form groups, groups form larger ones, until few enough are left for the root."""
    return stack_groups(maker.order(baskets, progress), maker.fan_out)


def stack_groups(items: Sequence[str], fan: int) -> Hierarchy:
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


@ITEM_HIERARCHIES.register
@dataclass(frozen=True, slots=True)
class Alphabetical:
    """Neighbours in the alphabet, or numbers next to each other, form a group."""

    name: ClassVar[str] = "alphabetical"
    title: ClassVar[str] = "By the alphabet"
    summary: ClassVar[str] = "Items that stand side by side in the alphabet form a group; codes often mean something."

    fan_out: int = fan_out_parameter()

    def order(self, baskets: Baskets, progress: Progress) -> list[str]:
        """Give the items as they are sorted."""
        progress(0.0, "Sorting the items")
        return sorted(baskets.items)


@ITEM_HIERARCHIES.register
@dataclass(frozen=True, slots=True)
class Frequency:
    """Items that are about as frequent form a group: rare ones with rare ones."""

    name: ClassVar[str] = "frequency"
    title: ClassVar[str] = "By frequency"
    summary: ClassVar[str] = "Frequent items stay among themselves, rare ones meet rare ones."

    fan_out: int = fan_out_parameter()

    def order(self, baskets: Baskets, progress: Progress) -> list[str]:
        """Give the most frequent items first."""
        progress(0.0, "Counting the items")
        counts = dict(zip(baskets.items, baskets.counts().tolist(), strict=True))
        return sorted(baskets.items, key=lambda item: (-counts[item], item))


_OFTEN = 256


@ITEM_HIERARCHIES.register
@dataclass(frozen=True, slots=True)
class CoOccurrence:
    """Items that are often in the same baskets form a group."""

    name: ClassVar[str] = "co-occurrence"
    title: ClassVar[str] = "By what is found together"
    summary: ClassVar[str] = "Items that the same people hold form a group."

    fan_out: int = fan_out_parameter()

    def order(self, baskets: Baskets, progress: Progress) -> list[str]:
        """Begin with the most frequent item; go on with the one that is found with it most for how frequent it is."""
        progress(0.0, "Looking what is found together")
        counts = baskets.counts()
        held = as_transactions(baskets)
        keys, together = count_support(held, 2, progress)
        pairs = held.members(keys, 2)
        likeness = together / np.sqrt(counts[pairs[:, 0]] * counts[pairs[:, 1]]) if len(pairs) else together * 1.0
        one, other = np.concatenate([pairs, pairs[:, ::-1]]).T if len(pairs) else (keys, keys)
        order = np.lexsort((other, -np.concatenate([likeness, likeness]), one))
        first = np.searchsorted(one[order], np.arange(len(counts) + 1))
        neighbours = other[order]
        left = np.ones(len(counts), dtype=np.bool_)
        by_frequency = iter(np.lexsort((np.arange(len(counts)), -counts)).tolist())
        chain: list[int] = []
        while len(chain) < len(counts):
            if len(chain) % _OFTEN == 0:
                progress(len(chain) / len(counts))
            near = neighbours[first[chain[-1]] : first[chain[-1] + 1]] if chain else neighbours[:0]
            free = near[left[near]]
            item = int(free[0]) if len(free) else next(item for item in by_frequency if left[item])
            left[item] = False
            chain.append(item)
        return [baskets.items[item] for item in chain]
