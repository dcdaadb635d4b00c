"""Rows of a hierarchy file, from the value itself to the star that stands for every value."""

from collections.abc import Iterable

MISSING = ("(missing)",)
TOP = "*"
Levels = list[tuple[str, ...]]


def named(rows: Iterable[tuple[str, ...]], with_missing: bool = False) -> Levels:
    """Return rows given from the value upwards, closed with the top."""
    levels = [(*row, TOP) for row in rows]
    if with_missing:
        levels.append((*MISSING * (len(levels[0]) - 1), TOP))
    return levels


def masked(values: Iterable[str], kept: Iterable[int], with_missing: bool = False) -> Levels:
    """Return rows that keep fewer and fewer of the first characters."""
    lengths = list(kept)
    rows = ((value, *(value[:length].ljust(len(value), "*") for length in lengths)) for value in values)
    return named(rows, with_missing)


def ranged(first: int, last: int, widths: Iterable[int]) -> Levels:
    """Return rows of whole numbers in ranges that grow wider."""
    steps = list(widths)
    return named((str(n), *(_range(n, width) for width in steps)) for n in range(first, last + 1))


def _range(number: int, width: int) -> str:
    start = number // width * width
    return f"{start}-{start + width - 1}"
