"""The room of statistics: numbers about people leave with noise, from a budget that is never overdrawn."""

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
from anonymizer_gui.engine.rooms.statistics.beginning import begin
from anonymizer_gui.engine.rooms.statistics.leaving import LeavingAnswers
from anonymizer_gui.engine.rooms.statistics.project import LEDGER, TABLE, Project
from anonymizer_gui.engine.rooms.statistics.project_json import from_json, to_json
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS
from anonymizer_gui.engine.rooms.statistics.release import Release
from anonymizer_gui.engine.rooms.statistics.report_sections import sections_of
from anonymizer_gui.engine.rooms.statistics.running import run
from anonymizer_gui.engine.rooms.statistics.shape import SHAPES, shape_in, shape_of
from anonymizer_gui.engine.rooms.statistics.verifying import checked_again
from anonymizer_gui.engine.storage.sources import Source


class Statistics:
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
        return {"questions": QUESTIONS, "mechanisms": MECHANISMS, "shapes": SHAPES}

    def accepts(self, path: Path, head: bytes) -> float:
        """Take what one of its shapes takes."""
        return max(shape_of(name).accepts(path, head) for name in SHAPES.names())

    def read(self, role: str, source: Source, progress: Progress) -> ReadFile:
        """Read the data in its shape, or look at the ledger, which may not be there yet; raises UnreadableFile."""
        if role == TABLE:
            return shape_in(source).read(source, progress)
        ledger = BudgetLedger(Path(source.path))
        ledger.accounts()
        return ReadFile(ledger, Source(source.path))

    def begin(self, source: Source, data: Any, progress: Progress, **choices: Any) -> NewProject:
        """Start a plan about some data."""
        return begin(source, **choices)

    def fits(self, project: Project, files: Files) -> None:
        """Raise BadProject when the table lacks a column the plan speaks of."""
        data = files.get(TABLE)
        if data is None:
            return
        known = set(shape_of(project.shape).columns(data))
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

    def leaving(self, release: Release, files: Files, safeguards: Any, progress: Progress) -> LeavingAnswers:
        """Make what would leave and check it."""
        progress(0.0, "Checking the answers")
        return LeavingAnswers(release, files.get(LEDGER), safeguards)

    def verify(self, path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
        """Compute the accounting again, and compare the file with the certificate."""
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


ROOM = Statistics()
