"""Encoding and dialect of delimited text, guessed."""

import csv
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.io.input_stream import archive_members, encoding_by_mark, open_input
from anonymizer_gui.engine.data.tables.io.options import ReadOptions

_LOOKED_AT = 1 << 16

_WESTERN = ("cp1252", "cp1250", "cp1254", "cp1257", "cp850", "mac-roman")

_WHOLE_WORDS = ("cp1251", "koi8-r", "cp1253", "cp1255", "cp1256")

_PAIRS = ("shift_jis", "gb18030", "big5", "euc-kr")

_FREQUENT = {
    "CYRILLIC": frozenset("оеаинтсрвлкм"),
    "GREEK": frozenset("αοιετσνηυρπκ"),
    "HEBREW": frozenset("יוהלאמרתבשנד"),
    "ARABIC": frozenset("اليمنوتربةعد"),
}

_WESTERN_LETTERS = frozenset("äöüßéèêëàâáãçñíìîïóòôõúùûøåæœÿ")

_LATIN_LETTERS = {
    "cp1250": frozenset("áéíóúýčďěňřšťůžąćęłńśźżőűăâîäö"),
    "cp1254": frozenset("çğıöşüâîû"),
    "cp1257": frozenset("āčēģīķļņšūžąęėįųõäöü"),
}
"""The small letters of the languages an encoding is for; those without an entry are for the west."""

_COMMON_HANZI = frozenset("的一是不了人在有大中上国國年来來地为為会會家医醫院区區市县縣号號姓名女男性别別日月生")

_MOSTLY_UTF_8 = 4

_CLOSE = 0.75

_ENOUGH = 8
"""So many bytes beyond ASCII that stand together speak for an alphabet of its own."""

_HIGH = re.compile(rb"[\x80-\xff]+")

UNICODE = ("utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32")


@dataclass(frozen=True, slots=True)
class EncodingGuess:
    """The likeliest encoding, nothing when the bytes are no text; and others that fit nearly as well."""

    encoding: str
    others: tuple[str, ...] = ()


def guess_encoding(head: bytes, whole: bool) -> EncodingGuess:
    """Guess the encoding of a file from its beginning; `whole` says that this is all of it.

    >>> guess_encoding("Zürich".encode(), True), guess_encoding("Grüße aus Köln".encode("cp1252"), True).encoding
    (EncodingGuess(encoding='utf-8', others=()), 'cp1252')
    """
    marked = encoding_by_mark(head)
    if marked:
        return EncodingGuess(marked)
    if b"\0" in head:
        return EncodingGuess(_utf_16(head))
    if _is_utf_8(head, whole):
        return EncodingGuess("utf-8")
    if _is_utf_8_but_for_strays(head):
        return EncodingGuess("utf-8")  # reading will name the lines
    return _legacy(head)


def other_encodings(head: bytes, whole: bool, chosen: str) -> tuple[str, ...]:
    """Name the encodings that would fit as well as the chosen one; none where Unicode leaves no doubt."""
    found = guess_encoding(head, whole)
    if found.encoding in UNICODE and not found.others:
        return ()
    return tuple(name for name in (found.encoding, *found.others) if name and name != chosen)


