"""Preorder of trees as array operations: depths, ends of subtrees, arrangement; no loop over nodes."""

import copy
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.registry import Named
from anonymizer_gui.engine.data.tables.normalisation import normalise_text

Ints = npt.NDArray[np.int32]

Index = npt.NDArray[np.integer[Any]]


def depths_of(parents: Index) -> Ints | None:
    """Give the depth of every node by pointer doubling (the root points to -1), or None when there is a cycle."""
    steps = (parents >= 0).astype(np.int32)
    above = parents.astype(np.int64)
    for _ in range(max(len(parents), 1).bit_length() + 1):
        climbing = np.flatnonzero(above >= 0)
        if not len(climbing):
            return steps
        target = above[climbing]
        steps[climbing] += steps[target]
        above[climbing] = above[target]
    return None


def is_preorder(parents: Index, depths: Ints) -> bool:
    """Say whether every subtree follows its node without gaps.

    That is so when depths grow by at most one, and every parent is the last node before its child one level up.
    """
    n = len(parents)
    if n == 1:
        return True
    if (np.diff(depths) > 1).any():
        return False
    keys = depths.astype(np.int64) * n + np.arange(n)
    ordered = np.sort(keys)
    last_above = ordered[np.searchsorted(ordered, keys[1:] - n) - 1] % n
    return bool((last_above == parents[1:]).all())


def subtree_ends(parents: Index) -> Ints:
    """Give, for every node of a tree in preorder, the first node after its subtree."""
    n = len(parents)
    ends = np.full(n, n, dtype=np.int32)
    order = np.argsort(parents, kind="stable")
    has_next = parents[order[1:]] == parents[order[:-1]]
    ends[order[:-1][has_next]] = order[1:][has_next]
    settled = ends < n
    settled[0] = True
    above = parents.copy()
    waiting = np.flatnonzero(~settled)
    while len(waiting):
        target = above[waiting]
        done = settled[target]
        ends[waiting[done]] = ends[target[done]]
        above[waiting[~done]] = above[target[~done]]
        settled[waiting[done]] = True
        waiting = waiting[~done]
    return ends


