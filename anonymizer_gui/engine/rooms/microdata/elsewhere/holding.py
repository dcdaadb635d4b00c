"""A project about a table that an engine holds: what is read of it, and what cannot be done with it here."""

from pathlib import Path

from anonymizer_gui.engine.errors import BadParameter
from anonymizer_gui.engine.files.source import Source
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.room import ReadFile
from anonymizer_gui.engine.rooms.microdata.preparing.steps import steps_of
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.scale.looking import held_table, told_held
from anonymizer_gui.engine.scale.opening import why_engine
from anonymizer_gui.engine.shapes.tables.io.source_tables import holder_of
from anonymizer_gui.engine.shapes.tables.table import Table
from anonymizer_gui.engine.words import say


def read_held(source: Source, address: str, progress: Progress) -> ReadFile:
    """Read some rows of a table and count its columns; raises BadParameter when it is to be prepared by steps."""
    refuse_steps(source)
    why = None if holder_of(source) else why_engine(source.path)
    table, found = held_table(source, address, progress)
    told = told_held(Path(found.path).name, table)
    return ReadFile(table, found, (told,) if why is None else (why, told))


def refuse_steps(source: Source | None) -> None:
    """Raise BadParameter when a table is prepared by steps: an engine reads it as it is."""
    if source is not None and steps_of(source):
        raise BadParameter(
            "The table is prepared by steps, which an engine does not do.",
            "Save the prepared table as a file of its own, and make the project of that.",
        )


def refuse_sets(project: Project) -> None:
    """Raise BadParameter when quasi-identifiers are sets: an engine counts whole cells, not the items in them."""
    if project.schema.sets:
        raise BadParameter(
            say("“{name}” holds sets of items, which an engine does not count.", name=project.schema.sets[0]),
            "Run the project in memory, or leave the column out.",
        )


def refuse_held(table: Table) -> None:
    """Raise BadParameter when only some rows of a table are here: a release of a sample would promise too much."""
    if table.is_sample:
        raise BadParameter(
            "Only some rows of the table are here; the whole of it is held by an engine.",
            "Run it there: Protect, Run Elsewhere, or with --engine on the command line.",
        )
