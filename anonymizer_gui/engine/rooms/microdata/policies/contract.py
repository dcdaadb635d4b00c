"""The contract of all rules of policies, and what a rule may look at: roles, cells and numbers of what is published."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from anonymizer_gui.engine.core.messages import Message, join_messages, message, quote
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.tables.suggestions import words_in_name
from anonymizer_gui.engine.data.tables.table import ColumnType, Role

_MOST_WORDS = 4


@dataclass(frozen=True, slots=True, eq=False)
class PolicyColumn:
    """A column of the table; `cells` counts its published texts but missing ones, None where it does not leave."""

    name: str
    role: Role
    type: ColumnType
    cells: Mapping[str, int] | None
    pseudonym: str = ""
    """The way its pseudonyms are made, where it has some."""
    top: str = ""
    """The cell that all larger numbers are written as, where a step of preparation did so."""


@dataclass(frozen=True, slots=True, eq=False)
class PolicyView:
    """What is published, and what was decided about it."""

    columns: tuple[PolicyColumn, ...]
    numbers: Mapping[str, Json]
    """As they are measured, or counted again from a file."""
    heights: Mapping[str, int] = field(default_factory=dict)
    """The levels of each hierarchy."""
    rows_before: int = 0
    linkable: bool = False
    year: int = 0
    """When the release was made: years of birth tell ages by it."""

    def published(self, agreed: Sequence[str] = ()) -> Iterator[tuple[PolicyColumn, Mapping[str, int]]]:
        """Walk the columns that leave, with their cells; those that were agreed to are left out."""
        for column in self.columns:
            if column.cells is not None and column.name not in agreed:
                yield column, column.cells

    def of_role(self, role: Role) -> list[PolicyColumn]:
        """Give the columns of a role, published or not."""
        return [column for column in self.columns if column.role is role]


@dataclass(frozen=True, slots=True)
class RuleResult:
    """Whether a rule is met, and what was found."""

    holds: bool
    sentence: Message


class Rule(Protocol):
    """A frozen dataclass of declared parameters, registered in `RULES`."""

    __slots__ = ()

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]

    def demand(self) -> Message:
        """Say what must be true."""

    def judge(self, shown: PolicyView) -> RuleResult:
        """Look whether it is."""

    def refuse_unmeetable(self) -> None:
        """Raise BadParameter where no release could ever meet it, such as a goal that does not exist."""
        return


RULES: Registry[Rule] = Registry("rule of a policy", __package__)

AGREED = "Columns that are passed over because somebody has looked at them, separated by commas."


def split_phrases(text: str) -> frozenset[str]:
    """Read phrases that are separated by semicolons."""
    return frozenset(" ".join(phrase.split()) for phrase in text.split(";") if phrase.strip())


def header_mentions(name: str, known: frozenset[str]) -> bool:
    """Tell whether the head of a column has one of the phrases, as whole words or written as one.

    >>> header_mentions("BirthDate", split_phrases("birth date")), header_mentions("dates", split_phrases("date"))
    (True, False)
    """
    words = words_in_name(name)
    parts = [
        words[start : start + length]
        for length in range(1, _MOST_WORDS + 1)
        for start in range(len(words) - length + 1)
    ]
    joined = {phrase.replace(" ", "") for phrase in known}
    return any(" ".join(part) in known for part in parts) or "".join(words) in joined


def check_cells(
    shown: PolicyView,
    concerns: Callable[[PolicyColumn, Mapping[str, int]], bool],
    is_bad: Callable[[PolicyColumn, str], bool],
    agreed: Sequence[str] = (),
) -> RuleResult:
    """Look for cells that must not be there, in the columns that a rule concerns; no cell is named, only counted."""
    looked, found = [], []
    for column, cells in shown.published(agreed):
        if concerns(column, cells):
            looked.append(column.name)
            bad = sum(count for text, count in cells.items() if is_bad(column, text))
            if bad:
                found.append(message("“{column}” in {rows:row|rows}", column=column.name, rows=bad))
    if found:
        return RuleResult(False, join_messages(message("Found: {found}.", found=found), skipped_note(agreed)))
    if looked:
        told = message("Looked at {columns}: nothing found.", columns=quote(looked))
    else:
        told = message("No published column speaks of it.")
    return RuleResult(True, join_messages(told, skipped_note(agreed)))


def skipped_note(agreed: Sequence[str]) -> Message | str:
    """Say which columns were not looked at, on somebody's word."""
    return message("Passed over, on the steward's word: {columns}.", columns=quote(agreed)) if agreed else ""


def known_items(numbers: Mapping[str, Json]) -> int:
    """Give how many items of a set somebody may know beside the class; 0 where no quasi-identifier is a set."""
    return int(numbers["exposed"]["m"]) if numbers.get("exposed") else 0


def smallest_match(numbers: Mapping[str, Json]) -> int:
    """Give the fewest records somebody is left with: those of a class, or of it that hold the items known, too."""
    known, k = numbers.get("exposed"), int(numbers["k"] or 0)
    return min(k, int(known["fewest"])) if known else k


def highest_risk(numbers: Mapping[str, Json]) -> float:
    """Give the highest chance: that of the smallest class, or more where a few items of a set are known, too."""
    by_class = float(numbers["risk"]["highest"])
    return max(by_class, 1 / max(smallest_match(numbers), 1)) if known_items(numbers) else by_class
