"""The room of trees: nested records (JSON, XML) leave as nested records in which nobody stands out."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from anonymizer_gui.engine.core.errors import BadProject
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.trees.reading import likelihood, read_trees
from anonymizer_gui.engine.data.trees.trees import Trees
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.room import Files, NewProject, ReadFile, Section, VerificationResult
from anonymizer_gui.engine.rooms.trees.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.trees.certificate import report_sections
from anonymizer_gui.engine.rooms.trees.project import TABLE, Project, project_from_json, project_to_json, suggest_roles
from anonymizer_gui.engine.rooms.trees.release import Release
from anonymizer_gui.engine.rooms.trees.release_candidate import ReleaseCandidate, prepare_candidate
from anonymizer_gui.engine.rooms.trees.run import run
from anonymizer_gui.engine.rooms.trees.verification import verify_release
from anonymizer_gui.engine.storage.sources import Source, display_name


class TreesRoom:
    """Students with courses and books, patients with stays: nested records, published as such."""

    name = "trees"
    title = "Nested records"
    summary = "Publish JSON or XML records with what hangs below them: nobody is found by their branches."
    project = Project
    roles: ClassVar = {TABLE: "Records"}
    is_repeatable = True
    holds_cells = frozenset({"hierarchies"})
    spends = False

    def registries(self) -> dict[str, Registry[Any]]:
        """Give the algorithms."""
        return {"tree-algorithms": ALGORITHMS}

    def accepts(self, path: Path, head: bytes) -> float:
        """Take JSON with objects inside, and XML."""
        return likelihood(path, head)

    def read(self, role: str, source: Source, progress: Progress) -> ReadFile:
        """Read records; raises UnreadableFile."""
        found = read_trees(source, progress)
        return ReadFile(found.trees, found.source, found.notes)

    def begin(self, source: Source, data: Trees, progress: Progress, **choices: Any) -> NewProject:
        """Start a project with a suggested role for every path."""
        paths = tuple(each.schema for each in suggest_roles(data, progress))
        note = message("The roles of the paths are suggestions: look at each of them on the Data page.")
        return NewProject(Project(name=display_name(source).stem, source=source, paths=paths), (note,))

    def fits(self, project: Project, files: Files) -> None:
        """Raise BadProject when the records lack a path the project speaks of."""
        trees: Trees | None = files.get(TABLE)
        missing = [] if trees is None else [each.path for each in project.paths if each.path not in trees.leaf_of]
        if missing:
            raise BadProject(
                message("The records have no path “{name}”, of which the project speaks.", name=missing[0]),
                "Choose the file the project was made with.",
            )

    def run(self, project: Project, files: Files, progress: Progress, *, try_anyway: bool = False) -> Release:
        """Run the project's algorithm and count what came out."""
        return run(project, files, progress)

    def settings_of(self, made: Project, now: Project) -> Project:
        """Give the settings as they were; the name does not matter to a run."""
        return replace(made, name=now.name, uneven=now.uneven)

    def as_decided(self, release: Release, project: Project) -> Release:
        """Give the release as it is: nothing about its leaving can be decided later."""
        return release

    def leaving(self, release: Release, files: Files, safeguards: Safeguards, progress: Progress) -> ReleaseCandidate:
        """Put the records in order and check them."""
        return prepare_candidate(release, safeguards, progress)

    def verify(self, path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
        """Count a released file again."""
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


ROOM = TreesRoom()
