"""How far from the best? A proven lower bound of the loss: what every row must lose, whatever the algorithm.

A row is published in a cell of the hierarchies, or suppressed, which costs all. The rows of its class lie in that cell,
so the cell holds at least as many rows as a class needs. Each row therefore loses no less than in the cheapest cell
around it that holds enough rows; the mean over all rows bounds every recoding with these hierarchies, local or
full-domain, from below (optimality gap). The same holds for every goal that a class keeps when rows join it.

Cells are walked column by column (branch and bound): a cell with too few rows has too few however it is narrowed,
and one that costs a row more than a cell known already need not be looked at for it.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable
from anonymizer_gui.engine.rooms.microdata.algorithms.goal_evaluation import GoalEvaluator
from anonymizer_gui.engine.rooms.microdata.models.contract import GoalSet

MOST_VISITS = 1_000_000_000
_TIE = 1e-12
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """One level of a column: the node of every tuple as a small number, how many there are, and what each loses."""

    code: Ints
    n_codes: int
    loss: Floats


def loss_bound(
    encoded: EncodedTable, goals: GoalSet, progress: Progress = SILENT, most_visits: int = MOST_VISITS
) -> float | None:
    """Give a loss (LM) below which no recoding with these hierarchies can be; None where proving it takes too long.

    Ranges that no hierarchy names may lose less: they are other cells than those looked at here.
    """
    least = tuple_loss_bounds(encoded, goals, progress, most_visits)
    return None if least is None else float((least * encoded.counts).sum() / max(encoded.counts.sum(), 1))


def tuple_loss_bounds(encoded: EncodedTable, goals: GoalSet, progress: Progress, most_visits: int) -> Floats | None:
    """Give what every tuple must lose at least; None where proving it takes too long."""
    kept = tuple(model for model in goals.models if goals.fails_in_parts(model) and not model.needs_population)
    walk = _Walk(encoded, GoalEvaluator(encoded, replace(goals, models=kept), progress), progress, most_visits)
    return walk.best if walk.run() else None


class _Walk:
    """The walk over all cells that matter; `best` is what every tuple loses in the cheapest cell found so far."""

    def __init__(self, encoded: EncodedTable, judge: GoalEvaluator, progress: Progress, most_visits: int) -> None:
        self._counts = encoded.counts
        self._judge = judge
        self._progress = progress
        self._left = most_visits
        # Few nodes first: what is cut off then is most.
        self._columns = sorted(column_levels(encoded), key=lambda levels: levels[0].n_codes)
        self.best = np.ones(len(encoded.tuples))

    def run(self) -> bool:
        """Walk all cells; False when that takes too long."""
        tuples = np.flatnonzero(self._counts > 0)
        self._narrow(0, tuples, np.zeros(len(tuples), dtype=np.int64), 1, np.zeros(len(tuples)))
        return self._left >= 0

    def _narrow(self, column: int, tuples: Ints, cell: Ints, n_cells: int, lost: Floats) -> None:
        """Narrow cells by one more column, to each of its levels, the finest first."""
        is_last = column == len(self._columns) - 1
        for level in self._columns[column]:
            cost = lost + level.loss[tuples]
            wanted = cost < self.best[tuples] - _TIE
            if self._left < 0 or not wanted.any():
                continue
            self._left -= len(tuples)
            self._progress.check()
            part, n_parts = compact_numbers(cell * level.n_codes + level.code[tuples], n_cells * level.n_codes)
            sizes = np.bincount(part, self._counts[tuples], n_parts)
            enough = (sizes >= self._judge.least_rows) & (np.bincount(part, wanted, n_parts) > 0)
            inside = np.flatnonzero(enough[part])
            if not len(inside):
                continue
            here, number = tuples[inside], (np.cumsum(enough) - 1)[part[inside]]
            if not is_last:
                self._narrow(column + 1, here, number, int(enough.sum()), cost[inside])
                continue
            fine = self._judge.parts_fine(here.astype(np.int32), number, sizes[enough])
            cheap = fine[number] & wanted[inside]
            self.best[here[cheap]] = cost[inside][cheap]


def compact_numbers(key: Ints, n_keys: int) -> tuple[Ints, int]:
    """Give small numbers for keys, as they are where there are few."""
    if n_keys <= 4 * len(key) + 1000:
        return key, n_keys
    number, found = pd.factorize(key)
    return number, len(found)


def column_levels(encoded: EncodedTable) -> list[list[Level]]:
    """Give the levels of every column, the finest first."""
    columns = []
    for j, qi in enumerate(encoded.qis):
        levels = []
        for nodes in qi.levels():
            node = nodes[encoded.tuples[:, j]]
            found, code = np.unique(node, return_inverse=True)
            levels.append(Level(code.reshape(-1).astype(np.int64), len(found), qi.weight * qi.hierarchy.loss[node]))
        columns.append(levels)
    return columns
