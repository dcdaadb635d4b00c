"""Options for DuckDB and Spark, and a run on them."""

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from anonymizer_gui.commands.options import check_output_files, export_settings, terminal_progress, with_named
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.io.read_write import IN_MEMORY, engine_of
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.projects.opening import open_project
from anonymizer_gui.engine.projects.project_file import SUFFIX, load_project
from anonymizer_gui.engine.releases.interrupted_export import companion_names
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.microdata.out_of_core.engine_source import refuse_remote_target
from anonymizer_gui.engine.rooms.microdata.out_of_core.run import OutOfCoreJob, engine_input, run_out_of_core
from anonymizer_gui.engine.rooms.microdata.out_of_core.verification import counted_columns
from anonymizer_gui.engine.rooms.microdata.project import POPULATION, Project
from anonymizer_gui.engine.scale.contract import Engine, EngineInput, find_input
from anonymizer_gui.engine.scale.duckdb_engine import EngineLimits
from anonymizer_gui.engine.scale.engine_choice import DUCKDB, open_engine, reason_for_engine, verification_engine
from anonymizer_gui.engine.storage.sources import Source, refuse_overwrite

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(MB|GB|MiB|GiB)", re.IGNORECASE)
_UNITS = {"mb": 10**6, "gb": 10**9, "mib": 1 << 20, "gib": 1 << 30}
_ROOM = "microdata"
NewEngine = Callable[[Path | None], Engine]


def add_engine_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare engine, memory and spill."""
    group = parser.add_argument_group("beyond memory")
    group.add_argument("--engine", metavar="ENGINE", help="who holds the table: duckdb, or sc://host:port of a cluster")
    group.add_argument(
        "--memory", metavar="SIZE", help="memory DuckDB may take, such as 2GB; half of what is free else"
    )
    group.add_argument("--spill", metavar="DIR", help="folder for what does not fit; raw data lie there meanwhile")


def engine_limits_from(args: argparse.Namespace) -> EngineLimits:
    """Give what an engine on this machine may take; raises BadParameter."""
    return EngineLimits(_bytes(args.memory) if args.memory else 0, Path(args.spill) if args.spill else None)


def engines_for(args: argparse.Namespace, source: EngineInput) -> NewEngine:
    """Say how an engine is opened that may read a table, and write a file."""
    room = engine_limits_from(args)

    def opened(target: Path | None) -> Engine:
        return open_engine(args.engine or DUCKDB, [*source.files, *([target.absolute()] if target else [])], room)

    return opened


def counted_by_engine(
    args: argparse.Namespace, place: str, names: Sequence[str] | None = None, read: Sequence[str] = (), person: str = ""
) -> Table:
    """Let an engine count the combinations of some columns of a table, or of all, and whom they are about."""
    source = _read_as(find_input(place), read)
    with terminal_progress() as progress, closing(engines_for(args, source)(None)) as engine:
        return counted_columns(engine, source, names, person, progress)


def chooses_engine(args: argparse.Namespace, place: str) -> bool:
    """Tell whether an engine counts a table: told so, or because memory would hardly suffice, which is said."""
    why = None if args.engine else reason_for_engine(place)
    if why is not None:
        sys.stderr.write(f"{why}\n")
        args.engine = DUCKDB
    return bool(args.engine)


def _read_as(source: EngineInput, given: Sequence[str]) -> EngineInput:
    """Give a table that is read as the call says; raises BadParameter."""
    return find_input(source.place, with_named(source.options, given)) if given else source


def is_for_engine(args: argparse.Namespace, sources: Sequence[Source]) -> bool:
    """Tell whether a project runs on an engine: told so, or because memory would hardly suffice, which is said."""
    if args.engine:
        return True
    if _is_foreign(args) or load_project(Path(args.project)).room != _ROOM:
        return False
    holder = engine_of(sources[0]) if sources and not args.input and not args.table else ""
    if holder:
        return holder != IN_MEMORY  # DuckDB: a cluster that a project names is not called up
    place = args.input or args.table or (sources[0].path if sources else "")
    why = reason_for_engine(place) if place else None
    if why is not None:
        sys.stderr.write(f"{why}\n")
    return why is not None


def run_on_engine(args: argparse.Namespace) -> int:
    """Run a project on an engine; print what came out of it once the written file was verified."""
    project = open_project(Path(args.project)).project if _is_foreign(args) else load_project(Path(args.project))
    if not isinstance(project, Project):
        raise BadParameter("Only tables of people run on an engine.", "Leave --engine out.")
    if args.mapping:
        raise BadParameter("An engine writes no mapping of pseudonyms.", "Leave --mapping out.")
    if args.offers:
        raise BadParameter("An engine protects no sets, so it has no ways out to offer.", "Leave --offers out.")
    if args.before_after:
        raise BadParameter("An engine does not compare before and after.", "Leave --before-after out.")
    place = args.input or args.table or (project.source.path if project.source else "")
    if not place:
        raise BadParameter("The project names no table.", "Name it with --input.")
    refuse_remote_target(args.output)
    source = _read_as(engine_input(project, place), args.read)
    check_output_files(args, project.sources().values())
    target = Path(args.output)
    refuse_overwrite([target, *companion_names(target)], list(source.files))
    room = room_of(project.room)
    population = room.read(POPULATION, project.population, SILENT).data if project.population else None
    safeguards, printers, signer = export_settings(args)
    errand = OutOfCoreJob(
        source,
        target,
        engines_for(args, source),
        safeguards,
        try_anyway=args.try_anyway,
        exporting=(("printers", printers), ("signer", signer)),
        new_judge=verification_engine(engine_limits_from(args)),
    )
    with terminal_progress() as progress:
        done = run_out_of_core(project, errand, progress, population)
    args.has_left = True
    sys.stderr.write(f"{done.exported.inside} stays inside: it proves the release and must never be published.\n")
    for note in done.release.notes:
        sys.stderr.write(f"{note}\n")
    if args.json:
        print(json.dumps(done.to_json(), ensure_ascii=False))
    else:
        sys.stdout.write(f"{done.exported.path}: {done.release.sentence()}\n")
    return 0


def _is_foreign(args: argparse.Namespace) -> bool:
    """Tell whether a project is of another program, whose table tells what is decided."""
    return Path(args.project).suffix.lower() != SUFFIX


def _bytes(text: str) -> int:
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise BadParameter(f"“{text}” is no size of memory.", "Write it such as 500MB or 2GB.")
    return int(float(found[1]) * _UNITS[found[2].lower()])
