"""Proposes how delimited text is to be read, from its first lines."""

import csv
import re
from pathlib import Path

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.shapes.tables.io.encodings import UNICODE, guess, other_encodings
from anonymizer_gui.engine.shapes.tables.io.opened_files import members, opened
from anonymizer_gui.engine.shapes.tables.io.options import ReadOptions

_HEAD = 1 << 18
_CANDIDATES = (",", ";", "\t", "|")
_NUMBER = re.compile(r"[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?%?")
_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1a\x7f]")
_SEPARATOR_LINE = re.compile(r"sep=([ !#-/:-@|~\t])\r?\n?")


def sniffed(path: Path, part: str = "") -> ReadOptions:
    """Propose options for a file, or one part of an archive; raises UnreadableFile when it is no text at all."""
    names = members(path)
    part = part or (names[0] if len(names) > 1 else "")
    with opened(path, part) as file:
        head = file.read(_HEAD)
        whole = not file.read(1)
    encoding = encoding_of(head, whole, path.name)
    text = head.decode(encoding, errors="replace").removeprefix("\ufeff")
    stated = _SEPARATOR_LINE.match(text)
    skip = 1 if stated else 0
    body = text[stated.end() :] if stated else text
    delimiter = stated[1] if stated else _delimiter(body, whole)
    rows = _rows(body, delimiter, whole)
    return ReadOptions(
        delimiter=delimiter,
        quote=_quote(body, delimiter),
        encoding=encoding,
        header=_has_header(rows),
        skip_lines=skip,
        decimal=_decimal(rows, delimiter),
        part=part,
    )


def encoding_of(head: bytes, whole: bool, name: str) -> str:
    """Guess the encoding; raises UnreadableFile for what is no text."""
    encoding = guess(head, whole).encoding
    text = head.decode(encoding, errors="replace") if encoding else ""
    if not encoding or len(_CONTROLS.findall(text)) * 50 > len(text):
        raise UnreadableFile(
            message("“{name}” is not a text file.", name=name), "Choose a CSV, Excel, Parquet or database file."
        )
    return encoding


def doubt(path: Path, part: str, chosen: str) -> tuple[str, ...]:
    """Name the encodings that fit a file as well as the chosen one; raises UnreadableFile."""
    if chosen in UNICODE:
        return ()  # nothing else reads as Unicode by chance
    with opened(path, part) as file:
        head = file.read(_HEAD)
        return other_encodings(head, not file.read(1), chosen)


def _rows(text: str, delimiter: str, whole: bool) -> list[list[str]]:
    lines = text.splitlines(keepends=True)
    lines = lines if whole or len(lines) < 2 else lines[:-1]
    rows: list[list[str]] = []
    try:
        for row in csv.reader(lines[:1000], delimiter=delimiter, skipinitialspace=True):
            if any(cell.strip() for cell in row):
                rows.append(row)
    except csv.Error:
        pass  # the reader says later, and better, what is wrong
    return rows


def _delimiter(text: str, whole: bool) -> str:
    """Take the candidate that gives the most rows of one width, the widest of those."""

    def fit(candidate: str) -> tuple[float, int]:
        widths = [len(row) for row in _rows(text, candidate, whole)]
        if not widths or widths[0] < 2:
            return (0.0, 0)
        return (widths.count(widths[0]) / len(widths), widths[0])

    best = max(_CANDIDATES, key=fit)
    return best if fit(best)[1] > 1 else ","


def _quote(text: str, delimiter: str) -> str:
    """Propose that quotation marks are plain letters where they occur, but no cell begins with one."""
    begins = re.search(rf'(^|[\r\n{re.escape(delimiter)}])[ \t]*"', text)
    return "" if '"' in text and not begins else '"'


def _has_header(rows: list[list[str]]) -> bool:
    """Take the first row for names unless it holds a number where the rows below do too, or a cell again below it."""
    if len(rows) < 2:
        return True
    below = rows[1:200]
    for place, cell in enumerate(rows[0]):
        others = [row[place].strip() for row in below if place < len(row) and row[place].strip()]
        if _NUMBER.fullmatch(cell.strip()) and others and all(_NUMBER.fullmatch(other) for other in others):
            return False
    return True


def _decimal(rows: list[list[str]], delimiter: str) -> str:
    cells = [cell.strip() for row in rows[1:] for cell in row]
    commas = sum(bool(_DECIMAL_COMMA.fullmatch(cell)) for cell in cells)
    points = sum("." in cell and bool(_NUMBER.fullmatch(cell)) for cell in cells)
    return "," if delimiter != "," and commas > points else "."
