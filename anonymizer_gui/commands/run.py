"""Run a saved project: the same bytes as the window's export."""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from anonymizer_gui.commands.engine_options import add_engine_arguments, is_for_engine, run_on_engine
from anonymizer_gui.commands.options import (
    add_export_arguments,
    add_reading_arguments,
    check_output_files,
    print_notes,
    reading_json,
    terminal_progress,
    write_release,
)
from anonymizer_gui.commands.table_options import (
    add_alternatives_argument,
    alternatives_json,
    check_alternatives,
    hint_alternatives,
)
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.projects.opening import named_sources, open_project, refuse_incomplete
from anonymizer_gui.engine.room import Room
from anonymizer_gui.engine.storage.sources import Source

NAME = "run"
HELP = "Run a saved project and export the release, with certificate and report."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be said on the command line."""
    parser.add_argument("project", metavar="PROJECT", help="the project file: .anon, or .deid of ARX")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="the release: .csv, .xlsx or .parquet")
    parser.add_argument("--input", metavar="TABLE", help="with an engine: file, folder or pattern instead of the table")
    parser.add_argument("--table", metavar="TABLE", help="the table, when it is not where the project says")
    parser.add_argument("--other-table", action="store_true", help="run although the table is not the one it was")
    parser.add_argument("--allow-database", action="store_true", help="call up the database the project names")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_alternatives_argument(parser)
    add_engine_arguments(parser)
    add_reading_arguments(parser)
    add_export_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Read, run, verify, write; print what came out."""
    check_output_files(args)
    sources = named_sources(Path(args.project))
    if is_for_engine(args, sources):
        return run_on_engine(args)
    if args.input:
        raise BadParameter("--input is for runs on an engine.", "Name the engine with --engine, or use --table.")
    if args.read:
        raise BadParameter("--read is for runs on an engine: the project says how its table is read.")
    check_output_files(args, sources)
    started = time.perf_counter()
    opened = open_project(Path(args.project), moved_to=args.table or "", allow_database=args.allow_database)
    refuse_incomplete(opened, allow_changed=args.other_table)
    if args.offers:
        check_alternatives(opened.project)
    print_notes(next(iter(opened.project.sources().values())).path, opened.notes)
    files = {**opened.files, **_ledger(opened.room, args)}
    read = time.perf_counter() - started
    with terminal_progress() as progress:
        release = opened.room.run(opened.project, files, progress, try_anyway=args.try_anyway)
    exposed = release.to_json().get("exposed", {}).get("rows", 0)
    offers = alternatives_json(args, opened.project, files) if args.offers else hint_alternatives(exposed)
    started = time.perf_counter()
    exported = write_release(args, release, files)
    seconds = {"read": read, **release.seconds, "write": time.perf_counter() - started}
    if args.json:
        told = {"seconds": seconds, "sha256": exported.sha256, "read": reading_json(opened.project, opened.notes)}
        print(json.dumps({**release.to_json(), **told, **offers}, ensure_ascii=False))
    else:
        sys.stdout.write(f"{exported.path}: {release.sentence()}\n")
    return 0


def _ledger(room: Room, args: argparse.Namespace) -> dict[str, Any]:
    """Give a room that spends its ledger before it runs; every other is compared with earlier releases afterwards."""
    if not room.spends or not args.ledger:
        return {}
    place, args.ledger = args.ledger, ""
    return {"ledger": room.read("ledger", Source(place), SILENT).data}
