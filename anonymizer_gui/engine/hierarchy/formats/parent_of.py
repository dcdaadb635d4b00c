"""Trees from statements of the form: this label belongs to that one."""

from dataclasses import dataclass, field

import numpy as np

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.hierarchy.duplicates import settle
from anonymizer_gui.engine.hierarchy.formats.paths import MOST_LEVELS, refusal, too_deep
from anonymizer_gui.engine.hierarchy.sketch import Mention, Sketch
from anonymizer_gui.engine.hierarchy.tree import Hierarchy


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
            raise refusal(self.name, line, message("“{label}” is its own parent.", label=child))
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
        return settle(Sketch(self.name, self.labels, parents, lines, place, tuple(self._mentions)))

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
            raise refusal(self.name, line, reason, "Put both under a common root.")

    def _refuse_cycle(self) -> None:
        settled: set[int] = set()
        for start in self._parents:
            path: set[int] = set()
            node = start
            while node in self._parents and node not in settled:
                if node in path:
                    label = self.labels[node]
                    raise refusal(
                        self.name,
                        self._lines[node],
                        message("“{label}” is its own ancestor: the lines form a circle.", label=label),
                    )
                path.add(node)
                node = self._parents[node]
            settled |= path
