"""A collection: all that a client needs to make a report and a server to count it; public, exact, and written down."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, get_args

from anonymizer_gui.engine.core.budget import amount_text, exact_amount
from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.dp.local.protocol import FrequencyProtocol, MeanProtocol
from anonymizer_gui.engine.dp.safe_rounding import is_within, log_exact
from anonymizer_gui.engine.projects.json_entries import number_in, text_in, whole_in
from anonymizer_gui.engine.rooms.survey.question import Question

FORMAT, VERSION = "anonymizer survey", 1
MOST_QUESTIONS = 50
MOST_BINS = 4096
_FAR = 1e300
Sharing = Literal["split", "one"]
SHARING: Mapping[Sharing, str] = {
    "split": "Everybody answers every question, and epsilon is split",
    "one": "Everybody answers one question, drawn by lot, with all of epsilon",
}


@dataclass(frozen=True)
class Collection:
    """What is asked, by which protocols, at what cost."""

    title: str
    intro: str
    epsilon: Fraction
    sharing: Sharing
    questions: tuple[Question, ...]

    def __post_init__(self) -> None:
        names = [question.name for question in self.questions]
        if not 1 <= len(names) <= MOST_QUESTIONS:
            raise BadParameter(
                "The survey asks nothing.", message("Add a question; there may be {most}.", most=MOST_QUESTIONS)
            )
        if len(set(names)) != len(names):
            raise BadParameter("Two questions have the same name.", "Give each its own.")
        if len(self.protocols) != len(names):
            raise BadParameter("A question cannot be asked.", "Look at its values.")

    @property
    def share(self) -> Fraction:
        """What one answer may cost."""
        return self.epsilon / len(self.questions) if self.sharing == "split" else self.epsilon

    @cached_property
    def protocols(self) -> dict[str, FrequencyProtocol | MeanProtocol]:
        """The protocols by the names of their questions."""
        return {question.name: question.made(self.share) for question in self.questions}

    @property
    def ratio(self) -> Fraction:
        """The largest ratio of the chances of one whole report, exactly: every answer may tell, or one of them."""
        ratios = [protocol.ratio() for protocol in self.protocols.values()]
        if self.sharing == "one":
            return max(ratios)
        together = Fraction(1)
        for ratio in ratios:
            together *= ratio
        return together

    @property
    def cost(self) -> float:
        """What a report really costs: the logarithm of the largest ratio."""
        return log_exact(self.ratio)

    @property
    def is_proven(self) -> bool:
        """Whether no report is more than e^epsilon times likelier for one person than for another."""
        return is_within(self.ratio, self.epsilon)

    @cached_property
    def fingerprint(self) -> str:
        """What reports name their collection by."""
        text = json.dumps(self.to_json(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def to_json(self) -> dict[str, Json]:
        """Give it as forms and the first line of reports hold it."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "title": self.title,
            "intro": self.intro,
            "epsilon": amount_text(self.epsilon),
            "sharing": self.sharing,
            "questions": [self._question_json(question) for question in self.questions],
        }

    def _question_json(self, question: Question) -> dict[str, Json]:
        protocol = self.protocols[question.name]
        values = {"values": list(question.domain)} if question.domain else {}
        bounds = {} if question.values else {"low": question.low, "high": question.high}
        asked = {**values, **bounds, **({"bins": question.bins} if question.bins else {})}
        about = {"name": question.name, "text": question.text, "protocol": question.protocol}
        return {**about, "epsilon": amount_text(self.share), **asked, "chances": dict(protocol.chances())}


def collection_from(entries: Json) -> Collection:
    """Read a collection; raises UnreadableFile, also when its chances are not those of its protocols."""
    try:
        made = _made(entries)
        is_same = made.to_json() == entries
    except UnreadableFile:
        raise
    except (AnonymizerError, TypeError, ValueError, KeyError, AttributeError, OverflowError):
        raise _foreign() from None
    if not is_same:
        raise UnreadableFile(
            "The description of the survey contradicts itself.", "Its chances are not those of its protocols: ask anew."
        )
    return made


def _made(entries: Json) -> Collection:
    if entries["format"] != FORMAT:
        raise _foreign()
    if entries["version"] != VERSION:
        raise UnreadableFile("The survey was made by a newer version.", "Install the newer version.")
    if entries["sharing"] not in get_args(Sharing):
        raise _foreign()
    questions = tuple(_question(entry) for entry in entries["questions"])
    epsilon, sharing = exact_amount(text_in(entries["epsilon"])), entries["sharing"]
    return Collection(text_in(entries["title"]), text_in(entries["intro"]), epsilon, sharing, questions)


def _question(entry: Mapping[str, Json]) -> Question:
    low, high = (number_in(entry.get(side, 0.0), -_FAR, _FAR) for side in ("low", "high"))
    bins = whole_in(entry.get("bins", 0), 0)
    values = () if bins else tuple(text_in(value) for value in entry.get("values", ()))
    if bins > MOST_BINS:
        raise ValueError
    name, text, protocol = (text_in(entry[part]) for part in ("name", "text", "protocol"))
    return Question(name, text, values, low, high, bins, protocol)


def _foreign() -> UnreadableFile:
    return UnreadableFile("This is no description of a survey.", "Choose the one that came with the form.")
