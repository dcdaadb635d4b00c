"""Cells of a file column by column, some rows at a time, and the texts of values that are none."""

import datetime
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.rooms.microdata.recount.asked import Reading

Row = Sequence[str]
ROWS_AT_ONCE = 1 << 12
"""A few milliseconds of work: other threads wait so long."""
_EXACT = 10**15


@dataclass(frozen=True, slots=True)
class Block:
    """Some rows as columns of equal length, and the part of the file that has been read with them.

    `times` says how often each row occurs; nothing where all are told one by one.
    """

    columns: Sequence[Sequence[str]]
    done: float
    times: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Cells:
    """The names of the columns, and their cells."""

    names: Sequence[str]
    blocks: Iterator[Block]


def begun(rows: Iterator[Row], reading: Reading) -> tuple[Row, Iterator[Row]]:
    """Take the names from the first row that is not blank; where there are none columns are numbered."""
    first = next((row for row in rows if any(cell.strip() for cell in row)), ())
    if reading.header:
        return first, rows
    return [f"column {number}" for number in range(1, len(first) + 1)], itertools.chain([first], rows)


def batches(rows: Iterator[Row]) -> Iterator[list[Row]]:
    """Take some rows at a time."""
    while batch := list(itertools.islice(rows, ROWS_AT_ONCE)):
        yield batch


def turned(rows: Sequence[Row], width: int) -> list[Sequence[str]]:
    """Give rows of the same length as columns."""
    return list(zip(*rows, strict=True)) if rows else [()] * width


def squared(rows: Sequence[Row], width: int, path: Path, *, strict: bool) -> Sequence[Row]:
    """Refuse rows of another length than the names; those of tables from elsewhere are filled up, if short."""
    if set(map(len, rows)) <= {width}:
        return rows
    odd = next(row for row in rows if len(row) != width)
    if strict or any(any(row[width:]) for row in rows):
        raise UnreadableFile(
            message(
                "“{name}” has {width:column|columns} and a row of {cells:cell|cells}.",
                name=path.name,
                width=width,
                cells=len(odd),
            ),
            message("It is not a whole table."),
        )
    return [[*row[:width], *[""] * (width - len(row))] for row in rows]


def damaged(path: Path) -> UnreadableFile:
    """Say that a file cannot be counted."""
    return UnreadableFile(message("“{name}” is damaged.", name=path.name), message("Fetch it again or save it anew."))


def texts(values: Iterable[object]) -> list[str]:
    """Give the texts of values that a file stores as something else; nothing stands for none."""
    return [value if isinstance(value, str) else text_of(value) for value in values]


def text_of(value: object) -> str:
    """Spell a value as it is shown.

    >>> [text_of(value) for value in (3.0, 2.5, True, None, datetime.datetime(2024, 1, 31))]
    ['3', '2.5', 'TRUE', '', '2024-01-31']
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Decimal):
        return format(value if value else Decimal(0), "f")
    if isinstance(value, datetime.datetime):
        plain = value.isoformat(sep=" ")
        return plain.removesuffix(" 00:00:00")
    return str(value)


def _number(value: float) -> str:
    if math.isnan(value):
        return ""
    return str(int(value)) if value.is_integer() and abs(value) < _EXACT else repr(value)
