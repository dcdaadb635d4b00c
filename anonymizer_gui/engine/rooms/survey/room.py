"""The room of surveys: people answer with a form that lies for them, and many reports tell what none of them does."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from anonymizer_gui.engine.core.errors import BadProject
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.tables.io.read_write import options_of_source, read_source
from anonymizer_gui.engine.dp.local.protocol import PROTOCOLS
from anonymizer_gui.engine.room import Files, NewProject, ReadFile, Section, VerificationResult, head_of
from anonymizer_gui.engine.rooms.survey.beginning import begin
from anonymizer_gui.engine.rooms.survey.leaving import LeavingEstimates
from anonymizer_gui.engine.rooms.survey.project import REPORTS, TABLE, Project
from anonymizer_gui.engine.rooms.survey.project_json import from_json, to_json
from anonymizer_gui.engine.rooms.survey.release import Release
from anonymizer_gui.engine.rooms.survey.report_sections import sections_of
from anonymizer_gui.engine.rooms.survey.reports import is_reports, read_reports
from anonymizer_gui.engine.rooms.survey.running import collected_in, run
from anonymizer_gui.engine.rooms.survey.verifying import checked_again
from anonymizer_gui.engine.storage.sources import Source, is_address


class Survey:
    """Ask without being told."""

    name = "survey"
    title = "Survey"
    summary = "Ask people without being told: a form changes every answer by chance before it is sent."
    project = Project
    roles: ClassVar = {TABLE: "Table or reports", REPORTS: "Reports"}
    enough = frozenset({REPORTS})
    is_repeatable = False
    spends = False

    def registries(self) -> dict[str, Registry[Any]]:
        """Give the protocols."""
        return {"protocols": PROTOCOLS}

    def accepts(self, path: Path, head: bytes) -> float:
        """Take reports before anybody else does, and any table after all others."""
        return 0.95 if is_reports(head) else 0.2

    def read(self, role: str, source: Source, progress: Progress) -> ReadFile:
        """Read a table or reports, which may fill a folder; raises UnreadableFile."""
        path = Path(source.path)
        if not is_address(source.path) and (role == REPORTS or path.is_dir() or is_reports(head_of(path))):
            collected = read_reports(path, progress)
            return ReadFile(collected, Source(source.path, collected.digest))
        table, report, found = read_source(source.path, options_of_source(source), progress)
        return ReadFile(table, found, report.problems)

    def begin(self, source: Source, data: Any, progress: Progress, **choices: Any) -> NewProject:
        """Start a survey about a table, or go on with one whose reports came back."""
        return begin(source, data, **choices)

    def fits(self, project: Project, files: Files) -> None:
        """Raise BadProject when the table lacks a column that is asked for and no reports are there instead."""
        table = files.get(TABLE)
        if table is None or collected_in(files) is not None:
            return
        missing = [question.name for question in project.questions if question.name not in table.names]
        if missing and len(missing) == len(project.questions):
            raise BadProject(
                message("The table has no column “{name}”, of which the project speaks.", name=missing[0]),
                "Choose the table the project was made with.",
            )

    def run(self, project: Project, files: Files, progress: Progress, *, try_anyway: bool = False) -> Release:
        """Count the reports and estimate."""
        return run(project, files, progress)

    def settings_of(self, made: Project, now: Project) -> Project:
        """Give the survey as it was; only its name does not matter to a run."""
        return replace(made, name=now.name, with_reports=now.with_reports)

    def as_decided(self, release: Release, project: Project) -> Release:
        """Give the release with what is decided now about whether reports leave with it."""
        return replace(release, project=replace(release.project, with_reports=project.with_reports))

    def leaving(self, release: Release, files: Files, safeguards: Any, progress: Progress) -> LeavingEstimates:
        """Make what would leave and check it."""
        progress(0.0, "Checking the estimates")
        return LeavingEstimates(release, safeguards)

    def verify(self, path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
        """Count and compute again, and compare with the certificate."""
        return checked_again(path, told, progress)

    def sections(self, told: Mapping[str, Json]) -> list[Section]:
        """Give the sections of the report."""
        return sections_of(told)

    def to_json(self, project: Project) -> dict[str, Json]:
        """Give the room's entries of the project file."""
        return to_json(project)

    def from_json(self, entries: Mapping[str, Json]) -> Project:
        """Make the project of its entries."""
        return from_json(entries)


ROOM = Survey()
