"""The room of graphs: who knows whom leaves so that nobody is found by the ties around them."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from anonymizer_gui.engine.core.errors import BadProject
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.graphs.graph import Graph
from anonymizer_gui.engine.data.graphs.reading import read_graph
from anonymizer_gui.engine.data.tables.io.read_write import options_of_source, read_source
from anonymizer_gui.engine.room import Files, NewProject, ReadFile, Section, VerificationResult
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.graphs.certificate import report_sections
from anonymizer_gui.engine.rooms.graphs.project import GRAPH, NODES, Project, project_from_json, project_to_json
from anonymizer_gui.engine.rooms.graphs.release import Release
from anonymizer_gui.engine.rooms.graphs.release_candidate import ReleaseCandidate
from anonymizer_gui.engine.rooms.graphs.run import run
from anonymizer_gui.engine.rooms.graphs.verification import verify_release
from anonymizer_gui.engine.storage.sources import Source, checksum

_COMMENT = b"#"
_TWO_COLUMNS = 2


class GraphsRoom:
    """Social networks, published as graphs or as groups of people."""

    name = "graphs"
    title = "Graph of people"
    summary = "Publish who is tied to whom: nobody is found by their number of ties, or only groups are told."
    project = Project
    roles: ClassVar = {GRAPH: "Ties", NODES: "People"}
    is_repeatable = True
    holds_cells = frozenset({"hierarchies"})
    spends = False

    def registries(self) -> dict[str, Registry[Any]]:
        """Give the algorithms."""
        return {"graph-algorithms": ALGORITHMS}

    def accepts(self, path: Path, head: bytes) -> float:
        """Take formats for graphs, and lists of two columns."""
        if path.suffix.lower() in (".gml", ".graphml"):
            return 1.0
        lines = [line for line in head.splitlines() if line.strip() and not line.startswith(_COMMENT)][:20]
        if path.suffix.lower() not in (".csv", ".tsv", ".txt", ".edges") or not lines:
            return 0.0
        widths = {len(line.replace(b";", b"\t").replace(b",", b"\t").split()) for line in lines}
        return (0.7 if path.suffix.lower() in (".txt", ".edges") else 0.3) if widths == {_TWO_COLUMNS} else 0.05

    def read(self, role: str, source: Source, progress: Progress) -> ReadFile:
        """Read the ties, or the table about the people; raises UnreadableFile."""
        if role == NODES:
            table, report, found = read_source(source.path, options_of_source(source), progress)
            return ReadFile(table, found, report.problems)
        path = Path(source.path)
        read = read_graph(path, source.options, progress.sub(0.0, 0.9))
        digest = checksum(path, progress.sub(0.9, 1.0))
        return ReadFile(read.graph, Source(source.path, digest, source.options), read.notes())

    def begin(self, source: Source, data: Graph, progress: Progress, **choices: Any) -> NewProject:
        """Start a project about a graph."""
        return NewProject(Project(name=Path(source.path).stem, source=source))

    def fits(self, project: Project, files: Files) -> None:
        """Raise BadProject when the table of people lacks a column the project speaks of."""
        table = project.table_among(files)
        wanted = [*([project.key] if project.key else []), *(column.name for column in project.schema.columns)]
        missing = [name for name in wanted if table is not None and name not in table.names]
        if missing:
            raise BadProject(
                message("The table has no column “{name}”, of which the project speaks.", name=missing[0]),
                "Choose the table the project was made with.",
            )

    def run(self, project: Project, files: Files, progress: Progress, *, try_anyway: bool = False) -> Release:
        """Run the project's algorithm and measure what came out."""
        return run(project, files, progress)

    def settings_of(self, made: Project, now: Project) -> Project:
        """Give the project as it was; only its name does not matter to a run."""
        return replace(made, name=now.name)

    def as_decided(self, release: Release, project: Project) -> Release:
        """Give the release as it is: nothing about its leaving can be decided later."""
        return release

    def leaving(self, release: Release, files: Files, safeguards: Any, progress: Progress) -> ReleaseCandidate:
        """Make what would leave and check it."""
        progress(0.0, "Checking the graph")
        return ReleaseCandidate(release, safeguards)

    def verify(self, path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
        """Count a released graph again."""
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


ROOM = GraphsRoom()
