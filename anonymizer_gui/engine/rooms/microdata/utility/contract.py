"""What a utility measure compares: the original table, the published one, and which row became which."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Literal, Protocol

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry, try_each
from anonymizer_gui.engine.data.tables.table import Codes, Column, Schema, Table
from anonymizer_gui.engine.hierarchy.coverage import PublishedColumn, domain_of, flat_domain, place_cells
from anonymizer_gui.engine.hierarchy.leaf_encoding import encode_column
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class PlacedColumn:
    """One column before and after in the same domain: the leaf of every original row, the cells of every label.

    `published` has a row for every kept record; `suppressed` counts the records left out.
    """

    hierarchy: Hierarchy
    leaf: npt.NDArray[np.int32]
    published: Column
    cells: PublishedColumn
    suppressed: int

    def original_shares(self) -> npt.NDArray[np.float64]:
        """Give the share of every leaf in the original."""
        counts = np.bincount(self.leaf, minlength=self.hierarchy.n_leaves)
        return np.asarray(counts / max(len(self.leaf), 1), dtype=np.float64)

    def published_shares(self) -> npt.NDArray[np.float64]:
        """Spread every cell evenly over its leaves, and suppressed records over all; give the share of every leaf."""
        n_leaves = self.hierarchy.n_leaves
        density = self.published.counts() / self.cells.widths
        steps = np.bincount(self.cells.low, weights=density, minlength=n_leaves + 1)
        steps = steps - np.bincount(self.cells.high + 1, weights=density, minlength=n_leaves + 1)
        mass = np.maximum(np.cumsum(steps)[:n_leaves], 0.0) + self.suppressed / n_leaves
        return np.asarray(mass / max(len(self.published) + self.suppressed, 1), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Comparison:
    """The original table and what was published of it.

    `rows[i]` is the original row of published row i; measures that do not need it look only at how many there are.
    Columns without a hierarchy have the values of the original as their domain.
    """

    original: Table
    published: Table
    rows: Rows
    qis: tuple[str, ...]
    sas: tuple[str, ...] = ()
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    schema: Schema | None = None

    @cached_property
    def columns(self) -> Mapping[str, PlacedColumn]:
        """Every QI and sensitive column placed in its domain; raises BadHierarchy when a value has no place."""
        return {name: self._place(name) for name in (*self.qis, *self.sas)}

    @property
    def suppressed(self) -> int:
        """The original rows that were left out; rows published as `*` are there and count as such."""
        return self.original.n_rows - len(self.rows)

    def _place(self, name: str) -> PlacedColumn:
        entry = None if self.schema is None else self.schema.column(name)
        raw, published = self.original.column(name), self.published.column(name)
        domain = domain_of(published, raw, self.hierarchies.get(name), entry) or flat_domain(raw, entry)
        start = encode_column(raw, domain, entry)
        return PlacedColumn(
            start.hierarchy, start.codes, published, place_cells(published, domain, entry), self.suppressed
        )


@dataclass(frozen=True, slots=True, eq=False)
class MetricResult:
    """The value of a measure, and what stands behind it; the value is NaN where there is nothing to measure."""

    value: float
    details: Mapping[str, Json] = field(default_factory=dict)


class Metric(Protocol):
    """A frozen dataclass of declared parameters, registered in `METRICS`."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    formula: ClassVar[str]
    reference: ClassVar[str]
    direction: ClassVar[Literal["lower", "higher"]]
    """Which values are better."""
    range: ClassVar[str]
    ends: ClassVar[tuple[float, float] | None] = None
    """The best and the worst value, where it is worth saying how far a release is from either."""
    needs_rows: ClassVar[bool]
    """Whether it must know which published row comes from which original one."""
    takes_long: ClassVar[bool] = False
    """Whether it is measured only when asked for."""

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Measure what the publication kept or lost."""


METRICS: Registry[Metric] = Registry("utility measure", __package__)


def column_pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    """List every pair of columns once, in order."""
    return [(one, other) for at, one in enumerate(names) for other in names[at + 1 :]]


Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class BinnedColumn:
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


def bin_column(placed: PlacedColumn, most: int) -> BinnedColumn:
    """Cut a column's domain into at most so many runs of about equally many leaves."""
    n_leaves = placed.hierarchy.n_leaves
    n_bins = min(n_leaves, most)
    bin_of_leaf = np.arange(n_leaves) * n_bins // n_leaves
    edges = np.searchsorted(bin_of_leaf, np.arange(n_bins + 1))
    low = np.maximum(placed.cells.low[:, None], edges[None, :-1])
    high = np.minimum(placed.cells.high[:, None] + 1, edges[None, 1:])
    share = np.maximum(high - low, 0) / placed.cells.widths[:, None]
    return BinnedColumn(bin_of_leaf[placed.leaf], share, placed.published.codes, np.diff(edges) / n_leaves)


def measure_utility(
    metrics: Sequence[Metric], comparison: Comparison, progress: Progress
) -> Mapping[str, MetricResult | AnonymizerError]:
    """Measure several things; one that cannot be measured gives its error and does not stop the others."""
    return try_each(metrics, lambda metric, part: metric.measure(comparison, part), progress)
