"""Reads baskets in any of their layouts; what stands twice or is empty is counted, never hidden."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import check_params, from_json, to_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.shapes.baskets.baskets import ITEMS, Baskets
from anonymizer_gui.engine.shapes.baskets.found import Found
from anonymizer_gui.engine.shapes.baskets.options import BasketOptions
from anonymizer_gui.engine.shapes.baskets.tabular import from_long, from_matrix, odd_items
from anonymizer_gui.engine.shapes.tables.io import preview, read_table, sniff
from anonymizer_gui.engine.shapes.tables.io.csv_sniff import encoding_of
from anonymizer_gui.engine.shapes.tables.io.normalise import normalised
from anonymizer_gui.engine.shapes.tables.io.opened_files import checked_path, opened
from anonymizer_gui.engine.shapes.tables.table import MISSING, Column, Table
from anonymizer_gui.engine.storage.safe_open import refuse_beyond_memory
from anonymizer_gui.engine.storage.sources import Source, checksum

_BLOCK = 1 << 20
_LONGEST_CELL = (1 << 31) - 1
_LARGEST_TEXT = 1 << 30
_MEMORY_PER_BYTE = 32
_HEAD = 1 << 18


def read_source(source: Source, options: BasketOptions, progress: Progress = SILENT) -> tuple[Baskets, Found, Source]:
    """Read baskets, and give the source that a project keeps of them; raises UnreadableFile."""
    baskets, found = read_baskets(Path(source.path), options, progress.sub(0.0, 0.9))
    place = Path(source.path).resolve()
    return baskets, found, Source(str(place), checksum(place, progress.sub(0.9, 1.0)), to_json(options))


def options_of(source: Source) -> BasketOptions | None:
    """Give the options a source was read with, if any are known; raises BadParameter."""
    return from_json(BasketOptions, source.options) if source.options else None


def read_baskets(
    path: Path, options: BasketOptions, progress: Progress = SILENT, limit: int | None = None
) -> tuple[Baskets, Found]:
    """Read baskets, or the first few; raises UnreadableFile with one sentence."""
    options = check_params(options)
    progress(0.0, "Reading the baskets")
    if options.layout == "lines":
        return _made(_lines(_text(path, options, progress, limit), options.separator, limit), None, options, progress)
    if options.layout == "json":
        return _made(*_json(_text(path, options, progress, None), path, limit), options, progress)
    table, notes = _table(path, options, progress.sub(0.0, 0.7), limit)
    if options.layout == "long":
        baskets, found = from_long(table, options)
    elif options.layout == "matrix":
        baskets, found = from_matrix(table)
    else:
        baskets, found = _split_column(table, options, progress)
    return baskets, replace(found, notes=notes)


def _table(path: Path, options: BasketOptions, progress: Progress, limit: int | None) -> tuple[Table, tuple[str, ...]]:
    how = sniff(path)
    how = replace(how, encoding=options.encoding) if options.encoding else how
    how = replace(how, header=options.header == "yes") if options.header else how
    if limit is not None:
        seen = preview(path, how, limit)
        if seen.error is not None and not seen.table.columns:
            raise seen.error
        return seen.table, ()
    table, report = read_table(path, how, progress)
    return table, report.problems


def _text(path: Path, options: BasketOptions, progress: Progress, limit: int | None) -> str:
    checked_path(path)
    parts = []
    with opened(path) as file:
        while block := file.read(_BLOCK):
            parts.append(block)
            progress(0.5 * file.fraction(), "Reading the baskets")
            if limit is not None:
                break
            if sum(map(len, parts)) > _LARGEST_TEXT:
                raise _too_large(path)
    content = b"".join(parts)
    refuse_beyond_memory(path, _MEMORY_PER_BYTE * len(content))
    encoding = options.encoding or encoding_of(content[:_HEAD], len(content) <= _HEAD, path.name)
    return content.decode(encoding, errors="replace").removeprefix("\ufeff")


def _too_large(path: Path) -> UnreadableFile:
    size = max(_LARGEST_TEXT >> 20, 1)
    return UnreadableFile(
        message("“{name}” is larger than {size:,} MB, which no such file is.", name=path.name, size=size),
        "Choose another file.",
    )


def _lines(text: str, separator: str, limit: int | None) -> list[list[str]]:
    csv.field_size_limit(_LONGEST_CELL)  # of the whole process; it is only ever raised
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=separator != " ")
    return list(islice(rows, limit))


def _json(text: str, path: Path, limit: int | None) -> tuple[list[list[str]], Table | None]:
    try:
        told = json.loads(text) if text.lstrip()[:1] == "[" and not _is_by_line(text) else _by_line(text)
    except (ValueError, RecursionError):
        raise _no_json(path) from None
    told = told[:limit]
    if told and all(isinstance(entry, dict) for entry in told):
        names = [name for name in told[0] if name != ITEMS]
        rows = [[_cell(entry.get(name), path) for name in names] for entry in told]
        beside = Table.from_rows(names, rows)
        return [_texts(entry.get(ITEMS), path) for entry in told], beside
    return [_texts(entry, path) for entry in told], None


def _is_by_line(text: str) -> bool:
    first = text.lstrip().partition("\n")[0].strip()
    return first.startswith("[") and first.endswith("]") and "\n" in text.strip()


def _by_line(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _no_json(path: Path) -> UnreadableFile:
    return UnreadableFile(
        message("“{name}” does not hold JSON arrays of items.", name=path.name),
        'Each basket is a list of texts, such as ["milk", "bread"], or an object whose entry “items” is one.',
    )


def _texts(entry: Any, path: Path) -> list[str]:
    if not isinstance(entry, list):
        raise _no_json(path)
    return [_cell(item, path) for item in entry]


def _cell(entry: Any, path: Path) -> str:
    if entry is None:
        return MISSING
    if isinstance(entry, bool) or not isinstance(entry, str | int | float):
        raise _no_json(path)
    return str(entry)


def _split_column(table: Table, options: BasketOptions, progress: Progress) -> tuple[Baskets, Found]:
    """Take apart the cells of one column; the others stay beside."""
    name = options.item_column or _widest(table, options.separator)
    column = table.column(name)
    split = [_cells(label, options.separator) for label in column.labels]
    beside = Table(tuple(other for other in table.columns if other.name != name), table.n_rows)
    return _made([split[code] for code in column.codes.tolist()], beside, options, progress)


def _cells(label: str, separator: str) -> list[str]:
    if label == MISSING:
        return []
    # A cell may hold ends of lines, which are none of a basket.
    rows = csv.reader(io.StringIO(label, newline=""), delimiter=separator, skipinitialspace=separator != " ")
    return [cell for row in rows for cell in row]


def _widest(table: Table, separator: str) -> str:
    """Find the column whose cells hold most separators; raises BadParameter when there is no column."""
    if not table.columns:
        raise BadParameter("The table has no columns.", "Choose another file.")
    return max(table.columns, key=lambda column: sum(label.count(separator) for label in column.labels)).name


def _made(
    rows: Sequence[Sequence[str]], beside: Table | None, options: BasketOptions, progress: Progress
) -> tuple[Baskets, Found]:
    """Make baskets of cells, and count what is remarkable about them."""
    progress(0.75, "Sorting the items")
    sizes = np.fromiter((len(row) for row in rows), np.int64, len(rows))
    raw = [cell for row in rows for cell in row]
    forms = {cell: normalised(cell) for cell in set(raw)}
    texts = [forms[cell] for cell in raw]
    basket_of = np.repeat(np.arange(len(rows), dtype=np.int64), sizes)
    is_item = np.fromiter((text not in ("", MISSING) for text in texts), np.bool_, len(texts))
    kept = [text for text, keep in zip(texts, is_item.tolist(), strict=True) if keep]
    baskets = Baskets.from_pairs(basket_of[is_item], Column.from_texts(ITEMS, kept), len(rows), beside)
    return baskets, Found(
        baskets=len(baskets),
        items=len(baskets.items),
        occurrences=len(baskets.codes),
        duplicates=len(kept) - len(baskets.codes),
        empty=int((baskets.sizes == 0).sum()),
        blanks=len(texts) - len(kept),
        odd=odd_items(baskets.items, options.separator) if options.layout != "json" else 0,
        changed=sum(1 for cell, text in zip(raw, texts, strict=True) if cell != text) if _any_changed(forms) else 0,
    )


def _any_changed(forms: dict[str, str]) -> bool:
    return any(cell != text for cell, text in forms.items())
