"""A release in the plane of two quasi-identifiers: the boxes its classes fill there."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import classes_of
from anonymizer_gui.engine.data.tables.table import SUPPRESSED, Role, Table
from anonymizer_gui.engine.hierarchy.coverage import PublishedColumn, domain_of, flat_domain, place_cells
from anonymizer_gui.engine.rooms.microdata.release import Release

MOST_BOXES = 800
_MOST_TICKS = 12
_BAND = 1 / 12
"""The width of the band beside the values where cells that tell nothing stand, as a share of the values."""
_GAP = 1 / 3
"""The distance of the band from the values, as a share of its width."""


@dataclass(frozen=True, slots=True, eq=False)
class PartitionMap:
    """Boxes (left, bottom, right, top) in leaf numbers, the largest first; `rows` and `cells` of each.

    A cell that may be any value stands in a band of its own behind the values: over them it would be read as rows
    with each of them. `density` is the rows of a box for each pair of values it covers. `left_out` counts the boxes
    of fewest rows that are not here. The ticks give the labels of some leaves, and of the band.
    """

    boxes: npt.NDArray[np.float64]
    rows: npt.NDArray[np.int64]
    density: npt.NDArray[np.float64]
    cells: tuple[tuple[str, str], ...]
    x_ticks: dict[float, str]
    y_ticks: dict[float, str]
    left_out: int


def partition_map(
    release: Release, original: Table, x: str, y: str, progress: Progress = SILENT, most: int = MOST_BOXES
) -> PartitionMap:
    """Project the classes of a release on two of its quasi-identifiers; equal boxes are one."""
    progress(0.1, "Finding the boxes")
    cells_x, cells_y = _cells(release, original, x), _cells(release, original, y)
    classes = classes_of(release.table, (x, y))
    progress(0.6, "Finding the boxes")
    kept = np.argsort(-classes.sizes, kind="stable")[:most]
    first = classes.first_rows[kept]
    columns = release.table.column(x), release.table.column(y)
    at_x, at_y = (column.codes[first] for column in columns)
    sides_x, sides_y = _sides(cells_x)[at_x], _sides(cells_y)[at_y]
    boxes = np.column_stack([sides_x[:, 0], sides_y[:, 0], sides_x[:, 1], sides_y[:, 1]])
    covered = cells_x.widths[at_x] * cells_y.widths[at_y]
    # Large boxes first, so that small ones inside them are drawn over them.
    order = np.argsort(-covered, kind="stable")
    words = [(columns[0].labels[at_x[i]], columns[1].labels[at_y[i]]) for i in order.tolist()]
    rows = classes.sizes[kept][order]
    left_out = len(classes) - len(kept)
    ticks = _ticks(cells_x, at_x), _ticks(cells_y, at_y)
    return PartitionMap(boxes[order], rows, rows / covered[order], tuple(words), *ticks, left_out)


def most_divided(release: Release) -> tuple[str, str]:
    """Name the two quasi-identifiers in which the release tells most values apart, in the order of the table."""
    names = release.project.schema.names(Role.QI)
    by_labels = sorted(names, key=lambda name: -len(release.table.column(name).labels))
    chosen = sorted(by_labels[:2], key=names.index)
    return chosen[0], chosen[-1]


def _cells(release: Release, original: Table, name: str) -> PublishedColumn:
    entry, published, raw = release.project.schema.column(name), release.table.column(name), original.column(name)
    domain = domain_of(published, raw, release.project.hierarchies.get(name), entry) or flat_domain(raw, entry)
    return place_cells(published, domain, entry)


def _sides(cells: PublishedColumn) -> npt.NDArray[np.float64]:
    """Give the two ends of every label: its leaves, or the band behind them where it may be any."""
    n_leaves = cells.hierarchy.n_leaves
    ends = np.column_stack([cells.low, cells.high + 1]).astype(np.float64)
    ends[_tells_nothing(cells)] = _band(n_leaves)
    return ends


def _tells_nothing(cells: PublishedColumn) -> npt.NDArray[np.bool_]:
    n_leaves = cells.hierarchy.n_leaves
    return np.asarray((cells.widths == n_leaves) & (n_leaves > 1), dtype=np.bool_)


def _band(n_leaves: int) -> tuple[float, float]:
    width = max(n_leaves * _BAND, 0.5)
    return n_leaves + _GAP * width, n_leaves + (1 + _GAP) * width


def _ticks(cells: PublishedColumn, drawn: npt.NDArray[np.integer[Any]]) -> dict[float, str]:
    tree = cells.hierarchy
    step = max(-(-tree.n_leaves // _MOST_TICKS), 1)
    ticks = {leaf + 0.5: tree.leaf_labels[leaf] for leaf in range(0, tree.n_leaves, step)}
    if _tells_nothing(cells)[drawn].any():
        low, high = _band(tree.n_leaves)
        ticks[(low + high) / 2] = SUPPRESSED
    return ticks
