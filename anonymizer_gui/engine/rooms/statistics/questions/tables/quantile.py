"""The median or another quantile of a column: the value with the right number of rows below it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Float, Int, param
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.mechanisms.contract import USUAL_SHARE, Mechanism
from anonymizer_gui.engine.rooms.statistics.bounds import exact_bound, grid_of, plain
from anonymizer_gui.engine.rooms.statistics.categories import numbers_in
from anonymizer_gui.engine.rooms.statistics.choosers import CHOOSERS
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS, Noisy, Step, Told, bell
from anonymizer_gui.engine.rooms.statistics.questions.tables.of_a_column import Bounded
from anonymizer_gui.engine.rooms.statistics.wording import number_in, quoted_word, shortest, unquoted

_USUAL_CANDIDATES = 101
_FINEST = 10**6


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Quantile(Bounded):
    """One of evenly spaced candidates between the bounds, the likelier the nearer it is to its place in the order.

    By noise on the value itself one row could move the median from one bound to the other; by its place only by one.
    """

    name: ClassVar[str] = "quantile"
    title: ClassVar[str] = "Median or quantile"
    summary: ClassVar[str] = "The value below which a given share of the rows lies, one half for the median."
    verbs: ClassVar[tuple[str, ...]] = ("median", "quantile")
    usage: ClassVar[str] = "median COLUMN LOW HIGH, quantile SHARE COLUMN LOW HIGH"
    example: ClassVar[str] = "median age 0 100"
    has_interval: ClassVar[bool] = False

    share: float = param(
        Float(low=0, high=1), default=0.5, label="Share", help="The share of rows below the value; 0.5 is the median."
    )
    candidates: int = param(
        Int(low=2, high=100_000),
        default=_USUAL_CANDIDATES,
        label="Candidates",
        help="How many evenly spaced values may be answered, both bounds among them.",
    )
    chooser: str = param(CHOOSERS, default="exponential", label="Mechanism", help="What chooses among candidates.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a share unless it is the median, a column and two bounds."""
        share = 0.5 if verb == "median" or not words else number_in(words[0])
        rest = list(words) if verb == "median" else list(words[1:])
        if share is None or not 0 <= share <= 1 or len(rest) != 3:
            return None
        low, high = number_in(rest[1]), number_in(rest[2])
        return None if low is None or high is None else cls(unquoted(rest[0]), low, high, share)

    def words(self) -> tuple[str, ...]:
        """Give share, column and bounds."""
        verb = ("median",) if self.share == 0.5 else ("quantile", shortest(self.share))
        return *verb, quoted_word(self.column), shortest(self.low), shortest(self.high)

    def labels(self, public: Public) -> tuple[str, ...]:
        """Name the candidates."""
        return tuple(str(plain(value)) for value in self._values())

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send how far each candidate is from its place."""
        self._values()
        below, above = self._weights()
        return (Step(self.chooser, sensitivity.ranks(public.unit, below, above, self.candidates), self.candidates),)

    def counted(self, data: Table, public: Public) -> tuple[Ints, ...]:
        """Score each candidate by how unevenly the rows lie below and above it; rows without a number do not count."""
        column = data.column(self.column)
        numbers = numbers_in(column, public)
        is_number = ~np.isnan(numbers)
        order = np.argsort(numbers[is_number], kind="stable")
        values, counts = numbers[is_number][order], column.counts()[is_number][order]
        upto = np.concatenate([[0], np.cumsum(counts)])
        candidates = np.array([float(value) for value in self._values()])
        below = upto[np.searchsorted(values, candidates, side="left")]
        above = upto[-1] - upto[np.searchsorted(values, candidates, side="right")]
        weights = self._weights()
        return (-np.abs(weights[0] * below - weights[1] * above).astype(np.int64),)

    def told(self, noisy: Noisy, public: Public) -> Told:
        """Tell the candidate."""
        return Told(plain(self._values()[int(noisy[0][0])]))

    def size(self, public: Public) -> Fraction:
        """Give what one point of the score is in places: a row that goes from above to below moves it by both."""
        return Fraction(1, sum(self._weights()))

    def typical(self, public: Public) -> float | None:
        """Compare with a tenth of all places."""
        return public.assumed / 10 or None

    def simulated(self, public: Public, rows: int) -> tuple[Ints, ...]:
        """Let a bell of rows lie between the bounds."""
        counts = bell(rows, self.candidates)
        upto = np.cumsum(counts)
        below, above = self._weights()
        return (-np.abs(below * (upto - counts) - above * (upto[-1] - upto)).astype(np.int64),)

    def in_unit(self) -> Message:
        """Say that it is counted in places."""
        return message("places in the order")

    def error(
        self,
        mechanisms: Sequence[Mechanism],
        public: Public,
        cells: int = 1,
        noisy: Noisy | None = None,
        share: float = USUAL_SHARE,
    ) -> float | None:
        """Say by how many places it is farther off than the best candidate."""
        return float(mechanisms[0].error(self.candidates, share) * self.size(public))

    def _weights(self) -> tuple[int, int]:
        """Give how much a row below and one above counts, so that both sides are even at the quantile."""
        share = exact_bound(self.share)
        if share.denominator > _FINEST:  # products with the number of rows must stay within 64 bits
            raise BadParameter("The share has too many digits.", "Round it, such as to 0.25.")
        return share.denominator - share.numerator, share.numerator

    def _values(self) -> list[Fraction]:
        grid = grid_of(self.column, self.low, self.high)
        return [grid.low + (grid.high - grid.low) * place / (self.candidates - 1) for place in range(self.candidates)]
