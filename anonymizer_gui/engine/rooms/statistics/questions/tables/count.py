"""How many rows there are, or meet a condition."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from anonymizer_gui.engine.core.params import Text, param
from anonymizer_gui.engine.data.tables.conditions import matching_rows, parse_condition
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import NOISES, QUESTIONS, Noisy, Question, Step, Told


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Count(Question):
    """The number of rows, or of those that meet a condition."""

    name: ClassVar[str] = "count"
    title: ClassVar[str] = "Count"
    summary: ClassVar[str] = "How many rows there are, or how many meet a condition."
    verbs: ClassVar[tuple[str, ...]] = ("count",)
    usage: ClassVar[str] = "count [CONDITION]"
    example: ClassVar[str] = "count age>=65"
    only_counts: ClassVar[bool] = True

    where: str = param(
        Text(empty="all rows"),
        default="",
        label="Condition",
        help="Which rows are counted, such as age>=65 and sex=Female.",
    )
    noise: str = param(NOISES, default="laplace", label="Noise", help="What hides a single row.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take the words for a condition."""
        return cls(where=" ".join(words)).normal()

    def normal(self) -> Self:
        """Write the condition in its one form."""
        return replace(self, where=" and ".join(clause.text() for clause in parse_condition(self.where)))

    def words(self) -> tuple[str, ...]:
        """Give the condition as it stands."""
        return ("count", *filter(None, [self.where]))

    def columns(self) -> tuple[str, ...]:
        """Name the columns of the condition."""
        return tuple(clause.column for clause in parse_condition(self.where))

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number."""
        condition = parse_condition(self.where, public.decimal)
        return (Step(self.noise, sensitivity.count(public.unit, has_condition=bool(condition))),)

    def counted(self, data: Table, public: Public) -> tuple[Ints, ...]:
        """Count the rows that meet the condition."""
        condition = parse_condition(self.where, public.decimal)
        if not condition:
            return (np.array([data.n_rows], dtype=np.int64),)
        meets = matching_rows(data, condition, public.decimal)
        rows = np.count_nonzero(meets) if data.times is None else data.times[meets].sum()
        return (np.array([int(rows)], dtype=np.int64),)

    def told(self, noisy: Noisy, public: Public) -> Told:
        """Tell the number."""
        return Told(int(noisy[0][0]))
