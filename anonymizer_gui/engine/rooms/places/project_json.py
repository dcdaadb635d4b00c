"""A project about places as JSON, there and back; whatever is not what it should be is refused in one sentence."""

from collections.abc import Mapping

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.projects.json_entries import (
    EntryReader,
    entry_at,
    registered,
    registered_json,
    require_all_entries,
    whole_in,
)
from anonymizer_gui.engine.rooms.places.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.places.project import Project

_MOST = 1 << 31


def to_json(project: Project) -> dict[str, Json]:
    """Give everything that is decided but name and sources."""
    return {"k": project.k, "algorithm": registered_json(project.algorithm), "seed": project.seed}


def from_json(entries: Mapping[str, Json]) -> Project:
    """Make the project; raises BadProject with one sentence for the first thing that is wrong."""
    told = require_all_entries(entries, to_json(Project()))
    return Project(
        k=entry_at("k", _few, told["k"]),
        algorithm=entry_at("algorithm", lambda entry: registered(ALGORITHMS, entry), told["algorithm"]),
        seed=EntryReader(told).whole("seed", 0),
    )


def _few(entry: Json) -> int:
    if whole_in(entry, 1) >= _MOST:
        raise ValueError
    return int(entry)
