"""From the bytes of a file to the cells of some of its columns; no reader of the rest of the program takes part."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.recount import columnar, delimited, workbook
from anonymizer_gui.engine.rooms.microdata.recount.asked import Reading

_OPENED = {"csv": delimited.opened, "xlsx": workbook.opened, "parquet": columnar.opened}
_JOINERS = "\u200c\u200d"


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows: the cells of each column, and how often each row occurs, where they are not told one by one."""

    number: int
    columns: list[list[str]]
    times: Sequence[int] = ()


def read(
    path: Path, reading: Reading, names: Sequence[str], progress: Progress, *, in_order: bool = True
) -> Iterator[Rows]:
    """Give the cells of these columns, some rows at a time; equal cells of a column are one and the same text.

    A table that is not read strictly has its cells and names in plain form, and nothing in missing cells.
    Raises UnreadableFile when the file is damaged or has not exactly one column of a name.
    """
    if reading.format not in _OPENED:
        raise UnreadableFile(
            message("“{name}” is of a kind that cannot be counted.", name=path.name),
            message("Use one of: {known}.", known=list(_OPENED)),
        )
    with _OPENED[reading.format](path, reading, in_order=in_order) as cells:
        headers = cells.names if reading.strict else [" ".join(plain(name).split()) for name in cells.names]
        places = [_place(headers, name, path) for name in names]
        known = [dict[str, str]() if reading.strict else _Plain(reading) for _ in names]
        for block in cells.blocks:
            progress(block.done, message("Reading “{name}”", name=path.name))
            number = len(block.columns[0]) if block.columns else 0
            taken = zip(known, (block.columns[place] for place in places), strict=True)
            yield Rows(number, [_same(seen, column) for seen, column in taken], block.times)


def read_cells(path: Path, reading: Reading, names: Sequence[str], progress: Progress) -> list[list[str]]:
    """Give all cells of these columns; raises UnreadableFile as `read` does."""
    columns: list[list[str]] = [[] for _ in names]
    for rows in read(path, reading, names, progress):
        for column, cells in zip(columns, rows.columns, strict=True):
            often = rows.times or [1] * rows.number
            column.extend(cell for cell, many in zip(cells, often, strict=True) for _ in range(many))
    return columns


def format_of(path: Path) -> str:
    """Tell the kind of a file by its name: whatever is no workbook and no Parquet file is delimited text."""
    suffix = path.suffix.lower()
    return "xlsx" if suffix in (".xlsx", ".xlsm") else "parquet" if suffix in (".parquet", ".pq") else "csv"


def plain(text: str) -> str:
    """Give a text without what does not show: white space around it, invisible characters, other forms of a letter.

    >>> plain(" Zu\\u0308rich\\u200b ")
    'Zürich'
    """
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    composed = _spaced(unicodedata.normalize("NFC", "".join(_visible(text)))).strip()
    return composed if composed == text else plain(composed)


def _spaced(text: str) -> str:
    """Write one space for white space of any sort inside a line, and one sign for the end of a line."""
    lines = text.replace("\N{BRAILLE PATTERN BLANK}", " ").splitlines()
    return "\n".join(" ".join(line.split()) for line in lines)


def _visible(text: str) -> Iterator[str]:
    """Leave out format characters; a joiner stays between two letters that are not ASCII."""
    for place, sign in enumerate(text):
        if sign in _JOINERS:
            around = text[max(place - 1, 0) : place], text[place + 1 : place + 2]
            if all(other and not other.isascii() for other in around):
                yield sign
        elif not _shows_nothing(sign):
            yield sign


def _shows_nothing(sign: str) -> bool:
    """Say whether a character is a control or format character, half of a pair, a filler or a selector of forms."""
    if unicodedata.category(sign) in ("Cc", "Cf", "Cs"):
        return not sign.isspace()
    name = unicodedata.name(sign, "")
    return "VARIATION SELECTOR" in name or "FILLER" in name or sign in "\u034f\u17b4\u17b5"


class _Plain(dict[str, str]):
    """The plain form of every cell seen."""

    def __init__(self, reading: Reading) -> None:
        super().__init__()
        self._reading = reading

    def __missing__(self, cell: str) -> str:
        text = plain(cell)
        self[cell] = "" if self._reading.is_missing(text) else text
        return self[cell]


def _same(seen: dict[str, str], cells: Sequence[str]) -> list[str]:
    if isinstance(seen, _Plain):
        return list(map(seen.__getitem__, cells))
    return list(map(seen.setdefault, cells, cells))


def _place(names: Sequence[str], name: str, path: Path) -> int:
    found = [place for place, other in enumerate(names) if other == name]
    if len(found) != 1:
        several = message("“{name}” has several columns “{column}”.", name=path.name, column=name)
        none = message("“{name}” has no column “{column}”.", name=path.name, column=name)
        raise UnreadableFile(several if found else none, message("It is not the file that was promised."))
    return found[0]
