"""The survey that is edited; its JSON."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Self, get_args

from anonymizer_gui.engine.core.budget import amount_text, exact_amount
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.dp.local.protocol import PROTOCOLS
from anonymizer_gui.engine.dp.safe_rounding import require_epsilon
from anonymizer_gui.engine.projects.json_entries import (
    EntryReader,
    entry_at,
    number_in,
    refuse_unknown_entries,
    require_only,
    text_in,
    whole_in,
)
from anonymizer_gui.engine.rooms.survey.collection import BEST, MOST_BINS, MOST_QUESTIONS, Collection, Question, Sharing
from anonymizer_gui.engine.storage.sources import Source

TABLE, REPORTS = "table", "reports"
"""The roles of the files a project may name."""


@dataclass(frozen=True, slots=True)
class Project:
    """Everything that is decided about one survey; an edit makes a new value."""

    room: ClassVar[str] = "survey"

    name: str = ""
    source: Source | None = None
    """Answers somebody holds already, to be perturbed row by row, or for playing through; may be reports itself."""
    reports: Source | None = None
    """Reports that came back: one file, or a folder of them."""
    title: str = ""
    intro: str = ""
    """What respondents read above the questions."""
    questions: tuple[Question, ...] = ()
    epsilon: Fraction = Fraction(1)
    """What all answers of one respondent may cost together."""
    sharing: Sharing = "split"
    answers: int = 1000
    """How many respondents are expected; for errors told ahead only."""
    with_reports: bool = False
    """Whether the reports leave beside the estimates, so that anybody can count again."""

    def sources(self) -> dict[str, Source]:
        """Give the files the project speaks of, by role."""
        named = {TABLE: self.source, REPORTS: self.reports}
        return {role: source for role, source in named.items() if source is not None}

    def with_sources(self, sources: Mapping[str, Source]) -> Self:
        """Take other files for these roles; a role that is not named has none."""
        return replace(self, source=sources.get(TABLE), reports=sources.get(REPORTS))

    def collection(self) -> Collection:
        """Give what respondents, and whoever counts their reports, must know; raises BadParameter."""
        questions = tuple(replace(each, protocol=each.chosen(self.share())) for each in self.questions)
        return Collection(self.title or self.name, self.intro, self.epsilon, self.sharing, questions)

    def share(self) -> Fraction:
        """Give what one answer may cost."""
        return self.epsilon / max(len(self.questions), 1) if self.sharing == "split" else self.epsilon


_FAR = 1e300

_MOST_ANSWERS = 1 << 50


def project_to_json(project: Project) -> dict[str, Json]:
    """Give everything that is decided but name and sources, in the order a person would read it."""
    return {
        "title": project.title,
        "intro": project.intro,
        "questions": [_question_json(question) for question in project.questions],
        "epsilon": amount_text(project.epsilon),
        "sharing": project.sharing,
        "answers": project.answers,
        "with_reports": project.with_reports,
    }


def project_from_json(entries: Mapping[str, Json]) -> Project:
    """Make the project; raises BadProject with one sentence for the first thing that is wrong."""
    usual = project_to_json(Project())
    refuse_unknown_entries(entries, usual)
    read = EntryReader(told := {**usual, **entries})

    def made(name: str, make: Callable[[Json], Any]) -> Any:
        return entry_at(name, make, told[name])

    return Project(
        title=read.text("title"),
        intro=read.text("intro"),
        questions=made("questions", _questions),
        epsilon=made("epsilon", _epsilon),
        sharing=made("sharing", _sharing),
        answers=made("answers", _answers),
        with_reports=made("with_reports", _flag),
    )


def _question_json(question: Question) -> dict[str, Json]:
    return {
        "name": question.name,
        "text": question.text,
        "values": list(question.values),
        "low": question.low,
        "high": question.high,
        "bins": question.bins,
        "protocol": question.protocol,
    }


def _questions(entry: Json) -> tuple[Question, ...]:
    if not isinstance(entry, list) or len(entry) > MOST_QUESTIONS:
        raise ValueError
    return tuple(_question(each) for each in entry)


def _question(entry: Json) -> Question:
    known = require_only(entry, "name", "text", "values", "low", "high", "bins", "protocol")
    if not isinstance(known.get("values", []), list):
        raise ValueError
    protocol = text_in(known.get("protocol", BEST))
    if protocol != BEST:
        PROTOCOLS.get(protocol)
    return Question(
        name=text_in(known["name"]),
        text=text_in(known.get("text", "")),
        values=tuple(text_in(value) for value in known.get("values", [])),
        low=number_in(known.get("low", 0.0), -_FAR, _FAR),
        high=number_in(known.get("high", 0.0), -_FAR, _FAR),
        bins=_bins(known.get("bins", 0)),
        protocol=protocol,
    )


def _bins(entry: Json) -> int:
    if not 0 <= whole_in(entry) <= MOST_BINS:
        raise ValueError
    return int(entry)


def _epsilon(entry: Json) -> Fraction:
    if isinstance(entry, bool) or not isinstance(entry, int | float | str):
        raise ValueError
    return require_epsilon(exact_amount(entry))


def _sharing(entry: Json) -> Any:
    if text_in(entry) not in get_args(Sharing):
        raise ValueError
    return entry


def _answers(entry: Json) -> int:
    if not 0 < whole_in(entry) <= _MOST_ANSWERS:
        raise ValueError
    return int(entry)


def _flag(entry: Json) -> bool:
    if not isinstance(entry, bool):
        raise ValueError
    return entry
