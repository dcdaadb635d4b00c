"""Questions, protocols, exact chances; the form and the protocol in writing."""

import hashlib
import html
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.budget import amount_text, exact_amount
from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.dp.local.design import STEPS, design, design_number, frequency_protocol, mean_protocol
from anonymizer_gui.engine.dp.local.protocol import FrequencyProtocol, Ints, MeanProtocol
from anonymizer_gui.engine.dp.safe_rounding import is_within, log_exact
from anonymizer_gui.engine.projects.json_entries import number_in, text_in, whole_in
from anonymizer_gui.engine.storage.saving import write_text

BEST = "best"
"""Stands for the protocol with the smallest error, which is chosen when the collection begins."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question. Without values it asks for a number between two bounds: its mean, or how many lie in each range."""

    name: str
    """What reports and results call it; a column of that name holds the answers of a table."""
    text: str = ""
    values: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 0.0
    bins: int = 0
    """The ranges of a histogram of a number; without any its mean is asked for."""
    protocol: str = BEST

    @property
    def asks(self) -> Literal["values", "number"]:
        """Whether one of several values is asked for, or a number."""
        return "values" if self.domain else "number"

    @property
    def domain(self) -> tuple[str, ...]:
        """What a report can speak of: the values, or the ranges of a number; nothing when its mean is asked for."""
        if self.values or not self.bins:
            return self.values
        ends = [self.low + (self.high - self.low) * at / self.bins for at in range(self.bins + 1)]
        return tuple(f"{low:g}–{high:g}" for low, high in pairwise(ends))

    def made(self, epsilon: Fraction) -> FrequencyProtocol | MeanProtocol:
        """Make its protocol with what an answer may cost; raises BadParameter."""
        self.check()
        name = self.chosen(epsilon)
        return frequency_protocol(name, len(self.domain), epsilon) if self.domain else mean_protocol(name, epsilon)

    def chosen(self, epsilon: Fraction) -> str:
        """Name the protocol; the best one unless another was chosen."""
        if self.protocol != BEST:
            return self.protocol
        return design(len(self.domain), epsilon, 1).best if self.domain else design_number(epsilon, 1).best

    def check(self) -> None:
        """Raise BadParameter unless there is something to answer."""
        if not self.name.strip():
            raise BadParameter("A question has no name.", "Give it one, such as smokes.")
        if not self.values and not (self.low < self.high and math.isfinite(self.high - self.low)):
            raise BadParameter(
                message("The question “{name}” has neither values nor bounds.", name=self.name),
                "Give at least two values, or a lower and a higher bound.",
            )
        if len(set(self.domain)) != len(self.domain):
            raise BadParameter(
                message("The question “{name}” has the same value twice.", name=self.name), "Every value stands once."
            )

    def steps(self, number: float) -> int:
        """Give a number as whole steps between the bounds, halves up, as the form does."""
        return math.floor((number - self.low) / (self.high - self.low) * STEPS + 0.5)

    def bin(self, number: float) -> int:
        """Give the range a number lies in, as the form does; the upper bound belongs to the last."""
        return min(math.floor((number - self.low) / (self.high - self.low) * self.bins), self.bins - 1)

    def places(self, answers: list[str], decimal: str = ".") -> Ints:
        """Give answers as places in the domain; raises BadParameter when one is outside of it, without naming it."""
        return np.array(self._values(answers) if self.values else self._numbers(answers, decimal), dtype=np.int64)

    def _values(self, answers: list[str]) -> list[int]:
        known = {value: place for place, value in enumerate(self.values)}
        found = [known.get(answer, -1) for answer in answers]
        self._refuse(found.count(-1))
        return found

    def _numbers(self, answers: list[str], decimal: str) -> list[int]:
        numbers = [_number(answer.replace(decimal, ".")) for answer in answers]
        self._refuse(sum(not self.low <= number <= self.high for number in numbers))
        return [self.bin(number) if self.bins else self.steps(number) for number in numbers]

    def _refuse(self, outside: int) -> None:
        if outside:
            raise BadParameter(
                message("{outside:answer|answers} to “{name}” cannot be given.", outside=outside, name=self.name),
                "Add a value for them, such as “other”, or widen the bounds: nobody is left out in silence.",
            )


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


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


def collection_from_json(entries: Json) -> Collection:
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


Language = Literal["", "en", "de"]

_TEMPLATE = ("forms", "survey.html")


def html_form(collection: Collection, language: Language = "") -> str:
    """Give the form of a collection; without a language it takes that of the browser."""
    # Inside a script element only this sign could end the element.
    told = json.dumps(collection.to_json(), ensure_ascii=False).replace("<", "\\u003c")
    page = resource_path(*_TEMPLATE).read_text(encoding="utf-8")
    filled = {
        "@TITLE@": html.escape(collection.title or "Survey"),
        "@FINGERPRINT@": collection.fingerprint,
        "@LANGUAGE@": language,
        "@SURVEY@": told,
    }
    # In one pass, so that a title that looks like a mark stays a title.
    return re.sub("|".join(filled), lambda mark: filled[mark.group()], page)


