"""Neighbourhoods of a block: chains, classes opened, split anew, better halves.

A row costs what the cell of its class loses, whoever else is in it. So classes are places that are opened and closed,
each for as many rows as the goals need at least (facility location with lower bounds). For a combination of levels all
its cells are looked at at once: what their rows would gain there, less what it costs to dissolve the classes that they
leave with too few. Where rows are missing, those that cost least fill up.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.assignment import (
    INFEASIBLE_COST,
    Bools,
    Floats,
    Ints,
    Singles,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.boxes import BoxKeys
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.cyclic_exchange import (
    ExchangeBlock,
    disjoint_chains,
    find_chains,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable
from anonymizer_gui.engine.rooms.microdata.algorithms.goal_evaluation import GoalEvaluator

_TRIED = 64

_KEPT = 0.5

_CHEAPER = 1e-6


class CandidateLevels:
    """The nodes of some units at all levels; `keys` stand for their boxes there."""

    def __init__(self, encoded: EncodedTable, units: Ints, progress: Progress) -> None:
        self.keys = BoxKeys(encoded, progress, 0, units)
        self._nodes = [qi.levels()[:, encoded.tuples[units, j]] for j, qi in enumerate(encoded.qis)]
        self._shape = [len(nodes) for nodes in self._nodes]

    def drawn(self, block: ExchangeBlock, number: int, random: np.random.Generator) -> Iterator[tuple[int, ...]]:
        """Draw rows by what they lose, and for each a combination of levels at which it loses less, if one is found."""
        until = np.cumsum(block.loss[block.group] * block.counts)
        for unit in np.searchsorted(until, random.random(number) * until[-1], side="right").tolist():
            unit = min(unit, len(until) - 1)
            tried = self._near(block, unit, random)
            cheaper = self.keys.lost_by(unit, tried) < block.loss[block.group[unit]] - _CHEAPER
            if cheaper.any():
                yield tuple(tried[cheaper.argmax()].tolist())

    def _near(self, block: ExchangeBlock, unit: int, random: np.random.Generator) -> Ints:
        """Draw combinations of levels, in about half of the columns those of the class of a unit."""
        mine = block.members(block.group[[unit]])[0][0]
        own = [int((nodes[:, mine] == nodes[:, mine[:1]]).all(axis=1).argmax()) for nodes in self._nodes]
        other = random.integers(0, self._shape, (_TRIED, len(own)))
        return np.where(random.random(other.shape) < _KEPT, own, other)


_NOWHERE = -1


@dataclass(frozen=True, slots=True, eq=False)
class DissolveCosts:
    """What every unit may do if its class is dissolved: the classes near to it, the price of each, and the least."""

    near: Ints
    price: Floats
    least: Floats
    of_class: Floats
    """What it costs at least to dissolve a class."""


@dataclass(frozen=True, slots=True, eq=False)
class ClassOpening:
    """A class that may be opened: what that promises, its units, and the classes that are dissolved for it."""

    gain: float
    units: Ints
    closed: Ints


@dataclass(frozen=True, slots=True, eq=False)
class OpenedClasses:
    """New classes that share no class: the units that move, where to, and the number of the new class of each.

    `owner` tells for every class which of them touches it (-1: none).
    """

    units: Ints
    targets: Ints
    number: Ints
    owner: Ints


def dissolve_costs(block: ExchangeBlock, near: Ints) -> DissolveCosts:
    """Give what the units may do, and what it costs to dissolve each class."""
    unit, joined = np.repeat(np.arange(len(near)), near.shape[1]), near.reshape(-1)
    price = (block.size[joined] + block.counts[unit]) * block.loss_with(block.cell[joined], unit) - block.cost[joined]
    price[(block.n_units[joined] == 0) | (joined == block.group[unit])] = np.inf
    price = price.reshape(near.shape)
    least = np.minimum(price.min(axis=1), INFEASIBLE_COST)
    of_class = np.bincount(block.group, least, block.n_classes).astype(np.float64)
    return DissolveCosts(near, price, least, of_class)


def disjoint_openings(block: ExchangeBlock, ways: DissolveCosts, found: list[ClassOpening]) -> OpenedClasses:
    """Choose openings of most gain that share no class, as long as there are numbers for new classes."""
    owner = np.full(block.n_classes, _NOWHERE, dtype=np.int64)
    free = np.flatnonzero(block.n_units == 0).tolist()
    units, targets, number = [], [], []
    for opening in sorted(found, key=lambda one: -one.gain):
        if not free:
            break
        rest, goes = _rest(block, ways, opening)
        touched = np.concatenate([block.group[opening.units], goes])
        if not len(opening.units) or (goes < 0).any() or (owner[touched] >= 0).any():
            continue
        new = free.pop(0)
        owner[touched] = owner[new] = new
        units += [opening.units, rest]
        targets += [np.full(len(opening.units), new), goes]
        number.append(np.full(len(opening.units) + len(rest), new))
    return OpenedClasses(_together(units), _together(targets), _together(number), owner)


def _together(parts: list[Ints]) -> Ints:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _rest(block: ExchangeBlock, ways: DissolveCosts, opening: ClassOpening) -> tuple[Ints, Ints]:
    """Give the units that are left of dissolved classes, and the cheapest class each may join (-1: none)."""
    if not len(opening.closed):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    members, inside = block.members(opening.closed)
    left = np.setdiff1d(members[inside], opening.units)
    price = np.where(np.isin(ways.near[left], opening.closed), np.inf, ways.price[left])
    best = price.argmin(axis=1)
    least = np.take_along_axis(price, best[:, None], axis=1)[:, 0]
    return left, np.where(np.isfinite(least), ways.near[left, best], _NOWHERE)


_MIN_OPENING_GAIN = 1e-4

_LEAST_HOPE = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class _Shares:
    """What classes have in cells: of each share its cell and class, its rows, and what it may bring.

    The units of a share begin at `first`; shares of one cell stand together.
    """

    units: Ints
    first: Ints
    cell: Ints
    classes: Ints
    rows: Floats
    spare: Floats
    """How many of the rows the class can do without."""
    by_row: Floats
    """What one row gains that goes."""
    by_all: Floats
    """What is gained if all go, and the rest of the class is dissolved."""
    n_cells: int

    def by_cell(self, values: Floats) -> Floats:
        """Add up what is given for the shares, for every cell."""
        return np.asarray(np.bincount(self.cell, values, self.n_cells), dtype=np.float64)


class OpeningSearch:
    """Looks for classes that are worth being opened."""

    def __init__(self, block: ExchangeBlock, keys: BoxKeys, ways: DissolveCosts, least_rows: int) -> None:
        self._block = block
        self._keys = keys
        self._ways = ways
        self._least_rows = least_rows
        self._now = block.loss[block.group]
        self._all = np.arange(len(self._now))

    def at(self, node: tuple[int, ...], luck: float) -> list[ClassOpening]:
        """Give the classes that may be opened at a node, also some that lose, but not more than the luck given."""
        shares = self._shares(node)
        if shares is None:
            return []
        closes = shares.by_all > np.maximum(shares.spare * shares.by_row, 0)
        goes = np.where(closes, shares.rows, np.where(shares.by_row > 0, shares.spare, 0))
        gain = shares.by_cell(np.where(closes, shares.by_all, goes * shares.by_row))
        gain -= self._fill_up(shares, goes, closes)
        enough = shares.by_cell(goes) >= self._least_rows
        good = np.flatnonzero(enough & (gain > _MIN_OPENING_GAIN - luck))
        return self._as_openings(shares, goes, closes, good, gain) if len(good) else []

    def _shares(self, node: tuple[int, ...]) -> _Shares | None:
        """List what the classes have in those cells of a node that hold enough rows and give hope."""
        block, least = self._block, self._least_rows
        lost = self._keys.lost(node, self._all)
        cell = pd.factorize(self._keys.of(node, self._all))[0]
        hope = np.bincount(cell, np.maximum(self._now - lost, 0) * block.counts)
        asked = (np.bincount(cell, block.counts) >= least) & (hope > _LEAST_HOPE)
        units = np.flatnonzero(asked[cell])
        if not len(units):
            return None
        cell = (np.cumsum(asked) - 1)[cell[units]]
        share = cell * block.n_classes + block.group[units]
        order = np.argsort(share, kind="stable")
        units, cell = units[order], cell[order]
        first = np.flatnonzero(np.diff(share[order], prepend=-1))
        classes, loss = block.group[units[first]], lost[units[first]].astype(np.float64)
        rows = np.add.reduceat(block.counts[units], first)
        rest = self._ways.of_class[classes] - np.add.reduceat(self._ways.least[units], first)
        spare = np.minimum(rows, np.maximum(block.size[classes] - least, 0))
        by_all = block.cost[classes] - rows * loss - rest
        by_row = block.loss[classes] - loss
        return _Shares(units, first, cell[first], classes, rows, spare, by_row, by_all, int(asked.sum()))

    def _fill_up(self, shares: _Shares, goes: Floats, closes: Bools) -> Floats:
        """Let the rows that cost least go to cells with too few, and give what that costs for every cell."""
        short = np.maximum(self._least_rows - shares.by_cell(goes), 0)[shares.cell]
        idle = np.flatnonzero((goes == 0) & (short > 0))
        some = np.where(shares.spare[idle] > 0, -shares.by_row[idle], np.inf)
        whole = -shares.by_all[idle] / np.minimum(shares.rows[idle], short[idle])
        order = np.lexsort((np.minimum(some, whole), shares.cell[idle]))
        idle, some, whole = idle[order], some[order], whole[order]
        shuts = whole < some
        offered = np.where(shuts, shares.rows[idle], shares.spare[idle])
        before = np.cumsum(offered) - offered
        begins = np.diff(shares.cell[idle], prepend=-1) != 0
        before -= before[np.flatnonzero(begins)][np.cumsum(begins) - 1]
        missing = short[idle] - before
        used = np.where(missing > 0, np.where(shuts, offered, np.minimum(offered, missing)), 0)
        goes[idle], closes[idle] = used, shuts & (used > 0)
        price = np.zeros(len(goes))
        price[idle] = np.where(shuts, -shares.by_all[idle], used * np.where(used > 0, some, 0)) * (used > 0)
        return shares.by_cell(price)

    def _as_openings(
        self, shares: _Shares, goes: Floats, closes: Bools, good: Ints, gain: Floats
    ) -> list[ClassOpening]:
        counts = self._block.counts[shares.units]
        lengths = np.diff(np.append(shares.first, len(counts)))
        before = np.cumsum(counts) - counts
        before -= np.repeat(before[shares.first], lengths)
        fits = (before < np.repeat(goes, lengths)) & (before + counts <= np.repeat(shares.spare, lengths))
        moves = np.repeat(closes, lengths) | fits
        begin, end = (np.searchsorted(shares.cell, good, side=side) for side in ("left", "right"))
        ends = np.append(shares.first, len(counts))
        found = []
        for cell, low, high in zip(good.tolist(), begin.tolist(), end.tolist(), strict=True):
            here = slice(int(ends[low]), int(ends[high]))
            units, closed = shares.units[here][moves[here]], shares.classes[low:high][closes[low:high]]
            found.append(ClassOpening(float(gain[cell]), units, closed))
        return found


_CELLS_AT_ONCE = 60_000

_MOST_UNITS = 400

_MIN_REPARTITION_GAIN = 1e-5

_TAKEN = np.float32(1e9)


@dataclass(frozen=True, slots=True, eq=False)
class Repartition:
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


def repartition_pairs(
    block: ExchangeBlock, pairs: Ints, least_rows: int, random: np.random.Generator
) -> list[Repartition]:
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


def _part(block: ExchangeBlock, pairs: Ints, least_rows: int, random: np.random.Generator) -> Repartition:
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
    return Repartition(pairs, units, inside, cut + 1, gain)


def _both(block: ExchangeBlock, pairs: Ints) -> tuple[Ints, Bools]:
    """Give the units of both classes of each pair, one after the other."""
    mine, theirs = block.n_units[pairs[:, 0]], block.n_units[pairs[:, 1]]
    column = np.arange(int((mine + theirs).max()))
    inside = column < (mine + theirs)[:, None]
    begin, second = block.first[pairs[:, 0]][:, None], block.first[pairs[:, 1]][:, None]
    place = np.where(column < mine[:, None], begin + column, second + column - mine[:, None])
    return block.order[np.where(inside, place, begin)], inside


def _in_a_row(block: ExchangeBlock, units: Ints, inside: Bools, begin: Ints) -> tuple[Ints, Singles]:
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


def _from_behind(block: ExchangeBlock, units: Ints, number: Ints) -> Singles:
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


_TIE = 1e-7  # rounding alone must not choose


def units_to_revert(old: Ints, new: Ints, old_cost: Floats, new_cost: Floats) -> tuple[Ints, bool]:
    """Give the units that should go back to their old classes, and whether anything got better.

    Given are the classes before and after, and what every unit costs in each.

    Classes that share units, directly or through others, make up a part (partition crossover): a part holds the same
    units in both assignments, so each may be decided by itself.
    """
    changed = _changed(old, new)
    part = _parts(old[changed], new[changed])
    n_parts = int(part.max(initial=-1)) + 1
    before = np.bincount(part, old_cost[changed], n_parts)
    after = np.bincount(part, new_cost[changed], n_parts)
    worse = after > before - _TIE
    return np.asarray(changed[worse[part]]), bool((~worse[part]).any())


def _changed(old: Ints, new: Ints) -> Ints:
    """Give the units whose class is not the same set in both."""
    n_new = int(new.max(initial=-1)) + 1
    _, of_pair, both = np.unique(old * n_new + new, return_inverse=True, return_counts=True)
    shared = both[of_pair.reshape(-1)]
    same = (shared == np.bincount(old)[old]) & (shared == np.bincount(new)[new])
    return np.flatnonzero(~same)


def _parts(old: Ints, new: Ints) -> Ints:
    """Number the parts: the least old class spreads through all that share units with it."""
    least = np.arange(int(old.max(initial=-1)) + 1)
    while True:
        through = np.full(int(new.max(initial=-1)) + 1, len(least), dtype=np.int64)
        np.minimum.at(through, new, least[old])
        spread = least.copy()
        np.minimum.at(spread, old, through[new])
        spread = spread[spread] if len(spread) else spread
        if (spread == least).all():
            return least[old]
        least = spread


NEAR_CLASSES = 8

_DEPTH = 4

_ROUNDS = 12

_LEAST_GAIN = 1e-5

_CUT = 0.3

_REFRESHED = 16

_OPENED_EVERY = 6

_OPENING_HEAT = 0.25

_BATCHES = 2

_NODES = 32

_UNITS_PER_CHECK = 40  # all units at one node cost about as much as exchanges of so much fewer


class BlockSearch:
    """Improves the classes of one block of units; every method counts what it checks."""

    def __init__(
        self,
        units: Ints,
        block: ExchangeBlock,
        levels: CandidateLevels,
        judge: GoalEvaluator,
        random: np.random.Generator,
    ) -> None:
        self.units = units
        self.block = block
        self.levels = levels
        self.judge = judge
        self.random = random
        self.near = block.nearest(np.arange(len(units)), NEAR_CLASSES)
        self.checks = len(units)
        self._fresh = np.ones(len(units), dtype=np.bool_)
        self._barred = np.zeros(len(units), dtype=np.bool_)
        self._turn = 0
        self.settled = False
        """Whether no chain of exchanges lowers the loss any more."""
        self.patience = 12 + len(units) // 50
        """After so many turns in which nothing got better there is not much hope."""

    def descend(self, rounds: int) -> None:
        """Make chains of exchanges, round by round, as long as they lower the loss."""
        for _ in range(rounds):
            asked = np.flatnonzero(self._fresh & ~self._barred)
            self.checks += len(asked)
            self._fresh[:] = False
            found = find_chains(self.block, asked, self.near, self.judge.least_rows, _DEPTH)
            self.settled = not self._make(*disjoint_chains(self.block, found))
            if self.settled:
                return

    def _make(self, units: Ints, targets: Ints, operation: Ints) -> bool:
        """Make the moves of operations that share no class, but for those that violate a goal."""
        if not len(units):
            return False
        before = self.block.group
        group = before.copy()
        group[units] = targets
        violated = self._violated(group, np.unique(np.concatenate([before[units], targets])))
        bad = np.zeros(int(operation.max()) + 1, dtype=np.bool_)
        bad[operation[violated[before[units]] | violated[targets]]] = True
        back = bad[operation]
        self._barred[units[back]] = True
        group[units[back]] = before[units[back]]
        touched = np.unique(np.concatenate([before[units[~back]], targets[~back]]))
        self._assign(group, touched)
        return bool((~back).any())

    def _assign(self, group: Ints, touched: Ints) -> None:
        self.block.assign(group, touched)
        changed = np.zeros(self.block.n_classes, dtype=np.bool_)
        changed[touched] = True
        self._fresh |= changed[group] | changed[self.near].any(axis=1)

    def _violated(self, group: Ints, classes: Ints) -> Bools:
        """Say which of the classes violate a goal with the units given."""
        violated = np.zeros(self.block.n_classes, dtype=np.bool_)
        asked = violated.copy()
        asked[classes] = True
        inside = np.flatnonzero(asked[group])
        number = (np.cumsum(asked) - 1)[group[inside]]
        sizes = np.bincount(number, self.block.counts[inside], len(classes))
        fine = self.judge.parts_fine(self.units[inside].astype(np.int32), number, sizes)
        violated[classes] = ~fine & (sizes > 0)
        return violated

    def improve(self) -> bool:
        """Shake the classes, settle them, and keep what is better than before; say whether anything is."""
        block, old = self.block, self.block.group
        old_cost = block.loss[old] * block.counts
        self._barred[:] = False
        if self._turn % _OPENED_EVERY:
            self._shake()
        else:
            self._open()
        self.descend(_ROUNDS)
        back, is_better = units_to_revert(old, block.group, old_cost, block.loss[block.group] * block.counts)
        self._put_back(old, back)
        self.settled = True
        part = np.arange(self._turn % _REFRESHED, len(self.units), _REFRESHED)
        self.near[part] = self._nearest(part)
        self._fresh[part] = True
        self._turn += 1
        return is_better

    def _open(self) -> None:
        """Open classes in cheap cells near to dear ones, batch by batch, some although that loses a little."""
        block, random = self.block, self.random
        n_live = int(np.count_nonzero(block.n_units))
        heat = _OPENING_HEAT * block.total() / max(n_live, 1)
        for _ in range(_BATCHES):
            ways = dissolve_costs(block, self.near)
            openings = OpeningSearch(block, self.levels.keys, ways, self.judge.least_rows)
            found = []
            for node in self.levels.drawn(block, min(_NODES, 2 + n_live // 8), random):
                block.progress.check()
                found += openings.at(node, heat * random.random() ** 2)
                self.checks += max(1, len(self.units) // _UNITS_PER_CHECK)
            self._make_opened(disjoint_openings(block, ways, found), heat)

    def _make_opened(self, opened: OpenedClasses, heat: float) -> None:
        """Make new classes, but for those that violate a goal or lose more than heat allows."""
        block = self.block
        if not len(opened.units):
            return
        before, cost = block.group, block.cost.copy()
        group = before.copy()
        group[opened.units] = opened.targets
        touched = np.flatnonzero(opened.owner >= 0)
        owner = opened.owner[touched]
        violated = self._violated(group, touched)[touched]
        self._assign(group, touched)
        grown = np.bincount(owner, (block.cost - cost)[touched], block.n_classes)
        luck = heat * self.random.random(block.n_classes) ** 2
        bad = (grown > luck - _LEAST_GAIN) | (np.bincount(owner, violated, block.n_classes) > 0)
        back = opened.units[bad[opened.number]]
        if len(back):
            group = block.group.copy()
            group[back] = before[back]
            self._assign(group, touched[bad[owner]])

    def _nearest(self, units: Ints) -> Ints:
        """Look for the nearest classes anew; where fewer are left than there were, the last one stands for the rest."""
        near, width = self.block.nearest(units, NEAR_CLASSES), self.near.shape[1]
        places = np.minimum(np.arange(width), near.shape[1] - 1)
        return near[:, places] if near.shape[1] else self.near[units]

    def _put_back(self, old: Ints, back: Ints) -> None:
        """Give units their old classes back, under numbers that no other class has."""
        if not len(back):
            return
        block = self.block
        group, left = block.group.copy(), np.unique(block.group[back])
        names, name = np.unique(old[back], return_inverse=True)
        group[back] = -1
        free = np.flatnonzero(np.bincount(group[group >= 0], minlength=block.n_classes) == 0)
        group[back] = free[: len(names)][name.reshape(-1)]
        self._assign(group, np.unique(np.concatenate([left, free[: len(names)]])))

    def _shake(self) -> None:
        """Part pairs of near classes anew."""
        for piece in repartition_pairs(self.block, self._pairs(), self.judge.least_rows, self.random):
            self.checks += int(piece.inside.sum())
            chosen = np.isfinite(piece.gain) & (piece.gain > _LEAST_GAIN)
            if chosen.any():
                units, targets = piece.moves(chosen)
                numbers = np.repeat(np.arange(int(chosen.sum())), piece.inside[chosen].sum(axis=1))
                self._make(units, targets, numbers)

    def _with_nothing(self) -> list[tuple[int, int]]:
        """Draw classes of twice the rows they need, each with a class that has none yet: it may be cut in two."""
        block = self.block
        large = (block.size >= 2 * self.judge.least_rows) & (block.loss > 0)
        large &= self.random.random(block.n_classes) < _CUT
        return list(zip(*(np.flatnonzero(asked).tolist() for asked in (large, block.n_units == 0)), strict=False))

    def _pairs(self) -> Ints:
        """Draw pairs of near classes that share none."""
        block, random = self.block, self.random
        dear = np.flatnonzero((block.n_units > 0) & (block.loss > 0))
        dear = random.permutation(dear)
        member = block.order[block.first[dear] + (random.random(len(dear)) * block.n_units[dear]).astype(np.int64)]
        other = self.near[member, random.integers(0, self.near.shape[1], len(dear))]
        fine = (block.n_units[other] > 0) & (other != dear)
        used = np.zeros(block.n_classes, dtype=np.bool_)
        pairs = self._with_nothing()
        used[[one for one, _ in pairs]] = True
        for one, two in zip(dear[fine].tolist(), other[fine].tolist(), strict=True):
            if not used[one] and not used[two]:
                used[one] = used[two] = True
                pairs.append((one, two))
        return np.array(pairs, dtype=np.int64).reshape(-1, 2)
