"""The records as they leave, and line by line beside the source."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anonymizer_gui.engine.data.trees.reading import vertex_to_json
from anonymizer_gui.engine.data.trees.trees import OBJECT, ROOT, VALUE, Leaf, Part, Scalar, Vertex, text_of
from anonymizer_gui.engine.rooms.trees.algorithms.contract import Outcome
from anonymizer_gui.engine.rooms.trees.encoding import ABSENT, EncodedRecords
from anonymizer_gui.engine.rooms.trees.release import Release

DETACHED = "detached"

PATH = "path"


class RecordPublisher:
    """Builds the published records of an outcome."""

    def __init__(self, held: EncodedRecords, outcome: Outcome) -> None:
        self._held, self._outcome, self._trees = held, outcome, held.trees
        self.detached_name = free_name(held)
        self._as_is: dict[int, list[tuple[Leaf, dict[int, Scalar]]]] = {}
        for leaf in (*held.sensitive, *held.public):
            self._as_is.setdefault(leaf.branch, []).append((leaf, _raw(held, leaf)))
        for leaf, some in zip(held.sensitive, outcome.withheld, strict=False):
            raw = next(raw for other, raw in self._as_is[leaf.branch] if other is leaf)
            for vertex in some:
                del raw[vertex]
        self._quasi: dict[int, list[int]] = {}
        for number, leaf in enumerate(held.known):
            self._quasi.setdefault(leaf.branch, []).append(number)
        self._apart: dict[int, list[tuple[str, Vertex]]] = {}
        self._split = {vertex: set[int]() for vertex, _ in outcome.split}
        for vertex, leaf_number in outcome.split:
            self._split[vertex].add(leaf_number)

    def records(self) -> list[Vertex]:
        """Give every record that leaves, in the order of the source."""
        trees, kept = self._trees, self._outcome.kept
        self._set_apart()
        roots = [at for at in range(len(trees.vertices)) if trees.parent_of[at] == ROOT and kept[at]]
        return [self._vertex(root) for root in roots]

    def _set_apart(self) -> None:
        """Build what hangs on the record itself; the inner ones first, for they may hang in each other."""
        held, record_of = self._held, self._trees.record_of
        root_of = {int(record_of[root]): root for root in held.roots}
        for vertex in sorted(self._outcome.detached):
            path = self._trees.branches[int(self._trees.branch_of[vertex])].path
            self._apart.setdefault(root_of[int(record_of[vertex])], []).append((path, self._vertex(vertex)))
        for vertex, number in self._outcome.split:
            leaf = held.known[number]
            code = int(self._outcome.codes[number][vertex])
            if code != ABSENT:
                branch = self._trees.branches[leaf.branch]
                alone = Vertex([(leaf.name, held.domains[number].scalar(code))], branch.form)
                self._apart.setdefault(root_of[int(record_of[vertex])], []).append((branch.path, alone))

    def _vertex(self, vertex: int) -> Vertex:
        branch = int(self._trees.branch_of[vertex])
        ranked: list[tuple[int, Part]] = [(rank, (name, value)) for rank, name, value in self._labels(vertex, branch)]
        ranked += self._children(vertex)
        parts = [part for _, part in sorted(ranked, key=lambda each: each[0])]
        apart = sorted(self._apart.get(vertex, ()), key=lambda each: (each[0], canonical_text(each[1])))
        parts += self._detached(apart)
        source = self._trees.vertices[vertex]
        return Vertex(parts, source.form, source.tag)

    def _labels(self, vertex: int, branch: int) -> list[tuple[int, str, Scalar]]:
        found: list[tuple[int, str, Scalar]] = []
        for number in self._quasi.get(branch, ()):
            code = int(self._outcome.codes[number][vertex])
            if code != ABSENT and number not in self._split.get(vertex, ()):
                leaf = self._held.known[number]
                found.append((leaf.rank, leaf.name, self._held.domains[number].scalar(code)))
        for leaf, raw in self._as_is.get(branch, ()):
            if vertex in raw:
                found.append((leaf.rank, leaf.name, raw[vertex]))
        return found

    def _children(self, vertex: int) -> list[tuple[int, Part]]:
        """Give the children in groups of one name, each in an order that tells nothing of the source."""
        groups: dict[int, list[Vertex]] = {}
        for child in self._held.children[vertex]:
            if self._outcome.kept[child] and child not in self._outcome.detached:
                made = self._vertex(child)
                if made.parts or made.form == OBJECT:
                    groups.setdefault(int(self._trees.branch_of[child]), []).append(made)
        lists: dict[tuple[int, str], list[Vertex]] = {}
        found: list[tuple[int, Part]] = []
        for number, some in sorted(groups.items()):
            branch = self._trees.branches[number]
            ordered = sorted(some, key=canonical_text) if len(some) > 1 else some
            if branch.is_list:
                lists.setdefault((branch.rank, branch.name), []).extend(ordered)
            else:
                found += [(branch.rank, (branch.name, each)) for each in ordered]
        return found + [(rank, (name, some)) for (rank, name), some in lists.items()]

    def _detached(self, apart: list[tuple[str, Vertex]]) -> list[Part]:
        if not apart:
            return []
        if self._trees.form.is_xml:
            named = [(path, path.rpartition("/")[2], vertex) for path, vertex in apart]
            return [
                (self.detached_name, Vertex([(f"@{PATH}", path), (tag, vertex)])) for path, tag, vertex in named
            ]  # fmt: skip
        listed = [Vertex([(path, vertex if vertex.form == OBJECT else [vertex])]) for path, vertex in apart]
        return [(self.detached_name, listed)]


def _raw(held: EncodedRecords, leaf: Leaf) -> dict[int, Scalar]:
    """Give what stands at a path, by vertex."""
    found: dict[int, Scalar] = {}
    for vertex in leaf.holders.tolist():
        value = next(part for name, part in held.trees.vertices[vertex].parts if name == leaf.name)
        found[vertex] = value
    return found


def canonical_text(vertex: Vertex) -> str:
    """Give a text by which vertices are put in order: equal for equal ones, whatever their source."""
    return repr(_sortable(vertex))


def _sortable(vertex: Vertex) -> Any:
    return [vertex.form, plain_pairs(vertex)]


def plain_pairs(vertex: Vertex) -> Any:
    """Give parts as plain lists; XML repeats names, so an object would lose some."""
    if vertex.form == VALUE:
        return vertex_to_json(vertex)
    found: list[Any] = []
    for name, part in vertex.parts:
        if isinstance(part, Vertex):
            found.append([name, _sortable(part)])
        elif isinstance(part, list):
            found.append([name, [_sortable(each) for each in part]])
        else:
            found.append([name, part])
    return found


def free_name(held: EncodedRecords) -> str:
    """Give the name of the part that holds what was taken apart: one that no record has."""
    trees = held.trees
    taken = {leaf.name for leaf in trees.leaves} | {branch.name for branch in trees.branches}
    name, number = DETACHED, 2
    while name in taken:
        name, number = f"{DETACHED}_{number}", number + 1
    return name


SAME, COARSER, APART, SUPPRESSED, REMOVED = "same", "coarser", "apart", "suppressed", "removed"


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """A vertex (without texts) or a label of a record; `depth` says how far in it stands."""

    depth: int
    name: str
    is_vertex: bool
    mark: str
    before: str = ""
    after: str = ""


class RecordComparison:
    """Knows a release; gives the lines of any record."""

    def __init__(self, release: Release) -> None:
        self._release, self._held = release, release.held
        self._quasi = {(leaf.branch, leaf.name): number for number, leaf in enumerate(self._held.known)}
        as_is = (*self._held.sensitive, *self._held.public)
        self._as_is = {(leaf.branch, leaf.name) for leaf in as_is}
        self._split = set(release.outcome.split)
        withheld = zip(self._held.sensitive, release.outcome.withheld, strict=False)
        self._withheld = {(vertex, leaf.name) for leaf, some in withheld for vertex in some}

    def lines(self, record: int) -> list[ComparedLine]:
        """Give the lines of a record, in the order of its source."""
        trees = self._held.trees
        low, high = np.searchsorted(trees.record_of, [record, record + 1]).tolist()
        depth, found = {ROOT: -1}, list[ComparedLine]()
        for vertex in range(low, high):
            at = depth[vertex] = depth[int(trees.parent_of[vertex])] + 1
            branch = int(trees.branch_of[vertex])
            mark = self._vertex_mark(vertex)
            found.append(ComparedLine(at, trees.branches[branch].name, True, mark))
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

    def _label(self, vertex: int, branch: int, name: str, before: str, depth: int, above: str) -> ComparedLine:
        if (vertex, name) in self._withheld:
            above = SUPPRESSED
        if above in (REMOVED, SUPPRESSED):
            return ComparedLine(depth, name, False, above, before)
        number = self._quasi.get((branch, name))
        if number is None:
            is_kept = (branch, name) in self._as_is
            return ComparedLine(depth, name, False, SAME if is_kept else REMOVED, before, before if is_kept else "")
        code = int(self._release.outcome.codes[number][vertex])
        if code == ABSENT:
            return ComparedLine(depth, name, False, SUPPRESSED, before)
        after = text_of(self._held.domains[number].scalar(code))
        if (vertex, number) in self._split:
            return ComparedLine(depth, name, False, APART, before, after)
        return ComparedLine(depth, name, False, SAME if after == before else COARSER, before, after)
