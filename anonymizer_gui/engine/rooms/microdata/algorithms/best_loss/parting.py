"""Two classes parted anew: their rows are put in a row, each next one nearest to those before, and cut where best."""

from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.block import Block
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.state import Bools
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import Floats, Ints, Singles

_CELLS_AT_ONCE = 60_000
_MOST_UNITS = 400
_LEAST_GAIN = 1e-5
_TAKEN = np.float32(1e9)


@dataclass(frozen=True, slots=True, eq=False)
class Parted:
    """Pairs of classes, their units in a row, how many of them go to the first, and the gain (below 0: a loss)."""

    pairs: Ints
    units: Ints
    inside: Bools
    first: Ints
    gain: Floats

    def moves(self, chosen: Bools) -> tuple[Ints, Ints]:
        """Give the units of the pairs chosen, and where they go."""
        begins = np.arange(self.units.shape[1]) < self.first[chosen][:, None]
        target = np.where(begins, self.pairs[chosen, :1], self.pairs[chosen, 1:])
        inside = self.inside[chosen]
        return self.units[chosen][inside], target[inside]


def parted(block: Block, pairs: Ints, least_rows: int, random: np.random.Generator) -> list[Parted]:
    """Part pairs of classes that share none anew, those with about as many units at once."""
    number = block.n_units[pairs].sum(axis=1)
    pairs = pairs[(number > 1) & (number <= _MOST_UNITS)]
    number = block.n_units[pairs].sum(axis=1)
    pairs = pairs[np.argsort(number, kind="stable")]
    number = block.n_units[pairs].sum(axis=1)
    found, start = [], 0
    while start < len(pairs):
        block.progress.check()
        smallest = int(number[start])
        end = int(np.searchsorted(number, smallest + max(2, smallest // 7), side="right"))
        end = min(end, start + max(1, _CELLS_AT_ONCE // smallest))
        found.append(_part(block, pairs[start:end], least_rows, random))
        start = end
    return found


def _part(block: Block, pairs: Ints, least_rows: int, random: np.random.Generator) -> Parted:
    units, inside = _both(block, pairs)
    number = inside.sum(axis=1)
    begin = (random.random(len(pairs)) * number).astype(np.int64)
    order, before = _in_a_row(block, units, inside, begin)
    units = np.take_along_axis(units, order, axis=1)
    after = _from_behind(block, units, number)
    rows = np.cumsum(np.where(inside, block.counts[units], 0), axis=1)
    rest = rows[:, -1:] - rows
    cost = rows * before + rest * after
    cost[~((rows >= least_rows) & ((rest >= least_rows) | (rest == 0)) & inside)] = np.inf
    cut = cost.argmin(axis=1)
    gain = block.cost[pairs[:, 0]] + block.cost[pairs[:, 1]] - cost[np.arange(len(pairs)), cut]
    return Parted(pairs, units, inside, cut + 1, gain)


def _both(block: Block, pairs: Ints) -> tuple[Ints, Bools]:
    """Give the units of both classes of each pair, one after the other."""
    mine, theirs = block.n_units[pairs[:, 0]], block.n_units[pairs[:, 1]]
    column = np.arange(int((mine + theirs).max()))
    inside = column < (mine + theirs)[:, None]
    begin, second = block.first[pairs[:, 0]][:, None], block.first[pairs[:, 1]][:, None]
    place = np.where(column < mine[:, None], begin + column, second + column - mine[:, None])
    return block.order[np.where(inside, place, begin)], inside


def _in_a_row(block: Block, units: Ints, inside: Bools, begin: Ints) -> tuple[Ints, Singles]:
    """Begin somewhere and take the nearest unit next, again and again; give the order, and the loss up to each."""
    n_pairs, longest = units.shape
    values = [joins.values[units] for joins in block.joins]
    row = np.arange(n_pairs) * longest
    cells = [joins.single[value[np.arange(n_pairs), begin]] for joins, value in zip(block.joins, values, strict=True)]
    barred = np.where(inside, np.float32(0), _TAKEN)
    order = np.empty((n_pairs, longest), dtype=np.int64)
    lost = np.zeros((n_pairs, longest), dtype=np.float32)
    nearest = begin
    for step in range(longest):
        price = np.zeros(units.shape, dtype=np.float32)
        for joins, value, cell in zip(block.joins, values, cells, strict=True):
            price += joins.lost.take(value + cell[:, None])
        if step:
            nearest = (price + barred).argmin(axis=1)
        chosen = row + nearest
        order[:, step], lost[:, step] = nearest, price.reshape(-1)[chosen]
        barred.reshape(-1)[chosen] += _TAKEN
        for j, (joins, value) in enumerate(zip(block.joins, values, strict=True)):
            cells[j] = joins.joined.take(cells[j] + value.reshape(-1)[chosen])
    return order, lost


def _from_behind(block: Block, units: Ints, number: Ints) -> Singles:
    """Give for every place what the units after it lose together."""
    lost = np.zeros(units.shape, dtype=np.float32)
    last = units[np.arange(len(units)), number - 1]
    for joins in block.joins:
        cell, end = joins.single[joins.values[last]], joins.values[last]
        values = joins.values[units]
        for step in range(units.shape[1] - 1, 0, -1):
            further = joins.joined.take(cell + values[:, step])
            cell = np.where(step < number, further, cell)
            lost[:, step - 1] += joins.lost.take(cell + end)
    return lost
