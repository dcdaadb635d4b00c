"""Publish places: regions for location queries, tracks with changing pseudonyms, tracks that k people share."""

import argparse
import json
import sys
import time
from dataclasses import replace
from pathlib import Path

from anonymizer_gui.commands.options import add_export_arguments, check_output_files, print_notes, write_release
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import Param, from_texts, params_of, replace_params, to_json
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.places.layout import PlaceOptions, sniff_options
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.places.algorithms.contract import (
    ALGORITHMS,
    CLOAK,
    MIX,
    TILES,
    TRACKS,
    Algorithm,
    methods_of,
)
from anonymizer_gui.engine.rooms.places.output_format import require_suffix
from anonymizer_gui.engine.rooms.places.project import PLACES, Project
from anonymizer_gui.engine.rooms.places.release import KEYS, Release
from anonymizer_gui.engine.storage.sources import Source

NAME = "places"
HELP = "Publish where people are and were: cloak, mix or tracks; exit 1 when k cannot be reached."
_WAYS = {
    CLOAK: ("POINTS", "send regions with k users instead of points"),
    MIX: ("TRACKS", "change pseudonyms where k people pass a zone together"),
    TILES: ("FILE", "publish sparse visits as tiles and slots of time"),
    TRACKS: ("FILE", "publish tracks that k people share"),
}
_USUAL_K = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be said on the command line."""
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    for way, (file, words) in _WAYS.items():
        _declare(actions.add_parser(way, help=words), way, file)


def _declare(parser: argparse.ArgumentParser, way: str, file: str) -> None:
    names = [kind.name for kind in methods_of(way)]
    parser.add_argument("file", metavar=file, help="points or tracks: CSV, polylines, GPX, GeoJSON")
    parser.add_argument(
        "-o", "--output", required=True, metavar="OUT", help="the release: .csv, .geojson, or .gpx for tracks"
    )
    parser.add_argument("--k", type=int, default=_USUAL_K, help=f"fewest people who fit ({_USUAL_K})")
    parser.add_argument("--method", choices=names, default=names[0], help=f"how it is done ({names[0]})")
    for param, kinds in _options(way).items():
        parser.add_argument(f"--{param.replace('_', '-')}", metavar="VALUE", help=_words(kinds))
    parser.add_argument("--seed", type=int, default=0, metavar="NUMBER", help="seed of everything random")
    parser.add_argument(
        "--read", action="append", default=[], metavar="NAME=VALUE",
        help=f"how FILE is read, such as zone=Europe/Berlin: {', '.join(p.name for p in params_of(PlaceOptions))}",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_export_arguments(parser)
    parser.set_defaults(way=way)


def _options(way: str) -> dict[str, list[tuple[str, Param]]]:
    """List the parameters of all methods of a way, each with the methods that have it."""
    found: dict[str, list[tuple[str, Param]]] = {}
    for kind in methods_of(way):
        for param in params_of(kind):
            found.setdefault(param.name, []).append((kind.name, param))
    return found


def _words(kinds: list[tuple[str, Param]]) -> str:
    names = ", ".join(name for name, _param in kinds)
    return f"{kinds[0][1].label} ({names}; {kinds[0][1].default})".replace("%", "%%")


def run(args: argparse.Namespace) -> int:
    """Read, protect, count again, write; return 0."""
    check_output_files(args, [Source(args.file)])
    if args.k < 1 or args.seed < 0:
        raise BadParameter("k is at least 1, a seed is at least 0.", "Give other numbers.")
    algorithm = _algorithm(args)
    room, started = room_of(Project.room), time.perf_counter()
    read = room.read(PLACES, _source(args), SILENT)
    print_notes(args.file, read.notes)
    seconds = {"read": time.perf_counter() - started}
    require_suffix(Path(args.output), args.way, is_degrees=read.data.projection.is_degrees)
    begun: Project = room.begin(read.source, read.data, SILENT).project
    project = replace(begun, k=args.k, algorithm=algorithm, seed=args.seed)
    files = {PLACES: read.data}
    release: Release = room.run(project, files, SILENT)
    started = time.perf_counter()
    write_release(args, release, files)
    _tell(release, {**seconds, **release.seconds, "write": time.perf_counter() - started}, args)
    return 0


def _source(args: argparse.Namespace) -> Source:
    pairs = [text.partition("=") for text in args.read]
    if any(not equals for _, equals, _ in pairs):
        raise BadParameter("--read needs NAME=VALUE.", f"It was “{args.read[0]}”.")
    if not pairs:
        return Source(args.file)
    chosen = {name.strip(): value for name, _, value in pairs}
    wanted = from_texts(PlaceOptions, chosen)
    found = PlaceOptions() if "layout" in chosen else sniff_options(Path(args.file))
    return Source(args.file, options=to_json(replace_params(found, **{name: getattr(wanted, name) for name in chosen})))


def _algorithm(args: argparse.Namespace) -> Algorithm:
    kind = ALGORITHMS.get(args.method)
    known = {param.name for param in params_of(kind)}
    given = {name: getattr(args, name) for name in _options(args.way) if getattr(args, name) is not None}
    foreign = [name for name in given if name not in known]
    if foreign:
        raise BadParameter(f"{kind.title} has no --{foreign[0].replace('_', '-')}.", "Leave it out.")
    return from_texts(kind, given)


def _tell(release: Release, seconds: dict[str, float], args: argparse.Namespace) -> None:
    for note in release.notes:
        sys.stderr.write(f"{note}\n")
    told = release.to_json()
    if args.json:
        keys = (*KEYS[args.way], "k", "algorithm")
        print(json.dumps({**{key: told[key] for key in keys}, "seconds": seconds}, ensure_ascii=False))
        return
    for promise in release.promises:
        print(f"{promise.title}: {promise.sentence}; counted again, {promise.value}")
    if "before" in release.unique:
        print(
            f"2 known points identify {release.unique['before'][1]:.0%} before, {release.unique['after'][1]:.0%} after"
        )
    print(f"{args.output}: {release.sentence()}")
