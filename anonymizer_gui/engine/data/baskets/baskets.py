"""Baskets as integer codes: which items each holds, every item once, and the columns that stand beside them."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Text, param
from anonymizer_gui.engine.data.tables.io.options import ENCODINGS, Character
from anonymizer_gui.engine.data.tables.table import Column, Table, smallest_codes

ITEMS = "items"
"""The name of the one column that baskets are to whoever knows only columns, such as the tree editor."""

Ints = npt.NDArray[np.int64]

Codes = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Baskets:
    """Basket b holds `items[codes[starts[b]:starts[b + 1]]]`, in the order of their codes; labels are sorted.

    `beside` has a row for each basket: names, customers, or a sensitive column.

    >>> found = Baskets.from_sets([["milk", "bread"], [], ["milk", "milk"]])
    >>> found.items, found.starts.tolist(), found.codes.tolist()
    (('bread', 'milk'), [0, 2, 2, 3], [0, 1, 1])
    """

    items: tuple[str, ...]
    starts: Ints
    codes: Codes
    beside: Table = field(default_factory=lambda: Table(()))

    @classmethod
    def from_sets(cls, sets: Iterable[Iterable[str]], beside: Table | None = None) -> "Baskets":
        """Make baskets of texts; what is in one twice counts once."""
        held = [list(each) for each in sets]
        flat = [item for each in held for item in each]
        column = Column.from_texts(ITEMS, flat)
        basket_of = np.repeat(np.arange(len(held), dtype=np.int64), [len(each) for each in held] if held else 0)
        return cls.from_pairs(basket_of, column, len(held), beside)

    @classmethod
    def from_pairs(cls, basket_of: Ints, column: Column, n_baskets: int, beside: Table | None = None) -> "Baskets":
        """Make baskets of pairs of a basket's number and an item; the same pair twice counts once."""
        column = column.compact()
        n_items = max(len(column.labels), 1)
        pairs = np.unique(basket_of * n_items + column.codes.astype(np.int64))
        counts = np.bincount(pairs // n_items, minlength=n_baskets)
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return cls(column.labels, starts, (pairs % n_items).astype(np.int32), beside or Table((), n_baskets))

    def __len__(self) -> int:
        """The number of baskets."""
        return len(self.starts) - 1

    @property
    def n_rows(self) -> int:
        """The number of baskets, as tables call it."""
        return len(self)

    @property
    def names(self) -> tuple[str, ...]:
        """The one column there is for hierarchies."""
        return (ITEMS,)

    def whole(self, name: str) -> Column:
        """Give a column with all rows there are, which are here."""
        return self.column(name)

    def column(self, name: str) -> Column:
        """Give all occurrences of items as one column; raises BadParameter for any other name."""
        if name != ITEMS:
            raise BadParameter(
                message("The table has no column “{name}”.", name=name), message("It has: {known}.", known=ITEMS)
            )
        return self._occurrences

    @cached_property
    def _occurrences(self) -> Column:
        """All occurrences of items; the same value each time, so that what was computed from it is known again."""
        return Column(ITEMS, smallest_codes(self.codes, len(self.items)), self.items)

    @cached_property
    def sizes(self) -> Ints:
        """The number of items in every basket."""
        return np.diff(self.starts)

    @cached_property
    def basket_of(self) -> Ints:
        """The basket of every occurrence."""
        return np.repeat(np.arange(len(self), dtype=np.int64), self.sizes)

    def counts(self) -> Ints:
        """Count the baskets that hold each item."""
        return np.bincount(self.codes, minlength=len(self.items)).astype(np.int64)

    def held(self, basket: int) -> tuple[str, ...]:
        """List the items of one basket."""
        return tuple(self.items[code] for code in self.codes[self.starts[basket] : self.starts[basket + 1]].tolist())

    def sets(self) -> list[tuple[str, ...]]:
        """List the items of every basket."""
        labels = [self.items[code] for code in self.codes.tolist()]
        ends = self.starts.tolist()
        return [tuple(labels[low:high]) for low, high in itertools.pairwise(ends)]

    def take(self, baskets: Sequence[int] | Ints) -> "Baskets":
        """Keep some baskets, in the order given; items that none of them holds are dropped."""
        chosen = np.asarray(baskets, dtype=np.int64)
        sizes = self.sizes[chosen]
        ends = np.cumsum(sizes)
        places = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(self.starts[chosen] - (ends - sizes), sizes)
        column = Column(ITEMS, smallest_codes(self.codes[places], len(self.items)), self.items)
        basket_of = np.repeat(np.arange(len(chosen), dtype=np.int64), sizes)
        return Baskets.from_pairs(basket_of, column, len(chosen), self.beside.take(chosen))


LAYOUTS = {
    "lines": "One basket per line",
    "long": "One item per line, with the basket's name",
    "matrix": "A column per item, 0 or how many",
    "column": "A table with a column of items",
    "json": "JSON arrays",
}

_BY_LOOKING = {"": "Found by looking"}


@dataclass(frozen=True, slots=True)
class BasketOptions:
    """How a file is understood; `sniffed` proposes them, the user may change each."""

    title: ClassVar[str] = "The reading of a file"

    layout: str = param(Choice(LAYOUTS), default="lines", label="Layout", help="How baskets stand in the file.")
    separator: str = param(
        Character(), default=",", label="Between items", help="The character between two items of a basket."
    )
    item_column: str = param(
        Text(column=True), default="", label="Column of items", help="The column that holds an item, or all of them."
    )
    basket_column: str = param(
        Text(column=True), default="", label="Column of baskets", help="Lines with the same value are one basket."
    )
    encoding: str = param(
        Choice({**_BY_LOOKING, **ENCODINGS}), default="", label="Encoding", help="How bytes stand for letters."
    )
    header: str = param(
        Choice({**_BY_LOOKING, "yes": "Yes", "no": "No"}),
        default="",
        label="First row has the names",
        help="Otherwise columns are numbered.",
    )
