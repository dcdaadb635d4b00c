"""A tree as a file spells it; labels that stand twice."""

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.messages import Message, as_message, join_messages, message
from anonymizer_gui.engine.data.tables.table import SUPPRESSED
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval, arrange_preorder, depths_of, subtree_ends

Whole = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class LabelPlace:
    """Where a label stands: the line of the file (0 when it is not known) and the groups above, the root first."""

    line: int
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A label that stands at several places, and the values that are there or below."""

    label: str
    places: tuple[LabelPlace, ...]
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mention:
    """A line that puts a node where it stands already, or under a second parent."""

    node: int
    parent: int
    line: int


@dataclass(frozen=True, eq=False)
class ParsedTree:
    """A tree as a file spells it: nodes in the order of their lines; labels may stand twice."""

    name: str
    labels: Sequence[str]
    parents: npt.ArrayLike
    lines: Sequence[int]
    key: npt.NDArray[np.int64] | None = None
    mentions: tuple[Mention, ...] = ()
    intervals: Mapping[int, Interval] = field(default_factory=dict)

    def tree(self) -> Hierarchy:
        """Give the tree; raises BadHierarchy when it is none."""
        return Hierarchy.arranged(self.labels, self._above, self.key, self.intervals)

    @cached_property
    def _above(self) -> Whole:
        return np.asarray(self.parents, dtype=np.int64)

    @cached_property
    def is_group(self) -> npt.NDArray[np.bool_]:
        """Whether a node has children."""
        return np.bincount(self._above[self._above >= 0], minlength=len(self.labels)) > 0

    @cached_property
    def _spans(self) -> tuple[list[int], list[int]]:
        """For every node, the numbers of the first leaf under it and of the one after the last."""
        above, order = self._above, self._preorder
        place = np.empty(len(order) + 1, dtype=np.int64)
        place[order], place[-1] = np.arange(len(order)), -1
        ends = subtree_ends(place[above[order]].astype(np.int32))
        leaves = np.concatenate([[0], np.cumsum(~self.is_group[order])])
        at = place[:-1]
        return leaves[at].tolist(), leaves[ends[at]].tolist()

    @cached_property
    def _preorder(self) -> Whole:
        depths = depths_of(self._above)
        if depths is None:
            raise BadHierarchy("A node is its own ancestor.")
        return arrange_preorder(self._above, depths, np.arange(len(self.labels)) if self.key is None else self.key)

    @cached_property
    def clashes(self) -> Mapping[str, list[int]]:
        """The nodes of every label that stands for two sets of values; a chain of only children is one set."""
        if len(set(self.labels)) == len(self.labels):
            return {}
        nodes_of: dict[str, list[int]] = defaultdict(list)
        for node, label in enumerate(self.labels):
            nodes_of[label].append(node)
        return {
            label: nodes
            for label, nodes in nodes_of.items()
            if len(nodes) > 1 and not all(self.are_one(nodes[0], node) for node in nodes)
        }

    def are_one(self, one: int, two: int) -> bool:
        """Say whether two nodes have the same values below them."""
        first, end = self._spans
        return one == two or (first[one] == first[two] and end[one] == end[two])

    def groups_above(self, node: int) -> tuple[str, ...]:
        """Name the groups a node stands in, the root first."""
        path = []
        while (node := int(self._above[node])) >= 0:
            path.append(self.labels[node])
        return tuple(path[::-1])

    @cached_property
    def _mentioned(self) -> Mapping[str, list[Mention]]:
        found: dict[str, list[Mention]] = defaultdict(list)
        for mention in self.mentions:
            found[self.labels[mention.node]].append(mention)
        return found

    def doubles(self) -> list[str]:
        """List the labels that stand twice."""
        return list(dict.fromkeys([*self.clashes, *self._mentioned]))

    def duplicate(self, label: str) -> Duplicate:
        """Collect where a label stands and the values there and below."""
        mentions = self._mentioned.get(label, [])
        nodes = self.clashes.get(label) or sorted({mention.node for mention in mentions})
        places = [LabelPlace(self.lines[node], self.groups_above(node)) for node in nodes]
        places += [
            LabelPlace(mention.line, (*self.groups_above(mention.parent), self.labels[mention.parent]))
            for mention in mentions
        ]
        first, end = self._spans
        leaves = dict.fromkeys(leaf for node in nodes for leaf in range(first[node], end[node]))
        values = dict.fromkeys(self._leaf_labels[leaf] for leaf in leaves)
        return Duplicate(label, tuple(sorted(places, key=lambda place: place.line)), tuple(values))

    @cached_property
    def _leaf_labels(self) -> list[str]:
        return [self.labels[node] for node in self._preorder.tolist() if not self.is_group[node]]

    def thinned(self) -> "ParsedTree":
        """Leave out the later places of values, and groups that stand directly in one of the same name."""
        alive, dissolved = np.ones(len(self.labels), dtype=np.bool_), np.zeros(len(self.labels) + 1, dtype=np.bool_)
        for label, nodes in self.clashes.items():
            values = [node for node in nodes if not self.is_group[node]]
            is_sign = label == SUPPRESSED and self._above[nodes[0]] < 0
            alive[values if is_sign else values[1:]] = False
            dissolved[[node for node in nodes if self.is_group[node] and self._is_in_its_like(node)]] = True
        above = self._above.copy()
        while (up := dissolved[above]).any():
            above[up] = self._above[above[up]]
        return self._kept(alive & ~dissolved[:-1], above)

    def _is_in_its_like(self, node: int) -> bool:
        parent = int(self._above[node])
        return parent >= 0 and self.labels[parent] == self.labels[node] and not self.are_one(parent, node)

    def _kept(self, alive: npt.NDArray[np.bool_], above: Whole) -> "ParsedTree":
        """Give the sketch of the nodes that are alive, without groups that are left empty."""
        while True:
            filled = np.bincount(above[alive & (above >= 0)], minlength=len(above)) > 0
            empty = alive & self.is_group & ~filled & (above >= 0)
            if not empty.any():
                break
            alive = alive & ~empty
        kept = np.flatnonzero(alive)
        number = np.full(len(above) + 1, -1, dtype=np.int64)
        number[kept] = np.arange(len(kept))
        return ParsedTree(
            self.name,
            [self.labels[node] for node in kept.tolist()],
            number[above[kept]],
            [self.lines[node] for node in kept.tolist()],
            None if self.key is None else self.key[kept],
            intervals={int(number[node]): each for node, each in self.intervals.items() if alive[node]},
        )

    def renamed(self) -> "ParsedTree":
        """Give groups names of their own; the value, else the first group, keeps the label."""
        labels, taken = list(self.labels), set(self.labels)
        for label, nodes in self.clashes.items():
            home = min(nodes, key=lambda node: (bool(self.is_group[node]), node))
            wanted = label if self.is_group[home] else f"{label} (group)"
            names = itertools.chain([wanted], (f"{wanted} ({number})" for number in itertools.count(2)))
            for node in nodes:
                if not self.are_one(home, node):
                    labels[node] = next(name for name in names if name not in taken)
                    taken.add(labels[node])
        return replace(self, labels=labels)


_LISTED = 10

_HINT = "Keep one of the places, or repair the file: values keep their first place, groups get names of their own."


class DuplicateLabels(BadHierarchy):
    """A file in which labels stand twice: says where, and can be repaired.

    >>> error = DuplicateLabels(ParsedTree("f", ["*", "x", "a", "y", "b", "a"], [-1, 0, 1, 0, 3, 3], [1, 1, 1, 2, 2,
    ... 3]))
    >>> error.message
    'f, line 3: “a” has two parents, “x” (line 1) and “y”.'
    >>> error.repaired().leaf_labels
    ('a', 'b')
    """

    def __init__(self, sketch: ParsedTree) -> None:
        clashes = [_clash(sketch, label, nodes) for label, nodes in sketch.clashes.items()]
        clashes += [_repetition(sketch, mention) for mention in sketch.mentions]
        (line, reason), *others = sorted(clashes)
        super().__init__(with_line(sketch.name, line, join_messages(reason, _more([at for at, _ in others]))), _HINT)
        self._sketch = sketch

    @cached_property
    def duplicates(self) -> tuple[Duplicate, ...]:
        """The labels that stand twice, in the order of the file."""
        return tuple(self._sketch.duplicate(label) for label in self._sketch.doubles())

    def repaired(self) -> Hierarchy:
        """Make the tree all the same.

        A value keeps its first place. Groups of the same path become one, a group directly in a group of the same
        name goes up in it. Other groups of the same name get a number, and those named like a value `(group)`.
        Groups left without values disappear; a value `*` is no value where `*` is the root.
        """
        return self._sketch.thinned().renamed().tree()


def require_unique_labels(sketch: ParsedTree) -> Hierarchy:
    """Give the tree; raises DoubleLabels when a label stands for two sets of values."""
    if sketch.mentions or sketch.clashes:
        raise DuplicateLabels(sketch)
    return sketch.tree()


def _clash(sketch: ParsedTree, label: str, nodes: list[int]) -> tuple[int, str]:
    """Give the line and the reason of a label's second place."""
    home, *others = nodes
    second = next((node for node in others if not sketch.are_one(home, node)), others[0])
    *_, parent = sketch.groups_above(second)
    if parent != label:
        return sketch.lines[second], _two_parents(sketch, label, home, parent)
    if sketch.is_group[second]:
        return sketch.lines[second], message("“{label}” stands in a group of the same name.", label=label)
    return sketch.lines[second], message("“{label}” is a value and also the group of other values.", label=label)


