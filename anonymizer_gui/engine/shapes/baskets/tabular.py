"""Baskets out of tables: one item per row, or one column per item."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.shapes.baskets.baskets import ITEMS, Baskets
from anonymizer_gui.engine.shapes.baskets.found import Found
from anonymizer_gui.engine.shapes.baskets.options import BasketOptions
from anonymizer_gui.engine.shapes.tables.table import MISSING, Column, Table, smallest_codes

SEPARATORS = (",", ";", "\t", "|")
MOST_COUNTS = 12
"""How many different numbers a column of a matrix usually holds at most."""
_ABSENT = frozenset({"", MISSING.lower(), "false", "no", "n", "f", "nan"})
_PRESENT = frozenset({"true", "yes", "y", "t", "x"})


def from_long(table: Table, options: BasketOptions) -> tuple[Baskets, Found]:
    """Collect the items of each basket; columns in which all rows of a basket agree stay beside.

    Raises BadParameter when a column that is named is not there, or the table has only one.
    """
    if len(table.columns) < 2:
        raise BadParameter("The table has only one column.", "Baskets need a column of names and a column of items.")
    owner = table.column(options.basket_column or table.names[0])
    others = [name for name in table.names if name != owner.name]
    column = table.column(options.item_column or others[0])
    basket_of = owner.codes.astype(np.int64)
    is_item = np.array([label != MISSING for label in column.labels] or [False])[column.codes]
    held = Column(ITEMS, column.codes[is_item], column.labels)
    beside = _agreed(table, owner, column.name)
    baskets = Baskets.from_pairs(basket_of[is_item], held, len(owner.labels), beside)
    nameless = owner.labels.index(MISSING) if MISSING in owner.labels else -1
    return baskets, replace(
        _found(baskets, int(is_item.sum())),
        blanks=len(is_item) - int(is_item.sum()),
        odd=odd_items(baskets.items, ""),
        nameless=int(np.count_nonzero(basket_of[is_item] == nameless)),
    )


def odd_items(items: Iterable[str], separator: str) -> int:
    """Count the items that hold a character which usually separates items, but does not separate these."""
    others = [mark for mark in SEPARATORS if mark != separator]
    return sum(any(mark in item for mark in others) for item in items)


def _agreed(table: Table, owner: Column, items: str) -> Table:
    """Give a row for each basket: its name, and what all of its rows agree in."""
    first = np.full(len(owner.labels), 0, dtype=np.int64)
    first[owner.codes[::-1]] = np.arange(len(owner) - 1, -1, -1)
    others = [column for column in table.columns if column.name not in (owner.name, items)]
    agreed = [column for column in others if (column.codes == column.codes[first][owner.codes]).all()]
    return Table((owner.take(first), *(column.take(first) for column in agreed)), len(owner.labels))


def from_matrix(table: Table) -> tuple[Baskets, Found]:
    """Take every column of numbers or marks for an item; whatever is not 0 is there. Others stay beside.

    So do numbers that count nothing: one for each basket, or many different ones and never a 0, such as ages.
    """
    owners, codes = [], []
    items: list[str] = []
    beside: list[Column] = []
    for column in table.columns:
        there = [_is_there(label) for label in column.labels]
        if None in there or _counts_nothing(column, there):
            beside.append(column)
            continue
        held = np.flatnonzero(np.array([bool(each) for each in there] or [False])[column.codes])
        owners.append(held)
        codes.append(np.full(len(held), len(items), dtype=np.int64))
        items.append(column.name)
    if not items:
        raise BadParameter("No column holds 0 and 1, or how many.", "Choose another layout.")
    order = sorted(range(len(items)), key=lambda at: items[at])
    rank = np.argsort(order)
    flat = rank[np.concatenate(codes)]
    labels = tuple(items[at] for at in order)
    baskets = Baskets.from_pairs(
        np.concatenate(owners).astype(np.int64),
        Column(ITEMS, smallest_codes(flat, len(labels)), labels),
        table.n_rows,
        Table(tuple(beside), table.n_rows),
    )
    return baskets, _found(baskets, len(flat))


def _counts_nothing(column: Column, there: Sequence[bool | None]) -> bool:
    different = len(column.labels)
    return different > MOST_COUNTS and (different == len(column) or all(there))


def _is_there(label: str) -> bool | None:
    """Tell whether a cell of a matrix says that the item is in the basket; nothing when it says something else."""
    text = label.lower()
    if text in _ABSENT:
        return False
    if text in _PRESENT:
        return True
    try:
        return float(text.replace(",", ".")) != 0
    except ValueError:
        return None


def _found(baskets: Baskets, cells: int) -> Found:
    return Found(
        baskets=len(baskets),
        items=len(baskets.items),
        occurrences=len(baskets.codes),
        duplicates=cells - len(baskets.codes),
        empty=int((baskets.sizes == 0).sum()),
    )
