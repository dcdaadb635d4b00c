"""How many rows have a number in each of some bins of equal width."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from anonymizer_gui.engine.core.params import Flag, Float, Int, param
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.rooms.statistics.bins import Bins, bins_of
from anonymizer_gui.engine.rooms.statistics.categories import OTHERS, counted_in, numbers_in
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import NOISES, QUESTIONS, Step
from anonymizer_gui.engine.rooms.statistics.questions.tables.of_a_column import OfColumn, Tally
from anonymizer_gui.engine.rooms.statistics.wording import number_in, quoted_word, shortest, unquoted

_USUAL_BINS = 10


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class NumberHistogram(OfColumn, Tally):
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
        numbers = [number_in(word) for word in words[1:]]
        if len(words) not in (3, 4) or numbers[0] is None or numbers[1] is None:
            return None
        bins = float(_USUAL_BINS) if len(words) == 3 else numbers[2]
        if bins is None or bins != int(bins) or bins < 1:
            return None
        return cls(unquoted(words[0]), numbers[0], numbers[1], int(bins))

    def words(self) -> tuple[str, ...]:
        """Give column, bounds and bins."""
        return "histogram", quoted_word(self.column), shortest(self.low), shortest(self.high), str(self.bins)

    def labels(self, public: Public) -> tuple[str, ...]:
        """Name the bins."""
        return (*self._bins().labels(), *((OTHERS,) if self.others else ()))

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number for each bin."""
        self._bins()
        return (Step(self.noise, sensitivity.histogram(public.unit), self.bins + self.others),)

    def counted(self, data: Table, public: Public) -> tuple[Ints, ...]:
        """Count the rows of each bin."""
        column = data.column(self.column)
        places = self._bins().places(numbers_in(column, public))
        return (counted_in(column, places, self.bins + self.others, others=self.others),)

    def _bins(self) -> Bins:
        return bins_of(self.column, self.low, self.high, self.bins)
