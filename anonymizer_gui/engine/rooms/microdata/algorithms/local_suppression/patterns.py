"""Which cells are emptied: patterns of columns, the cheapest first; what fits a pattern is published so.

Rows that are alike in all columns but those of a pattern, and together satisfy the goals, need no further cell emptied.
Whatever fits none in the end is emptied altogether, with as many of the others as it takes.
"""

import itertools
import math
from collections.abc import Iterator

import numpy as np

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.local_suppression.emptied_cells import Bools, Cells, Ints
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.goals import Judge
from anonymizer_gui.engine.rooms.microdata.recoding import first_groups

MOST_PATTERNS = 4096
Floats = np.ndarray[tuple[int], np.dtype[np.float64]]


def patterns(importance: Floats) -> Iterator[Bools]:
    """Give sets of columns to empty, the least important first; of very many columns only the small sets, and all."""
    columns = len(importance)
    most = columns
    while most > 1 and sum(math.comb(columns, size) for size in range(most + 1)) > MOST_PATTERNS:
        most -= 1
    sets = [key for size in range(most + 1) for key in itertools.combinations(range(columns), size)]
    sets += [tuple(range(columns))] if most < columns else []
    for key in sorted(sets, key=lambda key: (sum(importance[at] for at in key), len(key), key)):
        empty = np.zeros(columns, dtype=np.bool_)
        empty[list(key)] = True
        yield empty


def fit_patterns(cells: Cells, judge: Judge, importance: Floats, allowed: int, progress: Progress) -> Ints:
    """Give the group of every tuple, and mark its cells that are emptied; -1: nothing fits, and it may be left out."""
    counts = cells.encoded.counts
    group_of = np.full(len(counts), -1, dtype=np.int64)
    left = np.arange(len(counts))
    n_groups = 0
    for done, empty in enumerate(patterns(importance)):
        progress(min(done / 1000, 0.9), "Emptying cells")
        if not len(left):
            break
        part, n_parts = cells.grouped(left, empty)
        sizes = np.bincount(part, counts[left], n_parts)
        fine = judge.parts_fine(left.astype(np.int32), part, sizes) & (sizes > 0)
        inside = fine[part]
        chosen = left[inside]
        cells.empty[chosen] = empty
        group_of[chosen] = n_groups + (np.cumsum(fine) - 1)[part[inside]]
        n_groups += int(fine.sum())
        left = left[~inside]
    if counts[left].sum() > allowed:
        _gather(cells, judge, group_of, left)
    return group_of


def _gather(cells: Cells, judge: Judge, group_of: Ints, left: Ints) -> None:
    """Empty all cells of what is left, and of ever more other groups with it, until they satisfy together.

    Rows that may not share a class for the level bounds are gathered apart; those that never satisfy stay left out.
    """
    top = first_groups(cells.encoded)
    for cell in np.unique(top[left[cells.encoded.counts[left] > 0]]).tolist():
        mine = left[top[left] == cell]
        others = np.flatnonzero((top == cell) & (group_of >= 0))
        order = _most_emptied_first(cells, group_of, others)
        taken, many = mine, 0
        while not _is_fine(cells, judge, taken) and many < len(order):
            many = min(max(1, 2 * many), len(order))
            taken = np.concatenate([mine, others[np.isin(group_of[others], order[:many])]])
        if _is_fine(cells, judge, taken):
            cells.empty[taken] = True
            group_of[taken] = group_of.max(initial=-1) + 1


def _most_emptied_first(cells: Cells, group_of: Ints, tuples: Ints) -> Ints:
    """Order the groups of some tuples: those that have lost most cells, of these the smallest."""
    groups, first, place = np.unique(group_of[tuples], return_index=True, return_inverse=True)
    rows = np.bincount(place.reshape(-1), cells.encoded.counts[tuples], len(groups))
    lost = cells.empty[tuples[first]].sum(axis=1)
    return np.asarray(groups[np.lexsort((rows, -lost))], dtype=np.int64)


def _is_fine(cells: Cells, judge: Judge, tuples: Ints) -> bool:
    sizes = np.array([cells.encoded.counts[tuples].sum()])
    return bool(judge.parts_fine(tuples.astype(np.int32), np.zeros(len(tuples), dtype=np.int64), sizes)[0])
