"""How a question is given on the command line: in words with options, as a survey, or as a project."""

import argparse
import json
import re
from pathlib import Path

from anonymizer_gui.engine.core.budget import exact_amount
from anonymizer_gui.engine.core.errors import BadParameter, UnreadableFile
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.projects.project_file import read_project
from anonymizer_gui.engine.rooms.survey.collection import BEST, FORMAT, Collection, Question, collection_from_json
from anonymizer_gui.engine.rooms.survey.project import Project, project_from_json
from anonymizer_gui.engine.storage.safe_open import read_regular

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


def values_in(text: str) -> tuple[str, ...]:
    """Take values that are written with commas between them."""
    return tuple(value.strip() for value in text.split(",") if value.strip())


def collection_asked(args: argparse.Namespace) -> Collection:
    """Give the collection of a file that holds a project, a survey or one question, or of the words of a question."""
    path = Path(args.question)
    if len(args.question) < _LONGEST_PATH and path.is_file():
        return _from_file(read_regular(path, _LARGEST_BYTES), path)
    if not args.values and (args.low is None or args.high is None):
        raise BadParameter("What can be answered?", "Say --values yes,no, or --low 0 --high 100 for a number.")
    values = values_in(args.values or "")
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
