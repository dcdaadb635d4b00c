"""Proof, supports, estimates and file once more."""

import csv
import hashlib
import json
import math
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from typing import Any

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.progress import SILENT, Progress

_ALL = 2**53


def ratio_of(protocol: str, chances: Mapping[str, int]) -> Fraction:
    """Give the likelihood ratio of the most telling report; raises KeyError for a protocol that is not known."""
    if protocol in ("oue", "sue"):
        one, other = chances["one"], chances["other"]
        return Fraction(one * (_ALL - other), other * (_ALL - one))
    if protocol in ("rr-alpha", "rr-coins"):
        return Fraction(_ALL + chances["alpha"], _ALL - chances["alpha"])
    if protocol == "piecewise":
        near, window, cells = chances["near"], chances["window"], chances["cells"]
        return Fraction(near * (cells - window), window * (_ALL - near))
    others = {"grr": chances.get("size", 0) - 1, "olh": chances.get("places", 0) - 1, "rr": 1, "duchi": 1}[protocol]
    return Fraction(chances["keep"] * others, _ALL - chances["keep"])


def product_ratio(ratios: Sequence[Fraction], sharing: str) -> Fraction:
    """Give the ratio of a whole report."""
    return max(ratios) if sharing == "one" else math.prod(ratios, start=Fraction(1))


def whole_ratio(survey: Mapping[str, Any]) -> Fraction:
    """Give the ratio of a whole report of a survey, from the numbers that its clients are given."""
    ratios = [ratio_of(question["protocol"], question["chances"]) for question in survey["questions"]]
    return product_ratio(ratios, survey["sharing"])


def is_allowed(ratio: Fraction, epsilon: Fraction) -> bool:
    """Say whether a ratio is at most e^epsilon."""
    with localcontext() as context:
        context.prec = 80
        limit = Fraction((Decimal(epsilon.numerator) / epsilon.denominator).exp())
    return ratio <= limit


def report_probabilities(protocol: str, chances: Mapping[str, Any]) -> tuple[float, float]:
    """Give the chances that a report supports the true value and another one, by the closed forms of the papers."""
    if protocol in ("oue", "sue"):
        return chances["one"] / _ALL, chances["other"] / _ALL
    if protocol in ("rr-alpha", "rr-coins"):
        true = 0.5 + chances["alpha"] / _ALL / 2
        return true, 1 - true
    keep = chances["keep"] / _ALL
    if protocol == "olh":
        return keep, 1 / chances["places"]
    return keep, (1 - keep) / (chances["size"] - 1 if protocol == "grr" else 1)


_ARMED = "=+-@\t\r"

Row = tuple[str, str, int, int, float, float, float, float, float]


def rows_in(name: str, content: bytes) -> list[Row]:
    """Read the rows of a released file; raises ValueError, KeyError or TypeError for what is none."""
    text = content.decode("utf-8")
    if name.lower().endswith(".json"):
        return [row for question in json.loads(text)["questions"] for row in rows_of(question)]
    lines = list(csv.reader(text.splitlines()))
    if lines[0] != ["question", "value", "n", "support", "estimate", "sd", "low95", "high95", "consistent"]:
        raise ValueError
    return [_row(cells) for cells in lines[1:]]


def questions_in(name: str, content: bytes) -> Mapping[str, Any] | None:
    """Give what a released JSON file tells of survey and questions; nothing where the file is a table."""
    return json.loads(content) if name.lower().endswith(".json") else None


def _row(cells: list[str]) -> Row:
    question, value, n, support, *numbers = cells
    estimate, sd, low, high, consistent = map(float, numbers)
    return plain(question), plain(value), int(n), int(support), estimate, sd, low, high, consistent


def plain(text: str) -> str:
    """Take away the apostrophe that keeps a spreadsheet from running a cell; in the source it may stand, too."""
    return text[1:] if text[:1] == "'" and text[1:2] in _ARMED and len(text) > 1 else text


