"""One record before and after, line by line: what stayed, became coarser, was taken apart, left out or removed."""

from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.data.trees.trees import ROOT, Vertex, text_of
from anonymizer_gui.engine.rooms.trees.domains import ABSENT
from anonymizer_gui.engine.rooms.trees.release import Release

SAME, COARSER, APART, SUPPRESSED, REMOVED = "same", "coarser", "apart", "suppressed", "removed"
Known = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Line:
    """A vertex (without texts) or a label of a record; `depth` says how far in it stands."""

    depth: int
    name: str
    is_vertex: bool
    mark: str
    before: str = ""
    after: str = ""


class Differing:
    """Knows a release; gives the lines of any record."""

    def __init__(self, release: Release) -> None:
        self._release, self._held = release, release.held
        self._quasi = {(leaf.branch, leaf.name): number for number, leaf in enumerate(self._held.known)}
        as_is = (*self._held.sensitive, *self._held.public)
        self._as_is = {(leaf.branch, leaf.name) for leaf in as_is}
        self._split = set(release.outcome.split)
        withheld = zip(self._held.sensitive, release.outcome.withheld, strict=False)
        self._withheld = {(vertex, leaf.name) for leaf, some in withheld for vertex in some}

    def lines(self, record: int) -> list[Line]:
        """Give the lines of a record, in the order of its source."""
        trees = self._held.trees
        low, high = np.searchsorted(trees.record_of, [record, record + 1]).tolist()
        depth, found = {ROOT: -1}, list[Line]()
        for vertex in range(low, high):
            at = depth[vertex] = depth[int(trees.parent_of[vertex])] + 1
            branch = int(trees.branch_of[vertex])
            mark = self._vertex_mark(vertex)
            found.append(Line(at, trees.branches[branch].name, True, mark))
            for name, part in trees.vertices[vertex].parts:
                if not isinstance(part, Vertex | list):
                    found.append(self._label(vertex, branch, name, text_of(part), at + 1, mark))
        return found

    def _vertex_mark(self, vertex: int) -> str:
        if not self._held.kept[vertex]:
            return REMOVED
        if not self._release.outcome.kept[vertex]:
            return SUPPRESSED
        return APART if vertex in self._release.outcome.detached else SAME

    def _label(self, vertex: int, branch: int, name: str, before: str, depth: int, above: str) -> Line:
        if (vertex, name) in self._withheld:
            above = SUPPRESSED
        if above in (REMOVED, SUPPRESSED):
            return Line(depth, name, False, above, before)
        number = self._quasi.get((branch, name))
        if number is None:
            is_kept = (branch, name) in self._as_is
            return Line(depth, name, False, SAME if is_kept else REMOVED, before, before if is_kept else "")
        code = int(self._release.outcome.codes[number][vertex])
        if code == ABSENT:
            return Line(depth, name, False, SUPPRESSED, before)
        after = text_of(self._held.domains[number].scalar(code))
        if (vertex, number) in self._split:
            return Line(depth, name, False, APART, before, after)
        return Line(depth, name, False, SAME if after == before else COARSER, before, after)
