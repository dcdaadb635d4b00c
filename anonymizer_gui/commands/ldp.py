"""How a question is given on the command line: in words with options, as a survey, or as a project."""

import argparse
import json
import re
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from anonymizer_gui.commands.options import add_reading_arguments, print_notes, source_from
from anonymizer_gui.engine.core.budget import exact_amount
from anonymizer_gui.engine.core.errors import BadParameter, UnreadableFile
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.local.design import Design, design, design_number
from anonymizer_gui.engine.projects.project_file import read_project
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.survey.collection import (
    BEST,
    FORMAT,
    Collection,
    Question,
    collection_from_json,
    protocol_document,
    write_form,
)
from anonymizer_gui.engine.rooms.survey.estimates import QuestionEstimates, estimate_questions
from anonymizer_gui.engine.rooms.survey.project import TABLE, Project, project_from_json
from anonymizer_gui.engine.rooms.survey.reports import (
    RejectedReport,
    ReportFile,
    SiftedReports,
    read_reports,
    report_lines,
    sift_reports,
)
from anonymizer_gui.engine.rooms.survey.run import perturb_answers
from anonymizer_gui.engine.storage.json_io import parse_strict
from anonymizer_gui.engine.storage.safe_open import read_regular
from anonymizer_gui.engine.storage.saving import write_text
from anonymizer_gui.engine.storage.sources import Source, files_of_sources, refuse_overwrite

_LARGEST_BYTES = 64 << 20

_LONGEST_PATH = 200

_SHORT = ("question", "text", "name", "values", "low", "high", "bins", "protocol", "epsilon")


def question_options(parser: argparse.ArgumentParser) -> None:
    """Declare what can be said about a question."""
    parser.add_argument("--protocol", metavar="NAME", help="see `list protocols` (the one with the smallest error)")
    parser.add_argument("--epsilon", default="1", metavar="NUMBER", help="what an answer may cost (1)")
    parser.add_argument("--values", metavar="VALUES", help="what can be answered, with commas")
    parser.add_argument("--low", type=float, metavar="NUMBER", help="the lower bound of a number")
    parser.add_argument("--high", type=float, metavar="NUMBER", help="the upper bound of a number")
    parser.add_argument("--bins", type=int, default=0, metavar="NUMBER", help="ranges of a histogram (0: the mean)")


def split_values(text: str) -> tuple[str, ...]:
    """Take values that are written with commas between them."""
    return tuple(value.strip() for value in text.split(",") if value.strip())


def collection_from(args: argparse.Namespace) -> Collection:
    """Give the collection of a file that holds a project, a survey or one question, or of the words of a question."""
    path = Path(args.question)
    if len(args.question) < _LONGEST_PATH and path.is_file():
        return _from_file(read_regular(path, _LARGEST_BYTES), path)
    if not args.values and (args.low is None or args.high is None):
        raise BadParameter("What can be answered?", "Say --values yes,no, or --low 0 --high 100 for a number.")
    values = split_values(args.values or "")
    bounds = {} if values else {"low": args.low, "high": args.high, "bins": args.bins}
    question = Question(_name(args.question), args.question, values, protocol=args.protocol or BEST, **bounds)
    return Project(title=args.question, questions=(question,), epsilon=exact_amount(args.epsilon)).collection()


def _from_file(content: bytes, path: Path) -> Collection:
    try:
        entries = json.loads(content)
    except (ValueError, RecursionError):
        raise UnreadableFile(f"“{path.name}” holds no question.", "A question is one JSON object.") from None
    if not isinstance(entries, dict):
        raise UnreadableFile(f"“{path.name}” holds no question.", "A question is one JSON object.")
    if entries.get("format") == FORMAT:
        return collection_from_json(entries)
    if "room" in entries:
        project = read_project(content)
        if not isinstance(project, Project):
            raise BadParameter(f"“{path.name}” is a project of another room.", "Choose one of a survey.")
        return project.collection()
    return project_from_json(_as_project(entries, path.stem)).collection()


