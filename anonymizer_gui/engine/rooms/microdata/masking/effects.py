"""What masks did to the columns they changed: how far cells moved, and whom distance still links.

Masks are steps that change cells and keep rows: rounding, top coding, microaggregation, noise, swapping, PRAM. The
linkage is that of Domingo-Ferrer and Torra, A quantitative comparison of disclosure control methods for microdata,
2001: somebody has the true values, and takes for every person the nearest published record. What ranges, limits and cut
dates make of a true value everybody can work out, so that is looked for instead of it, whatever chance did besides.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Role, Table
from anonymizer_gui.engine.data.tables.values import parse_numbers
from anonymizer_gui.engine.rooms.microdata.masking.steps import columns_before, columns_by_rules, decimal_of, steps_of
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.release import Release

Floats = npt.NDArray[np.float64]
_MOST_PEOPLE, _MOST_CELLS = 1000, 1 << 28
_DIGITS = 2


@dataclass(frozen=True, slots=True)
class MaskedColumn:
    """One column before and after its masks; numbers only where the cells are numbers."""

    column: str
    changed: float
    """The share of the cells that are others now."""
    moved: float | None = None
    """How far numbers moved in the mean, in standard deviations of the column."""
    spread: float | None = None
    """The standard deviation after, by that before."""
    correlation: float | None = None
    """Between the numbers before and after."""

    def told(self) -> dict[str, Json]:
        """Give it rounded: exact differences would tell the numbers before."""
        numbers = {"changed": self.changed, "moved": self.moved, "spread": self.spread, "correlation": self.correlation}
        return {name: None if value is None else round(value, _DIGITS) for name, value in numbers.items()}


@dataclass(frozen=True, slots=True)
class MaskingEffects:
    """All masked columns that leave as they are, and the share of people who are linked rightly by them."""

    columns: tuple[MaskedColumn, ...]
    linked: float = 0.0
    people: int = 0
    by_chance: float = 0.0


def masking_effects(release: Release, original: Table, progress: Progress = SILENT) -> MaskingEffects:
    """Look at every masked column that is published as it is; quasi-identifiers are generalised besides."""
    pairs = masked_pairs(release.project, original, release.table, release.rows)
    decimal = decimal_of(release.project.source)
    found = []
    for done, (before, after) in enumerate(pairs):
        progress(0.3 * done / len(pairs), message("Looking at “{name}”", name=after.name))
        found.append(_moved(before, after, decimal))
    ruled = {column.name: column.take(release.rows) for column in columns_by_rules(original)}
    known = [(ruled.get(after.name, _looked_for(before, after, release.project)), after) for before, after in pairs]
    linked, people = distance_linkage(known, decimal, progress.sub(0.3, 1.0))
    return MaskingEffects(tuple(found), linked, people, 1 / max(release.table.n_rows, 1))


def masked_pairs(
    project: Project, original: Table, table: Table, rows: npt.NDArray[np.int64]
) -> list[tuple[Column, Column]]:
    """Give the masked columns that leave, as they were and as they are now, row by row the same people."""
    was = {column.name: column for column in columns_before(original)}
    within = {name for step in steps_of(project.source) if step.waits() for name in step.touched() or ()}
    left_out = project.left_out_columns()
    names = [name for name in table.names if (name in was or name in within) and name not in left_out]
    kept = [name for name in names if project.schema.column(name).role in (Role.SA, Role.OTHER)]
    return [(was.get(name, original.column(name)).take(rows), table.column(name)) for name in kept]


def _looked_for(before: Column, after: Column, project: Project) -> Column:
    """Give the true values, or what masks that go by the value alone make of them; who had none still has none."""
    touching = [step for step in steps_of(project.source) if after.name in (step.touched() or ())]
    if not all(step.is_by_value for step in touching):
        return before
    return Column.from_texts(after.name, np.where(_missing(before), MISSING, after.texts()))


def distance_linkage(
    pairs: Sequence[tuple[Column, Column]], decimal: str, progress: Progress = SILENT
) -> tuple[float, int]:
    """Link people to the nearest published record; give the share that is right and how many were tried.

    Numbers count in standard deviations, other cells 1 when they differ; of equally near records one is guessed.
    """
    if not pairs or not len(pairs[0][1]):
        return 0.0, 0
    known = [_comparable(before, after, decimal) for before, after in pairs]
    real = np.flatnonzero(np.logical_or.reduce([~_missing(before) for before, _ in pairs]))
    most = int(min(_MOST_PEOPLE, max(_MOST_CELLS // (len(pairs) * len(pairs[0][1])), 1)))
    tried = real[np.linspace(0, len(real) - 1, min(most, len(real))).astype(np.int64)] if len(real) else real
    right = 0.0
    for done, row in enumerate(tried.tolist()):
        if done % 50 == 0:
            progress(done / len(tried), message("Linking by distance"))
        apart = np.sum([_apart(before, after, row, is_number) for before, after, is_number in known], axis=0)
        nearest = np.flatnonzero(apart <= apart.min() + 1e-12)
        right += float(apart[row] <= apart.min() + 1e-12) / len(nearest)
    return (right / len(tried) if len(tried) else 0.0), len(tried)


def _comparable(before: Column, after: Column, decimal: str) -> tuple[Floats, Floats, bool]:
    """Give both columns as numbers in standard deviations, or as codes of the same labels."""
    one, other = (parse_numbers(column.labels, decimal)[0][column.codes] for column in (before, after))
    if not np.isnan(one).all() and not np.isnan(other).all():
        spread = float(np.nanstd(one)) or 1.0
        return one / spread, other / spread, True
    place = {label: at for at, label in enumerate(dict.fromkeys((*before.labels, *after.labels)))}
    codes = (np.array([place[label] for label in column.labels])[column.codes] for column in (before, after))
    first, second = (code.astype(np.float64) for code in codes)
    return first, second, False


def _apart(before: Floats, after: Floats, row: int, is_number: bool) -> Floats:
    if not is_number:
        return np.asarray(after != before[row], dtype=np.float64)
    return np.asarray(np.nan_to_num((after - before[row]) ** 2, nan=1.0))


def _moved(before: Column, after: Column, decimal: str) -> MaskedColumn:
    changed = float(np.mean(before.texts() != after.texts())) if len(after) else 0.0
    one, other = (parse_numbers(column.labels, decimal)[0][column.codes] for column in (before, after))
    both = ~np.isnan(one) & ~np.isnan(other)
    if both.sum() < 2 or both.sum() < 0.5 * np.count_nonzero(~_missing(before)):
        return MaskedColumn(after.name, changed)
    one, other = one[both], other[both]
    spread = float(one.std())
    if not spread:
        return MaskedColumn(after.name, changed)
    together = float(np.corrcoef(one, other)[0, 1]) if other.std() > 0 else 0.0
    return MaskedColumn(
        after.name, changed, float(np.abs(one - other).mean() / spread), float(other.std() / spread), together
    )


def _missing(column: Column) -> npt.NDArray[np.bool_]:
    return np.array([label == MISSING for label in column.labels], dtype=np.bool_)[column.codes]
