"""Counts released tiles and slots: the fewest people who share any few of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True, slots=True)
class CountedTiles:
    """What was counted in a file of tiles."""

    people: int
    visits: int
    kinds: int
    clock: str
    """What is told of times: that of the day or of the week, or none where dates are told."""
    smallest: int
    """Fewest people who have any set of up to m tiles and slots that somebody has; 0 when nobody has any."""


def count_tiles(rows: Sequence[Sequence[str]], most: int) -> CountedTiles:
    """Count sets of up to so many tiles and slots; raises ValueError when somebody has one twice."""
    held: dict[str, set[tuple[str, ...]]] = {}
    for row in rows:
        own = held.setdefault(row[0], set())
        if tuple(row[1:]) in own:
            raise ValueError
        own.add(tuple(row[1:]))
    kinds = {item for own in held.values() for item in own}
    numbers = {item: number for number, item in enumerate(sorted(kinds))}
    found: dict[tuple[int, ...], int] = {}
    for own in held.values():
        ordered = sorted(numbers[item] for item in own)
        for size in range(1, most + 1):
            for some in combinations(ordered, size):
                found[some] = found.get(some, 0) + 1
    return CountedTiles(len(held), len(rows), len(kinds), _clock(rows), min(found.values(), default=0))


def _clock(rows: Sequence[Sequence[str]]) -> str:
    """Read off the first cell what is told of times: `08:00`, `1 08:00` or `2024-05-01T08:00:00Z`."""
    first = rows[0][1] if rows else ""
    return "none" if "T" in first else "week" if " " in first else "day"
