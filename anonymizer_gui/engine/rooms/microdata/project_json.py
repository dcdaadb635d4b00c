"""A project as JSON and back; whatever is not exactly what it should be is refused in one sentence."""

import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, get_args

from anonymizer_gui.engine import params
from anonymizer_gui.engine.errors import AnonymizerError, BadProject
from anonymizer_gui.engine.files.source import Source
from anonymizer_gui.engine.hierarchy.formats import json_tree
from anonymizer_gui.engine.hierarchy.tree import Uneven
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.registry import E, Named, Registry
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS
from anonymizer_gui.engine.rooms.microdata.project import Project, Publishing
from anonymizer_gui.engine.shapes.tables.table import ColumnSchema, ColumnType, Role, Schema

T = TypeVar("T")
HINT = "Open an earlier copy of the project, or start a new one from the table."


def to_json(project: Project) -> dict[str, Json]:
    """Give everything that is decided, in the order a person would read it.

    Hierarchies that are not used stay out: their leaves are values of columns that are removed or of no role.
    """
    return {
        "name": project.name,
        "source": _source_json(project.source),
        "columns": [
            {"name": c.name, "type": c.type.value, "format": c.format, "role": c.role.value}
            for c in project.schema.columns
        ],
        "goals": [_registered_json(goal) for goal in project.goals],
        "algorithm": _registered_json(project.algorithm) if project.algorithm is not None else None,
        "suppression": project.suppression,
        "weights": dict(project.weights),
        "bounds": {name: list(bounds) for name, bounds in project.bounds.items()},
        "uneven": project.uneven,
        "seed": project.seed,
        "population": _source_json(project.population),
        "publishing": params_free_json(project.publishing),
        "acknowledged": list(project.acknowledged),
        "hierarchies": {name: json_tree.to_json(tree) for name, tree in project.saved_hierarchies().items()},
    }


def from_json(entries: Mapping[str, Json]) -> Project:
    """Make the project; raises BadProject with one sentence for the first thing that is wrong."""
    unknown = sorted(set(entries) - set(to_json(Project())))
    if unknown:
        raise bad(f"it holds the entry “{unknown[0][:60]}”, which this version does not know")
    read = _Reader(entries)
    schema = Schema(read.list_of("columns", _column))
    project = Project(
        name=read.text("name"),
        source=read.optional("source", _source),
        schema=schema,
        goals=read.list_of("goals", lambda entry: _registered(PRIVACY_MODELS, entry)),
        algorithm=read.optional("algorithm", lambda entry: _registered(ALGORITHMS, entry)),
        suppression=read.number("suppression", 0.0, 1.0),
        weights=read.mapping_of("weights", lambda entry: _number(entry, 0.0, math.inf)),
        bounds=read.mapping_of("bounds", _bounds),
        uneven=_uneven(read.text("uneven", "cap")),
        seed=read.whole("seed"),
        population=read.optional("population", _source),
        publishing=read.optional("publishing", _publishing) or Publishing(),
        acknowledged=read.list_of("acknowledged", _text),
        hierarchies=read.mapping_of("hierarchies", json_tree.from_json),
    )
    _refuse_contradictions(project)
    return project


def bad(reason: str) -> BadProject:
    """Say why a project cannot be opened."""
    return BadProject(f"The project cannot be opened: {reason}.", HINT)


def params_free_json(value: Any) -> dict[str, Json]:
    """Give a plain dataclass as JSON."""
    return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}


class _Reader:
    """Takes entries of one JSON object, each with its kind."""

    def __init__(self, entries: Mapping[str, Json]) -> None:
        self._entries = entries

    def text(self, name: str, default: str = "") -> str:
        return _at(name, _text, self._entries.get(name, default))

    def number(self, name: str, low: float, high: float) -> float:
        return _at(name, lambda entry: _number(entry, low, high), self._entries.get(name, 0.0))

    def whole(self, name: str) -> int:
        return _at(name, _whole, self._entries.get(name, 0))

    def optional(self, name: str, make: Callable[[Json], T]) -> T | None:
        entry = self._entries.get(name)
        return None if entry is None else _at(name, make, entry)

    def list_of(self, name: str, make: Callable[[Json], T]) -> tuple[T, ...]:
        entry = self._entries.get(name, [])
        if not isinstance(entry, list):
            raise bad(f"its entry “{name}” is not a list")
        return tuple(_at(name, make, item) for item in entry)

    def mapping_of(self, name: str, make: Callable[[Json], T]) -> dict[str, T]:
        entry = self._entries.get(name, {})
        if not isinstance(entry, dict):
            raise bad(f"its entry “{name}” is not an object")
        return {key: _at(name, make, item) for key, item in entry.items()}


