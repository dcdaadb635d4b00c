"""How large a table is for an algorithm, as far as it can be told before it is encoded."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Size:
    """Rows, different QI tuples at most, and per QI the leaves, nodes and levels of its hierarchy.

    `sensitive` counts the sensitive columns, `values` the values of the one that has most; `least_rows` is what the
    goals ask of a class, `by_size_alone` says that they ask nothing else.
    """

    rows: int
    tuples: int
    leaves: tuple[int, ...]
    nodes: tuple[int, ...]
    levels: tuple[int, ...]
    sensitive: int = 0
    values: int = 1
    least_rows: int = 1
    by_size_alone: bool = True

    @property
    def columns(self) -> int:
        """The number of QIs."""
        return len(self.leaves)

    @property
    def entries(self) -> int:
        """How often, at most, another sensitive value occurs in a tuple, over all sensitive columns."""
        return self.sensitive * min(self.rows, self.tuples * self.values)

    @property
    def lattice(self) -> int:
        """The number of combinations of levels."""
        return math.prod(self.levels)
