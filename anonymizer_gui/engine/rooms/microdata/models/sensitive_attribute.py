"""Sensitive attributes of classes: numbers of histograms, base class of models about them."""

from abc import abstractmethod
from collections.abc import Callable
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Text, param
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.rooms.microdata.models.contract import (
    COMBINED,
    ClassGroups,
    Measurement,
    PrivacyModel,
    SensitiveAttribute,
    WholeTable,
)

Floats = npt.NDArray[np.float64]

TOLERANCE = 1e-9
"""Relative slack of comparisons, so that rounding alone never breaks a goal that is met exactly."""


def at_least(values: Floats, limit: float) -> npt.NDArray[np.bool_]:
    """Say which values reach the limit, rounding aside."""
    return np.asarray(values >= limit - TOLERANCE * max(abs(limit), TOLERANCE))


def at_most(values: Floats, limit: float) -> npt.NDArray[np.bool_]:
    """Say which values do not exceed the limit, rounding aside."""
    return np.asarray(values <= limit + TOLERANCE * max(abs(limit), 1e-3))


def row_totals(histogram: Histogram) -> npt.NDArray[np.int64]:
    """Count the rows of each group."""
    return np.bincount(histogram.groups, weights=histogram.counts, minlength=histogram.n_groups).astype(np.int64)


def shares(histogram: Histogram) -> Floats:
    """Give the share each entry has in its group."""
    return np.asarray(histogram.counts / row_totals(histogram)[histogram.groups], dtype=np.float64)


def sums(histogram: Histogram, entries: Floats) -> Floats:
    """Add up one number per entry over each group."""
    return np.bincount(histogram.groups, entries, histogram.n_groups).astype(np.float64, copy=False)


def largest_per_group(histogram: Histogram, entries: Floats, empty: float = 0.0) -> Floats:
    """Give the largest of the entries' numbers in each group, `empty` for a group without entries."""
    result = np.full(histogram.n_groups, empty)
    if len(entries):
        first = np.flatnonzero(np.r_[True, histogram.groups[1:] != histogram.groups[:-1]])
        result[histogram.groups[first]] = np.maximum.reduceat(entries, first)
    return result


def without_value(histogram: Histogram, value: int) -> Histogram:
    """Leave one value out of all groups; -1 leaves out nothing."""
    kept = histogram.values != value
    if value < 0 or kept.all():
        return histogram
    entries = (histogram.groups[kept], histogram.values[kept], histogram.counts[kept])
    return Histogram(histogram.n_groups, histogram.n_values, *entries)


def distinct_values(histogram: Histogram) -> Floats:
    """Count the different values of each group."""
    return np.bincount(histogram.groups, minlength=histogram.n_groups).astype(np.float64)


def entropies(histogram: Histogram) -> Floats:
    """Give the entropy of each group in nats."""
    part = shares(histogram)
    return np.maximum(-sums(histogram, part * np.log(part)), 0.0)


def effective_values(histogram: Histogram) -> Floats:
    """Give the number of equally likely values that are as uncertain as those of each group; 0 without any."""
    return np.where(distinct_values(histogram) > 0, np.exp(entropies(histogram)), 0.0)


ClassValues = Callable[[Histogram, SensitiveAttribute], Floats]

SHOWN_CLASSES = 100

COLUMN_HELP = "The sensitive column to look at; empty: every sensitive column, and it must hold for each."

SEVERAL_COLUMNS = {
    "each": "Each on its own",
    "harmonised": "Others are quasi-identifiers",
}

SEVERAL_HELP = (
    "How several sensitive columns are read: each on its own within the classes of the quasi-identifiers, or "
    "harmonised, against somebody who already knows all sensitive values of a person but one: then the classes "
    "are those of the quasi-identifiers together with the other sensitive columns, which is much harder to reach."
)


def column_param() -> str:
    """Declare which sensitive column a goal looks at."""
    kind = Text(column=True, empty="every sensitive column")
    declared: str = param(kind, default="", label="Column", help=COLUMN_HELP, among_columns=True)
    return declared


def several_param() -> str:
    """Declare how a goal reads several sensitive columns."""
    declared: str = param(
        Choice(SEVERAL_COLUMNS), default="each", label="Several columns", help=SEVERAL_HELP, among_columns=True
    )
    return declared