def _at(name: str, make: Callable[[Json], T], entry: Json) -> T:
    """Make one entry; whatever is wrong with it is told with its name."""
    try:
        return make(entry)
    except BadProject:
        raise
    except AnonymizerError as error:
        raise bad(f"its entry “{name}” is wrong ({error.message.rstrip('.')})") from None
    except (TypeError, ValueError, KeyError, OverflowError, AttributeError):
        raise bad(f"its entry “{name}” is not what it should be") from None


def _text(entry: Json) -> str:
    if not isinstance(entry, str):
        raise ValueError
    return entry


def _whole(entry: Json) -> int:
    if isinstance(entry, bool) or not isinstance(entry, int) or abs(entry) >= 1 << 63:
        raise ValueError
    return entry


def _number(entry: Json, low: float, high: float) -> float:
    if isinstance(entry, bool) or not isinstance(entry, int | float) or not low <= entry <= high:
        raise ValueError
    return float(entry)


def _bounds(entry: Json) -> tuple[int, int]:
    lowest, highest = (_whole(item) for item in entry)
    if not 0 <= lowest <= highest:
        raise ValueError
    return lowest, highest


def _uneven(entry: str) -> Uneven:
    for choice in get_args(Uneven):
        if entry == choice:
            return choice  # type: ignore[no-any-return]
    raise bad("its entry “uneven” is not what it should be")


def _column(entry: Json) -> ColumnSchema:
    known = _only(entry, "name", "type", "format", "role")
    return ColumnSchema(
        _text(known["name"]), ColumnType(known["type"]), _text(known.get("format", "")), Role(known["role"])
    )


def _source(entry: Json) -> Source:
    known = _only(entry, "path", "sha256", "options")
    options = known.get("options", {})
    if not isinstance(options, dict):
        raise ValueError
    return Source(_text(known["path"]), _text(known.get("sha256", "")), options)


def _source_json(source: Source | None) -> Json:
    return None if source is None else params_free_json(source)


def _publishing(entry: Json) -> Publishing:
    known = _only(entry, *(f.name for f in dataclasses.fields(Publishing)))
    default = Publishing()
    values = {name: item for name, item in known.items() if name != "pseudonyms"}
    for name, item in values.items():
        if type(item) is not type(getattr(default, name)):
            raise ValueError
    pseudonyms = tuple((_text(column), _text(way)) for column, way in known.get("pseudonyms", []))
    return Publishing(pseudonyms=pseudonyms, **values)


def _registered_json(value: Named) -> Json:
    return {"name": value.name, "parameters": params.to_json(value)}


def _registered(registry: Registry[E], entry: Json) -> E:
    known = _only(entry, "name", "parameters")
    return params.from_json(registry.get(_text(known["name"])), known.get("parameters", {}))


def _only(entry: Json, *names: str) -> dict[str, Json]:
    """Return an object that has no entries but the named ones."""
    if not isinstance(entry, dict) or not set(entry) <= set(names):
        raise ValueError
    return entry


def _plain(value: Any) -> Json:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return dict(value) if isinstance(value, Mapping) else value


def _refuse_contradictions(project: Project) -> None:
    names = [column.name for column in project.schema.columns]
    if len(set(names)) < len(names):
        raise bad("two of its columns have the same name")
    used = {*project.hierarchies, *project.weights, *project.bounds, *project.acknowledged}
    strangers = sorted(used - set(names))
    if strangers:
        raise bad(f"it speaks of the column “{strangers[0][:60]}”, which its table does not have")