def write_form(collection: Collection, path: Path, language: Language = "") -> None:
    """Write the form; raises UnwritableFile."""
    write_text(path, html_form(collection, language))


_COUNTED = (
    "A report supports the true value with p = {p} and every other with q = {q}. From n reports of which c support a "
    "value, (c − n q) / (p − q) estimates how many have it."
)

_AVERAGED = (
    "From reports with the mean m, taken as whole numbers, low + (high − low) (m − {begin}) / {reach} estimates the "
    "mean."
)

_BINNED = (
    "\n\nA number x from low = {low:g} to high = {high:g} belongs to the range with the number "
    "floor((x − low) / (high − low) · {bins}), and the upper bound to the last one."
)

_EXAMPLE_ID = "0123456789abcdef0123456789abcdef"


def protocol_document(collection: Collection) -> str:
    """Describe a collection in Markdown: chances, encoding, estimator and the format of a report."""
    parts = [
        f"# {collection.title or 'Survey'}",
        f"Fingerprint `{collection.fingerprint}`, epsilon {float(collection.epsilon):g} for one respondent. "
        f"{_sharing(collection)}",
        "Random bits come from the operating system (`crypto.getRandomValues`, `os.urandom`). A chance is a whole "
        "number out of 2^53: draw 53 bits and compare, yes when they are smaller. A number from 0 to m − 1 is drawn "
        "without favour: numbers from the largest multiple of m on are drawn again.",
        *(_protocol_text_question(collection, question) for question in collection.questions),
        "## Report",
        "One JSON object on a line, UTF-8: `survey` is the fingerprint, `id` 16 random bytes as hexadecimal digits, "
        "`answers` a text for every question that was answered. A respondent sends one report and keeps it: whoever "
        "is asked again sends the same one, never a new draw.",
        f"```\n{json.dumps(_example(collection), ensure_ascii=False)}\n```",
        "As a table: the columns survey, id, and one for every question; cells of questions that were not asked are "
        "empty.",
        "## Proof",
        "The largest ratio of the chances of one report for two answers is, exactly, "
        f"{collection.ratio.numerator} / {collection.ratio.denominator} = {float(collection.ratio):.12g}, and so at "
        f"most e^{float(collection.epsilon):g}.",
    ]
    return "\n\n".join(parts) + "\n"


def _sharing(collection: Collection) -> str:
    if len(collection.questions) == 1:
        return "There is one question."
    if collection.sharing == "split":
        return f"Everybody answers every question, each with epsilon {float(collection.share):g}."
    return "Everybody answers one question, which is drawn by lot before it is asked, each equally likely."


def _protocol_text_question(collection: Collection, question: Question) -> str:
    protocol = collection.protocols[question.name]
    numbers = "\n".join(f"- {name} = {number}" for name, number in protocol.chances().items())
    if isinstance(protocol, FrequencyProtocol):
        answers = "\n".join(f"{place}. `{value}`" for place, value in enumerate(question.domain))
        answers += _BINNED.format(low=question.low, high=question.high, bins=question.bins) if question.bins else ""
        reading = _COUNTED.format(p=_shown(protocol.p), q=_shown(protocol.q))
    else:
        answers = f"A number from low = {question.low:g} to high = {question.high:g}."
        begin, reach = _line(protocol)
        reading = _AVERAGED.format(begin=f"{begin:.12g}", reach=f"{reach:.12g}")
    return "\n\n".join(
        [
            f"## {question.name}",
            question.text or question.name,
            f"Protocol `{protocol.name}`, {protocol.title}: {protocol.formula}. {protocol.reference}.",
            f"Answers, counted from 0:\n\n{answers}",
            f"Numbers:\n\n{numbers}",
            f"Client: {protocol.client()}",
            reading,
        ]
    )


def _line(protocol: MeanProtocol) -> tuple[float, float]:
    """Give the expected report of the lower bound, and how far that of the upper one lies from it."""
    none, one = protocol.numbers(np.array([0, 1])).tolist()
    return -none / (one - none), 1 / (one - none)


def _shown(chance: Fraction) -> str:
    return f"{float(chance):.12g}"


def _example(collection: Collection) -> dict[str, object]:
    asked = collection.questions if collection.sharing == "split" else collection.questions[:1]
    return {
        "survey": collection.fingerprint,
        "id": _EXAMPLE_ID,
        "answers": {question.name: "…" for question in asked},
    }
