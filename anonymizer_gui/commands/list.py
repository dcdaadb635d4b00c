"""List what can be chosen: algorithms, models, measures, builders, formats, with their parameters."""

import argparse
import json
import sys
from collections.abc import Iterable

from anonymizer_gui.engine.core import FIRST_ROOM
from anonymizer_gui.engine.core.params import Json, Param, params_of
from anonymizer_gui.engine.core.registry import Named
from anonymizer_gui.engine.data.tables.io.contract import READERS, WRITERS
from anonymizer_gui.engine.hierarchy.builders.contract import BUILDERS
from anonymizer_gui.engine.hierarchy.formats.contract import HIERARCHY_FORMATS
from anonymizer_gui.engine.room import all_rooms, room_of

NAME = "list"
HELP = "List algorithms, privacy models, measures, hierarchy builders and file formats with their parameters."
SHARED: dict[str, Iterable[type[Named]]] = {
    "builders": BUILDERS,
    "hierarchy-formats": HIERARCHY_FORMATS,
    "readers": READERS,
    "writers": WRITERS,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be said on the command line."""
    parser.add_argument(
        "sort", nargs="?", choices=list(registries_by_name()), help="what to list; everything when not given"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the lists; return 0."""
    there = registries_by_name()
    told = {sort: [describe_entry(entry) for entry in there[sort]] for sort in ([args.sort] if args.sort else there)}
    sys.stdout.write(json.dumps(told, ensure_ascii=False) + "\n" if args.json else listing_text(told))
    return 0


def registries_by_name() -> dict[str, Iterable[type[Named]]]:
    """Give what can be listed: of the first room under plain words, of each other with its name before them."""
    first = room_of(FIRST_ROOM)
    found: dict[str, Iterable[type[Named]]] = {**first.registries(), **SHARED}
    for room in all_rooms():
        if room is not first:
            found |= {f"{room.name}-{sort}": registry for sort, registry in room.registries().items()}
    return found


def describe_entry(entry: type[Named]) -> dict[str, Json]:
    """Tell name, title, summary and parameters of a registered thing."""
    named = {"name": entry.name, "title": entry.title, "summary": entry.summary}
    return {**named, "parameters": [_parameter(declared) for declared in params_of(entry)]}


def listing_text(told: dict[str, list[dict[str, Json]]]) -> str:
    """Lay the lists out for reading."""
    lines = []
    for sort, entries in told.items():
        lines.append(sort)
        for entry in entries:
            lines.append(f"  {entry['name']:<20}{entry['summary']}")
            lines += [f"    {p['name']} = {p['default']!r}: {p['help']} ({p['rule']})" for p in entry["parameters"]]
    return "\n".join(lines) + "\n"


def _parameter(declared: Param) -> dict[str, Json]:
    default = list(declared.default) if isinstance(declared.default, tuple) else declared.default
    rule = declared.kind.rule()
    return {"name": declared.name, "label": declared.label, "help": declared.help, "default": default, "rule": rule}
