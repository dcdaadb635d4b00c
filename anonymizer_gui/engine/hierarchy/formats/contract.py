"""What every format of hierarchy files can do, and the formats there are."""

from dataclasses import dataclass, field
from typing import ClassVar, Protocol

import numpy as np

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.hierarchy.parsed_tree import Mention, ParsedTree, require_unique_labels, with_line
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval


class HierarchyFormat(Protocol):
    """What every format of hierarchy files has; formats of lower rank look at a text first."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    rank: ClassVar[int]

    @staticmethod
    def recognises(text: str) -> bool:
        """Say whether the text could be of this format."""

    @staticmethod
    def read(text: str, name: str) -> Hierarchy:
        """Read the text; raises BadHierarchy with line and reason when it is no tree."""

    @staticmethod
    def write(hierarchy: Hierarchy) -> str:
        """Write the hierarchy as text."""


USUAL_FORMAT = "level-table"
"""The format that is written where none is asked for."""

HIERARCHY_FORMATS: Registry[HierarchyFormat] = Registry("hierarchy format", __package__)

MOST_LEVELS = 1000

MOST_PLACES = 50_000_000
"""So many levels of so many values are looked up at most: a small file could ask for more than any memory holds."""


def bad_line(name: str, line: int, reason: str, hint: str = "") -> BadHierarchy:
    """Make the error for a line of a hierarchy file."""
    return BadHierarchy(with_line(name, line, reason), hint)


def too_deep(name: str, line: int) -> BadHierarchy:
    """Make the error for a tree with more levels than anybody needs."""
    return bad_line(
        name, line, message("there are more than {most:,} levels.", most=MOST_LEVELS), "Leave out levels nobody needs."
    )


def refuse_huge(tree: Hierarchy, name: str) -> Hierarchy:
    """Give the tree back, or raise BadHierarchy when it has too many levels for so many values."""
    if tree.height > MOST_LEVELS or (tree.height + 1) * tree.n_leaves > MOST_PLACES:
        raise BadHierarchy(
            message(
                "{name} has {levels:level|levels} for {values:value|values}, which is too much.",
                name=name,
                levels=tree.height,
                values=tree.n_leaves,
            ),
            "Leave out levels nobody needs.",
        )
    return tree


@dataclass(slots=True)
class PathTree:
    """A tree that grows path by path, from the root; nodes with the same path are one node."""

    name: str
    labels: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    intervals: dict[int, Interval] = field(default_factory=dict)
    _depths: list[int] = field(default_factory=list)
    _nodes: dict[tuple[int, str], int] = field(default_factory=dict)
    _mentions: list[Mention] = field(default_factory=list)

    def add(self, path: list[str], line: int) -> None:
        """Add the nodes of a path that are new; raises BadHierarchy for a second root."""
        node = -1
        for label in path:
            found = self._nodes.get((node, label))
            node = self._new(label, node, line) if found is None else found

    def add_below(self, parent: int, label: str, line: int) -> int:
        """Add a node, -1 being the parent of the root; one that is there already stands twice in its group."""
        found = self._nodes.get((parent, label))
        if found is None or parent < 0:
            return self._new(label, parent, line)
        self._mentions.append(Mention(found, parent, line))
        return found

    def _new(self, label: str, parent: int, line: int) -> int:
        if parent < 0 and self.labels:
            raise bad_line(
                self.name,
                line,
                message("“{label}” is a second root beside “{root}”.", label=label, root=self.labels[0]),
                "Put both under a common root.",
            )
        self._depths.append(self._depths[parent] + 1 if parent >= 0 else 0)
        if self._depths[-1] > MOST_LEVELS:
            raise too_deep(self.name, line)
        self._nodes[parent, label] = len(self.labels)
        self.labels.append(label)
        self.parents.append(parent)
        self.lines.append(line)
        return len(self.labels) - 1

    def tree(self) -> Hierarchy:
        """Finish the tree; raises DoubleLabels when labels have two parents, or mean a value and a wider group."""
        if not self.labels:
            raise BadHierarchy(message("{name} holds no hierarchy: it is empty.", name=self.name))
        mentions = tuple(self._mentions)
        return require_unique_labels(
            ParsedTree(self.name, self.labels, self.parents, self.lines, mentions=mentions, intervals=self.intervals)
        )


@dataclass(slots=True)
class ParentTree:
    """A tree that grows by child and parent, in any order."""

    name: str
    labels: list[str] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)
    _parents: dict[int, int] = field(default_factory=dict)
    _lines: dict[int, int] = field(default_factory=dict)
    _mentions: list[Mention] = field(default_factory=list)

    def add(self, child: str, parent: str, line: int) -> None:
        """Say that a label belongs to another; raises BadHierarchy when it is that label itself."""
        above, below = self._number(parent), self._number(child)
        if above == below:
            raise bad_line(self.name, line, message("“{label}” is its own parent.", label=child))
        if self._parents.setdefault(below, above) != above:
            self._mentions.append(Mention(below, above, line))
        self._lines.setdefault(below, line)

    def tree(self) -> Hierarchy:
        """Finish the tree; raises BadHierarchy for a cycle or a second root, DoubleLabels for a second parent."""
        if not self.labels:
            raise BadHierarchy(message("{name} holds no hierarchy: it is empty.", name=self.name))
        self._refuse_cycle()
        self._refuse_second_root()
        parents = np.full(len(self.labels), -1, dtype=np.int64)
        place = np.zeros(len(self.labels), dtype=np.int64)
        for at, (child, parent) in enumerate(self._parents.items()):
            parents[child], place[child] = parent, at
        lines = [self._lines.get(node, 0) for node in range(len(self.labels))]
        return require_unique_labels(ParsedTree(self.name, self.labels, parents, lines, place, tuple(self._mentions)))

    def _number(self, label: str) -> int:
        number = self._numbers.setdefault(label, len(self.labels))
        if number == len(self.labels):
            self.labels.append(label)
        return number

    def _top(self, node: int) -> int:
        for _ in range(MOST_LEVELS + 1):
            if node not in self._parents:
                return node
            node = self._parents[node]
        raise too_deep(self.name, self._lines[node])

    def _refuse_second_root(self) -> None:
        roots: dict[int, int] = {}
        for child, line in self._lines.items():
            roots.setdefault(self._top(child), line)
        if len(roots) > 1:
            (one, _), (two, line), *_ = roots.items()
            reason = message(
                "“{label}” is a second root beside “{root}”.", label=self.labels[two], root=self.labels[one]
            )
            raise bad_line(self.name, line, reason, "Put both under a common root.")

    def _refuse_cycle(self) -> None:
        settled: set[int] = set()
        for start in self._parents:
            path: set[int] = set()
            node = start
            while node in self._parents and node not in settled:
                if node in path:
                    label = self.labels[node]
                    raise bad_line(
                        self.name,
                        self._lines[node],
                        message("“{label}” is its own ancestor: the lines form a circle.", label=label),
                    )
                path.add(node)
                node = self._parents[node]
            settled |= path
