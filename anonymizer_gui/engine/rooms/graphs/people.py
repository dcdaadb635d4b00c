"""The table about the people of a graph: a row for every node, in the order of the nodes."""

from dataclasses import dataclass

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.graphs.graph import Graph, Ints
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Role, Schema, Table
from anonymizer_gui.engine.recode_for_other_rooms import RecodingRequest, room_recoding_tables
from anonymizer_gui.engine.rooms.graphs.project import Project


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
            message("“{name}” names the same person more than once.", name=key),
            "Choose the column that names the nodes.",
        )
    known = set(graph.names)
    everybody = (*graph.names, *(name for name in names if name not in known))
    row = {name: number for number, name in enumerate(names)}
    leaving = [name for role in (Role.QI, Role.SA, Role.OTHER) for name in project.columns(role)]
    wanted = [name for name in leaving if name != key and name in table.names]
    texts = {name: table.column(name).texts() for name in wanted}
    cells = {
        name: tuple(str(column[row[node]]) if node in row else MISSING for node in everybody)
        for name, column in texts.items()
    }
    whole = Graph.of(everybody, graph.edges, is_directed=graph.is_directed)
    return People(whole, cells, sum(name not in row for name in graph.names))


def rows_of(
    people: People, project: Project, sets: Ints, progress: Progress
) -> tuple[dict[str, tuple[str, ...]], float, tuple[str, ...]]:
    """Let the room of tables make the rows of people in one candidate set alike; tell what is lost by it, and notes.

    Raises BadParameter and BadHierarchy when table and hierarchies do not fit together.
    """
    columns = tuple(column for column in project.schema.columns if column.role in (Role.QI, Role.SA))
    if not project.columns(Role.QI):
        return {}, 0.0, ()
    table = Table(tuple(Column.from_texts(c.name, people.cells[c.name]) for c in columns), people.graph.n_nodes)
    asked = RecodingRequest(
        table, Schema(columns), project.hierarchies, sets, project.k, project.l, project.rows, project.uneven,
        project.seed,
    )  # fmt: skip
    made = room_recoding_tables().rows_made_alike(asked, progress)
    cells = {name: tuple(map(str, made.table.column(name).texts())) for name in project.columns(Role.QI)}
    return cells, made.lm, made.notes
