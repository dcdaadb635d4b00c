"""A block of classes and the cyclic exchanges in it.

Where every class has no more rows than it needs, no row can move alone. A chain begins with a row that its class can
do without and ends with one that joins a class, or comes back to where it began (cyclic exchanges after Thompson and
Orlin). Chains are grown step by step, of those that end at the same row the cheapest is kept, and no class is entered
twice, so that what a chain promises is exact.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.assignment import (
    INFEASIBLE_COST,
    Bools,
    Floats,
    Ints,
    Singles,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable, QuasiIdentifier

LARGEST_TABLE = 6_000_000

_LARGEST_SHARED = 1 << 17


@dataclass(frozen=True, slots=True, eq=False)
class JoinTables:
    """One column, or several taken together, of some units.

    A cell is known by where its row of the tables begins: at `cell + value` stands the cell that covers the value,
    too (`joined`), and what it loses (`lost`). `single[value]` is the cell of a value alone; `values` tells the value
    of every unit.
    """

    joined: Ints
    lost: Singles
    single: Ints
    values: Ints
    n_values: int

    @property
    def n_cells(self) -> int:
        """The number of cells."""
        return len(self.joined) // self.n_values

    def together(self, other: "JoinTables") -> "JoinTables":
        """Give two columns as one, with the pairs of values that occur."""
        pair = self.values * other.n_values + other.values
        used, values = np.unique(pair, return_inverse=True)
        mine, theirs = used // other.n_values, used % other.n_values
        ours = self.joined.reshape(-1, self.n_values)[:, mine][:, None] // self.n_values
        joined = ours * other.n_cells + other.joined.reshape(-1, other.n_values)[:, theirs][None] // other.n_values
        lost = (
            self.lost.reshape(-1, self.n_values)[:, mine][:, None] + other.lost.reshape(-1, other.n_values)[:, theirs]
        )
        single = self.single[mine] // self.n_values * other.n_cells + other.single[theirs] // other.n_values
        width = len(used)
        return JoinTables(joined.reshape(-1) * width, lost.reshape(-1), single * width, values.reshape(-1), width)


def join_tables(encoded: EncodedTable, units: Ints) -> list[JoinTables] | None:
    """Make the tables for some units; None where a column has too many values for one."""
    columns: list[JoinTables] = []
    for j, qi in enumerate(encoded.qis):
        column = _column(qi, encoded.tuples[units, j])
        if column is None:
            return None
        columns.append(column)
    bundles: list[JoinTables] = []
    for column in sorted(columns, key=lambda joins: len(joins.joined)):
        for place, bundle in enumerate(bundles):
            if len(bundle.joined) * len(column.joined) <= _LARGEST_SHARED:
                bundles[place] = bundle.together(column)
                break
        else:
            bundles.append(column)
    return bundles


def _column(qi: QuasiIdentifier, leaves: npt.NDArray[np.int32]) -> JoinTables | None:
    tree = qi.hierarchy
    used, values = np.unique(qi.levels()[0][leaves], return_inverse=True)
    low, high = tree.first_leaf[used], tree.end_leaf[used] - 1
    own = tree.common_ancestors(low, high)
    reached = above = np.unique(own)
    while len(above := np.unique(tree.parents[above][tree.parents[above] >= 0])):
        reached = np.union1d(reached, above)
    if len(reached) * len(used) > LARGEST_TABLE:
        return None
    first = np.minimum(tree.first_leaf[reached][:, None], low).reshape(-1)
    last = np.maximum(tree.end_leaf[reached][:, None] - 1, high).reshape(-1)
    nodes = tree.common_ancestors(first, last).reshape(len(reached), len(used))
    place = np.full(len(tree), -1, dtype=np.int64)
    place[reached] = np.arange(len(reached))
    joined = place[nodes]
    lost = _loss(qi)[nodes]
    alone = place[own]
    width = len(used)
    return JoinTables(joined.reshape(-1) * width, lost.reshape(-1), alone * width, values.reshape(-1), width)


def _loss(qi: QuasiIdentifier) -> Singles:
    """Give the weighted loss of every node; one above the highest level allowed costs more than anything else."""
    tree, top = qi.hierarchy, qi.levels()[-1][qi.hierarchy.first_leaf]
    above = (tree.first_leaf < tree.first_leaf[top]) | (tree.end_leaf > tree.end_leaf[top])
    return np.where(above, INFEASIBLE_COST, qi.weight * tree.loss).astype(np.float32)


_PAIRS_AT_ONCE = 1 << 21

_MEMBERS_AT_ONCE = 400_000


class ExchangeBlock:
    """Units with their classes; a class is known by its number, and one without units is free to be taken.

    `cell[class, column]` is what a class is published with, `without[unit, column]` the same if the unit left it.
    """

    def __init__(
        self, joins: list[JoinTables], counts: Floats, group: Ints, n_classes: int, progress: Progress
    ) -> None:
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


_LEAST_GAIN = 1e-4

_ENDS = 3

OTHERS = 1

_NOWHERE = -1

Ended = Callable[[Floats, Ints], tuple[Ints, Ints, Floats]]


@dataclass(frozen=True, slots=True, eq=False)
class ExchangeArcs:
    """Places that can be taken: `unit` takes that of `other` at a cost; `number` says how many each unit has.

    Those of a unit stand together, unit after unit in rising order.
    """

    unit: Ints
    other: Ints
    cost: Floats
    number: Ints

    def of(self, units: Ints) -> Ints:
        """Give the places of those of some units."""
        first = np.cumsum(self.number) - self.number
        times = self.number[units]
        begin = np.repeat(first[units] - (np.cumsum(times) - times), times)
        return np.asarray(begin + np.arange(int(times.sum())))


@dataclass(frozen=True, slots=True, eq=False)
class ChainEnds:
    """For every unit the classes that are cheapest to join, and the cost."""

    classes: Ints
    cost: Floats


@dataclass(frozen=True, slots=True, eq=False)
class ExchangeChains:
    """Chains that lower the loss: the units in turn (-1 after the last), the class the last one joins, the gain."""

    units: Ints
    target: Ints
    gain: Floats


def find_chains(block: ExchangeBlock, units: Ints, near: Ints, least_rows: int, depth: int) -> ExchangeChains:
    """Find chains over some units that lower the loss; they may touch the same classes."""
    price = _joining_prices(block, units, near)
    arcs = _arcs(block, units, near, price, least_rows)
    ends = _ends(len(block.group), units, near, price)
    spare = block.size[block.group] - block.counts >= least_rows
    last_one = block.n_units[block.group] == 1
    rest = np.where(last_one, 0.0, (block.size[block.group] - block.counts) * block.loss_without)
    asked = np.zeros(len(block.group), dtype=np.bool_)
    asked[units] = True
    free = np.where(asked & (spare | last_one), rest - block.cost[block.group], np.inf)
    tight = np.where(asked & ~spare & ~last_one, 0.0, np.inf)
    open_ = _grown(block, arcs, free, depth, lambda cost, path: _joining(block, ends, cost, path))
    closed = _grown(block, arcs, tight, depth, lambda cost, path: _closing(block, cost, path, least_rows))
    return ExchangeChains(*(np.concatenate([a, b]) for a, b in zip(open_, closed, strict=True)))


def _joining_prices(block: ExchangeBlock, units: Ints, near: Ints) -> Floats:
    """Give what it costs that units join the classes near to them; infinitely much where that makes no sense."""
    unit, joined = np.repeat(units, near.shape[1]), near[units].reshape(-1)
    size = block.size[joined] + block.counts[unit]
    cost = size * block.loss_with(block.cell[joined], unit) - block.cost[joined]
    cost[(block.n_units[joined] == 0) | (joined == block.group[unit])] = np.inf
    return np.asarray(cost.reshape(len(units), near.shape[1]))


def _arcs(block: ExchangeBlock, units: Ints, near: Ints, price: Floats, least_rows: int) -> ExchangeArcs:
    """List the places near units: those of rows that hold their class up, and of a few others that go cheaply."""
    cheapest = np.full(len(block.group), np.inf)
    cheapest[units] = price.min(axis=1, initial=np.inf)
    kept, number = _replaceable(block, cheapest)
    begin = np.cumsum(number) - number
    place = np.flatnonzero(np.isfinite(price.reshape(-1)))
    unit, joined = units[place // near.shape[1]], near[units].reshape(-1)[place]
    times = number[joined]
    ends = np.cumsum(times)
    other = kept[np.repeat(begin[joined] - (ends - times), times) + np.arange(int(times.sum()))]
    unit = np.repeat(unit, times)
    group = block.group[other]
    size = block.size[group] - block.counts[other] + block.counts[unit]
    enough = np.flatnonzero(size >= least_rows)
    unit, other, group, size = unit[enough], other[enough], group[enough], size[enough]
    cost = size * block.loss_with(block.without[other], unit) - block.cost[group]
    return ExchangeArcs(unit, other, cost, np.bincount(unit, minlength=len(block.group)))


def _replaceable(block: ExchangeBlock, cheapest: Floats) -> tuple[Ints, Ints]:
    """Give the units whose place is worth taking, class by class, and how many each class has."""
    holds_up = block.loss_without < block.loss[block.group] - 1e-6
    ordered = np.lexsort((np.where(holds_up, -np.inf, cheapest), block.group))
    rank = np.empty(len(ordered), dtype=np.int64)
    rank[ordered] = np.arange(len(ordered)) - block.first[block.group[ordered]]
    first_others = np.bincount(block.group, holds_up, block.n_classes)[block.group] + OTHERS
    kept = ordered[(holds_up | (rank < first_others))[ordered]]
    return kept, np.bincount(block.group[kept], minlength=block.n_classes)


def _ends(n_units: int, units: Ints, near: Ints, price: Floats) -> ChainEnds:
    """Pick the cheapest classes to join for every unit."""
    turns = min(_ENDS, near.shape[1])
    order = np.argsort(price, axis=1, kind="stable")[:, :turns]
    classes = np.full((n_units, turns), _NOWHERE, dtype=np.int64)
    prices = np.full((n_units, turns), np.inf)
    classes[units] = np.take_along_axis(near[units], order, axis=1)
    prices[units] = np.take_along_axis(price, order, axis=1)
    return ChainEnds(classes, prices)


def _grown(
    block: ExchangeBlock, arcs: ExchangeArcs, start: Floats, depth: int, ended: Ended
) -> tuple[Ints, Ints, Floats]:
    """Grow chains from units at the costs given, as long as they promise a gain so far."""
    n_units = len(block.group)
    cost, path = start, np.full((n_units, depth + 1), _NOWHERE, dtype=np.int64)
    path[:, 0] = np.arange(n_units)
    found = [ended(cost, path)]
    for step in range(depth):
        block.progress.check()
        here = arcs.of(np.flatnonzero(np.isfinite(cost)))
        longer = cost[arcs.unit[here]] + arcs.cost[here]
        good = np.flatnonzero(longer < -_LEAST_GAIN)
        here, longer = here[good], longer[good]
        seen = _classes(block, path[arcs.unit[here], : step + 1])
        good = np.flatnonzero(~(seen == block.group[arcs.other[here]][:, None]).any(axis=1))
        if not len(good):
            break
        here, longer = here[good], longer[good]
        order = np.lexsort((arcs.unit[here], longer, arcs.other[here]))
        order = order[np.flatnonzero(np.diff(arcs.other[here[order]], prepend=-1))]
        first = here[order]
        further = np.full(n_units, np.inf)
        further[arcs.other[first]] = longer[order]
        extended = np.full_like(path, _NOWHERE)
        extended[arcs.other[first], : step + 1] = path[arcs.unit[first], : step + 1]
        extended[arcs.other[first], step + 1] = arcs.other[first]
        cost, path = further, extended
        found.append(ended(cost, path))
    units, target, gain = zip(*found, strict=True)
    return np.concatenate(units), np.concatenate(target), np.concatenate(gain)


def _classes(block: ExchangeBlock, path: Ints) -> Ints:
    return np.where(path >= 0, block.group[path], _NOWHERE)


def _joining(block: ExchangeBlock, ends: ChainEnds, cost: Floats, path: Ints) -> tuple[Ints, Ints, Floats]:
    """End chains by joining the cheapest class that they have not touched."""
    alive = np.flatnonzero(np.isfinite(cost))
    seen = _classes(block, path[alive])
    best, target = np.zeros(len(alive)), np.full(len(alive), _NOWHERE, dtype=np.int64)
    for turn in range(ends.classes.shape[1]):
        joined = ends.classes[alive, turn]
        total = cost[alive] + ends.cost[alive, turn]
        better = (total < best - _LEAST_GAIN) & ~(seen == joined[:, None]).any(axis=1)
        best[better], target[better] = total[better], joined[better]
    chosen = np.flatnonzero(target >= 0)
    return path[alive[chosen]], target[chosen], -best[chosen]


def _closing(block: ExchangeBlock, cost: Floats, path: Ints, least_rows: int) -> tuple[Ints, Ints, Floats]:
    """End chains where they began: the last unit takes the place of the first."""
    alive = np.flatnonzero(np.isfinite(cost) & (path[:, 0] != np.arange(len(cost))))
    begun = path[alive, 0]
    group = block.group[begun]
    size = block.size[group] - block.counts[begun] + block.counts[alive]
    total = cost[alive] + size * block.loss_with(block.without[begun], alive) - block.cost[group]
    chosen = np.flatnonzero((total < -_LEAST_GAIN) & (size >= least_rows))
    return path[alive[chosen]], group[chosen], -total[chosen]


def disjoint_chains(block: ExchangeBlock, found: ExchangeChains) -> tuple[Ints, Ints, Ints]:
    """Choose chains of most gain that share no class: the units that move, where to, and the chain of each."""
    used = np.zeros(block.n_classes, dtype=np.bool_)
    units: list[int] = []
    targets: list[int] = []
    chain: list[int] = []
    for place in np.lexsort((found.units[:, 0], -found.gain)).tolist():
        path = found.units[place]
        path = path[path >= 0]
        way = [*block.group[path].tolist(), int(found.target[place])]
        if used[way].any():
            continue
        used[way] = True
        chain += [place] * len(path)
        units += path.tolist()
        targets += way[1:]
    return (np.array(units, dtype=np.int64), np.array(targets, dtype=np.int64), np.array(chain, dtype=np.int64))
