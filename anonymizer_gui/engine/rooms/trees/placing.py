"""Records as algorithms see them: what stays after roles are applied, with codes for every quasi-identifier."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.data.tables.table import ColumnSchema
from anonymizer_gui.engine.data.trees.trees import ROOT, Ints, Leaf, Trees
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.trees.domains import Domain, domain_of
from anonymizer_gui.engine.rooms.trees.roles import PathRole

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Placed:
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


def placed(
    trees: Trees,
    roles: dict[str, PathRole],
    removed: tuple[str, ...],
    hierarchies: dict[str, Hierarchy],
    schemas: dict[str, ColumnSchema],
    *,
    intervals: bool,
) -> Placed:
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
    return Placed(trees, stays, known, by_role[PathRole.SENSITIVE], by_role[PathRole.PUBLIC], domains)


def _stays(trees: Trees, leaving: list[Leaf]) -> Flags:
    """Keep branches with a label that leaves in or below them, and the records themselves."""
    stays = np.zeros(len(trees.branches), dtype=np.bool_)
    for branch in (*(leaf.branch for leaf in leaving), *trees.spine):
        at = branch
        while at != ROOT:
            stays[at] = True
            at = trees.branches[at].parent
    return stays


def codes_by_vertex(held: Placed) -> list[Ints]:
    """Give for every quasi-identifier the code of each vertex, -1 where it has none."""
    found = []
    for leaf, domain in zip(held.known, held.domains, strict=True):
        codes = np.full(len(held.trees.vertices), -1, dtype=np.int64)
        codes[leaf.holders] = domain.codes
        found.append(codes)
    return found
