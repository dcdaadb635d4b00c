"""Reading the table a project speaks of: the options it was read with before, and the checksum it has now."""

import hashlib
from pathlib import Path

from anonymizer_gui.engine.errors import UnreadableFile
from anonymizer_gui.engine.params import from_json, to_json
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.projects.project_file import is_address
from anonymizer_gui.engine.rooms.microdata.project import Source
from anonymizer_gui.engine.shapes.tables.io import ReadOptions, ReadReport, read_table, sniff
from anonymizer_gui.engine.shapes.tables.table import Table

_BLOCK = 1 << 20


def read_source(
    path: str, options: ReadOptions | None = None, progress: Progress = SILENT
) -> tuple[Table, ReadReport, Source]:
    """Read a table, and give the source that a project keeps of it; raises UnreadableFile."""
    chosen = sniff(path) if options is None else options
    table, report = read_table(path, chosen, progress.sub(0.0, 0.9))
    if is_address(path):
        return table, report, Source(path, "", to_json(chosen))
    place = Path(path).resolve()
    return table, report, Source(str(place), checksum(place, progress.sub(0.9, 1.0)), to_json(chosen))


def options_of(source: Source | None) -> ReadOptions | None:
    """Give the options a source was read with, if any are known; raises BadParameter."""
    return from_json(ReadOptions, source.options) if source and source.options else None


def checksum(path: Path, progress: Progress = SILENT) -> str:
    """Give the SHA-256 of a file; raises UnreadableFile."""
    digest = hashlib.sha256()
    try:
        size = max(path.stat().st_size, 1)
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
                progress(file.tell() / size)
    except OSError:
        raise UnreadableFile(f"“{path.name}” cannot be read.", "Check that it is still there.") from None
    return digest.hexdigest()
