"""What somebody wants to see of the data, told from page to page."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Pointed:
    """A part of the data and rows in it that somebody wants to see."""

    place: str
    rows: tuple[int, ...] = ()
