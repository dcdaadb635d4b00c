"""The smallest or largest value of a column, which no noise can both hide and tell."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, param
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.mechanisms.contract import USUAL_SHARE, Mechanism
from anonymizer_gui.engine.rooms.statistics.bounds import plain
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import NOISES, QUESTIONS, Noisy, Step, Told
from anonymizer_gui.engine.rooms.statistics.questions.tables.of_a_column import Bounded
from anonymizer_gui.engine.rooms.statistics.wording import quoted_word, read_bounds, shortest


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Extreme(Bounded):
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
        found = read_bounds(words)
        return None if found is None else cls(*found, which=verb)

    def words(self) -> tuple[str, ...]:
        """Give column and bounds."""
        return self.which, quoted_word(self.column), shortest(self.low), shortest(self.high)

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send the value in steps of the grid."""
        grid = self.grid()
        return (Step(self.noise, sensitivity.farthest_value(grid.last - grid.first)),)

    def counted(self, data: Table, public: Public) -> tuple[Ints, ...]:
        """Find the value; without any number it is the bound at the other end."""
        grid, column = self.grid(), data.column(self.column)
        steps, is_number = grid.of_labels(column, public)
        found = steps[is_number & (column.counts() > 0)]
        value = found.max(initial=grid.first) if self.which == "max" else found.min(initial=grid.last)
        return (np.array([value], dtype=np.int64),)

    def told(self, noisy: Noisy, public: Public) -> Told:
        """Tell the value, between the bounds."""
        grid = self.grid()
        value = min(max(int(noisy[0][0]) * grid.step, grid.low), grid.high)
        return Told(plain(value), notes=(message(self.why_careful),))

    def simulated(self, public: Public, rows: int) -> tuple[Ints, ...]:
        """Let the value lie a quarter from its bound."""
        grid = self.grid()
        quarter = (grid.last - grid.first) // 4
        value = grid.last - quarter if self.which == "max" else grid.first + quarter
        return (np.array([value], dtype=np.int64),)

    def error(
        self,
        mechanisms: Sequence[Mechanism],
        public: Public,
        cells: int = 1,
        noisy: Noisy | None = None,
        share: float = USUAL_SHARE,
    ) -> float | None:
        """Say how far off it is, which is never more than the distance of the bounds."""
        return min(float(mechanisms[0].error(cells, share) * self.size(public)), self.high - self.low)

    def why(self, public: Public) -> str:
        """Say it with the bounds."""
        return message(
            "One row can move it from one bound to the other, which is {most:,}.",
            most=plain(self.grid().high - self.grid().low),
        )
