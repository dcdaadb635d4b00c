"""Writes baskets: one per line, one item per line, as a matrix, as a table with a column of items, as JSON."""

import csv
import io
import itertools
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from anonymizer_gui.engine.core.errors import BadParameter, UnwritableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.baskets.baskets import ITEMS, Baskets
from anonymizer_gui.engine.data.tables.io.contract import escape_formula
from anonymizer_gui.engine.data.tables.table import MISSING

JSON_SUFFIX = ".json"
SUFFIXES = (".csv", ".txt", ".basket", ".dat", JSON_SUFFIX)
SEPARATOR = ","
_OFTEN = 4096
_LARGEST_MATRIX = 1 << 30


def layout_for(path: Path, layout: str) -> str:
    """Give the layout of a file: JSON where its name says so; raises UnwritableFile for a name nobody can write."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise UnwritableFile(
            message("Baskets cannot be written as “{suffix}”.", suffix=path.suffix or path.name),
            message("Use one of: {known}.", known=list(SUFFIXES)),
        )
    return "json" if suffix == JSON_SUFFIX else "lines" if layout == "json" else layout


def write_baskets(baskets: Baskets, path: Path, layout: str, column: str = "", progress: Progress = SILENT) -> None:
    """Write baskets in a layout, with one column beside them where it is named; same baskets, same bytes.

    Raises BadParameter where the layout has no place for the column, UnwritableFile.
    """
    layout = layout_for(path, layout)
    if column and layout == "lines":
        raise BadParameter(
            "One basket per line leaves no place for a column beside it.", "Choose another layout for the release."
        )
    values = [_plain(text) for text in baskets.beside.column(column).texts()] if column else None
    if layout == "json":
        path.write_bytes(_as_json(baskets, column, values, progress).encode())
        return
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for at, row in enumerate(_rows(baskets, layout, column, values)):
            if at % _OFTEN == 0:
                progress(min(at / max(len(baskets), 1), 1.0), "Writing the baskets")
            writer.writerow(row)


def written_items(baskets: Baskets, path: Path) -> tuple[str, ...]:
    """Give the items as they are written: what a spreadsheet would run begins with an apostrophe, but not in JSON."""
    return baskets.items if path.suffix.lower() == JSON_SUFFIX else tuple(map(escape_formula, baskets.items))


def _plain(text: str) -> str:
    return "" if text == MISSING else text


def _rows(baskets: Baskets, layout: str, column: str, values: Sequence[str] | None) -> Iterator[list[str]]:
    """Give the cells of every line; what a spreadsheet would run begins with an apostrophe."""
    items = [escape_formula(item) for item in baskets.items]
    held = [[items[code] for code in codes] for codes in _codes(baskets)]
    beside = [[] for _ in held] if values is None else [[escape_formula(value)] for value in values]
    name = [escape_formula(column)] if column else []
    if layout == "lines":
        yield from held
    elif layout == "long":
        yield ["basket", "item", *name]
        for number, (row, more) in enumerate(zip(held, beside, strict=True), start=1):
            for item in row or [""]:
                yield [str(number), item, *more]
    elif layout == "matrix":
        if len(baskets) * len(items) > _LARGEST_MATRIX:
            raise UnwritableFile("The matrix would be too large.", "Choose another layout for the release.")
        yield [*items, *name]
        for codes, more in zip(_codes(baskets), beside, strict=True):
            there = set(codes)
            yield [*("1" if code in there else "0" for code in range(len(items))), *more]
    else:
        yield [ITEMS, *name]
        for row, more in zip(held, beside, strict=True):
            yield [_joined(row), *more]


def _codes(baskets: Baskets) -> list[list[int]]:
    codes, ends = baskets.codes.tolist(), baskets.starts.tolist()
    return [codes[low:high] for low, high in itertools.pairwise(ends)]


def _joined(items: Sequence[str]) -> str:
    if not items:
        return ""
    line = io.StringIO(newline="")
    csv.writer(line, delimiter=SEPARATOR, lineterminator="").writerow(items)
    return line.getvalue()


def _as_json(baskets: Baskets, column: str, values: Sequence[str] | None, progress: Progress) -> str:
    progress(0.0, "Writing the baskets")
    held = baskets.sets()
    told = (
        [list(each) for each in held]
        if values is None
        else [{ITEMS: list(each), column: value} for each, value in zip(held, values, strict=True)]
    )
    return "[\n" + ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in told) + "\n]\n"
