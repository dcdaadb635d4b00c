"""A project as JSON, there and back; whatever is not exactly what it should be is refused in one sentence."""

from collections.abc import Mapping
from typing import get_args

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.data.tables.table import ColumnType
from anonymizer_gui.engine.hierarchy.formats import json_tree
from anonymizer_gui.engine.hierarchy.tree import Uneven
from anonymizer_gui.engine.projects.json_entries import (
    EntryReader,
    bad_project,
    entry_at,
    registered,
    registered_json,
    require_all_entries,
    text_in,
)
from anonymizer_gui.engine.rooms.trees.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.trees.project import PathSchema, Project
from anonymizer_gui.engine.rooms.trees.roles import PathRole

_PATH = {"path", "role", "type", "format"}


def to_json(project: Project) -> dict[str, Json]:
    """Give everything that is decided but name and sources, in the order a person would read it."""
    return {
        "paths": [
            {"path": each.path, "role": each.role.value, "type": each.type.value, "format": each.format}
            for each in project.paths
        ],
        "removed": list(project.removed),
        "algorithm": registered_json(project.algorithm),
        "seed": project.seed,
        "uneven": project.uneven,
        "hierarchies": {name: json_tree.to_json(tree) for name, tree in project.hierarchies.items()},
    }


def from_json(entries: Mapping[str, Json]) -> Project:
    """Make the project; raises BadProject with one sentence for the first thing that is wrong."""
    told = require_all_entries(entries, to_json(Project()))
    read = EntryReader(told)
    paths = read.list_of("paths", _path)
    if len({each.path for each in paths}) < len(paths):
        raise bad_project("its entry “paths” is not what it should be")
    return Project(
        paths=paths,
        removed=read.list_of("removed", text_in),
        algorithm=entry_at("algorithm", lambda entry: registered(ALGORITHMS, entry), told["algorithm"]),
        seed=read.whole("seed", 0),
        uneven=entry_at("uneven", _uneven, told["uneven"]),
        hierarchies=read.mapping_of("hierarchies", json_tree.from_json),
    )


def _path(entry: Json) -> PathSchema:
    if not isinstance(entry, dict) or set(entry) != _PATH:
        raise ValueError
    return PathSchema(
        text_in(entry["path"]), PathRole(entry["role"]), ColumnType(entry["type"]), text_in(entry["format"])
    )


def _uneven(entry: Json) -> Uneven:
    if entry not in get_args(Uneven):
        raise ValueError
    return entry  # type: ignore[no-any-return]
