"""How far columns tell rows apart: distinction and separation (Motwani and Xu, 2007), alone and together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.shapes.tables.classes import classes_of
from anonymizer_gui.engine.shapes.tables.table import Table
from anonymizer_gui.engine.words import say

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ColumnSet:
    """Some columns and how far they tell rows apart: distinct tuples per row, and pairs of rows that differ."""

    columns: tuple[str, ...]
    distinction: float
    separation: float


def distinction(table: Table, columns: Sequence[str]) -> float:
    """Give the number of distinct tuples divided by the number of rows; 0 without rows."""
    return len(classes_of(table, columns)) / table.n_rows if table.n_rows else 0.0


def separation(table: Table, columns: Sequence[str]) -> float:
    """Give the share of pairs of rows that differ in some column; 0 where there is no pair."""
    return _separation(classes_of(table, columns).sizes, table.n_rows)


def column_sets(
    table: Table, names: Sequence[str], max_size: int = 4, progress: Progress = SILENT
) -> tuple[ColumnSet, ...]:
    """Measure every set of up to `max_size` of the columns; the most telling come first.

    Rows that are equal in all the columns are counted together, and a set is grouped from the ids of its prefix.
    """
    everything = classes_of(table, names)
    columns = [table.column(name).codes[everything.first_rows].astype(np.int64) for name in names]
    total = sum(comb(len(names), size) for size in range(1, min(max_size, len(names)) + 1))
    found: list[ColumnSet] = []
    for members, sizes in _walk(columns, everything.sizes, max_size):
        chosen = tuple(names[i] for i in members)
        share = len(sizes) / table.n_rows if table.n_rows else 0.0
        found.append(ColumnSet(chosen, share, _separation(sizes, table.n_rows)))
        progress(
            len(found) / total, say("Measured {count:,} of {total:,} sets of columns", count=len(found), total=total)
        )
    return tuple(sorted(found, key=lambda s: (-s.distinction, -s.separation, len(s.columns), s.columns)))


def _walk(columns: list[Counts], weights: Counts, max_size: int) -> Iterator[tuple[tuple[int, ...], Counts]]:
    """Group every set of columns, each from the ids of the set without its last column."""
    pending: list[tuple[tuple[int, ...], Counts]] = [((), np.zeros(len(weights), dtype=np.int64))]
    while pending:
        members, ids = pending.pop()
        for last in range(members[-1] + 1 if members else 0, len(columns)):
            width = int(columns[last].max(initial=0)) + 1
            new_ids, uniques = pd.factorize(ids * width + columns[last])
            grown = (*members, last)
            yield grown, np.bincount(new_ids, weights, minlength=len(uniques)).astype(np.int64)
            if len(grown) < max_size and last + 1 < len(columns):
                pending.append((grown, new_ids))


def _separation(sizes: Counts, rows: int) -> float:
    pairs = rows * (rows - 1)
    return 1 - int(np.dot(sizes, sizes - 1)) / pairs if pairs else 0.0
