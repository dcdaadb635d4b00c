"""A part of the table whose classes are exchanged with each other: what each class loses, with and without each row."""

import numpy as np

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.joins import Joins
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.state import Bools
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import Floats, Ints, Singles

_PAIRS_AT_ONCE = 1 << 21
_MEMBERS_AT_ONCE = 400_000


class Block:
    """Units with their classes; a class is known by its number, and one without units is free to be taken.

    `cell[class, column]` is what a class is published with, `without[unit, column]` the same if the unit left it.
    """

    def __init__(self, joins: list[Joins], counts: Floats, group: Ints, n_classes: int, progress: Progress) -> None:
        self.joins = joins
        self.counts = counts
        self.progress = progress
        self.n_classes = n_classes
        self.without = np.zeros((len(group), len(joins)), dtype=np.int64)
        self.loss_without = np.zeros(len(group), dtype=np.float32)
        self.size = np.zeros(self.n_classes)
        self.loss = np.zeros(self.n_classes, dtype=np.float32)
        self.cost = np.zeros(self.n_classes)
        self.cell = np.zeros((self.n_classes, len(joins)), dtype=np.int64)
        self.assign(group, np.arange(self.n_classes))

    def assign(self, group: Ints, touched: Ints) -> None:
        """Take over an assignment, and measure the classes that changed."""
        self.group = group
        self.n_units = np.bincount(group, minlength=self.n_classes)
        self.order = np.argsort(group, kind="stable")
        self.first = np.cumsum(self.n_units) - self.n_units
        self._measure(touched)

    def members(self, classes: Ints) -> tuple[Ints, Bools]:
        """Give the units of classes, a row for each, and which of the places are taken."""
        number = self.n_units[classes]
        column = np.arange(int(number.max()))
        taken = column < number[:, None]
        return self.order[self.first[classes][:, None] + np.where(taken, column, 0)], taken

    def loss_with(self, cells: Ints, units: Ints) -> Singles:
        """Give what cells lose once they cover a unit, too, pair by pair."""
        lost = np.zeros(len(units), dtype=np.float32)
        for j, joins in enumerate(self.joins):
            lost += joins.lost.take(cells[:, j] + joins.values[units])
        return lost

    def nearest(self, units: Ints, width: int) -> Ints:
        """Give for every unit the classes that lose least if it joins them, other than its own."""
        live = np.flatnonzero(self.n_units)
        place = np.cumsum(self.n_units > 0) - 1
        near = np.empty((len(units), min(width, len(live) - 1)), dtype=np.int64)
        at_once = max(1, _PAIRS_AT_ONCE // len(live))
        for start in range(0, len(units), at_once):
            self.progress.check()
            some = units[start : start + at_once]
            price = self._growth(some, live)
            rows = np.arange(len(some))
            price[rows, place[self.group[some]]] = np.inf
            for turn in range(near.shape[1]):
                best = price.argmin(axis=1)
                near[start : start + at_once, turn] = live[best]
                price[rows, best] = np.inf
        return near

    def _growth(self, units: Ints, classes: Ints) -> Singles:
        """Give what the loss of the table grows by, about, when a unit (row) joins a class (column)."""
        price = np.zeros((len(units), len(classes)), dtype=np.float32)
        for j, joins in enumerate(self.joins):
            values, row = np.unique(joins.values[units], return_inverse=True)
            price += joins.lost.take(values[:, None] + self.cell[classes, j])[row.reshape(-1)]
        price *= (self.size[classes] + 1).astype(np.float32)
        price -= self.cost[classes].astype(np.float32)
        return price

    def _measure(self, classes: Ints) -> None:
        """Measure classes, those of about as many units at once."""
        for measured in (self.size, self.loss, self.cost):
            measured[classes] = 0
        classes = classes[self.n_units[classes] > 0]
        classes = classes[np.argsort(self.n_units[classes], kind="stable")]
        number = self.n_units[classes]
        start = 0
        while start < len(classes):
            self.progress.check()
            smallest = int(number[start])
            end = int(np.searchsorted(number, smallest + smallest // 5, side="right"))
            end = min(end, start + max(1, _MEMBERS_AT_ONCE // smallest**2))
            self._measure_alike(classes[start:end])
            start = end

    def _measure_alike(self, classes: Ints) -> None:
        units, taken = self.members(classes)
        alone = self.n_units[classes] == 1
        lost, left = np.zeros(len(classes), dtype=np.float32), np.zeros(units.shape, dtype=np.float32)
        column = np.arange(units.shape[1])
        for j, joins in enumerate(self.joins):
            values = joins.values[units]
            # Each place begins with another unit than its own, and then takes in all the others.
            begin = np.where(
                (column == 0) & ~alone[:, None], values[:, min(1, len(column) - 1)][:, None], values[:, :1]
            )
            cell = joins.single[begin]
            for other in column:
                further = joins.joined.take(cell + values[:, other, None])
                cell = np.where((column == other) | ~taken[:, other, None], cell, further)
            self.cell[classes, j] = whole = joins.joined.take(cell[:, 0] + values[:, 0])
            lost += joins.lost.take(whole + values[:, 0])
            left += joins.lost.take(cell + begin)
            self.without[units[taken], j] = cell[taken]
        self.loss_without[units[taken]] = left[taken]
        self.size[classes] = np.where(taken, self.counts[units], 0).sum(axis=1)
        self.loss[classes] = lost
        self.cost[classes] = self.size[classes] * lost

    def total(self) -> float:
        """Give what all rows of the block lose."""
        return float(self.cost.sum())
