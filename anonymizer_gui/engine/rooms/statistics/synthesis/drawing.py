"""Rows drawn of fitted distributions, as many as one likes: it costs nothing, for the data is not there any more.

Shares are made into whole numbers of rows first, so that chance adds as little as possible to the noise.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.dp.gateway import Ints, lots
from anonymizer_gui.engine.rooms.statistics.synthesis.counting import Floats
from anonymizer_gui.engine.rooms.statistics.synthesis.fitting import Fitted

Lots = Callable[[int], npt.NDArray[np.uint64]]
"""Draws lots: the operating system for a release, something repeatable for what is only simulated."""


def uniform(count: int, draw: Lots = lots) -> Floats:
    """Draw numbers from 0 to 1."""
    return draw(count).astype(np.float64) / 2.0**64


def drawn_groups(fitted: Fitted, rows: int, draw: Lots = lots) -> list[Ints]:
    """Draw the group of every row for each column: the root of each tree first, then what hangs on it."""
    groups: list[Ints | None] = [None] * len(fitted.margins)
    for root in range(len(groups)):
        if groups[root] is None:
            groups[root] = allotted(fitted.margins[root], rows, draw)
            _follow(fitted, root, groups, draw)
    return [group for group in groups if group is not None]


def _follow(fitted: Fitted, root: int, groups: list[Ints | None], draw: Lots) -> None:
    waiting = [root]
    while waiting:
        parent = waiting.pop()
        for edge, table in fitted.pairs.items():
            child = edge[1] if edge[0] == parent else edge[0]
            if parent in edge and groups[child] is None:
                known = groups[parent]
                assert known is not None
                groups[child] = _given(known, table if edge[0] == parent else table.T, fitted.margins[child], draw)
                waiting.append(child)


def _given(parent: Ints, table: Floats, alone: Floats, draw: Lots) -> Ints:
    """Draw a column by the groups of another."""
    drawn = np.empty(len(parent), dtype=np.int64)
    for value in np.unique(parent):
        rows = np.flatnonzero(parent == value)
        shares = table[value] if table[value].sum() > 0 else alone
        drawn[rows] = allotted(shares, len(rows), draw)
    return drawn


def allotted(shares: Floats, rows: int, draw: Lots = lots) -> Ints:
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


def within_groups(groups: Ints, grouping: Ints, weights: Floats, draw: Lots = lots) -> Ints:
    """Choose a cell of each group: by its noisy count, and all alike where none is above zero."""
    cells = np.empty(len(groups), dtype=np.int64)
    for group in np.unique(groups):
        rows, members = np.flatnonzero(groups == group), np.flatnonzero(grouping == group)
        shares = np.maximum(weights[members], 0.0)
        shares = shares if shares.sum() > 0 else np.ones(len(members))
        cells[rows] = members[allotted(shares, len(rows), draw)]
    return cells


def shuffled(columns: Sequence[Ints], draw: Lots = lots) -> list[Ints]:
    """Put rows into random order."""
    order = np.argsort(draw(len(columns[0])), kind="stable") if columns else np.zeros(0, dtype=np.int64)
    return [column[order] for column in columns]
