"""Ask questions about a table and publish the answers with noise, from a budget that is never overdrawn."""

import argparse
import json
import re
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from anonymizer_gui.commands.engine_options import add_engine_arguments, chooses_engine, counted_by_engine
from anonymizer_gui.commands.options import (
    add_reading_arguments,
    check_output_files,
    print_notes,
    source_from,
    write_release,
)
from anonymizer_gui.engine.core.budget import exact_amount
from anonymizer_gui.engine.core.errors import BadHierarchy, BadParameter, BadProject, UnreadableFile
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.hierarchy.files import read_hierarchies
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.projects.project_file import read_project
from anonymizer_gui.engine.releases.ledger.budget import BudgetLedger
from anonymizer_gui.engine.room import ReadFile, room_of
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import (
    DATA_KINDS,
    SURPLUS,
    DataKind,
    data_kind,
    data_kind_of_source,
)
from anonymizer_gui.engine.rooms.statistics.output_format import check_suffix
from anonymizer_gui.engine.rooms.statistics.project import LEDGER, POLICIES, TABLE, Project, project_from_json
from anonymizer_gui.engine.rooms.statistics.question import DEFAULT_DATA_KIND, QUESTIONS, quote_word
from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question
from anonymizer_gui.engine.rooms.statistics.release import Release
from anonymizer_gui.engine.scale.contract import find_input
from anonymizer_gui.engine.storage.safe_open import read_regular
from anonymizer_gui.engine.storage.sources import Source

NAME = "statistics"

HELP = "Answer questions about a table with noise; exit 1 when the budget is exhausted."

JSON_KEYS = ("unit", "epsilon", "delta", "spent", "left", "cost", "answers", "notes")

_LARGEST_PLAN = 64 << 20

