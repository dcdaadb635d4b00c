"""How a project about a table begins: the same for window, command line and script."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io.arx import is_arx_project
from anonymizer_gui.engine.data.tables.suggestions import guess_types, guessed_schema
from anonymizer_gui.engine.data.tables.table import ColumnType, Role, Table
from anonymizer_gui.engine.data.tables.values import misfit_message
from anonymizer_gui.engine.room import NewProject
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.storage.sources import Source

DEFAULT_ALGORITHM = "auto"
"""The algorithm taken when none is chosen: it tries several and keeps the best."""
DEFAULT_GOAL = "k"


def new_project(
    source: Source,
    table: Table,
    progress: Progress = SILENT,
    types: Mapping[str, tuple[ColumnType, str]] | None = None,
    roles: Mapping[str, Role] | None = None,
) -> NewProject:
    """Start a project about a table; `types` overrides what its columns seem to be, `roles` what they are for.

    Raises BadParameter when a column that is named is not there.
    """
    guesses = guess_types(table, progress, str(source.options.get("decimal", ".")))
    schema = guessed_schema(guesses).with_roles(roles or {})
    for name, (column_type, column_format) in (types or {}).items():
        schema = schema.with_type(name, column_type, column_format)
    doubtful = {*(types or {}), *(name for name, guess in guesses.items() if guess.misfits)}
    unfit = [misfit_message(table.whole(name), schema.column(name)) for name in table.names if name in doubtful]
    project = Project(
        name=Path(source.path).stem,
        source=source,
        schema=schema,
        goals=(PRIVACY_MODELS.get(DEFAULT_GOAL)(),),
        algorithm=ALGORITHMS.get(DEFAULT_ALGORITHM)(),
    )
    notes = tuple(sentence for sentence in unfit if sentence)
    if not is_arx_project(source.path):
        return NewProject(project, notes)
    from anonymizer_gui.engine.rooms.microdata.arx_import import import_arx_settings  # only such projects need it

    # ARX searches the lattice of levels; the same search finds the same optimum.
    searching = replace(project, algorithm=ALGORITHMS.get("bottom-up")())
    come_over, told = import_arx_settings(Path(source.path), searching, table)
    return NewProject(come_over, (*notes, *told))
