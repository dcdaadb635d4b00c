"""Which reports count: those of this survey, each once, with answers that a client can have sent; others are listed."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.dp.local.protocol import Reports
from anonymizer_gui.engine.rooms.survey.collection import Collection
from anonymizer_gui.engine.rooms.survey.reports import Collected, Problem, Record

_STEP = 20_000


@dataclass(frozen=True, slots=True, eq=False)
class Sifted:
    """The reports that count, by question, and those that do not."""

    n: int
    """The respondents whose report counts."""
    answers: Mapping[str, Reports]
    records: tuple[Record, ...]
    problems: tuple[Problem, ...]


def sift(collection: Collection, collected: Collected, progress: Progress = SILENT) -> Sifted:
    """Take the reports of this collection, each once, whose answers a client can have sent; list all others."""
    problems, kept = list(collected.problems), list[Record]()
    seen: dict[str, Record] = {}
    decoded: dict[str, list[Json]] = {question.name: [] for question in collection.questions}
    for at, record in enumerate(collected.records):
        if at % _STEP == 0:
            progress(at / len(collected.records), "Looking at every report")
        answers = _repeated(record, seen) or _decoded(collection, record)
        if isinstance(answers, Message):
            problems.append(Problem(record.place, answers))
            continue
        seen[record.id] = record
        kept.append(record)
        for name, answer in answers.items():
            decoded[name].append(answer)
    gathered = {name: collection.protocols[name].gather(answers) for name, answers in decoded.items()}
    return Sifted(len(kept), gathered, tuple(kept), tuple(problems))


def _decoded(collection: Collection, record: Record) -> dict[str, Json] | Message:
    if record.survey != collection.fingerprint:
        return message("It is of another survey, or of another version of this one.")
    known, given = set(collection.protocols), set(record.answers)
    if not given <= known or len(given) != (len(known) if collection.sharing == "split" else 1):
        return message("It does not answer what was asked.")
    try:
        return {name: collection.protocols[name].decode(text) for name, text in record.answers.items()}
    except ValueError:
        return message("It holds an answer that the form never sends.")


def _repeated(record: Record, seen: Mapping[str, Record]) -> Message | None:
    if record.id not in seen:
        return None
    if seen[record.id].answers == record.answers:
        return message("It was counted already, at {place}.", place=seen[record.id].place)
    return message("It has the id of another report, at {place}.", place=seen[record.id].place)


def told(problems: Iterable[Problem]) -> dict[str, int]:
    """Count the reports that are not counted, by the reason without its places."""
    return dict(Counter(str(problem.sentence).partition(", at ")[0] for problem in problems))
