"""Public categories, bounds, grids, bins, column domains.

A domain is written behind the name of its column: `sex=F|M`, `age=17..90/20` for twenty bins, `income=0.00..9.50`,
`day=2024-01-01..2024-12-31`, or the name alone when a hierarchy says which values there are. What is missing or no
such value is in one cell of its own; what lies beyond the bounds counts as the nearest of them.
"""

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.table import MISSING, Column
from anonymizer_gui.engine.data.tables.values import parse_dates, parse_numbers
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.hierarchy.leaf_encoding import NO_PLACE, find_leaves
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.statistics.question import PublicKnowledge

OTHERS = "(others)"

MOST_CELLS = 1_000_000

Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Categories:
    """The labels of cells, and where a value belongs: by its text, or below a node of the hierarchy."""

    labels: tuple[str, ...]
    hierarchy: Hierarchy | None = None

    def places(self, column: Column) -> Places:
        """Give the cell of every label of a column, -1 for one that belongs nowhere."""
        at = {label: place for place, label in enumerate(self.labels)}
        found = np.array([at.get(label, NO_PLACE) for label in column.labels], dtype=np.int64)
        if self.hierarchy is None:
            return found
        leaves = find_leaves(column, self.hierarchy)
        below = np.append(self._of_leaves(self.hierarchy), NO_PLACE)[leaves]
        return np.where(found == NO_PLACE, below, found)

    def _of_leaves(self, tree: Hierarchy) -> Places:
        cells = np.full(tree.n_leaves, NO_PLACE, dtype=np.int64)
        for place, label in enumerate(self.labels):
            if (node := tree.node_of_label.get(label)) is not None:
                cells[tree.first_leaf[node] : tree.end_leaf[node]] = place
        return cells


def categories_of(column: str, named: Sequence[str], public: PublicKnowledge, *, others: bool = False) -> Categories:
    """Give the public categories of a column; raises BadParameter with the way out when there are none."""
    _refuse_nameless(column)
    tree = public.hierarchies.get(column)
    labels = tuple(named) or (tree.leaf_labels if tree is not None else ())
    if not labels:
        raise BadParameter(
            message("The categories of “{column}” are not public.", column=column),
            "Name them in the question, such as Female,Male, or give the column a hierarchy.",
        )
    if len(set(labels)) < len(labels) or (tree is not None and _overlap(tree, labels)):
        raise BadParameter(
            message("Categories of “{column}” overlap: a row would be counted twice.", column=column),
            "Name each category once, and none together with one below it.",
        )
    return Categories((*labels, OTHERS) if others else labels, tree)


def _overlap(tree: Hierarchy, labels: Sequence[str]) -> bool:
    nodes = [tree.node_of_label[label] for label in labels if label in tree.node_of_label]
    return sum(int(tree.leaf_counts[node]) for node in nodes) > len(
        {leaf for node in nodes for leaf in range(tree.first_leaf[node], tree.end_leaf[node])}
    )


def _refuse_nameless(column: str) -> None:
    if not column:
        raise BadParameter("The question names no column.", "Choose the column it is about.")


def count_cells(column: Column, places: Places, cells: int, *, others: bool = False) -> Ints:
    """Count the rows of every cell; with `others` the last cell takes what belongs nowhere."""
    if others:
        places = np.where(places == NO_PLACE, cells - 1, places)
    counts, known = column.counts(), places != NO_PLACE
    found = np.zeros(cells, dtype=np.int64)
    np.add.at(found, places[known], counts[known])
    return found


def cell_of_rows(column: Column, places: Places) -> Places:
    """Give the cell of every row."""
    return places[column.codes] if len(column) else np.empty(0, dtype=np.int64)


def count_pairs(first: Places, second: Places, shape: tuple[int, int], times: Places | None = None) -> Ints:
    """Count rows by two cells each; one without a place in either is not counted. `times` is how often each occurs."""
    known = (first != NO_PLACE) & (second != NO_PLACE)
    both = first[known] * shape[1] + second[known]
    weights = None if times is None else times[known]
    return np.bincount(both, weights=weights, minlength=shape[0] * shape[1]).astype(np.int64)


def parse_column_numbers(column: Column, public: PublicKnowledge) -> npt.NDArray[np.float64]:
    """Read the labels of a column as numbers; what is none is NaN."""
    return parse_numbers(column.labels, public.decimal)[0]


