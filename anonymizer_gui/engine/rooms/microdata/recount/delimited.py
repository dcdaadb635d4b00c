"""Cells of delimited text, by Python's own csv module."""

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from anonymizer_gui.engine.rooms.microdata.recount.asked import Reading
from anonymizer_gui.engine.rooms.microdata.recount.cells import (
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


@contextmanager
def opened(path: Path, reading: Reading) -> Iterator[Cells]:
    """Read names and cells; the bytes are decoded as is stated, and nothing is undone."""
    csv.field_size_limit(_LONGEST_CELL)  # of the whole process; it is only ever raised
    encoding = "utf-8-sig" if reading.encoding == "utf-8" else reading.encoding
    size = max(path.stat().st_size, 1)
    try:
        with path.open("rb") as raw, io.TextIOWrapper(raw, encoding, newline="") as file:
            names, rows = begun(_records(file, reading), reading)
            width = len(names)

            def blocks() -> Iterator[Block]:
                for batch in batches(rows):
                    whole = squared(_without_blank(batch, width), width, path, strict=reading.strict)
                    yield Block(turned(whole, width), raw.tell() / size)

            yield Cells(names, blocks())
    except (UnicodeError, csv.Error):
        raise damaged(path) from None


def _records(file: io.TextIOWrapper, reading: Reading) -> Iterator[Row]:
    for _ in range(reading.skip_lines):
        file.readline()
    if reading.quote:
        return csv.reader(file, delimiter=reading.delimiter, quotechar=reading.quote, strict=True)
    return csv.reader(file, delimiter=reading.delimiter, quoting=csv.QUOTE_NONE)


def _without_blank(rows: list[Row], width: int) -> list[Row]:
    """Leave out blank lines; in a table of one column a blank line is a row with an empty cell."""
    if width == 1:
        return [row or ("",) for row in rows]
    return rows if min(map(len, rows)) > 1 else [row for row in rows if len(row) > 1 or "".join(row).strip()]
