"""The room of tables: the contract of a kind of release for microdata, and its project read from JSON."""

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, get_args

from anonymizer_gui.engine.core.errors import BadParameter, BadProject
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Named, Registry
from anonymizer_gui.engine.data.tables.io.arx import SUFFIX as ARX_SUFFIX
from anonymizer_gui.engine.data.tables.io.arx import is_arx_project
from anonymizer_gui.engine.data.tables.io.read_write import options_of_source, read_source
from anonymizer_gui.engine.data.tables.table import ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.formats import json_tree
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Uneven
from anonymizer_gui.engine.projects.json_entries import (
    EntryReader,
    bad_project,
    flag_in,
    number_in,
    refuse_unknown_entries,
    registered,
    require_only,
    text_in,
    whole_in,
)
from anonymizer_gui.engine.recode_for_other_rooms import RecodingRequest, RecodingResult
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.room import Files, NewProject, ReadFile, Section, VerificationResult
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.masking.contract import STEPS
from anonymizer_gui.engine.rooms.microdata.masking.steps import apply_steps, step_notes, steps_of, with_steps
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS
from anonymizer_gui.engine.rooms.microdata.new_project import new_project
from anonymizer_gui.engine.rooms.microdata.out_of_core.engine_source import read_sample
from anonymizer_gui.engine.rooms.microdata.policies.contract import RULES
from anonymizer_gui.engine.rooms.microdata.policies.rule_sets import rule_set_from_entries
from anonymizer_gui.engine.rooms.microdata.project import (
    POPULATION,
    RULE_KEY,
    TABLE,
    Project,
    Publishing,
    project_entries,
)
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import ReleaseCandidate, prepare_candidate
from anonymizer_gui.engine.rooms.microdata.release.report import report_sections
from anonymizer_gui.engine.rooms.microdata.release.verification import verify_release
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS
from anonymizer_gui.engine.rooms.microdata.run import run
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS
from anonymizer_gui.engine.scale.sampled_table import engine_for
from anonymizer_gui.engine.storage.sources import Source


def project_from_entries(entries: Mapping[str, Json]) -> Project:
    """Make the project; raises BadProject with one sentence for the first thing that is wrong."""
    refuse_unknown_entries(entries, {*project_entries(Project()), "rules", "policies"})
    read = EntryReader(entries)
    schema = Schema(read.list_of("columns", _column))
    project = Project(
        schema=schema,
        goals=read.list_of("goals", lambda entry: registered(PRIVACY_MODELS, entry)),
        algorithm=read.optional("algorithm", lambda entry: registered(ALGORITHMS, entry)),
        suppression=read.number("suppression", 0.0, 1.0),
        limit_covers_emptied=read.optional("limit_covers_emptied", flag_in) or False,
        weights=read.mapping_of("weights", lambda entry: number_in(entry, 0.0, math.inf)),
        bounds=read.mapping_of("bounds", _bounds),
        uneven=_uneven(read.text("uneven", "cap")),
        seed=read.whole("seed", low=0),
        publishing=read.optional("publishing", _publishing) or Publishing(),
        acknowledged=read.list_of("acknowledged", text_in),
        person=read.text("person", ""),
        sampling_weight=read.text("sampling_weight", ""),
        household=read.text("household", ""),
        hierarchies=read.mapping_of("hierarchies", _tree),
        policies=read.list_of("policies", rule_set_from_entries),
        rules=read.mapping_of("rules", _rule),
    )
    _refuse_contradictions(project)
    return project


def _tree(entry: Json) -> Hierarchy:
    """Make a hierarchy; raises BadHierarchy, and BadParameter for a builder that there is not."""
    tree = json_tree.from_json(entry)
    builder = entry.get(RULE_KEY) if isinstance(entry, Mapping) else None
    return tree if builder is None else tree.built_by(_rule(builder))


def _rule(entry: Json) -> Named:
    """Make a builder of its name and parameters; raises BadParameter."""
    from anonymizer_gui.engine.hierarchy.builders.contract import BUILDERS  # few projects need them

    return registered(BUILDERS, entry)


def _bounds(entry: Json) -> tuple[int, int]:
    lowest, highest = (whole_in(item) for item in entry)
    if not 0 <= lowest <= highest:
        raise ValueError
    return lowest, highest


def _uneven(entry: str) -> Uneven:
    for choice in get_args(Uneven):
        if entry == choice:
            return choice  # type: ignore[no-any-return]
    raise bad_project("its entry “uneven” is not what it should be")


