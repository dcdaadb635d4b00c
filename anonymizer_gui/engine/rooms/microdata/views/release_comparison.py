"""Releases side by side, in the plane, on the privacy-utility front."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import classes_of
from anonymizer_gui.engine.data.tables.table import SUPPRESSED, Role, Table
from anonymizer_gui.engine.hierarchy.coverage import PublishedColumn, domain_of, flat_domain, place_cells
from anonymizer_gui.engine.rooms.microdata.release.release import Release, compare_release
from anonymizer_gui.engine.rooms.microdata.set_valued_attributes import set_label_losses
from anonymizer_gui.engine.rooms.microdata.utility.query_error import QueryError

LEFT_OUT = -1


@dataclass(frozen=True, slots=True, eq=False)
class CellLoss:
    """What each label of a published column lost (LM, 0 to 1), and its place in the order of the domain."""

    loss: npt.NDArray[np.float64]
    rank: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class SideBySide:
    """Both tables; `published_row[r]` is the published row of original row r, -1 where it was left out.

    `starred[r]` says that the row is published as `*`. `lost` has an entry for every quasi-identifier.
    """

    original: Table
    published: Table
    published_row: npt.NDArray[np.int64]
    starred: npt.NDArray[np.bool_]
    lost: Mapping[str, CellLoss]
    columns: tuple[str, ...]
    """All columns of the original: quasi-identifiers, sensitive ones, the others, and identifiers last."""

    def is_suppressed(self, row: int) -> bool:
        """Tell whether an original row was left out or published as `*`."""
        return bool(self.published_row[row] == LEFT_OUT or self.starred[row])


def side_by_side(release: Release, original: Table, progress: Progress = SILENT) -> SideBySide:
    """Put a release beside the table it was made from."""
    schema, hierarchies = release.project.schema, release.project.hierarchies
    lost = {}
    quasi = schema.names(Role.QI)
    for done, name in enumerate(quasi):
        progress(done / len(quasi), message("Loss of “{name}”", name=name))
        entry, column, raw = schema.column(name), release.table.column(name), original.column(name)
        domain = domain_of(column, raw, hierarchies.get(name), entry)
        if domain is not None:
            cells = place_cells(column, domain, entry)
            lost[name] = CellLoss(cells.loss, np.argsort(np.lexsort((cells.high, cells.low))))
    for name in schema.sets:
        column = release.table.column(name)
        known = original.column(name), release.rows, hierarchies.get(name), schema.column(name)
        order = np.argsort(np.argsort(np.array(column.labels, dtype=object)))
        lost[name] = CellLoss(set_label_losses(column, *known), order)
    published_row = np.full(original.n_rows, LEFT_OUT, dtype=np.int64)
    published_row[release.rows] = np.arange(len(release.rows))
    starred = np.zeros(original.n_rows, dtype=np.bool_)
    starred[release.rows] = release.class_of_row < 0
    others = (name for role in (Role.SA, Role.OTHER, Role.EI) for name in schema.names(role))
    columns = (*schema.quasi, *others)
    return SideBySide(original, release.table, published_row, starred, lost, columns)


def order_by_published(both: SideBySide, column: str, descending: bool, progress: Progress) -> npt.NDArray[np.int64]:
    """Sort the original rows by what was published of them; rows that were left out come last."""
    progress(0.1, column)
    published = both.published.column(column)
    lost = both.lost.get(column)
    ranks = np.argsort(np.argsort(np.array(published.labels, dtype=object))) if lost is None else lost.rank
    key = (-ranks if descending else ranks)[published.codes] if len(published) else np.empty(0, dtype=np.int64)
    last = len(published.labels)
    of_row = np.append(key, last)[both.published_row]  # -1 picks the entry appended
    progress(0.5, column)
    return np.argsort(of_row, kind="stable").astype(np.int64)


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


MORE_IS_BETTER = frozenset({"k", "l"})
"""The figures of a release of which more is better; of all others less is."""


def release_figure(release: Release, name: str) -> float | None:
    """Give a figure of a release: k, l, t, lm, md, suppressed, emptied, classes, risk, average-risk or seconds.

    l is that of distinct values, t the earth mover's distance. None where there is nothing to measure.
    """
    measured = release.measured
    found: float | None
    if name in ("l", "t"):
        found = measured.l.get("distinct") if name == "l" else measured.t.get("emd")
    elif name == "risk":
        found = max(measured.risk.highest, 1 / max(measured.fewest, 1)) if measured.rows else 0.0
    elif name == "average-risk":
        found = measured.risk.average if measured.exposed is None else None  # nobody counts it with items known
    elif name in ("suppressed", "seconds"):
        found = release.suppressed if name == "suppressed" else sum(release.seconds.values())
    else:
        found = {
            "k": measured.k,
            "lm": measured.lm,
            "md": measured.md,
            "classes": measured.classes,
            "emptied": measured.emptied,
        }[name]
    return found


def pareto_front(
    xs: Sequence[float], ys: Sequence[float], *, more_x: bool = False, more_y: bool = False
) -> tuple[int, ...]:
    """Give the places of the points that no other point beats: none is at least as good in both and better in one.

    Less is better unless `more_x` or `more_y` says otherwise.

    >>> pareto_front([1, 2, 3, 3], [3, 1, 2, 1])
    (0, 1)
    """
    x = -np.asarray(xs, dtype=np.float64) if more_x else np.asarray(xs, dtype=np.float64)
    y = -np.asarray(ys, dtype=np.float64) if more_y else np.asarray(ys, dtype=np.float64)
    no_worse = (x[:, None] <= x) & (y[:, None] <= y)
    better = (x[:, None] < x) | (y[:, None] < y)
    return tuple(np.flatnonzero(~(no_worse & better).any(axis=0)).tolist())


def query_error(release: Release, original: Table, progress: Progress) -> float:
    """Ask both tables the same random counts; give the median relative error."""
    return QueryError().measure(compare_release(release, original), progress).value
