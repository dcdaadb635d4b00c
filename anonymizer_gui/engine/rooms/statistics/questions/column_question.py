"""What may choose one of several candidates."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Choice, Float, ListOf, Text, param
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.rooms.statistics.public_domains import (
    Categories,
    ValueGrid,
    categories_of,
    count_cells,
    grid_of,
)
from anonymizer_gui.engine.rooms.statistics.question import (
    AnswerValue,
    NoisySteps,
    PublicKnowledge,
    Question,
    format_number,
    join_list,
    parse_bounds,
    quote_word,
    split_list,
    unquote,
)

CHOOSERS = Choice({"exponential": "Exponential mechanism", "permute-and-flip": "Noisy maximum (permute and flip)"})


@dataclass(frozen=True, slots=True)
class ColumnQuestion(Question):
    """A question about one column; asked with its name alone unless a subclass needs more."""

    column: str = param(Text(column=True), default="", label="Column", help="The column that is asked about.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a column."""
        return cls(unquote(words[0])) if len(words) == 1 else None

    def words(self) -> tuple[str, ...]:
        """Give the column."""
        return self.verbs[0], quote_word(self.column)

    def columns(self) -> tuple[str, ...]:
        """Name the column."""
        return (self.column,)


class HistogramQuestion(Question):
    """A question that tells a noisy number for each of its cells."""

    __slots__ = ()

    def told(self, noisy: NoisySteps, public: PublicKnowledge) -> AnswerValue:
        """Tell a number for each cell."""
        return AnswerValue(values=tuple(zip(self.labels(public), noisy[0].tolist(), strict=True)))


@dataclass(frozen=True, slots=True)
class BoundedQuestion(ColumnQuestion):
    """A question about numbers between two public bounds, in the unit of their column."""

    low: float = param(Float(), default=0.0, label="Lower bound", help="The smallest value anybody can have.")
    high: float = param(Float(), default=0.0, label="Upper bound", help="The largest value anybody can have.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a column and two bounds."""
        found = parse_bounds(words)
        return None if found is None else cls(*found)

    def words(self) -> tuple[str, ...]:
        """Give column and bounds."""
        return self.verbs[0], quote_word(self.column), format_number(self.low), format_number(self.high)

    def size(self, public: PublicKnowledge) -> Fraction:
        """Give one step of the grid."""
        return self.grid().step

    def typical(self, public: PublicKnowledge) -> float | None:
        """Compare with a tenth of the distance of the bounds."""
        return (self.high - self.low) / 10

    def in_unit(self) -> Message:
        """Say that it is counted as the column is."""
        return message("units of “{column}”", column=self.column)

    def grid(self) -> ValueGrid:
        """Give the steps between the bounds; raises BadParameter without bounds."""
        return grid_of(self.column, self.low, self.high)


@dataclass(frozen=True, slots=True)
class CategoryQuestion(ColumnQuestion):
    """A question about the rows of each public category of a column."""

    uses_hierarchies: ClassVar[bool] = True

    categories: tuple[str, ...] = param(
        ListOf(Text()),
        default=(),
        label="Categories",
        help="The values that are counted; without any, those of the column's hierarchy.",
    )

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a column, and categories with commas between them."""
        if not 1 <= len(words) <= 2:
            return None
        return cls(unquote(words[0]), split_list(words[1]) if len(words) > 1 else ())

    def words(self) -> tuple[str, ...]:
        """Give column and categories."""
        return self.verbs[0], quote_word(self.column), *([join_list(self.categories)] if self.categories else [])

    def labels(self, public: PublicKnowledge) -> tuple[str, ...]:
        """Name the categories."""
        return self._categories(public).labels

    def counted(self, data: Table, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count the rows of each category."""
        column, categories = data.column(self.column), self._categories(public)
        return (count_cells(column, categories.places(column), len(categories.labels), others=self.has_others()),)

    def has_others(self) -> bool:
        """Tell whether one more cell counts what is none of them."""
        return False

    def _categories(self, public: PublicKnowledge) -> Categories:
        return categories_of(self.column, self.categories, public, others=self.has_others())
