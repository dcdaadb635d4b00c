"""A project about a graph as JSON, there and back; whatever is not what it should be is refused in one sentence."""

from collections.abc import Mapping

from anonymizer_gui.engine.hierarchy.formats import json_tree
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.projects.entries import (
    Entries,
    at,
    bad,
    registered,
    registered_json,
    text_in,
    whole_in,
)
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.graphs.project import Project
from anonymizer_gui.engine.shapes.tables.table import Role
from anonymizer_gui.engine.words import say

_MOST = 1 << 31


def to_json(project: Project) -> dict[str, Json]:
    """Give everything that is decided but name and sources."""
    return {
        "key": project.key,
        "columns": [{"name": name, "role": role.value} for name, role in project.roles.items()],
        "k": project.k,
        "l": project.l,
        "algorithm": registered_json(project.algorithm),
        "sample": project.sample,
        "seed": project.seed,
        "hierarchies": {name: json_tree.to_json(tree) for name, tree in project.hierarchies.items()},
    }


def from_json(entries: Mapping[str, Json]) -> Project:
    """Make the project; raises BadProject with one sentence for the first thing that is wrong."""
    usual = to_json(Project())
    unknown = sorted(set(entries) - set(usual))
    if unknown:
        raise bad(say("it holds the entry “{name}”, which this version does not know", name=unknown[0][:60]))
    missing = sorted(set(usual) - set(entries)) if entries else []
    if missing:
        raise bad(say("its entry “{name}” is missing", name=missing[0]))
    told = {**usual, **entries}
    read = Entries(told)
    return Project(
        key=read.text("key"),
        roles=dict(read.list_of("columns", _column)),
        hierarchies=read.mapping_of("hierarchies", json_tree.from_json),
        k=at("k", lambda entry: _few(entry), told["k"]),
        l=at("l", lambda entry: _few(entry), told["l"]),
        algorithm=at("algorithm", lambda entry: registered(ALGORITHMS, entry), told["algorithm"]),
        sample=at("sample", _flag, told["sample"]),
        seed=read.whole("seed", 0),
    )


def _column(entry: Json) -> tuple[str, Role]:
    if not isinstance(entry, dict) or set(entry) != {"name", "role"}:
        raise ValueError
    return text_in(entry["name"]), Role(entry["role"])


def _few(entry: Json) -> int:
    if whole_in(entry, 1) >= _MOST:
        raise ValueError
    return int(entry)


def _flag(entry: Json) -> bool:
    if not isinstance(entry, bool):
        raise ValueError
    return entry
