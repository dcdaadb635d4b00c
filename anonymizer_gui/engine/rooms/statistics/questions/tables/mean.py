"""The mean of a column between two public bounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json, param
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.mechanisms.contract import USUAL_SHARE, Mechanism
from anonymizer_gui.engine.dp.sensitivity import Neighbours
from anonymizer_gui.engine.rooms.statistics.bounds import plain
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import NOISES, QUESTIONS, Noisy, Step, Told
from anonymizer_gui.engine.rooms.statistics.questions.tables.of_a_column import Bounded

_HALF = Fraction(1, 2)
_DIGITS = 6


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Mean(Bounded):
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

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send the sum from the middle, and the number of values unless it is public."""
        width = self._width()
        summed = sensitivity.bounded_sum(public.unit, -(width // 2), width - width // 2)
        if _is_size_public(public):
            return (Step(self.noise, summed),)
        counted = sensitivity.count(public.unit, has_condition=True)
        return Step(self.noise, summed, share=_HALF), Step(self.noise, counted, share=_HALF)

    def counted(self, data: Table, public: Public) -> tuple[Ints, ...]:
        """Add up and count the numbers; a row without one counts as the middle where it cannot be left out."""
        grid, column = self.grid(), data.column(self.column)
        steps, is_number = grid.of_labels(column, public)
        counts = column.counts() * is_number
        summed = np.array([int((steps - grid.first - self._width() // 2) @ counts)], dtype=np.int64)
        return (summed,) if _is_size_public(public) else (summed, np.array([counts.sum()], dtype=np.int64))

    def told(self, noisy: Noisy, public: Public) -> Told:
        """Divide, and stay between the bounds."""
        grid = self.grid()
        mean = self._middle() + grid.step * Fraction(int(noisy[0][0]), self._values(noisy, public))
        value = round(float(min(max(mean, grid.low), grid.high)), _DIGITS)
        note = message("Rows without a number in “{column}” count as the middle of the bounds.", column=self.column)
        return Told(value, notes=(note,) if _is_size_public(public) else ())

    def size(self, public: Public) -> Fraction:
        """Give what one step of the sum is worth: in the mean itself where the number of rows is public."""
        return self.grid().step / (public.rows if _is_size_public(public) and public.rows else 1)

    def simulated(self, public: Public, rows: int) -> tuple[Ints, ...]:
        """Give everybody a value a quarter below the middle."""
        summed = np.array([-rows * self._width() // 8], dtype=np.int64)
        return (summed,) if _is_size_public(public) else (summed, np.array([rows], dtype=np.int64))

    def why(self, public: Public) -> str:
        """Say it with the bounds."""
        width = plain(self.grid().high - self.grid().low)
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
        public: Public,
        cells: int = 1,
        noisy: Noisy | None = None,
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

    def facts(self, public: Public) -> dict[str, Json]:
        """Tell the number of rows where it is public."""
        return {"rows": public.rows} if _is_size_public(public) else {}

    def _values(self, noisy: Noisy, public: Public) -> int:
        found = (public.rows or 0) if _is_size_public(public) else int(noisy[1][0])
        return max(found, 1)

    def _middle(self) -> Fraction:
        grid = self.grid()
        return grid.step * (grid.first + self._width() // 2)

    def _width(self) -> int:
        grid = self.grid()
        return grid.last - grid.first


def _is_size_public(public: Public) -> bool:
    return public.unit.kind is Neighbours.CHANGE
