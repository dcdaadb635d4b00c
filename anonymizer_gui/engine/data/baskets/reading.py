"""The layouts, sniffing, what was found."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import check_params, from_json, to_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.baskets.baskets import ITEMS, BasketOptions, Baskets
from anonymizer_gui.engine.data.tables.io import preview, read_table, sniff
from anonymizer_gui.engine.data.tables.io.csv_dialect import encoding_or_refuse
from anonymizer_gui.engine.data.tables.io.input_stream import checked_path, open_input
from anonymizer_gui.engine.data.tables.normalisation import normalise_text
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table, smallest_codes
from anonymizer_gui.engine.storage.safe_open import refuse_beyond_memory
from anonymizer_gui.engine.storage.sources import Source, checksum


@dataclass(frozen=True, slots=True)
class BasketsReadReport:
    """Counts of what was there: items twice in a basket, empty baskets, separators that are odd."""

    baskets: int = 0
    items: int = 0
    occurrences: int = 0
    duplicates: int = 0
    empty: int = 0
    blanks: int = 0
    """Separators with nothing between them, rows without an item."""
    odd: int = 0
    """Items that hold another character that usually separates items."""
    nameless: int = 0
    """Items whose row does not say which basket they are of."""
    changed: int = 0
    """Occurrences that were written in another form: white space around them, invisible characters."""
    notes: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """Say in sentences what the user should look at."""
        told = (
            (
                self.duplicates,
                message("{n:item was|items were} twice in a basket and {n:~counts|count} once.", n=self.duplicates),
            ),
            (self.empty, message("{n:basket is|baskets are} empty.", n=self.empty)),
            (self.blanks, message("{n:time|times} there was nothing where an item should be.", n=self.blanks)),
            (
                self.nameless,
                message("{n:item has|items have} no name of a basket; they are taken for one basket.", n=self.nameless),
            ),
            (self.odd, message("{n:item holds|items hold} a character that often separates items.", n=self.odd)),
            (
                self.changed,
                message("White space and invisible characters were taken off {n:item|items}.", n=self.changed),
            ),
        )
        return (*self.notes, *(sentence for count, sentence in told if count))


SEPARATORS = (",", ";", "\t", "|")

MOST_COUNTS = 12
"""How many different numbers a column of a matrix usually holds at most."""

_ABSENT = frozenset({"", MISSING.lower(), "false", "no", "n", "f", "nan"})

_PRESENT = frozenset({"true", "yes", "y", "t", "x"})


def from_long(table: Table, options: BasketOptions) -> tuple[Baskets, BasketsReadReport]:
    """Collect the items of each basket; columns in which all rows of a basket agree stay beside.

    Raises BadParameter when a column that is named is not there, or the table has only one.
    """
    if len(table.columns) < 2:
        raise BadParameter("The table has only one column.", "Baskets need a column of names and a column of items.")
    owner = table.column(options.basket_column or table.names[0])
    others = [name for name in table.names if name != owner.name]
    column = table.column(options.item_column or others[0])
    basket_of = owner.codes.astype(np.int64)
    is_item = np.array([label != MISSING for label in column.labels] or [False])[column.codes]
    held = Column(ITEMS, column.codes[is_item], column.labels)
    beside = _agreed(table, owner, column.name)
    baskets = Baskets.from_pairs(basket_of[is_item], held, len(owner.labels), beside)
    nameless = owner.labels.index(MISSING) if MISSING in owner.labels else -1
    return baskets, replace(
        _found(baskets, int(is_item.sum())),
        blanks=len(is_item) - int(is_item.sum()),
        odd=count_odd_items(baskets.items, ""),
        nameless=int(np.count_nonzero(basket_of[is_item] == nameless)),
    )


def count_odd_items(items: Iterable[str], separator: str) -> int:
    """Count the items that hold a character which usually separates items, but does not separate these."""
    others = [mark for mark in SEPARATORS if mark != separator]
    return sum(any(mark in item for mark in others) for item in items)


def _agreed(table: Table, owner: Column, items: str) -> Table:
    """Give a row for each basket: its name, and what all of its rows agree in."""
    first = np.full(len(owner.labels), 0, dtype=np.int64)
    first[owner.codes[::-1]] = np.arange(len(owner) - 1, -1, -1)
    others = [column for column in table.columns if column.name not in (owner.name, items)]
    agreed = [column for column in others if (column.codes == column.codes[first][owner.codes]).all()]
    return Table((owner.take(first), *(column.take(first) for column in agreed)), len(owner.labels))


def from_matrix(table: Table) -> tuple[Baskets, BasketsReadReport]:
    """Take every column of numbers or marks for an item; whatever is not 0 is there. Others stay beside.

    So do numbers that count nothing: one for each basket, or many different ones and never a 0, such as ages.
    """
    owners, codes = [], []
    items: list[str] = []
    beside: list[Column] = []
    for column in table.columns:
        there = [_is_there(label) for label in column.labels]
        if None in there or _counts_nothing(column, there):
            beside.append(column)
            continue
        held = np.flatnonzero(np.array([bool(each) for each in there] or [False])[column.codes])
        owners.append(held)
        codes.append(np.full(len(held), len(items), dtype=np.int64))
        items.append(column.name)
    if not items:
        raise BadParameter("No column holds 0 and 1, or how many.", "Choose another layout.")
    order = sorted(range(len(items)), key=lambda at: items[at])
    rank = np.argsort(order)
    flat = rank[np.concatenate(codes)]
    labels = tuple(items[at] for at in order)
    baskets = Baskets.from_pairs(
        np.concatenate(owners).astype(np.int64),
        Column(ITEMS, smallest_codes(flat, len(labels)), labels),
        table.n_rows,
        Table(tuple(beside), table.n_rows),
    )
    return baskets, _found(baskets, len(flat))


def _counts_nothing(column: Column, there: Sequence[bool | None]) -> bool:
    different = len(column.labels)
    return different > MOST_COUNTS and (different == len(column) or all(there))


def _is_there(label: str) -> bool | None:
    """Tell whether a cell of a matrix says that the item is in the basket; nothing when it says something else."""
    text = label.lower()
    if text in _ABSENT:
        return False
    if text in _PRESENT:
        return True
    try:
        return float(text.replace(",", ".")) != 0
    except ValueError:
        return None


def _found(baskets: Baskets, cells: int) -> BasketsReadReport:
    return BasketsReadReport(
        baskets=len(baskets),
        items=len(baskets.items),
        occurrences=len(baskets.codes),
        duplicates=cells - len(baskets.codes),
        empty=int((baskets.sizes == 0).sum()),
    )


_BLOCK = 1 << 20

_LONGEST_CELL = (1 << 31) - 1

_LARGEST_TEXT = 1 << 30

_MEMORY_PER_BYTE = 32

_HEAD = 1 << 18


def read_source(
    source: Source, options: BasketOptions, progress: Progress = SILENT
) -> tuple[Baskets, BasketsReadReport, Source]:
    """Read baskets, and give the source that a project keeps of them; raises UnreadableFile."""
    baskets, found = read_baskets(Path(source.path), options, progress.sub(0.0, 0.9))
    place = Path(source.path).resolve()
    return baskets, found, Source(str(place), checksum(place, progress.sub(0.9, 1.0)), to_json(options))


def options_of_source(source: Source) -> BasketOptions | None:
    """Give the options a source was read with, if any are known; raises BadParameter."""
    return from_json(BasketOptions, source.options) if source.options else None


def read_baskets(
    path: Path, options: BasketOptions, progress: Progress = SILENT, limit: int | None = None
) -> tuple[Baskets, BasketsReadReport]:
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
    with open_input(path) as file:
        while block := file.read(_BLOCK):
            parts.append(block)
            progress(0.5 * file.fraction(), "Reading the baskets")
            if limit is not None:
                break
            if sum(map(len, parts)) > _LARGEST_TEXT:
                raise _too_large(path)
    content = b"".join(parts)
    refuse_beyond_memory(path, _MEMORY_PER_BYTE * len(content))
    encoding = options.encoding or encoding_or_refuse(content[:_HEAD], len(content) <= _HEAD, path.name)
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


def _split_column(table: Table, options: BasketOptions, progress: Progress) -> tuple[Baskets, BasketsReadReport]:
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
) -> tuple[Baskets, BasketsReadReport]:
    """Make baskets of cells, and count what is remarkable about them."""
    progress(0.75, "Sorting the items")
    sizes = np.fromiter((len(row) for row in rows), np.int64, len(rows))
    raw = [cell for row in rows for cell in row]
    forms = {cell: normalise_text(cell) for cell in set(raw)}
    texts = [forms[cell] for cell in raw]
    basket_of = np.repeat(np.arange(len(rows), dtype=np.int64), sizes)
    is_item = np.fromiter((text not in ("", MISSING) for text in texts), np.bool_, len(texts))
    kept = [text for text, keep in zip(texts, is_item.tolist(), strict=True) if keep]
    baskets = Baskets.from_pairs(basket_of[is_item], Column.from_texts(ITEMS, kept), len(rows), beside)
    return baskets, BasketsReadReport(
        baskets=len(baskets),
        items=len(baskets.items),
        occurrences=len(baskets.codes),
        duplicates=len(kept) - len(baskets.codes),
        empty=int((baskets.sizes == 0).sum()),
        blanks=len(texts) - len(kept),
        odd=count_odd_items(baskets.items, options.separator) if options.layout != "json" else 0,
        changed=sum(1 for cell, text in zip(raw, texts, strict=True) if cell != text) if _any_changed(forms) else 0,
    )


def _any_changed(forms: dict[str, str]) -> bool:
    return any(cell != text for cell, text in forms.items())


_SNIFFING_HEAD = 1 << 16

_ROWS = 200

_TABLES = (".xlsx", ".parquet", ".sav", ".dta", ".sas7bdat", ".db", ".sqlite")

_HALF, _MOST = 0.5, 0.9

_FEW_LINES = 3

_ARRAYS = ("[[", '["')


def sniff_options(path: Path) -> BasketOptions:
    """Propose options; raises UnreadableFile when the file is no text and no table."""
    checked_path(path)
    if path.suffix.lower() in _TABLES:
        return _of_table(preview(path, None, _ROWS).table) or BasketOptions(layout="long")
    with open_input(path) as file:
        head = file.read(_SNIFFING_HEAD)
    text = head.decode(encoding_or_refuse(head, len(head) < _SNIFFING_HEAD, path.name), errors="replace").removeprefix(
        "\ufeff"
    )
    if path.suffix.lower() in (".json", ".jsonl") or text.lstrip()[:1] in ("[", "{"):
        return BasketOptions(layout="json")
    lines = text.splitlines()
    lines = lines[:-1] if len(head) == _SNIFFING_HEAD else lines
    separator = _separator(lines)
    if _is_ragged(lines, separator) and not any(_is_even(lines, mark) for mark in SEPARATORS):
        return BasketOptions(layout="lines", separator=separator)
    return _of_table(preview(path, None, _ROWS).table) or BasketOptions(layout="lines", separator=separator)


def table_columns(path: Path) -> tuple[str, ...]:
    """Name the columns of a file that can be read as a table; none of one that cannot."""
    return preview(path, None, 1).table.names


def likelihood(path: Path, head: bytes) -> float:
    """Say how likely a file holds baskets rather than a table of people, from 0 to 1: ragged lines do."""
    if path.suffix.lower() in (".basket", ".baskets", ".dat", ".jsonl"):
        return 0.7
    if not head:
        return 0.0  # a database holds tables
    text = head.decode("utf-8", errors="replace")
    lines = text.splitlines()[:-1] if len(head) >= _SNIFFING_HEAD else text.splitlines()
    is_text = b"\0" not in head and path.suffix.lower() not in _TABLES
    if is_text and text.lstrip().startswith(_ARRAYS):
        return 0.6
    return 0.6 if is_text and len(lines) >= _FEW_LINES and _is_ragged(lines, _separator(lines)) else 0.3


def _separator(lines: list[str]) -> str:
    """Take the character that is there most often; spaces only where nothing else is and the words are short."""
    counts = {mark: sum(line.count(mark) for line in lines) for mark in SEPARATORS}
    best = max(SEPARATORS, key=lambda mark: counts[mark])
    if counts[best] or not any(" " in line.strip() for line in lines):
        return best
    words = [word for line in lines for word in line.split()]
    return " " if words and all(word.isdigit() for word in words) else best


def _is_ragged(lines: list[str], separator: str) -> bool:
    """Tell whether lines hold different numbers of cells, as baskets do and tables do not."""
    widths = [len(row) for row in csv.reader(lines, delimiter=separator) if row]
    if len(widths) < 2:
        return True
    usual = max(set(widths), key=widths.count)
    return widths.count(usual) < _MOST * len(widths)


def _is_even(lines: list[str], separator: str) -> bool:
    """Tell whether all lines have as many cells, and several: a table, whatever separates what is in its cells."""
    widths = {len(row) for row in csv.reader(lines, delimiter=separator) if row}
    return len(lines) >= _FEW_LINES and len(widths) == 1 and min(widths) > 1


def _of_table(table: Table) -> BasketOptions | None:
    """Tell a matrix, a column of items and one item per row apart; nothing for what is none of them."""
    columns = table.columns
    if len(columns) > 1 and sum(_is_marks(column) for column in columns) > _HALF * len(columns):
        return BasketOptions(layout="matrix")
    named = _called_items(columns)
    if named is not None:
        return named
    for column in columns:
        for mark in SEPARATORS:
            several = sum(mark in label for label in column.labels)
            if several > _HALF * max(len(column.labels), 1):
                return BasketOptions(layout="column", separator=mark, item_column=column.name)
    if len(columns) > 1 and len(columns[0].labels) < table.n_rows:
        return BasketOptions(layout="long", basket_column=table.names[0], item_column=table.names[1])
    return None


def _called_items(columns: Sequence[Column]) -> BasketOptions | None:
    """Take a column that is called items for one, as soon as one of its cells holds several."""
    for column in columns:
        counts = {mark: sum(label.count(mark) for label in column.labels) for mark in SEPARATORS}
        best = max(SEPARATORS, key=lambda mark: counts[mark])
        if column.name.strip().casefold() == ITEMS and counts[best]:
            return BasketOptions(layout="column", separator=best, item_column=column.name)
    return None


def _is_marks(column: Column) -> bool:
    """Tell whether a column holds 0 and 1, or small numbers of which many are 0."""
    labels = [label for label in column.labels if label != MISSING]
    is_few = len(labels) <= MOST_COUNTS
    return is_few and all(label.isdigit() and len(label) <= 3 for label in labels) and "0" in labels
