"""How many rows have each pair of values of two columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import ListOf, Text, param
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.rooms.statistics.categories import (
    MOST_CELLS,
    Categories,
    categories_of,
    counted_pairs,
    placed_rows,
)
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import NOISES, QUESTIONS, Step
from anonymizer_gui.engine.rooms.statistics.questions.tables.of_a_column import Tally
from anonymizer_gui.engine.rooms.statistics.wording import listed, quoted_word, read_list, unquoted

BETWEEN = " × "


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class TwoWay(Tally):
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
            return cls(first=unquoted(words[0]), second=unquoted(words[1]))
        if len(words) != 4:
            return None
        return cls(unquoted(words[0]), read_list(words[1]), unquoted(words[2]), read_list(words[3]))

    def words(self) -> tuple[str, ...]:
        """Give columns and categories."""
        columns = quoted_word(self.first), quoted_word(self.second)
        if not (self.first_categories and self.second_categories):
            return "two-way", *columns
        return "two-way", columns[0], listed(self.first_categories), columns[1], listed(self.second_categories)

    def columns(self) -> tuple[str, ...]:
        """Name both columns."""
        return self.first, self.second

    def labels(self, public: Public) -> tuple[str, ...]:
        """Name the cells."""
        first, second = self._sides(public)
        return tuple(f"{one}{BETWEEN}{two}" for one in first.labels for two in second.labels)

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number for each cell."""
        first, second = self._sides(public)
        return (Step(self.noise, sensitivity.histogram(public.unit), len(first.labels) * len(second.labels)),)

    def counted(self, data: Table, public: Public) -> tuple[Ints, ...]:
        """Count the rows of each cell."""
        sides = self._sides(public)
        columns = [data.column(name) for name in self.columns()]
        placed = [placed_rows(column, side.places(column)) for column, side in zip(columns, sides, strict=True)]
        return (counted_pairs(placed[0], placed[1], (len(sides[0].labels), len(sides[1].labels)), data.times),)

    def _sides(self, public: Public) -> tuple[Categories, Categories]:
        first = categories_of(self.first, self.first_categories, public)
        second = categories_of(self.second, self.second_categories, public)
        if len(first.labels) * len(second.labels) > MOST_CELLS:
            raise BadParameter("The table would have too many cells.", "Name fewer or coarser categories.")
        return first, second