class SensitiveAttributeModel(PrivacyModel, Protocol):
    """A model that gives every class a number per sensitive column and compares the worst with a limit."""

    __slots__ = ()

    needs_sensitive: ClassVar[bool] = True
    small_is_bad: ClassVar[bool] = False

    column: str
    several: str

    @abstractmethod
    def value_of(self, histogram: Histogram, sensitive: SensitiveAttribute) -> Floats:
        """Give the number of every group for one sensitive column."""

    def left_out(self, sensitive: SensitiveAttribute) -> int:
        """Give the value of a column that does not count; -1 where all do."""
        return -1

    def histogram_of(self, groups: ClassGroups, sensitive: SensitiveAttribute) -> Histogram:
        """Count a sensitive column in every group: by people where the goal counts these, else by rows."""
        if self.counts_people and groups.persons is not None:
            return groups.persons.histogram(sensitive.name, self.left_out(sensitive))
        return groups.sensitive[sensitive.name]

    def value_in_table(self, histogram: Histogram, sensitive: SensitiveAttribute) -> Floats:
        """Give the number of every class of a whole table; the worst is no worse than that of classes on their own."""
        return self.value_of(histogram, sensitive)

    @abstractmethod
    def is_fine(self, values: Floats, groups: ClassGroups) -> npt.NDArray[np.bool_]:
        """Say which groups are within the limit, from the worst number of each."""

    @property
    def reads_together(self) -> bool:
        """Whether it needs the combinations of the sensitive columns."""
        return self.several != "each"

    def looks_at(self, column: str) -> bool:
        """Tell whether it is about the values of this sensitive column."""
        return self.column in ("", column)

    def satisfied(self, groups: ClassGroups, whole: WholeTable) -> npt.NDArray[np.bool_]:
        """Say for every group whether it satisfies the goal; a group without rows does."""
        return self.judged(groups, whole)[1]

    def judged(self, groups: ClassGroups, whole: WholeTable) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Give the value of every group by which it is decided, and whether it satisfies."""
        values = self.worst_values(groups, whole, self.value_of)
        return values, np.asarray(self.is_fine(values, groups) | (groups.sizes == 0))

    def measure(self, groups: ClassGroups, whole: WholeTable) -> Measurement:
        """Give the worst number of any class and sensitive column."""
        return self._measured(groups, whole, self.value_in_table)

    def measure_alone(self, groups: ClassGroups, whole: WholeTable) -> Measurement:
        """Give the worst number by which classes are decided one by one, as in a search."""
        return self._measured(groups, whole, self.value_of)

    def where(self) -> str:
        """Name the columns looked at, for the sentence of the goal."""
        where = self.column or message("each sensitive column")
        if self.several == "harmonised":
            return message("{where}, even for somebody who knows the others", where=where)
        return where

    def _measured(self, groups: ClassGroups, whole: WholeTable, value: ClassValues) -> Measurement:
        values = self.worst_values(groups, whole, value)
        return measurement_of(values, self.is_fine(values, groups), groups.sizes, small_is_bad=self.small_is_bad)

    def worst_values(self, groups: ClassGroups, whole: WholeTable, value: ClassValues) -> Floats:
        """Give each group the worst value over the sensitive columns."""
        names = [name for name in groups.sensitive if name != COMBINED]
        split = self.several == "harmonised" and len(names) > 1
        found = [
            self._cut_by_others(groups, whole, name, value)
            if split
            else value(self.histogram_of(groups, whole.sensitive[name]), whole.sensitive[name])
            for name in covered_columns(groups, self.column)
        ]
        return np.asarray((np.minimum if self.small_is_bad else np.maximum).reduce(found), dtype=np.float64)

    def _cut_by_others(self, groups: ClassGroups, whole: WholeTable, name: str, value: ClassValues) -> Floats:
        """Judge the classes that the other sensitive columns cut each group into, and keep the worst."""
        sensitive = whole.sensitive[name]
        if self.counts_people and groups.persons is not None:
            finer, group_of = groups.persons.cut_by_others(name, self.left_out(sensitive))
        else:
            finer, group_of = _cut(groups, whole, name)
        values = value(finer, sensitive)
        result = np.full(len(groups), np.inf if self.small_is_bad else -np.inf)
        (np.minimum if self.small_is_bad else np.maximum).at(result, group_of, values)
        return np.where(np.isinf(result) & (groups.sizes == 0), 0.0, result)


def covered_columns(groups: ClassGroups, column: str) -> list[str]:
    """List the sensitive columns a goal looks at; raises BadParameter when there is none of that name."""
    names = [name for name in groups.sensitive if name != COMBINED]
    if column and column not in names:
        raise BadParameter(
            message("The goal looks at “{column}”, which is not a sensitive column.", column=column),
            message("Sensitive are: {names}.", names=names or message("none")),
        )
    if not names:
        raise BadParameter("The goal needs a sensitive column.", "Mark the column to protect as sensitive.")
    return [column] if column else names


def _cut(groups: ClassGroups, whole: WholeTable, name: str) -> tuple[Histogram, npt.NDArray[np.int64]]:
    """Cut groups by all sensitive columns but one; give that one's histogram and the group of each piece."""
    if COMBINED not in groups.sensitive:
        raise BadParameter(
            "The harmonised reading needs the combinations of the sensitive columns.",
            "Choose “each sensitive column on its own”.",
        )
    joint, parts = groups.sensitive[COMBINED], whole.sensitive[COMBINED].parts
    key = joint.groups.astype(np.int64)
    for other, codes in parts.items():
        if other != name:
            key = pd.factorize(key)[0].astype(np.int64) * (int(codes.max(initial=0)) + 1) + codes[joint.values]
    piece, pieces = pd.factorize(key)
    group_of = np.zeros(len(pieces), dtype=np.int64)
    group_of[piece] = joint.groups
    values = parts[name][joint.values]
    n_values = int(parts[name].max(initial=0)) + 1
    return Histogram.weighted(piece, len(pieces), values, n_values, joint.counts), group_of


def population_counts(groups: ClassGroups) -> npt.NDArray[np.int64]:
    """Give the people of the population in every group; raises BadParameter when no population is known."""
    if groups.population is None:
        raise BadParameter("The goal needs a population table.", "Choose the table the people were drawn from.")
    return groups.population


def measurement_of(
    values: Floats, fine: npt.NDArray[np.bool_], sizes: npt.NDArray[np.int64], *, small_is_bad: bool
) -> Measurement:
    """Sum up the classes: the worst value, whether all are fine, the worst classes first."""
    occupied = np.flatnonzero(sizes > 0)
    if not len(occupied):
        return Measurement(0.0, True, values, occupied)
    order = occupied[np.argsort(values[occupied] if small_is_bad else -values[occupied], kind="stable")]
    return Measurement(float(values[order[0]]), bool(fine[occupied].all()), values, order[:SHOWN_CLASSES])
