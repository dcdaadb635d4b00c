"""All columns of a table at a glance: how many values each has, and how many of them stand in one row only."""

from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.shapes.tables.held import CrowdedColumn
from anonymizer_gui.engine.shapes.tables.table import MISSING, Column, Table

FEW_ROWS = 10
"""In fewer rows than these, values that are all different say nothing."""
NEARLY_ALL = 0.95
MOST = 1 / 2


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """What the values of one column say about it; a cell without a value counts as missing only.

    `unique` counts the rows whose value no other row has.
    """

    name: str
    rows: int
    distinct: int
    missing: int
    unique: int

    @property
    def present(self) -> int:
        """How many rows have a value."""
        return self.rows - self.missing

    @property
    def unique_share(self) -> float:
        """The share of the rows with a value that have it for themselves."""
        return self.unique / self.present if self.present else 0.0

    @property
    def distinct_share(self) -> float:
        """Different values per row with a value."""
        return self.distinct / self.present if self.present else 0.0

    @property
    def is_nearly_unique(self) -> bool:
        """Whether nearly every row that has a value has its own, so that the value alone points to a person."""
        return self.present >= FEW_ROWS and self.distinct_share >= NEARLY_ALL

    @property
    def singles_out_most(self) -> bool:
        """Whether the value alone points to a person in most rows that have one, as a date of birth may."""
        return self.present >= FEW_ROWS and self.unique_share > MOST


def facts_of(column: Column) -> ColumnFacts:
    """Count the values of one column."""
    if isinstance(column, CrowdedColumn):
        crowd = column.crowd
        return ColumnFacts(column.name, crowd.rows, crowd.distinct, crowd.missing, crowd.unique)
    counts = column.counts()
    known = np.array([label != MISSING for label in column.labels], dtype=np.bool_)
    there = counts[known] if len(counts) else counts
    return ColumnFacts(
        column.name,
        column.rows,
        int(np.count_nonzero(there)),
        column.rows - int(there.sum()),
        int(np.count_nonzero(there == 1)),
    )


def overview(table: Table, progress: Progress = SILENT) -> tuple[ColumnFacts, ...]:
    """Count the values of every column, in order."""
    found = []
    for number, column in enumerate(table.wholes()):
        progress(number / len(table.columns), message("Looking at “{name}”", name=column.name))
        found.append(facts_of(column))
    return tuple(found)
