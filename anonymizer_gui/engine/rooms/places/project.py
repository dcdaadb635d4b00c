"""What is decided about places: how many must fit, by which way, and what is drawn below the map."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from anonymizer_gui.engine.rooms.places.algorithms.contract import Algorithm
from anonymizer_gui.engine.rooms.places.algorithms.hilbert import Hilbert
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
    algorithm: Algorithm = field(default_factory=Hilbert)
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