def arrange_preorder(parents: Index, depths: Ints, key: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """List the nodes in preorder, siblings by their key (equal keys keep the order given)."""
    n = len(parents)
    by_depth = np.argsort(depths, kind="stable")
    bounds = np.searchsorted(depths[by_depth], np.arange(int(depths.max()) + 2))
    levels = [by_depth[bounds[d] : bounds[d + 1]] for d in range(len(bounds) - 1)]
    sizes = np.ones(n, dtype=np.int64)
    for nodes in reversed(levels[1:]):
        np.add.at(sizes, parents[nodes], sizes[nodes])
    place = np.zeros(n, dtype=np.int64)
    for nodes in levels[1:]:
        siblings = nodes[np.lexsort((key[nodes], parents[nodes]))]
        above = parents[siblings]
        before = np.cumsum(sizes[siblings]) - sizes[siblings]
        first = np.flatnonzero(np.r_[True, above[1:] != above[:-1]])
        start = np.repeat(before[first], np.diff(np.r_[first, len(siblings)]))
        place[siblings] = place[above] + 1 + before - start
    order = np.empty(n, dtype=np.int64)
    order[place] = np.arange(n)
    return order


def parents_of(depths: Index) -> Ints:
    """Give the parent of every node of a tree in preorder from the depths alone; the root has -1."""
    n = len(depths)
    keys = np.asarray(depths, dtype=np.int64) * n + np.arange(n)
    ordered = np.sort(keys)
    parents: Ints = (ordered[np.searchsorted(ordered, keys - n) - 1] % n).astype(np.int32)
    parents[0] = -1
    return parents


Array = TypeVar("Array", bound=npt.NDArray[Any])

Uneven = Literal["cap", "climb"]

_AT_ONCE = 1 << 15  # a million in one call would keep every other thread waiting


@dataclass(frozen=True, slots=True)
class Interval:
    """Numbers (or day ordinals of dates) from `low` up to `high`.

    `closed` says whether `high` belongs to it, `open_low` whether `low` does not.
    """

    low: float
    high: float
    closed: bool = False
    open_low: bool = False

    def holds(self, value: float) -> bool:
        """Say whether the value lies in the interval."""
        above = value > self.low or (value == self.low and not self.open_low)
        return above and (value < self.high or (self.closed and value == self.high))

    def covers(self, other: "Interval") -> bool:
        """Say whether the other interval lies in this one."""
        above = other.low > self.low or (other.low == self.low and (other.open_low or not self.open_low))
        return above and (other.high < self.high or (other.high == self.high and (self.closed or not other.closed)))

    def overlaps(self, later: "Interval") -> bool:
        """Say whether an interval that begins no earlier shares a value with this one."""
        touching = later.low == self.high and self.closed and not later.open_low
        return later.low < self.high or touching


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """A tree of labels in preorder: node 0 is the root, a node's subtree follows it without gaps.

    Leaves are numbered in the same order, so every node covers the leaves from `first_leaf` up to but not
    including `end_leaf`, and the common ancestor of any set of leaves is that of its lowest and highest one.
    A label stands for one set of leaves: two nodes share a label only when one is the only child chain of the other.

    >>> tree = Hierarchy.from_nested({"*": {"Europe": ["Italy", "Spain"], "Asia": ["Japan"]}})
    >>> tree.leaf_labels
    ('Italy', 'Spain', 'Japan')
    >>> tree.labels[tree.common_ancestor(0, 1)]
    'Europe'
    """

    labels: tuple[str, ...]
    parents: Ints
    intervals: Mapping[int, Interval]
    made_by: Named | None = None
    """The builder that made it of a column and can make another of another; an edit leaves a tree without one."""

    def __init__(
        self, labels: Sequence[str], parents: npt.ArrayLike, intervals: Mapping[int, Interval] | None = None
    ) -> None:
        object.__setattr__(self, "labels", tuple(labels))
        object.__setattr__(self, "parents", _frozen(np.array(parents, dtype=np.int32)))
        object.__setattr__(self, "intervals", MappingProxyType(dict(intervals or {})))
        self._refuse_what_is_no_tree()

    @classmethod
    def from_nested(cls, nested: Mapping[str, object]) -> "Hierarchy":
        """Make a hierarchy from nested mappings (inner nodes) and lists (leaves) under one root."""
        if len(nested) != 1:
            raise BadHierarchy("A hierarchy needs exactly one root.")
        labels: list[str] = []
        depths: list[int] = []
        waiting: list[tuple[str, object, int]] = [(label, below, 0) for label, below in nested.items()]
        while waiting:
            label, below, depth = waiting.pop()
            labels.append(label)
            depths.append(depth)
            waiting.extend((child, under, depth + 1) for child, under in reversed(_children_of(below)))
        return cls.from_depths(labels, depths)

    @classmethod
    def from_depths(cls, labels: Sequence[str], depths: Sequence[int]) -> "Hierarchy":
        """Make a hierarchy from labels in preorder and the depth of each; the root has depth 0."""
        array = np.asarray(depths, dtype=np.int64)
        if not len(array) or array[0] != 0 or (array[1:] < 1).any():
            raise BadHierarchy("A hierarchy needs exactly one root.", "Put the trees under a common root.")
        if (np.diff(array) > 1).any():
            raise BadHierarchy("A node stands more than one level below the one before it.")
        return cls(labels, parents_of(array))

    @classmethod
    def arranged(
        cls,
        labels: Sequence[str],
        parents: Index,
        key: npt.NDArray[Any] | None = None,
        intervals: Mapping[int, Interval] | None = None,
    ) -> "Hierarchy":
        """Make a hierarchy from nodes in any order; siblings follow by key, or in the order given.

        Raises BadHierarchy when the nodes are no tree.
        """
        depths = depths_of(parents)
        if depths is None:
            raise BadHierarchy("A node is its own ancestor.")
        if np.count_nonzero(np.asarray(parents) < 0) != 1:
            raise BadHierarchy("A hierarchy needs exactly one root.", "Put the trees under a common root.")
        order = arrange_preorder(parents, depths, np.arange(len(parents)) if key is None else key)
        new_id = np.empty(len(order) + 1, dtype=np.int64)
        new_id[order], new_id[-1] = np.arange(len(order)), -1
        moved = {int(new_id[node]): interval for node, interval in (intervals or {}).items()}
        return cls([labels[node] for node in order.tolist()], new_id[parents[order]], moved)

    def built_by(self, builder: Named | None) -> "Hierarchy":
        """Give the same tree that knows its builder."""
        known = copy.copy(self)
        object.__setattr__(known, "made_by", builder)
        return known

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hierarchy):
            return NotImplemented
        return (
            self.labels == other.labels
            and np.array_equal(self.parents, other.parents)
            and self.intervals == other.intervals
        )

    def __hash__(self) -> int:
        return hash(self.labels)

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self.labels)

    @cached_property
    def depths(self) -> Ints:
        """The depth of every node; the root has 0."""
        depths = depths_of(self.parents)
        if depths is None:
            raise BadHierarchy("A node is its own ancestor.")
        return _frozen(depths)

    @cached_property
    def height(self) -> int:
        """The depth of the deepest leaf: the number of generalization steps."""
        return int(self.depths.max())

    @cached_property
    def is_leaf(self) -> npt.NDArray[np.bool_]:
        """Whether a node has no children."""
        leaf = np.ones(len(self), dtype=np.bool_)
        leaf[self.parents[1:]] = False
        return _frozen(leaf)

    @cached_property
    def leaves(self) -> Ints:
        """The node of every leaf number."""
        return _frozen(np.flatnonzero(self.is_leaf).astype(np.int32))

    @cached_property
    def leaf_labels(self) -> tuple[str, ...]:
        """The label of every leaf number."""
        return tuple(self.labels[node] for node in self.leaves.tolist())

    @cached_property
    def leaf_number(self) -> dict[str, int]:
        """The leaf number of a leaf's label."""
        return {label: number for number, label in enumerate(self.leaf_labels)}

    @property
    def n_leaves(self) -> int:
        """The number of leaves."""
        return len(self.leaves)

    @cached_property
    def subtree_end(self) -> Ints:
        """For every node, the first node after its subtree."""
        return _frozen(subtree_ends(self.parents))

    @cached_property
    def first_leaf(self) -> Ints:
        """For every node, the number of the first leaf under it."""
        return _frozen((np.cumsum(self.is_leaf) - self.is_leaf).astype(np.int32))

    @cached_property
    def end_leaf(self) -> Ints:
        """For every node, the number after that of the last leaf under it."""
        return _frozen(np.concatenate([[0], np.cumsum(self.is_leaf)])[self.subtree_end].astype(np.int32))

    @cached_property
    def leaf_counts(self) -> Ints:
        """The number of leaves under every node."""
        return _frozen(self.end_leaf - self.first_leaf)

    @cached_property
    def loss(self) -> npt.NDArray[np.float64]:
        """The LM of a cell published as each node: (leaves under it - 1) / (leaves in all - 1)."""
        return _frozen((self.leaf_counts - 1) / max(self.n_leaves - 1, 1))

    @cached_property
    def node_of_label(self) -> dict[str, int]:
        """The topmost node of a label."""
        found: dict[str, int] = {}
        for end in range(len(self), 0, -_AT_ONCE):  # from below, so that the topmost one stays
            nodes = range(max(end - _AT_ONCE, 0), end)[::-1]
            found.update(zip(self.labels[nodes[-1] : end][::-1], nodes, strict=True))
        return found

    @cached_property
    def topmost_of_label(self) -> npt.NDArray[np.int64]:
        """For every node the topmost one of the same label, itself unless a chain of only children repeats it."""
        topmost = self.node_of_label
        return np.fromiter((topmost[label] for label in self.labels), np.int64, len(self))

    def children(self, node: int) -> list[int]:
        """List the children of a node, in order."""
        found = []
        child, end = node + 1, int(self.subtree_end[node])
        while child < end:
            found.append(child)
            child = int(self.subtree_end[child])
        return found

    def path(self, node: int) -> tuple[int, ...]:
        """List the node and its ancestors up to the root."""
        nodes = []
        while node >= 0:
            nodes.append(node)
            node = int(self.parents[node])
        return tuple(nodes)

    @cached_property
    def ancestors(self) -> Ints:
        """Row d holds, for every leaf number, its ancestor at depth d (the leaf itself below its own depth)."""
        table = np.empty((self.height + 1, self.n_leaves), dtype=np.int32)
        table[-1] = self.leaves
        for depth in range(self.height - 1, -1, -1):
            deeper = self.depths[table[depth + 1]] > depth
            table[depth] = np.where(deeper, self.parents[table[depth + 1]], table[depth + 1])
        return _frozen(table)

    def level_table(self, uneven: Uneven = "cap") -> Ints:
        """Row i holds the node of every leaf number at full-domain level i; row 0 the leaves, the last the root.

        `cap`: leaves deeper than height - i are lifted to that depth, shallower ones stay.
        `climb`: i steps up from each leaf, stopping at the root.
        """
        if uneven == "cap":
            return self.ancestors[::-1]
        rows = [self.leaves]
        for _ in range(self.height):
            rows.append(np.maximum(self.parents[rows[-1]], 0))
        return np.stack(rows).astype(np.int32)

    @cached_property
    def _range_minimum(self) -> npt.NDArray[np.int64]:
        """Sparse table over neighbouring leaves: smallest (depth, node) of their common ancestors in runs of 2**row."""
        # The node after a leaf hangs on the common ancestor of that leaf and the next one.
        node = self.parents[self.leaves[:-1] + 1].astype(np.int64)
        rows = [self.depths[node].astype(np.int64) << 32 | node]
        width = 1
        while 2 * width <= self.n_leaves - 1:
            rows.append(rows[-1].copy())
            np.minimum(rows[-1][:-width], rows[-2][width:], out=rows[-1][:-width])
            width *= 2
        return np.stack(rows)

    def common_ancestors(self, low: npt.ArrayLike, high: npt.ArrayLike) -> Ints:
        """Give the most recent common ancestor of each pair of leaf numbers with low <= high."""
        first, last = np.asarray(low, dtype=np.int64), np.asarray(high, dtype=np.int64)
        result = self.leaves[first].astype(np.int32)
        apart = np.flatnonzero(last > first)
        if not len(apart):
            return result
        first, last = first[apart], last[apart]
        power = np.frexp(last - first)[1] - 1
        table = self._range_minimum
        found = np.minimum(table[power, first], table[power, last - (1 << power.astype(np.int64))])
        result[apart] = found & 0xFFFFFFFF
        return result

    def common_ancestor(self, *leaves: int) -> int:
        """Give the most recent common ancestor of some leaf numbers."""
        return int(self.common_ancestors([min(leaves)], [max(leaves)])[0])

    def _refuse_what_is_no_tree(self) -> None:
        if not self.labels or len(self.labels) != len(self.parents) or self.parents[0] != -1:
            raise BadHierarchy("A hierarchy needs exactly one root.")
        if (self.parents[1:] < 0).any():
            raise BadHierarchy("A hierarchy needs exactly one root.", "Put the trees under a common root.")
        if (self.parents >= np.arange(len(self))).any() or not is_preorder(self.parents, self.depths):
            raise BadHierarchy("The nodes are not in order from the root to the leaves.")
        self._refuse_bad_intervals()
        self._refuse_double_labels()

    def _refuse_double_labels(self) -> None:
        seen: set[str] = set()
        for at in range(0, len(self), _AT_ONCE):
            seen.update(self.labels[at : at + _AT_ONCE])
        if len(seen) == len(self):
            return
        above = self.topmost_of_label
        alone = (np.arange(len(self)) < self.subtree_end[above]) & (self.leaf_counts[above] == self.leaf_counts)
        if not alone.all():
            label = self.labels[int(np.argmin(alone))]
            raise BadHierarchy(message("The label “{label}” stands at two places.", label=label), "Rename one of them.")

    def _refuse_bad_intervals(self) -> None:
        for node, interval in self.intervals.items():
            if not 0 <= node < len(self) or not interval.low <= interval.high:
                raise BadHierarchy("An interval does not belong to a node, or ends before it begins.")


