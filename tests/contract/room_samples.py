"""What each room brings for the battery of `test_rooms.py`: a small project with files, found by the room's name.

A room called `x` has `tests/contract/rooms/x.py` with `sample(folder)`, which writes the files of a small project into
the folder and gives a `RoomSample`.
"""

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core.progress import Progress


@dataclass(frozen=True)
class RoomSample:
    """A project of a room whose files lie in a folder, small enough to be run some hundred times."""

    project: Any
    output: str
    """The name of the first file of the release."""
    hidden: tuple[str, ...]
    """Values of the source that no file may show, the release included: identifiers, what is made coarse, left out."""
    only_released: tuple[str, ...] = ()
    """Values of the source that the release shows and no file that leaves beside it."""


def sample_of(room: str, folder: Path) -> RoomSample:
    """Give the sample of a room."""
    found: RoomSample = importlib.import_module(f"tests.contract.rooms.{room}").sample(folder)
    return found


Place = tuple[str | int, ...]


def places_in(entry: Any, place: Place = ()) -> Iterator[Place]:
    """Walk every entry of a JSON value, inner ones after their outer one; the whole is left out."""
    inner = entry.items() if isinstance(entry, dict) else enumerate(entry) if isinstance(entry, list) else ()
    for name, value in inner:
        yield (*place, name)
        yield from places_in(value, (*place, name))


def entry_at(entries: Any, place: Place) -> Any:
    """Give an entry by its place."""
    for name in place:
        entries = entries[name]
    return entries


def with_entry(entries: Any, place: Place, change: Callable[[Any, Any], None]) -> Any:
    """Copy JSON entries as far as needed and change one; `change` is given what holds it, and its name."""
    copied = dict(entries) if isinstance(entries, dict) else list(entries)
    if len(place) == 1:
        change(copied, place[0])
    else:
        copied[place[0]] = with_entry(entries[place[0]], place[1:], change)
    return copied


class Stopping:
    """Counts how often work asks whether to go on, and says no at one of the times."""

    def __init__(self, at: int | None = None) -> None:
        self.asked, self._at = 0, at

    def __call__(self) -> bool:
        self.asked += 1
        return self._at is not None and self.asked > self._at

    def progress(self) -> Progress:
        """Give the progress that asks."""
        return Progress(is_cancelled=self)


def times(asked: int, most: int = 120) -> list[int]:
    """List the times to stop at: every one, or evenly so many where there are more."""
    return list(range(asked)) if asked <= most else sorted({round(i * (asked - 1) / (most - 1)) for i in range(most)})
