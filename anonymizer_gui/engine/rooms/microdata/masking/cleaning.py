"""Values replaced, set missing, spellings merged, coordinates joined."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message, quote
from anonymizer_gui.engine.core.params import Flag, ListOf, Text, param
from anonymizer_gui.engine.data.tables.normalisation import homograph_key, normalise_text
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table
from anonymizer_gui.engine.data.tables.values import write_point
from anonymizer_gui.engine.rooms.microdata.masking.contract import STEPS, Step, StepResult, column_of, relabel


@STEPS.register
@dataclass(frozen=True, slots=True)
class ReplaceValues(Step):
    """Whole cells, or every occurrence inside cells."""

    name: ClassVar[str] = "replace"
    title: ClassVar[str] = "Find and replace"
    summary: ClassVar[str] = "Writes cells of a column otherwise, whole ones or parts of them."
    is_by_value: ClassVar[bool] = True

    column: str = param(Text(column=True), default="", label="Column", help="The column to look in.")
    find: str = param(Text(), default="", label="Find", help="The text to look for.")
    put: str = param(Text(), default="", label="Replace by", help="What is written instead; nothing means missing.")
    inside: bool = param(
        Flag(),
        default=False,
        label="Also inside cells",
        help="Otherwise only whole cells.",
    )

    def apply(self, table: Table, decimal: str) -> StepResult:
        """Replace the text; what becomes empty is missing."""
        column = column_of(table, self.column)
        if not self.find:
            raise BadParameter("There is no text to look for.", "Write the text that is to be replaced.")
        known = [label for label in column.labels if label != MISSING]
        return relabel(table, column, {label: self._new(label) for label in known})

    def _new(self, label: str) -> str:
        if self.inside:
            return normalise_text(label.replace(self.find, self.put)) or MISSING
        return (normalise_text(self.put) or MISSING) if label == self.find else label

    def touched(self) -> tuple[str, ...]:
        """Name the column."""
        return (self.column,)

    def sentence(self) -> Message:
        """Say what is replaced by what."""
        return message("Replace “{find}” by “{put}” in “{column}”", find=self.find, put=self.put, column=self.column)

    def without_values(self) -> Message:
        """Name the column."""
        return message("Values of “{column}” were replaced", column=self.column)


@STEPS.register
@dataclass(frozen=True, slots=True)
class ToMissing(Step):
    """Codes such as 999 or “unknown” become missing cells."""

    name: ClassVar[str] = "missing"
    title: ClassVar[str] = "Values to missing"
    summary: ClassVar[str] = "Takes some values of a column for missing, such as 999 or “unknown”."
    is_by_value: ClassVar[bool] = True

    column: str = param(Text(column=True), default="", label="Column", help="The column to look in.")
    values: tuple[str, ...] = param(
        ListOf(Text()), default=(), label="Values", help="The texts that mean “missing”, separated by commas."
    )

    def apply(self, table: Table, decimal: str) -> StepResult:
        """Make the cells missing."""
        column, values = column_of(table, self.column), [value for value in self.values if value]
        if not values:
            raise BadParameter("There is no value to take for missing.", "Write the texts that mean “missing”.")
        return relabel(table, column, dict.fromkeys(values, MISSING))

    def touched(self) -> tuple[str, ...]:
        """Name the column."""
        return (self.column,)

    def sentence(self) -> Message:
        """Say which values become missing."""
        return message("Take {values} in “{column}” for missing", values=quote(self.values), column=self.column)

    def without_values(self) -> Message:
        """Name the column."""
        return message("Values of “{column}” were taken for missing", column=self.column)


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

    def apply(self, table: Table, decimal: str) -> StepResult:
        """Write every value as most rows do."""
        column = column_of(table, self.column)
        counts = dict(zip(column.labels, column.counts().tolist(), strict=True))
        counts.pop(MISSING, None)
        chosen = _alike(counts)
        if self.slips and len(counts) <= _MOST_VALUES:
            chosen = _mended(chosen, counts)
        return relabel(table, column, chosen)

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


@STEPS.register
@dataclass(frozen=True, slots=True)
class JoinPlace(Step):
    """A point stands where the latitude stood; the longitude has no column of its own any more."""

    name: ClassVar[str] = "place"
    title: ClassVar[str] = "Join latitude and longitude"
    summary: ClassVar[str] = "Makes one column of places of two columns, so that both become coarser together."

    latitude: str = param(Text(column=True), default="", label="Latitude", help="The column of latitudes, in degrees.")
    longitude: str = param(Text(column=True), default="", label="Longitude", help="The column of longitudes.")
    into: str = param(Text(), default="place", label="Name", help="What the column of places is called.")

    def apply(self, table: Table, decimal: str) -> StepResult:
        """Write both numbers as one cell, missing where one of them is; raises BadParameter."""
        both = column_of(table, self.latitude), column_of(table, self.longitude)
        others = [column for column in table.columns if column not in both]
        if self.latitude == self.longitude or not self.into.strip() or self.into in [other.name for other in others]:
            raise BadParameter(
                "A place is made of two columns and has a name of its own.", "Choose two columns and another name."
            )
        pairs = zip(*(column.texts().tolist() for column in both), strict=True)
        joined = Column.from_texts(self.into, [_joined(lat, lon, decimal) for lat, lon in pairs])
        columns = [joined if column is both[0] else column for column in table.columns if column is not both[1]]
        return StepResult(Table(tuple(columns), table.n_rows), cells=2 * table.n_rows)

    def sentence(self) -> Message:
        """Say which columns become one."""
        return message("Join “{lat}” and “{lon}” into places", lat=self.latitude, lon=self.longitude)

    def without_values(self) -> Message:
        """Say the same; names of columns are no values."""
        return message("“{lat}” and “{lon}” were joined into places", lat=self.latitude, lon=self.longitude)


def _joined(lat: str, lon: str, decimal: str) -> str:
    if MISSING in (lat, lon):
        return MISSING
    return write_point(lat.replace(decimal, "."), lon.replace(decimal, "."))
