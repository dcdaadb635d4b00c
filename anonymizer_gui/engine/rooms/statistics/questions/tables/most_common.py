"""The value that most rows have."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.params import param
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.rooms.statistics.choosers import CHOOSERS
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS, Noisy, Step, Told
from anonymizer_gui.engine.rooms.statistics.questions.tables.of_a_column import OfCategories


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class MostCommon(OfCategories):
    """One of some public values, the likelier the more rows have it; how many have it is not told."""

    name: ClassVar[str] = "most-common"
    title: ClassVar[str] = "Most common value"
    summary: ClassVar[str] = "Which of some values most rows have; how many have it is not told."
    verbs: ClassVar[tuple[str, ...]] = ("most-common",)
    usage: ClassVar[str] = "most-common COLUMN [A,B,C]"
    example: ClassVar[str] = "most-common education"
    has_interval: ClassVar[bool] = False

    chooser: str = param(CHOOSERS, default="exponential", label="Mechanism", help="What chooses among candidates.")

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send the count of each candidate as its score."""
        return (Step(self.chooser, sensitivity.histogram(public.unit), len(self.labels(public))),)

    def told(self, noisy: Noisy, public: Public) -> Told:
        """Tell the candidate."""
        return Told(self.labels(public)[int(noisy[0][0])])