_DIGITS = 5
"""How many more digits a step has than the distance of the bounds."""

_FARTHEST = 2.0**50

_FARTHEST_SUM = 2**61

_HALF = 25
"""The bits of a value below the middle."""


@dataclass(frozen=True, slots=True)
class ValueGrid:
    """Values from `low` to `high` in whole steps: a sum of whole numbers has no rounding that could leak."""

    low: Fraction
    high: Fraction
    step: Fraction

    @property
    def first(self) -> int:
        """The lower bound in steps from 0."""
        return math.floor(self.low / self.step)

    @property
    def last(self) -> int:
        """The upper bound in steps from 0."""
        return math.ceil(self.high / self.step)

    def of_labels(
        self, column: Column, public: PublicKnowledge
    ) -> tuple[Ints, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
        """Give every label of a column in steps from 0, clipped to the bounds, and which of them are numbers."""
        numbers = parse_column_numbers(column, public)
        is_number = ~np.isnan(numbers)
        steps = np.rint(
            np.clip(np.where(is_number, numbers, 0.0), float(self.low), float(self.high)) / float(self.step)
        )
        return np.clip(steps, self.first, self.last).astype(np.int64), is_number


def exact_sum(steps: Ints, counts: Ints) -> int:
    """Add up values that several rows have each: exactly, in two halves, because a sum beyond 64 bits would begin anew
    at the other end, and then no farther from 0 than noise has room for.
    """
    high, low = steps >> _HALF, steps & ((1 << _HALF) - 1)
    whole = (int(high @ counts) << _HALF) + int(low @ counts)
    return min(max(whole, -_FARTHEST_SUM), _FARTHEST_SUM)


def grid_of(column: str, low: float, high: float) -> ValueGrid:
    """Give the grid between two bounds, in steps of about a hundred thousandth; raises BadParameter without bounds.

    >>> grid_of("age", 0, 100).step
    Fraction(1, 1000)
    """
    if not column:
        raise BadParameter("The question names no column.", "Choose the column it is about.")
    lowest, highest = exact_bound(low), exact_bound(high)
    if lowest >= highest:
        raise BadParameter(
            message("The bounds of “{column}” are not public.", column=column),
            "Name them in the question, the smaller one first, or let the question “bounds” find some.",
        )
    width = highest - lowest
    step = Fraction(10) ** (math.floor(math.log10(width)) - _DIGITS)
    if max(abs(lowest), abs(highest)) / step > _FARTHEST:
        raise BadParameter(
            message("The bounds of “{column}” are too far from 0 for so small a distance.", column=column),
            "Take wider bounds.",
        )
    return ValueGrid(lowest, highest, step)


def exact_bound(number: float) -> Fraction:
    """Take a bound for the decimal it is written as."""
    return Fraction(repr(float(number)))


def plain_number(number: Fraction | float) -> int | float:
    """Give a number as one would write it: whole where it is whole."""
    return int(number) if number == int(number) else float(number)


@dataclass(frozen=True, slots=True)
class Bins:
    """Bins from `low` to `high`."""

    low: Fraction
    high: Fraction
    count: int

    def edge(self, place: int) -> Fraction:
        """Give where a bin begins."""
        return self.low + (self.high - self.low) * place / self.count

    def places(self, numbers: npt.NDArray[np.float64]) -> Places:
        """Give the bin of every number, -1 for one outside and for none."""
        edges = np.array([float(self.edge(place)) for place in range(self.count + 1)])
        found = np.searchsorted(edges, numbers, side="right") - 1
        found[numbers == edges[-1]] = self.count - 1
        is_inside = (numbers >= edges[0]) & (numbers <= edges[-1])
        return np.where(is_inside, found, NO_PLACE).astype(np.int64)

    def labels(self) -> tuple[str, ...]:
        """Name the bins: whole numbers by themselves where each bin holds one, otherwise by their bounds.

        >>> Bins(Fraction(0), Fraction(10), 2).labels(), Bins(Fraction(17), Fraction(19), 2).labels()
        (('[0, 5)', '[5, 10]'), ('17', '18'))
        """
        numbers = [plain_number(self.edge(place)) for place in range(self.count + 1)]
        if self.high - self.low == self.count and isinstance(numbers[0], int):
            return tuple(str(number) for number in numbers[:-1])
        edges, last = _texts(numbers), self.count - 1
        return tuple(f"[{edges[at]}, {edges[at + 1]}{']' if at == last else ')'}" for at in range(self.count))


def _texts(numbers: list[int | float]) -> list[str]:
    """Write numbers with as few figures as keep them apart."""
    short = [str(number) if isinstance(number, int) else f"{number:.6g}" for number in numbers]
    return short if len(set(short)) == len(short) else [repr(number) for number in numbers]


def bins_of(column: str, low: float, high: float, count: int) -> Bins:
    """Give the bins between two bounds; raises BadParameter without bounds."""
    grid = grid_of(column, low, high)
    return Bins(grid.low, grid.high, count)


USUAL_BINS = 20

MOST_COLUMNS = 100

BETWEEN = "|"

_ISO = "%Y-%m-%d"

_NUMBER = r"[-+]?\d+(?:\.\d+)?"

_DAY = r"\d{4}-\d{2}-\d{2}"

_SPAN = re.compile(rf"(?P<low>{_DAY}|{_NUMBER})\.\.(?P<high>{_DAY}|{_NUMBER})(?:/(?P<bins>\d{{1,6}}))?", re.ASCII)

Floats = npt.NDArray[np.float64]


class ColumnDomain(ABC):
    """The cells of a column; the last one is for what is missing."""

    column: str
    labels: tuple[str, ...]

    @property
    def cells(self) -> int:
        """The number of cells, that of what is missing included."""
        return len(self.labels) + 1

    @abstractmethod
    def of_labels(self, column: Column, public: PublicKnowledge) -> Ints:
        """Give the cell of every label of a column."""

    @abstractmethod
    def texts(self, cells: Ints, lots: Floats) -> list[str]:
        """Give a value of each cell; lots from 0 to 1 say which one where a cell holds several."""

    def middles(self) -> Floats | None:
        """Give where each cell lies between -1 and 1, for numbers and days; nothing for names."""
        return None

    def of_rows(self, column: Column, public: PublicKnowledge) -> Ints:
        """Give the cell of every row."""
        return self.of_labels(column, public)[column.codes] if len(column) else np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class CategoricalDomain(ColumnDomain):
    """Values by their names, or what lies below a name in the hierarchy."""

    column: str
    categories: Categories

    @property
    def labels(self) -> tuple[str, ...]:  # type: ignore[override]
        """The names."""
        return self.categories.labels

    def of_labels(self, column: Column, public: PublicKnowledge) -> Ints:
        """Find names; all others are missing."""
        places = self.categories.places(column)
        return np.where(places == NO_PLACE, len(self.labels), places)

    def texts(self, cells: Ints, lots: Floats) -> list[str]:
        """Give the names."""
        every = np.array([*self.labels, MISSING], dtype=object)
        return list(every[cells])


@dataclass(frozen=True, slots=True)
class NumericDomain(ColumnDomain):
    """Numbers or days from one to another, in steps as fine as the bounds are written, gathered in bins."""

    column: str
    low: int
    steps: int
    bins: int
    places: int = 0
    is_day: bool = False

    @property
    def labels(self) -> tuple[str, ...]:  # type: ignore[override]
        """Name the bins by their first and last value."""
        ends = [(self._first(bin_), self._first(bin_ + 1) - 1) for bin_ in range(self.bins)]
        return tuple(self._text(a) if a == b else f"{self._text(a)}..{self._text(b)}" for a, b in ends)

    @property
    def cells(self) -> int:
        """The bins and the missing ones."""
        return self.bins + 1

    def of_labels(self, column: Column, public: PublicKnowledge) -> Ints:
        """Find the bin of every label."""
        steps, fits = self._steps(column, public)
        return np.where(fits, steps * self.bins // self.steps, self.bins)

    def texts(self, cells: Ints, lots: Floats) -> list[str]:
        """Take any value of the bin."""
        firsts = np.array([self._first(bin_) for bin_ in range(self.bins + 1)], dtype=np.int64)
        known = np.minimum(cells, self.bins - 1)
        widths = firsts[known + 1] - firsts[known]
        chosen = firsts[known] + np.minimum((lots * widths).astype(np.int64), widths - 1)
        distinct, at = np.unique(np.where(cells == self.bins, -1, chosen), return_inverse=True)
        every = np.array([MISSING if step < 0 else self._text(int(step)) for step in distinct], dtype=object)
        return list(every[at])

    def middles(self) -> Floats:
        """Give the middle of each bin between -1 and 1."""
        return (2 * np.arange(self.bins) + 1) / self.bins - 1

    def _first(self, bin_: int) -> int:
        return -(-bin_ * self.steps // self.bins)

    def _steps(self, column: Column, public: PublicKnowledge) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """Give every label in steps from the lower bound, and which labels are values at all."""
        if self.is_day:
            days, fits = parse_dates(column.labels, _ISO)
            numbers = np.where(fits, days, np.datetime64(0, "s")).astype("datetime64[D]").astype(np.float64)
        else:
            numbers = parse_column_numbers(column, public) * 10**self.places
            fits = ~np.isnan(numbers)
        whole = np.rint(np.clip(np.where(fits, numbers, 0.0), self.low, self.low + self.steps - 1))
        return whole.astype(np.int64) - self.low, fits

    def _text(self, step: int) -> str:
        number = self.low + step
        if self.is_day:
            return str(np.datetime64(number, "D"))
        if not self.places:
            return str(number)
        sign, digits = "-" if number < 0 else "", f"{abs(number):0{self.places + 1}d}"
        return f"{sign}{digits[: -self.places]}.{digits[-self.places :]}"


def split_domain(field: str) -> tuple[str, str]:
    """Part a field into the name of its column and what is written of its domain."""
    name, _, domain = field.partition("=")
    return name.strip(), domain.strip()


def domain_of(field: str, public: PublicKnowledge) -> ColumnDomain:
    """Read the domain of a column; raises BadParameter where it is not public.

    >>> domain_of("age=0..99/10", PublicKnowledge()).labels[:2]
    ('0..9', '10..19')
    """
    name, domain = split_domain(field)
    if found := _SPAN.fullmatch(domain):
        return _span(name, found["low"], found["high"], found["bins"])
    named = tuple(dict.fromkeys(part.strip() for part in domain.split(BETWEEN) if part.strip()))
    categories = categories_of(name, tuple(label for label in named if label != MISSING), public)
    if len(categories.labels) >= MOST_CELLS:
        raise BadParameter(message("“{column}” has too many values.", column=name), "Name fewer or coarser ones.")
    return CategoricalDomain(name, categories)


def domains_of(fields: Sequence[str], public: PublicKnowledge) -> tuple[ColumnDomain, ...]:
    """Read the domains of several columns; raises BadParameter when one is named twice or there are too many."""
    names = [split_domain(field)[0] for field in fields]
    if not names:
        raise BadParameter("The question names no column.", "Choose the columns it is about.")
    if len(set(names)) < len(names):
        raise BadParameter("A column is named twice.", "Name each column once.")
    if len(names) > MOST_COLUMNS:
        raise BadParameter(
            message("These are more than {most} columns.", most=MOST_COLUMNS), "Choose those that are needed most."
        )
    return tuple(domain_of(field, public) for field in fields)


def _span(name: str, low: str, high: str, bins: str | None) -> NumericDomain:
    is_day = [re.fullmatch(_DAY, side, re.ASCII) is not None for side in (low, high)]
    if any(is_day):
        days, fits = parse_dates([low, high], _ISO)
        first, last = days.astype("datetime64[D]").astype(np.int64).tolist() if fits.all() else (1, 0)
        return _binned(name, first, last, bins, 0, is_day=True)
    places = max(len(side.partition(".")[2]) for side in (low, high))
    first, last = (int(Fraction(side) * 10**places) for side in (low, high))
    return _binned(name, first, last, bins, places)


def _binned(name: str, first: int, last: int, bins: str | None, places: int, *, is_day: bool = False) -> NumericDomain:
    steps = last - first + 1
    if not name or steps < 1 or max(abs(first), abs(last)) > 2**50:
        raise BadParameter(
            message("The bounds of “{column}” are not public.", column=name),
            "Write the smaller one first, such as age=0..100.",
        )
    wanted = int(bins) if bins else USUAL_BINS
    return NumericDomain(name, first, steps, min(max(wanted, 1), steps, math.isqrt(MOST_CELLS)), places, is_day)
