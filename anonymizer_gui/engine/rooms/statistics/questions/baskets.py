"""Items and top items."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Choice, Int, ListOf, Text, param
from anonymizer_gui.engine.data.baskets.baskets import ITEMS, Baskets
from anonymizer_gui.engine.dp.gateway import Ints, draw_lots
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit, Sensitivity
from anonymizer_gui.engine.hierarchy.leaf_encoding import NO_PLACE
from anonymizer_gui.engine.rooms.statistics.public_domains import categories_of
from anonymizer_gui.engine.rooms.statistics.question import (
    NOISES,
    QUESTIONS,
    AnswerValue,
    NoisySteps,
    PublicKnowledge,
    Question,
    Step,
    join_list,
    parse_number,
    split_list,
)

KEEPING = Choice({"sampled": "Some items of a large basket, drawn by lot", "first": "The first ones of the list"})


@dataclass(frozen=True, slots=True)
class ItemQuestion(Question):
    """A question about the baskets that hold each of some public items."""

    uses_hierarchies: ClassVar[bool] = True

    categories: tuple[str, ...] = param(
        ListOf(Text()), default=(), label="Items", help="The items that are counted; without any, those of the tree."
    )
    most: int = param(
        Int(low=1, high=10_000), default=5, label="Items of a basket", help="More items of a basket are left out."
    )
    keeps: str = param(KEEPING, default="sampled", label="Of a large basket", help="Which of its items are counted.")

    def columns(self) -> tuple[str, ...]:
        """Name the items."""
        return (ITEMS,)

    def labels(self, public: PublicKnowledge) -> tuple[str, ...]:
        """Name the items."""
        return categories_of(ITEMS, self.categories, public).labels

    def bound(self) -> int:
        """Give how many items one row has at most."""
        return self.most

    def moved(self, unit: PrivacyUnit) -> Sensitivity:
        """Say how far one unit of protection moves the counts of all items."""
        return items_sensitivity(unit, self.bound())

    def counted(self, data: Baskets, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count the baskets that hold each item, after large baskets were cut."""
        categories = categories_of(ITEMS, self.categories, public)
        cells = categories.places(data.column(ITEMS))[data.codes] if len(data.codes) else np.empty(0, dtype=np.int64)
        known = cells != NO_PLACE
        width = len(categories.labels)
        pairs = np.unique(data.basket_of[known] * width + cells[known])
        return (np.bincount(self._cut(pairs, width) % width, minlength=width).astype(np.int64),)

    def _cut(self, pairs: Ints, width: int) -> Ints:
        """Keep at most so many items of each basket; which ones depends on that basket and on chance alone."""
        lot = draw_lots(len(pairs)) if self.keeps == "sampled" else pairs.astype(np.uint64)
        order = np.lexsort((lot, pairs // width))
        baskets = (pairs // width)[order]
        begins = np.diff(baskets, prepend=-1) != 0
        places = np.arange(len(pairs))
        return np.asarray(pairs[order[places - np.maximum.accumulate(np.where(begins, places, 0)) < self.bound()]])

    def in_unit(self) -> Message:
        """Say that baskets are counted."""
        return message("baskets")


def items_sensitivity(unit: PrivacyUnit, most: int) -> Sensitivity:
    """Say how far one unit moves the counts of items of which each basket has at most so many.

    >>> (items_sensitivity(PrivacyUnit(), 3).l1, items_sensitivity(PrivacyUnit.parse("person=customer:4"), 3).l1,
    ...  items_sensitivity(PrivacyUnit(), 1).l1)
    (3, 12, 1)
    """
    if unit.kind is Neighbours.CHANGE:
        why = message("A changed basket loses up to {most:item|items} and gets as many.", most=most)
        return Sensitivity(2 * most, 2 * most, 1, False, why)
    rows = unit.rows
    if unit.kind is Neighbours.PERSON:
        why = message(
            "A customer has at most {rows:basket|baskets} of at most {most:item|items}, which are {all} counts in all; "
            "hiding one basket would take {most}, hiding a single item 1.",
            rows=rows,
            most=most,
            all=rows * most,
        )
        return Sensitivity(rows * most, rows * rows * most, rows, True, why)
    why = message(
        "One basket more or less changes {most:count|counts} by 1; hiding a single item would take 1.", most=most
    )
    return Sensitivity(most, most, 1, True, why)


def item_sensitivity(unit: PrivacyUnit) -> Sensitivity:
    """Say how far a single item moves the counts: one of them by 1, two where it is exchanged."""
    if unit.kind is Neighbours.CHANGE:
        return Sensitivity(2, 2, 1, False, message("An exchanged item leaves one count and enters another."))
    return Sensitivity(1, 1, 1, True, message("One item more or less changes one count by 1."))


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class ItemHistogram(ItemQuestion):
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
        most = parse_number(words[0]) if 1 <= len(words) <= 2 else None
        if most is None or most != int(most) or most < 1:
            return None
        return cls(split_list(words[1]) if len(words) > 1 else (), int(most))

    def words(self) -> tuple[str, ...]:
        """Give the most items of a basket, and the items."""
        return "items", str(self.most), *([join_list(self.categories)] if self.categories else [])

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number for each item."""
        return (Step(self.noise, self.moved(public.unit), len(self.labels(public))),)

    def told(self, noisy: NoisySteps, public: PublicKnowledge) -> AnswerValue:
        """Tell a number for each item."""
        return AnswerValue(values=tuple(zip(self.labels(public), noisy[0].tolist(), strict=True)))


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
        return cls(split_list(words[0]) if words else ()) if len(words) <= 1 else None

    def words(self) -> tuple[str, ...]:
        """Give the items."""
        return "items", *([join_list(self.categories)] if self.categories else [])

    def bound(self) -> int:
        """Cut nothing."""
        return 1 << 31

    def moved(self, unit: PrivacyUnit) -> Sensitivity:
        """Say how far a single item moves the counts."""
        return item_sensitivity(unit)


WAYS = Choice({"top-k-rounds": "In rounds, each without the winners so far", "top-k-once": "All at once"})


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class TopItems(ItemQuestion):
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
        numbers = [parse_number(word) for word in words[:2]] if 2 <= len(words) <= 3 else []
        if not numbers or any(number is None or number != int(number) or number < 1 for number in numbers):
            return None
        picks, most = (int(number or 0) for number in numbers)
        return cls(split_list(words[2]) if len(words) > 2 else (), most, picks=picks)

    def words(self) -> tuple[str, ...]:
        """Give how many, the most items of a basket, and the items."""
        return "top", str(self.picks), str(self.most), *([join_list(self.categories)] if self.categories else [])

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send the count of each item as its score."""
        cells = len(self.labels(public))
        if cells < self.picks:
            raise BadParameter(
                message("There are fewer than {picks:candidate|candidates}.", picks=self.picks),
                "Ask for fewer, or add candidates.",
            )
        return (Step(self.way, self.moved(public.unit), cells, picks=self.picks),)

    def told(self, noisy: NoisySteps, public: PublicKnowledge) -> AnswerValue:
        """Tell the winners in order, and the rank of each."""
        labels = self.labels(public)
        winners = tuple(labels[place] for place in noisy[0].tolist())
        return AnswerValue(winners, tuple((label, rank + 1) for rank, label in enumerate(winners)))
