"""Which few columns together point to single people: the smallest sets that leave most rows without an equal."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Table

MOST_ROWS = 0.5
"""A set of columns identifies when more than this share of the rows has no equal in them."""
LARGEST_SET = 3
MOST_FOUND = 50
"""More than these nobody reads; those told are the smallest and the most telling."""
_MOST_COLUMNS = {1: 10_000, 2: 120, 3: 24}
"""Of so many columns, those with most values, sets of a size are tried: of all, they would be too many."""

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class UniqueCombination:
    """Some columns, and the share of all rows that no other row equals in them."""

    columns: tuple[str, ...]
    share: float


def find_unique_combinations(
    table: Table,
    names: Sequence[str],
    share: float = MOST_ROWS,
    largest: int = LARGEST_SET,
    progress: Progress = SILENT,
) -> tuple[UniqueCombination, ...]:
    """Find the smallest sets of columns in which more than `share` of the rows have no equal.

    No set is told that holds a smaller one that was found. The smaller come first, then those that tell more.
    """
    sizes = {name: _n_values(table, name) for name in names}
    ranked = sorted(names, key=lambda name: (-sizes[name], names.index(name)))
    found: list[UniqueCombination] = []
    for size in range(1, largest + 1):
        part = progress.sub((size - 1) / largest, size / largest)
        found += _of_size(table, ranked[: _MOST_COLUMNS.get(size, len(ranked))], sizes, size, share, found, part)
        if len(found) >= MOST_FOUND:
            break  # what comes next is larger than all that is told
    order = {name: place for place, name in enumerate(names)}
    told = [UniqueCombination(tuple(sorted(one.columns, key=order.__getitem__)), one.share) for one in found]
    return tuple(sorted(told, key=lambda one: (len(one.columns), -one.share, one.columns)))[:MOST_FOUND]


def _of_size(
    table: Table,
    names: Sequence[str],
    sizes: dict[str, int],
    size: int,
    share: float,
    smaller: Sequence[UniqueCombination],
    progress: Progress,
) -> Iterator[UniqueCombination]:
    known = [set(one.columns) for one in smaller]
    sets = [one for one in combinations(names, size) if _may_identify(one, sizes, share * table.n_rows, known)]
    ids: dict[tuple[str, ...], Ids] = {}
    for number, members in enumerate(sets):
        progress(
            number / len(sets),
            message("Measured {count:,} of {total:,} sets of columns", count=number, total=len(sets)),
        )
        head = members[:-1]
        if head not in ids:  # sets come in an order in which the same columns are followed by one other each
            ids = {head: _grouped(table, head)}
        alone = _rows_alone(ids[head], _codes(table, members[-1]))
        if alone > share * table.n_rows:
            yield UniqueCombination(members, alone / table.n_rows)


def _may_identify(members: tuple[str, ...], sizes: dict[str, int], rows: float, known: Sequence[set[str]]) -> bool:
    """Tell whether there can be so many rows alone, and no smaller set has been found inside."""
    return prod(sizes[name] for name in members) > rows and not any(small <= set(members) for small in known)


def _grouped(table: Table, names: Sequence[str]) -> Ids:
    ids = np.zeros(table.n_rows, dtype=np.int64)
    for name in names:
        codes = _codes(table, name)
        ids = pd.factorize(ids * (int(codes.max(initial=0)) + 1) + codes)[0].astype(np.int64)
    return ids


def _rows_alone(ids: Ids, codes: Ids) -> int:
    groups = pd.factorize(ids * (int(codes.max(initial=0)) + 1) + codes)[0]
    return int(np.count_nonzero(np.bincount(groups) == 1)) if len(groups) else 0


def _codes(table: Table, name: str) -> Ids:
    return table.column(name).codes.astype(np.int64)


def _n_values(table: Table, name: str) -> int:
    return int(np.count_nonzero(table.column(name).counts()))