def _repetition(sketch: ParsedTree, mention: Mention) -> tuple[int, str]:
    label, parent = sketch.labels[mention.node], sketch.labels[mention.parent]
    if sketch.groups_above(mention.node)[-1:] == (parent,):
        return mention.line, message("“{label}” stands twice in the same group.", label=label)
    return mention.line, _two_parents(sketch, label, mention.node, parent)


def _two_parents(sketch: ParsedTree, label: str, home: int, second: str) -> str:
    groups = sketch.groups_above(home)
    if not groups:
        return message("“{label}” is the root and stands under “{group}” too.", label=label, group=second)
    return message(
        "“{label}” has two parents, “{one}” (line {line}) and “{two}”."
        if sketch.lines[home]
        else "“{label}” has two parents, “{one}” and “{two}”.",
        label=label,
        one=groups[-1],
        line=sketch.lines[home],
        two=second,
    )


def _more(lines: list[int]) -> str:
    """Count the other labels in a sentence of their own, with the first lines."""
    if not lines:
        return ""
    if not lines[0]:
        return message("And {count:more label stands|more labels stand} twice.", count=len(lines))
    return message(
        "And {count:more label stands|more labels stand} twice ({count:~line|lines} {lines}).",
        count=len(lines),
        lines=[*lines[:_LISTED], *(["..."] if len(lines) > _LISTED else [])],
    )


def with_line(name: str, line: int, reason: str) -> Message:
    """Say what is wrong in a line of a file; without a line, only what is wrong."""
    about = as_message(reason)
    return message("{name}, line {line}: {reason}", name=name, line=line, reason=about) if line else about
