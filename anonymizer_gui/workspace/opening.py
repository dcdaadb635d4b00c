"""What runs on the worker when something is opened: reading tables, projects, and what belongs together."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from anonymizer_gui.engine.errors import AnonymizerError, BadProject
from anonymizer_gui.engine.files.source import Source, is_address
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.projects.project_file import load_project
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.shapes.tables.io import ReadOptions, ReadReport
from anonymizer_gui.engine.shapes.tables.io.source_tables import options_of, read_source
from anonymizer_gui.engine.shapes.tables.suggestions import Suggestion, suggest, suggested_schema
from anonymizer_gui.engine.shapes.tables.table import ColumnType, Schema, Table
from anonymizer_gui.engine.shapes.tables.values import misfit_sentence


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A project with its tables, as far as they could be read, and why not where they could not."""

    project: Project
    table: Table | None = None
    report: ReadReport | None = None
    population: Table | None = None
    obstacle: AnonymizerError | None = None
    suggestions: tuple[Suggestion, ...] = ()
    is_other_table: bool = False
    """Whether the table is not byte for byte the one the project was made with."""


def open_new_table(
    path: str, options: ReadOptions | None, types: Mapping[str, tuple[ColumnType, str]], progress: Progress
) -> Opened:
    """Read a table and start a project about it; `types` overrides what the columns seem to be."""
    table, report, source = read_source(path, options, progress.sub(0.0, 0.8))
    suggestions = suggest(table, progress.sub(0.8, 1.0), str(source.options.get("decimal", ".")))
    schema = suggested_schema(suggestions, with_roles=False)
    for name, (column_type, column_format) in types.items():
        schema = schema.with_type(name, column_type, column_format)
    doubtful = {*types, *(entry.column for entry in suggestions if entry.misfits)}
    unfit = [misfit_sentence(table.column(name), schema.column(name)) for name in table.names if name in doubtful]
    project = Project(
        name=Path(path).stem,
        source=source,
        schema=schema,
        goals=(PRIVACY_MODELS.get("k")(),),
        algorithm=ALGORITHMS.get("mondrian")(),
    )
    notes = (*report.notes, *(sentence for sentence in unfit if sentence))
    return Opened(project, table, replace(report, notes=notes), suggestions=suggestions)


def open_saved_project(path: Path, progress: Progress) -> Opened:
    """Read a project and the files its tables are in; a table that cannot be read is no reason to fail.

    A project may come from anybody: an address of a database in it is not called up unasked.
    """
    project = load_project(path)
    progress(0.1, "Reading the table")
    if project.source is None or is_address(project.source.path):
        return Opened(project)
    return join_table(project, project.source.path, progress.sub(0.1, 1.0))


def join_table(project: Project, path: str, progress: Progress) -> Opened:
    """Read the table of a project from where it is now."""
    try:
        table, report, source = read_source(path, options_of(project.source), progress.sub(0.0, 0.9))
        _refuse_other_columns(project.schema, table)
        population = _population(project.population, progress.sub(0.9, 1.0))
    except AnonymizerError as error:
        return Opened(project, obstacle=error)
    known = project.source.sha256 if project.source else ""
    return Opened(
        replace(project, source=source),
        table,
        report,
        population,
        suggestions=suggest(table),
        is_other_table=bool(known) and known != source.sha256,
    )


def open_population(path: str, progress: Progress) -> tuple[Table, Source]:
    """Read the table that stands for the population."""
    table, _report, source = read_source(path, None, progress)
    return table, source


def _population(source: Source | None, progress: Progress) -> Table | None:
    if source is None or is_address(source.path):
        return None
    return read_source(source.path, options_of(source), progress)[0]


def _refuse_other_columns(schema: Schema, table: Table) -> None:
    missing = [column.name for column in schema.columns if column.name not in table.names]
    if missing:
        raise BadProject(
            f"The table has no column “{missing[0]}”, of which the project speaks.",
            "Choose the table the project was made with.",
        )
