"""Support, promises and file once more."""

import csv
import io
import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress

Basket = tuple[str, ...]


def walk_itemsets(
    baskets: Sequence[Basket], most: int, progress: Progress = SILENT
) -> Iterator[tuple[Basket, list[int]]]:
    """Give every set of up to so many items that some basket holds, with the numbers of the baskets that hold it."""
    ordered = [tuple(sorted(set(basket))) for basket in baskets]
    holders: dict[str, list[int]] = {}
    for number, basket in enumerate(ordered):
        for item in basket:
            holders.setdefault(item, []).append(number)
    for done, item in enumerate(sorted(holders)):
        progress(done / len(holders), "Counting again")
        yield from _beginning_with((item,), holders[item], ordered, most)


def _beginning_with(
    items: Basket, holders: list[int], baskets: Sequence[Basket], most: int
) -> Iterator[tuple[Basket, list[int]]]:
    yield items, holders
    if len(items) == most:
        return
    longer: dict[str, list[int]] = {}
    for number in holders:
        basket = baskets[number]
        for item in basket[bisect_right(basket, items[-1]) :]:
            longer.setdefault(item, []).append(number)
    for item, fewer in longer.items():
        yield from _beginning_with((*items, item), fewer, baskets, most)


def smallest_support(baskets: Sequence[Basket], most: int, progress: Progress = SILENT) -> int:
    """Give the fewest baskets that hold any set of up to so many items; 0 when no basket holds anything."""
    return min((len(holders) for _, holders in walk_itemsets(baskets, most, progress)), default=0)


@dataclass(frozen=True, slots=True)
class Rarest:
    """What the rare sets of items betray: the smallest support, baskets with a set fewer than k or nobody else hold."""

    smallest_support: int
    exposed: int
    unique: int


def rarest_sets(baskets: Sequence[Basket], k: int, most: int, progress: Progress = SILENT) -> Rarest:
    """Count the sets of up to so many items in one walk; a support is 0 when no basket holds anything."""
    smallest, below, alone = 0, set[int](), set[int]()
    for _, holders in walk_itemsets(baskets, most, progress):
        smallest = min(smallest or len(holders), len(holders))
        if len(holders) < k:
            below.update(holders)
        if len(holders) == 1:
            alone.update(holders)
    return Rarest(smallest, len(below), len(alone))


def exposed_baskets(baskets: Sequence[Basket], k: int, most: int, progress: Progress = SILENT) -> set[int]:
    """Number the baskets that hold a set of up to so many items that fewer than k hold."""
    return {number for _, holders in walk_itemsets(baskets, most, progress) if len(holders) < k for number in holders}


def smallest_group(baskets: Sequence[Basket]) -> int:
    """Give how often the rarest basket is there; 0 when there is none."""
    return min(Counter(tuple(sorted(set(basket))) for basket in baskets).values(), default=0)


def fewest_values(baskets: Sequence[Basket], values: Sequence[str], most: int, progress: Progress = SILENT) -> int:
    """Give the fewest different values among the holders of any set of up to so many items, or of nothing."""
    among = (len({values[number] for number in holders}) for _, holders in walk_itemsets(baskets, most, progress))
    return min(among, default=len(set(values)), key=int) if baskets else 0


def surest_guess(baskets: Sequence[Basket], item: str, most: int, progress: Progress = SILENT) -> tuple[int, int]:
    """Give the holders of some set of other items among which the item has the largest share: with it, and in all."""
    has = [item in basket for basket in baskets]
    others = [tuple(other for other in basket if other != item) for basket in baskets]
    best = (sum(has), len(has))
    for _, holders in walk_itemsets(others, most, progress):
        some = (sum(has[number] for number in holders), len(holders))
        if some[0] * best[1] > best[0] * some[1]:
            best = some
    return best


@dataclass(frozen=True, slots=True)
class ReleasedBaskets:
    """What is in a released file: the baskets, and a column beside them where there is one."""

    baskets: Sequence[Basket]
    values: Sequence[str] | None = None
    column: str = ""


def without(baskets: Sequence[Basket], hidden: str) -> list[Basket]:
    """Leave out an item that is not known to an attacker."""
    return [tuple(item for item in basket if item != hidden) for basket in baskets]


def asked(promises: Sequence[Mapping[str, Any]]) -> tuple[int, int]:
    """Give the largest k and m of promises, from their parameters."""
    k, m = (max([1, *(int(each[name]) for each in promises if name in each)]) for name in ("k", "m"))
    return k, m


