"""A project about a graph as JSON, there and back; whatever is not what it should be is refused in one sentence."""

from collections.abc import Mapping
from typing import Any, get_args

from anonymizer_gui.engine.core import params
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.data.tables.table import ColumnSchema, ColumnType, Role, Schema
from anonymizer_gui.engine.hierarchy.formats import json_tree
from anonymizer_gui.engine.hierarchy.tree import Uneven
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
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.graphs.project import Project

_MOST = 1 << 31


def to_json(project: Project) -> dict[str, Json]:
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


def from_json(entries: Mapping[str, Json]) -> Project:
    """Make the project; raises BadProject with one sentence for the first thing that is wrong."""
    told = require_all_entries(entries, to_json(Project()))
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
