"""Cells emptied until the cells of any m columns are shared by k rows: set by set, the least important column first."""

import itertools

import numpy as np

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import group_rows
from anonymizer_gui.engine.rooms.microdata.algorithms.local_suppression.emptied_cells import Cells, Ints
from anonymizer_gui.engine.rooms.microdata.algorithms.local_suppression.patterns import Floats

_MOST_ROUNDS = 2000


def empty_for_subsets(cells: Cells, asked: list[tuple[int, int]], importance: Floats, progress: Progress) -> bool:
    """Empty cells until every set of m columns has k rows for each of its combinations; (k, m) are asked for.

    Says whether it was reached; in the end all cells are emptied, and no table that the levels allow is more general.
    """
    columns = len(importance)
    sets = [(k, key) for k, m in asked for key in itertools.combinations(range(columns), min(m, columns))]
    for turn in range(_MOST_ROUNDS):
        progress(turn / (turn + 20), "Emptying cells")
        before = int(cells.empty.sum())
        if not [True for k, key in sets if _empty_rare(cells, k, key, importance)]:
            return True
        if int(cells.empty.sum()) == before:
            break
    cells.empty[:] = True
    return all((_people(cells, key) >= k).all() for k, key in sets)


def _empty_rare(cells: Cells, k: int, key: tuple[int, ...], importance: Floats) -> bool:
    """Empty the least important cell of every combination that fewer than k rows share; say whether there was one."""
    rare = np.flatnonzero(_people(cells, key) < k)
    if not len(rare):
        return False
    for column in sorted(key, key=lambda at: (importance[at], at)):
        here = rare[~cells.empty[rare, column] & (cells.kept[rare, column] != cells.emptied[rare, column])]
        cells.empty[here, column] = True
        rare = np.setdiff1d(rare, here, assume_unique=True)
    if len(rare):  # nothing of these is left to empty: the next rarest rows join them
        cells.empty[np.ix_(_nearest(cells, k, key), np.array(key))] = True
    return True


def _people(cells: Cells, key: tuple[int, ...]) -> Ints:
    """Count for every tuple the people who share its cells in some columns; tuples without rows are never rare."""
    now, encoded = cells.now, cells.encoded
    wider = group_rows([now[:, at] for at in key], len(now))
    if encoded.persons is None:
        people = np.bincount(wider.ids, encoded.counts, len(wider))
    else:
        people = encoded.persons.merged(wider.ids.astype(np.int64), len(wider)).sizes
    never = np.iinfo(np.int64).max
    return np.where(encoded.counts > 0, people[wider.ids].astype(np.int64), never)


def _nearest(cells: Cells, k: int, key: tuple[int, ...]) -> Ints:
    """Give the tuples of the smallest combination that is shared by enough."""
    people = _people(cells, key)
    others = np.flatnonzero((people >= k) & (cells.encoded.counts > 0) & ~cells.empty[:, list(key)].all(axis=1))
    if not len(others):
        return np.flatnonzero(cells.encoded.counts > 0).astype(np.int64)
    return np.asarray(others[people[others] == people[others].min()], dtype=np.int64)
