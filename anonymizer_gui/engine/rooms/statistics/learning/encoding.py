"""Rows as whole numbers a model learns from: one for the cell a row is in, and where that lies between the bounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.rooms.statistics.column_domains import ColumnDomain
from anonymizer_gui.engine.rooms.statistics.public import Public

UNIT = 64
"""A feature of 1 in whole numbers."""
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Encoding:
    """The features of every column: a 1 for its cell, for numbers and days also the middle of the bin; and a bias."""

    domains: tuple[ColumnDomain, ...]

    @cached_property
    def blocks(self) -> tuple[Floats, ...]:
        """Give for each column what each of its cells looks like, in whole numbers."""
        return tuple(_block(domain) for domain in self.domains)

    @property
    def width(self) -> int:
        """The number of features, the bias included."""
        return sum(block.shape[1] for block in self.blocks) + 1

    def features(self, cells: Sequence[Ints]) -> Floats:
        """Give the features of some rows by their cells; whole numbers held as floats, which multiply faster."""
        rows = len(cells[0]) if cells else 0
        parts = [block[at] for block, at in zip(self.blocks, cells, strict=True)]
        return np.hstack([*parts, np.full((rows, 1), float(UNIT))])

    def cells(self, table: Table, public: Public) -> tuple[Ints, ...]:
        """Give the cells of all rows of a table."""
        return tuple(domain.of_rows(table.column(domain.column), public) for domain in self.domains)


def _block(domain: ColumnDomain) -> Floats:
    ones = np.eye(domain.cells) * UNIT
    middles = domain.middles()
    if middles is None:
        return ones
    line = np.append(np.trunc(middles * UNIT), 0.0)
    return np.column_stack([ones, line])
