"""Cells as other tools write them: ranges of numbers such as `20-29`, `(30,40]` or `>=40`, masks such as `130**`."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.tables.table import SUPPRESSED, ColumnSchema
from anonymizer_gui.engine.data.tables.values import parse_by_type
from anonymizer_gui.engine.hierarchy.interval_labels import interval_of
from anonymizer_gui.engine.hierarchy.tree import Hierarchy


@dataclass(frozen=True, eq=False)
class ForeignLabels:
    """Labels that a hierarchy does not name, read by the leaves they describe.

    >>> tree = Hierarchy.from_nested({"*": ["13053", "13068", "14850"]})
    >>> [ForeignLabels(tree).cell_range(label) for label in ("130**", "13060-14900", "<13000", "13**")]
    [(0, 1), (1, 2), None, None]
    """

    hierarchy: Hierarchy
    schema: ColumnSchema | None = None

    def cell_range(self, label: str) -> tuple[int, int] | None:
        """Give the first and last leaf a label describes, or None when it describes no run of neighbours."""
        interval = interval_of(label)
        if interval is not None:
            above = self._values >= interval.low if not interval.open_low else self._values > interval.low
            below = self._values <= interval.high if interval.closed else self._values < interval.high
            return _run(np.flatnonzero(above & below))
        known = label.rstrip(SUPPRESSED)
        if not known or known == label:
            return None
        alike = [len(leaf) == len(label) and leaf.startswith(known) for leaf in self.hierarchy.leaf_labels]
        return _run(np.flatnonzero(alike))

    @cached_property
    def _values(self) -> npt.NDArray[np.float64]:
        return parse_by_type(self.hierarchy.leaf_labels, self.schema)


def _run(leaves: npt.NDArray[np.int64]) -> tuple[int, int] | None:
    if not len(leaves) or leaves[-1] - leaves[0] != len(leaves) - 1:
        return None
    return int(leaves[0]), int(leaves[-1])
