"""Anonymize a table: read it, run an algorithm, measure what came out, write it."""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from anonymizer_gui.commands.measure import measurement_text, split_column_names
from anonymizer_gui.commands.options import (
    add_export_arguments,
    add_reading_arguments,
    check_output_files,
    print_notes,
    reading_json,
    source_from,
    terminal_progress,
    write_release,
)
from anonymizer_gui.commands.table_options import (
    add_algorithm_arguments,
    add_alternatives_argument,
    add_goal_arguments,
    add_policy_arguments,
    add_pseudonym_arguments,
    algorithm_from,
    alternatives_json,
    check_alternatives,
    goals_from,
    hint_alternatives,
    policies_from,
    policy_json,
    print_policies,
    pseudonyms_from,
)
from anonymizer_gui.engine.core.errors import BadHierarchy, BadParameter
from anonymizer_gui.engine.core.messages import as_message, message, quote
from anonymizer_gui.engine.core.params import Float, Int, Json, Kind, PerColumn, from_texts
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.set_valued_cells import FIRST_FORMAT, SET_FORMATS
from anonymizer_gui.engine.data.tables.suggestions import suggest_columns
from anonymizer_gui.engine.data.tables.table import ColumnType, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.files import read_hierarchies
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.projects.opening import OpenedProject, new_project
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Algorithm
from anonymizer_gui.engine.rooms.microdata.masking.contract import STEPS, Step
from anonymizer_gui.engine.rooms.microdata.masking.steps import is_masked, with_steps
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.project import POPULATION, TABLE, Project, Publishing
from anonymizer_gui.engine.rooms.microdata.release.output_format import require_marked_name
from anonymizer_gui.engine.rooms.microdata.release.policy_check import judge_run
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.views.search_trace import loss_bound_of_release
from anonymizer_gui.engine.storage.sources import Source

