"""The protocol in writing, so that others can build a client or a server of their own."""

import json
from fractions import Fraction

import numpy as np

from anonymizer_gui.engine.dp.local.protocol import FrequencyProtocol, MeanProtocol
from anonymizer_gui.engine.rooms.survey.collection import Collection
from anonymizer_gui.engine.rooms.survey.question import Question

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


def protocol_text(collection: Collection) -> str:
    """Describe a collection in Markdown: chances, encoding, estimator and the format of a report."""
    parts = [
        f"# {collection.title or 'Survey'}",
        f"Fingerprint `{collection.fingerprint}`, epsilon {float(collection.epsilon):g} for one respondent. "
        f"{_sharing(collection)}",
        "Random bits come from the operating system (`crypto.getRandomValues`, `os.urandom`). A chance is a whole "
        "number out of 2^53: draw 53 bits and compare, yes when they are smaller. A number from 0 to m − 1 is drawn "
        "without favour: numbers from the largest multiple of m on are drawn again.",
        *(_question(collection, question) for question in collection.questions),
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


def _question(collection: Collection, question: Question) -> str:
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
