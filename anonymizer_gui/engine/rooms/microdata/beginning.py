"""How a project about a table begins: the same for window, command line and script."""

from collections.abc import Mapping
from pathlib import Path

from anonymizer_gui.engine.files.source import Source
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.room import Begun
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.shapes.tables.suggestions import suggest, suggested_schema
from anonymizer_gui.engine.shapes.tables.table import ColumnType, Table
from anonymizer_gui.engine.shapes.tables.values import misfit_sentence

USUAL_ALGORITHM = "auto"
"""The algorithm taken when none is chosen: it tries several and keeps the best."""
USUAL_GOAL = "k"


def begin(
    source: Source,
    table: Table,
    progress: Progress = SILENT,
    types: Mapping[str, tuple[ColumnType, str]] | None = None,
) -> Begun:
    """Start a project about a table; `types` overrides what its columns seem to be."""
    suggestions = suggest(table, progress, str(source.options.get("decimal", ".")))
    schema = suggested_schema(suggestions, with_roles=False)
    for name, (column_type, column_format) in (types or {}).items():
        schema = schema.with_type(name, column_type, column_format)
    doubtful = {*(types or {}), *(entry.column for entry in suggestions if entry.misfits)}
    unfit = [misfit_sentence(table.column(name), schema.column(name)) for name in table.names if name in doubtful]
    project = Project(
        name=Path(source.path).stem,
        source=source,
        schema=schema,
        goals=(PRIVACY_MODELS.get(USUAL_GOAL)(),),
        algorithm=ALGORITHMS.get(USUAL_ALGORITHM)(),
    )
    return Begun(project, tuple(sentence for sentence in unfit if sentence))
