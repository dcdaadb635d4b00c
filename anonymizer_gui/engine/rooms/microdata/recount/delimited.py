"""Cells of delimited text, by Python's own csv module."""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, compress, islice
from pathlib import Path

from anonymizer_gui.engine.rooms.microdata.recount.asked import Reading
from anonymizer_gui.engine.rooms.microdata.recount.file_cells import (
    ROWS_AT_ONCE,
    Block,
    Cells,
    Row,
    batches,
    begun,
    damaged,
    squared,
    turned,
)

_LONGEST_CELL = (1 << 31) - 1
_LINES_REMEMBERED = 1 << 18


@contextmanager
def opened(path: Path, reading: Reading, *, in_order: bool = True) -> Iterator[Cells]:
    """Read names and cells; the bytes are decoded as is stated, and nothing is undone.

    Unless the rows are wanted in order, lines that are equal are read once and counted: most of a release repeats.
    """
    csv.field_size_limit(_LONGEST_CELL)  # of the whole process; it is only ever raised
    encoding = "utf-8-sig" if reading.encoding == "utf-8" else reading.encoding
    size = max(path.stat().st_size, 1)
    try:
        with path.open("rb") as raw, io.TextIOWrapper(raw, encoding, newline="") as file:
            for _ in range(reading.skip_lines):
                file.readline()
            names, rows = begun(_records(file, reading), reading)
            width = len(names)

            def blocks() -> Iterator[Block]:
                read = _one_by_one(rows) if in_order or not reading.header else _counted_lines(file, reading)
                for batch, times in read:
                    kept, many = _without_blank(batch, times, width)
                    whole = squared(kept, width, path, strict=reading.strict)
                    yield Block(turned(whole, width), raw.tell() / size, many)

            yield Cells(names, blocks())
    except (UnicodeError, csv.Error):
        raise damaged(path) from None


def _records(lines: Iterable[str], reading: Reading) -> Iterator[Row]:
    if reading.quote:
        return csv.reader(lines, delimiter=reading.delimiter, quotechar=reading.quote, strict=True)
    return csv.reader(lines, delimiter=reading.delimiter, quoting=csv.QUOTE_NONE)


def _one_by_one(rows: Iterator[Row]) -> Iterator[tuple[list[Row], list[int]]]:
    for batch in batches(rows):
        yield batch, []


def _counted_lines(file: io.TextIOWrapper, reading: Reading) -> Iterator[tuple[list[Row], list[int]]]:
    """Count equal lines before they are cut into cells; from the first record of several lines on, do not."""
    seen: Counter[str] = Counter()
    while lines := list(islice(file, ROWS_AT_ONCE)):
        if not _are_records(lines, seen, reading):
            yield from _one_by_one(_records(chain(lines, file), reading))
            break
        seen.update(lines)
        yield [], []  # nothing to count yet, but the file was read on
        if len(seen) > _LINES_REMEMBERED:
            yield from _cut(seen, reading)
            seen.clear()
    yield from _cut(seen, reading)


def _are_records(lines: list[str], seen: Counter[str], reading: Reading) -> bool:
    """Say whether every line is a record of its own; one with an open quotation mark is not."""
    if not reading.quote or reading.quote not in "".join(lines):
        return True
    try:
        for line in set(lines) - seen.keys():
            list(_records([line], reading))
    except csv.Error:
        return False
    return True


def _cut(seen: Counter[str], reading: Reading) -> Iterator[tuple[list[Row], list[int]]]:
    remembered = iter(seen.items())
    while some := dict(islice(remembered, ROWS_AT_ONCE)):
        times = list(some.values())
        yield list(_records(some, reading)), times if max(times) > 1 else []


def _without_blank(rows: list[Row], times: list[int], width: int) -> tuple[list[Row], list[int]]:
    """Leave out blank lines; in a table of one column a blank line is a row with an empty cell."""
    if width == 1:
        return [row or ("",) for row in rows], times
    if min(map(len, rows), default=2) > 1:
        return rows, times
    kept = [len(row) > 1 or bool("".join(row).strip()) for row in rows]
    return list(compress(rows, kept)), list(compress(times, kept)) if times else []