def _utf_16(head: bytes) -> str:
    """Tell the byte order from where the zero bytes are; nothing if they are everywhere."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if min(even, odd) * 10 < max(even, odd) and max(even, odd) * 4 > len(head) // 2:
        return "utf-16-le" if odd > even else "utf-16-be"
    return ""


def _is_utf_8(head: bytes, whole: bool) -> bool:
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return not whole and error.start >= len(head) - 3
    return True


def _is_utf_8_but_for_strays(head: bytes) -> bool:
    """Tell a text in UTF-8 with some wrong bytes: letters of other encodings hardly ever make whole characters."""
    text = head.decode("utf-8", "surrogateescape")
    high = [letter for letter in text if letter > "\x7f"]
    strays = sum("\udc80" <= letter <= "\udcff" for letter in high)
    return len(high) - strays > _MOSTLY_UTF_8 * strays


def _legacy(head: bytes) -> EncodingGuess:
    """Compare how plausible the letters are that each encoding makes of the bytes."""
    lines = b"\n".join(line for line in head[:_LOOKED_AT].split(b"\n") if _HIGH.search(line)) or head[:_LOOKED_AT]
    runs = [len(run) for run in _HIGH.findall(lines)]
    together = sum(length for length in runs if length > 1)
    # Two umlauts side by side, as in Grüße, make no language of pairs.
    is_in_runs = together * 2 > sum(runs) and (together >= _ENOUGH or max(runs) >= _ENOUGH // 2)
    first, second = (_WHOLE_WORDS + _PAIRS, _WESTERN) if is_in_runs else (_WESTERN, _WHOLE_WORDS)
    scores = {name: _plausibility(lines, name) for name in (*first, *second)}
    ranked = sorted((name for name in scores if scores[name] > 0), key=lambda name: -scores[name])
    if not ranked:
        return EncodingGuess("iso-8859-1", ("cp1252",))
    best = ranked[0]
    return EncodingGuess(best, tuple(name for name in ranked[1:4] if scores[name] > _CLOSE * scores[best]))


def _plausibility(data: bytes, encoding: str) -> float:
    """Give between 0 and 1 how much the letters beyond ASCII look like those of a language."""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        if error.start < len(data) - 3:  # the last character may be cut off
            return 0.0
        text = data[: error.start].decode(encoding, "ignore")
    places = [place for place, letter in enumerate(text) if letter > "\x7f"]
    if not places:
        return 0.0
    if encoding in _PAIRS:
        return sum(_pair_letter(text[place]) for place in places) / len(places)
    usual = _LATIN_LETTERS.get(encoding, _WESTERN_LETTERS)
    return sum(_letter(text, place, usual) for place in places) / len(places)


def _letter(text: str, place: int, usual: frozenset[str]) -> float:
    """Rate one letter of an alphabet by itself and by what stands beside it."""
    letter = text[place]
    before = text[place - 1] if place else " "
    after = text[place + 1] if place + 1 < len(text) else " "
    if not letter.isalpha():
        return 0.3 if letter in "€£§°–—‘’“”„«»\xa0²³½µ®©…№" and not before.isalpha() else 0.0
    script = _script(letter)
    if before.isalpha() and (_script(before) != script or (before.islower() and letter.isupper())):
        return 0.0
    if script == "LATIN":
        # In languages that write with ASCII letters others stand alone, or two of them side by side.
        crowd = sum(each > "\x7f" and each.isalpha() for each in (before, after))
        is_odd = letter.lower() not in usual or (letter.isupper() and before.isalpha())
        return (1.0, 0.6, 0.0)[crowd] * (0.6 if is_odd else 1.0)
    frequent = _FREQUENT.get(script)
    if frequent is None:
        return 0.0
    return (1.1 if letter in frequent else 0.6) * (0.8 if letter.isupper() and before.isalpha() else 1.0)


def _pair_letter(letter: str) -> float:
    """Rate one character of a writing of many characters."""
    if "\u3040" <= letter <= "\u30ff" or letter in _COMMON_HANZI:
        return 1.2
    if "\uac00" <= letter <= "\ud7a3":
        return 1.0
    if "\u4e00" <= letter <= "\u9fff":
        return 0.75
    return 0.5 if letter in "\u3001\u3002\uff0c\uff1a\uff08\uff09\u3000\u30fb" else 0.0


def _script(letter: str) -> str:
    return "LATIN" if letter <= "\x7f" else unicodedata.name(letter, "").partition(" ")[0]


_HEAD = 1 << 18

_CANDIDATES = (",", ";", "\t", "|")

_NUMBER = re.compile(r"[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?%?")

_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+")

_CONTROLS = re.compile("[\x00-\x08\x0e-\x1a\x7f]")

_SEPARATOR_LINE = re.compile(r"sep=([ !#-/:-@|~\t])\r?\n?")


def sniff_dialect(path: Path, part: str = "") -> ReadOptions:
    """Propose options for a file, or one part of an archive; raises UnreadableFile when it is no text at all."""
    names = archive_members(path)
    part = part or (names[0] if len(names) > 1 else "")
    with open_input(path, part) as file:
        head = file.read(_HEAD)
        whole = not file.read(1)
    encoding = encoding_or_refuse(head, whole, path.name)
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


def encoding_or_refuse(head: bytes, whole: bool, name: str) -> str:
    """Guess the encoding; raises UnreadableFile for what is no text."""
    encoding = guess_encoding(head, whole).encoding
    text = head.decode(encoding, errors="replace") if encoding else ""
    if not encoding or len(_CONTROLS.findall(text)) * 50 > len(text):
        raise UnreadableFile(
            message("“{name}” is not a text file.", name=name), "Choose a CSV, Excel, Parquet or database file."
        )
    return encoding


def alternative_encodings(path: Path, part: str, chosen: str) -> tuple[str, ...]:
    """Name the encodings that fit a file as well as the chosen one; raises UnreadableFile."""
    if chosen in UNICODE:
        return ()  # nothing else reads as Unicode by chance
    with open_input(path, part) as file:
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
