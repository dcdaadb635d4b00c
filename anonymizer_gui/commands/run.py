"""Run a saved project: the same bytes as the window's export."""

import argparse
import json
import sys
import time
from dataclasses import replace
from pathlib import Path

from anonymizer_gui.commands.exporting import add_export_arguments, check_files, write_release
from anonymizer_gui.engine.errors import BadProject
from anonymizer_gui.engine.hierarchy.labels import several
from anonymizer_gui.engine.projects.project_file import load_project
from anonymizer_gui.engine.rooms.microdata.anonymize import anonymize
from anonymizer_gui.engine.shapes.tables.io.source_tables import options_of, read_source

NAME = "run"
HELP = "Run a saved project and export the release, with certificate and report."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be said on the command line."""
    parser.add_argument("project", metavar="PROJECT", help="the project file (.anon)")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="the release: .csv, .xlsx or .parquet")
    parser.add_argument("--table", metavar="TABLE", help="the table, when it is not where the project says")
    parser.add_argument("--other-table", action="store_true", help="run although the table is not the one it was")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_export_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Read, anonymize, verify, write; print what came out."""
    check_files(args)
    project = load_project(Path(args.project))
    if project.source is None and args.table is None:
        raise BadProject("The project names no table.", "Name the table with --table.")
    started = time.perf_counter()
    path = args.table or (project.source.path if project.source else "")
    table, _, source = read_source(path, options_of(project.source))
    known = project.source.sha256 if project.source else ""
    if known and known != source.sha256 and not args.other_table:
        raise BadProject(
            "The table has changed since the project was made.", "Check it, and add --other-table to run all the same."
        )
    population = read_source(project.population.path, options_of(project.population))[0] if project.population else None
    read = time.perf_counter() - started
    release = anonymize(table, replace(project, source=source), population=population, try_anyway=args.try_anyway)
    started = time.perf_counter()
    exported = write_release(args, release, table, population)
    seconds = {"read": read, **release.seconds, "write": time.perf_counter() - started}
    if args.json:
        print(json.dumps({**release.to_json(), "seconds": seconds, "sha256": exported.sha256}, ensure_ascii=False))
    else:
        sys.stdout.write(f"{several(exported.rows, 'row')} written to {exported.path}; k = {release.measured.k}\n")
    return 0
