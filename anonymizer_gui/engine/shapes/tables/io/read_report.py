"""What reading a table changed, repaired and found; nothing of it is silent."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field

from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.shapes.tables.table import MISSING

_LINES_NAMED = 10


@dataclass(frozen=True, slots=True)
class Lines:
    """Some lines of a file: how many there are, and the numbers of the first few."""

    total: int = 0
    first: tuple[int, ...] = ()

    def plus(self, numbers: Sequence[int]) -> "Lines":
        """Add lines further down."""
        first = (*self.first, *numbers[: _LINES_NAMED - len(self.first)])
        return Lines(self.total + len(numbers), tuple(int(number) for number in first))

    def __str__(self) -> str:
        """Name the lines: `lines 3, 8 and 40 more`."""
        named = ", ".join(str(number) for number in self.first)
        more = self.total - len(self.first)
        return f"line{'s' if self.total > 1 else ''} {named}" + (f" and {more:,} more" if more else "")


@dataclass(frozen=True, slots=True)
class ReadReport:
    """What came out of a source and what was done on the way; counts are of cells."""

    source: str = ""
    kind: str = ""
    rows: int = 0
    columns: int = 0
    encoding: str = ""
    delimiter: str = ""
    part: str = ""
    trimmed: int = 0
    recomposed: int = 0
    invisible: int = 0
    missing: int = 0
    missing_tokens: int = 0
    literal_missing: int = 0
    renamed: tuple[tuple[str, str], ...] = ()
    blank_lines: Lines = field(default=Lines())
    short_lines: Lines = field(default=Lines())
    long_lines: Lines = field(default=Lines())
    not_read: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """Say in sentences what the user should look at."""
        return (
            *(f"The column {_named(old)} is called “{new}” here." for old, new in self.renamed),
            *self._line_problems(),
            *(f"“{name}” was not read." for name in self.not_read),
            *self._cell_problems(),
            *(["The table has no rows."] if not self.rows else []),
            *self.notes,
        )

    def _line_problems(self) -> list[str]:
        cases = [
            (self.short_lines, "row", "had too few cells and got missing ones"),
            (self.long_lines, "row", "had too many cells and lost the extra ones"),
            (self.blank_lines, "blank line", "became no row"),
        ]
        return [
            f"{lines.total:,} {noun}{'s' if lines.total > 1 else ''} {what} ({lines})."
            for lines, noun, what in cases
            if lines.total
        ]

    def _cell_problems(self) -> list[str]:
        cases = [
            (self.trimmed, "lost white space around the text"),
            (self.recomposed, "had letters in another Unicode form (made NFC)"),
            (self.invisible, "lost invisible characters"),
            (self.missing_tokens, "held a text that was chosen to mean missing"),
            (self.literal_missing, f"held the text “{MISSING}” and now count as missing"),
        ]
        return [f"{count:,} cell{'s' if count > 1 else ''} {what}." for count, what in cases if count]

    def to_json(self) -> dict[str, Json]:
        """Give the report as JSON."""
        return {**dataclasses.asdict(self), "problems": list(self.problems)}


def _named(old: str) -> str:
    return f"“{old}”" if old.strip() else "without a name"
