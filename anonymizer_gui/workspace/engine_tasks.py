"""Engine calls that run as jobs: begin, open, read, attach, check, export, print; keys and ledger they get."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
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
    from anonymizer_gui.workspace.document import Document


@dataclass(frozen=True, slots=True)
class ExportSafeguards:
    """What an export is given beside the project: where the keys and the ledger are, why a check is overridden.

    None of it is saved: the key must not be found by whoever finds the project.
    """

    key_file: str = ""
    ledger_file: str = ""
    reason: str = ""
    signing_file: str = ""

    def files(self) -> list[Path]:
        """List what must never be overwritten."""
        from anonymizer_gui.engine.storage.sources import sqlite_files

        kept = [Path(path) for path in (self.key_file, self.signing_file) if path]
        return kept + (sqlite_files(Path(self.ledger_file)) if self.ledger_file else [])


def own_files(document: "Document") -> list[Path]:
    """List the files of a document that nothing may be written over: its data, its project, keys and ledger."""
    from anonymizer_gui.engine.storage.sources import files_of_sources

    project = [document.path] if document.path is not None else []
    return [*files_of_sources(document.project.sources().values()), *project, *document.safeguards.files()]


def new_project_task(
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


def source_key(source: "Source") -> str:
    """Tell data apart by where it is and how it was read: the same file may be read in several ways."""
    return json.dumps([source.path, dict(source.options)], sort_keys=True)


def read_file_task(room: str, role: str, source: "str | Path | Source") -> "Callable[[Progress], ReadFile]":
    """Read the file of a role, as it is found by looking or with the options of a source."""

    def work(progress: "Progress") -> "ReadFile":
        from anonymizer_gui.engine.room import room_of
        from anonymizer_gui.engine.storage.sources import Source

        place = source if isinstance(source, Source) else Source(str(source))
        return room_of(room).read(role, place, progress)

    return work


def open_project_task(path: Path) -> "Callable[[Progress], OpenedProject]":
    """Read a project and the files it names."""

    def work(progress: "Progress") -> "OpenedProject":
        from anonymizer_gui.engine.projects.opening import open_project

        return open_project(path, progress)

    return work


def attach_files_task(
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