def check_promise(
    released: ReleasedBaskets, name: str, parameters: Mapping[str, Any], progress: Progress = SILENT
) -> tuple[int, bool]:
    """Give the figure of a promise, and whether it holds; raises ValueError for a promise nobody knows.

    A sensitive item is nothing that is known beforehand: it is left out where baskets are compared.
    """
    baskets = without(released.baskets, parameters.get("hidden", ""))
    if name == "km":
        smallest = smallest_support(baskets, parameters["m"], progress)
        return smallest, smallest == 0 or smallest >= parameters["k"]
    if name == "k":
        group = smallest_group(baskets)
        return group, group == 0 or group >= parameters["k"]
    if name == "l":
        return _diversity(released, parameters, progress)
    raise ValueError(name)


def _diversity(released: ReleasedBaskets, parameters: Mapping[str, Any], progress: Progress) -> tuple[int, bool]:
    if released.values is not None and parameters["sensitive"] == released.column:
        values = fewest_values(released.baskets, released.values, parameters["m"], progress)
        return values, not released.baskets or values >= parameters["l"]
    with_item, holders = surest_guess(released.baskets, parameters["sensitive"], parameters["m"], progress)
    possible = holders // with_item if with_item else len(released.baskets)
    return possible, with_item * parameters["l"] <= holders


_LONGEST_CELL = (1 << 31) - 1


def read_release(path: Path, layout: str, separator: str, column: str) -> ReleasedBaskets:
    """Read the baskets of a file; `column` is the one beside them, if any. Raises UnreadableFile."""
    csv.field_size_limit(_LONGEST_CELL)  # of the whole process; it is only ever raised
    try:
        text = path.read_bytes().decode("utf-8")
        if layout == "json":
            return _json(json.loads(text), column)
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter="," if layout != "lines" else separator))
        return {"lines": _lines, "long": _long, "matrix": _matrix, "column": _column}[layout](rows, separator, column)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, csv.Error, OSError, StopIteration):
        raise UnreadableFile(
            message("“{name}” does not hold baskets.", name=path.name), "Choose the file as it was released."
        ) from None


def _lines(rows: list[list[str]], separator: str, column: str) -> ReleasedBaskets:
    return ReleasedBaskets([_basket(row) for row in rows])


def _basket(items: list[str]) -> Basket:
    """Take the items of a basket; one that is twice there, or out of order, was not written by us."""
    found = tuple(item for item in items if item != "")
    if len(set(found)) != len(found):
        raise ValueError
    return found


def _long(rows: list[list[str]], separator: str, column: str) -> ReleasedBaskets:
    head, *rest = rows
    held: dict[str, list[str]] = {}
    values: dict[str, str] = {}
    for row in rest:
        held.setdefault(row[0], []).append(row[1])
        if column and values.setdefault(row[0], row[2]) != row[2]:
            raise ValueError
    if head != ["basket", "item", *([column] if column else [])]:
        raise ValueError
    return ReleasedBaskets(
        [_basket(items) for items in held.values()], list(values.values()) if column else None, column
    )


def _matrix(rows: list[list[str]], separator: str, column: str) -> ReleasedBaskets:
    head, *rest = rows
    names = head[:-1] if column else head
    if (column and head[-1] != column) or any(cell not in ("0", "1") for row in rest for cell in row[: len(names)]):
        raise ValueError
    if any(len(row) != len(head) for row in rest):
        raise ValueError
    baskets = [tuple(name for name, cell in zip(names, row, strict=False) if cell == "1") for row in rest]
    return ReleasedBaskets(baskets, [row[-1] for row in rest] if column else None, column)


def _column(rows: list[list[str]], separator: str, column: str) -> ReleasedBaskets:
    head, *rest = rows
    if head != ["items", *([column] if column else [])] or any(len(row) != len(head) for row in rest):
        raise ValueError
    inner = [next(csv.reader([row[0]], delimiter=separator), []) for row in rest]
    return ReleasedBaskets([_basket(items) for items in inner], [row[1] for row in rest] if column else None, column)


def _json(told: object, column: str) -> ReleasedBaskets:
    if not isinstance(told, list):
        raise ValueError
    if not column:
        return ReleasedBaskets([_texts(entry) for entry in told])
    return ReleasedBaskets([_texts(entry["items"]) for entry in told], [str(entry[column]) for entry in told], column)


def _texts(entry: object) -> Basket:
    if not isinstance(entry, list) or not all(isinstance(item, str) for item in entry):
        raise ValueError
    return _basket(entry)