def _frozen(array: Array) -> Array:
    """Let nobody write into an array that many share."""
    array.setflags(write=False)
    return array


def _children_of(below: object) -> list[tuple[str, object]]:
    if isinstance(below, Mapping):
        return [(str(child), under) for child, under in below.items()]
    return [(str(child), ()) for child in below] if isinstance(below, Iterable) else []


_DIGITS = re.compile(r"(?<!\d)(?<!\d\.)\d+")  # not the digits after a decimal point


def normalise_label(text: str) -> str:
    """Normalise a label as tables are normalised at reading."""
    return normalise_text(text)


def require_label(text: str) -> str:
    """Normalise a label somebody typed; raises BadHierarchy when nothing is left."""
    label = normalise_label(text)
    if not label:
        raise BadHierarchy("A label cannot be empty.")
    return label


def natural_key(label: str) -> str:
    """Sort key in which numbers inside labels count as numbers, and upper and lower case are the same.

    >>> sorted(["week 10", "week 9", "[5-10)", "[10-15)"], key=natural_key)
    ['[5-10)', '[10-15)', 'week 9', 'week 10']
    """
    return _DIGITS.sub(lambda found: found[0].zfill(20), label.casefold())


def unused_label(wanted: str, taken: set[str]) -> str:
    """Give the label itself, or with the first number that makes it new."""
    label, number = wanted, 2
    while label in taken:
        label, number = f"{wanted} ({number})", number + 1
    return label


_SMALL = Hierarchy(["*"], [-1])


def with_placeholders(value: Any) -> Any:
    """Give a mapping with a small hierarchy in place of each; anything else as it is."""
    if not isinstance(value, Mapping):
        return value
    return {key: _SMALL if isinstance(each, Hierarchy) else each for key, each in value.items()}