def _column(entry: Json) -> ColumnSchema:
    known = require_only(entry, "name", "type", "format", "role")
    return ColumnSchema(
        text_in(known["name"]), ColumnType(known["type"]), text_in(known.get("format", "")), Role(known["role"])
    )


def _publishing(entry: Json) -> Publishing:
    known = require_only(entry, *(f.name for f in dataclasses.fields(Publishing)))
    default = Publishing()
    listed = ("left_out", "public_values")
    values = {name: item for name, item in known.items() if name not in ("pseudonyms", *listed)}
    for name, item in values.items():
        if type(item) is not type(getattr(default, name)):
            raise ValueError
    pseudonyms = tuple((text_in(column), text_in(way)) for column, way in known.get("pseudonyms", []))
    left_out, public = (tuple(text_in(column) for column in known.get(name, [])) for name in listed)
    return Publishing(pseudonyms=pseudonyms, left_out=left_out, public_values=public, **values)


def _refuse_contradictions(project: Project) -> None:
    names = [column.name for column in project.schema.columns]
    if len(set(names)) < len(names):
        raise bad_project("two of its columns have the same name")
    used = {*project.hierarchies, *project.rules, *project.weights, *project.bounds, *project.acknowledged}
    used |= {project.sampling_weight, project.household} - {""}
    strangers = sorted(used - set(names))
    if strangers:
        raise bad_project(
            message("it speaks of the column “{name}”, which its table does not have", name=strangers[0][:60])
        )
    if project.person and project.person not in project.schema.names(Role.EI):
        raise bad_project(message("its person column “{name}” is not an identifier", name=project.person[:60]))


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
            return read_sample(source, address, progress)
        steps = steps_of(source)
        table, report, found = read_source(
            source.path, options_of_source(with_steps(source, ())), progress.sub(0.0, 0.95)
        )
        if not steps:
            return ReadFile(table, found, report.problems)
        table, found = apply_steps(table, with_steps(found, steps), progress.sub(0.95, 1.0))
        return ReadFile(table, found, (*report.problems, *step_notes(found)))

    def begin(self, source: Source, data: Table, progress: Progress, **choices: Any) -> NewProject:
        """Start a project about a table; `types` overrides what its columns seem to be, `roles` what they are for."""
        return new_project(source, data, progress, **choices)

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
        return run(files[TABLE], project, progress, files.get(POPULATION), try_anyway=try_anyway)

    def row_methods(self) -> dict[str, type[Any]]:
        """Give the algorithms that make rows alike for other rooms, too: those that find levels by themselves."""
        return {method.name: method for method in ALGORITHMS if method().told_levels() is None}

    def rows_made_alike(self, asked: RecodingRequest, progress: Progress) -> RecodingResult:
        """Make rows of another room's table alike."""
        from anonymizer_gui.engine.rooms.microdata.run import recode_rows  # only other rooms need it

        return recode_rows(asked, progress)

    def settings_of(self, made: Project, now: Project) -> Project:
        """Of how a release leaves, a run depends only on whether suppressed rows are published."""
        publishing = replace(now.publishing, suppressed_as_stars=made.publishing.suppressed_as_stars)
        decided = replace(made, publishing=publishing, acknowledged=now.acknowledged, policies=now.policies)
        return replace(decided, name=now.name)

    def as_decided(self, release: Release, project: Project) -> Release:
        """Give a release with the way it is published as it is decided now."""
        decided = {name: getattr(project, name) for name in ("publishing", "acknowledged", "policies")}
        return replace(release, project=replace(release.project, **decided))

    def leaving(self, release: Release, files: Files, safeguards: Safeguards, progress: Progress) -> ReleaseCandidate:
        """Make the table that would leave and check it."""
        _refuse_sample(files[TABLE])
        return prepare_candidate(release, files[TABLE], safeguards, progress, files.get(POPULATION))

    def verify(self, path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
        """Measure a released table again."""
        return verify_release(path, told, progress)

    def sections(self, told: Mapping[str, Json]) -> list[Section]:
        """Give the sections of the report."""
        return report_sections(told)

    def to_json(self, project: Project) -> dict[str, Json]:
        """Give the room's entries of the project file."""
        return project_entries(project)

    def from_json(self, entries: Mapping[str, Json]) -> Project:
        """Make the project of its entries."""
        return project_from_entries(entries)


def _refuse_sample(table: Table) -> None:
    """Raise BadParameter when only some rows of a table are here: a release of a sample would promise too much."""
    if table.is_sample:
        raise BadParameter(
            "Only some rows of the table are here; the whole of it is held by an engine.",
            "Run it there: Protect, Run Elsewhere, or with --engine on the command line.",
        )


ROOM = Microdata()
