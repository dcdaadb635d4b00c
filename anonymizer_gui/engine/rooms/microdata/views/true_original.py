"""A release beside the table as it was read: what charts call the original is never what a mask made of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.tables.table import MISSING, SUPPRESSED, Column, ColumnSchema, ColumnType, Table
from anonymizer_gui.engine.hierarchy.coverage import flat_domain, place_cells
from anonymizer_gui.engine.hierarchy.fit import add_missing_values
from anonymizer_gui.engine.hierarchy.leaf_encoding import NO_PLACE, encode_column, find_leaves, with_missing
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.compare import comparison_of
from anonymizer_gui.engine.rooms.microdata.preparing.prepared_table import PreparedTable, before_of, unprepared
from anonymizer_gui.engine.rooms.microdata.preparing.steps import steps_of
from anonymizer_gui.engine.rooms.microdata.release import Release
from anonymizer_gui.engine.rooms.microdata.utility.contract import Comparison, Placed

_OTHER_DOMAINS = (ColumnType.SET, ColumnType.PLACE)


@dataclass(frozen=True, eq=False)
class TrueComparison(Comparison):
    """A comparison in which masked columns have both the values they had and those that masks gave them as domain.

    Rows that are made up are in the release only.
    """

    prepared: Table = Table(())  # noqa: RUF009 - a table is frozen

    @cached_property
    def real(self) -> npt.NDArray[np.bool_]:
        """Say of every row whether somebody stands behind it: made-up ones were missing in every column."""
        made_up = self.prepared.made_up if isinstance(self.prepared, PreparedTable) else 0
        real = np.ones(self.original.n_rows, dtype=np.bool_)
        if made_up:
            gaps = np.logical_and.reduce([_is_missing(column) for column in before_of(self.prepared)])
            real[np.flatnonzero(gaps)[-made_up:]] = False
        return real

    @property
    def suppressed(self) -> int:
        """The rows of the table that was read that were left out."""
        return int(np.count_nonzero(self.real)) - int(np.count_nonzero(self.real[self.rows]))

    def _place(self, name: str) -> Placed:
        entry = None if self.schema is None else self.schema.column(name)
        raw, published = self.original.column(name).take(np.flatnonzero(self.real)), self.published.column(name)
        if entry is not None and entry.type in _OTHER_DOMAINS:
            return super()._place(name)
        after = self.prepared.column(name) if name in self.qis else published
        domain = _domain((raw, self.prepared.column(name), after), self.hierarchies.get(name), entry)
        start = encode_column(raw, domain, entry)
        return Placed(start.hierarchy, start.codes, published, place_cells(published, domain, entry), self.suppressed)


def true_comparison(release: Release, prepared: Table) -> Comparison:
    """Put a release beside the table it was read from; where no step changed cells, it is the usual comparison."""
    usual = comparison_of(release, prepared)
    if not before_of(prepared) and not any(step.waits() for step in steps_of(release.project.source)):
        return usual
    return TrueComparison(
        unprepared(prepared),
        usual.published,
        usual.rows,
        usual.qis,
        usual.sas,
        usual.hierarchies,
        usual.weights,
        usual.schema,
        prepared,
    )


def _domain(columns: Sequence[Column], hierarchy: Hierarchy | None, entry: ColumnSchema | None) -> Hierarchy:
    """Give the values there were and those that masks made: the hierarchy with what it lacks, or all in a row."""
    labels = tuple(dict.fromkeys(label for column in columns for label in column.compact().labels))
    every = Column(columns[0].name, np.arange(len(labels)), labels)
    if hierarchy is None:
        return flat_domain(every, entry)
    lacking = np.flatnonzero(find_leaves(every, hierarchy, entry) == NO_PLACE).tolist()
    new = [labels[at] for at in lacking if labels[at] not in (MISSING, SUPPRESSED)]
    return with_missing(add_missing_values(hierarchy, new), every)


def _is_missing(column: Column) -> npt.NDArray[np.bool_]:
    gap = column.labels.index(MISSING) if MISSING in column.labels else -1
    return np.asarray(column.codes == gap)
