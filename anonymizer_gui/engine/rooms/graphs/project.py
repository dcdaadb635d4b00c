"""What is decided about a graph: who may not be found, by which means, and what leaves beside the ties."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Uneven
from anonymizer_gui.engine.rooms.graphs.algorithms.add import Add
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import Algorithm
from anonymizer_gui.engine.storage.sources import Source

GRAPH, NODES = "graph", "nodes"
"""The roles of the files a project may name: the ties, and a table about the people."""


@dataclass(frozen=True, slots=True)
class Project:
    """Everything that is decided about one graph; an edit makes a new value."""

    room: ClassVar[str] = "graphs"

    name: str = ""
    source: Source | None = None
    nodes: Source | None = None
    key: str = ""
    """The column of the table that names the nodes of the graph."""
    schema: Schema = field(default_factory=Schema)
    """What the other columns are; one that is not named here does not leave, and no identifier does."""
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    uneven: Uneven = "cap"
    """What uneven depth of a hierarchy means to algorithms that look at levels."""
    rows: Any = None
    """By which algorithm for tables the rows of people are made alike; None: the usual one of these."""
    k: int = 5
    l: int = 1  # noqa: E741
    """Different values of every sensitive column among those who cannot be told apart."""
    algorithm: Algorithm = field(default_factory=Add)
    sample: bool = False
    """Whether a graph drawn by lot leaves beside published groups."""
    seed: int = 0

    def sources(self) -> dict[str, Source]:
        """Give the files the project speaks of, by role."""
        named = {GRAPH: self.source, NODES: self.nodes}
        return {role: source for role, source in named.items() if source is not None}

    def with_sources(self, sources: Mapping[str, Source]) -> Self:
        """Take other files for these roles; a role that is not named has none."""
        return replace(self, source=sources.get(GRAPH), nodes=sources.get(NODES))

    def columns(self, role: Role) -> tuple[str, ...]:
        """Name the columns of a role."""
        return self.schema.names(role)

    def with_column(self, column: ColumnSchema) -> Self:
        """Say what a column is; the others stay what they are."""
        others = tuple(each for each in self.schema.columns if each.name != column.name)
        return replace(self, schema=Schema((*others, column)))

    def table_among(self, files: Mapping[str, Any]) -> Table | None:
        """Give the table about the people: the one that was chosen, else what the file of the graph tells of them."""
        graph = files.get(GRAPH)
        table: Table | None = files.get(NODES)
        return table if table is not None or graph is None or self.nodes is not None else graph.people
