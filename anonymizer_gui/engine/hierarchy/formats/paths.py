"""Trees from the paths that lines of a file spell, refused with the line where they are no tree."""

from dataclasses import dataclass, field

import numpy as np

from anonymizer_gui.engine.errors import BadHierarchy
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

_LISTED = 10


def refusal(name: str, line: int, reason: str, hint: str = "") -> BadHierarchy:
    """Make the error for a line of a hierarchy file."""
    return BadHierarchy(f"{name}, line {line}: {reason}", hint)


@dataclass(slots=True)
class PathTree:
    """A tree that grows path by path, from the root; nodes with the same path are one node."""

    name: str
    labels: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    _nodes: dict[tuple[int, str], int] = field(default_factory=dict)
    _home: dict[str, int] = field(default_factory=dict)
    _clashes: dict[str, tuple[int, str]] = field(default_factory=dict)

    def add(self, path: list[str], line: int) -> None:
        """Add the nodes of a path that are new; raises BadHierarchy for a second root."""
        node = -1
        for label in path:
            found = self._nodes.get((node, label))
            node = self._new(label, node, line) if found is None else found

    def _new(self, label: str, parent: int, line: int) -> int:
        if parent < 0 and self.labels:
            raise refusal(
                self.name,
                line,
                f"“{label}” is a second root beside “{self.labels[0]}”.",
                "Put both under a common root.",
            )
        home = self._home.setdefault(label, len(self.labels))
        if home != len(self.labels) and self.labels[parent] != label:
            self._clashes.setdefault(label, (line, self._second_place(label, home, parent)))
        self._nodes[parent, label] = len(self.labels)
        self.labels.append(label)
        self.parents.append(parent)
        self.lines.append(line)
        return len(self.labels) - 1

    def _second_place(self, label: str, home: int, parent: int) -> str:
        two = self.labels[parent]
        if home == 0:
            return f"“{label}” is the root and stands under “{two}” too"
        return f"“{label}” has two parents, “{self.labels[self.parents[home]]}” (line {self.lines[home]}) and “{two}”"

    def tree(self) -> Hierarchy:
        """Finish the tree; raises BadHierarchy when labels have two parents, or mean a value and a wider group."""
        if not self.labels:
            raise BadHierarchy(f"{self.name} holds no hierarchy: it is empty.")
        self._refuse_second_places()
        self._refuse_value_and_group()
        return Hierarchy.arranged(self.labels, np.asarray(self.parents, dtype=np.int64))

    def _refuse_second_places(self) -> None:
        if not self._clashes:
            return
        (line, reason), *others = self._clashes.values()
        lines = ", ".join(str(at) for at, _ in others[:_LISTED])
        more = f"; {len(others):,} more labels stand twice (lines {lines}{', ...' if len(others) > _LISTED else ''})."
        raise refusal(
            self.name,
            line,
            reason + (more if others else "."),
            "A value belongs to one group only; rename or remove one of the two.",
        )

    def _refuse_value_and_group(self) -> None:
        if len(self._home) == len(self.labels):
            return
        children = np.bincount(np.asarray(self.parents[1:], dtype=np.int64), minlength=len(self.labels))
        for node, (label, parent) in enumerate(zip(self.labels, self.parents, strict=True)):
            if parent >= 0 and self.labels[parent] == label and children[parent] > 1:
                raise refusal(
                    self.name,
                    self.lines[node],
                    f"“{label}” is a value and also the group of other values.",
                    "Give the group another name.",
                )
