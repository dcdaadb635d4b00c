"""Values that are spelled in several ways become one: case, spaces, number formats, and slips of one letter."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Flag, Text, param
from anonymizer_gui.engine.data.tables.normalisation import homograph_key
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.rooms.microdata.preparing.contract import STEPS, Prepared, Step, column_of
from anonymizer_gui.engine.rooms.microdata.preparing.relabelling import relabelled

_SHORTEST, _RARER = 5, 10
_MOST_VALUES = 20_000


@STEPS.register
@dataclass(frozen=True, slots=True)
class MergeSpellings(Step):
    """Each group of near-equal values takes the spelling that most rows have."""

    name: ClassVar[str] = "merge"
    title: ClassVar[str] = "Merge spellings"
    summary: ClassVar[str] = (
        "Makes one value of those that look alike: upper and lower case, full width, 1 and 1.0; on request also words "
        "that differ from a ten times more frequent one by a single letter."
    )
    is_by_value: ClassVar[bool] = True

    column: str = param(Text(column=True), default="", label="Column", help="The column to look in.")
    slips: bool = param(
        Flag(),
        default=False,
        label="Slips of one letter, too",
        help="Words of five letters or more that differ by one letter from a word ten times as frequent.",
    )

    def apply(self, table: Table, decimal: str) -> Prepared:
        """Write every value as most rows do."""
        column = column_of(table, self.column)
        counts = dict(zip(column.labels, column.counts().tolist(), strict=True))
        counts.pop(MISSING, None)
        chosen = _alike(counts)
        if self.slips and len(counts) <= _MOST_VALUES:
            chosen = _mended(chosen, counts)
        return relabelled(table, column, chosen)

    def touched(self) -> tuple[str, ...]:
        """Name the column."""
        return (self.column,)

    def sentence(self) -> Message:
        """Say which column."""
        if self.slips:
            return message("Merge spellings and slips of one letter in “{column}”", column=self.column)
        return message("Merge spellings in “{column}”", column=self.column)

    def without_values(self) -> Message:
        """Name the column."""
        return message("Spellings of values of “{column}” were merged", column=self.column)


def _alike(counts: Mapping[str, int]) -> dict[str, str]:
    """Give every value the most frequent one that looks like it, of equals the first."""
    best: dict[str, str] = {}
    for label in sorted(counts, key=lambda label: (-counts[label], label)):
        best.setdefault(homograph_key(label), label)
    return {label: best[homograph_key(label)] for label in counts}


def _mended(chosen: dict[str, str], counts: Mapping[str, int]) -> dict[str, str]:
    """Take a rare word for the frequent one that is a letter away."""
    rows: dict[str, int] = {}
    for label, kept in chosen.items():
        rows[kept] = rows.get(kept, 0) + counts[label]
    near: dict[str, list[str]] = {}
    words = [label for label in rows if len(label) >= _SHORTEST and not any(c.isdigit() for c in label)]
    for label in words:
        for stump in _stumps(label.casefold()):
            near.setdefault(stump, []).append(label)
    meant = {label: _frequent(label, near, rows) for label in words}
    return {label: meant.get(kept, kept) for label, kept in chosen.items()}


def _frequent(label: str, near: Mapping[str, list[str]], rows: Mapping[str, int]) -> str:
    others = {other for stump in _stumps(label.casefold()) for other in near[stump] if _is_slip(label, other)}
    frequent = [other for other in others if rows[other] >= _RARER * rows[label]]
    return min(frequent, key=lambda other: (-rows[other], other), default=label)


def _stumps(word: str) -> Iterator[str]:
    """Give the word and what is left of it without one letter: two words a letter apart share one of these."""
    yield word
    yield from (word[:at] + word[at + 1 :] for at in range(len(word)))


def _is_slip(one: str, other: str) -> bool:
    """Tell whether two words differ by one letter: another, one more, one less, or two changed over.

    >>> _is_slip("asthma", "astma"), _is_slip("asthma", "atshma"), _is_slip("angina", "anemia")
    (True, True, False)
    """
    a, b = sorted((one.casefold(), other.casefold()), key=len)
    if a == b or len(b) - len(a) > 1:
        return False
    at = next((place for place, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))
    if len(a) < len(b):
        return a[at:] == b[at + 1 :]
    return a[at + 1 :] == b[at + 1 :] or (a[at : at + 2] == b[at : at + 2][::-1] and a[at + 2 :] == b[at + 2 :])
