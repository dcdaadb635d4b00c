"""How many rows have each value of a column with categories."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.params import Flag, param
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import NOISES, QUESTIONS, Step
from anonymizer_gui.engine.rooms.statistics.questions.tables.of_a_column import OfCategories, Tally


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Histogram(OfCategories, Tally):
    """The number of rows in each public category; a row is in one of them at most."""

    name: ClassVar[str] = "histogram"
    title: ClassVar[str] = "Histogram of categories"
    summary: ClassVar[str] = "How many rows have each of some values; the values are named, not looked up in the data."
    verbs: ClassVar[tuple[str, ...]] = ("histogram",)
    usage: ClassVar[str] = "histogram COLUMN [A,B,C]"
    example: ClassVar[str] = "histogram sex Female,Male"
    only_counts: ClassVar[bool] = True

    others: bool = param(
        Flag(), default=False, label="Count all others", help="One more cell for missing and other values."
    )
    noise: str = param(NOISES, default="laplace", label="Noise", help="What hides a single row.")

    def has_others(self) -> bool:
        """Tell whether all others have a cell."""
        return self.others

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number for each category."""
        return (Step(self.noise, sensitivity.histogram(public.unit), len(self.labels(public))),)
