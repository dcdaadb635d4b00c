"""Rows drawn of fitted distributions, as many as one likes: it costs nothing, for the data is not there any more.

Shares are made into whole numbers of rows first, so that chance adds as little as possible to the noise.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.dp.gateway import Ints, draw_lots
from anonymizer_gui.engine.rooms.statistics.synthesis.counting import Floats
from anonymizer_gui.engine.rooms.statistics.synthesis.fitting import Fitted
from anonymizer_gui.engine.rooms.statistics.synthesis.joining import drawing_order

Lots = Callable[[int], npt.NDArray[np.uint64]]
"""Draws lots: the operating system for a release, something repeatable for what is only simulated."""


def uniform(count: int, draw: Lots = draw_lots) -> Floats:
    """Draw numbers from 0 to 1."""
    return draw(count).astype(np.float64) / 2.0**64


def drawn_groups(fitted: Fitted, rows: int, draw: Lots = draw_lots) -> list[Ints]:
    """Draw the group of every row for each column, by one or two columns drawn before."""
    groups: dict[int, Ints] = {}
    for column, near in drawing_order(len(fitted.margins), fitted.joined):
        parents, shares = fitted.given(column, near)
        key = np.zeros(rows, dtype=np.int64)
        for parent in parents:
            key = key * len(fitted.margins[parent]) + groups[parent]
        groups[column] = _given(key, shares, fitted.margins[column], draw)
    return [groups[column] for column in range(len(fitted.margins))]


def _given(parent: Ints, table: Floats, alone: Floats, draw: Lots) -> Ints:
    """Draw a column by the groups of others."""
    drawn = np.empty(len(parent), dtype=np.int64)
    order = np.argsort(parent, kind="stable")
    ends = np.flatnonzero(np.diff(parent[order])) + 1
    for rows in np.split(order, ends) if len(order) else ():
        shares = table[parent[rows[0]]]
        drawn[rows] = allotted(shares if shares.sum() > 0 else alone, len(rows), draw)
    return drawn


def allotted(shares: Floats, rows: int, draw: Lots = draw_lots) -> Ints:
    """Share rows out as nearly as whole numbers allow, what is left by lot, in random order."""
    wanted = shares / shares.sum() * rows
    counts = np.floor(wanted).astype(np.int64)
    left = rows - int(counts.sum())
    if left > 0:
        # Systematic sampling: one lot, then equal steps along the remainders.
        ends = np.cumsum(wanted - counts)
        places = np.searchsorted(ends, (np.arange(left) + uniform(1, draw)[0]) * ends[-1] / left, side="right")
        np.add.at(counts, np.minimum(places, len(counts) - 1), 1)
    values = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    return values[np.argsort(draw(rows), kind="stable")]


def within_groups(groups: Ints, grouping: Ints, weights: Floats, draw: Lots = draw_lots) -> Ints:
    """Choose a cell of each group: by its noisy count, and all alike where none is above zero."""
    cells = np.empty(len(groups), dtype=np.int64)
    for group in np.unique(groups):
        rows, members = np.flatnonzero(groups == group), np.flatnonzero(grouping == group)
        shares = np.maximum(weights[members], 0.0)
        shares = shares if shares.sum() > 0 else np.ones(len(members))
        cells[rows] = members[allotted(shares, len(rows), draw)]
    return cells


def shuffled(columns: Sequence[Ints], draw: Lots = draw_lots) -> list[Ints]:
    """Put rows into random order."""
    order = np.argsort(draw(len(columns[0])), kind="stable") if columns else np.zeros(0, dtype=np.int64)
    return [column[order] for column in columns]
