"""What is decided; its JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, get_args

from anonymizer_gui.engine.core import params
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.data.tables.table import ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.formats import json_tree
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Uneven
from anonymizer_gui.engine.projects.json_entries import (
    EntryReader,
    bad_project,
    entry_at,
    registered,
    registered_json,
    require_all_entries,
    require_only,
    text_in,
    whole_in,
)
from anonymizer_gui.engine.recode_for_other_rooms import room_recoding_tables
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import ALGORITHMS, Algorithm
from anonymizer_gui.engine.rooms.graphs.algorithms.k_degree import EdgeAddition
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
    algorithm: Algorithm = field(default_factory=EdgeAddition)
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


_MOST = 1 << 31


def project_to_json(project: Project) -> dict[str, Json]:
    """Give everything that is decided but name and sources."""
    return {
        "key": project.key,
        "columns": [
            {"name": c.name, "type": c.type.value, "format": c.format, "role": c.role.value}
            for c in project.schema.columns
        ],
        "k": project.k,
        "l": project.l,
        "algorithm": registered_json(project.algorithm),
        "rows": None if project.rows is None else registered_json(project.rows),
        "sample": project.sample,
        "seed": project.seed,
        "uneven": project.uneven,
        "hierarchies": {name: json_tree.to_json(tree) for name, tree in project.hierarchies.items()},
    }


def project_from_json(entries: Mapping[str, Json]) -> Project:
    """Make the project; raises BadProject with one sentence for the first thing that is wrong."""
    told = require_all_entries(entries, project_to_json(Project()))
    read = EntryReader(told)
    columns = read.list_of("columns", _column)
    if len({column.name for column in columns}) < len(columns):
        raise bad_project("two of its columns have the same name")
    return Project(
        key=read.text("key"),
        schema=Schema(columns),
        hierarchies=read.mapping_of("hierarchies", json_tree.from_json),
        k=entry_at("k", lambda entry: _few(entry), told["k"]),
        l=entry_at("l", lambda entry: _few(entry), told["l"]),
        algorithm=entry_at("algorithm", lambda entry: registered(ALGORITHMS, entry), told["algorithm"]),
        rows=read.optional("rows", _row_method),
        uneven=entry_at("uneven", _uneven, told["uneven"]),
        sample=entry_at("sample", _flag, told["sample"]),
        seed=read.whole("seed", 0),
    )


def _column(entry: Json) -> ColumnSchema:
    if not isinstance(entry, dict) or set(entry) != {"name", "type", "format", "role"}:
        raise ValueError
    return ColumnSchema(
        text_in(entry["name"]), ColumnType(entry["type"]), text_in(entry["format"]), Role(entry["role"])
    )


def _row_method(entry: Json) -> Any:
    known = require_only(entry, "name", "parameters")
    return params.from_json(room_recoding_tables().row_methods()[known["name"]], known["parameters"])


def _uneven(entry: Json) -> Uneven:
    if entry not in get_args(Uneven):
        raise ValueError
    return entry  # type: ignore[no-any-return]


def _few(entry: Json) -> int:
    if whole_in(entry, 1) >= _MOST:
        raise ValueError
    return int(entry)


def _flag(entry: Json) -> bool:
    if not isinstance(entry, bool):
        raise ValueError
    return entry
