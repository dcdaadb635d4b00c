"""Sets of items, read sign by sign from the cells of a file, and how many rows hold a few of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

Items = frozenset[tuple[int, str]]
"""The items of a row, each with the number of its column."""


def items_in(cell: str, form: str) -> list[str]:
    """Read the items of a cell: they stand in quotation marks or not, between braces where the form has some.

    A cell that is written otherwise is one item as a whole.
    """
    sign = form[1] if len(form) > 1 else form
    text = cell.strip()
    if len(form) > 1:
        if not (text.startswith(form[0]) and text.endswith(form[2]) and len(text) > 1):
            return [text]
        text = text[1:-1]
    found = list(_pieces(text, sign))
    return [cell.strip()] if None in found else [item for item in found if item]


def _pieces(text: str, sign: str) -> Iterator[str | None]:
    """Give one item after the other; None where a quotation mark is never closed."""
    at = 0
    while at <= len(text):
        begin = at
        while begin < len(text) and text[begin].isspace() and text[begin] != sign:
            begin += 1
        if text[begin : begin + 1] == '"':
            item, end = _quoted(text, begin + 1)
            rest = text[end:].lstrip() if end >= 0 and sign != " " else text[end:]
            if end < 0 or (rest and not rest.startswith(sign)):
                yield None
                return
            yield item.strip()
            at = len(text) - len(rest) + 1
        else:
            end = text.find(sign, at)
            end = len(text) if end < 0 else end
            yield text[at:end].strip()
            at = end + 1


def _quoted(text: str, at: int) -> tuple[str, int]:
    """Read up to the closing quotation mark, two of which are one of the item; -1 where none closes it."""
    item = ""
    while at < len(text):
        if text[at] != '"':
            item += text[at]
        elif text[at + 1 : at + 2] == '"':
            item += '"'
            at += 1
        else:
            return item, at + 1
        at += 1
    return item, -1


def items_of_rows(cells: Sequence[Sequence[str]], forms: Sequence[str], missing: Iterable[str]) -> list[Items]:
    """Read the sets of every row, given column by column; a missing cell and `*` hold nothing."""
    nothing = {"", "*", *missing}
    known: list[dict[str, list[tuple[int, str]]]] = [{} for _ in cells]
    rows = []
    for row in zip(*cells, strict=True):
        held: list[tuple[int, str]] = []
        for at, (cell, form) in enumerate(zip(row, forms, strict=True)):
            if cell not in known[at]:
                items = [] if cell in nothing else items_in(cell, form)
                known[at][cell] = [(at, item) for item in items]
            held += known[at][cell]
        rows.append(frozenset(held))
    return rows


def holders(rows: Sequence[Items], m: int) -> list[Counter[tuple[tuple[int, str], ...]]]:
    """Count for every size up to m how many rows hold each set of so many items."""
    return [Counter(some for held in rows for some in combinations(sorted(held), size)) for size in range(1, m + 1)]


def fewest_holders(rows: Sequence[Items], m: int) -> int:
    """Give the fewest rows that hold any set of up to m items; all rows where none is held."""
    return min([len(rows), *(times for counts in holders(rows, m) for times in counts.values())])


def exposed_rows(rows: Sequence[Items], k: int, m: int) -> set[int]:
    """Number the rows that hold a set of up to m items that fewer than k of these rows hold; all where they are few."""
    if len(rows) < k:
        return set(range(len(rows)))
    counts = holders(rows, m)
    return {
        number
        for number, held in enumerate(rows)
        if any(counts[size - 1][some] < k for size in range(1, m + 1) for some in combinations(sorted(held), size))
    }


def by_class(rows: Sequence[Items], classes: Sequence[int]) -> Mapping[int, list[Items]]:
    """Put the rows of every class together."""
    found: dict[int, list[Items]] = {}
    for held, number in zip(rows, classes, strict=True):
        found.setdefault(number, []).append(held)
    return found
