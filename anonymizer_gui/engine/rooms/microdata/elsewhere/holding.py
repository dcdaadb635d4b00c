"""A project about a table that an engine holds: what is read of it, and what cannot be done with it here."""

from collections.abc import Sequence
from pathlib import Path

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io import ReadOptions
from anonymizer_gui.engine.data.tables.io.read_write import engine_of, options_of_source
from anonymizer_gui.engine.room import ReadFile
from anonymizer_gui.engine.rooms.microdata.elsewhere.preparing import prepared_there, refuse_row_steps
from anonymizer_gui.engine.rooms.microdata.preparing.steps import notes_of, with_counted, with_steps
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.scale.contract import Engine, EngineInput
from anonymizer_gui.engine.scale.engine_choice import reason_for_engine
from anonymizer_gui.engine.scale.frequency_set import ValueRewrites
from anonymizer_gui.engine.scale.sampled_table import read_sampled_table, sampled_table_note
from anonymizer_gui.engine.storage.sources import Source, is_address


def read_held(source: Source, address: str, progress: Progress) -> ReadFile:
    """Read some rows of a table and count its columns, prepared by its steps; raises BadParameter."""
    refuse_row_steps(source)
    why = None if engine_of(source) else reason_for_engine(source.path)
    counted: list[Json] = []

    def preparing(engine: Engine, names: Sequence[str], table: EngineInput) -> ValueRewrites:
        written, steps = prepared_there(engine, names, table, source, progress)
        counted.extend(steps)
        return written

    table, found = read_sampled_table(with_steps(source, ()), address, progress, preparing=preparing)
    found = with_counted(found, counted)
    told = sampled_table_note(Path(found.path).name, table)
    return ReadFile(table, found, (*(() if why is None else (why,)), told, *notes_of(found)))


def read_options_of(source: Source | None) -> ReadOptions | None:
    """Give the options the table of a source is read with, its steps aside; raises BadParameter."""
    return None if source is None else options_of_source(with_steps(source, ()))


def refuse_sets(project: Project) -> None:
    """Raise BadParameter when quasi-identifiers are sets: an engine counts whole cells, not the items in them."""
    if project.schema.sets:
        raise BadParameter(
            message("“{name}” holds sets of items, which an engine does not count.", name=project.schema.sets[0]),
            "Run the project in memory, or leave the column out.",
        )


def refuse_far(target: str) -> None:
    """Raise BadParameter when a release is to be written to an address: it could not be proven from its file."""
    if is_address(target):
        raise BadParameter(
            message(
                "A release is written on this computer, where it is proven from its file, not at “{place}”.",
                place=target,
            ),
            "Name a file, and copy it there afterwards with its certificate.",
        )
