"""Make baskets anonymous and publish them: k^m-anonymity, k-anonymity of whole baskets, l-diversity."""

import argparse
import json
import sys
import time
from dataclasses import replace
from pathlib import Path

from anonymizer_gui.commands.options import add_export_arguments, check_output_files, print_notes, write_release
from anonymizer_gui.engine.core.errors import BadParameter, Infeasible
from anonymizer_gui.engine.core.params import from_texts, params_of, replace_params, to_json
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.baskets.baskets import BasketOptions, Baskets
from anonymizer_gui.engine.data.baskets.reading import sniff_options
from anonymizer_gui.engine.data.baskets.writing import layout_for
from anonymizer_gui.engine.hierarchy.files import read_hierarchy
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.baskets.algorithms.contract import ALGORITHMS, Algorithm
from anonymizer_gui.engine.rooms.baskets.item_hierarchies.orders import ITEM_HIERARCHIES, build_tree
from anonymizer_gui.engine.rooms.baskets.models.km_anonymity import KAnonymity, KmAnonymity, LDiversity, PrivacyModel
from anonymizer_gui.engine.rooms.baskets.project import RELEASE_LAYOUTS, RULES, TABLE, Project
from anonymizer_gui.engine.rooms.baskets.release import Release, rules_of, write_rules
from anonymizer_gui.engine.rooms.baskets.sweep import compare_hierarchies
from anonymizer_gui.engine.storage.sources import Source

NAME = "baskets"
HELP = "Publish baskets (sets of items) so that nobody is found by a few items; exit 1 when that cannot be."
JSON_KEYS = (
    "baskets", "items", "k", "m", "ncp", "values_left", "deleted", "smallest_support", "exposed_before",
    "exposed_after", "seconds",
)  # fmt: skip
_BEST = "best"
_USUAL_K = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be said on the command line."""
    parser.add_argument("table", metavar="FILE", help="the baskets")
    parser.add_argument(
        "-o", "--output", required=True, metavar="OUT", help="the release: .csv, .txt, .basket or .json"
    )
    parser.add_argument("--k", type=int, help=f"fewest baskets that hold known items ({_USUAL_K})")
    parser.add_argument("--m", type=int, default=2, help="most items that somebody may know, 1 to 3 (2)")
    parser.add_argument(
        "--whole", type=int, metavar="K", help="promise K equal baskets, with --k besides what that says; by cluster"
    )
    parser.add_argument("--l", type=int, metavar="L", help="l-diversity of --sensitive")
    parser.add_argument("--sensitive", metavar="NAME", help="an item, or a column beside the baskets")
    parser.add_argument("--hierarchy", metavar="FILE", help="tree of items, such as a table of levels")
    parser.add_argument(
        "--tree", default="alphabetical:5", metavar="WAY[:N]",
        help=f"without --hierarchy: {', '.join(ITEM_HIERARCHIES.names())} with N in a group, or {_BEST} of all "
        f"(alphabetical:5)",
    )  # fmt: skip
    parser.add_argument("--algorithm", choices=ALGORITHMS.names(), help="the method (aa-r; cluster with --whole)")
    parser.add_argument("--delete", type=float, metavar="SHARE", help="share of items that may be deleted (0.01)")
    parser.add_argument("--way", metavar="WAY", help="how cluster makes baskets equal: best, generalise or delete")
    parser.add_argument("--rules", metavar="FILE", help="publish every item as these rules say (--write-rules)")
    parser.add_argument("--write-rules", metavar="FILE", help="write which group each item became; keep it inside")
    parser.add_argument("--layout", choices=list(RELEASE_LAYOUTS), default="lines", help="how the release is written")
    parser.add_argument(
        "--read", action="append", default=[], metavar="NAME=VALUE",
        help=f"how FILE is read, such as layout=long: {', '.join(p.name for p in params_of(BasketOptions))}",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_export_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Read, protect, count again, write; return 0."""
    read_from = [Source(place) for place in (args.table, args.hierarchy, args.rules) if place]
    check_output_files(args, read_from, [args.write_rules or ""])
    layout_for(Path(args.output), args.layout)
    room, started = room_of(NAME), time.perf_counter()
    read = room.read(TABLE, _source(args), SILENT)
    print_notes(args.table, read.notes)
    seconds = {"read": time.perf_counter() - started}
    project = _with_tree(args, _project(args, read.source), read.data)
    files = {TABLE: read.data}
    if args.rules:
        rules = room.read(RULES, Source(args.rules), SILENT)
        files[RULES], project = rules.data, replace(project, rules=rules.source)
    release: Release = room.run(project, files, SILENT)
    started = time.perf_counter()
    if args.write_rules:
        write_rules(rules_of(release), Path(args.write_rules))
    write_release(args, release, files)
    seconds |= {**release.seconds, "write": time.perf_counter() - started}
    _tell(release, seconds, args)
    return 0


