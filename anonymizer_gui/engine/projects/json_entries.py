"""Entries of a project file, taken one by one; whatever is not exactly what it should be is refused in one sentence."""

import dataclasses
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from anonymizer_gui.engine.core import params
from anonymizer_gui.engine.core.errors import AnonymizerError, BadProject
from anonymizer_gui.engine.core.messages import as_message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.registry import E, Named, Registry

T = TypeVar("T")
HINT = "Open an earlier copy of the project, or start a new one from the table."


class BadEntry(BadProject):
    """An entry of a project is not what it should be; `reason` says why, in the middle of a sentence."""

    def __init__(self, reason: str) -> None:
        self.reason = as_message(reason)
        super().__init__(message("The project cannot be opened: {reason}.", reason=self.reason), HINT)


def bad_project(reason: str) -> BadEntry:
    """Say why a project cannot be opened."""
    return BadEntry(reason)


def refuse_unknown_entries(entries: Mapping[str, Json], known: Collection[str]) -> None:
    """Raise BadProject for an entry that no project of the room has."""
    strangers = sorted(set(entries) - set(known))
    if strangers:
        raise bad_project(
            message("it holds the entry “{name}”, which this version does not know", name=strangers[0][:60])
        )


def require_all_entries(entries: Mapping[str, Json], usual: Mapping[str, Json]) -> dict[str, Json]:
    """Give entries of a room that knows no earlier form: all of them must be there, or none. Raises BadProject."""
    refuse_unknown_entries(entries, usual)
    missing = sorted(set(usual) - set(entries)) if entries else []
    if missing:
        raise bad_project(message("its entry “{name}” is missing", name=missing[0]))
    return {**usual, **entries}


def plain_json(value: Any) -> dict[str, Json]:
    """Give a plain dataclass as JSON."""
    return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}


class EntryReader:
    """Takes entries of one JSON object, each with its kind."""

    def __init__(self, entries: Mapping[str, Json]) -> None:
        self._entries = entries

    def text(self, name: str, default: str = "") -> str:
        """Take a text."""
        return entry_at(name, text_in, self._entries.get(name, default))

    def number(self, name: str, low: float, high: float) -> float:
        """Take a number between two others."""
        return entry_at(name, lambda entry: number_in(entry, low, high), self._entries.get(name, 0.0))

    def whole(self, name: str, low: int = -(1 << 63)) -> int:
        """Take a whole number that is not below another."""
        return entry_at(name, lambda entry: whole_in(entry, low), self._entries.get(name, 0))

    def optional(self, name: str, make: Callable[[Json], T]) -> T | None:
        """Make what is there, or nothing."""
        entry = self._entries.get(name)
        return None if entry is None else entry_at(name, make, entry)

    def list_of(self, name: str, make: Callable[[Json], T]) -> tuple[T, ...]:
        """Make every item of a list."""
        entry = self._entries.get(name, [])
        if not isinstance(entry, list):
            raise bad_project(message("its entry “{name}” is not a list", name=name))
        return tuple(entry_at(name, make, item) for item in entry)

    def mapping_of(self, name: str, make: Callable[[Json], T]) -> dict[str, T]:
        """Make every item of an object."""
        entry = self._entries.get(name, {})
        if not isinstance(entry, dict):
            raise bad_project(message("its entry “{name}” is not an object", name=name))
        return {key: entry_at(name, make, item) for key, item in entry.items()}


def entry_at(name: str, make: Callable[[Json], T], entry: Json) -> T:
    """Make one entry; whatever is wrong with it is told with its name."""
    try:
        return make(entry)
    except BadProject:
        raise
    except AnonymizerError as error:
        raise bad_project(
            message("its entry “{name}” is wrong ({reason})", name=name, reason=as_message(error.message))
        ) from None
    except (TypeError, ValueError, KeyError, OverflowError, AttributeError):
        raise bad_project(message("its entry “{name}” is not what it should be", name=name)) from None


def text_in(entry: Json) -> str:
    """Take an entry that is a text; raises ValueError."""
    if not isinstance(entry, str):
        raise ValueError
    return entry


def flag_in(entry: Json) -> bool:
    """Take an entry that is yes or no; raises ValueError."""
    if not isinstance(entry, bool):
        raise ValueError
    return entry


def whole_in(entry: Json, low: int = -(1 << 63)) -> int:
    """Take an entry that is a whole number; raises ValueError."""
    if isinstance(entry, bool) or not isinstance(entry, int) or not low <= entry < 1 << 63:
        raise ValueError
    return entry


def number_in(entry: Json, low: float, high: float) -> float:
    """Take an entry that is a number in a range; raises ValueError."""
    if isinstance(entry, bool) or not isinstance(entry, int | float) or not low <= entry <= high:
        raise ValueError
    return float(entry)


def registered_json(value: Named) -> Json:
    """Give a registered thing as its name and parameters."""
    return {"name": value.name, "parameters": params.to_json(value)}


def registered(registry: Registry[E], entry: Json) -> E:
    """Make a registered thing of its name and parameters; raises BadParameter."""
    known = require_only(entry, "name", "parameters")
    return params.from_json(registry.get(text_in(known["name"])), known.get("parameters", {}))


def require_only(entry: Json, *names: str) -> dict[str, Json]:
    """Return an object that has no entries but the named ones."""
    if not isinstance(entry, dict) or not set(entry) <= set(names):
        raise ValueError
    return entry


def _plain(value: Any) -> Json:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return dict(value) if isinstance(value, Mapping) else value
