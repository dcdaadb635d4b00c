"""Count, histograms, two-way tables, consistent counts of a hierarchy.

Every node was counted with the same noise, so a count says as much as the sum of the counts below it, less their
noise. The best estimates follow in one walk up and one down the tree (Hay, Rastogi, Miklau and Suciu, Boosting the
accuracy of differentially private histograms through consistency, VLDB 2010). Only noisy numbers go in: it is free.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Flag, Float, Int, Json, ListOf, Text, param
from anonymizer_gui.engine.data.tables.conditions import matching_rows, parse_condition
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.data.tables.values import parse_dates
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.hierarchy.leaf_encoding import NO_PLACE, find_leaves
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.statistics.public_domains import (
    MOST_CELLS,
    OTHERS,
    Bins,
    Categories,
    bins_of,
    categories_of,
    cell_of_rows,
    count_cells,
    count_pairs,
    parse_column_numbers,
)
from anonymizer_gui.engine.rooms.statistics.question import (
    NOISES,
    QUESTIONS,
    AnswerValue,
    NoisySteps,
    PublicKnowledge,
    Question,
    Step,
    bell_shaped,
    format_number,
    join_list,
    parse_number,
    quote_word,
    split_list,
    unquote,
)
from anonymizer_gui.engine.rooms.statistics.questions.column_question import (
    CategoryQuestion,
    ColumnQuestion,
    HistogramQuestion,
)


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Count(Question):
    """The number of rows, or of those that meet a condition."""

    name: ClassVar[str] = "count"
    title: ClassVar[str] = "Count"
    summary: ClassVar[str] = "How many rows there are, or how many meet a condition."
    verbs: ClassVar[tuple[str, ...]] = ("count",)
    usage: ClassVar[str] = "count [CONDITION]"
    example: ClassVar[str] = "count age>=65"
    only_counts: ClassVar[bool] = True

    where: str = param(
        Text(empty="all rows"),
        default="",
        label="Condition",
        help="Which rows are counted, such as age>=65 and sex=Female.",
    )
    noise: str = param(NOISES, default="laplace", label="Noise", help="What hides a single row.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take the words for a condition."""
        return cls(where=" ".join(words)).normal()

    def normal(self) -> Self:
        """Write the condition in its one form."""
        return replace(self, where=" and ".join(clause.text() for clause in parse_condition(self.where)))

    def words(self) -> tuple[str, ...]:
        """Give the condition as it stands."""
        return ("count", *filter(None, [self.where]))

    def columns(self) -> tuple[str, ...]:
        """Name the columns of the condition."""
        return tuple(clause.column for clause in parse_condition(self.where))

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number."""
        condition = parse_condition(self.where, public.decimal)
        return (Step(self.noise, sensitivity.count(public.unit, has_condition=bool(condition))),)

    def counted(self, data: Table, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count the rows that meet the condition."""
        condition = parse_condition(self.where, public.decimal)
        if not condition:
            return (np.array([data.n_rows], dtype=np.int64),)
        meets = matching_rows(data, condition, public.decimal)
        rows = np.count_nonzero(meets) if data.times is None else data.times[meets].sum()
        return (np.array([int(rows)], dtype=np.int64),)

    def told(self, noisy: NoisySteps, public: PublicKnowledge) -> AnswerValue:
        """Tell the number."""
        return AnswerValue(int(noisy[0][0]))


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Histogram(CategoryQuestion, HistogramQuestion):
    """The number of rows in each public category; a row is in one of them at most."""

    name: ClassVar[str] = "histogram"
    title: ClassVar[str] = "Histogram of categories"
    summary: ClassVar[str] = "How many rows have each of some values; the values are named, not looked up in the data."
    verbs: ClassVar[tuple[str, ...]] = ("histogram",)
    usage: ClassVar[str] = "histogram COLUMN [A,B,C]"
    example: ClassVar[str] = "histogram sex Female,Male"
    only_counts: ClassVar[bool] = True

    others: bool = param(
        Flag(), default=False, label="Count all others", help="One more cell for missing and other values."
    )
    noise: str = param(NOISES, default="laplace", label="Noise", help="What hides a single row.")

    def has_others(self) -> bool:
        """Tell whether all others have a cell."""
        return self.others

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number for each category."""
        return (Step(self.noise, sensitivity.histogram(public.unit), len(self.labels(public))),)


_USUAL_BINS = 10


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class NumberHistogram(ColumnQuestion, HistogramQuestion):
    """The number of rows in each bin between two public bounds."""

    name: ClassVar[str] = "number-histogram"
    title: ClassVar[str] = "Histogram of numbers"
    summary: ClassVar[str] = "How many rows have a number in each of some bins; the bins are given, not fitted."
    verbs: ClassVar[tuple[str, ...]] = ("histogram",)
    usage: ClassVar[str] = "histogram COLUMN LOW HIGH [BINS]"
    example: ClassVar[str] = "histogram age 0 100 10"
    only_counts: ClassVar[bool] = True

    low: float = param(Float(), default=0.0, label="Lower bound", help="Where the first bin begins.")
    high: float = param(Float(), default=0.0, label="Upper bound", help="Where the last bin ends.")
    bins: int = param(
        Int(low=1, high=1_000_000), default=_USUAL_BINS, label="Bins", help="How many bins of equal width there are."
    )
    others: bool = param(
        Flag(), default=False, label="Count all others", help="One more cell for missing values and those outside."
    )
    noise: str = param(NOISES, default="laplace", label="Noise", help="What hides a single row.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a column, two bounds and perhaps a number of bins."""
        numbers = [parse_number(word) for word in words[1:]]
        if len(words) not in (3, 4) or numbers[0] is None or numbers[1] is None:
            return None
        bins = float(_USUAL_BINS) if len(words) == 3 else numbers[2]
        if bins is None or bins != int(bins) or bins < 1:
            return None
        return cls(unquote(words[0]), numbers[0], numbers[1], int(bins))

    def words(self) -> tuple[str, ...]:
        """Give column, bounds and bins."""
        return "histogram", quote_word(self.column), format_number(self.low), format_number(self.high), str(self.bins)

    def labels(self, public: PublicKnowledge) -> tuple[str, ...]:
        """Name the bins."""
        return (*self._bins().labels(), *((OTHERS,) if self.others else ()))

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number for each bin."""
        self._bins()
        return (Step(self.noise, sensitivity.histogram(public.unit), self.bins + self.others),)

    def counted(self, data: Table, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count the rows of each bin."""
        column = data.column(self.column)
        places = self._bins().places(parse_column_numbers(column, public))
        return (count_cells(column, places, self.bins + self.others, others=self.others),)

    def _bins(self) -> Bins:
        return bins_of(self.column, self.low, self.high, self.bins)


