"""Chains of exchanges: a row takes the place of another, which takes the place of a third, and so on.

Where every class has no more rows than it needs, no row can move alone. A chain begins with a row that its class can
do without and ends with one that joins a class, or comes back to where it began (cyclic exchanges after Thompson and
Orlin). Chains are grown step by step, of those that end at the same row the cheapest is kept, and no class is entered
twice, so that what a chain promises is exact.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.block import Block
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import Floats, Ints

_LEAST_GAIN = 1e-4
_ENDS = 3
OTHERS = 1
_NOWHERE = -1
Ended = Callable[[Floats, Ints], tuple[Ints, Ints, Floats]]


@dataclass(frozen=True, slots=True, eq=False)
class Arcs:
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
class Ends:
    """For every unit the classes that are cheapest to join, and the cost."""

    classes: Ints
    cost: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Chains:
    """Chains that lower the loss: the units in turn (-1 after the last), the class the last one joins, the gain."""

    units: Ints
    target: Ints
    gain: Floats


def chains(block: Block, units: Ints, near: Ints, least_rows: int, depth: int) -> Chains:
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
    return Chains(*(np.concatenate([a, b]) for a, b in zip(open_, closed, strict=True)))


def _joining_prices(block: Block, units: Ints, near: Ints) -> Floats:
    """Give what it costs that units join the classes near to them; infinitely much where that makes no sense."""
    unit, joined = np.repeat(units, near.shape[1]), near[units].reshape(-1)
    size = block.size[joined] + block.counts[unit]
    cost = size * block.loss_with(block.cell[joined], unit) - block.cost[joined]
    cost[(block.n_units[joined] == 0) | (joined == block.group[unit])] = np.inf
    return np.asarray(cost.reshape(len(units), near.shape[1]))


def _arcs(block: Block, units: Ints, near: Ints, price: Floats, least_rows: int) -> Arcs:
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
    return Arcs(unit, other, cost, np.bincount(unit, minlength=len(block.group)))


def _replaceable(block: Block, cheapest: Floats) -> tuple[Ints, Ints]:
    """Give the units whose place is worth taking, class by class, and how many each class has."""
    holds_up = block.loss_without < block.loss[block.group] - 1e-6
    ordered = np.lexsort((np.where(holds_up, -np.inf, cheapest), block.group))
    rank = np.empty(len(ordered), dtype=np.int64)
    rank[ordered] = np.arange(len(ordered)) - block.first[block.group[ordered]]
    first_others = np.bincount(block.group, holds_up, block.n_classes)[block.group] + OTHERS
    kept = ordered[(holds_up | (rank < first_others))[ordered]]
    return kept, np.bincount(block.group[kept], minlength=block.n_classes)


def _ends(n_units: int, units: Ints, near: Ints, price: Floats) -> Ends:
    """Pick the cheapest classes to join for every unit."""
    turns = min(_ENDS, near.shape[1])
    order = np.argsort(price, axis=1, kind="stable")[:, :turns]
    classes = np.full((n_units, turns), _NOWHERE, dtype=np.int64)
    prices = np.full((n_units, turns), np.inf)
    classes[units] = np.take_along_axis(near[units], order, axis=1)
    prices[units] = np.take_along_axis(price, order, axis=1)
    return Ends(classes, prices)


def _grown(block: Block, arcs: Arcs, start: Floats, depth: int, ended: Ended) -> tuple[Ints, Ints, Floats]:
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


def _classes(block: Block, path: Ints) -> Ints:
    return np.where(path >= 0, block.group[path], _NOWHERE)


def _joining(block: Block, ends: Ends, cost: Floats, path: Ints) -> tuple[Ints, Ints, Floats]:
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


def _closing(block: Block, cost: Floats, path: Ints, least_rows: int) -> tuple[Ints, Ints, Floats]:
    """End chains where they began: the last unit takes the place of the first."""
    alive = np.flatnonzero(np.isfinite(cost) & (path[:, 0] != np.arange(len(cost))))
    begun = path[alive, 0]
    group = block.group[begun]
    size = block.size[group] - block.counts[begun] + block.counts[alive]
    total = cost[alive] + size * block.loss_with(block.without[begun], alive) - block.cost[group]
    chosen = np.flatnonzero((total < -_LEAST_GAIN) & (size >= least_rows))
    return path[alive[chosen]], group[chosen], -total[chosen]


def apart(block: Block, found: Chains) -> tuple[Ints, Ints, Ints]:
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
