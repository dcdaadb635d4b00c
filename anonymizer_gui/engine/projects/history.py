"""Releases as a project file keeps them: settings, seed and figures, so that each can be made again; never the data.

Of the settings only what differs from the project is written. What holds values of the data, such as hierarchies, is
not kept: a column that became an identifier since, or a hierarchy that was deleted, must not live on in the file.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from anonymizer_gui.engine.core.messages import pack_message, unpack_message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.projects.json_entries import require_only, text_in
from anonymizer_gui.engine.room import Project, Release, Room, room_of

MAX_RECORDS = 50
"""The newest so many are kept: a sweep over a hundred settings must not make the file a burden."""
_CHANGING = ("seconds", "version")
"""Numbers that differ from run to run without anything being different."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What is kept of a finished run."""

    id: str
    name: str
    created: str
    version: str
    settings: Mapping[str, Json]
    """The room's entries of the project it was made with."""
    numbers: Mapping[str, Json]
    sentence: str = ""
    """What was made, in a few words; files of earlier versions do not say it."""


def record_run(release: Release) -> RunRecord:
    """Keep what is needed to make a release again and to compare it."""
    room = room_of(release.project.room)
    settings = _without_cells(room, room.to_json(release.project))
    numbers = _finite(release.to_json())
    made = release.sentence()
    return RunRecord(release.id, release.name, release.created, release.version, settings, numbers, made)


def project_of_record(kept: RunRecord, now: Project) -> Any:
    """Give the project of now with all that a run depends on as it was when the release was made; raises BadProject.

    What holds values of the data, such as hierarchies, is taken as it is now.
    """
    room = room_of(now.room)
    present = {name: entry for name, entry in room.to_json(now).items() if name in room.holds_cells}
    made = room.from_json({**kept.settings, **present}).with_sources(now.sources())
    return room.settings_of(made, now)


def is_reproduced(kept: RunRecord, release: Release) -> bool:
    """Tell whether a release that was made again has the figures it had before."""
    again = _finite(release.to_json())
    return all(again.get(name) == number for name, number in kept.numbers.items() if name not in _CHANGING)


def to_json(releases: Sequence[RunRecord], project: Mapping[str, Json]) -> list[Json]:
    """Give the entry of the project file; `project` are the room's entries of the file it stands in."""
    return [
        {
            "id": kept.id,
            "name": kept.name,
            "created": kept.created,
            "version": kept.version,
            "settings": {name: entry for name, entry in kept.settings.items() if entry != project.get(name)},
            "numbers": dict(kept.numbers),
            "sentence": pack_message(kept.sentence),
        }
        for kept in releases[-MAX_RECORDS:]
    ]


def from_json(entry: Json, room: Room, project: Mapping[str, Json]) -> RunRecord:
    """Make one kept release; raises ValueError, TypeError or KeyError when it is not what it should be."""
    known = {
        "sentence": "",
        **require_only(entry, "id", "name", "created", "version", "settings", "numbers", "sentence"),
    }
    settings, numbers = known["settings"], known["numbers"]
    if not isinstance(settings, dict) or not isinstance(numbers, dict):
        raise ValueError
    return RunRecord(
        id=text_in(known["id"]),
        name=text_in(known["name"]),
        created=text_in(known["created"]),
        version=text_in(known["version"]),
        settings=_without_cells(room, {**project, **settings}),
        numbers=numbers,
        sentence=text_in(unpack_message(known["sentence"])),
    )


def _without_cells(room: Room, entries: Mapping[str, Json]) -> dict[str, Json]:
    return {name: entry for name, entry in entries.items() if name not in room.holds_cells}


def _finite(value: Any) -> Any:
    """Leave out what no file of ours can hold: numbers that are none."""
    if isinstance(value, Mapping):
        return {str(name): _finite(entry) for name, entry in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [_finite(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return str(value) if isinstance(value, str) else value
