"""Reports counted again, one by one, and estimates from the counts."""

import json
import math
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.survey.recount.proving import spread_of

_CLOSE = 1e-6
_WIDTH = 1.959964
_ALL = 2**53
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


def differing(question: Mapping[str, Any], result: Mapping[str, Any]) -> list[str]:
    """Name the values whose estimate, error, interval or consistent number is not what the counts give."""
    if _COUNTS not in question:
        return [] if _is_mean(question, result) else ["mean"]
    n, support = result["n"], result["support"]
    p, q = spread_of(question["protocol"], question["chances"])
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
    p, q = spread_of(question["protocol"], question["chances"])
    return math.sqrt(n * q * (1 - q)) / (p - q)


def of_one_fake(question: Mapping[str, Any], n: int) -> float:
    """Give the most that one made-up report can move an estimate."""
    if _COUNTS not in question:
        most = question["chances"].get("cells", 2) - 1
        return (_mean(question, most) - _mean(question, 0)) / (n + 1)
    p, q = spread_of(question["protocol"], question["chances"])
    return (1 - q) / (p - q)


def spread_in(question: Mapping[str, Any], reports: Sequence[Mapping[str, Any]]) -> float:
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
