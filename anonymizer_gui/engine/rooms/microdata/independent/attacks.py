"""Attacks that need nothing but the file: how many rows each of them finds, counted class by class."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations

from anonymizer_gui.engine.rooms.microdata.independent.counting import Evidence, FileCounts
from anonymizer_gui.engine.rooms.microdata.independent.formulas import SLACK
from anonymizer_gui.engine.rooms.microdata.independent.interface import Counts, Struck
from anonymizer_gui.engine.rooms.microdata.independent.sets import CLASSES, exposed_in_classes, smallest_match

RISK_LIMIT = 0.2
"""The risk above which rows are counted."""
_FACTOR = 2.0
_RULED_OUT = 1
_ITEMS = 2
_COLUMNS = 3
_MOST_SETS = 20_000


def attacked(evidence: Evidence) -> dict[str, Struck]:
    """Run the attacks that rows alone decide, by name; none where people are counted."""
    found = evidence.counted
    if found.people is not None:
        return {}
    rows = max(found.rows, 1)
    told = {
        "prosecutor": _prosecutor(found),
        "marketer": Struck(len(found.classes) / rows, len(found.classes)),
        "special-uniques": _share(_singled_out(found), rows),
    }
    if found.held:
        fewest = smallest_match(evidence, _ITEMS, CLASSES)
        few = math.ceil((1 - SLACK) / RISK_LIMIT)
        told["items"] = Struck(1 / max(fewest, 1), exposed_in_classes(evidence, few, _ITEMS))
    if found.pairs:
        told["homogeneity"] = _share(_most_with(found, at_most=1), rows)
        told["background"] = _share(_most_with(found, at_most=1 + _RULED_OUT), rows)
        told["skewness"] = _skewness(found)
    return told


def _share(hit: int, rows: int) -> Struck:
    return Struck(hit / rows, hit)


def _prosecutor(found: FileCounts) -> Struck:
    """1 / rows of the smallest class; hit are the rows of classes whose risk is above the limit."""
    above = sum(size for size in found.sizes.values() if 1 / size > RISK_LIMIT * (1 + SLACK))
    return Struck(1 / min(found.sizes.values()) if found.sizes else 0.0, above)


def _most_with(found: FileCounts, at_most: int) -> int:
    """Count the rows of classes with so few values, in the sensitive column where they are most."""
    return max(
        sum(found.sizes[number] for number, held in of_classes.items() if len(held) <= at_most)
        for of_classes in found.pairs
    )


def _skewness(found: FileCounts) -> Struck:
    """Give the largest growth of a share from the file to a class, in the column where most rows are hit."""
    results = []
    for column, of_classes in enumerate(found.pairs):
        whole = found.whole(column)
        factors = {number: _grown(held, whole, found.rows) for number, held in of_classes.items()}
        hit = sum(found.sizes[number] for number, factor in factors.items() if factor >= _FACTOR - SLACK)
        results.append((hit, max(factors.values(), default=0.0)))
    hit, value = max(results)
    return Struck(value, hit)


def _grown(held: Counts, whole: Mapping[str, int], rows: int) -> float:
    size = sum(held.values())
    return max((times * rows / (whole[value] * size) for value, times in held.items()), default=0.0)


def _singled_out(found: FileCounts) -> int:
    """Count the rows that some set of up to three quasi-identifiers singles out.

    What a set singles out a larger one does, too, so the largest decide; only a row alone in its class can be hit.
    """
    alone = [key for key, number in found.classes.items() if found.sizes[number] == 1]
    if not alone:
        return 0
    hit: set[tuple[str, ...]] = set()
    for places in _sets_of(len(alone[0])):
        sharing = Counter[tuple[str, ...]]()
        for key, number in found.classes.items():
            sharing[tuple(key[at] for at in places)] += found.sizes[number]
        hit.update(key for key in alone if sharing[tuple(key[at] for at in places)] == 1)
    return len(hit)


def _sets_of(columns: int) -> Iterator[tuple[int, ...]]:
    """Give the sets of columns of the largest size that is looked at; smaller ones where there are very many."""
    most = min(_COLUMNS, columns)
    while most > 1 and sum(math.comb(columns, size) for size in range(1, most + 1)) > _MOST_SETS:
        most -= 1
    return combinations(range(columns), most)
