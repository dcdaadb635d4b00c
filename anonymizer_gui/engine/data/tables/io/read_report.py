"""What reading a table changed, repaired and found; nothing of it is silent."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field

from anonymizer_gui.engine.core.messages import Message, message, quote
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.data.tables.io.options import ENCODINGS
from anonymizer_gui.engine.data.tables.table import MISSING

NAMED = 10


@dataclass(frozen=True, slots=True)
class Lines:
    """Some lines of a file: how many there are, and the numbers of the first few."""

    total: int = 0
    first: tuple[int, ...] = ()

    def plus(self, numbers: Sequence[int], total: int | None = None) -> "Lines":
        """Add lines further down: all of them, or the first few of so many."""
        first = (*self.first, *numbers[: NAMED - len(self.first)])
        return Lines(self.total + (len(numbers) if total is None else total), tuple(int(number) for number in first))

    def named(self) -> Message:
        """Name the lines: `lines 3, 8 and 40 more`."""
        if more := self.total - len(self.first):
            return message("lines {lines} and {more:,} more", lines=self.first, more=more)
        return message("lines {lines}" if self.total > 1 else "line {lines}", lines=self.first)


@dataclass(frozen=True, slots=True)
class ReadReport:
    """What came out of a source and what was done on the way; counts are of cells."""

    source: str = ""
    kind: str = ""
    rows: int = 0
    columns: int = 0
    encoding: str = ""
    other_encodings: tuple[str, ...] = ()
    """What would fit the bytes as well; the encoding is a guess then."""
    delimiter: str = ""
    part: str = ""
    trimmed: int = 0
    recomposed: int = 0
    invisible: int = 0
    spaced: int = 0
    missing: int = 0
    missing_tokens: int = 0
    literal_missing: int = 0
    look_alikes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Columns with values that differ and look the same, and the first such values."""
    renamed: tuple[tuple[str, str], ...] = ()
    blank_lines: Lines = field(default=Lines())
    short_lines: Lines = field(default=Lines())
    long_lines: Lines = field(default=Lines())
    stray_lines: Lines = field(default=Lines())
    not_read: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """Say in sentences what the user should look at."""
        return (
            *self._encoding_problems(),
            *(_renamed(old, new) for old, new in self.renamed),
            *self._line_problems(),
            *(message("“{name}” was not read.", name=name) for name in self.not_read),
            *self._cell_problems(),
            *(_alike(name, values) for name, values in self.look_alikes),
            *([message("The table has no rows.")] if not self.rows else []),
            *self.notes,
        )

    def _encoding_problems(self) -> list[str]:
        told = message(ENCODINGS.get(self.encoding, self.encoding))
        if self.other_encodings:
            others = [message(ENCODINGS.get(name, name)) for name in self.other_encodings]
            return [
                message(
                    "The letters were read as {encoding}, which is a guess; {others} would fit the bytes, too.",
                    encoding=told,
                    others=others,
                )
            ]
        if self.encoding in ENCODINGS and not self.encoding.startswith("utf"):
            return [message("The letters were read as {encoding}; that is not Unicode.", encoding=told)]
        return []

    def _line_problems(self) -> list[str]:
        short, long, blank, stray = self.short_lines, self.long_lines, self.blank_lines, self.stray_lines
        cases = [
            message(
                "{count:line has|lines have} bytes that stand for no letter; � marks them ({lines}).",
                count=stray.total,
                lines=stray.named(),
            ),
            message(
                "{count:row|rows} had too few cells and got missing ones ({lines}).",
                count=short.total,
                lines=short.named(),
            ),
            message(
                "{count:row|rows} had too many cells and lost the extra ones ({lines}).",
                count=long.total,
                lines=long.named(),
            ),
            message("{count:blank line|blank lines} became no row ({lines}).", count=blank.total, lines=blank.named()),
        ]
        return [case for case in cases if case.values["count"]]

    def _cell_problems(self) -> list[str]:
        cases = [
            message("{count:cell|cells} lost white space around the text.", count=self.trimmed),
            message("{count:cell|cells} had other or several spaces inside (made one).", count=self.spaced),
            message("{count:cell|cells} had letters in another Unicode form (made NFC).", count=self.recomposed),
            message("{count:cell|cells} lost invisible characters.", count=self.invisible),
            message("{count:cell|cells} held a text that was chosen to mean missing.", count=self.missing_tokens),
            message(
                "{count:cell|cells} held the text “{text}” and now {count:~counts|count} as missing.",
                count=self.literal_missing,
                text=MISSING,
            ),
        ]
        return [case for case in cases if case.values["count"]]

    def to_json(self) -> dict[str, Json]:
        """Give the report as JSON."""
        return {**dataclasses.asdict(self), "problems": list(self.problems)}


def _alike(name: str, values: tuple[str, ...]) -> Message:
    return message(
        "“{name}” has values that differ but look alike, such as {values}: make them one where they mean the same.",
        name=name,
        values=quote(values),
    )


def _renamed(old: str, new: str) -> Message:
    if old.strip():
        return message("The column “{old}” is called “{new}” here.", old=old, new=new)
    return message("The column without a name is called “{new}” here.", new=new)
