"""The value that most rows have."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.params import Listing, Text, param
from anonymizer_gui.engine.rooms.statistics.categories import Categories, categories_of, counted_in
from anonymizer_gui.engine.rooms.statistics.choosers import CHOOSERS
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS, Noisy, Question, Step, Told
from anonymizer_gui.engine.rooms.statistics.wording import listed, quoted_word, read_list, unquoted
from anonymizer_gui.engine.shapes.tables.table import Table


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class MostCommon(Question):
    """One of some public values, the likelier the more rows have it; how many have it is not told."""

    name: ClassVar[str] = "most-common"
    title: ClassVar[str] = "Most common value"
    summary: ClassVar[str] = "Which of some values most rows have; how many have it is not told."
    verbs: ClassVar[tuple[str, ...]] = ("most-common",)
    uses_hierarchies: ClassVar[bool] = True
    usage: ClassVar[str] = "most-common COLUMN [A,B,C]"
    example: ClassVar[str] = "most-common education"
    has_interval: ClassVar[bool] = False

    column: str = param(Text(column=True), default="", label="Column", help="The column that is searched.")
    categories: tuple[str, ...] = param(
        Listing(Text()),
        default=(),
        label="Candidates",
        help="The values that may be answered; without any, those of the column's hierarchy.",
    )
    chooser: str = param(CHOOSERS, default="exponential", label="Mechanism", help="What chooses among candidates.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a column, and candidates with commas between them."""
        if not 1 <= len(words) <= 2:
            return None
        return cls(unquoted(words[0]), read_list(words[1]) if len(words) > 1 else ())

    def words(self) -> tuple[str, ...]:
        """Give column and candidates."""
        return ("most-common", quoted_word(self.column), *([listed(self.categories)] if self.categories else []))

    def columns(self) -> tuple[str, ...]:
        """Name the column."""
        return (self.column,)

    def labels(self, public: Public) -> tuple[str, ...]:
        """Name the candidates."""
        return self._categories(public).labels

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send the count of each candidate as its score."""
        return (Step(self.chooser, sensitivity.histogram(public.unit), len(self.labels(public))),)

    def counted(self, data: Table, public: Public) -> tuple[Ints, ...]:
        """Count the rows of each candidate."""
        column, categories = data.column(self.column), self._categories(public)
        return (counted_in(column, categories.places(column), len(categories.labels)),)

    def told(self, noisy: Noisy, public: Public) -> Told:
        """Tell the candidate."""
        return Told(self.labels(public)[int(noisy[0][0])])

    def _categories(self, public: Public) -> Categories:
        return categories_of(self.column, self.categories, public)
