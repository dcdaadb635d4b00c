"""Columns cut into runs of neighbouring leaves, so that large domains stay small tables."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.tables.table import Codes
from anonymizer_gui.engine.rooms.microdata.utility.contract import Placed

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Binned:
    """A column over at most so many bins of leaves.

    `bin_of_row` is the bin of every original row; `share[label, bin]` the part of a published label's leaves that
    lies in a bin; `codes` the label of every published row; `everything` the part of the domain in each bin.
    """

    bin_of_row: npt.NDArray[np.int64]
    share: Floats
    codes: Codes
    everything: Floats

    @property
    def n_bins(self) -> int:
        """The number of bins."""
        return len(self.everything)


def binned(placed: Placed, most: int) -> Binned:
    """Cut a column's domain into at most so many runs of about equally many leaves."""
    n_leaves = placed.hierarchy.n_leaves
    n_bins = min(n_leaves, most)
    bin_of_leaf = np.arange(n_leaves) * n_bins // n_leaves
    edges = np.searchsorted(bin_of_leaf, np.arange(n_bins + 1))
    low = np.maximum(placed.cells.low[:, None], edges[None, :-1])
    high = np.minimum(placed.cells.high[:, None] + 1, edges[None, 1:])
    share = np.maximum(high - low, 0) / placed.cells.widths[:, None]
    return Binned(bin_of_leaf[placed.leaf], share, placed.published.codes, np.diff(edges) / n_leaves)
