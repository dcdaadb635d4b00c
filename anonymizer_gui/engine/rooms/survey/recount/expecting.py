"""The entries of a certificate about a collection, as they follow from the published files and the protocols."""

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.survey.recount.chances import chances_of
from anonymizer_gui.engine.rooms.survey.recount.counting import error_of_nobody, of_one_fake, spread_in, support_of
from anonymizer_gui.engine.rooms.survey.recount.reading import Row, plain, questions_in, rows_in

_FORMAT, _VERSION = "anonymizer survey", 1
_DIGITS = 16
_MEAN = "mean"
Entries = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Published:
    """What was published of a collection: the rows of the estimates, and where they say so, survey and reports."""

    rows: Sequence[Row]
    questions: Sequence[Entries] | None
    """The entries of the questions in an estimates file of JSON."""
    fingerprint: str
    """The survey that the files name; nothing where none does."""
    epsilon: float | None
    survey: Entries | None
    """The first line of the reports."""
    reports: Sequence[Entries] | None


def published(name: str, content: bytes, reports: bytes | None) -> Published:
    """Read the files; raises ValueError, KeyError or TypeError for what is none."""
    rows, told = rows_in(name, content), questions_in(name, content)
    lines = None if reports is None else [json.loads(line) for line in reports.decode("utf-8").splitlines()]
    named = "" if told is None else told["survey"]
    return Published(
        rows,
        None if told is None else told["questions"],
        named if lines is None else fingerprint_of(lines[0]),
        None if told is None else told["epsilon"],
        None if lines is None else lines[0],
        None if lines is None else lines[1:],
    )


def fingerprint_of(survey: Entries) -> str:
    """Give what reports name their survey by."""
    told = {name: entry for name, entry in survey.items() if name != "fingerprint"}
    text = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def named_otherwise(found: Published, survey: Entries) -> bool:
    """Tell whether a published file names another survey than the certificate describes."""
    own = fingerprint_of(survey)
    named = {found.fingerprint or own} | {report["survey"] for report in found.reports or ()}
    is_priced = found.epsilon is None or found.epsilon == float(Fraction(survey["epsilon"]))
    return named != {own} or not is_priced


def expected_survey(found: Published, survey: Entries) -> dict[str, Any]:
    """Give the entries of the survey: chances and shares of epsilon anew, all else where a published file says so.

    Shares of epsilon are exact fractions.
    """
    base = dict(found.survey or {"format": _FORMAT, "version": _VERSION})
    asked, rows = survey["questions"], iter(found.rows)
    share = Fraction(survey["epsilon"]) / (len(asked) if survey["sharing"] == "split" else 1)
    said = base.get("questions", [{}] * len(asked))
    questions = [{**own, **_question(each, share, rows)} for own, each in zip(said, asked, strict=True)]
    return {**base, "questions": questions, "fingerprint": found.fingerprint or fingerprint_of(survey)}


def _question(question: Entries, share: Fraction, rows: Iterator[Row]) -> dict[str, Any]:
    """Give name and values by the rows of the estimates, and what follows from the protocol."""
    values = question.get("values", [])
    own = [next(rows) for _ in values or (_MEAN,)]
    told: dict[str, Any] = {"name": _same(own[0][0], question["name"]), "epsilon": share}
    if "bins" in question:
        told["values"] = ranges(question["low"], question["high"], question["bins"])
        told |= {name: question[name] for name in ("low", "high", "bins")}
    elif values:
        told["values"] = [_same(row[1], value) for row, value in zip(own, values, strict=True)]
    return {**told, "chances": chances_of(question["protocol"], len(values), share)}


def ranges(low: float, high: float, bins: int) -> list[str]:
    """Name the ranges of a number."""
    ends = [low + (high - low) * at / bins for at in range(bins + 1)]
    return [f"{one:g}–{other:g}" for one, other in pairwise(ends)]


def _same(written: str, told: str) -> str:
    """Give a text of the file as the certificate writes it, without a spreadsheet's apostrophe."""
    return told if plain(told) == written else written


def expected_results(found: Published, survey: Entries, progress: Progress = SILENT) -> list[dict[str, Any]]:
    """Give the entries of every question: as the file has them, with counts of the reports where they are there."""
    rows, results = iter(found.rows), []
    for at, question in enumerate(survey["questions"]):
        values = question.get("values", [_MEAN])
        own = [next(rows) for _ in values]
        part = progress.sub(at / len(survey["questions"]), (at + 1) / len(survey["questions"]))
        results.append(_result(found, question, dict(zip(values, own, strict=True)), part))
        if found.questions is not None:
            results[-1]["protocol"] = found.questions[at]["protocol"]
    return results


def _result(found: Published, question: Entries, rows: Mapping[str, Row], progress: Progress) -> dict[str, Any]:
    first = next(iter(rows.values()))
    n, spread = first[2], first[5]
    support = {value: row[3] for value, row in rows.items()}
    if found.reports is not None:
        n = sum(question["name"] in report["answers"] for report in found.reports)
        support = support_of(question, found.reports, progress)
        counted = math.nan if "values" in question else spread_in(question, found.reports)
        spread = spread if math.isnan(counted) else counted
    return {
        "question": question["name"],
        "protocol": question["protocol"],
        "n": n,
        "sd": error_of_nobody(question, n) if "values" in question else spread,
        "estimates": {value: row[4] for value, row in rows.items()},
        "sds": {value: row[5] for value, row in rows.items()},
        "intervals": {value: [row[6], row[7]] for value, row in rows.items()},
        "consistent": {value: row[8] for value, row in rows.items()},
        "support": support,
        "most_of_one_fake": of_one_fake(question, n),
    }


def expected_count(found: Published, survey: Entries) -> int:
    """Give the number of reports: those that are there, or the answers, of which each report has all or one."""
    if found.reports is not None:
        return len(found.reports)
    sizes = [1 if "values" not in question else len(question["values"]) for question in survey["questions"]]
    starts = [sum(sizes[:at]) for at in range(len(sizes))]
    answers = [found.rows[start][2] for start in starts]
    return sum(answers) if survey["sharing"] == "one" else answers[0]
