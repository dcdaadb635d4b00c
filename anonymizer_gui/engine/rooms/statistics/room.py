"""The room of statistics: the contract of a kind of release for noisy answers, and how a plan begins."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from anonymizer_gui.engine.core.errors import BadProject
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS
from anonymizer_gui.engine.releases.ledger.budget import BudgetLedger
from anonymizer_gui.engine.room import Files, NewProject, ReadFile, Section, VerificationResult
from anonymizer_gui.engine.rooms.statistics.certificate import report_sections
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import DATA_KINDS, data_kind, data_kind_of_source
from anonymizer_gui.engine.rooms.statistics.project import LEDGER, TABLE, Project, project_from_json, project_to_json
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS
from anonymizer_gui.engine.rooms.statistics.release import Release
from anonymizer_gui.engine.rooms.statistics.release_candidate import ReleaseCandidate
from anonymizer_gui.engine.rooms.statistics.run import run
from anonymizer_gui.engine.rooms.statistics.verification import verify_release
from anonymizer_gui.engine.storage.sources import Source, display_name, is_address

LEDGER_SUFFIX = ".budget"


def new_project(source: Source, **_choices: Any) -> NewProject:
    """Start a plan; a table of a database has no place beside it, so its ledger must be chosen."""
    ledger = None if is_address(source.path) else Source(source.path + LEDGER_SUFFIX)
    return NewProject(
        Project(name=display_name(source).stem, source=source, ledger=ledger, shape=data_kind_of_source(source).name)
    )


class StatisticsRoom:
    """Counts, means, maps and rankings, published with noise."""

    name = "statistics"
    title = "Statistics"
    summary = "Publish numbers about people instead of their rows: noise hides everybody, a budget keeps it so."
    project = Project
    roles: ClassVar = {TABLE: "Table", LEDGER: "Ledger of budgets"}
    is_repeatable = False
    spends = True

    def registries(self) -> dict[str, Registry[Any]]:
        """Give questions, mechanisms and shapes of data."""
        return {"questions": QUESTIONS, "mechanisms": MECHANISMS, "shapes": DATA_KINDS}

    def accepts(self, path: Path, head: bytes) -> float:
        """Take what one of its shapes takes."""
        return max(data_kind(name).accepts(path, head) for name in DATA_KINDS.names())

    def read(self, role: str, source: Source, progress: Progress) -> ReadFile:
        """Read the data in its shape, or look at the ledger, which may not be there yet; raises UnreadableFile."""
        if role == TABLE:
            return data_kind_of_source(source).read(source, progress)
        ledger = BudgetLedger(Path(source.path))
        ledger.accounts()
        return ReadFile(ledger, Source(source.path))

    def begin(self, source: Source, data: Any, progress: Progress, **choices: Any) -> NewProject:
        """Start a plan about some data."""
        return new_project(source, **choices)

    def fits(self, project: Project, files: Files) -> None:
        """Raise BadProject when the table lacks a column the plan speaks of."""
        data = files.get(TABLE)
        if data is None:
            return
        known = set(data_kind(project.shape).columns(data))
        missing = [name for name in project.columns() if name not in known]
        if missing:
            raise BadProject(
                message("The table has no column “{name}”, of which the project speaks.", name=missing[0]),
                "Choose the table the project was made with.",
            )

    def run(self, project: Project, files: Files, progress: Progress, *, try_anyway: bool = False) -> Release:
        """Answer the questions and spend their budget."""
        return run(project, files, progress)

    def settings_of(self, made: Project, now: Project) -> Project:
        """Give the plan as it was; only its name does not matter to a run."""
        return replace(made, name=now.name)

    def as_decided(self, release: Release, project: Project) -> Release:
        """Give the release as it is: nothing about its leaving can be decided later."""
        return release

    def leaving(self, release: Release, files: Files, safeguards: Any, progress: Progress) -> ReleaseCandidate:
        """Make what would leave and check it."""
        progress(0.0, "Checking the answers")
        return ReleaseCandidate(release, files.get(LEDGER), safeguards)

    def verify(self, path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
        """Compute the accounting again, and compare the file with the certificate."""
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


ROOM = StatisticsRoom()
