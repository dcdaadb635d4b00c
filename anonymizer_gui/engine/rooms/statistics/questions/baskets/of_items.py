"""What questions about items share: public items, at most so many of each basket, and how far one unit moves counts."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Choice, Int, ListOf, Text, param
from anonymizer_gui.engine.data.baskets.baskets import ITEMS, Baskets
from anonymizer_gui.engine.dp.gateway import Ints, draw_lots
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit, Sensitivity
from anonymizer_gui.engine.hierarchy.leaf_encoding import NO_PLACE
from anonymizer_gui.engine.rooms.statistics.categories import categories_of
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import Question

KEEPING = Choice({"sampled": "Some items of a large basket, drawn by lot", "first": "The first ones of the list"})


@dataclass(frozen=True, slots=True)
class OfItems(Question):
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

    def labels(self, public: Public) -> tuple[str, ...]:
        """Name the items."""
        return categories_of(ITEMS, self.categories, public).labels

    def bound(self) -> int:
        """Give how many items one row has at most."""
        return self.most

    def moved(self, unit: PrivacyUnit) -> Sensitivity:
        """Say how far one unit of protection moves the counts of all items."""
        return items_moved(unit, self.bound())

    def counted(self, data: Baskets, public: Public) -> tuple[Ints, ...]:
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


def items_moved(unit: PrivacyUnit, most: int) -> Sensitivity:
    """Say how far one unit moves the counts of items of which each basket has at most so many.

    >>> (items_moved(PrivacyUnit(), 3).l1, items_moved(PrivacyUnit.parse("person=customer:4"), 3).l1,
    ...  items_moved(PrivacyUnit(), 1).l1)
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


def item_moved(unit: PrivacyUnit) -> Sensitivity:
    """Say how far a single item moves the counts: one of them by 1, two where it is exchanged."""
    if unit.kind is Neighbours.CHANGE:
        return Sensitivity(2, 2, 1, False, message("An exchanged item leaves one count and enters another."))
    return Sensitivity(1, 1, 1, True, message("One item more or less changes one count by 1."))
