"""A synthetic table looked at again: as large as told, and no cell that is not a public value of its column."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from anonymizer_gui.engine.core.messages import Message, message

_SPAN = re.compile(r"([^/]+?)\.\.([^/]+?)(/\d+)?")
_FORMULA = "'"


def table_differences(
    rows: Sequence[Sequence[str]], made: Mapping[str, Any], answer: Mapping[str, Any]
) -> Iterator[Message]:
    """Say what is wrong with the rows of a file, head first."""
    head, body = list(rows[0]) if rows else [], rows[1:]
    names = [field.partition("=")[0].strip() for field in answer["parameters"]["fields"]]
    if [_plain(name) for name in head] != names or names != made["columns"]:
        yield message("The synthetic table has other columns than the question.")
        return
    if len(body) != made["rows"] or any(len(row) != len(head) for row in body):
        yield message("The synthetic table has another number of rows than the certificate says.")
    for at, (name, field) in enumerate(zip(names, answer["parameters"]["fields"], strict=True)):
        is_public = _public(field.partition("=")[2].strip(), answer["parameters"]["values"].get(name, ()))
        if not all(is_public(text) for text in {row[at] for row in body if at < len(row)}):
            yield message("“{column}” of the synthetic table holds a value that is not public.", column=name)


def _public(domain: str, labels: Sequence[str]) -> Callable[[str], bool]:
    """Give the test of one column; an empty cell is a missing value."""
    if found := _SPAN.fullmatch(domain):
        low, high = found[1], found[2]
        of = _day if _day(low) is not None else _number
        return lambda text: not text or _between(of(low), of(text), of(high))
    known = set(labels)
    return lambda text: not text or text in known or _plain(text) in known


def _between(low: Any, value: Any, high: Any) -> bool:
    return value is not None and bool(low <= value <= high)


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _plain(text: str) -> str:
    """Take a text without the apostrophe that keeps spreadsheets from running it."""
    return text.removeprefix(_FORMULA)
