"""One text per value, one form per text, one name per column; homographs."""

import bisect
import datetime
import decimal
import json
import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from anonymizer_gui.engine.data.tables.dictionary_encoding import sorted_distinct
from anonymizer_gui.engine.data.tables.table import MISSING, Codes, Column, Table, smallest_codes

_EXACT = 10**15


def canonical_text(value: object) -> str:
    """Give the text of a value; nothing stands for None, NaN and NaT.

    >>> [canonical_text(v) for v in (1.0, -0.0, True, 2.5, datetime.datetime(2024, 1, 31), None)]
    ['1', '0', 'TRUE', '2.5', '2024-01-31', '']
    """
    if isinstance(value, str):
        return value
    if value is None or value != value:
        return ""
    if isinstance(value, bool | np.bool_):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | np.integer):
        return str(int(value))
    if isinstance(value, float | np.floating):
        return _number(float(value), str(value))
    return _other(value)


def _number(value: float, shortest: str) -> str:
    """Write whole numbers without a decimal point, others with the fewest digits that tell them apart."""
    return str(int(value)) if math.isfinite(value) and value.is_integer() and abs(value) < _EXACT else shortest


def _other(value: object) -> str:
    if isinstance(value, decimal.Decimal):
        return format(abs(value) if value == 0 else value, "f")
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time() and value.tzinfo is None
        return value.date().isoformat() if midnight else value.isoformat(sep=" ")
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return _bytes(bytes(value))
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, default=canonical_text, ensure_ascii=False)
    return str(value)


def _bytes(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return "0x" + value.hex()


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


def normalise_text(text: str) -> str:
    """Give the one form of a text: no invisible characters, Unicode NFC, one plain space, no white space around it.

    >>> normalise_text(" Zu\\u0308rich\\u200b "), normalise_text("Hepatitis\\u00a0\\tB")
    ('Zürich', 'Hepatitis B')
    """
    text = text.strip()
    if _is_plain(text):
        return text
    previous = ""
    while text != previous:
        previous = text
        text = normalise_spaces(unicodedata.normalize("NFC", without_invisible(text))).strip()
    return text


def normalise_spaces(text: str) -> str:
    """Write white space of any sort as one space, and every end of a line in the same way."""
    return _LINE_ENDS.sub("\n", _SPACES.sub(" ", text))


def _is_plain(text: str) -> bool:
    if text.isascii() and text.isprintable():  # the common case, in a fraction of the pattern's time
        return "  " not in text
    return text.isascii() and _ODD_ASCII.search(text) is None


@dataclass(slots=True)
class NormalisationCounts:
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
        self.spaced += cells * (normalise_spaces(old.strip()) != old.strip())
        self.missing += cells * (new in ("", MISSING) or new in tokens)
        self.missing_tokens += cells * (new in tokens and new != "")
        self.literal_missing += cells * (new == MISSING and new not in tokens)


def normalise_column(
    name: str, codes: Codes, labels: list[str], missing: frozenset[str], tally: NormalisationCounts
) -> Column:
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
    return merge_equal_labels(name, codes, new)


def _normalised(labels: list[str]) -> list[str]:
    new = list(map(str.strip, labels))
    joined = "".join(new)
    return new if _is_plain(joined) else list(map(normalise_text, new))


def _holds(labels: list[str], text: str) -> bool:
    place = bisect.bisect_left(labels, text)
    return place < len(labels) and labels[place] == text


def merge_equal_labels(name: str, codes: Codes, texts: list[str]) -> Column:
    """Make a column from codes whose texts may repeat; the labels come out sorted."""
    labels = sorted_distinct(texts)
    place = {label: code for code, label in enumerate(labels)}
    new_codes = np.fromiter((place[text] for text in texts), dtype=np.int64, count=len(texts))
    return Column(name, smallest_codes(new_codes[codes], len(labels)), tuple(labels)).compact()


def repair_names(names: Sequence[str]) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Name the nameless, number the repeated; the second part pairs each changed name with its new one.

    >>> repair_names(["age", "", "age"])
    (('age', 'column 2', 'age (2)'), (('', 'column 2'), ('age', 'age (2)')))
    """
    clean = [" ".join(normalise_text(name).split()) or f"column {i}" for i, name in enumerate(names, 1)]
    taken = set(clean)
    times: dict[str, int] = {}
    result: list[str] = []
    for name in clean:
        times[name] = times.get(name, 0) + 1
        new = name
        while times[name] > 1 and new in taken:
            new = f"{name} ({times[name]})"
            times[name] += new in taken
        taken.add(new)
        result.append(new)
    return tuple(result), tuple((old, new) for old, new in zip(names, result, strict=True) if old != new)


def number_names(count: int) -> tuple[str, ...]:
    """Name columns that have no header."""
    return tuple(f"column {i}" for i in range(1, count + 1))


_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]*)?")

_DISARMED = ("'=", "'+", "'-", "'@")  # as formulas are written

_MOST_DIGITS = 40

_MOST_LABELS = 20_000
"""Columns of more values are names, numbers or free text, in which nobody tells look-alikes apart anyway."""


def homograph_key(label: str) -> str:
    """Give what a label looks like; equal for two labels that a reader takes for the same.

    >>> {homograph_key(label) for label in ("HIV", "hiv", "ＨＩＶ")}, {homograph_key(label) for label in ("1", "1.0",
    ... "01", "+1")}
    ({'hiv'}, {'1'})
    """
    if label == MISSING:
        return label
    bare = normalise_text(label[1:] if label.startswith(_DISARMED) else label)
    folded = bare.casefold() if bare.isascii() else _folded(bare)
    if folded == MISSING:
        return f" {folded}"  # a text somebody wrote is not the absence of one
    if len(folded) <= _MOST_DIGITS and _NUMBER.fullmatch(folded):
        plain = format(Decimal(folded).normalize() + 0, "f")
        return "0" if plain == "-0" else plain
    return folded


def find_homographs(labels: Sequence[str]) -> list[tuple[str, ...]]:
    """List the values that look like others, group by group; nothing where a column has too many values."""
    if len(labels) > _MOST_LABELS:
        return []
    groups: dict[str, list[str]] = {}
    for label in labels:
        groups.setdefault(homograph_key(label), []).append(label)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def merge_homographs(column: Column) -> Column:
    """Give a column in which look-alikes are one value, named by the first of them in the order of texts."""
    used = column.compact()
    looks = [homograph_key(label) for label in used.labels]
    if len(set(looks)) == len(looks):
        return column
    first: dict[str, str] = {}
    for look, label in zip(looks, used.labels, strict=True):
        first[look] = min(first.get(look, label), label)
    labels = tuple(sorted(first.values()))
    place = {label: code for code, label in enumerate(labels)}
    codes = np.array([place[first[look]] for look in looks], dtype=np.int64)[used.codes]
    return Column(column.name, smallest_codes(codes, len(labels)), labels, column.times)


def merge_homographs_in(table: Table, names: Sequence[str]) -> Table:
    """Give a table in which the look-alikes of some columns are one value."""
    return Table(tuple(merge_homographs(c) if c.name in names else c for c in table.columns), table.n_rows)


def _folded(text: str) -> str:
    once = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", once)


def fold_text(text: str) -> str:
    """Write a name or value as it is compared: capital letters and white space make no other one.

    >>> fold_text(" Ada  LOVELACE ") == fold_text("ada lovelace")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
