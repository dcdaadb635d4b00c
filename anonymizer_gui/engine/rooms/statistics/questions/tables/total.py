"""The sum of a column between two public bounds."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import param
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.sensitivity import Neighbours
from anonymizer_gui.engine.rooms.statistics.bounds import added_up, plain
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import NOISES, QUESTIONS, Noisy, Step, Told
from anonymizer_gui.engine.rooms.statistics.questions.tables.of_a_column import Bounded


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Sum(Bounded):
    """The values of a column added up, each moved to the nearer bound when it lies outside; no number counts as 0."""

    name: ClassVar[str] = "sum"
    title: ClassVar[str] = "Sum"
    summary: ClassVar[str] = "The values of a column added up; values outside the bounds count as the nearer bound."
    verbs: ClassVar[tuple[str, ...]] = ("sum",)
    usage: ClassVar[str] = "sum COLUMN LOW HIGH"
    example: ClassVar[str] = "sum age 0 100"

    noise: str = param(NOISES, default="laplace", label="Noise", help="What hides a single row.")

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send the sum in steps of the grid; a row without a number counts as 0, so that 0 is among the values."""
        grid = self.grid()
        return (Step(self.noise, sensitivity.bounded_sum(public.unit, min(grid.first, 0), max(grid.last, 0))),)

    def counted(self, data: Table, public: Public) -> tuple[Ints, ...]:
        """Add up the steps of all numbers."""
        column = data.column(self.column)
        steps, is_number = self.grid().of_labels(column, public)
        return (np.array([added_up(steps * is_number, column.counts())], dtype=np.int64),)

    def told(self, noisy: Noisy, public: Public) -> Told:
        """Tell the sum in the unit of the column."""
        return Told(plain(int(noisy[0][0]) * self.grid().step))

    def typical(self, public: Public) -> float | None:
        """Take half of the farther bound for everybody's value."""
        return public.assumed * max(abs(self.low), abs(self.high)) / 2 or None

    def simulated(self, public: Public, rows: int) -> tuple[Ints, ...]:
        """Give everybody the middle of the bounds."""
        grid = self.grid()
        return (np.array([rows * (grid.first + grid.last) // 2], dtype=np.int64),)

    def why(self, public: Public) -> str:
        """Say it with the bounds."""
        most = plain(self.sensitivity(public))
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
