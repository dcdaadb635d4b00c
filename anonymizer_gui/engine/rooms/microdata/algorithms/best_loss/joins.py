"""What classes lose once they cover a further row, as tables that are looked up: columns with few values share one."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import FORBIDDEN, Ints, Singles
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded, QuasiIdentifier

LARGEST_TABLE = 6_000_000
_LARGEST_SHARED = 1 << 17


@dataclass(frozen=True, slots=True, eq=False)
class Joins:
    """One column, or several taken together, of some units.

    A cell is known by where its row of the tables begins: at `cell + value` stands the cell that covers the value,
    too (`joined`), and what it loses (`lost`). `single[value]` is the cell of a value alone; `values` tells the value
    of every unit.
    """

    joined: Ints
    lost: Singles
    single: Ints
    values: Ints
    n_values: int

    @property
    def n_cells(self) -> int:
        """The number of cells."""
        return len(self.joined) // self.n_values

    def together(self, other: "Joins") -> "Joins":
        """Give two columns as one, with the pairs of values that occur."""
        pair = self.values * other.n_values + other.values
        used, values = np.unique(pair, return_inverse=True)
        mine, theirs = used // other.n_values, used % other.n_values
        ours = self.joined.reshape(-1, self.n_values)[:, mine][:, None] // self.n_values
        joined = ours * other.n_cells + other.joined.reshape(-1, other.n_values)[:, theirs][None] // other.n_values
        lost = (
            self.lost.reshape(-1, self.n_values)[:, mine][:, None] + other.lost.reshape(-1, other.n_values)[:, theirs]
        )
        single = self.single[mine] // self.n_values * other.n_cells + other.single[theirs] // other.n_values
        width = len(used)
        return Joins(joined.reshape(-1) * width, lost.reshape(-1), single * width, values.reshape(-1), width)


def joins_of(encoded: Encoded, units: Ints) -> list[Joins] | None:
    """Make the tables for some units; None where a column has too many values for one."""
    columns: list[Joins] = []
    for j, qi in enumerate(encoded.qis):
        column = _column(qi, encoded.tuples[units, j])
        if column is None:
            return None
        columns.append(column)
    bundles: list[Joins] = []
    for column in sorted(columns, key=lambda joins: len(joins.joined)):
        for place, bundle in enumerate(bundles):
            if len(bundle.joined) * len(column.joined) <= _LARGEST_SHARED:
                bundles[place] = bundle.together(column)
                break
        else:
            bundles.append(column)
    return bundles


def _column(qi: QuasiIdentifier, leaves: npt.NDArray[np.int32]) -> Joins | None:
    tree = qi.hierarchy
    used, values = np.unique(qi.levels()[0][leaves], return_inverse=True)
    low, high = tree.first_leaf[used], tree.end_leaf[used] - 1
    own = tree.common_ancestors(low, high)
    reached = above = np.unique(own)
    while len(above := np.unique(tree.parents[above][tree.parents[above] >= 0])):
        reached = np.union1d(reached, above)
    if len(reached) * len(used) > LARGEST_TABLE:
        return None
    first = np.minimum(tree.first_leaf[reached][:, None], low).reshape(-1)
    last = np.maximum(tree.end_leaf[reached][:, None] - 1, high).reshape(-1)
    nodes = tree.common_ancestors(first, last).reshape(len(reached), len(used))
    place = np.full(len(tree), -1, dtype=np.int64)
    place[reached] = np.arange(len(reached))
    joined = place[nodes]
    lost = _loss(qi)[nodes]
    alone = place[own]
    width = len(used)
    return Joins(joined.reshape(-1) * width, lost.reshape(-1), alone * width, values.reshape(-1), width)


def _loss(qi: QuasiIdentifier) -> Singles:
    """Give the weighted loss of every node; one above the highest level allowed costs more than anything else."""
    tree, top = qi.hierarchy, qi.levels()[-1][qi.hierarchy.first_leaf]
    above = (tree.first_leaf < tree.first_leaf[top]) | (tree.end_leaf > tree.end_leaf[top])
    return np.where(above, FORBIDDEN, qi.weight * tree.loss).astype(np.float32)
