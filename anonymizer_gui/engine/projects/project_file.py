"""Project files (`.anon`): one readable JSON file, versioned, migrated, written whole or not at all."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from anonymizer_gui import __version__
from anonymizer_gui.engine.errors import BadProject, UnreadableFile, UnwritableFile
from anonymizer_gui.engine.files.json_text import indented
from anonymizer_gui.engine.files.partials import sweep
from anonymizer_gui.engine.files.regular import read_regular
from anonymizer_gui.engine.files.saving import unwritable, write_text
from anonymizer_gui.engine.files.source import Source, is_address
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.project_json import HINT, bad, from_json, to_json
from anonymizer_gui.engine.words import as_sentence, say

SUFFIX = ".anon"
FORMAT = "anonymizer project"
VERSION = 2
LARGEST_BYTES = 256 << 20

Entries = dict[str, Json]


def _without_the_clock(entries: Entries) -> Entries:
    """Version 1 knew a search that ended by the clock; its seconds say nothing any more."""
    algorithm = entries.get("algorithm")
    if not algorithm or "seconds" not in algorithm.get("parameters", {}):
        return entries
    kept = {name: value for name, value in algorithm["parameters"].items() if name != "seconds"}
    return {**entries, "algorithm": {**algorithm, "parameters": kept}}


MIGRATIONS: dict[int, Callable[[Entries], Entries]] = {1: _without_the_clock}
"""For each old version, what makes its entries those of the next one."""


def save_project(project: Project, path: Path) -> None:
    """Write the project; a failure leaves the old file as it was. Raises UnwritableFile.

    A new file can be read by its owner only, as it holds the hierarchies; one that is there stays as open as it is.
    """
    try:
        folder = path.resolve().parent
    except OSError as error:
        raise unwritable(path, error) from error
    write_text(path, project_text(project, folder), private=not path.exists())


def project_text(project: Project, folder: Path | None = None) -> str:
    """Give the content of a project file; tables below `folder` are named relative to it."""
    stored = project
    if folder is not None:
        stored = replace(
            project, source=_stored(project.source, folder), population=_stored(project.population, folder)
        )
    entries: Entries = {"format": FORMAT, "version": VERSION, "program": __version__, **to_json(stored)}
    try:
        return indented(entries) + "\n"
    except RecursionError:
        raise UnwritableFile(
            "A hierarchy has too many levels to be saved.", "Collapse some of its levels first."
        ) from None


def load_project(path: Path) -> Project:
    """Read a project; raises BadProject with one sentence when the file is not a good one.

    What a program that was killed while saving has left beside it is swept.
    """
    sweep(path)
    try:
        content = read_regular(path, LARGEST_BYTES)
    except UnreadableFile as error:
        raise BadProject(error.message, error.hint) from None
    try:
        project = read_project(content)
    except BadProject as error:
        raise BadProject(
            say("“{name}”: {reason}", name=path.name, reason=as_sentence(error.message)), error.hint
        ) from None
    folder = path.resolve().parent
    return replace(project, source=_found(project.source, folder), population=_found(project.population, folder))


def read_project(content: bytes) -> Project:
    """Make the project from the bytes of a file; raises BadProject."""
    entries = _migrated(_entries(content))
    return from_json({name: entry for name, entry in entries.items() if name not in ("format", "version", "program")})


def _entries(content: bytes) -> Entries:
    try:
        entries = json.loads(content.decode("utf-8"), object_pairs_hook=_distinct, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise bad("it is damaged, or no project of this program") from None
    if not isinstance(entries, dict) or entries.get("format") != FORMAT:
        raise BadProject("This is not a project of this program.", "Choose a file that ends in .anon.")
    return entries


def _distinct(pairs: list[tuple[str, Json]]) -> Entries:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise ValueError
    return entries


def _refuse_constant(_name: str) -> Json:
    raise ValueError


def _migrated(entries: Entries) -> Entries:
    version = entries.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise bad("its version is missing")
    if version > VERSION:
        raise BadProject("The project was saved by a newer version of the program.", "Install the newer version.")
    for step in range(version, VERSION):
        try:
            entries = MIGRATIONS[step](entries)
        except (TypeError, ValueError, KeyError, AttributeError):
            raise BadProject("The project of an older version is damaged.", HINT) from None
    return entries


def _stored(source: Source | None, folder: Path) -> Source | None:
    if source is None or is_address(source.path):
        return source
    path = Path(source.path)
    return replace(source, path=path.relative_to(folder).as_posix()) if path.is_relative_to(folder) else source


def _found(source: Source | None, folder: Path) -> Source | None:
    if source is None or is_address(source.path):
        return source
    if "\0" in source.path:
        raise bad("the name of its table cannot be used")
    return replace(source, path=str(folder / source.path))
