"""The place of every cell of a column in its hierarchy, as leaf numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadHierarchy, NoPlace
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema
from anonymizer_gui.engine.data.tables.values import Floats, parse_by_type
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval, Ints

NO_PLACE = -1


@dataclass(frozen=True, slots=True, eq=False)
class EncodedColumn:
    """A column in its hierarchy: the leaf number of each label (-1 for a label no row has) and of each row."""

    hierarchy: Hierarchy
    leaf_of_label: Ints
    codes: Ints


def encode_column(column: Column, hierarchy: Hierarchy, schema: ColumnSchema | None = None) -> EncodedColumn:
    """Find the leaf of every cell: the leaf of the same label, else the leaf whose interval holds the number or date.

    Missing cells get a leaf of their own under the root when the hierarchy has none; the result's hierarchy has it.
    Raises BadHierarchy when values have no place.

    >>> tree = Hierarchy.from_nested({"*": {"Europe": ["Italy", "Spain"], "Asia": ["Japan"]}})
    >>> encode_column(Column.from_texts("land", ["Spain", "Japan", "Spain"]), tree).codes.tolist()
    [1, 2, 1]
    """
    counts = column.counts()
    hierarchy = with_missing(hierarchy, column)
    leaf_of_label = find_leaves(column, hierarchy, schema)
    homeless = (leaf_of_label == NO_PLACE) & (counts > 0)
    if homeless.any():
        raise NoPlace(
            message(
                "“{column}” has {values:value|values} ({rows:row|rows}) without a place in its hierarchy.",
                column=column.name,
                values=int(homeless.sum()),
                rows=int(counts[homeless].sum()),
            ),
            "Repair the hierarchy: add the values under the root, under “Other” or where similar names are.",
            column.name,
        )
    codes = leaf_of_label[column.codes] if len(column) else np.empty(0, dtype=np.int32)
    return EncodedColumn(hierarchy, leaf_of_label, codes)


def with_missing(hierarchy: Hierarchy, column: Column) -> Hierarchy:
    """Put a leaf `(missing)` under the root when the column has missing cells and the hierarchy no place for them."""
    if MISSING in hierarchy.leaf_number or MISSING not in column.labels:
        return hierarchy
    if not column.counts()[column.labels.index(MISSING)]:
        return hierarchy
    return Hierarchy([*hierarchy.labels, MISSING], [*hierarchy.parents.tolist(), 0], hierarchy.intervals)


def find_leaves(column: Column, hierarchy: Hierarchy, schema: ColumnSchema | None = None) -> Ints:
    """Give the leaf number of each label of a column; -1 where there is no place."""
    number = hierarchy.leaf_number
    found = np.fromiter((number.get(label, NO_PLACE) for label in column.labels), np.int32, len(column.labels))
    bounds = leaf_intervals(hierarchy)
    unplaced = np.flatnonzero(found == NO_PLACE)
    if len(bounds) and len(unplaced):
        values = parse_by_type([column.labels[i] for i in unplaced.tolist()], schema)
        found[unplaced] = bounds.find(values)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class LeafIntervals:
    """Disjoint intervals of leaves, sorted, for looking up many values at once."""

    leaves: Ints
    low: Floats
    high: Floats
    open_low: npt.NDArray[np.bool_]
    closed: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.leaves)

    def find(self, values: Floats) -> Ints:
        """Give the leaf number whose interval holds each value; -1 for none and for NaN."""
        last = np.searchsorted(self.low, values, side="right") - 1
        found = self._holding(values, last)
        # A value on a shared bound may belong to the interval that ends there.
        before = self._holding(values, last - 1)
        return np.where(found == NO_PLACE, before, found)

    def _holding(self, values: Floats, at: npt.NDArray[np.integer[Any]]) -> Ints:
        place = np.maximum(at, 0)
        above = (values > self.low[place]) | ((values == self.low[place]) & ~self.open_low[place])
        below = (values < self.high[place]) | ((values == self.high[place]) & self.closed[place])
        return np.where(above & below & (at >= 0), self.leaves[place], NO_PLACE).astype(np.int32)


def leaf_intervals(hierarchy: Hierarchy) -> LeafIntervals:
    """Collect the intervals of the leaves; raises BadHierarchy when two of them overlap."""
    by_leaf = _leaf_intervals(hierarchy)
    order = sorted(by_leaf, key=lambda leaf: (by_leaf[leaf].low, by_leaf[leaf].high))
    intervals = [by_leaf[leaf] for leaf in order]
    bounds = LeafIntervals(
        np.array(order, dtype=np.int32),
        np.array([interval.low for interval in intervals], dtype=np.float64),
        np.array([interval.high for interval in intervals], dtype=np.float64),
        np.array([interval.open_low for interval in intervals], dtype=np.bool_),
        np.array([interval.closed for interval in intervals], dtype=np.bool_),
    )
    _refuse_overlap(hierarchy, bounds)
    return bounds


def _leaf_intervals(hierarchy: Hierarchy) -> Mapping[int, Interval]:
    if not hierarchy.intervals:
        return {}
    first, is_leaf = hierarchy.first_leaf, hierarchy.is_leaf
    return {int(first[node]): interval for node, interval in hierarchy.intervals.items() if is_leaf[node]}


def _refuse_overlap(hierarchy: Hierarchy, bounds: LeafIntervals) -> None:
    shared = bounds.closed[:-1] & ~bounds.open_low[1:]
    overlap = (bounds.low[1:] < bounds.high[:-1]) | ((bounds.low[1:] == bounds.high[:-1]) & shared)
    if overlap.any():
        at = int(np.flatnonzero(overlap)[0])
        one, two = (hierarchy.leaf_labels[int(leaf)] for leaf in bounds.leaves[at : at + 2])
        raise BadHierarchy(
            message("The intervals of “{one}” and “{two}” overlap.", one=one, two=two), "Change their bounds."
        )
