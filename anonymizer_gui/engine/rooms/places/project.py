"""What is decided; its JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.projects.json_entries import (
    EntryReader,
    entry_at,
    registered,
    registered_json,
    require_all_entries,
    whole_in,
)
from anonymizer_gui.engine.rooms.places.algorithms.cloaking import HilbertCloak
from anonymizer_gui.engine.rooms.places.algorithms.contract import ALGORITHMS, Algorithm
from anonymizer_gui.engine.storage.sources import Source

PLACES, ROADS = "places", "roads"
"""The roles of the files a project may name: the places, and roads for the map."""


@dataclass(frozen=True, slots=True)
class Project:
    """Everything that is decided about some places; an edit makes a new value."""

    room: ClassVar[str] = "places"

    name: str = ""
    source: Source | None = None
    roads: Source | None = None
    k: int = 5
    algorithm: Algorithm = field(default_factory=HilbertCloak)
    seed: int = 0
    """Of known points and pseudonyms that are drawn by lot."""

    @property
    def way(self) -> str:
        """What a release will be: regions, tracks with changing pseudonyms, or shared tracks."""
        return self.algorithm.way

    def sources(self) -> dict[str, Source]:
        """Give the files the project speaks of, by role."""
        named = {PLACES: self.source, ROADS: self.roads}
        return {role: source for role, source in named.items() if source is not None}

    def with_sources(self, sources: Mapping[str, Source]) -> Self:
        """Take other files for these roles; a role that is not named has none."""
        return replace(self, source=sources.get(PLACES), roads=sources.get(ROADS))


_MOST = 1 << 31


def project_to_json(project: Project) -> dict[str, Json]:
    """Give everything that is decided but name and sources."""
    return {"k": project.k, "algorithm": registered_json(project.algorithm), "seed": project.seed}


def project_from_json(entries: Mapping[str, Json]) -> Project:
    """Make the project; raises BadProject with one sentence for the first thing that is wrong."""
    told = require_all_entries(entries, project_to_json(Project()))
    return Project(
        k=entry_at("k", _few, told["k"]),
        algorithm=entry_at("algorithm", lambda entry: registered(ALGORITHMS, entry), told["algorithm"]),
        seed=EntryReader(told).whole("seed", 0),
    )


def _few(entry: Json) -> int:
    if whole_in(entry, 1) >= _MOST:
        raise ValueError
    return int(entry)