NAME = "anonymize"
HELP = "Anonymize a table; exit 1 when the goals cannot be reached."
JSON_KEYS = (
    "rows", "people", "suppressed", "emptied", "classes", "k", "l", "t", "largest_share", "lm", "lm_total", "md",
    "algorithm", "parameters",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be said on the command line."""
    parser.add_argument("table", metavar="TABLE", help="the table about people")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="where the release is written")
    parser.add_argument("--qi", required=True, metavar="A,B", help="quasi-identifiers, separated by commas")
    parser.add_argument("--sa", default="", metavar="C", help="sensitive columns, separated by commas")
    parser.add_argument("--ei", default="", metavar="D", help="identifying columns, which are removed")
    parser.add_argument("--person", default="", metavar="D", help="the identifier that says whom a row is about")
    parser.add_argument("--sampling-weight", default="", metavar="W", help="people of the population a row stands for")
    parser.add_argument("--household", default="", metavar="H", help="column that says which rows live together")
    parser.add_argument("--agree", default="", metavar="E,F", help="columns of no role that may be published unchanged")
    parser.add_argument("--leave-out", default="", metavar="G,H", help="columns of no role that are not published")
    parser.add_argument("--hierarchies", metavar="DIR", help="folder of hierarchies, one file per column")
    _add_preparing_arguments(parser)
    parser.add_argument("--population", metavar="TABLE2", help="the table the people were drawn from")
    parser.add_argument("--suppress", default="0", metavar="SHARE", help="largest share of rows that may be left out")
    parser.add_argument(
        "--suppress-emptied", action="store_true", help="count rows with nothing left against the limit, too"
    )
    parser.add_argument("--stars", action="store_true", help="publish suppressed rows as * instead of leaving them out")
    parser.add_argument("--weights", default="", metavar="A=2,B=1", help="weights of the columns in the loss")
    parser.add_argument("--lowest", default="", metavar="A=1", help="lowest level a column may be published at")
    parser.add_argument("--highest", default="", metavar="A=3", help="highest level a column may be published at")
    parser.add_argument("--uneven", choices=("cap", "climb"), default="cap", help="levels of uneven hierarchies")
    parser.add_argument("--seed", type=_seed, default=0, metavar="NUMBER", help="seed of everything random")
    parser.add_argument("--bound", action="store_true", help="prove how little can be lost at all")
    add_alternatives_argument(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_reading_arguments(parser)
    add_pseudonym_arguments(parser)
    add_export_arguments(parser)
    add_goal_arguments(parser)
    add_policy_arguments(parser)
    _add_reader_arguments(parser)
    add_algorithm_arguments(parser)


def _add_preparing_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare how the table is prepared, and what its columns are."""
    parser.add_argument(
        "--prepare",
        action="append",
        nargs="+",
        default=[],
        metavar=("STEP", "NAME=VALUE"),
        help="prepare the table first: keep 'condition=age>=18', sample share=0.1 seed=3, replace column=sex find=m "
        "put=male, merge column=city, missing column=age values=999; `list steps` tells of all",
    )
    parser.add_argument(
        "--type",
        action="append",
        default=[],
        metavar="COLUMN=TYPE",
        help="read a column otherwise than it seems: age=integer, home=place, items=set, or items=set:; where ; stands "
        "between items; columns of latitude and longitude become one by --prepare place latitude=A longitude=B",
    )


def _add_reader_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what readers get beside the release."""
    parser.add_argument(
        "--label-file", action="store_true", help="write OUT.labels.csv: which values stand behind which labels"
    )
    parser.add_argument(
        "--public",
        default="",
        metavar="A,B",
        help="quasi-identifiers whose values everybody may know, for --label-file",
    )


def run(args: argparse.Namespace) -> int:
    """Read, anonymize, write; return 0."""
    check_output_files(args)
    goals, algorithm = goals_from(args), algorithm_from(args)
    if not goals:
        raise BadParameter("There is no privacy goal.", "Give at least one, such as --k 5.")
    started = time.perf_counter()
    opened = _opened(args)
    project = _decided(opened, args, goals, algorithm)
    _refuse_unnamed(project, opened.files[TABLE])
    if args.offers:
        check_alternatives(project)
    require_marked_name(project, Path(args.output))
    read = time.perf_counter()
    with terminal_progress() as progress:
        release = opened.room.run(project, opened.files, progress, try_anyway=args.try_anyway)
    bound = loss_bound_of_release(release, opened.files[TABLE], opened.files.get(POPULATION)) if args.bound else None
    exposed = release.measured.exposed
    few = exposed.rows if exposed else 0
    offers = alternatives_json(args, project, opened.files) if args.offers else hint_alternatives(few)
    made = time.perf_counter()
    write_release(args, release, opened.files, asks=False)
    seconds = {"read": read - started, **release.seconds, "write": time.perf_counter() - made}
    told = to_json(release, seconds, opened.notes) | ({"lm_bound": bound} if args.bound else {}) | offers
    opinion = judge_run(release, project.policies, project.publishing, SILENT) if project.policies else ((), ())
    told |= policy_json(*opinion) if project.policies else {}
    _tell(release, told, as_json=args.json)
    if not args.json:
        print_policies(*opinion)
    return 0


def _opened(args: argparse.Namespace) -> OpenedProject:
    """Begin a project about the table, as everywhere, with the roles that are given; the population is read, too."""
    room = room_of(Project.room)
    source = with_steps(source_from(args.table, args.read), [_step(*words) for words in args.prepare])
    opened = new_project(room, source, roles=_roles(args), types=_types(args.type))
    print_notes(args.table, opened.notes)
    if args.population is None:
        return opened
    read = room.read(POPULATION, Source(args.population), SILENT)
    print_notes(args.population, read.notes)
    project = opened.project.with_sources({**opened.project.sources(), POPULATION: read.source})
    return replace(opened, project=project, files={**opened.files, POPULATION: read.data})


def _types(given: Sequence[str]) -> dict[str, tuple[ColumnType, str]]:
    """Read how columns are to be read; raises BadParameter."""
    types = {}
    for text in given:
        column, equals, kind = text.rpartition("=")
        name, _, form = kind.partition(":")
        known = [column_type.value for column_type in ColumnType]
        if not equals or name not in known:
            raise BadParameter(
                message("--type needs COLUMN=TYPE, and “{text}” is none.", text=text),
                message("The types are: {known}.", known=known),
            )
        column_type = ColumnType(name)
        if column_type is ColumnType.SET and form not in ("", *SET_FORMATS):
            raise BadParameter(
                message("“{form}” does not say how sets are written.", form=form),
                message("Use one of: {known}.", known=quote(SET_FORMATS)),
            )
        types[column] = (column_type, form or (FIRST_FORMAT if column_type is ColumnType.SET else ""))
    return types


def _step(name: str, *given: str) -> Step:
    """Read a step of preparation; raises BadParameter."""
    pairs = [text.partition("=") for text in given]
    if not all(equals for _, equals, _ in pairs):
        raise BadParameter("--prepare needs a step and NAME=VALUE.", "Write it as: --prepare keep 'condition=age>=18'.")
    return from_texts(STEPS.get(name), {word.strip(): value for word, _, value in pairs}).with_secret_seed()


def _decided(
    opened: OpenedProject, args: argparse.Namespace, goals: tuple[PrivacyModel, ...], algorithm: Algorithm
) -> Project:
    """Decide what the options say."""
    begun: Project = opened.project
    schema = begun.schema
    hierarchies = _hierarchies(args.hierarchies, schema, opened.files[TABLE])
    return replace(
        begun,
        hierarchies=hierarchies,
        goals=goals,
        algorithm=algorithm,
        suppression=_number(args.suppress),
        limit_covers_emptied=args.suppress_emptied,
        weights=_per_column(args.weights, Float(low=0), "--weights", schema),
        bounds=_bounds(args, schema, hierarchies),
        uneven=args.uneven,
        seed=args.seed,
        publishing=Publishing(
            args.stars,
            pseudonyms=pseudonyms_from(args),
            linkable=args.linkable,
            left_out=_known(args.leave_out, "--leave-out", schema.names(Role.OTHER)),
            labels_file=args.label_file,
            public_values=_known(args.public, "--public", schema.names(Role.QI)),
        ),
        acknowledged=_known(args.agree, "--agree", schema.names(Role.OTHER)),
        policies=policies_from(args),
        person=args.person,
        sampling_weight=schema.column(args.sampling_weight).name if args.sampling_weight else "",
        household=schema.column(args.household).name if args.household else "",
    )


def to_json(release: Release, seconds: dict[str, float], notes: Sequence[str]) -> dict[str, Json]:
    """Give the numbers of a release as this command prints them, and what was found when its table was read."""
    told = release.to_json()
    exposed = {"exposed": told["exposed"]} if "exposed" in told else {}
    return {
        **{key: told[key] for key in JSON_KEYS},
        **exposed,
        "seconds": seconds,
        "read": reading_json(release.project, notes),
    }


def _tell(release: Release, told: dict[str, Json], *, as_json: bool) -> None:
    left_out = release.project.left_out_columns()
    others = [name for name in release.project.schema.names(Role.OTHER) if name not in left_out]
    masked = [name for name in others if is_masked(release.project.source, name)]
    if unchanged := [name for name in others if name not in masked]:
        sys.stderr.write(f"Published unchanged, without a role: {', '.join(unchanged)}.\n")
    if masked:
        sys.stderr.write(f"Published as prepared, without a role: {', '.join(masked)}.\n")
    for note in release.notes:
        sys.stderr.write(note + "\n")
    bound = told.get("lm_bound")
    if bound is not None:
        sys.stderr.write(f"No recoding with these hierarchies and goals loses less than LM {bound:.5f}.\n")
    sys.stdout.write(json.dumps(told, ensure_ascii=False) + "\n" if as_json else measurement_text(release.measured))


def _seed(text: str) -> int:
    try:
        return Int(low=0).parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"must be {error}") from None


def _roles(args: argparse.Namespace) -> dict[str, Role]:
    roles: dict[str, Role] = {}
    person = args.person.replace(",", ",,")
    for text, role in ((args.qi, Role.QI), (args.sa, Role.SA), (args.ei, Role.EI), (person, Role.EI)):
        for name in split_column_names(text):
            if roles.setdefault(name, role) is not role:
                raise BadParameter(f"“{name}” has two roles.", "Name it once, as --qi, --sa or --ei.")
    return roles


def _hierarchies(folder: str | None, schema: Schema, table: Table) -> dict[str, Hierarchy]:
    if folder is None:
        named = ", ".join(f"“{name}”" for name in schema.names(Role.QI))
        if schema.sets:
            sys.stderr.write("There is no hierarchy of items: rare ones can only be deleted.\n")
        sys.stderr.write(
            f"There is no hierarchy for {named}: values go to * directly unless an algorithm makes ranges. "
            "--hierarchies DIR gives them steps in between.\n"
        )
        return {}
    found = read_hierarchies(Path(folder), [*schema.quasi, *schema.names(Role.SA)], table, schema)
    for match in found.matches:
        if match.state == "refused":
            raise BadHierarchy(f"The hierarchy of “{match.column}” cannot be used: {match.note}", match.file)
        if match.state == "missing" and match.column in schema.names(Role.QI):
            sys.stderr.write(f"There is no hierarchy for “{match.column}”: its values go to * directly.\n")
    return dict(found.hierarchies)


def _bounds(args: argparse.Namespace, schema: Schema, hierarchies: dict[str, Hierarchy]) -> dict[str, tuple[int, int]]:
    lowest = _per_column(args.lowest, Int(low=0), "--lowest", schema)
    highest = _per_column(args.highest, Int(low=0), "--highest", schema)
    heights = {name: hierarchies[name].height if name in hierarchies else 1 for name in {**lowest, **highest}}
    return {name: (lowest.get(name, 0), highest.get(name, height)) for name, height in heights.items()}


def _known(text: str, option: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Take the columns an option names; raises BadParameter when one is not among those it may name."""
    named = tuple(split_column_names(text))
    for name in named:
        if name not in columns:
            raise BadParameter(
                message("{option} names “{column}”, which is not one of: {columns}.",
                    option=option, column=name, columns=quote(columns)),
                "Check the spelling.",
            )  # fmt: skip
    return named


def _refuse_unnamed(project: Project, table: Table) -> None:
    """Publish no column that looks like an identifier and that the call does not speak of."""
    decided = {*project.acknowledged, *project.publishing.left_out}
    unnamed = [name for name in project.schema.names(Role.OTHER) if name not in decided]
    for found in suggest_columns(table.select(unnamed)) if unnamed else ():
        if found.role is Role.EI:
            raise BadParameter(
                message(
                    "“{column}” would be published unchanged. {why}", column=found.column, why=as_message(found.reason)
                ),
                "Name it with --ei, or give it another role; --agree publishes it, --leave-out drops it.",
            )


def _per_column(text: str, kind: Kind, option: str, schema: Schema) -> dict[str, Json]:
    try:
        values = dict(PerColumn(kind).parse(text))
    except ValueError as error:
        raise BadParameter(f"{option} must be {error}.", "Write it as age=2,zip=1.") from None
    _known(",".join(values), option, schema.quasi)
    return values


def _number(text: str) -> float:
    try:
        return Float(low=0, high=1).parse(text)
    except ValueError as error:
        raise BadParameter(f"The suppression limit must be {error}.", "5 % is written 0.05.") from None
