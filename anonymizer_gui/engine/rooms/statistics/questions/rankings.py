"""Most common value, top k."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Int, param
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.rooms.statistics.question import (
    QUESTIONS,
    AnswerValue,
    NoisySteps,
    PublicKnowledge,
    Step,
    join_list,
    parse_number,
    quote_word,
    split_list,
    unquote,
)
from anonymizer_gui.engine.rooms.statistics.questions.column_question import CHOOSERS, CategoryQuestion


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class MostCommon(CategoryQuestion):
    """One of some public values, the likelier the more rows have it; how many have it is not told."""

    name: ClassVar[str] = "most-common"
    title: ClassVar[str] = "Most common value"
    summary: ClassVar[str] = "Which of some values most rows have; how many have it is not told."
    verbs: ClassVar[tuple[str, ...]] = ("most-common",)
    usage: ClassVar[str] = "most-common COLUMN [A,B,C]"
    example: ClassVar[str] = "most-common education"
    has_interval: ClassVar[bool] = False

    chooser: str = param(CHOOSERS, default="exponential", label="Mechanism", help="What chooses among candidates.")

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send the count of each candidate as its score."""
        return (Step(self.chooser, sensitivity.histogram(public.unit), len(self.labels(public))),)

    def told(self, noisy: NoisySteps, public: PublicKnowledge) -> AnswerValue:
        """Tell the candidate."""
        return AnswerValue(self.labels(public)[int(noisy[0][0])])


WAYS = Choice({"top-k-rounds": "In rounds, each without the winners so far", "top-k-once": "All at once"})


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Top(CategoryQuestion):
    """Some of the public values, the most common ones first; how many rows have them is not told."""

    name: ClassVar[str] = "top"
    title: ClassVar[str] = "Most common values"
    summary: ClassVar[str] = "Which of some values most rows have, in order; how many have them is not told."
    verbs: ClassVar[tuple[str, ...]] = ("top",)
    usage: ClassVar[str] = "top NUMBER COLUMN [A,B,C]"
    example: ClassVar[str] = "top 2 education"
    has_interval: ClassVar[bool] = False

    picks: int = param(Int(low=1, high=10_000), default=5, label="How many", help="How many values are named.")
    way: str = param(WAYS, default="top-k-rounds", label="Way", help="How the winners are found.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a number, a column, and candidates with commas between them."""
        picks = parse_number(words[0]) if 2 <= len(words) <= 3 else None
        if picks is None or picks != int(picks) or picks < 1:
            return None
        return cls(unquote(words[1]), split_list(words[2]) if len(words) > 2 else (), int(picks))

    def words(self) -> tuple[str, ...]:
        """Give number, column and candidates."""
        candidates = [join_list(self.categories)] if self.categories else []
        return ("top", str(self.picks), quote_word(self.column), *candidates)

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send the count of each candidate as its score."""
        cells = len(self.labels(public))
        if cells < self.picks:
            raise BadParameter(
                message("There are fewer than {picks:candidate|candidates}.", picks=self.picks),
                "Ask for fewer, or add candidates.",
            )
        return (Step(self.way, sensitivity.histogram(public.unit), cells, picks=self.picks),)

    def told(self, noisy: NoisySteps, public: PublicKnowledge) -> AnswerValue:
        """Tell the winners in order, and the rank of each."""
        labels = self.labels(public)
        winners = tuple(labels[place] for place in noisy[0].tolist())
        return AnswerValue(winners, tuple((label, rank + 1) for rank, label in enumerate(winners)))
