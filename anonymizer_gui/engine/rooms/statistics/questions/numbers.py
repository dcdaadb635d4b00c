"""Sum, mean, quantile, extreme, bounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Choice, Float, Int, Json, param
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.mechanisms.contract import USUAL_SHARE, Mechanism
from anonymizer_gui.engine.dp.sensitivity import Neighbours
from anonymizer_gui.engine.hierarchy.leaf_encoding import NO_PLACE
from anonymizer_gui.engine.rooms.statistics.public_domains import (
    count_cells,
    exact_bound,
    exact_sum,
    grid_of,
    parse_column_numbers,
    plain_number,
)
from anonymizer_gui.engine.rooms.statistics.question import (
    NOISES,
    QUESTIONS,
    AnswerValue,
    NoisySteps,
    PublicKnowledge,
    Step,
    bell_shaped,
    format_number,
    parse_bounds,
    parse_number,
    quote_word,
    unquote,
)
from anonymizer_gui.engine.rooms.statistics.questions.column_question import CHOOSERS, BoundedQuestion, ColumnQuestion


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Sum(BoundedQuestion):
    """The values of a column added up, each moved to the nearer bound when it lies outside; no number counts as 0."""

    name: ClassVar[str] = "sum"
    title: ClassVar[str] = "Sum"
    summary: ClassVar[str] = "The values of a column added up; values outside the bounds count as the nearer bound."
    verbs: ClassVar[tuple[str, ...]] = ("sum",)
    usage: ClassVar[str] = "sum COLUMN LOW HIGH"
    example: ClassVar[str] = "sum age 0 100"

    noise: str = param(NOISES, default="laplace", label="Noise", help="What hides a single row.")

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send the sum in steps of the grid; a row without a number counts as 0, so that 0 is among the values."""
        grid = self.grid()
        return (Step(self.noise, sensitivity.bounded_sum(public.unit, min(grid.first, 0), max(grid.last, 0))),)

    def counted(self, data: Table, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Add up the steps of all numbers."""
        column = data.column(self.column)
        steps, is_number = self.grid().of_labels(column, public)
        return (np.array([exact_sum(steps * is_number, column.counts())], dtype=np.int64),)

    def told(self, noisy: NoisySteps, public: PublicKnowledge) -> AnswerValue:
        """Tell the sum in the unit of the column."""
        return AnswerValue(plain_number(int(noisy[0][0]) * self.grid().step))

    def typical(self, public: PublicKnowledge) -> float | None:
        """Take half of the farther bound for everybody's value."""
        return public.assumed * max(abs(self.low), abs(self.high)) / 2 or None

    def simulated(self, public: PublicKnowledge, rows: int) -> tuple[Ints, ...]:
        """Give everybody the middle of the bounds."""
        grid = self.grid()
        return (np.array([rows * (grid.first + grid.last) // 2], dtype=np.int64),)

    def why(self, public: PublicKnowledge) -> str:
        """Say it with the bounds."""
        most = plain_number(self.sensitivity(public))
        if public.unit.kind is Neighbours.CHANGE:
            return message("A changed row moves the sum by at most {most:,}.", most=most)
        if public.unit.kind is Neighbours.ROW:
            return message(
                "One row more or less moves the sum by at most {most:,}, the bound farther from 0.", most=most
            )
        return message(
            "A person has at most {rows:row|rows}, which together move the sum by at most {most:,}.",
            rows=public.unit.rows,
            most=most,
        )


_HALF = Fraction(1, 2)

_DIGITS = 6


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Mean(BoundedQuestion):
    """A noisy sum over a noisy count, each for half of the budget; where only rows are changed, over their number.

    Values are counted from the middle of the bounds, which halves how far one row can move the sum.
    """

    name: ClassVar[str] = "mean"
    title: ClassVar[str] = "Mean"
    summary: ClassVar[str] = "The average of a column; values outside the bounds count as the nearer bound."
    verbs: ClassVar[tuple[str, ...]] = ("mean",)
    usage: ClassVar[str] = "mean COLUMN LOW HIGH"
    example: ClassVar[str] = "mean age 0 100"

    noise: str = param(NOISES, default="laplace", label="Noise", help="What hides a single row.")

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send the sum from the middle, and the number of values unless it is public."""
        width = self._width()
        summed = sensitivity.bounded_sum(public.unit, -(width // 2), width - width // 2)
        if _is_size_public(public):
            return (Step(self.noise, summed),)
        counted = sensitivity.count(public.unit, has_condition=True)
        return Step(self.noise, summed, share=_HALF), Step(self.noise, counted, share=_HALF)

    def counted(self, data: Table, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Add up and count the numbers; a row without one counts as the middle where it cannot be left out."""
        grid, column = self.grid(), data.column(self.column)
        steps, is_number = grid.of_labels(column, public)
        counts = column.counts() * is_number
        summed = np.array([int((steps - grid.first - self._width() // 2) @ counts)], dtype=np.int64)
        return (summed,) if _is_size_public(public) else (summed, np.array([counts.sum()], dtype=np.int64))

    def told(self, noisy: NoisySteps, public: PublicKnowledge) -> AnswerValue:
        """Divide, and stay between the bounds."""
        grid = self.grid()
        mean = self._middle() + grid.step * Fraction(int(noisy[0][0]), self._values(noisy, public))
        value = round(float(min(max(mean, grid.low), grid.high)), _DIGITS)
        note = message("Rows without a number in “{column}” count as the middle of the bounds.", column=self.column)
        return AnswerValue(value, notes=(note,) if _is_size_public(public) else ())

    def size(self, public: PublicKnowledge) -> Fraction:
        """Give what one step of the sum is worth: in the mean itself where the number of rows is public."""
        return self.grid().step / (public.rows if _is_size_public(public) and public.rows else 1)

    def simulated(self, public: PublicKnowledge, rows: int) -> tuple[Ints, ...]:
        """Give everybody a value a quarter below the middle."""
        summed = np.array([-rows * self._width() // 8], dtype=np.int64)
        return (summed,) if _is_size_public(public) else (summed, np.array([rows], dtype=np.int64))

    def why(self, public: PublicKnowledge) -> str:
        """Say it with the bounds."""
        width = plain_number(self.grid().high - self.grid().low)
        if _is_size_public(public):
            return message(
                "A changed row moves the mean by at most {width:,} / {rows:,}: the bounds over the rows.",
                width=width,
                rows=public.rows or 1,
            )
        return message(
            "Sum and count have half of the budget each; from the middle of the bounds the sum moves by at most "
            "half of {width:,} for each row.",
            width=width,
        )

    def error(
        self,
        mechanisms: Sequence[Mechanism],
        public: PublicKnowledge,
        cells: int = 1,
        noisy: NoisySteps | None = None,
        share: float = USUAL_SHARE,
    ) -> float | None:
        """Bound the error of the quotient by those of sum and count; nothing where the number of rows is not known."""
        if len(mechanisms) == 1:
            return None if public.rows is None else float(mechanisms[0].error(cells, share) * self.size(public))
        values = public.assumed if noisy is None else self._values(noisy, public)
        if not values:
            return None
        farthest = self._width() - self._width() // 2
        summed, counted = (mechanism.error(2 * cells, share) for mechanism in mechanisms)
        grid = self.grid()
        return float(min(grid.step * Fraction(summed + farthest * counted, values), grid.high - grid.low))

    def facts(self, public: PublicKnowledge) -> dict[str, Json]:
        """Tell the number of rows where it is public."""
        return {"rows": public.rows} if _is_size_public(public) else {}

    def _values(self, noisy: NoisySteps, public: PublicKnowledge) -> int:
        found = (public.rows or 0) if _is_size_public(public) else int(noisy[1][0])
        return max(found, 1)

    def _middle(self) -> Fraction:
        grid = self.grid()
        return grid.step * (grid.first + self._width() // 2)

    def _width(self) -> int:
        grid = self.grid()
        return grid.last - grid.first


def _is_size_public(public: PublicKnowledge) -> bool:
    return public.unit.kind is Neighbours.CHANGE


_USUAL_CANDIDATES = 101

_FINEST = 10**6


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Quantile(BoundedQuestion):
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
        share = 0.5 if verb == "median" or not words else parse_number(words[0])
        rest = list(words) if verb == "median" else list(words[1:])
        if share is None or not 0 <= share <= 1 or len(rest) != 3:
            return None
        low, high = parse_number(rest[1]), parse_number(rest[2])
        return None if low is None or high is None else cls(unquote(rest[0]), low, high, share)

    def words(self) -> tuple[str, ...]:
        """Give share, column and bounds."""
        verb = ("median",) if self.share == 0.5 else ("quantile", format_number(self.share))
        return *verb, quote_word(self.column), format_number(self.low), format_number(self.high)

    def labels(self, public: PublicKnowledge) -> tuple[str, ...]:
        """Name the candidates."""
        return tuple(str(plain_number(value)) for value in self._values())

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send how far each candidate is from its place."""
        self._values()
        below, above = self._weights()
        return (Step(self.chooser, sensitivity.ranks(public.unit, below, above, self.candidates), self.candidates),)

    def counted(self, data: Table, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Score each candidate by how unevenly the rows lie below and above it; rows without a number do not count."""
        column = data.column(self.column)
        numbers = parse_column_numbers(column, public)
        is_number = ~np.isnan(numbers)
        order = np.argsort(numbers[is_number], kind="stable")
        values, counts = numbers[is_number][order], column.counts()[is_number][order]
        upto = np.concatenate([[0], np.cumsum(counts)])
        candidates = np.array([float(value) for value in self._values()])
        below = upto[np.searchsorted(values, candidates, side="left")]
        above = upto[-1] - upto[np.searchsorted(values, candidates, side="right")]
        weights = self._weights()
        return (-np.abs(weights[0] * below - weights[1] * above).astype(np.int64),)

    def told(self, noisy: NoisySteps, public: PublicKnowledge) -> AnswerValue:
        """Tell the candidate."""
        return AnswerValue(plain_number(self._values()[int(noisy[0][0])]))

    def size(self, public: PublicKnowledge) -> Fraction:
        """Give what one point of the score is in places: a row that goes from above to below moves it by both."""
        return Fraction(1, sum(self._weights()))

    def typical(self, public: PublicKnowledge) -> float | None:
        """Compare with a tenth of all places."""
        return public.assumed / 10 or None

    def simulated(self, public: PublicKnowledge, rows: int) -> tuple[Ints, ...]:
        """Let a bell of rows lie between the bounds."""
        counts = bell_shaped(rows, self.candidates)
        upto = np.cumsum(counts)
        below, above = self._weights()
        return (-np.abs(below * (upto - counts) - above * (upto[-1] - upto)).astype(np.int64),)

    def in_unit(self) -> Message:
        """Say that it is counted in places."""
        return message("places in the order")

    def error(
        self,
        mechanisms: Sequence[Mechanism],
        public: PublicKnowledge,
        cells: int = 1,
        noisy: NoisySteps | None = None,
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


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Extreme(BoundedQuestion):
    """The smallest or largest value with noise as wide as the bounds: here to show why nobody should ask it."""

    name: ClassVar[str] = "extreme"
    title: ClassVar[str] = "Smallest or largest value"
    summary: ClassVar[str] = "The smallest or largest value of a column; nearly always mostly noise."
    verbs: ClassVar[tuple[str, ...]] = ("min", "max")
    usage: ClassVar[str] = "min COLUMN LOW HIGH, max COLUMN LOW HIGH"
    example: ClassVar[str] = "max age 0 100"
    why_careful: ClassVar[str] = (
        "One person alone can be the largest value, so the noise must be as wide as the distance of the bounds. "
        "Ask for a quantile instead, such as 0.05 or 0.95: it depends on many people."
    )

    which: str = param(
        Choice({"max": "the largest value", "min": "the smallest value"}),
        default="max",
        label="Which",
        help="The end of the order that is asked for.",
    )
    noise: str = param(NOISES, default="laplace", label="Noise", help="What hides a single row.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a column and two bounds."""
        found = parse_bounds(words)
        return None if found is None else cls(*found, which=verb)

    def words(self) -> tuple[str, ...]:
        """Give column and bounds."""
        return self.which, quote_word(self.column), format_number(self.low), format_number(self.high)

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send the value in steps of the grid."""
        grid = self.grid()
        return (Step(self.noise, sensitivity.farthest_value(grid.last - grid.first)),)

    def counted(self, data: Table, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Find the value; without any number it is the bound at the other end."""
        grid, column = self.grid(), data.column(self.column)
        steps, is_number = grid.of_labels(column, public)
        found = steps[is_number & (column.counts() > 0)]
        value = found.max(initial=grid.first) if self.which == "max" else found.min(initial=grid.last)
        return (np.array([value], dtype=np.int64),)

    def told(self, noisy: NoisySteps, public: PublicKnowledge) -> AnswerValue:
        """Tell the value, between the bounds."""
        grid = self.grid()
        value = min(max(int(noisy[0][0]) * grid.step, grid.low), grid.high)
        return AnswerValue(plain_number(value), notes=(message(self.why_careful),))

    def simulated(self, public: PublicKnowledge, rows: int) -> tuple[Ints, ...]:
        """Let the value lie a quarter from its bound."""
        grid = self.grid()
        quarter = (grid.last - grid.first) // 4
        value = grid.last - quarter if self.which == "max" else grid.first + quarter
        return (np.array([value], dtype=np.int64),)

    def error(
        self,
        mechanisms: Sequence[Mechanism],
        public: PublicKnowledge,
        cells: int = 1,
        noisy: NoisySteps | None = None,
        share: float = USUAL_SHARE,
    ) -> float | None:
        """Say how far off it is, which is never more than the distance of the bounds."""
        return min(float(mechanisms[0].error(cells, share) * self.size(public)), self.high - self.low)

    def why(self, public: PublicKnowledge) -> str:
        """Say it with the bounds."""
        return message(
            "One row can move it from one bound to the other, which is {most:,}.",
            most=plain_number(self.grid().high - self.grid().low),
        )


_SMALLEST, _LARGEST = -10, 40

_SURE = 0.99


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class FindBounds(ColumnQuestion):
    """Counts rows by the magnitude of their numbers, with noise, and takes the magnitudes that stand out of it."""

    name: ClassVar[str] = "bounds"
    title: ClassVar[str] = "Bounds of a column"
    summary: ClassVar[str] = "Finds bounds for sums, means and bins where nobody knows any; this costs budget, too."
    verbs: ClassVar[tuple[str, ...]] = ("bounds",)
    usage: ClassVar[str] = "bounds COLUMN"
    example: ClassVar[str] = "bounds income"
    has_interval: ClassVar[bool] = False
    why_careful: ClassVar[str] = (
        "It spends its share of the budget, and the bounds are rough: powers of two, without values that are rare. "
        "Bounds you know from elsewhere cost nothing."
    )

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number for each magnitude."""
        if not self.column:
            raise BadParameter("The question names no column.", "Choose the column it is about.")
        return (Step("laplace", sensitivity.histogram(public.unit), len(_edges()) - 1),)

    def counted(self, data: Table, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count the rows of each magnitude; numbers beyond all of them are not counted."""
        column, edges = data.column(self.column), _edges()
        numbers = parse_column_numbers(column, public)
        places = np.searchsorted(edges, numbers, side="right") - 1
        is_inside = (numbers >= edges[0]) & (numbers < edges[-1])
        return (count_cells(column, np.where(is_inside, places, NO_PLACE), len(edges) - 1),)

    def told(self, noisy: NoisySteps, public: PublicKnowledge) -> AnswerValue:
        """Tell the outer edges of the magnitudes with more rows than noise makes of none."""
        edges, least = _edges(), noisy.mechanisms[0].error(len(_edges()) - 1, _SURE)
        found = np.flatnonzero(noisy[0] > least)
        if not len(found):
            return AnswerValue(
                notes=(message("No magnitude of “{column}” stands out of the noise.", column=self.column),)
            )
        low, high = float(edges[found[0]]), float(edges[found[-1] + 1])
        smallest = 2.0**_SMALLEST
        low, high = (0.0 if low == -smallest else low), (0.0 if high == smallest else high)
        note = message("The bounds of “{column}” were bought; use them as they are.", column=self.column)
        return AnswerValue(values=(("low", plain_number(low)), ("high", plain_number(high))), notes=(note,))


def _edges() -> npt.NDArray[np.float64]:
    """Give the powers of two on both sides of 0, which lies in a cell of its own."""
    powers = 2.0 ** np.arange(_SMALLEST, _LARGEST + 1)
    return np.concatenate([-powers[::-1], powers])
