"""Publish nested records (JSON, XML): full k-anonymity and l-diversity, or k^(m,n)-anonymity."""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from anonymizer_gui.commands.options import add_export_arguments, check_output_files, print_notes, write_release
from anonymizer_gui.engine.core.errors import BadHierarchy, BadParameter
from anonymizer_gui.engine.core.params import from_texts
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.trees.trees import Trees
from anonymizer_gui.engine.data.trees.writing import check_suffix
from anonymizer_gui.engine.hierarchy.files import read_hierarchies
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.trees.algorithms.clustree import FullKAnonymity
from anonymizer_gui.engine.rooms.trees.algorithms.contract import Algorithm
from anonymizer_gui.engine.rooms.trees.algorithms.kmn_anonymity import KmnAnonymity
from anonymizer_gui.engine.rooms.trees.encoding import SHORT, UNDECIDED, PathRole
from anonymizer_gui.engine.rooms.trees.project import TABLE, Project, suggest_roles
from anonymizer_gui.engine.rooms.trees.release import Release
from anonymizer_gui.engine.storage.json_io import parse_strict
from anonymizer_gui.engine.storage.safe_open import read_regular
from anonymizer_gui.engine.storage.sources import Source

NAME = "trees"
HELP = "Publish nested records (JSON, XML); exit 1 when what is promised cannot be reached."
JSON_KEYS = ("records", "vertices", "suppressed", "smallest_class", "lm", "disassociated")
_LARGEST_ROLES = 16 << 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be said on the command line."""
    parser.add_argument("table", metavar="FILE", help="JSON, JSON lines or XML; a folder of files with one record each")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="the release: .json, .jsonl or .xml")
    parser.add_argument(
        "--roles", metavar="ROLES.json",
        help=f"an object of path: role ({', '.join(role.value for role in PathRole)}); paths without one are removed",
    )  # fmt: skip
    parser.add_argument(
        "--suggest",
        action="store_true",
        help="write suggested roles into --roles, which must not be there yet, and end",
    )
    parser.add_argument("--k", type=int, default=5, help="fewest records that cannot be told apart (5)")
    parser.add_argument(
        "--l", type=int, help="fewest sensitive values at every vertex; with --m: that any pattern leaves open (1)"
    )
    parser.add_argument("--m", type=int, help="promise k^(m,n): most labels that somebody may know, 1 to 3")
    parser.add_argument(
        "--n", type=int, help="with --m: most relations between them that are known, 0 to 2 (1, below m)"
    )
    parser.add_argument(
        "--delete", type=float, metavar="SHARE", help="with --m: share of labels that may be deleted (0.01)"
    )
    parser.add_argument(
        "--hierarchies", metavar="DIR", help="folder of hierarchies; the name of a path is its last step"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="NUMBER", help="seed of the order of the records")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_export_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Read, protect, count again, write; return 0."""
    check_output_files(args, [Source(place) for place in (args.table, args.roles) if place])
    algorithm, room = _algorithm(args), room_of(NAME)
    read = room.read(TABLE, Source(args.table), SILENT)
    print_notes(args.table, read.notes)
    if args.suggest:
        return _suggest(args, read.data)
    check_suffix(Path(args.output), read.data.form)
    project: Project = room.begin(read.source, read.data, SILENT).project
    project = replace(_with_roles(args, project, read.data), algorithm=algorithm, seed=args.seed)
    if args.hierarchies:
        project = replace(project, hierarchies=_hierarchies(Path(args.hierarchies), project))
    files = {TABLE: read.data}
    release: Release = room.run(project, files, SILENT)
    write_release(args, release, files)
    _tell(release, args)
    return 0


