"""Publish a graph of people so that nobody is found by the ties around them."""

import argparse
import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from anonymizer_gui.commands.options import add_export_arguments, check_output_files, print_notes, write_release
from anonymizer_gui.engine.core.errors import BadHierarchy, BadParameter
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.graphs.reading import DIRECTIONS
from anonymizer_gui.engine.data.tables.suggestions import guess_types, guessed_schema
from anonymizer_gui.engine.data.tables.table import Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.recode_for_other_rooms import room_recoding_tables
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.graphs.project import GRAPH, NODES, Project
from anonymizer_gui.engine.rooms.graphs.published_graph import require_suffix
from anonymizer_gui.engine.rooms.graphs.release import Release
from anonymizer_gui.engine.storage.sources import Source

NAME = "graph"
HELP = "Publish a graph of people; exit 1 when k cannot be reached."
JSON_KEYS = (
    "nodes", "edges", "added", "removed", "lower_bound", "smallest_class", "unique", "certain_edges", "labels", "lm",
    "k", "l", "algorithm", "notes", "seconds",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be said on the command line."""
    parser.add_argument("edges", metavar="EDGES", help="list of edges, adjacency matrix, GML or GraphML")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="the release: .csv or .graphml")
    parser.add_argument("--nodes", metavar="TABLE", help="a table about the people")
    parser.add_argument("--id", metavar="COLUMN", default="", help="its column that names the nodes (the first)")
    parser.add_argument("--qi", default="", metavar="A,B", help="its quasi-identifiers")
    parser.add_argument("--ei", default="", metavar="E", help="its identifiers, which stay, as do columns of no role")
    parser.add_argument("--sa", default="", metavar="C", help="its sensitive column")
    parser.add_argument("--other", default="", metavar="D", help="its columns that leave unchanged")
    parser.add_argument("--hierarchies", metavar="DIR", help="folder of hierarchies, one file per column")
    parser.add_argument("--k", type=int, default=5, help="people in every candidate set (5)")
    parser.add_argument("--l", type=int, default=1, help="values of the sensitive column among them (1)")
    parser.add_argument("--algorithm", choices=ALGORITHMS.names(), help="how it is done (add)")
    parser.add_argument("--rows", metavar="NAME", help="algorithm for tables that makes their rows alike (auto)")
    parser.add_argument("--sample", action="store_true", help="with groups: also a graph drawn by lot that fits them")
    parser.add_argument("--direction", choices=DIRECTIONS[1:], help="read the edges as directed or undirected")
    parser.add_argument("--seed", type=int, default=0, metavar="NUMBER", help="seed of everything random")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_export_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Read, change, write; return 0."""
    started = time.perf_counter()
    sources = [Source(args.edges), *([Source(args.nodes)] if args.nodes else [])]
    check_output_files(args, sources)
    if min(args.k, args.l) < 1 or args.seed < 0:
        raise BadParameter("k and l are at least 1, a seed is at least 0.", "Give other numbers.")
    room = room_of(Project.room)
    read = room.read(GRAPH, Source(args.edges, options={"direction": args.direction} if args.direction else {}), SILENT)
    print_notes(args.edges, read.notes)
    project: Project = room.begin(read.source, read.data, SILENT).project
    files = {GRAPH: read.data}
    if args.nodes:
        table = room.read(NODES, Source(args.nodes), SILENT)
        print_notes(args.nodes, table.notes)
        files[NODES], project = table.data, replace(project, nodes=table.source)
    project = _decided(project, args, project.table_among(files))
    require_suffix(Path(args.output), is_grouped=project.algorithm.protects == "all")
    room.fits(project, files)
    seconds = {"read": time.perf_counter() - started}
    release = room.run(project, files, SILENT)
    started = time.perf_counter()
    write_release(args, release, files)
    _tell(release, {**seconds, **release.seconds, "write": time.perf_counter() - started}, as_json=args.json)
    return 0


def _decided(project: Project, args: argparse.Namespace, table: Table | None) -> Project:
    """Decide what the options say."""
    given = ((Role.EI, args.ei), (Role.QI, args.qi), (Role.SA, args.sa), (Role.OTHER, args.other))
    roles = {name.strip(): role for role, text in given for name in text.split(",") if name.strip()}
    if (roles or args.id or args.rows) and table is None:
        raise BadParameter("There is no table about the people.", "Name it with --nodes.")
    return replace(
        project,
        key=args.id,
        schema=Schema() if table is None else guessed_schema(guess_types(table.select(roles))).with_roles(roles),
        hierarchies=_hierarchies(args.hierarchies, list(roles)),
        k=args.k,
        l=args.l,
        algorithm=ALGORITHMS.get(args.algorithm)() if args.algorithm else project.algorithm,
        rows=_row_method(args.rows) if args.rows else None,
        sample=args.sample,
        seed=args.seed,
    )


def _row_method(name: str) -> Any:
    methods = room_recoding_tables().row_methods()
    if name not in methods:
        raise BadParameter(f"No algorithm for rows is called “{name}”.", f"There are: {', '.join(methods)}.")
    return methods[name]()


def _hierarchies(folder: str | None, columns: list[str]) -> dict[str, Hierarchy]:
    if folder is None:
        return {}
    from anonymizer_gui.engine.hierarchy.files import read_hierarchies  # few graphs come with any

    found = read_hierarchies(Path(folder), columns)
    for match in found.matches:
        if match.state == "refused":
            raise BadHierarchy(f"The hierarchy of “{match.column}” cannot be used: {match.note}", match.file)
    return dict(found.hierarchies)


def _tell(release: Release, seconds: dict[str, float], *, as_json: bool) -> None:
    for note in release.notes:
        sys.stderr.write(f"{note}\n")
    told = {**release.to_json(), "seconds": seconds}
    if as_json:
        print(json.dumps({key: told[key] for key in JSON_KEYS}, ensure_ascii=False))
        return
    for promise in release.promises:
        print(f"{'holds' if promise.holds else 'fails':<8}{promise.sentence} (measured {promise.value})")
    print(f"{release.sentence()}.")