def rows_of(result: Mapping[str, Any]) -> list[Row]:
    """Give the rows of one question from its entries in a certificate or a released JSON file."""
    return [
        (
            plain(result["question"]),
            plain(value),
            result["n"],
            result["support"][value],
            estimate,
            result["sds"][value],
            *result["intervals"][value],
            result["consistent"][value],
        )
        for value, estimate in result["estimates"].items()
    ]


_CLOSE = 1e-6

_WIDTH = 1.959964

_COUNTS = "values"

_OFTEN = 10_000

_ONE_VALUE = ("grr", "rr", "rr-alpha", "rr-coins")
"""The protocols whose reports support one value each."""


def reports_in(text: str) -> list[Mapping[str, Any]]:
    """Give the reports of a released file; its first line describes the survey."""
    return [json.loads(line) for line in text.splitlines()[1:]]


def support_of(
    question: Mapping[str, Any], reports: Sequence[Mapping[str, Any]], progress: Progress = SILENT
) -> dict[str, int]:
    """Count what each value is supported by; the sum of the reports, for a number."""
    told = [report["answers"][question["name"]] for report in reports if question["name"] in report["answers"]]
    if _COUNTS not in question:
        return {"mean": sum(int(answer) for answer in told)}
    values = question[_COUNTS]
    if question["protocol"] in ("oue", "sue"):
        return dict(zip(values, _ticked(told, len(values), progress), strict=True))
    counts = [0] * len(values)
    for at, answer in enumerate(told):
        if at % _OFTEN == 0:
            progress(at / len(told), "Counting the reports again")
        for place in _supported(question, answer, len(values)):
            counts[place] += 1
    return dict(zip(values, counts, strict=True))


