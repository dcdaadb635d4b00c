"""Public domains of whole columns, as synthetic tables and models need them: names, numbers or days, and none of them.

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
from anonymizer_gui.engine.data.tables.values import parse_dates
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.hierarchy.leaf_encoding import NO_PLACE
from anonymizer_gui.engine.rooms.statistics.categories import MOST_CELLS, Categories, categories_of, numbers_in
from anonymizer_gui.engine.rooms.statistics.public import Public

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
    def of_labels(self, column: Column, public: Public) -> Ints:
        """Give the cell of every label of a column."""

    @abstractmethod
    def texts(self, cells: Ints, lots: Floats) -> list[str]:
        """Give a value of each cell; lots from 0 to 1 say which one where a cell holds several."""

    def middles(self) -> Floats | None:
        """Give where each cell lies between -1 and 1, for numbers and days; nothing for names."""
        return None

    def of_rows(self, column: Column, public: Public) -> Ints:
        """Give the cell of every row."""
        return self.of_labels(column, public)[column.codes] if len(column) else np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Named(ColumnDomain):
    """Values by their names, or what lies below a name in the hierarchy."""

    column: str
    categories: Categories

    @property
    def labels(self) -> tuple[str, ...]:  # type: ignore[override]
        """The names."""
        return self.categories.labels

    def of_labels(self, column: Column, public: Public) -> Ints:
        """Find names; all others are missing."""
        places = self.categories.places(column)
        return np.where(places == NO_PLACE, len(self.labels), places)

    def texts(self, cells: Ints, lots: Floats) -> list[str]:
        """Give the names."""
        every = np.array([*self.labels, MISSING], dtype=object)
        return list(every[cells])


@dataclass(frozen=True, slots=True)
class Span(ColumnDomain):
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

    def of_labels(self, column: Column, public: Public) -> Ints:
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

    def _steps(self, column: Column, public: Public) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """Give every label in steps from the lower bound, and which labels are values at all."""
        if self.is_day:
            days, fits = parse_dates(column.labels, _ISO)
            numbers = np.where(fits, days, np.datetime64(0, "s")).astype("datetime64[D]").astype(np.float64)
        else:
            numbers = numbers_in(column, public) * 10**self.places
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


def split_field(field: str) -> tuple[str, str]:
    """Part a field into the name of its column and what is written of its domain."""
    name, _, domain = field.partition("=")
    return name.strip(), domain.strip()


def domain_of(field: str, public: Public) -> ColumnDomain:
    """Read the domain of a column; raises BadParameter where it is not public.

    >>> domain_of("age=0..99/10", Public()).labels[:2]
    ('0..9', '10..19')
    """
    name, domain = split_field(field)
    if found := _SPAN.fullmatch(domain):
        return _span(name, found["low"], found["high"], found["bins"])
    named = tuple(dict.fromkeys(part.strip() for part in domain.split(BETWEEN) if part.strip()))
    categories = categories_of(name, tuple(label for label in named if label != MISSING), public)
    if len(categories.labels) >= MOST_CELLS:
        raise BadParameter(message("“{column}” has too many values.", column=name), "Name fewer or coarser ones.")
    return Named(name, categories)


def domains_of(fields: Sequence[str], public: Public) -> tuple[ColumnDomain, ...]:
    """Read the domains of several columns; raises BadParameter when one is named twice or there are too many."""
    names = [split_field(field)[0] for field in fields]
    if not names:
        raise BadParameter("The question names no column.", "Choose the columns it is about.")
    if len(set(names)) < len(names):
        raise BadParameter("A column is named twice.", "Name each column once.")
    if len(names) > MOST_COLUMNS:
        raise BadParameter(
            message("These are more than {most} columns.", most=MOST_COLUMNS), "Choose those that are needed most."
        )
    return tuple(domain_of(field, public) for field in fields)


def _span(name: str, low: str, high: str, bins: str | None) -> Span:
    is_day = [re.fullmatch(_DAY, side, re.ASCII) is not None for side in (low, high)]
    if any(is_day):
        days, fits = parse_dates([low, high], _ISO)
        first, last = days.astype("datetime64[D]").astype(np.int64).tolist() if fits.all() else (1, 0)
        return _binned(name, first, last, bins, 0, is_day=True)
    places = max(len(side.partition(".")[2]) for side in (low, high))
    first, last = (int(Fraction(side) * 10**places) for side in (low, high))
    return _binned(name, first, last, bins, places)


def _binned(name: str, first: int, last: int, bins: str | None, places: int, *, is_day: bool = False) -> Span:
    steps = last - first + 1
    if not name or steps < 1 or max(abs(first), abs(last)) > 2**50:
        raise BadParameter(
            message("The bounds of “{column}” are not public.", column=name),
            "Write the smaller one first, such as age=0..100.",
        )
    wanted = int(bins) if bins else USUAL_BINS
    return Span(name, first, steps, min(max(wanted, 1), steps, math.isqrt(MOST_CELLS)), places, is_day)
