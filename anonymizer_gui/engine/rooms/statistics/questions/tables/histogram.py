"""How many rows have each value of a column with categories."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.params import Flag, Listing, Text, param
from anonymizer_gui.engine.rooms.statistics.categories import Categories, categories_of, counted_in
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import NOISES, QUESTIONS, Noisy, Question, Step, Told
from anonymizer_gui.engine.rooms.statistics.wording import listed, quoted_word, read_list, unquoted
from anonymizer_gui.engine.shapes.tables.table import Table


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Histogram(Question):
    """The number of rows in each public category; a row is in one of them at most."""

    name: ClassVar[str] = "histogram"
    title: ClassVar[str] = "Histogram of categories"
    summary: ClassVar[str] = "How many rows have each of some values; the values are named, not looked up in the data."
    verbs: ClassVar[tuple[str, ...]] = ("histogram",)
    uses_hierarchies: ClassVar[bool] = True
    usage: ClassVar[str] = "histogram COLUMN [A,B,C]"
    example: ClassVar[str] = "histogram sex Female,Male"

    column: str = param(Text(column=True), default="", label="Column", help="The column that is counted.")
    categories: tuple[str, ...] = param(
        Listing(Text()),
        default=(),
        label="Categories",
        help="The values that are counted; without any, those of the column's hierarchy.",
    )
    others: bool = param(
        Flag(), default=False, label="Count all others", help="One more cell for missing and other values."
    )
    noise: str = param(NOISES, default="laplace", label="Noise", help="What hides a single row.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a column, and categories with commas between them."""
        if not 1 <= len(words) <= 2:
            return None
        return cls(column=unquoted(words[0]), categories=read_list(words[1]) if len(words) > 1 else ())

    def words(self) -> tuple[str, ...]:
        """Give column and categories."""
        return ("histogram", quoted_word(self.column), *([listed(self.categories)] if self.categories else []))

    def columns(self) -> tuple[str, ...]:
        """Name the column."""
        return (self.column,)

    def labels(self, public: Public) -> tuple[str, ...]:
        """Name the categories."""
        return self._categories(public).labels

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number for each category."""
        return (Step(self.noise, sensitivity.histogram(public.unit), len(self.labels(public))),)

    def counted(self, data: Table, public: Public) -> tuple[Ints, ...]:
        """Count the rows of each category."""
        column, categories = data.column(self.column), self._categories(public)
        return (counted_in(column, categories.places(column), len(categories.labels), others=self.others),)

    def told(self, noisy: Noisy, public: Public) -> Told:
        """Tell a number for each category."""
        return Told(values=tuple(zip(self.labels(public), noisy[0].tolist(), strict=True)))

    def _categories(self, public: Public) -> Categories:
        return categories_of(self.column, self.categories, public, others=self.others)
