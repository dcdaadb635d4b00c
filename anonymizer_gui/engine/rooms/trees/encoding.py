"""Roles of paths, generalisation domains, records as algorithms see them."""

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.data.tables.table import MISSING, SUPPRESSED, ColumnSchema, Role
from anonymizer_gui.engine.data.trees.trees import ROOT, Ints, Leaf, Scalar, Trees
from anonymizer_gui.engine.hierarchy.leaf_encoding import encode_column
from anonymizer_gui.engine.hierarchy.tree import Hierarchy


class PathRole(enum.Enum):
    """Identifiers and what is removed never leave; quasi-identifiers are made coarser; the others leave as they are."""

    IDENTIFIER = "identifier"
    QUASI = "quasi-identifier"
    SENSITIVE = "sensitive"
    PUBLIC = "public"
    REMOVE = "remove"

    @property
    def leaves(self) -> bool:
        """Whether labels of the path are in the release."""
        return self not in (PathRole.IDENTIFIER, PathRole.REMOVE)


UNDECIDED = PathRole.REMOVE
"""The role of a path nobody has decided about: it does not leave."""

TITLES = {
    PathRole.IDENTIFIER: "Identifier",
    PathRole.QUASI: "Quasi-identifier",
    PathRole.SENSITIVE: "Sensitive",
    PathRole.PUBLIC: "Public",
    PathRole.REMOVE: "Remove",
}

AS_COLUMN = {
    PathRole.IDENTIFIER: Role.EI,
    PathRole.QUASI: Role.QI,
    PathRole.SENSITIVE: Role.SA,
    PathRole.PUBLIC: Role.OTHER,
    PathRole.REMOVE: Role.OTHER,
}
"""What the tree editor, which knows columns, takes a role for."""

OF_COLUMN = {
    Role.EI: PathRole.IDENTIFIER,
    Role.QI: PathRole.QUASI,
    Role.SA: PathRole.SENSITIVE,
    Role.OTHER: PathRole.PUBLIC,
}

SHORT = {"EI": PathRole.IDENTIFIER, "QI": PathRole.QUASI, "SA": PathRole.SENSITIVE, "other": PathRole.PUBLIC}

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


class NumericDomain(Domain):
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


class CategoricalDomain(Domain):
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
            return NumericDomain(leaf, numbers, codes[leaf.column.codes])
        if intervals:
            return CategoricalDomain(leaf)
        tree = (
            halving_tree(numbers, are_words=False)
            if numbers
            else halving_tree(sorted(leaf.column.labels), are_words=True)
        )
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


def halving_tree(values: Sequence[str], *, are_words: bool) -> Hierarchy:
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


Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class EncodedRecords:
    """What leaves of some records: branches that stay, leaves by role, and a domain per quasi-identifier."""

    trees: Trees
    stays: Flags
    """Whether the vertices of each branch stay."""
    known: tuple[Leaf, ...]
    """The quasi-identifiers, in the order of `domains`."""
    sensitive: tuple[Leaf, ...]
    public: tuple[Leaf, ...]
    domains: tuple[Domain, ...]

    @cached_property
    def kept(self) -> Flags:
        """Whether each vertex stays."""
        return self.stays[self.trees.branch_of]

    @cached_property
    def counted(self) -> Flags:
        """Whether each vertex counts: it stays, and is part of a record rather than around it."""
        around = np.zeros(len(self.trees.branches), dtype=np.bool_)
        around[list(self.trees.above_spine)] = True
        return self.kept & ~around[self.trees.branch_of]

    @cached_property
    def children(self) -> list[list[int]]:
        """The vertices below each vertex that stay."""
        found: list[list[int]] = [[] for _ in range(len(self.trees.vertices))]
        for vertex in np.flatnonzero(self.kept).tolist():
            parent = int(self.trees.parent_of[vertex])
            if parent != ROOT:
                found[parent].append(vertex)
        return found

    @cached_property
    def roots(self) -> list[int]:
        """The vertex of each record that stands for it."""
        spine = self.trees.spine
        at = np.flatnonzero(np.isin(self.trees.branch_of, list(spine)))
        return [int(vertex) for vertex in at]


def encode_records(
    trees: Trees,
    roles: dict[str, PathRole],
    removed: tuple[str, ...],
    hierarchies: dict[str, Hierarchy],
    schemas: dict[str, ColumnSchema],
    *,
    intervals: bool,
) -> EncodedRecords:
    """Apply the roles and place all quasi-identifiers; raises BadParameter without any, NoPlace for a lost label."""
    gone = {at for at, branch in enumerate(trees.branches) if branch.path in removed}
    gone = {below for at in gone for below in trees.below(at)}
    leaving = [leaf for leaf in trees.leaves if leaf.branch not in gone and roles[leaf.path].leaves]
    stays = _stays(trees, leaving)
    by_role = {
        role: tuple(leaf for leaf in leaving if roles[leaf.path] is role)
        for role in (PathRole.QUASI, PathRole.SENSITIVE, PathRole.PUBLIC)
    }
    known = by_role[PathRole.QUASI]
    if not known:
        raise BadParameter("No path is a quasi-identifier.", "Say on the Data page what others may know.")
    domains = tuple(
        domain_of(
            leaf, hierarchies.get(leaf.path), schemas.get(leaf.path) or ColumnSchema(leaf.path), intervals=intervals
        )
        for leaf in known
    )
    return EncodedRecords(trees, stays, known, by_role[PathRole.SENSITIVE], by_role[PathRole.PUBLIC], domains)


def _stays(trees: Trees, leaving: list[Leaf]) -> Flags:
    """Keep branches with a label that leaves in or below them, and the records themselves."""
    stays = np.zeros(len(trees.branches), dtype=np.bool_)
    for branch in (*(leaf.branch for leaf in leaving), *trees.spine):
        at = branch
        while at != ROOT:
            stays[at] = True
            at = trees.branches[at].parent
    return stays


def codes_by_vertex(held: EncodedRecords) -> list[Ints]:
    """Give for every quasi-identifier the code of each vertex, -1 where it has none."""
    found = []
    for leaf, domain in zip(held.known, held.domains, strict=True):
        codes = np.full(len(held.trees.vertices), -1, dtype=np.int64)
        codes[leaf.holders] = domain.codes
        found.append(codes)
    return found
