"""Classes with the same cells are one class once they are published, and must hold the goals so.

While every row is about another person that goes without saying: what holds for classes holds for their union.
Somebody who has another sensitive value in each of two classes counts with one of them where they are united.
"""

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import EquivalenceClasses, group_rows
from anonymizer_gui.engine.rooms.microdata.algorithms.clustering.repair import Ints, Repair, by_rows
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded, Limits
from anonymizer_gui.engine.rooms.microdata.algorithms.explain import infeasible
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import allowed_rows, settle
from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.recoding import from_groups


class UnitedRepair(Repair):
    """Merges groups that violate the goals; those that come to have the same cells are one."""

    def set_groups(self, group: Ints) -> None:
        """Take over groups; those with the same cells are one."""
        super().set_groups(group)
        same = same_cells(self.cells)
        if len(same) < len(self.cells):
            super().set_groups(np.where(self.group < 0, -1, same.ids[self.group]))
        inside = np.flatnonzero(self.group >= 0)
        foreign = self._top[inside] != self.top[self.group[inside]]
        # Climbing from uneven depth: rows of different most general cells met; their cell must not grow.
        mixed = np.unique(self.group[inside[foreign]])
        self.top[mixed] = -1 - mixed


def united(encoded: Encoded, goals: Goals, limits: Limits, group_of_row: Ints, progress: Progress) -> Recoding:
    """Merge the groups of rows (-1: suppressed) until they hold the goals as they are published.

    Raises Infeasible when that cannot be reached so.
    """
    rows = by_rows(encoded)
    repair = UnitedRepair(rows, goals, group_of_row, progress)
    groups, fine = repair.merge_until_fine(), repair.fine()
    if not fine.all():
        left = allowed_rows(encoded.n_rows, limits.suppression) - int(np.count_nonzero(groups < 0))
        settled = settle(repair.groups(), goals, left)
        if settled is None:
            raise infeasible(encoded, goals, limits)
        groups = np.where(np.append(settled.kept, False)[groups], groups, -1)
    return from_groups(rows, groups)


def same_cells(cells: npt.NDArray[np.int32]) -> EquivalenceClasses:
    """Find the groups that have the same cells."""
    return group_rows([cells[:, j] for j in range(cells.shape[1])], len(cells))
