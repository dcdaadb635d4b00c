"""Reports read, and sifted."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.dp.local.protocol import Reports
from anonymizer_gui.engine.rooms.survey.collection import FORMAT, Collection, collection_from_json
from anonymizer_gui.engine.storage.json_io import parse_strict
from anonymizer_gui.engine.storage.safe_open import read_regular

LINES = (".jsonl", ".ndjson", ".json", ".txt")

SUFFIXES = (*LINES, ".csv")

_LARGEST_BYTES = 4 << 30

ID_DIGITS = 32

_HEAD = ("survey", "id")

_ENTRIES = (b'"survey"', b'"id"', b'"answers"')

_STEP = 20_000


@dataclass(frozen=True, slots=True)
class Report:
    """One report as it was sent; `place` says where it stands."""

    place: str
    survey: str
    id: str
    answers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class RejectedReport:
    """A report that is not counted: where it stands, and why."""

    place: str
    sentence: Message


@dataclass(frozen=True, slots=True)
class ReportFile:
    """What a file or folder of reports holds, before anything is counted."""

    collection: Collection | None = None
    records: tuple[Report, ...] = ()
    problems: tuple[RejectedReport, ...] = ()
    digest: str = ""


def read_reports(path: Path, progress: Progress = SILENT) -> ReportFile:
    """Read a file of reports, or all files of a folder in the order of their names; raises UnreadableFile."""
    places = sorted(each for each in path.iterdir() if _is_readable(each)) if path.is_dir() else [path]
    if not places:
        raise UnreadableFile(
            message("The folder “{name}” holds no reports.", name=path.name), "Reports are .json or .csv."
        )
    digest, collection, records, problems = sha256(), None, [], []
    for at, place in enumerate(places):
        progress(at / len(places), "Reading the reports")
        content = read_regular(place, _LARGEST_BYTES)
        digest.update(content)
        part = progress.sub(at / len(places), (at + 1) / len(places))
        for found in _read_one(content, place, part):
            if isinstance(found, Collection):
                collection = collection or found
            elif isinstance(found, Report):
                records.append(found)
            else:
                problems.append(found)
    return ReportFile(collection, tuple(records), tuple(problems), digest.hexdigest())


def is_reports(head: bytes) -> bool:
    """Tell a file of reports by its beginning."""
    first = head.lstrip(b"\xef\xbb\xbf \r\n").partition(b"\n")[0]
    is_line = first.startswith(b"{") and (FORMAT.encode() in first or all(name in first for name in _ENTRIES))
    return is_line or first.startswith(b"survey,id,")


def _is_readable(path: Path) -> bool:
    return path.suffix.lower() in SUFFIXES and path.is_file()


ParsedLine = Collection | Report | RejectedReport


def _read_one(content: bytes, path: Path, progress: Progress) -> Iterator[ParsedLine]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        yield RejectedReport(path.name, message("It is not text in UTF-8."))
        return
    if path.suffix.lower() == ".csv":
        yield from _rows(text, path.name)
        return
    lines = [text] if path.suffix.lower() == ".json" and "\n{" not in text.strip() else text.splitlines()
    for at, line in enumerate(lines):
        if at % _STEP == 0:
            progress(at / len(lines), "Reading the reports")
        if line.strip():
            yield _line(line, f"{path.name}:{at + 1}")


def _line(line: str, place: str) -> ParsedLine:
    try:
        entry = parse_strict(line)
    except (ValueError, RecursionError):
        return RejectedReport(place, message("It is no report: not one JSON object."))
    if isinstance(entry, dict) and entry.get("format") == FORMAT:
        return _described(entry, place)
    if (
        not isinstance(entry, dict)
        or set(entry) != {"survey", "id", "answers"}
        or not isinstance(entry["answers"], dict)
    ):
        return RejectedReport(place, message("It is no report: it has not the entries survey, id and answers."))
    return _record(place, entry["survey"], entry["id"], entry["answers"])


def _described(entry: Json, place: str) -> ParsedLine:
    """Take the description of a survey; one that is broken must not keep the other reports from being counted."""
    try:
        return collection_from_json(entry)
    except UnreadableFile as error:
        return RejectedReport(place, message(error.message))


def _record(place: str, survey: Json, name: Json, answers: Mapping[str, Json]) -> Report | RejectedReport:
    texts = [survey, name, *answers.values()]
    if not all(isinstance(text, str) for text in texts):
        return RejectedReport(place, message("It is no report: its entries are not texts."))
    if len(name) != ID_DIGITS or not set(name) <= set("0123456789abcdef"):
        return RejectedReport(place, message("It has no id of {digits} hexadecimal digits.", digits=ID_DIGITS))
    return Report(place, survey, name, answers)


def _rows(text: str, name: str) -> Iterator[ParsedLine]:
    rows = _cells(text)
    head = next(rows, []) or []
    if tuple(head[:2]) != _HEAD or len(set(head)) != len(head):
        yield RejectedReport(f"{name}:1", message("Its columns are not survey, id, and one for every question."))
        return
    for at, row in enumerate(rows):
        place = f"{name}:{at + 2}"
        if row is None or len(row) != len(head):
            yield RejectedReport(place, message("It has not as many cells as there are columns."))
        else:
            answers = {question: cell for question, cell in zip(head[2:], row[2:], strict=True) if cell}
            yield _record(place, row[0], row[1], answers)


def _cells(text: str) -> Iterator[list[str] | None]:
    """Give the rows of a table; nothing stands for one that cannot be read, such as one with an endless cell."""
    rows = csv.reader(io.StringIO(text, newline=""))
    while True:
        try:
            yield next(rows)
        except StopIteration:
            return
        except csv.Error:
            yield None


def report_lines(collection: Collection, records: Iterable[Report]) -> Iterator[str]:
    """Give a file of reports line by line: the collection first, then a report on each line."""
    yield json.dumps(collection.to_json(), ensure_ascii=False)
    for record in records:
        yield json.dumps(
            {"survey": record.survey, "id": record.id, "answers": dict(record.answers)}, ensure_ascii=False
        )


@dataclass(frozen=True, slots=True, eq=False)
class SiftedReports:
    """The reports that count, by question, and those that do not."""

    n: int
    """The respondents whose report counts."""
    answers: Mapping[str, Reports]
    records: tuple[Report, ...]
    problems: tuple[RejectedReport, ...]


def sift_reports(collection: Collection, collected: ReportFile, progress: Progress = SILENT) -> SiftedReports:
    """Take the reports of this collection, each once, whose answers a client can have sent; list all others."""
    problems, kept = list(collected.problems), list[Report]()
    seen: dict[str, Report] = {}
    decoded: dict[str, list[Json]] = {question.name: [] for question in collection.questions}
    for at, record in enumerate(collected.records):
        if at % _STEP == 0:
            progress(at / len(collected.records), "Looking at every report")
        answers = _repeated(record, seen) or _decoded(collection, record)
        if isinstance(answers, Message):
            problems.append(RejectedReport(record.place, answers))
            continue
        seen[record.id] = record
        kept.append(record)
        for name, answer in answers.items():
            decoded[name].append(answer)
    gathered = {name: collection.protocols[name].gather(answers) for name, answers in decoded.items()}
    return SiftedReports(len(kept), gathered, tuple(kept), tuple(problems))


def _decoded(collection: Collection, record: Report) -> dict[str, Json] | Message:
    if record.survey != collection.fingerprint:
        return message("It is of another survey, or of another version of this one.")
    known, given = set(collection.protocols), set(record.answers)
    if not given <= known or len(given) != (len(known) if collection.sharing == "split" else 1):
        return message("It does not answer what was asked.")
    try:
        return {name: collection.protocols[name].decode(text) for name, text in record.answers.items()}
    except ValueError:
        return message("It holds an answer that the form never sends.")


def _repeated(record: Report, seen: Mapping[str, Report]) -> Message | None:
    if record.id not in seen:
        return None
    if seen[record.id].answers == record.answers:
        return message("It was counted already, at {place}.", place=seen[record.id].place)
    return message("It has the id of another report, at {place}.", place=seen[record.id].place)


def count_rejections(problems: Iterable[RejectedReport]) -> dict[str, int]:
    """Count the reports that are not counted, by the reason without its places."""
    return dict(Counter(str(problem.sentence).partition(", at ")[0] for problem in problems))
