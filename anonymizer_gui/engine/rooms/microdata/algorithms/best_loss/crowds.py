"""Combinations of levels in turn, and which of them have a box that holds enough rows, asked for many at once."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.keys import Keys, Numbers, combinations
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import Floats, Ints, Singles

_MOST_UNITS = 1 << 14
_CELLS_AT_ONCE = 1 << 15
_FEWER = 0.8
_ROOM = 4
_LEAST_BITS = 8
_WORTHLESS = 0.5
_PAUSE = 8
_UNKNOWN = -1
_MOST_NODES = 100_000
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Turns:
    """Nodes, one a row, and what a unit may lose at each at most to be taken there."""

    nodes: Ints
    most: Singles

    def __len__(self) -> int:
        return len(self.most)

    def beyond(self, seen: Bools) -> "Turns":
        """Leave out those seen, and those whose levels are nowhere above the ones of a node seen with all units.

        A box there is part of one that was found wanting.
        """
        shape = tuple((self.nodes.max(axis=0, initial=0) + 1).tolist())
        kept = ~seen
        if math.prod(shape) <= _MOST_NODES:
            below = np.zeros(shape, dtype=np.bool_)
            below[tuple(self.nodes[seen & (self.most == np.inf)].T)] = True
            for axis in range(len(shape)):
                below = np.flip(np.logical_or.accumulate(np.flip(below, axis), axis), axis)
            kept &= ~below[tuple(self.nodes.T)]
        return Turns(self.nodes[kept], self.most[kept])


class Crowds:
    """Looks ahead for the units that have no group yet.

    Rows are counted in places drawn by the numbers that stand for boxes. Several boxes may share a place, so that a
    box may have fewer rows than its place, but never more: where no place has enough, no box has, nor will any later,
    when more units are gone.
    """

    def __init__(self, keys: Keys, turns: Turns, counts: Ints, least_rows: int, *, pauses: bool = False) -> None:
        self._keys, self._turns, self._counts, self._least_rows, self._pauses = keys, turns, counts, least_rows, pauses
        self._units: Ints | None = None
        self._rows: Floats | None = None
        self._looked = 0
        self._known = np.full(len(turns), _UNKNOWN, dtype=np.int8)

    def may_be_full(self, place: int, step: int, left: Ints) -> bool:
        """Say whether a box of the node in turn may have enough rows; `step` tells which ones are asked for next."""
        if len(left) > _MOST_UNITS:
            return True
        known = self._known[place]
        if known == _UNKNOWN or (known and len(left) < _FEWER * self._looked):
            self._looked = len(left)
            upto = place + step * max(1, _CELLS_AT_ONCE // max(len(left), 1))
            full = self._look(slice(place, upto, step), left)
            self._known[place:upto:step] = full
            if self._pauses and full.mean() > _WORTHLESS:
                self._known[upto : upto + _PAUSE * (upto - place) : step] = True
        return bool(self._known[place])

    def _look(self, which: slice, left: Ints) -> Bools:
        gone, nodes, most = self._gone(left), self._turns.nodes[which], self._turns.most[which]
        bits = _bits(len(left))
        nowhere = len(nodes) << bits
        place = (self._keys.of_all(nodes) >> np.uint64(64 - bits)).view(np.int64)
        place += (np.arange(len(nodes)) << bits)[:, None]
        place[:, gone] = nowhere
        some = np.flatnonzero(most < np.inf)
        place[some] = np.where(self._keys.lost_by_all(nodes[some]) <= most[some, None], place[some], nowhere)
        rows = None if self._rows is None else np.tile(self._rows, len(nodes))
        found = np.bincount(place.reshape(-1), rows, nowhere + 1)[:nowhere].reshape(len(nodes), -1)
        return np.asarray(found.max(axis=1) >= self._least_rows)

    def _gone(self, left: Ints) -> Ints:
        """Give the places of units listed that are left no more; once they are many, the list is made anew."""
        if self._units is None or len(left) < _FEWER * len(self._units):
            kept = left if self._units is None else np.searchsorted(self._units, left)
            self._units, self._keys = left, self._keys.among(kept)
            rows = self._counts[left]
            self._rows = None if (rows == 1).all() else rows.astype(np.float64)
        there = np.zeros(len(self._units), dtype=np.bool_)
        there[np.searchsorted(self._units, left)] = True
        return np.flatnonzero(~there)


def crowds_memory(levels: Sequence[int], n_units: int) -> int:
    """Give the bytes that looking ahead takes: the keys of the units that are left, and the places of many nodes."""
    return 12 * min(n_units, _MOST_UNITS) * combinations(levels, n_units) + 128 * _CELLS_AT_ONCE


def in_crowds(numbers: Numbers, counts: Ints, least_rows: int) -> Ints:
    """Give where in a list of numbers that stand for boxes those are that may have enough rows, and maybe others."""
    bits = _bits(len(numbers))
    place = (numbers >> np.uint64(64 - bits)).view(np.int64)
    full = np.bincount(place, counts, 1 << bits) >= least_rows
    return np.flatnonzero(full[place]) if full.any() else np.zeros(0, dtype=np.int64)


def _bits(n_units: int) -> int:
    """Give how many bits of a number make a place, so that few boxes share one."""
    return max(_LEAST_BITS, (_ROOM * n_units).bit_length())