def _ticked(told: Sequence[str], size: int, progress: Progress) -> list[int]:
    """Count every bit by its hexadecimal digit: the first bit is the highest of the first digit."""
    counts = [0] * size
    for place in range(size):
        if place % 4 == 0:
            progress(place / size, "Counting the reports again")
            digits = Counter(answer[place // 4] for answer in told)
        counts[place] = sum(times for digit, times in digits.items() if int(digit, 16) & (8 >> place % 4))
    return counts


def _supported(question: Mapping[str, Any], answer: str, size: int) -> Iterator[int]:
    if question["protocol"] == "olh":
        a, b, told = map(int, answer.split("."))
        prime, places = question["chances"]["prime"], question["chances"]["places"]
        return (value for value in range(size) if (a * value + b) % prime % places == told)
    return iter((int(answer),))


def differing_values(question: Mapping[str, Any], result: Mapping[str, Any]) -> list[str]:
    """Name the values whose estimate, error, interval or consistent number is not what the counts give."""
    if _COUNTS not in question:
        return [] if _is_mean(question, result) else ["mean"]
    n, support = result["n"], result["support"]
    p, q = report_probabilities(question["protocol"], question["chances"])
    of_all = error_of_nobody(question, n), of_one_fake(question, n)
    wrong = [] if _all_near((result["sd"], result["most_of_one_fake"]), of_all, n) else ["sd"]
    if question["protocol"] in _ONE_VALUE and sum(support.values()) != n:
        wrong.append("support")
    for value, count in support.items():
        estimate = (count - n * q) / (p - q)
        share = min(max(estimate / n, 0.0), 1.0)
        sd = math.sqrt(n * (share * p * (1 - p) + (1 - share) * q * (1 - q))) / (p - q)
        told = result["estimates"][value], result["sds"][value], *result["intervals"][value]
        if not _all_near(told, (estimate, sd, estimate - _WIDTH * sd, estimate + _WIDTH * sd), n):
            wrong.append(value)
    if not _is_nearest(result["estimates"], result["consistent"], n):
        wrong.append("consistent")
    return wrong if set(support) == set(question[_COUNTS]) else [*wrong, question["name"]]


def error_of_nobody(question: Mapping[str, Any], n: int) -> float:
    """Give the error of the estimate of a value that nobody has."""
    p, q = report_probabilities(question["protocol"], question["chances"])
    return math.sqrt(n * q * (1 - q)) / (p - q)


def of_one_fake(question: Mapping[str, Any], n: int) -> float:
    """Give the most that one made-up report can move an estimate."""
    if _COUNTS not in question:
        most = question["chances"].get("cells", 2) - 1
        return (_mean(question, most) - _mean(question, 0)) / (n + 1)
    p, q = report_probabilities(question["protocol"], question["chances"])
    return (1 - q) / (p - q)


def standard_error(question: Mapping[str, Any], reports: Sequence[Mapping[str, Any]]) -> float:
    """Give the error of a mean from the reports themselves: how far they differ, over the root of their number."""
    told = [int(report["answers"][question["name"]]) for report in reports if question["name"] in report["answers"]]
    if len(told) < 2:
        return math.nan
    return abs(_mean(question, 1.0) - _mean(question, 0.0)) * statistics.stdev(told) / math.sqrt(len(told))


def _is_mean(question: Mapping[str, Any], result: Mapping[str, Any]) -> bool:
    """Tell whether a mean is that of its reports, with an interval and a nearest mean within the bounds that fit it."""
    low, high, sd = question["low"], question["high"], result["sds"]["mean"]
    mean, fake = _mean(question, result["support"]["mean"] / result["n"]), of_one_fake(question, result["n"])
    told = result["estimates"]["mean"], *result["intervals"]["mean"], result["consistent"]["mean"]
    found = mean, mean - _WIDTH * sd, mean + _WIDTH * sd, min(max(mean, low), high)
    more = _all_near((result["sd"], result["most_of_one_fake"]), (sd, fake), high - low)
    return more and _all_near(told, found, high - low)


def _is_nearest(estimates: Mapping[str, float], consistent: Mapping[str, float], n: int) -> bool:
    """Tell whether counts are the nearest that are not negative and add up: all others were lowered by the same."""
    kept = [estimates[value] - count for value, count in consistent.items() if count > 0]
    lowered = kept[0] if kept else math.inf
    close = _CLOSE * max(n, 1) + _CLOSE * max(map(abs, estimates.values()))
    return (
        abs(sum(consistent.values()) - n) <= close * len(consistent)
        and all(count >= 0 for count in consistent.values())
        and all(abs(each - lowered) <= close for each in kept)
        and all(estimates[value] <= lowered + close for value, count in consistent.items() if count == 0)
    )


def _all_near(told: Sequence[float], found: Sequence[float], size: float) -> bool:
    return all(is_near(one, other, size) for one, other in zip(told, found, strict=True))


def _mean(question: Mapping[str, Any], average: float) -> float:
    """Give the mean from the average of the reports, by the expectation of one report."""
    chances, low, high = question["chances"], question["low"], question["high"]
    if question["protocol"] == "duchi":
        keep = chances["keep"] / _ALL
        return float(low + (high - low) * (average - (1 - keep)) / (2 * keep - 1))
    near, window, cells = chances["near"] / _ALL, chances["window"], chances["cells"]
    first = [_expected(start, near, window, cells) for start in (0, cells - window)]
    return float(low + (high - low) * (average - first[0]) / (first[1] - first[0]))


def _expected(start: int, near: float, window: int, cells: int) -> float:
    inside = sum(range(start, start + window))
    return near * inside / window + (1 - near) * (cells * (cells - 1) / 2 - inside) / (cells - window)


def is_near(one: float, other: float, size: float) -> bool:
    """Tell whether two numbers are the same, up to the last digits."""
    return abs(one - other) <= _CLOSE * max(abs(other), size)


def check_collection(
    name: str, content: bytes, reports: bytes | None, told: Mapping[str, Any], progress: Progress
) -> Iterator[Message]:
    """Tell what a released collection is not that its certificate says it is; the reports may have stayed behind."""
    questions, results = told["survey"]["questions"], told["results"]
    progress(0.0, "Reading the estimates")
    if rows_in(name, content) != [row for result in results for row in rows_of(result)]:
        yield message("The numbers of the file are not those of the certificate.")
    progress(0.2, "Computing the estimates again")
    for question, result in zip(questions, results, strict=True):
        if result["question"] != question["name"] or differing_values(question, result):
            yield message("The estimates of “{name}” are not those of its counts.", name=question["name"])
    yield from _proof(told)
    if reports is not None:
        progress(0.5, "Counting the reports again")
        yield from _recounted(reports, told, progress.sub(0.5, 1.0))


def _proof(told: Mapping[str, Any]) -> Iterator[Message]:
    survey, proof = told["survey"], told["proof"]
    whole = whole_ratio(survey)
    if whole != Fraction(proof["largest_ratio"]):
        yield message("The largest ratio is not that of the chances of the protocols.")
    if not is_allowed(whole, Fraction(survey["epsilon"])):
        yield message("The chances of the protocols cost more than epsilon.")


def _recounted(content: bytes, told: Mapping[str, Any], progress: Progress) -> Iterator[Message]:
    reports = reports_in(content.decode("utf-8"))
    yield from of_reports(reports, told)
    for question, result in zip(told["survey"]["questions"], told["results"], strict=True):
        spread = math.nan if "values" in question else standard_error(question, reports)
        is_same = math.isnan(spread) or is_near(result["sd"], spread, abs(spread))
        if support_of(question, reports, progress) != result["support"] or not is_same:
            yield message("The reports do not support “{name}” as the certificate says.", name=question["name"])


def of_reports(reports: Sequence[Mapping[str, Any]], told: Mapping[str, Any]) -> Iterator[Message]:
    """Tell whether the reports are others than were counted, or answer something else than was asked."""
    names = {report["id"] for report in reports}
    if len(names) != len(reports) or len(reports) != told["reports"]["counted"]:
        yield message("The reports are not as many as were counted.")
    asked = 1 if told["survey"]["sharing"] == "one" else len(told["survey"]["questions"])
    if any(len(report["answers"]) != asked for report in reports):
        yield message("A report does not answer what was asked.")


_CELLS = 1024

_STEPS = 2**20

_PRIME = 2**31 - 1

_DIGITS = 80


def chances_of(protocol: str, size: int, epsilon: Fraction) -> dict[str, int]:
    """Give the chances of a protocol for so many values, rounded to the side of privacy.

    Raises KeyError for a protocol that is not known.
    """
    odds = _power(epsilon)
    if protocol in ("rr-alpha", "rr-coins"):
        return {"alpha": _ALL // 2 if protocol == "rr-coins" else math.floor(_ALL * (odds - 1) / (odds + 1))}
    if protocol == "piecewise":
        window = max(round(_CELLS / (_power(epsilon / 2) + 1)), 1)
        return {"near": _kept(odds, Fraction(_CELLS - window, window)), "window": window, "cells": _CELLS} | {
            "size": _STEPS
        }
    if protocol == "olh":
        places = round(odds) + 1
        return {"keep": _kept(odds, places - 1), "places": places, "prime": _PRIME, "size": size}
    if protocol == "oue":
        return {"one": _ALL // 2, "other": math.ceil(_ALL / (odds + 1)), "size": size}
    if protocol == "sue":
        one = _kept(_power(epsilon / 2), 1)
        return {"one": one, "other": _ALL - one, "size": size}
    others, sized = {"grr": (size - 1, {"size": size}), "rr": (1, {}), "duchi": (1, {"size": _STEPS})}[protocol]
    return {"keep": _kept(odds, others), **sized}


def cost_of(ratio: Fraction) -> float:
    """Give the epsilon that a ratio costs."""
    with localcontext() as context:
        context.prec = _DIGITS
        return float((Decimal(ratio.numerator) / ratio.denominator).ln())


def _kept(odds: Fraction, others: int | Fraction) -> int:
    """Give the largest chance of the truth that is no more than so many times that of one of the others."""
    return math.floor(_ALL * odds / (odds + others))


def _power(epsilon: Fraction) -> Fraction:
    with localcontext() as context:
        context.prec = _DIGITS
        return Fraction((Decimal(epsilon.numerator) / epsilon.denominator).exp())


_FORMAT, _VERSION = "anonymizer survey", 1

_EXPECTING_DIGITS = 16

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
    return hashlib.sha256(text.encode()).hexdigest()[:_EXPECTING_DIGITS]


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
        counted = math.nan if "values" in question else standard_error(question, found.reports)
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
