"""Makes cells equal that a reader of the file cannot tell apart, label by label, and counts what changed."""

import bisect
import re
import unicodedata
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.shapes.tables.io.byte_cells import sorted_distinct
from anonymizer_gui.engine.shapes.tables.table import MISSING, Codes, Column, smallest_codes

_INVISIBLE = re.compile(
    "[\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # control characters
    "\u00ad\u034f\u061c\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # fillers
    "\ufe00-\ufe0f\U000e0100-\U000e01ef"  # variation selectors
    "\U0001d173-\U0001d17a\U000e0000-\U000e007f]+"  # tags and the like
)
_BREAKS = "\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
_SPACES = re.compile(f"(?:[^\\S{_BREAKS}]|\u2800)+")
_LINE_ENDS = re.compile(f" ?(?:\r\n|[{_BREAKS}]) ?")
_ODD_ASCII = re.compile(r"  |[^\n\x20-\x7e]| \n|\n ")
# Joiners shape letters in some scripts; beside an ASCII character or at an end they show nothing.
_LOOSE_JOINER = re.compile("(?<![^\x00-\x7f])[\u200c\u200d]+|[\u200c\u200d]+(?![^\x00-\x7f])")
_AT_ONCE = 1 << 15  # a million in one call would keep every other thread waiting


def without_invisible(text: str) -> str:
    """Take out characters that show nothing."""
    return _LOOSE_JOINER.sub("", _INVISIBLE.sub("", text))


def normalised(text: str) -> str:
    """Give the one form of a text: no invisible characters, Unicode NFC, one plain space, no white space around it.

    >>> normalised(" Zu\\u0308rich\\u200b "), normalised("Hepatitis\\u00a0\\tB")
    ('Zürich', 'Hepatitis B')
    """
    text = text.strip()
    if _is_plain(text):
        return text
    previous = ""
    while text != previous:
        previous = text
        text = with_plain_spaces(unicodedata.normalize("NFC", without_invisible(text))).strip()
    return text


def with_plain_spaces(text: str) -> str:
    """Write white space of any sort as one space, and every end of a line in the same way."""
    return _LINE_ENDS.sub("\n", _SPACES.sub(" ", text))


def _is_plain(text: str) -> bool:
    if text.isascii() and text.isprintable():  # the common case, in a fraction of the pattern's time
        return "  " not in text
    return text.isascii() and _ODD_ASCII.search(text) is None


@dataclass(slots=True)
class Tally:
    """Counts, in cells, of what normalising changed."""

    trimmed: int = 0
    recomposed: int = 0
    invisible: int = 0
    spaced: int = 0
    missing: int = 0
    missing_tokens: int = 0
    literal_missing: int = 0

    def count(self, old: str, new: str, cells: int, tokens: frozenset[str]) -> None:
        """Count the cells of a label that was `old` and is `new` now."""
        self.invisible += cells * (without_invisible(old) != old)
        self.recomposed += cells * (not unicodedata.is_normalized("NFC", old))
        self.trimmed += cells * (old.strip() != old)
        self.spaced += cells * (with_plain_spaces(old.strip()) != old.strip())
        self.missing += cells * (new in ("", MISSING) or new in tokens)
        self.missing_tokens += cells * (new in tokens and new != "")
        self.literal_missing += cells * (new == MISSING and new not in tokens)


def normalised_column(name: str, codes: Codes, labels: list[str], missing: frozenset[str], tally: Tally) -> Column:
    """Make a column of sorted distinct labels in their one form; empty cells and missing tokens become `(missing)`.

    The labels must be sorted and distinct already; the common case that nothing changes costs next to nothing.
    """
    new: list[str] = []
    changed = False
    for at in range(0, len(labels), _AT_ONCE):
        piece = labels[at : at + _AT_ONCE]
        new += (done := _normalised(piece))
        changed |= done != piece
    lost = {"", MISSING} | missing
    if not changed and not any(_holds(labels, text) for text in lost):
        return Column(name, smallest_codes(codes, len(labels)), tuple(labels))
    touched = [i for i, (old, text) in enumerate(zip(labels, new, strict=True)) if old != text or text in lost]
    counts = np.bincount(codes, minlength=len(labels))
    for i in touched:
        tally.count(labels[i], new[i], int(counts[i]), missing)
        new[i] = MISSING if new[i] in lost else new[i]
    return merged_column(name, codes, new)


def _normalised(labels: list[str]) -> list[str]:
    new = list(map(str.strip, labels))
    joined = "".join(new)
    return new if _is_plain(joined) else list(map(normalised, new))


def _holds(labels: list[str], text: str) -> bool:
    place = bisect.bisect_left(labels, text)
    return place < len(labels) and labels[place] == text


def merged_column(name: str, codes: Codes, texts: list[str]) -> Column:
    """Make a column from codes whose texts may repeat; the labels come out sorted."""
    labels = sorted_distinct(texts)
    place = {label: code for code, label in enumerate(labels)}
    new_codes = np.fromiter((place[text] for text in texts), dtype=np.int64, count=len(texts))
    return Column(name, smallest_codes(new_codes[codes], len(labels)), tuple(labels)).compact()