def _algorithm(args: argparse.Namespace) -> Algorithm:
    """Take full k-anonymity, or k^(m,n) where m is given; raises BadParameter."""
    if args.seed < 0:
        raise BadParameter("A seed is at least 0.", "Give another number.")
    if args.m is None:
        if args.n is not None or args.delete is not None:
            raise BadParameter("--n and --delete belong to k^(m,n).", "Add --m, or leave them out.")
        return from_texts(FullKAnonymity, {"k": str(args.k), "l": str(1 if args.l is None else args.l)})
    n = min(1, args.m - 1) if args.n is None else args.n
    given = {"k": args.k, "l": args.l, "m": args.m, "n": n, "delete": args.delete}
    return from_texts(KmnAnonymity, {name: str(value) for name, value in given.items() if value is not None})


def _suggest(args: argparse.Namespace, trees: Trees) -> int:
    """Write the suggested role of every path, and say why."""
    if not args.roles or Path(args.roles).exists():
        raise BadParameter("--suggest writes a new file of roles.", "Name one with --roles that is not there yet.")
    found = suggest_roles(trees)
    roles = {each.schema.path: each.schema.role.value for each in found}
    Path(args.roles).write_text(json.dumps(roles, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    for each in found:
        sys.stderr.write(f"{each.schema.path}: {each.schema.role.value}. {each.reason}\n")
    return 0


def _with_roles(args: argparse.Namespace, project: Project, trees: Trees) -> Project:
    """Take the roles of the file; a path it does not name is removed. Raises BadParameter."""
    if not args.roles:
        raise BadParameter("No roles are given.", "Name them with --roles; --suggest writes a file to begin with.")
    told = _read_roles(Path(args.roles))
    branches = {branch.path for branch in trees.branches}
    unknown = [path for path in told if path not in trees.leaf_of and path not in branches]
    if unknown:
        raise BadParameter(f"There is no path “{unknown[0]}”.", f"There are: {', '.join(trees.names)}.")
    wrong = [path for path, role in told.items() if path not in trees.leaf_of and role is not PathRole.REMOVE]
    if wrong:
        raise BadParameter(f"“{wrong[0]}” holds other paths, not labels.", "Give roles to these, or remove it.")
    unnamed = [path for path in trees.names if path not in told]
    if unnamed:
        sys.stderr.write(f"Removed, for they have no role: {', '.join(unnamed)}.\n")
    paths = tuple(replace(each, role=told.get(each.path, UNDECIDED)) for each in project.paths)
    return replace(project, paths=paths, removed=tuple(path for path in told if path in branches - set(trees.names)))


def _read_roles(path: Path) -> dict[str, PathRole]:
    try:
        told: Any = parse_strict(read_regular(path, _LARGEST_ROLES))
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise BadParameter(f"“{path.name}” is no object of paths and roles.", "--suggest writes one to begin with.")
    roles = {role.value: role for role in PathRole} | SHORT | {"quasi": PathRole.QUASI}
    bad = [name for name, role in told.items() if not isinstance(role, str) or role not in roles]
    if bad:
        known = ", ".join(role.value for role in PathRole)
        raise BadParameter(f"“{bad[0]}” has a role that nobody knows.", f"The roles are: {known}.")
    return {name: roles[role] for name, role in told.items()}


def _hierarchies(folder: Path, project: Project) -> dict[str, Hierarchy]:
    """Read the hierarchies of quasi-identifiers, called as the last step of their path."""
    steps = {path: path.replace("/", ".").rpartition(".")[2].strip("@[]") for path in project.of_role(PathRole.QUASI)}
    found = {}
    for path, step in steps.items():
        read = read_hierarchies(folder, [step])
        for match in read.matches:
            if match.state == "refused":
                raise BadHierarchy(f"The hierarchy of “{path}” cannot be used: {match.note}", match.file)
        if step in read.hierarchies:
            found[path] = read.hierarchies[step]
    return found


def _tell(release: Release, args: argparse.Namespace) -> None:
    for note in release.notes:
        sys.stderr.write(f"{note}\n")
    if args.json:
        told = release.to_json()
        print(json.dumps({key: told[key] for key in JSON_KEYS}, ensure_ascii=False))
        return
    lines = [f"{promise.title}: {promise.sentence}; counted again, {promise.value}" for promise in release.promises]
    print("\n".join([*lines, f"{args.output}: {release.sentence()}"]))
