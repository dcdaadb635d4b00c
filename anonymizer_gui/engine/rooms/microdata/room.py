"""The room of microdata: a table about people leaves as a table, generalised until its promises hold."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from anonymizer_gui.engine.core.errors import BadParameter, BadProject
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.tables.io.arx import SUFFIX as ARX_SUFFIX
from anonymizer_gui.engine.data.tables.io.arx import is_arx_project
from anonymizer_gui.engine.data.tables.io.read_write import options_of_source, read_source
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.recode_for_other_rooms import RecodingRequest, RecodingResult
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.room import Files, NewProject, ReadFile, Section, VerificationResult
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.anonymize import anonymize
from anonymizer_gui.engine.rooms.microdata.beginning import begin
from anonymizer_gui.engine.rooms.microdata.elsewhere.holding import read_held
from anonymizer_gui.engine.rooms.microdata.leaving import LeavingTable, prepare
from anonymizer_gui.engine.rooms.microdata.policies.contract import RULES
from anonymizer_gui.engine.rooms.microdata.preparing.contract import STEPS
from anonymizer_gui.engine.rooms.microdata.preparing.steps import notes_of, prepared, steps_of, with_steps
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS
from anonymizer_gui.engine.rooms.microdata.project import POPULATION, TABLE, Project, to_json
from anonymizer_gui.engine.rooms.microdata.project_reading import from_json
from anonymizer_gui.engine.rooms.microdata.release import Release
from anonymizer_gui.engine.rooms.microdata.report_sections import sections_of
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS
from anonymizer_gui.engine.rooms.microdata.verifying import measured_again
from anonymizer_gui.engine.scale.sampled_table import engine_for
from anonymizer_gui.engine.storage.sources import Source


class Microdata:
    """Records about people, published as records."""

    name = "microdata"
    title = "Table of people"
    summary = "Publish the table itself: names are taken out, the rest is made coarse until your goals hold."
    project = Project
    roles: ClassVar = {TABLE: "Table", POPULATION: "Population"}
    is_repeatable = True
    foreign_projects = (ARX_SUFFIX,)
    holds_cells = frozenset({"hierarchies"})
    spends = False

    def registries(self) -> dict[str, Registry[Any]]:
        """Give goals, algorithms, measures, risk analyses, steps of preparation and rules of policies."""
        measures: dict[str, Registry[Any]] = {"metrics": METRICS, "risks": RISKS}
        return {"algorithms": ALGORITHMS, "models": PRIVACY_MODELS, **measures, "steps": STEPS, "rules": RULES}

    def accepts(self, path: Path, head: bytes) -> float:
        """Take any table; more special rooms say so more strongly. Projects of ARX are at home here."""
        return 1.0 if is_arx_project(path) else 0.5

    def read(self, role: str, source: Source, progress: Progress) -> ReadFile:
        """Read a table with the options it was read with before, and prepare it again; raises UnreadableFile.

        Of a table that an engine holds some rows are read, which are to be looked at and never released.
        """
        if role == TABLE and not is_arx_project(source.path) and (address := engine_for(source)):
            return read_held(source, address, progress)
        steps = steps_of(source)
        table, report, found = read_source(
            source.path, options_of_source(with_steps(source, ())), progress.sub(0.0, 0.95)
        )
        if not steps:
            return ReadFile(table, found, report.problems)
        table, found = prepared(table, with_steps(found, steps), progress.sub(0.95, 1.0))
        return ReadFile(table, found, (*report.problems, *notes_of(found)))

    def begin(self, source: Source, data: Table, progress: Progress, **choices: Any) -> NewProject:
        """Start a project about a table; `types` overrides what its columns seem to be, `roles` what they are for."""
        return begin(source, data, progress, **choices)

    def fits(self, project: Project, files: Files) -> None:
        """Raise BadProject when the table lacks a column the project speaks of."""
        table: Table | None = files.get(TABLE)
        missing = [c.name for c in project.schema.columns if table is not None and c.name not in table.names]
        if missing:
            raise BadProject(
                message("The table has no column “{name}”, of which the project speaks.", name=missing[0]),
                "Choose the table the project was made with.",
            )

    def completed(self, project: Project, files: Files, progress: Progress) -> Project:
        """Make the hierarchies of which a recipe holds the rule."""
        if not project.rules or TABLE not in files:
            return project
        from anonymizer_gui.engine.rooms.microdata.recipe import with_hierarchies  # only recipes need it

        return with_hierarchies(project, files[TABLE], progress)

    def run(self, project: Project, files: Files, progress: Progress, *, try_anyway: bool = False) -> Release:
        """Run the project's algorithm and measure what came out; raises BadParameter for a mere sample."""
        _refuse_sample(files[TABLE])
        return anonymize(files[TABLE], project, progress, files.get(POPULATION), try_anyway=try_anyway)

    def row_methods(self) -> dict[str, type[Any]]:
        """Give the algorithms that make rows alike for other rooms, too: those that find levels by themselves."""
        return {method.name: method for method in ALGORITHMS if method().told_levels() is None}

    def rows_made_alike(self, asked: RecodingRequest, progress: Progress) -> RecodingResult:
        """Make rows of another room's table alike."""
        from anonymizer_gui.engine.rooms.microdata.rows_inside import rows_made_alike  # only other rooms need it

        return rows_made_alike(asked, progress)

    def settings_of(self, made: Project, now: Project) -> Project:
        """Of how a release leaves, a run depends only on whether suppressed rows are published."""
        publishing = replace(now.publishing, suppressed_as_stars=made.publishing.suppressed_as_stars)
        decided = replace(made, publishing=publishing, acknowledged=now.acknowledged, policies=now.policies)
        return replace(decided, name=now.name)

    def as_decided(self, release: Release, project: Project) -> Release:
        """Give a release with the way it is published as it is decided now."""
        decided = {name: getattr(project, name) for name in ("publishing", "acknowledged", "policies")}
        return replace(release, project=replace(release.project, **decided))

    def leaving(self, release: Release, files: Files, safeguards: Safeguards, progress: Progress) -> LeavingTable:
        """Make the table that would leave and check it."""
        _refuse_sample(files[TABLE])
        return prepare(release, files[TABLE], safeguards, progress, files.get(POPULATION))

    def verify(self, path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
        """Measure a released table again."""
        return measured_again(path, told, progress)

    def sections(self, told: Mapping[str, Json]) -> list[Section]:
        """Give the sections of the report."""
        return sections_of(told)

    def to_json(self, project: Project) -> dict[str, Json]:
        """Give the room's entries of the project file."""
        return to_json(project)

    def from_json(self, entries: Mapping[str, Json]) -> Project:
        """Make the project of its entries."""
        return from_json(entries)


def _refuse_sample(table: Table) -> None:
    """Raise BadParameter when only some rows of a table are here: a release of a sample would promise too much."""
    if table.is_sample:
        raise BadParameter(
            "Only some rows of the table are here; the whole of it is held by an engine.",
            "Run it there: Protect, Run Elsewhere, or with --engine on the command line.",
        )


ROOM = Microdata()
