"""Trees from the paths that lines of a file spell, refused with the line where they are no tree."""

from dataclasses import dataclass, field

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.hierarchy.duplicates import at_line, settle
from anonymizer_gui.engine.hierarchy.sketch import Mention, Sketch
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval

MOST_LEVELS = 1000
MOST_PLACES = 50_000_000
"""So many levels of so many values are looked up at most: a small file could ask for more than any memory holds."""


def refusal(name: str, line: int, reason: str, hint: str = "") -> BadHierarchy:
    """Make the error for a line of a hierarchy file."""
    return BadHierarchy(at_line(name, line, reason), hint)


def too_deep(name: str, line: int) -> BadHierarchy:
    """Make the error for a tree with more levels than anybody needs."""
    return refusal(
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
            raise refusal(
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
        return settle(
            Sketch(self.name, self.labels, self.parents, self.lines, mentions=mentions, intervals=self.intervals)
        )
