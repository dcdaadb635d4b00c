"""The room of surveys: the contract of a kind of release for local differential privacy, and how one begins."""

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
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.local.protocol import PROTOCOLS
from anonymizer_gui.engine.room import Files, NewProject, ReadFile, Section, VerificationResult, head_of
from anonymizer_gui.engine.rooms.survey.certificate import report_sections
from anonymizer_gui.engine.rooms.survey.collection import Question
from anonymizer_gui.engine.rooms.survey.project import REPORTS, TABLE, Project, project_from_json, project_to_json
from anonymizer_gui.engine.rooms.survey.release import Release
from anonymizer_gui.engine.rooms.survey.release_candidate import ReleaseCandidate
from anonymizer_gui.engine.rooms.survey.reports import ReportFile, is_reports, read_reports
from anonymizer_gui.engine.rooms.survey.run import reports_among, run
from anonymizer_gui.engine.rooms.survey.verification import verify_release
from anonymizer_gui.engine.storage.sources import Source, is_address

_FEW = 40

_HINT = "The values of the first question were read off the table: complete them, for what can be answered is public."


def new_project(source: Source, data: Any, **_choices: Any) -> NewProject:
    """Start a survey about a table, or go on with the one that reports belong to."""
    name = Path(source.path).stem
    if isinstance(data, ReportFile):
        return _go_on(source, data, name)
    if not isinstance(data, Table):
        return NewProject(Project(name=name, source=source))
    found = _first(data)
    questions = () if found is None else (found,)
    notes = () if found is None else (message(_HINT),)
    return NewProject(Project(name=name, source=source, questions=questions, answers=max(data.n_rows, 1)), notes)


def _go_on(source: Source, collected: ReportFile, name: str) -> NewProject:
    survey = collected.collection
    if survey is None:
        return NewProject(
            Project(name=name, source=source), (message("The reports do not say which survey they belong to."),)
        )
    project = Project(
        name=name,
        source=source,
        title=survey.title,
        intro=survey.intro,
        questions=survey.questions,
        epsilon=survey.epsilon,
        sharing=survey.sharing,
        answers=max(len(collected.records), 1),
    )
    return NewProject(project)


def _first(table: Table) -> Question | None:
    """Take the first column with a few values."""
    for column in table.columns:
        if 2 <= len(column.labels) <= _FEW:
            return Question(column.name, values=tuple(column.labels))
    return None


class SurveyRoom:
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
        return new_project(source, data, **choices)

    def fits(self, project: Project, files: Files) -> None:
        """Raise BadProject when the table lacks a column that is asked for and no reports are there instead."""
        table = files.get(TABLE)
        if table is None or reports_among(files) is not None:
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

    def leaving(self, release: Release, files: Files, safeguards: Any, progress: Progress) -> ReleaseCandidate:
        """Make what would leave and check it."""
        progress(0.0, "Checking the estimates")
        return ReleaseCandidate(release, safeguards)

    def verify(self, path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
        """Count and compute again, and compare with the certificate."""
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


ROOM = SurveyRoom()
