"""What reading a table changed, repaired and found; nothing of it is silent."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field

from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.shapes.tables.io.options import ENCODINGS
from anonymizer_gui.engine.shapes.tables.table import MISSING
from anonymizer_gui.engine.words import Sentence, quoted, say

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

    def named(self) -> Sentence:
        """Name the lines: `lines 3, 8 and 40 more`."""
        if more := self.total - len(self.first):
            return say("lines {lines} and {more:,} more", lines=self.first, more=more)
        return say("lines {lines}" if self.total > 1 else "line {lines}", lines=self.first)


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
            *(say("“{name}” was not read.", name=name) for name in self.not_read),
            *self._cell_problems(),
            *(_alike(name, values) for name, values in self.look_alikes),
            *([say("The table has no rows.")] if not self.rows else []),
            *self.notes,
        )

    def _encoding_problems(self) -> list[str]:
        told = say(ENCODINGS.get(self.encoding, self.encoding))
        if self.other_encodings:
            others = [say(ENCODINGS.get(name, name)) for name in self.other_encodings]
            return [
                say(
                    "The letters were read as {encoding}, which is a guess; {others} would fit the bytes, too.",
                    encoding=told,
                    others=others,
                )
            ]
        if self.encoding in ENCODINGS and not self.encoding.startswith("utf"):
            return [say("The letters were read as {encoding}; that is not Unicode.", encoding=told)]
        return []

    def _line_problems(self) -> list[str]:
        short, long, blank, stray = self.short_lines, self.long_lines, self.blank_lines, self.stray_lines
        cases = [
            say(
                "{count:line has|lines have} bytes that stand for no letter; � marks them ({lines}).",
                count=stray.total,
                lines=stray.named(),
            ),
            say(
                "{count:row|rows} had too few cells and got missing ones ({lines}).",
                count=short.total,
                lines=short.named(),
            ),
            say(
                "{count:row|rows} had too many cells and lost the extra ones ({lines}).",
                count=long.total,
                lines=long.named(),
            ),
            say("{count:blank line|blank lines} became no row ({lines}).", count=blank.total, lines=blank.named()),
        ]
        return [case for case in cases if case.values["count"]]

    def _cell_problems(self) -> list[str]:
        cases = [
            say("{count:cell|cells} lost white space around the text.", count=self.trimmed),
            say("{count:cell|cells} had other or several spaces inside (made one).", count=self.spaced),
            say("{count:cell|cells} had letters in another Unicode form (made NFC).", count=self.recomposed),
            say("{count:cell|cells} lost invisible characters.", count=self.invisible),
            say("{count:cell|cells} held a text that was chosen to mean missing.", count=self.missing_tokens),
            say(
                "{count:cell|cells} held the text “{text}” and now {count:~counts|count} as missing.",
                count=self.literal_missing,
                text=MISSING,
            ),
        ]
        return [case for case in cases if case.values["count"]]

    def to_json(self) -> dict[str, Json]:
        """Give the report as JSON."""
        return {**dataclasses.asdict(self), "problems": list(self.problems)}


def _alike(name: str, values: tuple[str, ...]) -> Sentence:
    return say(
        "“{name}” has values that differ but look alike, such as {values}: make them one where they mean the same.",
        name=name,
        values=quoted(values),
    )


def _renamed(old: str, new: str) -> Sentence:
    if old.strip():
        return say("The column “{old}” is called “{new}” here.", old=old, new=new)
    return say("The column without a name is called “{new}” here.", new=new)
