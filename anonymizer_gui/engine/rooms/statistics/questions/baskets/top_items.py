"""The items that most baskets hold: the top of a search log, of purchases, of visited pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Int, param
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS, Noisy, Step, Told
from anonymizer_gui.engine.rooms.statistics.questions.baskets.of_items import OfItems
from anonymizer_gui.engine.rooms.statistics.wording import listed, number_in, read_list

WAYS = Choice({"top-k-rounds": "In rounds, each without the winners so far", "top-k-once": "All at once"})


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class TopItems(OfItems):
    """Some of the public items, those of most baskets first: the exponential mechanism in rounds, winners removed."""

    name: ClassVar[str] = "baskets-top"
    title: ClassVar[str] = "Most frequent items"
    summary: ClassVar[str] = "Which of some items most baskets hold, in order; how many do is not told."
    verbs: ClassVar[tuple[str, ...]] = ("top",)
    usage: ClassVar[str] = "top NUMBER MOST [A,B,C]"
    example: ClassVar[str] = "top 2 5 milk,bread,butter"
    shape: ClassVar[str] = "baskets"
    has_interval: ClassVar[bool] = False

    picks: int = param(Int(low=1, high=10_000), default=5, label="How many", help="How many items are named.")
    way: str = param(WAYS, default="top-k-rounds", label="Way", help="How the winners are found.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take how many, the most items of a basket, and items with commas between them."""
        numbers = [number_in(word) for word in words[:2]] if 2 <= len(words) <= 3 else []
        if not numbers or any(number is None or number != int(number) or number < 1 for number in numbers):
            return None
        picks, most = (int(number or 0) for number in numbers)
        return cls(read_list(words[2]) if len(words) > 2 else (), most, picks=picks)

    def words(self) -> tuple[str, ...]:
        """Give how many, the most items of a basket, and the items."""
        return "top", str(self.picks), str(self.most), *([listed(self.categories)] if self.categories else [])

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send the count of each item as its score."""
        cells = len(self.labels(public))
        if cells < self.picks:
            raise BadParameter(
                message("There are fewer than {picks:candidate|candidates}.", picks=self.picks),
                "Ask for fewer, or add candidates.",
            )
        return (Step(self.way, self.moved(public.unit), cells, picks=self.picks),)

    def told(self, noisy: Noisy, public: Public) -> Told:
        """Tell the winners in order, and the rank of each."""
        labels = self.labels(public)
        winners = tuple(labels[place] for place in noisy[0].tolist())
        return Told(winners, tuple((label, rank + 1) for rank, label in enumerate(winners)))
