"""Which releases nobody beats in both privacy and utility."""

from collections.abc import Sequence

import numpy as np

from anonymizer_gui.engine.params import to_json
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.rooms.microdata.compare import comparison_of
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.release import Release
from anonymizer_gui.engine.rooms.microdata.utility.query_error import QueryError
from anonymizer_gui.engine.shapes.tables.table import Table

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


def goals_in_short(goals: Sequence[PrivacyModel]) -> str:
    """Write goals in one line, such as `k = 5; l = 3`: their numbers, and what else is not as usual."""
    return "; ".join(_in_short(goal) for goal in goals)


def parameters_in_short(value: object) -> str:
    """Write the parameters of an algorithm that differ from their usual values in one line."""
    usual = to_json(type(value)())
    changed = {name: item for name, item in to_json(value).items() if item != usual[name]}
    return ", ".join(f"{name} = {_words(item)}" for name, item in changed.items())


def _in_short(goal: PrivacyModel) -> str:
    values, usual = to_json(goal), to_json(type(goal)())
    told = {name: item for name, item in values.items() if _is_number(item) or item != usual[name]}
    text = ", ".join(f"{name} = {_words(item)}" for name, item in told.items())
    return text if goal.name in values else f"{goal.name}: {text}"


def _is_number(item: object) -> bool:
    return isinstance(item, int | float) and not isinstance(item, bool)


def _words(item: object) -> str:
    if isinstance(item, list):
        return " ".join("=".join(map(str, part)) if isinstance(part, list) else str(part) for part in item)
    return f"{item:g}" if isinstance(item, float) else str(item)