def _as_project(entries: dict[str, Json], name: str) -> dict[str, Json]:
    """Take one question with its epsilon for a project; a project's own entries stay as they are."""
    if "questions" in entries or not set(entries) <= set(_SHORT):
        return entries
    text = str(entries.get("question", entries.get("text", name)))
    asked: dict[str, Json] = {
        key: entries[key] for key in ("values", "low", "high", "bins", "protocol") if key in entries
    }
    question = {"name": str(entries.get("name", _name(text))), "text": text, **asked}
    return {"title": text, "questions": [question], "epsilon": entries.get("epsilon", 1)}


def _name(text: str) -> str:
    """Give a question a short name of its words."""
    return "_".join(re.findall(r"\w+", text.lower())[:4]) or "question"


NAME = "ldp"

HELP = "Local differential privacy: answers that lie before they leave; exit 1 when no report counts."

_SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be said on the command line."""
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    _declare_design(actions.add_parser("design", help="compare the protocols for a question"))
    _declare_perturb(actions.add_parser("perturb", help="draw a report for every row of a table"))
    _declare_estimate(actions.add_parser("estimate", help="estimate from reports"))
    _declare_form(actions.add_parser("form", help="make a form that works in any browser, without network"))


def run(args: argparse.Namespace) -> int:
    """Do what was chosen."""
    return int(args.action(args))


def _declare_design(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--values", metavar="VALUES", help="how many values there are, or the values with commas")
    parser.add_argument("--number", action="store_true", help="the mean of a number instead of values")
    parser.add_argument("--epsilon", default="1", metavar="NUMBER", help="what an answer may cost (1)")
    parser.add_argument("--answers", type=int, default=1000, metavar="NUMBER", help="answers expected (1000)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(action=_design)


def _declare_perturb(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the table with the true answers")
    parser.add_argument("--column", required=True, metavar="COLUMN", help="the column with the answers")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="the reports, as lines of JSON")
    question_options(parser)
    add_reading_arguments(parser)
    parser.set_defaults(action=_perturb)


def _declare_estimate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("reports", metavar="REPORTS", help="a file of reports, or a folder of them")
    parser.add_argument("--survey", metavar="FILE", help="what the reports belong to, when they do not say so")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(action=_estimate)


def _declare_form(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", metavar="QUESTION", help="the words of the question, a survey or a project")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="the form, an HTML file")
    parser.add_argument("--language", default="", choices=["", "en", "de"], help="en or de (that of the browser)")
    parser.add_argument("--written", metavar="FILE", help="write the protocol down for programmers, too")
    parser.add_argument("--survey", metavar="FILE", help="write the survey, which estimating asks for, too")
    question_options(parser)
    parser.set_defaults(action=_form)


def _design(args: argparse.Namespace) -> int:
    epsilon = exact_amount(args.epsilon)
    found = design_number(epsilon, args.answers) if args.number else design(_size(args.values), epsilon, args.answers)
    if args.json:
        print(json.dumps(found.to_json(), ensure_ascii=False))
    else:
        sys.stdout.write(_as_text(found))
    return 0


def _size(values: str | None) -> int:
    if values is None:
        raise BadParameter("How many values are there?", "Say --values 8, or --values red,green,blue.")
    return int(values) if values.isdecimal() else len(split_values(values))


def _as_text(found: Design) -> str:
    head = f"{'':<12}{'p':>10}{'q':>10}{'variance':>14}{'bits':>7}{'sd':>12}{'smallest':>10}"
    rows = [
        f"{entry.name:<12}{entry.p:>10.6f}{entry.q:>10.6f}{entry.variance_per_answer:>14.6g}{entry.bits:>7}"
        f"{entry.sd:>12.6g}{entry.smallest_share:>10.4g}"
        for entry in found.entries
    ]
    return "\n".join([head, *rows, str(found.reason)]) + "\n"


def _perturb(args: argparse.Namespace) -> int:
    output, source = Path(args.output), source_from(args.file, args.read)
    refuse_overwrite([output], files_of_sources([source]))
    read = room_of(Project.room).read(TABLE, source, SILENT)
    print_notes(args.file, read.notes)
    if not isinstance(read.data, Table):
        raise BadParameter(f"“{Path(args.file).name}” holds reports already.", "Choose the table with true answers.")
    column = read.data.column(args.column)
    known = _asked_of(args, tuple(column.labels))
    collection = Project(title=args.column, questions=(known,), epsilon=_epsilon(args.epsilon)).collection()
    decimal = str(read.source.options.get("decimal", "."))
    places = {args.column: known.places([str(text) for text in column.texts()], decimal)}
    write_text(output, "".join(f"{line}\n" for line in report_lines(collection, perturb_answers(collection, places))))
    sys.stderr.write(f"{read.data.n_rows} reports of survey {collection.fingerprint}.\n")
    return 0


def _asked_of(args: argparse.Namespace, labels: Sequence[str]) -> Question:
    """Make the question; values that are not given are read off the column, which is said."""
    name, low, high = args.protocol or BEST, args.low, args.high
    if low is not None or high is not None:
        return Question(args.column, low=float(low or 0), high=float(high or 0), bins=args.bins, protocol=name)
    if args.values is None:
        sys.stderr.write("The values were read off the column: what can be answered should be known without it.\n")
    values = tuple(labels) if args.values is None else split_values(args.values)
    return Question(args.column, values=values, protocol=name)


def _epsilon(text: str) -> Fraction:
    return exact_amount(text)


def _estimate(args: argparse.Namespace) -> int:
    collected = read_reports(Path(args.reports))
    collection = _survey_of(args.survey, collected)
    sifted = sift_reports(collection, collected)
    _tell_problems(sifted.problems)
    results = estimate_questions(collection, sifted)
    if args.json:
        print(json.dumps(_told(collection, sifted, results), ensure_ascii=False))
    else:
        sys.stdout.write("".join(_lines(result) for result in results))
    return 0


def _survey_of(path: str | None, collected: ReportFile) -> Collection:
    if path is not None:
        return collection_from_json(parse_strict(read_regular(Path(path), _LARGEST_BYTES)))
    if collected.collection is None:
        _tell_problems(collected.problems)
        raise BadParameter("The reports do not say which survey they belong to.", "Name it with --survey.")
    return collected.collection


def _tell_problems(problems: Sequence[RejectedReport]) -> None:
    for problem in problems[:_SHOWN]:
        sys.stderr.write(f"{problem.place}: {problem.sentence}\n")
    if problems:
        sys.stderr.write(f"{len(problems)} reports are not counted.\n")


def _told(collection: Collection, sifted: SiftedReports, results: Sequence[QuestionEstimates]) -> dict[str, object]:
    questions = [result.to_json() for result in results]
    problems = [{"place": problem.place, "reason": str(problem.sentence)} for problem in sifted.problems]
    first = {name: questions[0][name] for name in ("n", "estimates", "sd")}
    return {
        **first,
        "survey": collection.fingerprint,
        "epsilon": float(collection.epsilon),
        "reports": sifted.n,
        "not_counted": problems,
        "questions": questions,
    }


def _lines(result: QuestionEstimates) -> str:
    head = f"{result.question.name}: {result.question.protocol}, {result.n} reports\n"
    rows = [f"  {cell.value:<30} {cell.estimate:>14.6g} ± {1.96 * cell.sd:.4g}\n" for cell in result.cells]
    return head + "".join(rows)


def _form(args: argparse.Namespace) -> int:
    written = [Path(path) for path in (args.output, args.written, args.survey) if path]
    source = Path(args.question)
    refuse_overwrite(
        written, files_of_sources([Source(args.question)]) if len(args.question) < 200 and source.is_file() else []
    )
    collection = collection_from(args)
    write_form(collection, Path(args.output), args.language)
    if args.written:
        write_text(Path(args.written), protocol_document(collection))
    if args.survey:
        write_text(Path(args.survey), json.dumps(collection.to_json(), ensure_ascii=False, indent=1) + "\n")
    sys.stderr.write(f"The form of survey {collection.fingerprint}, epsilon {float(collection.epsilon):g}.\n")
    return 0
