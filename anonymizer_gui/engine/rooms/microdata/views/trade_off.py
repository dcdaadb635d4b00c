"""Which releases nobody beats in both privacy and utility."""

from collections.abc import Sequence

import numpy as np

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.compare import comparison_of
from anonymizer_gui.engine.rooms.microdata.release import Release
from anonymizer_gui.engine.rooms.microdata.utility.query_error import QueryError

MORE_IS_BETTER = frozenset({"k", "l"})
"""The figures of a release of which more is better; of all others less is."""


def figure(release: Release, name: str) -> float | None:
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


def front(xs: Sequence[float], ys: Sequence[float], *, more_x: bool = False, more_y: bool = False) -> tuple[int, ...]:
    """Give the places of the points that no other point beats: none is at least as good in both and better in one.

    Less is better unless `more_x` or `more_y` says otherwise.

    >>> front([1, 2, 3, 3], [3, 1, 2, 1])
    (0, 1)
    """
    x = -np.asarray(xs, dtype=np.float64) if more_x else np.asarray(xs, dtype=np.float64)
    y = -np.asarray(ys, dtype=np.float64) if more_y else np.asarray(ys, dtype=np.float64)
    no_worse = (x[:, None] <= x) & (y[:, None] <= y)
    better = (x[:, None] < x) | (y[:, None] < y)
    return tuple(np.flatnonzero(~(no_worse & better).any(axis=0)).tolist())


def query_error(release: Release, original: Table, progress: Progress) -> float:
    """Ask both tables the same random counts; give the median relative error."""
    return QueryError().measure(comparison_of(release, original), progress).value