def _source(args: argparse.Namespace) -> Source:
    pairs = [text.partition("=") for text in args.read]
    if any(not equals for _, equals, _ in pairs):
        raise BadParameter("--read needs NAME=VALUE.", f"It was “{args.read[0]}”.")
    if not pairs:
        return Source(args.table)
    chosen = {name.strip(): value for name, _, value in pairs}
    wanted = from_texts(BasketOptions, chosen)
    found = BasketOptions() if "layout" in chosen else sniff_options(Path(args.table))
    return Source(
        args.table, options=to_json(replace_params(found, **{name: getattr(wanted, name) for name in chosen}))
    )


def _project(args: argparse.Namespace, source: Source) -> Project:
    goals: list[PrivacyModel] = []
    if args.whole is None or args.k is not None or args.algorithm not in (None, "cluster"):
        goals.append(KmAnonymity(k=_USUAL_K if args.k is None else args.k, m=args.m))
    if args.whole is not None:
        goals.append(KAnonymity(k=args.whole))
    if args.l is not None or args.sensitive:
        goals.append(LDiversity(sensitive=args.sensitive or "", l=2 if args.l is None else args.l, m=args.m))
    algorithm = _algorithm(args)
    return Project(Path(args.table).stem, source, goals=tuple(goals), algorithm=algorithm, layout=args.layout)


def _algorithm(args: argparse.Namespace) -> Algorithm:
    name = args.algorithm or ("replay" if args.rules else "cluster" if args.whole is not None else "aa-r")
    kind = ALGORITHMS.get(name)
    known = {p.name for p in params_of(kind)}
    given = {"delete": args.delete, "most": args.delete, "way": args.way}
    if args.delete is not None and not known & {"delete", "most"}:
        raise BadParameter(f"{kind.title} has no deletions to allow.", "Leave --delete out, or choose aa-r.")
    texts = {key: str(value) for key, value in given.items() if value is not None and key in known}
    return from_texts(kind, texts)


def _with_tree(args: argparse.Namespace, project: Project, baskets: Baskets) -> Project:
    """Take the tree that is named, one that is made, or the one with the least loss of several."""
    if args.hierarchy:
        return project.with_tree(read_hierarchy(Path(args.hierarchy)))
    if args.rules:
        return project
    way, _, number = args.tree.partition(":")
    if way == _BEST:
        best = compare_hierarchies(baskets, project)[0]
        if best.problem is not None:
            raise Infeasible(best.problem.message, best.problem.hint)
        sys.stderr.write(f"The best tree: {best.title}, {best.fan_out} in a group.\n")
        return project.with_tree(best.tree)
    maker = from_texts(ITEM_HIERARCHIES.get(way), {"fan_out": number} if number else {})
    return project.with_tree(build_tree(maker, baskets, SILENT))


def _tell(release: Release, seconds: dict[str, float], args: argparse.Namespace) -> None:
    for note in release.notes:
        sys.stderr.write(f"{note}\n")
    if args.json:
        told = {**release.measured.to_json(), "seconds": seconds}
        print(json.dumps({key: told[key] for key in JSON_KEYS}, ensure_ascii=False))
        return
    lines = [f"{promise.title}: {promise.sentence}; counted again, {promise.value}" for promise in release.promises]
    print("\n".join([*lines, f"{args.output}: {release.sentence()}"]))
