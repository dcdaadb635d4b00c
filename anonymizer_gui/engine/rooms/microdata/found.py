"""What an algorithm found: the class of every row, and the cells every class is published with."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class Recoding:
    """What an algorithm decided: the class of every row (-1: suppressed) and the cell of each class and QI.

    A cell covers the leaves `low` to `high` (both included). `node` is the hierarchy node it is published as,
    or -1 where a data-driven range is published instead.
    `search` tells how the result was found, for the pages that draw it (see each algorithm).
    """

    class_of_row: npt.NDArray[np.int64]
    low: npt.NDArray[np.int32]
    high: npt.NDArray[np.int32]
    node: npt.NDArray[np.int32]
    search: object | None = None
    notes: tuple[str, ...] = ()

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return len(self.low)
