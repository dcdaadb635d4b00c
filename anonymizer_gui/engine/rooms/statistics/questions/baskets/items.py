"""How many baskets hold each item."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from anonymizer_gui.engine.core.params import param
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit, Sensitivity
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import NOISES, QUESTIONS, Noisy, Step, Told
from anonymizer_gui.engine.rooms.statistics.questions.baskets.of_items import OfItems, item_moved
from anonymizer_gui.engine.rooms.statistics.wording import listed, number_in, read_list


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class ItemHistogram(OfItems):
    """A noisy count for each public item; baskets with more items than the bound are cut."""

    name: ClassVar[str] = "baskets-items"
    title: ClassVar[str] = "Histogram of items"
    summary: ClassVar[str] = "How many baskets hold each of some items; large baskets are cut, or the noise would grow."
    verbs: ClassVar[tuple[str, ...]] = ("items",)
    usage: ClassVar[str] = "items MOST [A,B,C]"
    example: ClassVar[str] = "items 5 milk,bread"
    shape: ClassVar[str] = "baskets"

    noise: str = param(NOISES, default="laplace", label="Noise", help="What hides a single basket.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take the most items of a basket, and items with commas between them."""
        most = number_in(words[0]) if 1 <= len(words) <= 2 else None
        if most is None or most != int(most) or most < 1:
            return None
        return cls(read_list(words[1]) if len(words) > 1 else (), int(most))

    def words(self) -> tuple[str, ...]:
        """Give the most items of a basket, and the items."""
        return "items", str(self.most), *([listed(self.categories)] if self.categories else [])

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number for each item."""
        return (Step(self.noise, self.moved(public.unit), len(self.labels(public))),)

    def told(self, noisy: Noisy, public: Public) -> Told:
        """Tell a number for each item."""
        return Told(values=tuple(zip(self.labels(public), noisy[0].tolist(), strict=True)))


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class SingleItems(ItemHistogram):
    """A noisy count for each public item that hides a single item; nothing has to be cut."""

    name: ClassVar[str] = "single-items"
    title: ClassVar[str] = "Histogram of single items"
    summary: ClassVar[str] = "How many baskets hold each of some items, hiding only whether one of them is in a basket."
    usage: ClassVar[str] = "items [A,B,C]"
    example: ClassVar[str] = "items milk,bread"
    shape: ClassVar[str] = "basket-items"
    why_careful: ClassVar[str] = "Who holds many items is protected less than who holds one."

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take items with commas between them."""
        return cls(read_list(words[0]) if words else ()) if len(words) <= 1 else None

    def words(self) -> tuple[str, ...]:
        """Give the items."""
        return "items", *([listed(self.categories)] if self.categories else [])

    def bound(self) -> int:
        """Cut nothing."""
        return 1 << 31

    def moved(self, unit: PrivacyUnit) -> Sensitivity:
        """Say how far a single item moves the counts."""
        return item_moved(unit)
