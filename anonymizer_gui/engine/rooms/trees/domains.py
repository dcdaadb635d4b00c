"""The labels of one path as codes that can be made coarser: nodes of its hierarchy, or intervals of its numbers."""

import math
from collections.abc import Sequence

import numpy as np

from anonymizer_gui.engine.data.tables.table import MISSING, SUPPRESSED, ColumnSchema
from anonymizer_gui.engine.data.trees.trees import Ints, Leaf, Scalar
from anonymizer_gui.engine.hierarchy.leaf_encoding import encode_column
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

ABSENT = -1
"""A label that is not there: never, or not any more."""
_FEW_NUMBERS = 3
_MOST_LISTED = 6


class Domain:
    """Codes of one path: what two have in common, what a code costs (LM), and what is published for it."""

    def __init__(self, leaf: Leaf, tree: Hierarchy, codes: Ints) -> None:
        self.path, self.tree, self.codes = leaf.path, tree, codes
        """`codes` has the node of every label, in the order of the leaf's holders."""
        self.loss: list[float] = tree.loss.tolist()
        self._scalars = leaf.scalars
        self._joins: dict[tuple[int, int], int] = {}

    def join(self, one: int, other: int) -> int:
        """Give the finest code that covers both."""
        key = (one, other) if one <= other else (other, one)
        found = self._joins.get(key)
        if found is None:
            found = self._joins[key] = self._join(*key)
        return found

    def _join(self, one: int, other: int) -> int:
        tree = self.tree
        low = min(int(tree.first_leaf[one]), int(tree.first_leaf[other]))
        high = max(int(tree.end_leaf[one]), int(tree.end_leaf[other])) - 1
        node = tree.common_ancestor(low, high)
        while tree.leaf_counts[node] < max(tree.leaf_counts[one], tree.leaf_counts[other]):
            node = int(tree.parents[node])
        return int(tree.topmost_of_label[node])

    def covers(self, code: int, leaf: int) -> bool:
        """Tell whether a published code may stand for a label of the source."""
        return bool(self.tree.first_leaf[code] <= self.tree.first_leaf[leaf] < self.tree.end_leaf[code])

    def scalar(self, code: int) -> Scalar:
        """Give what is published: the label as it was written where it is one, else the label of the group."""
        label = self.tree.labels[code]
        return self._scalars[label] if self.tree.is_leaf[code] and label in self._scalars else label


class Numbers(Domain):
    """Numbers without a hierarchy: any interval between two of them is a code."""

    def __init__(self, leaf: Leaf, values: Sequence[str], codes: Ints) -> None:
        self.path, self.codes = leaf.path, codes
        self._values, self._scalars = values, leaf.scalars
        self._bounds = [(at, at) for at in range(len(values))]
        self._numbers = {bounds: at for at, bounds in enumerate(self._bounds)}
        self.loss = [0.0] * len(values)
        self._joins = {}

    def _join(self, one: int, other: int) -> int:
        (low, high), (also_low, also_high) = self._bounds[one], self._bounds[other]
        bounds = min(low, also_low), max(high, also_high)
        found = self._numbers.get(bounds)
        if found is None:
            found = self._numbers[bounds] = len(self._bounds)
            self._bounds.append(bounds)
            self.loss.append((bounds[1] - bounds[0]) / max(len(self._values) - 1, 1))
        return found

    def covers(self, code: int, leaf: int) -> bool:
        """Tell whether an interval holds a number."""
        low, high = self._bounds[code]
        return low <= leaf <= high

    def scalar(self, code: int) -> Scalar:
        """Give the number as it was written, or the interval."""
        low, high = self._bounds[code]
        if low == high:
            return self._scalars[self._values[low]]
        if self._values[low] == MISSING:
            return SUPPRESSED
        return f"[{self._values[low]}-{self._values[high]}]"


class Words(Domain):
    """Words without a hierarchy: any set of them is a code, all of them together the root."""

    def __init__(self, leaf: Leaf) -> None:
        self.path, self.codes = leaf.path, leaf.column.codes.astype(np.int64)
        self._values, self._scalars = leaf.column.labels, leaf.scalars
        self._sets = [frozenset([at]) for at in range(len(self._values))]
        self._numbers = {each: at for at, each in enumerate(self._sets)}
        self.loss = [0.0] * len(self._values)
        self._joins = {}

    def _join(self, one: int, other: int) -> int:
        united = self._sets[one] | self._sets[other]
        found = self._numbers.get(united)
        if found is None:
            found = self._numbers[united] = len(self._sets)
            self._sets.append(united)
            self.loss.append((len(united) - 1) / max(len(self._values) - 1, 1))
        return found

    def covers(self, code: int, leaf: int) -> bool:
        """Tell whether a set holds a word."""
        return leaf in self._sets[code]

    def scalar(self, code: int) -> Scalar:
        """Give the word as it was written, the set, or the root for all of them."""
        held = self._sets[code]
        if len(held) == 1:
            return self._scalars[self._values[next(iter(held))]]
        if len(held) == len(self._values):
            return SUPPRESSED
        return "{" + ", ".join(self._values[at] for at in sorted(held)) + "}"


def domain_of(leaf: Leaf, tree: Hierarchy | None, schema: ColumnSchema, *, intervals: bool) -> Domain:
    """Place the labels of a path; without a hierarchy numbers get intervals and words sets, or a tree of halves.

    Raises NoPlace when a label has no leaf.
    """
    if tree is None:
        numbers = ordered_numbers(leaf.column.labels)
        if numbers and intervals:
            place = {text: at for at, text in enumerate(numbers)}
            codes = np.array([place[label] for label in leaf.column.labels], dtype=np.int64)
            return Numbers(leaf, numbers, codes[leaf.column.codes])
        if intervals:
            return Words(leaf)
        tree = halved(numbers, are_words=False) if numbers else halved(sorted(leaf.column.labels), are_words=True)
    placed = encode_column(leaf.column, tree, schema)
    return Domain(leaf, placed.hierarchy, placed.hierarchy.leaves[placed.codes].astype(np.int64))


def ordered_numbers(labels: Sequence[str]) -> list[str]:
    """List the labels by size where all are numbers, a missing one first; nothing where they are words, or few."""
    found = []
    for label in labels:
        value = -math.inf if label == MISSING else _number(label)
        if value is None:
            return []
        found.append((value, label))
    return [label for _, label in sorted(found)] if len(found) >= _FEW_NUMBERS else []


def _number(label: str) -> float | None:
    try:
        value = float(label)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in label else None


def halved(values: Sequence[str], *, are_words: bool) -> Hierarchy:
    """Make the tree of ever smaller groups over ordered values, each cut in the middle."""
    labels, parents = list[str](), list[int]()
    root = SUPPRESSED
    while root in values:
        root += SUPPRESSED
    waiting = [(0, len(values), -1)]
    while waiting:
        low, high, parent = waiting.pop()
        at = len(labels)
        labels.append(root if parent < 0 else _group(values[low:high], are_words=are_words))
        parents.append(parent)
        if high - low > 1 or parent < 0:
            middle = (low + high + 1) // 2
            waiting += [(middle, high, at)] * (middle < high) + [(low, middle, at)]
    return Hierarchy(labels, parents)


def _group(values: Sequence[str], *, are_words: bool) -> str:
    """Name a group: numbers by its ends, words one by one while they are few."""
    if len(values) == 1:
        return values[0]
    if not are_words:
        return f"[{values[0]}-{values[-1]}]"
    return "{" + (", ".join(values) if len(values) <= _MOST_LISTED else f"{values[0]} … {values[-1]}") + "}"
