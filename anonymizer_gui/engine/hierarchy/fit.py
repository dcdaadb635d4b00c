"""How a hierarchy fits the data of its column: what lacks a place, what lacks values, and why."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.hierarchy.encode import NO_PLACE, find_leaves, leaf_bounds
from anonymizer_gui.engine.hierarchy.readings import readings
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.table import MISSING, Column, ColumnSchema


@dataclass(frozen=True, slots=True)
class Misfit:
    """A value of the data without a place, and the rows that have it."""

    value: str
    rows: int


@dataclass(frozen=True, slots=True)
class Twin:
    """A value, or a leaf, that differs from another leaf only in upper and lower case."""

    value: str
    leaf: str
    rows: int


@dataclass(frozen=True, slots=True)
class Fit:
    """What was found; values without a place are listed by their reason as well."""

    column: str
    without_place: tuple[Misfit, ...]
    without_values: tuple[str, ...]
    named_like_groups: tuple[Misfit, ...]
    case_twins: tuple[Twin, ...]
    outside_intervals: tuple[Misfit, ...]

    @property
    def is_good(self) -> bool:
        """Whether every row has a place."""
        return not self.without_place

    @property
    def rows_without_place(self) -> int:
        """The number of rows whose value has no place."""
        return sum(misfit.rows for misfit in self.without_place)

    def summary(self) -> str:
        """Say in a sentence how the hierarchy fits."""
        unused = f"{len(self.without_values):,} places have no value." if self.without_values else ""
        if self.is_good:
            return unused
        return f"{len(self.without_place):,} values ({self.rows_without_place:,} rows) have no place. {unused}".strip()


def check_fit(column: Column, hierarchy: Hierarchy, schema: ColumnSchema | None = None) -> Fit:
    """Compare the values of a column with the leaves of a hierarchy; missing cells always have a place."""
    leaf_of_label, counts = find_leaves(column, hierarchy, schema), column.counts()
    lacking = [
        Misfit(column.labels[at], int(counts[at]))
        for at in np.flatnonzero((leaf_of_label == NO_PLACE) & (counts > 0)).tolist()
        if column.labels[at] != MISSING
    ]
    filled = np.zeros(hierarchy.n_leaves, dtype=np.bool_)
    filled[leaf_of_label[(leaf_of_label != NO_PLACE) & (counts > 0)]] = True
    groups = hierarchy.node_of_label
    return Fit(
        column.name,
        tuple(lacking),
        tuple(hierarchy.leaf_labels[at] for at in np.flatnonzero(~filled) if hierarchy.leaf_labels[at] != MISSING),
        tuple(misfit for misfit in lacking if misfit.value in groups),
        tuple(_case_twins(lacking, hierarchy, dict(zip(column.labels, counts.tolist(), strict=True)))),
        _outside(lacking, hierarchy, schema),
    )


def _case_twins(lacking: list[Misfit], hierarchy: Hierarchy, rows: dict[str, int]) -> Iterable[Twin]:
    leaves: dict[str, list[str]] = defaultdict(list)
    for label in hierarchy.leaf_labels:
        leaves[label.casefold()].append(label)
    for misfit in lacking:
        for leaf in leaves.get(misfit.value.casefold(), ())[:1]:
            yield Twin(misfit.value, leaf, misfit.rows)
    for first, *others in leaves.values():
        for other in others:
            yield Twin(other, first, rows.get(other, 0))


def _outside(lacking: list[Misfit], hierarchy: Hierarchy, schema: ColumnSchema | None) -> tuple[Misfit, ...]:
    if not lacking or not len(leaf_bounds(hierarchy)):
        return ()
    is_reading = ~np.isnan(readings([misfit.value for misfit in lacking], schema))
    return tuple(misfit for misfit, numeric in zip(lacking, is_reading, strict=True) if numeric)
