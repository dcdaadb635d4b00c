"""The anytime search: exchanges between classes, again and again, for as many checks as are given.

After some checks other classes are made by price and improved, too, where the goals ask for the size of a class alone.

What it does depends on the checks done so far alone, never on the clock or on how many are still to come: more checks
go further on the same way, and a run that was stopped is repeated by as many checks as it had done.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace

import numpy as np

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.block import Block
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.by_price import ByPrice
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.chains import OTHERS
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.exchanges import NEAR, Exchanges
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.joins import LARGEST_TABLE, joins_of
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.keys import keys_memory
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.levels import Levels
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import Floats, Ints
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.worthwhile import walking_memory
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded
from anonymizer_gui.engine.rooms.microdata.algorithms.least_loss import least_losses
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.goals import Judge
from anonymizer_gui.engine.rooms.microdata.size import Size

UNITS_AT_ONCE = 25_000
_TURNS_OF_A_PART = 8
_UNITS_WITH_MANY_VALUES = 800
_LEAST_CHECKS = 500
_BOUND_AFTER = 50_000
_BOUND_VISITS = 200_000_000
_PROVEN = 1e-9
_PRICES_AFTER = 200_000
_CATCHING_UP = 1_000_000
_PAIRS_MEMORY = 48_000_000


@dataclass(frozen=True, slots=True)
class Step:
    """How far a search is: the checks done, and the loss (LM) reached."""

    checks: int
    loss: float


@dataclass(frozen=True, slots=True)
class Curve:
    """The way of a search: the loss after so many checks, and the bound below which none can be (None: not proven)."""

    steps: tuple[Step, ...]
    bound: float | None = None
    stopped: bool = False
    """Whether the user had enough before all checks were done."""
    is_exhausted: bool = False
    """Whether nothing more was found before all checks were done."""


class Search:
    """Improves an assignment in which every class satisfies the goals; `curve` tells the way."""

    def __init__(self, encoded: Encoded, judge: Judge, group: Ints, lost: float, progress: Progress) -> None:
        self.encoded = encoded
        self.judge = judge
        self.group = group
        self.progress = progress
        self._lost = lost
        self._rows = max(encoded.n_rows, 1)
        self._at_once = UNITS_AT_ONCE
        self._least: Floats | None = None
        self._bound: float | None = None
        self.curve = Curve((Step(0, lost / self._rows),))

    def run(self, checks: int, seed: int) -> Ints:
        """Give the assignment after so many checks, or when nothing more is found, or the user has enough."""
        done = 0
        steps = self._ways(seed) if checks else iter(())
        while done < checks:
            if self.progress.enough():
                self.curve = replace(self.curve, stopped=True)
                break
            price = next(steps, None)
            if price is None:
                self.curve = replace(self.curve, is_exhausted=True)
                break
            done += price
            self._tell(done, checks)
            if self.curve.bound is not None and self._lost / self._rows <= self.curve.bound + _PROVEN:
                break
        return self.group

    def _tell(self, done: int, checks: int) -> None:
        """Remember how far the search is, and say it."""
        loss = self._lost / self._rows
        is_time = done >= _BOUND_AFTER > self.curve.steps[-1].checks
        if is_time and not self.judge.goals.are_stricter:
            self._least = least_losses(self.encoded, self.judge.goals, self.progress, _BOUND_VISITS)
            self._bound = None if self._least is None else float(self._least @ self.encoded.counts) / self._rows
        self.curve = Curve((*self.curve.steps, Step(done, loss)), self._bound)
        self.progress(done / checks, _words(loss, self._bound))

    def _ways(self, seed: int) -> Iterator[int]:
        """Improve part after part of the table, all of it at once where it is small; give what each step checked."""
        random = np.random.default_rng(seed)
        inside = np.flatnonzero((self.group >= 0) & (self.encoded.counts > 0))
        if len(np.unique(self.group[inside])) < 2:
            return
        if len(inside) <= UNITS_AT_ONCE and joins_of(self.encoded, inside) is not None:
            yield from self._whole(inside, seed, random)
            return
        if len(inside) <= UNITS_AT_ONCE:
            self._at_once = _UNITS_WITH_MANY_VALUES
        fruitless = 0
        while fruitless < 3:
            before, units = self._lost, self._drawn(inside, random)
            exchanges = self._exchanges(units, self.group[units], random)
            if exchanges is not None:
                yield from self._taking(exchanges, self._turns(exchanges, _TURNS_OF_A_PART))
            fruitless = fruitless + 1 if self._lost == before else 0

    def _whole(self, units: Ints, seed: int, random: np.random.Generator) -> Iterator[int]:
        """Improve the whole table; after some time classes are made by price, too, and the better ones go on."""
        exchanges = self._exchanges(units, self.group[units], random)
        if exchanges is None:
            return
        turns = self._turns(exchanges)
        yield from self._taking(exchanges, turns, _PRICES_AFTER)
        if self.judge.by_size_alone and len(units) == np.count_nonzero(self.encoded.counts):
            better = yield from self._by_price(units, exchanges.block.total(), seed, random)
            exchanges, turns = better or (exchanges, turns)
        yield from self._taking(exchanges, turns)

    def _by_price(
        self, units: Ints, best: float, seed: int, random: np.random.Generator
    ) -> Generator[int, None, tuple[Exchanges, Iterator[int]] | None]:
        """Make other classes by price, and improve them until they lose less than the best; None if they never do."""
        if self._least is None:
            return None
        priced = yield from ByPrice(self.encoded, self.judge, self._least, self.progress).run(seed)
        self._bound = priced.bound
        other = None if priced.group is None else self._exchanges(units, priced.group[units], random)
        if other is None:
            return None
        turns, checks = self._turns(other), 0
        for price in turns:
            checks += price
            is_better = other.block.total() < best
            if is_better:
                self._lost = other.block.total()
                self._take(units, other.block.group)
            yield price
            if is_better:
                return other, turns
            if checks > _CATCHING_UP:
                break
        return None

    def _taking(self, exchanges: Exchanges, turns: Iterator[int], most: int | None = None) -> Iterator[int]:
        """Take over what gets better, turn by turn, for so many checks or until nothing more is found."""
        before, checks = exchanges.block.total(), 0
        while (most is None or checks < most) and (price := next(turns, None)) is not None:
            after = exchanges.block.total()
            self._lost += after - before
            before = after
            self._take(exchanges.units, exchanges.block.group)
            checks += price
            yield price

    def _turns(self, exchanges: Exchanges, most: int | None = None) -> Iterator[int]:
        """Improve some classes until nothing more is found, or for so many turns; give what each step checked."""
        checked = fruitless = turns = 0
        while fruitless < exchanges.patience and (most is None or turns < most):
            if exchanges.settled:
                fruitless = 0 if exchanges.improve() else fruitless + 1
                turns += 1
            else:
                exchanges.descend(1)
            yield max(exchanges.checks - checked, _LEAST_CHECKS)
            checked = exchanges.checks

    def _exchanges(self, units: Ints, groups: Ints, random: np.random.Generator) -> Exchanges | None:
        joins = joins_of(self.encoded, units)
        names, group = np.unique(groups, return_inverse=True)
        if joins is None or len(names) < 2:
            return None
        counts = self.encoded.counts[units].astype(np.float64)
        most = min(len(units), int(counts.sum()) // max(self.judge.least_rows, 1))
        block = Block(joins, counts, group.reshape(-1), max(len(names), most), self.progress)
        return Exchanges(units, block, Levels(self.encoded, units, self.progress), self.judge, random)

    def _take(self, units: Ints, group: Ints) -> None:
        """Take over the classes of a part under numbers of their own."""
        self.group = self.group.copy()
        self.group[units] = -1
        self.group[units] = int(self.group.max(initial=-1)) + 1 + group
        inside = self.group >= 0
        self.group[inside] = np.unique(self.group[inside], return_inverse=True)[1].reshape(-1)

    def _drawn(self, inside: Ints, random: np.random.Generator) -> Ints:
        """Draw a part of the table: whole classes whose first units are alike in some columns."""
        order = inside[np.argsort(self.group[inside], kind="stable")]
        names, first = np.unique(self.group[order], return_index=True)
        columns = random.permutation(self.encoded.tuples.shape[1])
        row = np.lexsort(self.encoded.tuples[order[first]][:, columns].T)
        number = np.diff(np.append(first, len(order)))[row]
        begin = int(random.integers(len(row)))
        row, number = np.roll(row, -begin), np.roll(number, -begin)
        chosen = names[row[: max(2, int(np.searchsorted(np.cumsum(number), self._at_once)))]]
        return inside[np.isin(self.group[inside], chosen)]


def searching_memory(size: Size) -> int:
    """Give the bytes that exchanges take at most: tables of columns, places that units may take, what rows bid for."""
    units = min(size.tuples, UNITS_AT_ONCE)
    tables = (
        min(nodes * min(leaves, units), LARGEST_TABLE) for nodes, leaves in zip(size.nodes, size.leaves, strict=True)
    )
    places = units * NEAR * (size.columns + OTHERS)
    by_price = walking_memory(replace(size, tuples=units)) if size.by_size_alone else 0
    return 32 * sum(tables) + 64 * places + keys_memory(size.levels, units) + _PAIRS_MEMORY + by_price


def _words(loss: float, bound: float | None) -> Message:
    if bound is None:
        return message("Exchanging rows between classes: loss {loss:.2%}", loss=loss)
    return message(
        "Exchanging rows between classes: loss {loss:.2%}, no recoding below {bound:.2%}", loss=loss, bound=bound
    )
