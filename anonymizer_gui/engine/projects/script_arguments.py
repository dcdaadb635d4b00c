"""What a script gives to the library: files, projects, releases, decisions; each refused where it is none."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter
from anonymizer_gui.engine.core.messages import join_messages, message
from anonymizer_gui.engine.projects.json_entries import BadEntry
from anonymizer_gui.engine.projects.opening import OpenedProject, refuse_unknown_fields
from anonymizer_gui.engine.room import Room, room_names, room_of
from anonymizer_gui.engine.storage.sources import Source

_PAGE = "The page about Python in the help shows what it can be."
_CHECKED_AT_THE_RUN = ("goals", "algorithm")
_WRONG = (AttributeError, TypeError, ValueError, KeyError, IndexError)


@runtime_checkable
class _OfProject(Protocol):
    """What a release of any room has."""

    project: Any


@runtime_checkable
class _OfRoom(Protocol):
    """What a project of any room has."""

    room: str


def check_file(value: object) -> Path:
    """Give the path a script means; raises BadParameter when it is none."""
    if not isinstance(value, str | os.PathLike) or not isinstance(os.fspath(value), str):
        raise BadParameter(
            message("{kind} is not the name of a file.", kind=type(value).__name__),
            "Give the name as a text or a Path.",
        )
    return Path(value)


def check_room(name: object) -> Room:
    """Give the room a script means; raises BadParameter when there is none."""
    if not isinstance(name, str) or name not in room_names():
        raise BadParameter(
            message("There is no room “{name}”.", name=str(name)[:60]),
            message("There are: {known}.", known=room_names()),
        )
    return room_of(name)


def check_project(value: object) -> OpenedProject:
    """Give the project that was opened or begun; raises BadParameter when it is something else."""
    if not isinstance(value, OpenedProject):
        raise BadParameter(
            message("{kind} is no project that was opened.", kind=type(value).__name__),
            "Give what `open` or `begin` gave.",
        )
    return value


def check_release(opened: OpenedProject, release: object) -> None:
    """Raise BadParameter when something is no release of a project of this room."""
    project = release.project if isinstance(release, _OfProject) and not isinstance(release, OpenedProject) else None
    if not isinstance(project, _OfRoom) or project.room != opened.project.room:
        raise BadParameter(
            message("{kind} is no release of such a project.", kind=type(release).__name__), "Give what `run` gave."
        )


def check_reason(reason: object) -> str:
    """Give the reason that overrides a check; raises BadParameter when it is no text."""
    if not isinstance(reason, str):
        raise BadParameter("The reason is no text.", "Say in a sentence why the release may leave.")
    return reason


def with_decisions(
    opened: OpenedProject, decided: Mapping[str, Any], light: Callable[[Any], Any], columns: Sequence[str]
) -> Any:
    """Give the project with what is decided; raises BadParameter for what no project can hold, with the columns known.

    Each decision is tried as a project file would hold it, so that both refuse the same; `light` gives something small
    to try instead of what is large. Goals and algorithm are looked at by the run.
    """
    refuse_unknown_fields(opened.room.project, decided)
    order = [field.name for field in fields(opened.project) if field.name in decided]
    tried = opened.project
    for name in order:
        if name not in _CHECKED_AT_THE_RUN:
            tried = _tried(opened.room, tried, name, light(decided[name]), columns)
    return replace(opened.project, **decided)


def _tried(room: Room, project: Any, name: str, value: Any, columns: Sequence[str]) -> Any:
    try:
        changed = replace(project, **{name: value})
        if not isinstance(changed.name, str) or not all(isinstance(at, Source) for at in changed.sources().values()):
            raise TypeError
        room.from_json(room.to_json(changed))
    except BadEntry as error:
        known = message("The table has: {known}.", known=list(columns)) if columns else ""
        raise BadParameter(
            message("“{name}” cannot be decided so: {reason}.", name=name, reason=error.reason),
            join_messages(_PAGE, known),
        ) from None
    except AnonymizerError:
        raise
    except _WRONG:
        raise BadParameter(
            message("“{name}” of a project cannot be {kind}.", name=name, kind=type(value).__name__), _PAGE
        ) from None
    return changed
