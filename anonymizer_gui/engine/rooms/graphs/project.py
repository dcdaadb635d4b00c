"""What is decided about a graph: who may not be found, by which means, and what leaves beside the ties."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from anonymizer_gui.engine.files.source import Source
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.graphs.algorithms.add import Add
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import Algorithm
from anonymizer_gui.engine.shapes.tables.table import Role

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
    roles: Mapping[str, Role] = field(default_factory=dict)
    """What the other columns are; one that is not named here does not leave."""
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
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
        return tuple(name for name, own in self.roles.items() if own is role)
