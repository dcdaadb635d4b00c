"""T-closeness, (n,t)-closeness and its reference group.

Only the number of records with each sensitive value counts, so a group is a histogram below the table's own. The
largest distance of any class from it is convex in its shares. Where there are few groups all are looked at;
otherwise a descent finds shares, and the best whole numbers near them are taken. The group found is a witness: the
distance measured from it is reached, though a better group may be left. Nothing is random, and values and classes are
taken in an order of their own, so that the same table always gives the same group, however it numbers them.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Float, Int, param
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS, ClassGroups, SensitiveAttribute
from anonymizer_gui.engine.rooms.microdata.models.distances import (
    DISTANCE_TITLES,
    DISTANCES,
    UNBOUNDED,
    distance,
    subgradient,
    table_shares,
    value_positions,
)
from anonymizer_gui.engine.rooms.microdata.models.reference_distribution import (
    ReferenceModel,
    distribution_param,
    reference_param,
)
from anonymizer_gui.engine.rooms.microdata.models.sensitive_attribute import (
    Floats,
    SensitiveAttributeModel,
    at_most,
    column_param,
    row_totals,
    several_param,
    shares,
)

Ints = npt.NDArray[np.int64]

_FEW_GROUPS = 1000

_FEW_CLASSES = 32

_ROUNDS, _PATIENCE = 8, 20

_FEWEST_STEPS, _MOST_STEPS, _VALUES_TIMES_STEPS = 50, 400, 200_000  # columns of many values are searched less long

_SIZES = 32

_NEGLIGIBLE = 1e-12


def nearest_reference_group(name: str, histogram: Histogram, sensitive: SensitiveAttribute, n: int) -> Ints:
    """Give the records with each value of a group of at least n that is near every class; `name` is the distance.

    The table must have n records; the group is never worse than the whole table.
    """
    if n == sensitive.counts.sum() or not histogram.n_groups:
        return sensitive.counts
    order = value_positions(sensitive)[1]
    search = _Search(name, *_in_order(histogram, sensitive, order), n)
    found = np.zeros(len(sensitive.counts), dtype=np.int64)
    found[order] = search.all_groups() if search.n_groups <= _FEW_GROUPS else search.descended()
    return found


def _in_order(histogram: Histogram, sensitive: SensitiveAttribute, order: Ints) -> tuple[Histogram, SensitiveAttribute]:
    """Number the values that there are by their order, and the classes by what they hold."""
    number = np.zeros(len(sensitive.counts), dtype=np.int64)
    number[order] = np.arange(len(order))
    values = number[histogram.values]
    entries = np.lexsort((values, histogram.groups))
    groups, values, counts = histogram.groups[entries], values[entries], histogram.counts[entries]
    held = np.bincount(groups, counts * np.cos(values + 1), histogram.n_groups)  # independent: no two sums are equal
    place = np.argsort(np.argsort(held, kind="stable"))
    renumbered = Histogram.weighted(place[groups], histogram.n_groups, values, len(order), counts)
    leaf = None if sensitive.leaf is None else sensitive.leaf[order]
    labels = tuple(sensitive.labels[at] for at in order.tolist())
    kept = replace(sensitive, labels=labels, counts=sensitive.counts[order], rank=np.arange(len(order)), leaf=leaf)
    return renumbered, kept


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """The classes, the table's histogram and the fewest records of a group."""

    name: str
    histogram: Histogram
    sensitive: SensitiveAttribute
    n: int

    @property
    def n_groups(self) -> int:
        """The number of histograms below the table's, large enough or not."""
        return math.prod(int(count) + 1 for count in self.sensitive.counts)

    @property
    def least(self) -> int:
        """The fewest records of each value: without one the divergence of a class that has it is infinite."""
        return int(self.name in UNBOUNDED)

    def all_groups(self) -> Ints:
        """Look at every group."""
        ranges = [range(self.least, int(count) + 1) for count in self.sensitive.counts]
        return self.best(np.array(group) for group in product(*ranges) if sum(group) >= self.n)

    def descended(self) -> Ints:
        """Descend on the hardest classes, and take in those that the result leaves behind."""
        whole = self.sensitive.counts
        best, values = whole, self.values(table_shares(self.sensitive))
        lowest, hard = values.max(initial=0.0), np.zeros(0, dtype=np.int64)
        for _ in range(_ROUNDS):
            hardest = np.argsort(-values, kind="stable")[:_FEW_CLASSES]
            if np.isin(hardest[0], hard):
                break
            hard = np.union1d(hard, hardest)
            part = replace(self, histogram=_only(self.histogram, hard))
            group = part.rounded(part.descent())
            values = self.values(group / group.sum())
            if values.max() < lowest - _NEGLIGIBLE:
                best, lowest = group, values.max()
        return best

    def values(self, q: Floats) -> Floats:
        """Give the distance of every class from these shares."""
        return distance(self.name, self.histogram, self.sensitive, q)

    def worst(self, group: Ints) -> float:
        """Give the largest distance of a class from a group."""
        return float(self.values(group / group.sum()).max(initial=0.0))

    def best(self, groups: Iterator[Ints]) -> Ints:
        """Give the group with the least worst distance; the whole table when no other is better."""
        found = self.sensitive.counts
        lowest = self.worst(found)
        for group in groups:
            worst = self.worst(group)
            if worst < lowest - _NEGLIGIBLE:
                found, lowest = group, worst
        return found

    def descent(self) -> Floats:
        """Descend from the whole table's shares along the worst class, aiming a little below the best so far.

        The aim comes nearer whenever it is not reached for some steps (Polyak's step with a level that adapts).
        """
        counts = self.sensitive.counts
        high, low = counts / self.n, np.full(len(counts), self.least / counts.sum())
        q = best = table_shares(self.sensitive)
        values = self.values(q)
        lowest, aim, waited = float(values.max()), float(values.max()) / 2, 0
        p = _dense_shares(self.histogram)
        for _ in range(min(max(_VALUES_TIMES_STEPS // len(counts), _FEWEST_STEPS), _MOST_STEPS)):
            steepest = subgradient(self.name, p[int(values.argmax())], q, self.sensitive)
            steepest = steepest - steepest.mean()
            length = float(np.square(steepest).sum())
            if length < _NEGLIGIBLE or aim < _NEGLIGIBLE:
                break
            q = _within(q - (float(values.max()) - lowest + aim) / length * steepest, low, high)
            values = self.values(q)
            waited = 0 if values.max() < lowest - aim / 2 else waited + 1
            if values.max() < lowest:
                lowest, best = float(values.max()), q
            if waited > _PATIENCE:
                q, aim, waited = best, aim / 2, 0
                values = self.values(q)
        return best

    def rounded(self, q: Floats) -> Ints:
        """Give the best of the groups of several sizes that have nearly these shares."""
        counts = self.sensitive.counts
        largest = int(np.floor((counts[q > 0] / q[q > 0]).min() * (1 + _NEGLIGIBLE)))
        sizes = np.unique(np.linspace(self.n, max(min(largest, int(counts.sum())), self.n), _SIZES).astype(np.int64))
        return self.best(_whole_numbers(q, size, counts, self.least) for size in sizes.tolist())


def _only(histogram: Histogram, groups: Ints) -> Histogram:
    """Keep some groups of a histogram, sorted."""
    kept = np.isin(histogram.groups, groups)
    numbers = np.searchsorted(groups, histogram.groups[kept])
    return Histogram(len(groups), histogram.n_values, numbers, histogram.values[kept], histogram.counts[kept])


def _dense_shares(histogram: Histogram) -> Floats:
    dense = np.zeros((histogram.n_groups, histogram.n_values))
    dense[histogram.groups, histogram.values] = shares(histogram)
    return dense


def _within(q: Floats, low: Floats, high: Floats) -> Floats:
    """Give the nearest shares between the bounds that add up to 1: all are lowered by the same, then clipped."""

    def total(lowered: float) -> float:
        return float(np.clip(q - lowered, low, high).sum())

    edges = np.sort(np.concatenate([q - high, q - low]))  # between two of them the total falls evenly
    first, last = 0, len(edges) - 1
    while last - first > 1:
        middle = (first + last) // 2
        first, last = (middle, last) if total(edges[middle]) > 1 else (first, middle)
    over, under = total(edges[first]) - 1, 1 - total(edges[last])
    part = over / (over + under) if over + under > 0 else 0.0
    lowered = edges[first] + part * (edges[last] - edges[first])
    return np.asarray(np.clip(q - lowered, low, high), dtype=np.float64)


def _whole_numbers(q: Floats, size: int, counts: Ints, least: int) -> Ints:
    """Spread so many records by these shares: whole parts first, then the largest remainders that still fit."""
    group: Ints = np.clip(np.floor(q * size).astype(np.int64), least, counts)
    missing = size - int(group.sum())
    while missing > 0:
        room = np.flatnonzero(group < counts)
        chosen = room[np.argsort(group[room] - q[room] * size, kind="stable")[:missing]]
        group[chosen] += 1
        missing -= len(chosen)
    return group


DISTANCE_HELP = (
    "How far two distributions are apart, and so what t means. With equal steps t is the share of people who would "
    "need another value; by order or hierarchy near values count as nearly the same, so the same t allows more: take "
    "a smaller one."
)


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class TCloseness(ReferenceModel):
    """The distance of every class' distribution from that of a reference is at most t (Li et al. 2007)."""

    name: ClassVar[str] = "t"
    title: ClassVar[str] = "t-closeness"
    summary: ClassVar[str] = "In every class the sensitive values are spread nearly as in what it is compared with."
    stops: ClassVar[str] = (
        "Skewness and probabilistic inference: measured with equal steps, finding somebody's class raises the share of "
        "no value by more than t above what it is compared with; homogeneity for small t."
    )
    leaves_open: ClassVar[str] = (
        "Finding a person's row (combine it with k-anonymity), background knowledge that rules values out, what the "
        "whole table itself teaches, and rare values whose share grows many times over while the distance stays small "
        "(see beta-likeness). By order or hierarchy also similarity: classes of values that lie near each other."
    )
    formula: ClassVar[str] = "D(P_E, Q) ≤ t for every class E, Q being the distribution of the reference"
    source: ClassVar[str] = "Li, Li, Venkatasubramanian, t-closeness, ICDE 2007"
    figure: ClassVar[Literal["t"]] = "t"
    is_the_figure: ClassVar[bool] = True

    t: float = param(
        Float(low=0),
        default=0.2,
        label="t",
        help="Largest distance of a class from the reference.",
        series=(0.1, 0.2, 0.3, 0.5),
    )
    distance: str = param(Choice(DISTANCES), default="emd-equal", label="Distance", help=DISTANCE_HELP)
    column: str = column_param()
    several: str = several_param()
    reference: str = reference_param()
    distribution: tuple[tuple[str, float], ...] = distribution_param()

    def value_of(self, histogram: Histogram, sensitive: SensitiveAttribute) -> Floats:
        """Give the distance of every group from the reference."""
        values, shares = self.compared(sensitive)
        return distance(self.distance, histogram, values, shares)

    def is_fine(self, values: Floats, groups: ClassGroups) -> npt.NDArray[np.bool_]:
        """Say which groups are close enough."""
        return at_most(values, self.t)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message(
            "every class is within {t:g} of {reference} in {where} ({how})",
            t=self.t,
            reference=self.against(),
            where=self.where(),
            how=message(DISTANCE_TITLES[self.distance]),
        )


REFERENCE_GROUPS = {
    "one": "One group for all classes",
    "each": "A group for each class",
}

GROUP_HELP = (
    "Which records a class is compared with. One group: any n records of the table that are near all classes at "
    "once; while a release is made the whole table stands for it, which is safe and may be stricter than needed; the "
    "number measured is that of the best group found. A group for each class: a class of n rows may differ, a "
    "smaller one must be near the whole table."
)


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class NTCloseness(SensitiveAttributeModel):
    """Every class is within t of a group M of at least n records.

    With `group="one"` the same M serves every class of the table; each sensitive column has its own. Measured is the
    largest distance from the best M found: it is reached by that M, is never above the distance from the whole table,
    and is the least possible in small tables (see `reference_group`). Candidate classes are decided one by one, and M
    belongs to all of them together: so the whole table stands for M there. A table of classes that satisfy holds.

    With `group="each"` every class may have its own M that contains it (Li et al. 2010). Looked at are the class itself
    and the whole table: both are natural supersets, both can be told without the algorithm that made the classes,
    and the goal stays closed under merging.
    """

    name: ClassVar[str] = "n-t"
    title: ClassVar[str] = "(n,t)-closeness"
    summary: ClassVar[str] = "In every class the sensitive values are spread nearly as in a group of at least n rows."
    stops: ClassVar[str] = (
        "Skewness and probabilistic inference: measured with equal steps, finding somebody's class raises the share of "
        "no value by more than t above that of n rows, which counts as a fact about many, not about a person."
    )
    leaves_open: ClassVar[str] = (
        "What the group itself teaches, which may differ from the whole table; with a group for each class also "
        "homogeneity and probabilistic inference in classes of n rows or more; similarity of the values, background "
        "knowledge, and finding a person's row (combine it with k-anonymity)."
    )
    formula: ClassVar[str] = (
        "D(P_E, Q_M) ≤ t for every class E, with one M of |M| ≥ n for all, or for each E an M ⊇ E: E or the table"
    )
    source: ClassVar[str] = "Li, Li, Venkatasubramanian, Closeness, TKDE 22(7), 2010"
    figure: ClassVar[Literal["t"]] = "t"

    t: float = param(
        Float(low=0),
        default=0.2,
        label="t",
        help="Largest distance of a class from its group.",
        series=(0.1, 0.2, 0.3, 0.5),
    )
    n: int = param(Int(low=1), default=1000, label="n", help="Fewest rows of a group that classes are compared with.")
    group: str = param(Choice(REFERENCE_GROUPS), default="one", label="Reference group", help=GROUP_HELP)
    distance: str = param(
        Choice(DISTANCES),
        default="emd-equal",
        label="Distance",
        help=(
            "How far two distributions are apart. Earth mover's distance counts how far shares must be moved: all"
            " values equally far from each other, along their order, or over their hierarchy."
        ),
    )
    column: str = column_param()
    several: str = several_param()

    @property
    def compares_with_whole(self) -> bool:
        """Whether leaving rows out changes what classes are compared with: it does."""
        return True

    def value_of(self, histogram: Histogram, sensitive: SensitiveAttribute) -> Floats:
        """Give the distance of every group from the whole table; 0 for one that is its own reference."""
        if int(sensitive.counts.sum()) < self.n:
            return np.full(histogram.n_groups, np.inf)
        far = distance(self.distance, histogram, sensitive)
        return far if self.group == "one" else np.where(row_totals(histogram) >= self.n, 0.0, far)

    def value_in_table(self, histogram: Histogram, sensitive: SensitiveAttribute) -> Floats:
        """Give the distance of every class from the group of records that is nearest to all of them."""
        if self.group == "each" or int(sensitive.counts.sum()) < self.n:
            return self.value_of(histogram, sensitive)
        nearest = nearest_reference_group(self.distance, histogram, sensitive, self.n)
        return distance(self.distance, histogram, sensitive, nearest / nearest.sum())

    def is_fine(self, values: Floats, groups: ClassGroups) -> npt.NDArray[np.bool_]:
        """Say which groups are close enough."""
        return at_most(values, self.t)

    def sentence(self) -> str:
        """Say the goal in words."""
        if self.group == "each":
            return message(
                "every class of fewer than {n:row|rows} is within {t:g} of the whole table in {where}",
                n=self.n,
                t=self.t,
                where=self.where(),
            )
        return message(
            "every class is within {t:g} of one group of at least {n:row|rows} in {where}",
            t=self.t,
            n=self.n,
            where=self.where(),
        )
