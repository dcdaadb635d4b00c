"""The table about the people of a graph: a row for every node, in the order of the nodes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.errors import BadParameter
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.graphs.project import Project
from anonymizer_gui.engine.shapes.graphs.graph import Graph, Ints
from anonymizer_gui.engine.shapes.tables.table import MISSING, SUPPRESSED, Role, Table
from anonymizer_gui.engine.words import say


@dataclass(frozen=True, slots=True)
class People:
    """The graph with everybody in it, and the cells of each column in the order of the nodes."""

    graph: Graph
    cells: dict[str, tuple[str, ...]]
    unknown: int
    """How many nodes the table says nothing about."""

    def labels(self, project: Project) -> tuple[str, ...]:
        """Give the sensitive value of each node, empty where it is missing; nothing when no column is sensitive."""
        column = next(iter(project.columns(Role.SA)), "")
        return tuple("" if cell == MISSING else cell for cell in self.cells.get(column, ()))


def people_of(graph: Graph, table: Table | None, project: Project) -> People:
    """Bring graph and table together: people of the table without a tie are nodes, too; raises BadParameter."""
    if table is None:
        return People(graph, {}, 0)
    key = project.key or table.names[0]
    names = [str(text) for text in table.column(key).texts()]
    if len(set(names)) < len(names):
        raise BadParameter(
            say("“{name}” names the same person more than once.", name=key), "Choose the column that names the nodes."
        )
    known = set(graph.names)
    everybody = (*graph.names, *(name for name in names if name not in known))
    row = {name: number for number, name in enumerate(names)}
    wanted = [name for name in project.roles if name != key and name in table.names]
    texts = {name: table.column(name).texts() for name in wanted}
    cells = {
        name: tuple(str(column[row[node]]) if node in row else MISSING for node in everybody)
        for name, column in texts.items()
    }
    whole = Graph.of(everybody, graph.edges, is_directed=graph.is_directed)
    return People(whole, cells, sum(name not in row for name in graph.names))


def generalised(people: People, project: Project, groups: Ints) -> tuple[dict[str, tuple[str, ...]], float]:
    """Give every group one label in each quasi-identifier, and the mean loss (LM) of these cells."""
    made, losses = {}, []
    for name in project.columns(Role.QI):
        cells, tree = people.cells[name], project.hierarchies.get(name)
        labels = {}
        for group in np.unique(groups).tolist():
            members = np.flatnonzero(groups == group)
            labels[group] = _common([cells[node] for node in members.tolist()], tree)
        made[name] = tuple(labels[group][0] for group in groups.tolist())
        losses += [labels[group][1] for group in groups.tolist()]
    return made, float(np.mean(losses)) if losses else 0.0


def _common(cells: Sequence[str], tree: Hierarchy | None) -> tuple[str, float]:
    """Give the smallest label that covers all cells, and its loss."""
    if len(set(cells)) == 1:
        return cells[0], 0.0
    if tree is None or any(cell not in tree.leaf_number for cell in cells):
        return SUPPRESSED, 1.0
    node = tree.common_ancestor(*(tree.leaf_number[cell] for cell in cells))
    return tree.labels[node], float(tree.loss[node])


def row_groups(people: People, project: Project, classes: Ints) -> Ints:
    """Part every candidate set into groups of at least k, alike in their quasi-identifiers, various enough in l."""
    columns = project.columns(Role.QI)
    if not columns:
        return classes
    keys = [_ranks(people.cells[name], project.hierarchies.get(name)) for name in columns]
    labels = people.labels(project) if project.l > 1 else ()
    groups, number = np.zeros(len(classes), dtype=np.int64), 0
    for members in (np.flatnonzero(classes == each) for each in np.unique(classes).tolist()):
        order = members[np.lexsort([key[members] for key in keys[::-1]])]
        for part in _parts(order.tolist(), project.k, project.l, labels):
            groups[part] = number
            number += 1
    return groups


def _ranks(cells: Sequence[str], tree: Hierarchy | None) -> Ints:
    """Give each cell its place in the hierarchy, or in the alphabet."""
    places = {label: at for at, label in enumerate(sorted(set(cells)))}
    found = [places[cell] if tree is None else tree.leaf_number.get(cell, tree.n_leaves) for cell in cells]
    return np.array(found, dtype=np.int64)


def _parts(order: list[int], k: int, fewest: int, labels: Sequence[str]) -> list[list[int]]:
    """Cut a row of people into parts that are large and various enough; what is left over joins the last."""
    parts, part = list[list[int]](), list[int]()
    for node in order:
        part.append(node)
        if len(part) >= k and (not labels or len({labels[member] for member in part} - {""}) >= fewest):
            parts.append(part)
            part = []
    if part and parts:
        parts[-1] += part
    return parts or [part]
