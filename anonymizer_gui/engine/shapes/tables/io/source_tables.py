"""Reading the table a project speaks of: the options it was read with before, and the checksum it has now."""

from pathlib import Path

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import from_json, to_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.shapes.tables.io.facade import read_table, sniff
from anonymizer_gui.engine.shapes.tables.io.options import ReadOptions
from anonymizer_gui.engine.shapes.tables.io.read_report import ReadReport
from anonymizer_gui.engine.shapes.tables.table import Table
from anonymizer_gui.engine.storage.sources import (
    ENGINE_OPTION,
    Source,
    checksum,
    is_address,
    without_engine,
    without_password,
)

MEMORY = "memory"


def read_source(
    path: str, options: ReadOptions | None = None, progress: Progress = SILENT
) -> tuple[Table, ReadReport, Source]:
    """Read a table, and give the source that a project keeps of it; raises UnreadableFile."""
    chosen = sniff(path) if options is None else options
    table, report = read_table(path, chosen, progress.sub(0.0, 0.9))
    if is_address(path):
        return table, report, Source(without_password(path), "", to_json(chosen))
    place = Path(path).resolve()
    return table, report, Source(str(place), checksum(place, progress.sub(0.9, 1.0)), to_json(chosen))


def options_of(source: Source | None) -> ReadOptions | None:
    """Give the options a source was read with, if any are known; raises BadParameter."""
    told = without_engine(source).options if source else {}
    return from_json(ReadOptions, told) if told else None


def holder_of(source: Source | None) -> str:
    """Say who is to hold the table of a source: memory, the address of an engine, or nothing where nobody has decided.

    Raises BadParameter.
    """
    holder = source.options.get(ENGINE_OPTION, "") if source else ""
    if not isinstance(holder, str):
        raise BadParameter("The project does not say clearly who holds its table.", "Open the table anew.")
    return holder
