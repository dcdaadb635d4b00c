"""A release in the plane of two quasi-identifiers: the boxes its classes fill there."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.hierarchy.coverage import Cells, cells_of, domain_of, flat_domain
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.microdata.release import Release
from anonymizer_gui.engine.shapes.tables.classes import classes_of
from anonymizer_gui.engine.shapes.tables.table import Role, Table

MOST_BOXES = 800
_MOST_TICKS = 12


@dataclass(frozen=True, slots=True, eq=False)
class PartitionMap:
    """Boxes (left, bottom, right, top) in leaf numbers, the largest first; `rows` and `cells` of each.

    `left_out` counts the boxes of fewest rows that are not here. The ticks give the labels of some leaves.
    """

    boxes: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
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
    boxes = np.stack([cells_x.low[at_x], cells_y.low[at_y], cells_x.high[at_x] + 1, cells_y.high[at_y] + 1], axis=1)
    # Large boxes first, so that small ones inside them are drawn over them.
    order = np.argsort(-(boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]), kind="stable")
    words = [(columns[0].labels[at_x[i]], columns[1].labels[at_y[i]]) for i in order.tolist()]
    return PartitionMap(
        boxes[order],
        classes.sizes[kept][order],
        tuple(words),
        _ticks(cells_x.hierarchy),
        _ticks(cells_y.hierarchy),
        len(classes) - len(kept),
    )


def most_divided(release: Release) -> tuple[str, str]:
    """Name the two quasi-identifiers in which the release tells most values apart, in the order of the table."""
    names = release.project.schema.names(Role.QI)
    by_labels = sorted(names, key=lambda name: -len(release.table.column(name).labels))
    chosen = sorted(by_labels[:2], key=names.index)
    return chosen[0], chosen[-1]


def _cells(release: Release, original: Table, name: str) -> Cells:
    entry, published, raw = release.project.schema.column(name), release.table.column(name), original.column(name)
    domain = domain_of(published, raw, release.project.hierarchies.get(name), entry) or flat_domain(raw, entry)
    return cells_of(published, domain, entry)


def _ticks(tree: Hierarchy) -> dict[float, str]:
    step = max(-(-tree.n_leaves // _MOST_TICKS), 1)
    return {leaf + 0.5: tree.leaf_labels[leaf] for leaf in range(0, tree.n_leaves, step)}