_ROOM = "statistics"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be said on the command line."""
    parser.epilog = f"Questions: {'; '.join(kind.usage for kind in QUESTIONS)}."
    parser.add_argument("table", metavar="TABLE", help="the table about people")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="the answers: .csv, .json or .xlsx")
    parser.add_argument("--ask", action="append", default=[], metavar="QUESTION", help="a question, see below")
    parser.add_argument("--plan", metavar="FILE", help="a plan as JSON; options given here come before it")
    parser.add_argument("--hierarchies", metavar="DIR", help="folder of hierarchies, whose leaves are categories")
    parser.add_argument("--epsilon", metavar="NUMBER", help="what this release may spend (1)")
    parser.add_argument("--delta", metavar="NUMBER", help="chance of failure, for Gaussian noise (0)")
    parser.add_argument("--unit", metavar="UNIT", help="who is protected: row, change or person=COLUMN:ROWS (row)")
    parser.add_argument("--surplus", choices=list(SURPLUS), help="which rows of a person are kept (sampled)")
    parser.add_argument("--policy", choices=list(POLICIES), help="how epsilon is shared among the questions (equal)")
    parser.add_argument("--shape", choices=DATA_KINDS.names(), help="what the data looks like (found by looking)")
    parser.add_argument("--ledger", metavar="FILE", help="ledger of budgets, where the spend is written first")
    parser.add_argument("--budget", metavar="NUMBER", help="epsilon of all releases together, when the ledger is new")
    parser.add_argument("--sign", metavar="FILE", help="sign the certificate with this key; `keys new` makes one")
    parser.add_argument("--pdf", action="store_true", help="print the report to PDF, too")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_engine_arguments(parser)
    add_reading_arguments(parser)
    parser.set_defaults(key="", mapping="", before_after="", reason="")


def run(args: argparse.Namespace) -> int:
    """Read, answer, write; return 0."""
    check_output_files(args)
    _check_output(Path(args.output))
    room = room_of(_ROOM)
    source = source_from(args.table, args.read)
    plan = None if args.plan is None else _read_plan(Path(args.plan))
    named = args.shape or (plan.shape if plan else "")
    shape = data_kind(named) if named else data_kind_of_source(source)
    project = _project(args, plan, shape.name)
    read = _read(args, shape, source, project)
    print_notes(args.table, read.notes)
    project = replace(project, source=read.source, name=Path(args.table).stem)
    ledger = BudgetLedger(Path(args.ledger)) if args.ledger else None
    if args.budget is None and ledger is not None:
        project = replace(project, total=_known_total(ledger, shape, read.data) or project.total)
    files = {TABLE: read.data} | ({LEDGER: ledger} if ledger else {})
    release = room.run(project, files, SILENT)
    write_release(argparse.Namespace(**{**vars(args), "ledger": ""}), release, files)
    _tell(release, args)
    return 0


def _read(args: argparse.Namespace, shape: DataKind, source: Source, project: Project) -> ReadFile:
    """Read the data, or let an engine count its rows; a ledger knows data by all of its columns."""
    is_counted = args.engine if shape.name != DEFAULT_DATA_KIND else chooses_engine(args, args.table)
    if not is_counted:
        return shape.read(source, SILENT)
    if shape.name != DEFAULT_DATA_KIND:
        raise BadParameter("An engine counts tables only.", "Leave --engine out.")
    found = find_input(args.table)
    names = None if args.ledger else project.columns()
    return ReadFile(counted_by_engine(args, args.table, names, args.read), Source(args.table, found.digest()))


def _check_output(output: Path) -> None:
    """Refuse what could not be written before anything is spent."""
    check_suffix(output)
    if not output.absolute().parent.is_dir():
        raise BadParameter("The folder of the output does not exist.", "Make it first, or choose another one.")


def _project(args: argparse.Namespace, plan: Project | None, shape: str) -> Project:
    """Put the plan together: what is said in the call comes before what the file says."""
    project = replace(plan or Project(), shape=shape)
    given: dict[str, Any] = {
        "epsilon": _epsilon(args.epsilon),
        "delta": _amount(args.delta),
        "unit": PrivacyUnit.parse(args.unit) if args.unit else None,
        "surplus": args.surplus,
        "policy": args.policy,
        "questions": (*project.questions, *(parse_question(ask, shape) for ask in args.ask)),
    }
    project = replace(project, **{name: value for name, value in given.items() if value is not None})
    total = _epsilon(args.budget)
    if total is None and args.ledger is None and args.plan is None:
        total = project.epsilon  # without a ledger there is nothing to come
    hierarchies = {**project.hierarchies, **_hierarchies(args.hierarchies, project.columns())}
    return replace(project, total=total or project.total, hierarchies=hierarchies)


def _read_plan(path: Path) -> Project:
    """Read the entries of a plan, or the project that holds them."""
    content = read_regular(path, _LARGEST_PLAN)
    try:
        entries = json.loads(content)
    except (ValueError, RecursionError):
        raise UnreadableFile(f"“{path.name}” is no plan.", "A plan is one JSON object.") from None
    if not isinstance(entries, dict):
        raise UnreadableFile(f"“{path.name}” is no plan.", "A plan is one JSON object.")
    project = read_project(content) if "room" in entries else project_from_json(entries)
    if not isinstance(project, Project):
        raise BadProject(f"“{path.name}” is a project of another room.", "Choose a plan of statistics.")
    return project


def _known_total(ledger: BudgetLedger, shape: DataKind, data: Any) -> Fraction | None:
    """Give what the ledger allows this data in all, if it knows it."""
    total = ledger.account(shape.fingerprint(data, ledger.secret())).total
    return None if total is None else total.epsilon


def _amount(text: str | None) -> Fraction | None:
    return None if text is None else exact_amount(text)


def _epsilon(text: str | None) -> Fraction | None:
    epsilon = _amount(text)
    if epsilon == 0:
        raise BadParameter("Epsilon must be above 0.", "Write a number such as 1.")
    return epsilon


def _hierarchies(folder: str | None, columns: list[str]) -> dict[str, Hierarchy]:
    if folder is None:
        return {}
    found = read_hierarchies(Path(folder), columns)
    for match in found.matches:
        if match.state == "refused":
            raise BadHierarchy(f"The hierarchy of “{match.column}” cannot be used: {match.note}", match.file)
    return dict(found.hierarchies)


def _tell(release: Release, args: argparse.Namespace) -> None:
    for note in release.notes:
        sys.stderr.write(f"{note}\n")
    if not args.json:
        sys.stdout.write(_as_text(release))
        return
    told = release.to_json()
    planned = len(told["answers"]) - len(args.ask)
    for answer, typed in zip(told["answers"][planned:], args.ask, strict=True):
        answer["ask"] = typed
    print(json.dumps({key: told[key] for key in JSON_KEYS}, ensure_ascii=False))


def _as_text(release: Release) -> str:
    lines = []
    for answer in release.answers:
        error = "" if answer.error95 is None else f", ± {answer.error95:g} {answer.in_unit} in 95 of 100 releases"
        lines.append(f"{answer.ask}: {answer.mechanism}, epsilon {float(answer.epsilon):g}{error}")
        lines += [f"  {label or 'answer':<30} {value}" for label, value in answer.cells()]
    return "\n".join([*lines, f"{release.sentence()}."]) + "\n"


DEFAULT_DELTA = "1e-9"

_SEVERAL = re.compile(r"=.*\s\S+=")

_FIELDS = (
    "A column is written with its public values, which are never taken from the data: sex=F|M for names, "
    "age=17..90/20 for numbers in twenty bins, day=2024-01-01..2024-12-31/12 for days; alone, as in education, its "
    "hierarchy says which values there are."
)


def add_model_arguments(parser: argparse.ArgumentParser, output: str) -> None:
    """Declare what both commands can be told."""
    parser.epilog = _FIELDS
    parser.add_argument("table", metavar="TABLE", help="the table about people")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help=output)
    parser.add_argument("--columns", nargs="+", default=[], metavar="COLUMN[=VALUES]", help="the columns, see below")
    parser.add_argument("--hierarchies", metavar="DIR", help="folder of hierarchies, whose leaves are public values")
    parser.add_argument("--epsilon", metavar="NUMBER", help="what it may spend (1)")
    parser.add_argument("--delta", metavar="NUMBER", default=DEFAULT_DELTA, help=f"chance of failure ({DEFAULT_DELTA})")
    parser.add_argument("--unit", metavar="UNIT", help="who is protected: row, change or person=COLUMN:ROWS (row)")
    parser.add_argument("--surplus", choices=list(SURPLUS), help="which rows of a person are kept (sampled)")
    parser.add_argument("--ledger", metavar="FILE", help="ledger of budgets, where the spend is written first")
    parser.add_argument("--budget", metavar="NUMBER", help="epsilon of all releases together, when the ledger is new")
    parser.add_argument("--sign", metavar="FILE", help="sign the certificate with this key; `keys new` makes one")
    parser.add_argument("--pdf", action="store_true", help="print the report to PDF, too")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run_question(args: argparse.Namespace, words: list[str], options: dict[str, object]) -> int:
    """Ask one question of the room and write what it makes."""
    if not args.columns:
        raise BadParameter("No column is named.", "Name them with --columns, each with its values.")
    for word in args.columns:
        if _SEVERAL.search(word):  # taken for one column, it would spend the budget on values nobody has
            raise BadParameter(
                f"“{word[:60]}” names several columns at once.", "Put quotes around each of them, not around all."
            )
    told = [f"{name}={quote_word(str(value))}" for name, value in options.items() if value not in (None, "")]
    ask = " ".join([*map(quote_word, words), *(["with", *told] if told else [])])
    asked = {"ask": [ask], "plan": None, "policy": None, "shape": "table", "engine": ""}
    return run(argparse.Namespace(**{**vars(args), **asked}))
