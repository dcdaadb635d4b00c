"""The cells of every tuple while some of them are emptied: as they are, or at the most general level allowed."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.tables.equivalence_classes import group_rows
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded
from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.recoding import from_nodes

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class Cells:
    """The node of every tuple and column when its cell is kept, and when it is emptied; `empty` says which are."""

    def __init__(self, encoded: Encoded) -> None:
        self.encoded = encoded
        levels = [qi.levels() for qi in encoded.qis]
        taken = list(zip(levels, encoded.tuples.T, strict=True))
        self.kept = np.stack([nodes[0][column] for nodes, column in taken], axis=1).astype(np.int64)
        self.emptied = np.stack([nodes[-1][column] for nodes, column in taken], axis=1).astype(np.int64)
        self.empty = np.zeros(self.kept.shape, dtype=np.bool_)

    @property
    def now(self) -> Ints:
        """The node of every cell."""
        return np.where(self.empty, self.emptied, self.kept)

    def grouped(self, which: Ints, empty: Bools, columns: Sequence[int] | None = None) -> tuple[Ints, int]:
        """Group some tuples by their cells in some columns, as if these cells were emptied in all of them."""
        cells = np.where(empty, self.emptied[which], self.kept[which])
        asked = range(cells.shape[1]) if columns is None else columns
        classes = group_rows([cells[:, at] for at in asked], len(which))
        return classes.ids.astype(np.int64), len(classes)

    def emptied_rows(self, kept: Bools) -> Ints:
        """Count for every column the rows of tuples that are published whose cell lost something."""
        lost = self.empty & (self.kept != self.emptied) & kept[:, None]
        return np.asarray((lost * self.encoded.counts[:, None]).sum(axis=0), dtype=np.int64)

    def recoding(self, group_of_tuple: Ints) -> Recoding:
        """Publish the groups with their cells; -1 is left out, groups without rows disappear."""
        rows = np.bincount(group_of_tuple[group_of_tuple >= 0], self.encoded.counts[group_of_tuple >= 0], minlength=1)
        live = np.flatnonzero((group_of_tuple >= 0) & (rows[group_of_tuple] > 0))
        _, first, of_live = np.unique(group_of_tuple[live], return_index=True, return_inverse=True)
        class_of_tuple = np.full(len(group_of_tuple), -1, dtype=np.int64)
        class_of_tuple[live] = of_live.reshape(-1)
        node = self.now[live[first]].astype(np.int32).reshape(-1, self.kept.shape[1])
        return from_nodes(self.encoded, class_of_tuple, node)
