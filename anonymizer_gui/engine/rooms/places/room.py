"""The room of places: where people are and were leaves so that at least k of them fit."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.places.layout import likelihood, sniff_options
from anonymizer_gui.engine.data.places.places import Places
from anonymizer_gui.engine.data.places.reading import options_of_source, read_source
from anonymizer_gui.engine.data.places.roads import read_roads
from anonymizer_gui.engine.room import Files, NewProject, ReadFile, Section, VerificationResult
from anonymizer_gui.engine.rooms.places.algorithms.cloaking import HilbertCloak
from anonymizer_gui.engine.rooms.places.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.places.algorithms.trajectories import NeverWalkAlone
from anonymizer_gui.engine.rooms.places.certificate import report_sections
from anonymizer_gui.engine.rooms.places.project import ROADS, Project, project_from_json, project_to_json
from anonymizer_gui.engine.rooms.places.release import Release
from anonymizer_gui.engine.rooms.places.release_candidate import ReleaseCandidate
from anonymizer_gui.engine.rooms.places.run import run
from anonymizer_gui.engine.rooms.places.verification import verify_release
from anonymizer_gui.engine.storage.sources import Source, checksum

_LONG_TRACKS = 10


class PlacesRoom:
    """Location queries, mix zones and tracks."""

    name = "places"
    title = "Places and tracks"
    summary = "Publish where people are and were: as regions, under changing pseudonyms, or as tracks that k share."
    project = Project
    roles: ClassVar = {"places": "Places", ROADS: "Roads"}
    is_repeatable = True
    holds_cells: ClassVar = frozenset[str]()
    spends = False

    def registries(self) -> dict[str, Registry[Any]]:
        """Give the ways to protect places."""
        return {"place-algorithms": ALGORITHMS}

    def accepts(self, path: Path, head: bytes) -> float:
        """Take formats for tracks, and tables with coordinates."""
        return likelihood(path, head)

    def read(self, role: str, source: Source, progress: Progress) -> ReadFile:
        """Read the places, or the roads below the map; raises UnreadableFile."""
        place = Path(source.path)
        if role == ROADS:
            roads = read_roads(place, progress.sub(0.0, 0.9))
            return ReadFile(roads, Source(str(place.resolve()), checksum(place, progress.sub(0.9, 1.0))))
        progress(0.0, "Reading the places")
        options = options_of_source(source) or sniff_options(place)
        places, found, read = read_source(source, options, progress)
        return ReadFile(places, read, found.problems)

    def begin(self, source: Source, data: Places, progress: Progress, **choices: Any) -> NewProject:
        """Start a project: long tracks are to be published as tracks, single points as regions."""
        is_long = data.has_time and data.n_points >= _LONG_TRACKS * len(data)
        algorithm = NeverWalkAlone() if is_long else HilbertCloak()
        note = message(
            "Proposed: {title}. Another way can be chosen on the Protect page.", title=message(algorithm.title)
        )
        return NewProject(Project(name=Path(source.path).stem, source=source, algorithm=algorithm), (note,))

    def fits(self, project: Project, files: Files) -> None:
        """Take any places: what a way needs of them is told when it is run."""

    def run(self, project: Project, files: Files, progress: Progress, *, try_anyway: bool = False) -> Release:
        """Run the project's way and count what came out."""
        return run(project, files, progress)

    def settings_of(self, made: Project, now: Project) -> Project:
        """Give the project as it was; name and roads do not matter to a run."""
        return replace(made, name=now.name, roads=now.roads)

    def as_decided(self, release: Release, project: Project) -> Release:
        """Give the release as it is: nothing about its leaving can be decided later."""
        return release

    def leaving(self, release: Release, files: Files, safeguards: Any, progress: Progress) -> ReleaseCandidate:
        """Make what would leave and check it."""
        progress(0.0, "Checking the places")
        return ReleaseCandidate(release, safeguards)

    def verify(self, path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
        """Count released places again."""
        return verify_release(path, told, progress)

    def sections(self, told: Mapping[str, Json]) -> list[Section]:
        """Give the sections of the report."""
        return report_sections(told)

    def to_json(self, project: Project) -> dict[str, Json]:
        """Give the room's entries of the project file."""
        return project_to_json(project)

    def from_json(self, entries: Mapping[str, Json]) -> Project:
        """Make the project of its entries."""
        return project_from_json(entries)


ROOM = PlacesRoom()
