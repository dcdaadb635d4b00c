"""The estimates as they stand in a released file, read by the standard library alone."""

import csv
import json
from collections.abc import Mapping
from typing import Any

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
