"""Reading files for a document, as work for the background: the engine is loaded there, not with the window."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from anonymizer_gui.engine.core.params import Json
    from anonymizer_gui.engine.core.progress import Progress
    from anonymizer_gui.engine.data.tables.io import ReadOptions
    from anonymizer_gui.engine.data.tables.table import ColumnType
    from anonymizer_gui.engine.projects.opening import OpenedProject
    from anonymizer_gui.engine.room import ReadFile
    from anonymizer_gui.engine.storage.sources import Source


def beginning(
    source: str,
    options: "ReadOptions | Mapping[str, Json] | None",
    types: "Mapping[str, tuple[ColumnType, str]]",
    room: str,
) -> "Callable[[Progress], OpenedProject]":
    """Read a table and start a project of a room about it; how it is read may be said in the options of a source."""

    def work(progress: "Progress") -> "OpenedProject":
        from anonymizer_gui.engine.core.params import to_json
        from anonymizer_gui.engine.projects.opening import new_project
        from anonymizer_gui.engine.room import room_of
        from anonymizer_gui.engine.storage.sources import Source

        told = options if options is None or isinstance(options, Mapping) else to_json(options)
        place = Source(source, options=told or {})
        return new_project(room_of(room), place, progress, types=types)

    return work


def place_of(source: "Source") -> str:
    """Tell data apart by where it is and how it was read: the same file may be read in several ways."""
    return json.dumps([source.path, dict(source.options)], sort_keys=True)


def reading(room: str, role: str, source: "str | Path | Source") -> "Callable[[Progress], ReadFile]":
    """Read the file of a role, as it is found by looking or with the options of a source."""

    def work(progress: "Progress") -> "ReadFile":
        from anonymizer_gui.engine.room import room_of
        from anonymizer_gui.engine.storage.sources import Source

        place = source if isinstance(source, Source) else Source(str(source))
        return room_of(room).read(role, place, progress)

    return work


def opening(path: Path) -> "Callable[[Progress], OpenedProject]":
    """Read a project and the files it names."""

    def work(progress: "Progress") -> "OpenedProject":
        from anonymizer_gui.engine.projects.opening import open_project

        return open_project(path, progress)

    return work


def joining(
    project: Any, moved_to: str = "", *, allow_database: bool = False, is_needed: bool = True
) -> "Callable[[Progress], OpenedProject]":
    """Read the files of a project that is there already; what cannot be read is an error where they are needed."""

    def work(progress: "Progress") -> "OpenedProject":
        from anonymizer_gui.engine.projects.opening import read_files

        opened = read_files(project, progress, moved_to=moved_to, allow_database=allow_database)
        if is_needed and opened.obstacle is not None:
            raise opened.obstacle
        return opened

    return work
