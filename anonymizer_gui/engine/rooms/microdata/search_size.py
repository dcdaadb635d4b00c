"""How large the search for a release is, before it is started."""

import math
from dataclasses import dataclass

from anonymizer_gui.engine.data.tables.table import Role, Table
from anonymizer_gui.engine.rooms.microdata.project import Project


@dataclass(frozen=True, slots=True)
class SearchSize:
    """The rows, the quasi-identifiers, the nodes of the full-domain lattice, and whether nothing can be pruned."""

    rows: int
    columns: int
    nodes: int
    compares_while_suppressing: bool


def search_size(table: Table, project: Project) -> SearchSize:
    """Count the nodes of the lattice within the level bounds; a column without a hierarchy has two levels.

    Goals that compare classes with the whole table are not monotone when rows may be suppressed: every node that
    could be better must then be looked at.
    """
    heights = []
    for name in project.schema.names(Role.QI):
        tree = project.hierarchies.get(name)
        height = 1 if tree is None else tree.height
        lowest, highest = project.bounds.get(name, (0, height))
        heights.append(max(min(highest, height) - lowest, 0) + 1)
    compares = any(goal.compares_with_whole for goal in project.goals)
    return SearchSize(table.n_whole, len(heights), math.prod(heights), compares and project.suppression > 0)
