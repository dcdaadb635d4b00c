"""Opening a project with its files: once for window, command line and script."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter, BadProject
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.projects.history import RunRecord
from anonymizer_gui.engine.projects.project_file import SUFFIX, load_project, load_with_history
from anonymizer_gui.engine.room import CompletesProjects, Files, Room, RunsWithoutFile, room_importing, room_of
from anonymizer_gui.engine.storage.keys import matches_mark
from anonymizer_gui.engine.storage.sources import Source, is_address, is_network_path, without_engine


@dataclass(frozen=True, slots=True, eq=False)
class OpenedProject:
    """A project with its files, as far as they could be read, and why not where they could not."""

    project: Any
    files: Files = field(default_factory=dict)
    """What was read, by role."""
    notes: tuple[str, ...] = ()
    """What the user should look at."""
    obstacle: AnonymizerError | None = None
    changed: frozenset[str] = frozenset()
    """The roles whose file is not byte for byte the one the project was made with."""
    releases: tuple[RunRecord, ...] = ()
    """What is kept of the releases made with the project before."""

    @property
    def room(self) -> Room:
        """The way to a release that the project goes."""
        return room_of(self.project.room)

    @property
    def is_complete(self) -> bool:
        """Whether every file the project names was read."""
        return set(self.files) == set(self.project.sources())


def open_project(
    path: Path,
    progress: Progress = SILENT,
    *,
    moved_to: str = "",
    allow_database: bool = False,
) -> OpenedProject:
    """Read a project and the files it names; a file that cannot be read is told, the project is there all the same.

    `moved_to` says where the file it is about is now. A project may come from anybody: an address of a database in
    it is not called up unless that is allowed. Raises BadProject.
    """
    if path.suffix.lower() != SUFFIX and (room := room_importing(path)) is not None:
        return new_project(room, Source(str(path)), progress)
    project, releases = load_with_history(path)
    far = [Path(source.path) for source in project.sources().values() if is_network_path(source.path, path)]
    if far and not moved_to:
        return OpenedProject(project, obstacle=_far(far[0]), releases=releases)
    progress(0.1, "Reading the table")
    opened = read_files(project, progress.sub(0.1, 1.0), moved_to=moved_to, allow_database=allow_database)
    return replace(opened, releases=releases)


def _far(path: Path) -> AnonymizerError:
    return BadProject(
        message("“{name}” is on another computer, which is not called up because a project names it.", name=path.name),
        "Name the table yourself, or save the project on that computer.",
    )


def named_sources(path: Path) -> tuple[Source, ...]:
    """Give the files a project names on this computer or its own, without reading them; raises BadProject."""
    if path.suffix.lower() != SUFFIX and room_importing(path) is not None:
        return (Source(str(path)),)
    named = load_project(path).sources().values()
    return tuple(source for source in named if not is_network_path(source.path, path))


def is_from_database(project: Any) -> bool:
    """Tell whether some data of a project is in a database, which is called up only when that is allowed."""
    return any(is_address(source.path) for source in project.sources().values())


def read_files(
    project: Any,
    progress: Progress = SILENT,
    *,
    moved_to: str = "",
    allow_database: bool = False,
) -> OpenedProject:
    """Read the files of a project; `moved_to` says where the one it is about is now."""
    room, sources = room_of(project.room), dict(project.sources())
    main = main_role(room)
    if moved_to:
        sources[main] = _moved(sources.get(main, Source("")), moved_to, allow_database=allow_database)
    wanted = {
        role: source
        for role, source in sources.items()
        if allow_database or not is_address(source.path) or (moved_to and role == main)
    }
    files: dict[str, Any] = {}
    notes: list[str] = []
    found = dict(sources)
    try:
        for done, (role, source) in enumerate(wanted.items()):
            part = progress.sub(done / len(wanted), (done + 1) / len(wanted))
            read = room.read(role, source, part)
            files[role], found[role] = read.data, read.source
            notes += read.notes
        room.fits(project, files)
        made = room.completed(project, files, progress) if isinstance(room, CompletesProjects) else project
    except AnonymizerError as error:
        return OpenedProject(project, obstacle=error)
    same = {role: _is_same(project.sources().get(role), found[role]) for role in files}
    notes += [_unknown(found[role]) for role, answer in same.items() if answer is None]
    changed = frozenset(role for role, answer in same.items() if answer is False)
    return OpenedProject(made.with_sources(found), files, tuple(notes), changed=changed)


def _moved(source: Source, place: str, *, allow_database: bool) -> Source:
    """Give a source at another place; whoever names it has not agreed to a cluster that the project names."""
    agreed = source if allow_database or not is_address(place) else without_engine(source)
    return replace(agreed, path=place)


def new_project(room: Room, source: Source, progress: Progress = SILENT, **choices: Any) -> OpenedProject:
    """Read a file and start a project of a room about it; raises UnreadableFile."""
    role = main_role(room)
    read = room.read(role, source, progress.sub(0.0, 0.9))
    begun = room.begin(read.source, read.data, progress.sub(0.9, 1.0), **choices)
    beside = {name: room.read(name, at, progress).data for name, at in begun.project.sources().items() if name != role}
    return OpenedProject(begun.project, {role: read.data, **beside}, (*read.notes, *begun.notes))


def refuse_unknown_fields(project: type, decided: Mapping[str, Any]) -> None:
    """Raise BadParameter for a decision that a project of the room does not know."""
    known = [field.name for field in fields(project)]
    for name in decided:
        if name not in known:
            raise BadParameter(
                message("A project has no “{name}”.", name=name), message("It has: {known}.", known=["roles", *known])
            )


def refuse_incomplete(opened: OpenedProject, *, allow_changed: bool = False) -> None:
    """Raise what keeps a project that was opened from being run."""
    if opened.obstacle is not None:
        raise opened.obstacle
    if main_role(opened.room) not in opened.project.sources() and not _stands_alone(opened):
        raise BadProject("The project names no table.", "Name the table with --table.")
    missing = sorted(set(opened.project.sources()) - set(opened.files))
    if missing:
        raise BadProject(
            "The project takes its data from a database, which is not called up unasked.",
            "Check where it leads, and add --allow-database to call it up.",
        )
    if opened.changed and not allow_changed:
        raise BadProject(
            "The table has changed since the project was made.", "Check it, and add --other-table to run all the same."
        )


def _stands_alone(opened: OpenedProject) -> bool:
    """Say whether the files beside the main one are enough for a run."""
    room = opened.room
    return isinstance(room, RunsWithoutFile) and bool(set(opened.project.sources()) & room.enough)


def main_role(room: Room) -> str:
    """Give the role of the file a project is about; others stand beside it."""
    return next(iter(room.roles))


def _is_same(before: Source | None, now: Source) -> bool | None:
    """Compare data with what a project says of it; None when the project was saved where this cannot be told."""
    if before is None:
        return True
    if before.mark:
        return matches_mark(before.mark, now.sha256)
    return not before.sha256 or before.sha256 == now.sha256


def _unknown(source: Source) -> str:
    return message(
        "The project was saved by another user or on another computer: is “{name}” the file it was made with?",
        name=Path(source.path).name,
    )
