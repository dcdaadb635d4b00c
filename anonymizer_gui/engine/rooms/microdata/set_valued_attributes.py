"""How many rows share their class and a few items of their sets: exposed rows, supports, what sets have lost."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.set_valued_cells import explode_sets
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, Schema, Table
from anonymizer_gui.engine.hierarchy.coverage import flat_domain
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.sets.support import Transactions, count_support, distinct_pairs, enumerate_itemsets

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ExposedRows:
    """The rows that fewer than k rows fit, for whoever knows the class and up to m items, out of all rows."""

    rows: int
    of: int
    k: int
    m: int
    fewest: int = 0
    """The fewest rows that somebody who knows that much is left with."""

    @property
    def share(self) -> float:
        """The share of all rows."""
        return self.rows / self.of if self.of else 0.0

    def to_json(self) -> dict[str, Json]:
        """Give the numbers as certificates hold them."""
        return {"rows": self.rows, "share": self.share, "k": self.k, "m": self.m, "fewest": self.fewest}


@dataclass(frozen=True, slots=True, eq=False)
class ItemsetCounts:
    """The items of all sets, row by row, and the class of every row."""

    row_of: Ints
    items: Ints
    class_of_row: Ints
    sizes: Ints
    """The rows of each class."""

    def smallest(self, m: int, *, in_classes: bool, progress: Progress = SILENT) -> Ints:
        """Give for every class the fewest rows that fit what somebody knows: the class and up to m items of a row.

        Outside classes, the fewest rows of the whole table that hold such items, the same for every class.
        """
        fewest = self.sizes.copy()
        held, class_of = self._held(in_classes)
        for size in range(1, m + 1):
            keys, counts = count_support(_countable(held, size), size, progress)
            if in_classes:
                np.minimum.at(fewest, class_of[held.members(keys, size)[:, 0]], counts)
            elif len(counts):
                fewest = np.minimum(fewest, counts.min())
        return fewest

    def exposed(self, k: int, m: int, progress: Progress = SILENT) -> Flags:
        """Mark the rows that fewer than k rows fit: by their class alone, or together with up to m of their items."""
        return (self.sizes[self.class_of_row] < k) | self._rare(k, m, progress, in_classes=True)

    def exposed_apart(self, k: int, m: int, progress: Progress = SILENT) -> int:
        """Count the rows of two unlinked files that fewer than k rows fit, in the file with more of them."""
        few = int(self.sizes[self.sizes < k].sum())
        return max(few, int(self._rare(k, m, progress, in_classes=False).sum()))

    def _rare(self, k: int, m: int, progress: Progress, *, in_classes: bool) -> Flags:
        found = np.zeros(len(self.class_of_row), dtype=np.bool_)
        held, _ = self._held(in_classes)
        for size in range(1, m + 1):
            keys, counts = count_support(_countable(held, size), size, progress)
            rare = np.sort(keys[counts < k])
            for some, rows in enumerate_itemsets(held, size, progress) if len(rare) else ():
                is_rare = rare[np.minimum(np.searchsorted(rare, some), len(rare) - 1)] == some
                found[rows[is_rare]] = True
        return found

    def _held(self, in_classes: bool) -> tuple[Transactions, Ints]:
        """Give what rows hold, in classes another item in each; and the class of every such item."""
        top = int(self.items.max(initial=0)) + 1
        classes = self.class_of_row[self.row_of] if in_classes else np.zeros_like(self.row_of)
        pairs, codes = np.unique(classes * top + self.items, return_inverse=True)
        held = distinct_pairs(self.row_of, codes.astype(np.int32), len(self.class_of_row), max(len(pairs), 1))
        return held, pairs // top


def count_itemsets(table: Table, schema: Schema | None, class_of_row: Ints, sizes: Ints) -> ItemsetCounts | None:
    """Take the items of all sets among the quasi-identifiers of a table; nothing where there is none.

    An item of one column is another than the same word in another column.
    """
    names = [name for name in schema.sets if name in table.names] if schema is not None else []
    if schema is None or not names:
        return None
    refuse_weighted_rows(table)
    rows, items, before = [], [], 0
    for name in names:
        row_of, column = explode_sets(table.column(name), schema.column(name).format)
        rows.append(row_of)
        items.append(column.codes.astype(np.int64) + before)
        before += len(column.labels)
    return ItemsetCounts(np.concatenate(rows), np.concatenate(items), class_of_row.astype(np.int64), sizes)


def refuse_weighted_rows(table: Table) -> None:
    """Raise BadParameter for a table that tells equal rows once: an engine counted it, and sets are counted here."""
    if table.times is not None:
        raise BadParameter(
            "Sets cannot be protected in a table that is counted elsewhere.", "Open the table here, without an engine."
        )


def set_losses(
    table: Table,
    original: Table,
    rows: npt.NDArray[np.int64],
    hierarchies: Mapping[str, Hierarchy],
    schema: Schema,
) -> dict[str, float]:
    """Give the loss (NCP) of every set column: the mean over the items that the original has.

    An item costs nothing where it is published, the share of all items that its group has, and 1 where it is gone.
    """
    return {
        name: _set_loss(table.column(name), original.column(name), rows, hierarchies.get(name), schema.column(name))
        for name in schema.sets
        if name in table.names
    }


def set_label_losses(
    published: Column, raw: Column, rows: Ints, tree: Hierarchy | None, entry: ColumnSchema
) -> npt.NDArray[np.float64]:
    """Give what each published set has lost on the average, of the items its rows had."""
    codes, cost = _cost_by_label(published, raw, rows, tree, entry)
    lost = np.bincount(codes[codes >= 0], weights=cost[codes >= 0], minlength=len(published.labels))
    often = np.bincount(codes[codes >= 0], minlength=len(published.labels))
    return np.asarray(lost / np.maximum(often, 1), dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class SetLoss:
    """What a column of sets has lost: of a row with each label on the average, of `items` there were in all."""

    per_row: npt.NDArray[np.float64]
    items: int
    left_out: int
    """Items of rows that are not published."""


def loss_per_label(published: Column, raw: Column, rows: Ints, tree: Hierarchy | None, entry: ColumnSchema) -> SetLoss:
    """Give what rows have lost by the label they are published with, so that the loss follows from the file again."""
    codes, cost = _cost_by_label(published, raw, rows, tree, entry)
    lost = np.bincount(codes[codes >= 0], weights=cost[codes >= 0], minlength=len(published.labels))
    per_row = lost / np.maximum(published.counts(), 1)
    return SetLoss(per_row, len(codes), int(np.count_nonzero(codes < 0)))


def _cost_by_label(
    published: Column, raw: Column, rows: Ints, tree: Hierarchy | None, entry: ColumnSchema
) -> tuple[Ints, npt.NDArray[np.float64]]:
    """Give for every item of the original the label its row is published with, -1 for none, and what it costs."""
    row_of, cost = _item_costs(published, raw, rows, tree, entry)
    code_of = np.full(len(raw), -1, dtype=np.int64)
    code_of[rows] = published.codes
    return code_of[row_of], cost


def _set_loss(published: Column, raw: Column, rows: Ints, tree: Hierarchy | None, entry: ColumnSchema) -> float:
    cost = _item_costs(published, raw, rows, tree, entry)[1]
    return float(cost.mean()) if len(cost) else 0.0


def _item_costs(
    published: Column, raw: Column, rows: Ints, tree: Hierarchy | None, entry: ColumnSchema
) -> tuple[Ints, npt.NDArray[np.float64]]:
    """Give the row of every item that the original has, and what it costs."""
    row_of, before = explode_sets(raw, entry.format)
    if not len(row_of):
        return row_of, np.empty(0)
    tree = tree or flat_domain(before)
    shown_in, shown = explode_sets(published, entry.format)
    node_of = np.array([tree.node_of_label.get(label, -1) for label in shown.labels] or [-1], dtype=np.int64)
    pairs = np.unique(rows[shown_in] * (len(tree) + 1) + node_of[shown.codes] + 1) if len(shown_in) else rows[:0]
    leaf = np.array([tree.leaf_number.get(label, -1) for label in before.labels], dtype=np.int64)
    node = np.where(leaf >= 0, tree.leaves[leaf], -1)[before.codes]
    cost = np.ones(len(row_of))
    is_open = node >= 0
    while is_open.any():
        at = np.flatnonzero(is_open)
        keys = row_of[at] * (len(tree) + 1) + node[at] + 1
        found = np.isin(keys, pairs)
        reached = node[at[found]]
        cost[at[found]] = np.where(tree.is_leaf[reached], 0.0, tree.leaf_counts[reached] / max(tree.n_leaves, 1))
        node[at] = tree.parents[node[at]]
        is_open[at] = ~found & (node[at] >= 0)
    return row_of, cost


def _countable(held: Transactions, size: int) -> Transactions:
    """Refuse what no number of 64 bits can name: so many different items that sets of them cannot be told apart."""
    if held.top**size >= 1 << 63:
        raise BadParameter("There are too many different items to count such sets.", "Choose a smaller m.")
    return held
