"""What stands for the box of a row at a combination of levels, and what the row loses there."""

import copy
import itertools
import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import Ints, Singles
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded

SHARED_ENTRIES = 1_000_000
_SAMPLE = 200
_NODES_AT_ONCE = 2000
Numbers = npt.NDArray[np.uint64]
Number = TypeVar("Number", np.uint64, np.float32)


class Keys:
    """For every column and level a random number per unit that stands for its node there, and its loss.

    The sum of the numbers stands for a box. Should two boxes ever get the same sum, their rows merely share a group.
    Columns with few levels are added up beforehand for every combination of these.
    """

    def __init__(self, encoded: Encoded, progress: Progress, seed: int, units: Ints | None = None) -> None:
        tuples = encoded.tuples if units is None else encoded.tuples[units]
        self._progress = progress
        self._counts = encoded.counts if units is None else encoded.counts[units]
        random = np.random.default_rng(seed)
        numbers, losses = [], []
        for j, qi in enumerate(encoded.qis):
            mark = random.integers(0, 1 << 64, len(qi.hierarchy), dtype=np.uint64)
            nodes = qi.levels().take(tuples[:, j], axis=1)
            progress.check()
            numbers.append(mark[nodes])
            losses.append((qi.weight * qi.hierarchy.loss[nodes]).astype(np.float32))
        self._bundles = _bundles([len(number) for number in numbers], len(tuples))
        self._shapes = [tuple(len(numbers[j]) for j in columns) for columns in self._bundles]
        self._numbers = [_added(columns, numbers) for columns in self._bundles]
        self._losses = [_added(columns, losses) for columns in self._bundles]

    def of(self, node: Sequence[int], units: Ints) -> Numbers:
        """Give what stands for the boxes of units at a node."""
        key = np.zeros(len(units), dtype=np.uint64)
        for number, place in zip(self._numbers, self._places(node), strict=True):
            key += number[place].take(units)
        return key

    def lost(self, node: Sequence[int], units: Ints) -> Singles:
        """Give what each unit loses at a node."""
        lost = np.zeros(len(units), dtype=np.float32)
        for losses, place in zip(self._losses, self._places(node), strict=True):
            lost += losses[place].take(units)
        return lost

    def among(self, units: Ints) -> "Keys":
        """Give the keys of some of the units alone."""
        fewer = copy.copy(self)
        fewer._counts = self._counts[units]
        fewer._numbers = [number.take(units, axis=1) for number in self._numbers]
        fewer._losses = [losses.take(units, axis=1) for losses in self._losses]
        return fewer

    def of_all(self, nodes: Ints) -> Numbers:
        """Give what stands for the box of every unit (column) at each of some nodes (rows)."""
        return self._added_up(self._numbers, nodes, np.zeros((len(nodes), len(self._counts)), dtype=np.uint64))

    def lost_by_all(self, nodes: Ints) -> Singles:
        """Give what every unit (column) loses at each of some nodes (rows)."""
        return self._added_up(self._losses, nodes, np.zeros((len(nodes), len(self._counts)), dtype=np.float32))

    def _added_up(
        self, of_bundle: list[npt.NDArray[Number]], nodes: Ints, found: npt.NDArray[Number]
    ) -> npt.NDArray[Number]:
        for columns, shape, entries in zip(self._bundles, self._shapes, of_bundle, strict=True):
            found += entries[np.ravel_multi_index(tuple(nodes[:, columns].T), shape)]
        return found

    def lost_by(self, unit: int, nodes: Ints) -> Singles:
        """Give what one unit loses at each of some nodes, a row each."""
        lost = np.zeros(len(nodes), dtype=np.float32)
        for columns, shape, losses in zip(self._bundles, self._shapes, self._losses, strict=True):
            lost += losses[np.ravel_multi_index(tuple(nodes[:, columns].T), shape), unit]
        return lost

    def spread(self, nodes: Sequence[Sequence[int]]) -> tuple[Singles, Singles]:
        """Give for every node what the cheaper half of the rows loses at most, and what all do, of a sample of them."""
        rows = np.cumsum(self._counts)
        asked = np.searchsorted(rows, np.linspace(0, rows[-1], _SAMPLE, endpoint=False), side="right")
        half, most = np.empty(len(nodes), dtype=np.float32), np.empty(len(nodes), dtype=np.float32)
        for start in range(0, len(nodes), _NODES_AT_ONCE):
            self._progress.check()
            places = np.array([self._places(node) for node in nodes[start : start + _NODES_AT_ONCE]])
            lost = np.zeros((len(places), _SAMPLE), dtype=np.float32)
            for losses, place in zip(self._losses, places.T, strict=True):
                lost += losses[:, asked][place]
            half[start : start + len(places)] = np.partition(lost, _SAMPLE // 2, axis=1)[:, _SAMPLE // 2]
            most[start : start + len(places)] = lost.max(axis=1)
        return half, most

    def _places(self, node: Sequence[int]) -> list[int]:
        """Give the combination of levels in every bundle."""
        found = []
        for columns, shape in zip(self._bundles, self._shapes, strict=True):
            place = 0
            for j, width in zip(columns, shape, strict=True):
                place = place * width + node[j]
            found.append(place)
        return found


def keys_memory(levels: Sequence[int], n_units: int) -> int:
    """Give the bytes that the numbers and losses of all bundles take, and of the columns they are made of."""
    return 12 * n_units * (sum(levels) + combinations(levels, n_units))


def combinations(levels: Sequence[int], n_units: int) -> int:
    """Count the combinations of levels for which every unit has a number and a loss."""
    return sum(math.prod(levels[j] for j in columns) for columns in _bundles(levels, n_units))


def _bundles(levels: Sequence[int], n_units: int) -> list[list[int]]:
    """Put neighbouring columns together while their combinations of levels are few for so many units."""
    most = max(SHARED_ENTRIES // max(n_units, 1), 1)
    bundles: list[list[int]] = []
    for j, number in enumerate(levels):
        if bundles and math.prod(levels[i] for i in bundles[-1]) * number <= most:
            bundles[-1].append(j)
        else:
            bundles.append([j])
    return bundles


def _added(columns: list[int], of_level: list[npt.NDArray[Number]]) -> npt.NDArray[Number]:
    """Add up columns for every combination of their levels, the last column changing first."""
    if len(columns) == 1:
        return of_level[columns[0]]
    shape = [len(of_level[j]) for j in columns]
    added = np.zeros((math.prod(shape), of_level[columns[0]].shape[1]), dtype=of_level[columns[0]].dtype)
    for place, levels in enumerate(itertools.product(*map(range, shape))):
        for j, level in zip(columns, levels, strict=True):
            added[place] += of_level[j][level]
    return added
