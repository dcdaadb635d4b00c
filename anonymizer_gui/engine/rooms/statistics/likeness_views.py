"""A synthetic table beside its original in more detail: one column, two columns, a query, a model learned from both.

Like all of `likeness`, this looks at the original without noise: for those who may see it, and never part of a release.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.rooms.statistics.column_domains import ColumnDomain
from anonymizer_gui.engine.rooms.statistics.learning.plainly import Learned
from anonymizer_gui.engine.rooms.statistics.likeness import cells_of, learned_from_both
from anonymizer_gui.engine.rooms.statistics.public import Public

Both = tuple[Table, Table]
"""The original, and the synthetic table."""
_LEAST_COUNT = 1.0
_OTHERS = "…"
"""How all rare values together are called."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The share of each cell of a column in both tables."""

    column: str
    labels: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Together:
    """Two columns against each other: the change of every share, in percentage points."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    change: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """How many rows fulfil a query, truly and by the synthetic table, as if it had as many rows."""

    truth: float
    estimate: float

    @property
    def error(self) -> float:
        """How wrong the estimate is, as a share of the truth."""
        return abs(self.estimate - self.truth) / max(self.truth, _LEAST_COUNT)


def spread(both: Both, domain: ColumnDomain, most: int = 40, progress: Progress = SILENT) -> Spread:
    """Compare the distribution of one column."""
    progress(0.0, "Comparing distributions")
    labels, codes = _few(both, domain, most)
    before, after = (tuple((np.bincount(each, minlength=len(labels)) / max(len(each), 1)).tolist()) for each in codes)
    return Spread(domain.column, labels, before, after)


def together(
    both: Both, one: ColumnDomain, other: ColumnDomain, most: int = 12, progress: Progress = SILENT
) -> Together:
    """Compare the table of two columns."""
    progress(0.0, "Comparing two columns")
    (rows, first), (columns, second) = _few(both, one, most), _few(both, other, most)
    size = len(rows) * len(columns)
    shares = [
        np.bincount(a * len(columns) + b, minlength=size) / max(len(a), 1) for a, b in zip(first, second, strict=True)
    ]
    change = (100 * (shares[1] - shares[0])).round(3).reshape(len(rows), len(columns))
    return Together(rows, columns, tuple(map(tuple, change.tolist())))


def _few(both: Both, domain: ColumnDomain, most: int) -> tuple[tuple[str, ...], list[Ints]]:
    """Give cells as few groups: names that are rare in the original together, neighbouring bins as runs."""
    cells = [domain.of_rows(table.column(domain.column), Public()) for table in both]
    labels = [*domain.labels, MISSING]
    if len(labels) <= most + 1:
        return tuple(labels), cells
    if domain.middles() is not None:
        width = -(-len(domain.labels) // most)
        group = np.append(np.arange(len(domain.labels)) // width, -(-len(domain.labels) // width))
        parts = [domain.labels[at : at + width] for at in range(0, len(domain.labels), width)]
        named = [f"{part[0].partition('..')[0]}..{part[-1].rpartition('..')[2]}" for part in parts]
        return (*named, MISSING), [group[each] for each in cells]
    counts = np.bincount(cells[0], minlength=len(labels))
    kept = np.sort(np.argsort(-counts, kind="stable")[: most - 1])
    group = np.full(len(labels), len(kept))
    group[kept] = np.arange(len(kept))
    return (*(labels[at] for at in kept.tolist()), _OTHERS), [group[each] for each in cells]


def counted(both: Both, conditions: Mapping[str, str], progress: Progress = SILENT) -> Counted:
    """Count rows as a query was typed: values with commas between, or a range such as 30..40; empty means all.

    Raises BadParameter for a range that is none.
    """
    progress(0.0, "Asking both tables")
    asked = {name: text.strip() for name, text in conditions.items() if text.strip()}
    found = []
    for table in both:
        fits = np.ones(table.n_rows, dtype=bool)
        for name, text in asked.items():
            fits &= _fitting(table.column(name), text)
        found.append(int(fits.sum()))
    truth, made = found
    return Counted(truth, made * both[0].n_rows / max(both[1].n_rows, 1))


def _fitting(column: Column, text: str) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    low, dots, high = (part.strip() for part in text.partition(".."))
    if not dots:
        wanted = {part.strip() for part in text.split(",")}
        fits = np.array([label in wanted for label in column.labels], dtype=bool)
    elif not low or not high:
        raise BadParameter(message("“{text}” is no range.", text=text), "Write both ends, such as 30..40.")
    else:
        fits = np.array([_is_between(label, low, high) for label in column.labels], dtype=bool)
    return np.asarray(fits[column.codes]) if len(column) else np.empty(0, dtype=bool)


def _is_between(label: str, low: str, high: str) -> bool:
    """Compare as numbers where all three are, and otherwise as texts, in which days are in order."""
    try:
        return float(low) <= float(label) <= float(high)
    except ValueError:
        return label != MISSING and low <= label <= high


def learned(
    both: Both, domains: Sequence[ColumnDomain], target: str, progress: Progress = SILENT
) -> tuple[Learned, Learned] | None:
    """Learn a column from both tables and measure on rows of the original; nothing where it has too many values."""
    progress(0.0, "Learning")
    return learned_from_both([cells_of(table, domains) for table in both], domains, target)