ISO = "%Y-%m-%d"

SPANS = {"day": "days", "week": "weeks", "month": "months", "quarter": "quarters", "year": "years"}

_MONTHS = {"month": 1, "quarter": 3, "year": 12}

_MONDAY = 3  # the first day of all was a Thursday

Numbers = npt.NDArray[np.int64]


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class DateHistogram(ColumnQuestion, HistogramQuestion):
    """The number of rows in each span of time between two public days."""

    name: ClassVar[str] = "date-histogram"
    title: ClassVar[str] = "Histogram of days"
    summary: ClassVar[str] = "How many rows fall on each day, week, month, quarter or year between two days."
    verbs: ClassVar[tuple[str, ...]] = ("histogram",)
    usage: ClassVar[str] = "histogram COLUMN FIRST-DAY LAST-DAY day|week|month|quarter|year"
    example: ClassVar[str] = "histogram admitted 2024-01-01 2024-12-31 month"
    only_counts: ClassVar[bool] = True

    first: str = param(Text(), default="", label="First day", help="Such as 2024-01-01.")
    last: str = param(Text(), default="", label="Last day", help="Such as 2024-12-31.")
    span: str = param(Choice(SPANS), default="month", label="Counted by", help="How long each span of time is.")
    format: str = param(Text(), default=ISO, label="Format", help="How days are written in the column.")
    others: bool = param(
        Flag(), default=False, label="Count all others", help="One more cell for missing days and those outside."
    )
    noise: str = param(NOISES, default="laplace", label="Noise", help="What hides a single row.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a column, two days and a span."""
        if len(words) != 4 or words[3] not in SPANS:
            return None
        return cls(unquote(words[0]), words[1], words[2], words[3])

    def words(self) -> tuple[str, ...]:
        """Give column, days and span."""
        return "histogram", quote_word(self.column), self.first, self.last, self.span

    def labels(self, public: PublicKnowledge) -> tuple[str, ...]:
        """Name the spans."""
        first, last = self._ends()
        spans = tuple(_label(number, self.span) for number in range(first, last + 1))
        return (*spans, *((OTHERS,) if self.others else ()))

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number for each span."""
        first, last = self._ends()
        return (Step(self.noise, sensitivity.histogram(public.unit), last - first + 1 + self.others),)

    def counted(self, data: Table, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count the rows of each span."""
        first, last = self._ends()
        column = data.column(self.column)
        days, fits = parse_dates(column.labels, self.format)
        numbers = _spans(days, fits, self.span)
        is_inside = fits & (numbers >= first) & (numbers <= last)
        places = np.where(is_inside, numbers - first, NO_PLACE)
        return (count_cells(column, places, last - first + 1 + self.others, others=self.others),)

    def _ends(self) -> tuple[int, int]:
        """Give the numbers of the first and the last span; raises BadParameter without days."""
        days, fits = parse_dates([self.first, self.last], ISO)
        if not self.column or not fits.all() or days[0] > days[1]:
            raise BadParameter(
                message("The first and last day of “{column}” are not public.", column=self.column),
                "Name them in the question, such as 2024-01-01 and 2024-12-31.",
            )
        first, last = _spans(days, fits, self.span).tolist()
        if last - first >= MOST_CELLS:
            raise BadParameter("There are too many spans of time.", "Count by longer ones.")
        return first, last


def _spans(days: npt.NDArray[np.datetime64], fits: npt.NDArray[np.bool_], span: str) -> Numbers:
    """Number the span of every day; what is no day gets any number."""
    known = np.where(fits, days, np.datetime64(0, "s"))
    if span in _MONTHS:
        return known.astype("datetime64[M]").astype(np.int64) // _MONTHS[span]
    numbers = known.astype("datetime64[D]").astype(np.int64)
    return (numbers + _MONDAY) // 7 if span == "week" else numbers


def _label(number: int, span: str) -> str:
    """Name a span: a week by its Monday."""
    if span in ("day", "week"):
        return str(np.datetime64(number * 7 - _MONDAY if span == "week" else number, "D"))
    month = str(np.datetime64(number * _MONTHS[span], "M"))
    year, of_year = month.split("-")
    return {"month": month, "quarter": f"{year}-Q{(int(of_year) + 2) // 3}", "year": year}[span]


BETWEEN = " × "


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class TwoWay(HistogramQuestion):
    """The number of rows in each cell of a table of two columns; a row is in one of them at most."""

    name: ClassVar[str] = "two-way"
    title: ClassVar[str] = "Two-way table"
    summary: ClassVar[str] = "How many rows have each pair of values of two columns."
    verbs: ClassVar[tuple[str, ...]] = ("two-way",)
    uses_hierarchies: ClassVar[bool] = True
    usage: ClassVar[str] = "two-way COLUMN [A,B] COLUMN2 [C,D]"
    example: ClassVar[str] = "two-way sex Female,Male education school,college"
    only_counts: ClassVar[bool] = True

    first: str = param(Text(column=True), default="", label="Rows of the table", help="The first column.")
    first_categories: tuple[str, ...] = param(
        ListOf(Text()),
        default=(),
        label="Categories of the rows",
        help="The values that are counted; without any, those of the column's hierarchy.",
    )
    second: str = param(Text(column=True), default="", label="Columns of the table", help="The second column.")
    second_categories: tuple[str, ...] = param(
        ListOf(Text()),
        default=(),
        label="Categories of the columns",
        help="The values that are counted; without any, those of the column's hierarchy.",
    )
    noise: str = param(NOISES, default="laplace", label="Noise", help="What hides a single row.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take two columns, each followed by its categories, or none of them."""
        if len(words) == 2:
            return cls(first=unquote(words[0]), second=unquote(words[1]))
        if len(words) != 4:
            return None
        return cls(unquote(words[0]), split_list(words[1]), unquote(words[2]), split_list(words[3]))

    def words(self) -> tuple[str, ...]:
        """Give columns and categories."""
        columns = quote_word(self.first), quote_word(self.second)
        if not (self.first_categories and self.second_categories):
            return "two-way", *columns
        return "two-way", columns[0], join_list(self.first_categories), columns[1], join_list(self.second_categories)

    def columns(self) -> tuple[str, ...]:
        """Name both columns."""
        return self.first, self.second

    def labels(self, public: PublicKnowledge) -> tuple[str, ...]:
        """Name the cells."""
        first, second = self._sides(public)
        return tuple(f"{one}{BETWEEN}{two}" for one in first.labels for two in second.labels)

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number for each cell."""
        first, second = self._sides(public)
        return (Step(self.noise, sensitivity.histogram(public.unit), len(first.labels) * len(second.labels)),)

    def counted(self, data: Table, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count the rows of each cell."""
        sides = self._sides(public)
        columns = [data.column(name) for name in self.columns()]
        placed = [cell_of_rows(column, side.places(column)) for column, side in zip(columns, sides, strict=True)]
        return (count_pairs(placed[0], placed[1], (len(sides[0].labels), len(sides[1].labels)), data.times),)

    def _sides(self, public: PublicKnowledge) -> tuple[Categories, Categories]:
        first = categories_of(self.first, self.first_categories, public)
        second = categories_of(self.second, self.second_categories, public)
        if len(first.labels) * len(second.labels) > MOST_CELLS:
            raise BadParameter("The table would have too many cells.", "Name fewer or coarser categories.")
        return first, second


Floats = npt.NDArray[np.float64]


def counted_nodes(tree: Hierarchy) -> Ints:
    """Give the nodes that are counted: an only child holds the same rows as its parent and is left out."""
    same = np.zeros(len(tree), dtype=np.bool_)
    same[1:] = tree.leaf_counts[1:] == tree.leaf_counts[tree.parents[1:]]
    return np.flatnonzero(~same).astype(np.int64)


def counted_levels(tree: Hierarchy) -> int:
    """Say how many counted nodes lie above a value at most, itself included."""
    return int(_depths(tree).max()) + 1


def _depths(tree: Hierarchy) -> Ints:
    depths = np.zeros(len(counted_nodes(tree)), dtype=np.int64)
    for place, parent in enumerate(_parents(tree).tolist()):
        depths[place] = depths[parent] + 1 if parent >= 0 else 0
    return depths


def _parents(tree: Hierarchy) -> Ints:
    """Give the place of each counted node's nearest counted ancestor, -1 for the root."""
    nodes = counted_nodes(tree)
    place_of = np.full(len(tree), -1, dtype=np.int64)
    place_of[nodes] = np.arange(len(nodes))
    above = np.full(len(tree), -1, dtype=np.int64)  # the nearest counted node, the node itself included
    for node, parent in enumerate(tree.parents.tolist()):
        above[node] = place_of[node] if place_of[node] >= 0 else above[parent]
    parents = tree.parents[nodes]
    return np.where(parents >= 0, above[np.maximum(parents, 0)], -1)


def make_consistent(tree: Hierarchy, noisy: Ints) -> Ints:
    """Give whole numbers near the noisy ones, of which those below a node add up to its own."""
    parents = _parents(tree)
    return _whole(parents, _estimates(parents, noisy.astype(np.float64)))


def _estimates(parents: Ints, noisy: Floats) -> Floats:
    """Give the best estimates that add up; nodes stand before those below them."""
    count = len(parents)
    best, variance = noisy.copy(), np.ones(count)
    summed, summed_variance = np.zeros(count), np.zeros(count)
    for node in range(count - 1, -1, -1):
        if summed_variance[node]:
            weight = summed_variance[node] / (1 + summed_variance[node])
            best[node] = weight * noisy[node] + (1 - weight) * summed[node]
            variance[node] = weight
        if parents[node] >= 0:
            summed[parents[node]] += best[node]
            summed_variance[parents[node]] += variance[node]
    found = best.copy()
    for node in range(1, count):
        above = parents[node]
        found[node] = best[node] + (found[above] - summed[above]) * variance[node] / summed_variance[above]
    return found


def _whole(parents: Ints, estimates: Floats) -> Ints:
    """Round from above: what is left over goes to the nodes that were rounded down the most."""
    whole = np.rint(estimates).astype(np.int64)
    children: dict[int, list[int]] = {}
    for node, parent in enumerate(parents.tolist()):
        if parent >= 0:
            children.setdefault(parent, []).append(node)
    for parent, below in children.items():
        floors = np.floor(estimates[below])
        over = int(whole[parent] - floors.sum())
        each, more = divmod(over, len(below))
        order = np.argsort(-(estimates[below] - floors), kind="stable")
        share = np.full(len(below), each, dtype=np.int64)
        share[order[:more]] += 1
        whole[below] = floors.astype(np.int64) + share
    return whole


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class HierarchyCounts(ColumnQuestion):
    """Noisy counts of all nodes of a hierarchy, then the nearest whole numbers whose parts add up."""

    name: ClassVar[str] = "levels"
    title: ClassVar[str] = "Counts along a hierarchy"
    summary: ClassVar[str] = "How many rows lie below each node of a hierarchy; the counts of parts add up."
    verbs: ClassVar[tuple[str, ...]] = ("levels",)
    uses_hierarchies: ClassVar[bool] = True
    usage: ClassVar[str] = "levels COLUMN"
    example: ClassVar[str] = "levels education"

    noise: str = param(NOISES, default="laplace", label="Noise", help="What hides a single row.")

    def labels(self, public: PublicKnowledge) -> tuple[str, ...]:
        """Name the nodes, each before those below it."""
        tree = self._tree(public)
        return tuple(tree.labels[node] for node in counted_nodes(tree).tolist())

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number for each node; a row is counted at every node above its value."""
        tree = self._tree(public)
        moved = sensitivity.along_hierarchy(public.unit, counted_levels(tree))
        return (Step(self.noise, moved, len(counted_nodes(tree))),)

    def counted(self, data: Table, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count the rows below each node; values without a place are not counted."""
        tree, column = self._tree(public), data.column(self.column)
        leaves, counts = find_leaves(column, tree), column.counts()
        is_placed = leaves != NO_PLACE
        of_leaf = np.zeros(tree.n_leaves + 1, dtype=np.int64)
        np.add.at(of_leaf[1:], leaves[is_placed], counts[is_placed])
        upto = np.cumsum(of_leaf)
        nodes = counted_nodes(tree)
        return (upto[tree.end_leaf[nodes]] - upto[tree.first_leaf[nodes]],)

    def told(self, noisy: NoisySteps, public: PublicKnowledge) -> AnswerValue:
        """Tell a number for each node; the numbers below a node add up to its own."""
        found = make_consistent(self._tree(public), noisy[0])
        return AnswerValue(values=tuple(zip(self.labels(public), found.tolist(), strict=True)))

    def simulated(self, public: PublicKnowledge, rows: int) -> tuple[Ints, ...]:
        """Let a bell of rows lie over the values."""
        tree = self._tree(public)
        upto = np.concatenate([[0], np.cumsum(bell_shaped(rows, tree.n_leaves))])
        nodes = counted_nodes(tree)
        return (upto[tree.end_leaf[nodes]] - upto[tree.first_leaf[nodes]],)

    def facts(self, public: PublicKnowledge) -> dict[str, Json]:
        """Tell on how many levels a row is counted."""
        return {"levels": counted_levels(self._tree(public))}

    def _tree(self, public: PublicKnowledge) -> Hierarchy:
        if not self.column:
            raise BadParameter("The question names no column.", "Choose the column it is about.")
        tree = public.hierarchies.get(self.column)
        if tree is None:
            raise BadParameter(
                message("“{column}” has no hierarchy to count along.", column=self.column),
                "Give the column a hierarchy, or ask for a histogram.",
            )
        return tree
