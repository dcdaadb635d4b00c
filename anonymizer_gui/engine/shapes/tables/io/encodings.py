"""Guesses how bytes stand for letters, and says what else would fit: only Unicode can be known for certain."""

import re
import unicodedata
from dataclasses import dataclass

from anonymizer_gui.engine.shapes.tables.io.opened_files import encoding_by_mark

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
class Guess:
    """The likeliest encoding, nothing when the bytes are no text; and others that fit nearly as well."""

    encoding: str
    others: tuple[str, ...] = ()


def guess(head: bytes, whole: bool) -> Guess:
    """Guess the encoding of a file from its beginning; `whole` says that this is all of it.

    >>> guess("Zürich".encode(), True), guess("Grüße aus Köln".encode("cp1252"), True).encoding
    (Guess(encoding='utf-8', others=()), 'cp1252')
    """
    marked = encoding_by_mark(head)
    if marked:
        return Guess(marked)
    if b"\0" in head:
        return Guess(_utf_16(head))
    if _is_utf_8(head, whole):
        return Guess("utf-8")
    if _is_utf_8_but_for_strays(head):
        return Guess("utf-8")  # reading will name the lines
    return _legacy(head)


def other_encodings(head: bytes, whole: bool, chosen: str) -> tuple[str, ...]:
    """Name the encodings that would fit as well as the chosen one; none where Unicode leaves no doubt."""
    found = guess(head, whole)
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


def _legacy(head: bytes) -> Guess:
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
        return Guess("iso-8859-1", ("cp1252",))
    best = ranked[0]
    return Guess(best, tuple(name for name in ranked[1:4] if scores[name] > _CLOSE * scores[best]))


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
