"""Who is protected: one row more or less, one row changed, or one person with all of their rows."""

import re
from dataclasses import dataclass
from enum import StrEnum

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message

_PERSON = re.compile(r"person=(?P<column>.+):(?P<rows>[1-9]\d{0,8})", re.ASCII)
_HINT = message("Write row, change, or person=COLUMN:ROWS.")


class Neighbours(StrEnum):
    """How two tables differ that must not be told apart."""

    ROW = "row"
    CHANGE = "change"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit of protection: the kind of neighbours, and for people their column and how many rows each may have.

    >>> Unit.parse("person=patient:3")
    Unit(kind=<Neighbours.PERSON: 'person'>, column='patient', rows=3)
    """

    kind: Neighbours = Neighbours.ROW
    column: str = ""
    rows: int = 1

    def __post_init__(self) -> None:
        is_person = self.kind is Neighbours.PERSON
        if self.rows < 1 or is_person != bool(self.column) or (not is_person and self.rows != 1):
            raise BadParameter(
                "A unit of protection is a row, a changed row, or a person with a column and at least one row.",
                _HINT,
            )

    @property
    def within_part(self) -> "Unit":
        """The unit questions about parts are calibrated for: a changed row may leave one part and enter another."""
        return Unit() if self.kind is Neighbours.CHANGE else self

    @classmethod
    def parse(cls, text: str) -> "Unit":
        """Read `row`, `change` or `person=COLUMN:ROWS`; raises BadParameter."""
        if text in (Neighbours.ROW, Neighbours.CHANGE):
            return cls(Neighbours(text))
        if not (found := _PERSON.fullmatch(text)):
            raise BadParameter(message("“{text}” is no unit of protection.", text=text), _HINT)
        return cls(Neighbours.PERSON, found["column"], int(found["rows"]))

    def __str__(self) -> str:
        """Write it as it is read."""
        return f"{self.kind}={self.column}:{self.rows}" if self.column else str(self.kind)

    def sentence(self) -> Message:
        """Say who is protected."""
        if self.kind is Neighbours.PERSON:
            return message(
                "Nobody can tell whether a person with up to {rows:row|rows} is in the table.", rows=self.rows
            )
        if self.kind is Neighbours.CHANGE:
            return message("Nobody can tell what stands in a row; how many rows there are is public.")
        return message("Nobody can tell whether a row is in the table.")
