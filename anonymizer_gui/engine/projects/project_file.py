"""Project files (`.anon`): one readable JSON file, versioned, migrated, written whole or not at all.

Room, name and sources are the same for every room; the other entries are the room's own.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from anonymizer_gui import __version__
from anonymizer_gui.engine.core import FIRST_ROOM
from anonymizer_gui.engine.core.errors import BadProject, UnreadableFile, UnwritableFile
from anonymizer_gui.engine.core.messages import as_message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.projects.history import RunRecord
from anonymizer_gui.engine.projects.history import from_json as kept_from_json
from anonymizer_gui.engine.projects.history import to_json as kept_json
from anonymizer_gui.engine.projects.json_entries import (
    HINT,
    EntryReader,
    bad_project,
    plain_json,
    require_only,
    text_in,
)
from anonymizer_gui.engine.room import Project, Room, room_of
from anonymizer_gui.engine.storage.json_io import indented_json
from anonymizer_gui.engine.storage.keys import source_mark
from anonymizer_gui.engine.storage.safe_open import read_regular
from anonymizer_gui.engine.storage.saving import sweep_abandoned, write_error, write_text
from anonymizer_gui.engine.storage.sources import Source, is_address, without_password

SUFFIX = ".anon"
FORMAT = "anonymizer project"
VERSION = 2
LARGEST_BYTES = 256 << 20
_RELEASES = "releases"
_OF_THE_FRAME = ("format", "version", "program", "room", "name", "sources", _RELEASES)


def save_project(project: Project, path: Path, releases: Sequence[RunRecord] = ()) -> None:
    """Write the project; a failure leaves the old file as it was. Raises UnwritableFile.

    `releases` is what it keeps of those made with it.
    A new file can be read by its owner only, as it holds the hierarchies; one that is there stays as open as it is.
    """
    try:
        folder = path.resolve().parent
    except OSError as error:
        raise write_error(path, error) from error
    write_text(path, project_text(project, folder, releases), private=not path.exists())


def project_text(project: Project, folder: Path | None = None, releases: Sequence[RunRecord] = ()) -> str:
    """Give the content of a project file; files below `folder` are named relative to it."""
    sources = {role: _stored(source, folder) for role, source in project.sources().items()}
    decided = room_of(project.room).to_json(project)
    kept = {_RELEASES: kept_json(releases, decided)} if releases else {}
    entries: dict[str, Json] = {
        "format": FORMAT,
        "version": VERSION,
        "program": __version__,
        "room": project.room,
        "name": project.name,
        "sources": {role: _source_json(source) for role, source in sources.items()},
        **decided,
        **kept,
    }
    try:
        return indented_json(entries) + "\n"
    except RecursionError:
        raise UnwritableFile(
            "A hierarchy has too many levels to be saved.", "Collapse some of its levels first."
        ) from None


def load_project(path: Path) -> Any:
    """Read a project of whichever room; raises BadProject with one sentence when the file is not a good one.

    What a program that was killed while saving has left beside it is swept.
    """
    return load_with_history(path)[0]


def load_with_history(path: Path) -> tuple[Any, tuple[RunRecord, ...]]:
    """Read a project and what is kept of its releases; raises BadProject as `load_project` does."""
    sweep_abandoned(path)
    try:
        content = read_regular(path, LARGEST_BYTES)
    except UnreadableFile as error:
        raise BadProject(error.message, error.hint) from None
    try:
        project, releases = read_with_history(content)
    except BadProject as error:
        raise BadProject(
            message("“{name}”: {reason}", name=path.name, reason=as_message(error.message)), error.hint
        ) from None
    folder = path.resolve().parent
    sources = {role: _found(source, folder) for role, source in project.sources().items()}
    return project.with_sources(sources), releases


def read_project(content: bytes) -> Any:
    """Make the project from the bytes of a file; raises BadProject."""
    return read_with_history(content)[0]


def read_with_history(content: bytes) -> tuple[Any, tuple[RunRecord, ...]]:
    """Make the project and what is kept of its releases from the bytes of a file; raises BadProject."""
    entries = _migrated(_entries(content))
    read = EntryReader(entries)
    room = room_of(read.text("room"))
    sources = read.mapping_of("sources", _source)
    _refuse_strange_roles(sources, room)
    decided = {name: entry for name, entry in entries.items() if name not in _OF_THE_FRAME}
    project = replace(room.from_json(decided), name=read.text("name")).with_sources(sources)
    return project, read.list_of(_RELEASES, lambda entry: kept_from_json(entry, room, decided))


def _entries(content: bytes) -> dict[str, Json]:
    try:
        entries = json.loads(content.decode("utf-8"), object_pairs_hook=_distinct, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise bad_project("it is damaged, or no project of this program") from None
    if not isinstance(entries, dict) or entries.get("format") != FORMAT:
        raise BadProject(
            "This is not a project of this program.",
            "Whatever its name, it was not saved by this program: choose another file.",
        )
    return entries


def _distinct(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise ValueError
    return entries


def _refuse_constant(_name: str) -> Json:
    raise ValueError


def _migrated(entries: dict[str, Json]) -> dict[str, Json]:
    version = entries.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise bad_project("its version is missing")
    if version > VERSION:
        raise BadProject("The project was saved by a newer version of the program.", "Install the newer version.")
    for step in range(version, VERSION):
        try:
            entries = MIGRATIONS[step](entries)
        except (TypeError, ValueError, KeyError, AttributeError):
            raise BadProject("The project of an older version is damaged.", HINT) from None
    return entries


def _with_room(entries: dict[str, Json]) -> dict[str, Json]:
    """Make version 2 of version 1, which knew one room and named its two files each by an entry of its own."""
    entries = _without_the_clock(entries)
    named = {"table": entries.get("source"), "population": entries.get("population")}
    sources = {role: source for role, source in named.items() if source is not None}
    others = {name: entry for name, entry in entries.items() if name not in ("source", "population")}
    return {**others, "room": FIRST_ROOM, "sources": sources}


def _without_the_clock(entries: dict[str, Json]) -> dict[str, Json]:
    """Leave out the seconds of version 1, which knew a search that ended by the clock."""
    algorithm = entries.get("algorithm")
    if not algorithm or "seconds" not in algorithm.get("parameters", {}):
        return entries
    kept = {name: value for name, value in algorithm["parameters"].items() if name != "seconds"}
    return {**entries, "algorithm": {**algorithm, "parameters": kept}}


MIGRATIONS: dict[int, Callable[[dict[str, Json]], dict[str, Json]]] = {1: _with_room}
"""For each old version, what makes its entries those of the next one."""


def _source(entry: Json) -> Source:
    known = require_only(entry, "path", "sha256", "mark", "options")
    options = known.get("options", {})
    if not isinstance(options, dict):
        raise ValueError
    # Earlier files hold the checksum itself.
    return Source(text_in(known["path"]), text_in(known.get("sha256", "")), options, text_in(known.get("mark", "")))


def _source_json(source: Source) -> dict[str, Json]:
    mark = source_mark(source.sha256) if source.sha256 else source.mark
    return {"path": source.path, "mark": mark, "options": plain_json(source)["options"]}


def _refuse_strange_roles(sources: dict[str, Source], room: Room) -> None:
    strangers = sorted(set(sources) - set(room.roles))
    if strangers:
        raise bad_project(
            message("it names a file as “{role}”, which this version does not know", role=strangers[0][:60])
        )


def _stored(source: Source, folder: Path | None) -> Source:
    if is_address(source.path):
        return replace(source, path=without_password(source.path))
    if folder is None:
        return source
    path = Path(source.path)
    return replace(source, path=path.relative_to(folder).as_posix()) if path.is_relative_to(folder) else source


def _found(source: Source, folder: Path) -> Source:
    if is_address(source.path):
        return replace(source, path=without_password(source.path))
    if "\0" in source.path:
        raise bad_project("the name of its table cannot be used")
    return replace(source, path=str(folder / source.path))
