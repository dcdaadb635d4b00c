"""Reports counted again, one by one, and estimates from the counts."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from anonymizer_gui.engine.rooms.survey.recount.proving import spread_of

_CLOSE = 1e-6
_WIDTH = 1.959964
_ALL = 2**53
_COUNTS = "values"


def reports_in(text: str) -> list[Mapping[str, Any]]:
    """Give the reports of a released file; its first line describes the survey."""
    return [json.loads(line) for line in text.splitlines()[1:]]


def support_of(question: Mapping[str, Any], reports: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Count what each value is supported by; the sum of the reports, for a number."""
    told = [report["answers"][question["name"]] for report in reports if question["name"] in report["answers"]]
    if _COUNTS not in question:
        return {"mean": sum(int(answer) for answer in told)}
    values = question[_COUNTS]
    counts = [0] * len(values)
    for answer in told:
        for place in _supported(question, answer, len(values)):
            counts[place] += 1
    return dict(zip(values, counts, strict=True))


def _supported(question: Mapping[str, Any], answer: str, size: int) -> Iterator[int]:
    if question["protocol"] in ("oue", "sue"):
        bits = bin(int("1" + answer, 16))[3:]
        return (place for place in range(size) if bits[place] == "1")
    if question["protocol"] == "olh":
        a, b, told = map(int, answer.split("."))
        prime, places = question["chances"]["prime"], question["chances"]["places"]
        return (value for value in range(size) if (a * value + b) % prime % places == told)
    return iter((int(answer),))


def differing(question: Mapping[str, Any], result: Mapping[str, Any]) -> list[str]:
    """Name the values whose estimate or error is not what the counts give."""
    n, support = result["n"], result["support"]
    if _COUNTS not in question:
        return [] if _is_near(result["estimates"]["mean"], _mean(question, support["mean"] / n), 1.0) else ["mean"]
    p, q = spread_of(question["protocol"], question["chances"])
    wrong = []
    for value, count in support.items():
        estimate = (count - n * q) / (p - q)
        share = min(max(estimate / n, 0.0), 1.0)
        sd = math.sqrt(n * (share * p * (1 - p) + (1 - share) * q * (1 - q))) / (p - q)
        told = result["estimates"][value], result["sds"][value], *result["intervals"][value]
        found = estimate, sd, estimate - _WIDTH * sd, estimate + _WIDTH * sd
        if not all(_is_near(one, other, n) for one, other in zip(told, found, strict=True)):
            wrong.append(value)
    return wrong if set(support) == set(question[_COUNTS]) else [*wrong, question["name"]]


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


def _is_near(one: float, other: float, size: float) -> bool:
    return abs(one - other) <= _CLOSE * max(abs(other), size)
