"""Boxes of levels enumerated from the cheapest on; trimmed by sensitive values."""

import copy
import heapq
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.assignment import Floats, Ints, Singles
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable
from anonymizer_gui.engine.rooms.microdata.algorithms.goal_evaluation import GoalEvaluator, Rows
from anonymizer_gui.engine.rooms.microdata.models.contract import ClassGroups
from anonymizer_gui.engine.rooms.microdata.recoding import ProblemSize

SHARED_ENTRIES = 1_000_000

_SAMPLE = 200

_NODES_AT_ONCE = 2000

Numbers = npt.NDArray[np.uint64]

Number = TypeVar("Number", np.uint64, np.float32)


class BoxKeys:
    """For every column and level a random number per unit that stands for its node there, and its loss.

    The sum of the numbers stands for a box. Should two boxes ever get the same sum, their rows merely share a group.
    Columns with few levels are added up beforehand for every combination of these.
    """

    def __init__(self, encoded: EncodedTable, progress: Progress, seed: int, units: Ints | None = None) -> None:
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

    def among(self, units: Ints) -> "BoxKeys":
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
    return 12 * n_units * (sum(levels) + count_level_combinations(levels, n_units))


def count_level_combinations(levels: Sequence[int], n_units: int) -> int:
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
class NodeQueue:
    """Nodes, one a row, and what a unit may lose at each at most to be taken there."""

    nodes: Ints
    most: Singles

    def __len__(self) -> int:
        return len(self.most)

    def beyond(self, seen: Bools) -> "NodeQueue":
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
        return NodeQueue(self.nodes[kept], self.most[kept])


class FullBoxFinder:
    """Looks ahead for the units that have no group yet.

    Rows are counted in places drawn by the numbers that stand for boxes. Several boxes may share a place, so that a
    box may have fewer rows than its place, but never more: where no place has enough, no box has, nor will any later,
    when more units are gone.
    """

    def __init__(self, keys: BoxKeys, turns: NodeQueue, counts: Ints, least_rows: int, *, pauses: bool = False) -> None:
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


def full_box_memory(levels: Sequence[int], n_units: int) -> int:
    """Give the bytes that looking ahead takes: the keys of the units that are left, and the places of many nodes."""
    return 12 * min(n_units, _MOST_UNITS) * count_level_combinations(levels, n_units) + 128 * _CELLS_AT_ONCE


def find_full_boxes(numbers: Numbers, counts: Ints, least_rows: int) -> Ints:
    """Give where in a list of numbers that stand for boxes those are that may have enough rows, and maybe others."""
    bits = _bits(len(numbers))
    place = (numbers >> np.uint64(64 - bits)).view(np.int64)
    full = np.bincount(place, counts, 1 << bits) >= least_rows
    return np.flatnonzero(full[place]) if full.any() else np.zeros(0, dtype=np.int64)


def _bits(n_units: int) -> int:
    """Give how many bits of a number make a place, so that few boxes share one."""
    return max(_LEAST_BITS, (_ROOM * n_units).bit_length())


_TRIMS = (2.0, 1.7, 1.5, 1.35, 1.2, 1.1, 1.0)

_LEAST_KEPT = 0.6

_TRIMMED_CELLS_AT_ONCE = 1 << 18

Counts = dict[str, Ints]
"""For every sensitive column a matrix: how many rows of each value (column) a box (row) has, or may keep."""


class BoxTrimmer:
    """Asks the goals about boxes, whole and trimmed, where every unit has one value in every sensitive column."""

    def __init__(self, encoded: EncodedTable, judge: GoalEvaluator, progress: Progress) -> None:
        self._encoded, self._judge, self._progress = encoded, judge, progress
        self._values = {name: h.values for name, h in encoded.sensitive.items()}
        self._shares = {name: _shares(h) for name, h in encoded.sensitive.items()}

    def judged(self, units: Ints, box: Ints, sizes: Rows) -> tuple[Bools, Bools]:
        """Say which boxes satisfy the goals as they are, and which units of the others stay so that these do, too.

        Where people are counted the latter must be asked again, for what is trimmed is counted by rows.
        """
        people = self._judge.persons is not None
        fine, within = np.zeros(len(sizes), dtype=np.bool_), np.zeros(len(units), dtype=np.bool_)
        if people:
            fine = self._judge.parts_fine(units.astype(np.int32), box, sizes)
        for piece, here in self._pieces(box, len(sizes)):
            mine, number, whole = units[here], box[here] - piece.start, np.arange(piece.stop - piece.start)
            counts = self._counts(mine, number, len(whole))
            tries = self._trimmed(counts, sizes[piece], np.flatnonzero(~fine[piece]))
            boxes, kept = _joined(tries if people else [(whole, counts), *tries])
            good = self._judge.goals.satisfied(_groups(kept))
            if not people:
                fine[piece] = good[: len(whole)]
            good &= ~fine[piece][boxes]
            if good.any():
                which, first = np.unique(boxes[good], return_index=True)
                caps = {name: matrix[good][first] for name, matrix in kept.items()}
                within[here] = self._up_to(which, caps, mine, number)
        return fine, within

    def _pieces(self, box: Ints, n_boxes: int) -> Iterator[tuple[slice, Ints | slice]]:
        """Part the boxes, with the places of their units, so that the matrices of their values stay small."""
        values = max(len(shares) for shares in self._shares.values())
        at_once = max(1, _TRIMMED_CELLS_AT_ONCE // (values * (1 + len(_TRIMS))))
        for first in range(0, n_boxes, at_once):
            self._progress.check()
            piece = slice(first, min(first + at_once, n_boxes))
            whole = at_once >= n_boxes
            yield piece, slice(None) if whole else np.flatnonzero((box >= piece.start) & (box < piece.stop))

    def _counts(self, units: Ints, box: Ints, n_boxes: int) -> Counts:
        rows = self._encoded.counts[units]
        return {
            name: np.bincount(box * len(self._shares[name]) + values[units], rows, n_boxes * len(self._shares[name]))
            .astype(np.int64)
            .reshape(n_boxes, -1)
            for name, values in self._values.items()
        }

    def _trimmed(self, counts: Counts, sizes: Rows, boxes: Ints) -> list[tuple[Ints, Counts]]:
        """Trim some of the boxes more and more while enough remains; give each time which, and what they keep."""
        tries = []
        for trims in (_TRIMS[:1], _TRIMS[1:]):
            least = np.maximum(self._judge.least_rows, _LEAST_KEPT * sizes[boxes])
            kept = {name: self._cut_down(name, matrix[boxes], sizes[boxes], trims) for name, matrix in counts.items()}
            large = np.min([matrix.sum(axis=2) for matrix in kept.values()], axis=0) >= least
            tries.append((boxes[np.nonzero(large)[1]], {name: matrix[large] for name, matrix in kept.items()}))
            boxes = boxes[large[0]]
        return tries

    def _cut_down(self, name: str, counts: Ints, sizes: Rows, trims: Sequence[float]) -> Ints:
        """Give what boxes keep when no value may be more frequent than so many times its share; a matrix per trim."""
        limits = np.floor(np.multiply.outer(trims, self._shares[name])[:, None] * sizes[:, None])
        return np.minimum(counts, limits.astype(np.int64))

    def _up_to(self, boxes: Ints, caps: Counts, units: Ints, box: Ints) -> Bools:
        """Say which units stay when the first ones of every value do, until its cap in one of the boxes is reached."""
        number = np.full(int(box.max()) + 1, -1)
        number[boxes] = np.arange(len(boxes))
        inside = np.flatnonzero(number[box] >= 0)
        stays = np.ones(len(inside), dtype=np.bool_)
        for name, values in self._values.items():
            value_of_box = number[box[inside]] * len(self._shares[name]) + values[units[inside]]
            order = np.argsort(value_of_box, kind="stable")
            run = np.flatnonzero(np.diff(value_of_box[order], prepend=-1))
            rows = np.cumsum(self._encoded.counts[units[inside[order]]])
            before = np.concatenate([[0], rows[:-1]])[run]
            rows -= np.repeat(before, np.diff(np.append(run, len(inside))))
            stays[order] &= rows <= caps[name].reshape(-1)[value_of_box[order]]
        within = np.zeros(len(units), dtype=np.bool_)
        within[inside] = stays
        return within


def trimming_memory(size: ProblemSize) -> int:
    """Give the bytes that matrices of the sensitive values of boxes take at most."""
    cells = min(max(_TRIMMED_CELLS_AT_ONCE, size.values), size.values * (size.rows // size.least_rows + 1))
    return 0 if size.by_size_alone else 64 * size.sensitive * cells


def _joined(tries: list[tuple[Ints, Counts]]) -> tuple[Ints, Counts]:
    names = tries[0][1]
    kept = {name: np.concatenate([matrices[name] for _, matrices in tries]) for name in names}
    return np.concatenate([boxes for boxes, _ in tries]), kept


def _groups(counts: Counts) -> ClassGroups:
    sizes = next(iter(counts.values())).sum(axis=1)
    return ClassGroups(sizes, {name: _sparse(matrix) for name, matrix in counts.items()})


def _sparse(dense: Ints) -> Histogram:
    entries = np.flatnonzero(dense)
    groups, values = np.divmod(entries, dense.shape[1])
    return Histogram(dense.shape[0], dense.shape[1], groups, values, dense.reshape(-1)[entries])


def _shares(histogram: Histogram) -> Floats:
    counts = np.bincount(histogram.values, histogram.counts, histogram.n_values)
    return np.asarray(counts / max(counts.sum(), 1))


_ALL_NODES = 20_000

_VISITS = 40_000_000

_VISITS_WITH_VALUES = 13_000_000

# The share of the units that is still left in the mean over all nodes, from experience.
_LEFT = 0.15

_LEFT_WITH_VALUES = 0.45

_FIRST_NODES = 100

_LARGE = 20

_HIGHEST_COST = 0.9

Node = tuple[int, ...]


class BoxCover:
    """Takes rows together that fall into the same box, cheap boxes first (the idea of cell-wise local recoding)."""

    def __init__(self, encoded: EncodedTable, judge: GoalEvaluator, progress: Progress, seed: int = 0) -> None:
        self.encoded = encoded
        self.judge = judge
        self.progress = progress
        self.seed = seed
        self.group_of_unit = np.full(len(encoded.tuples), -1, dtype=np.int64)
        self.n_groups = 0
        self._keys = BoxKeys(encoded, progress, seed)
        single = all(len(h.values) == len(encoded.counts) for h in encoded.sensitive.values())
        trims = single and bool(encoded.sensitive) and judge.about_values
        self._trimming = BoxTrimmer(encoded, judge, progress) if trims else None

    def gather(self, groups: Ints | None = None) -> Ints:
        """Give every unit its group; -1 where it found no box that satisfies the goals. Groups given are kept.

        Large classes leave many units until late: where nodes had to be left out, those that found no box walk again,
        being fewer now. What was walked in vain for all levels alike or higher is not walked again for lower ones.
        """
        highest = _HIGHEST_COST if self.judge.by_size_alone else 1.0
        turns = self._turns(_nodes(self.encoded, self.progress, self.seed, highest))
        share = _LEFT if self.judge.by_size_alone else _LEFT_WITH_VALUES
        if groups is not None:
            self.group_of_unit, self.n_groups = groups.copy(), int(groups.max(initial=-1)) + 1
            share = 1.0
        waiting = np.flatnonzero((self.encoded.counts > 0) & (self.group_of_unit < 0))
        while len(turns) and len(waiting):
            turns = turns.beyond(self._walk(turns, waiting, share))
            waiting, share = waiting[self.group_of_unit[waiting] < 0], 1.0
        return self.group_of_unit

    def _turns(self, nodes: list[Node]) -> NodeQueue:
        """Put the nodes in turn: each twice by what its cheaper half loses at most, and by what all lose.

        A row that loses much at a node waits for a better one. Goals on sensitive values need the rows together, and
        large classes leave so many units until late that looking twice would cost more than it brings.
        """
        levels = np.array(nodes, dtype=np.int64).reshape(len(nodes), len(self.encoded.qis))
        if not self.judge.by_size_alone or self.judge.least_rows > _LARGE or not nodes:
            return NodeQueue(levels, np.full(len(nodes), np.inf, dtype=np.float32))
        cheaper, all_ = self._keys.spread(nodes)
        order = np.argsort(np.concatenate([cheaper, all_]), kind="stable")
        most = np.concatenate([cheaper, np.full(len(nodes), np.inf, dtype=np.float32)])
        return NodeQueue(levels[order % len(nodes)], most[order])

    def _walk(self, turns: NodeQueue, left: Ints, share: float) -> Bools:
        """Walk the nodes with some units; say which ones were not left out.

        `share` is how many of the units will be left in the mean: so many visits are reckoned with.
        """
        visits = max(_VISITS if self.judge.by_size_alone else _VISITS_WITH_VALUES, 50 * len(left))
        size_alone, least = self.judge.by_size_alone, self.judge.least_rows
        crowds = FullBoxFinder(self._keys, turns, self.encoded.counts, least, pauses=not size_alone)
        seen = np.zeros(len(turns), dtype=np.bool_)
        place, step = 0, 1
        while place < len(turns) and len(left) and visits > 0:
            if crowds.may_be_full(place, step, left):
                self.progress(place / len(turns), "Gathering rows in boxes")
                node, most = turns.nodes[place].tolist(), turns.most[place]
                self._take(node, left if most == np.inf else left[self._keys.lost(node, left) <= most])
                left = left[self.group_of_unit[left] < 0]
            seen[place] = True
            ahead = (len(turns) - place) * len(left) * share
            step = 1 if place < _FIRST_NODES else max(1, math.ceil(ahead / visits))
            place += step
            visits -= len(left)
        return seen

    def _take(self, node: Sequence[int], left: Ints) -> None:
        """Make groups of the boxes of a node that satisfy the goals, as they are or trimmed."""
        if int(self.encoded.counts[left].sum()) < self.judge.least_rows:
            return
        key = self._keys.of(node, left)
        self.progress.check()
        if self.judge.by_size_alone:
            crowded = find_full_boxes(key, self.encoded.counts[left], self.judge.least_rows)
            key, left = key[crowded], left[crowded]
            if not len(left):
                return
        box = pd.factorize(key)[0]
        self.progress.check()
        sizes = np.bincount(box, self.encoded.counts[left])
        enough = sizes >= self.judge.least_rows
        inside = np.flatnonzero(enough[box])
        if not len(inside):
            return
        units, box, sizes = left[inside], (np.cumsum(enough) - 1)[box[inside]], sizes[enough]
        if self._trimming is None:
            self._keep(units, box, self.judge.parts_fine(units.astype(np.int32), box, sizes))
            return
        fine, within = self._trimming.judged(units, box, sizes)
        self._keep(units, box, fine)
        if within.any():
            self._keep_trimmed(units[within], box[within])

    def _keep_trimmed(self, units: Ints, box: Ints) -> None:
        """Keep what is left of trimmed boxes, if it satisfies the goals after all: units of several rows may not."""
        there = np.bincount(box) > 0
        box = (np.cumsum(there) - 1)[box]
        sizes = np.bincount(box, self.encoded.counts[units])
        self._keep(units, box, self.judge.parts_fine(units.astype(np.int32), box, sizes))

    def _keep(self, units: Ints, box: Ints, fine: npt.NDArray[np.bool_]) -> None:
        chosen = fine[box]
        self.group_of_unit[units[chosen]] = self.n_groups + (np.cumsum(fine) - 1)[box[chosen]]
        self.n_groups += int(np.count_nonzero(fine))


def _nodes(encoded: EncodedTable, progress: Progress, seed: int, highest: float) -> list[Node]:
    """List combinations of levels by rising mean LM, without those that say next to nothing.

    All of them where there are not too many; otherwise the cheapest half of that number, and as many drawn evenly.
    """
    costs = _level_costs(encoded)
    shape = [len(column) for column in costs]
    if math.prod(shape) <= _ALL_NODES:
        nodes = list(itertools.product(*(range(n) for n in shape)))
    else:
        drawn = np.random.default_rng(seed).integers(0, shape, (_ALL_NODES // 2, len(shape)))
        top = tuple(n - 1 for n in shape)
        nodes = list({*_cheapest(costs, _ALL_NODES // 2, progress), *map(tuple, drawn.tolist()), top})
    total = np.zeros(len(nodes))
    for column, levels in zip(costs, np.array(nodes).reshape(len(nodes), len(shape)).T, strict=True):
        total += np.array(column)[levels]
    order = np.lexsort((*np.array(nodes).reshape(len(nodes), len(shape)).T, total))
    most = highest * sum(column[-1] for column in costs)
    return [nodes[i] for i in order.tolist() if total[i] <= most]


def _cheapest(costs: list[list[float]], number: int, progress: Progress) -> list[Node]:
    """Walk the combinations of levels from the raw table upwards, cheapest first."""
    start = (0,) * len(costs)
    waiting = [(0.0, start)]
    seen = {start}
    found: list[Node] = []
    while waiting and len(found) < number:
        progress.check()
        _, node = heapq.heappop(waiting)
        found.append(node)
        for j, level in enumerate(node):
            above = (*node[:j], level + 1, *node[j + 1 :])
            if level + 1 < len(costs[j]) and above not in seen:
                seen.add(above)
                heapq.heappush(waiting, (sum(c[i] for c, i in zip(costs, above, strict=True)), above))
    return found


def _level_costs(encoded: EncodedTable) -> list[list[float]]:
    """Give the mean weighted LM of every column and level."""
    rows = max(int(encoded.counts.sum()), 1)
    costs = []
    for j, qi in enumerate(encoded.qis):
        of_leaf = np.bincount(encoded.tuples[:, j], encoded.counts, qi.hierarchy.n_leaves) / rows
        costs.append([float(qi.weight * (of_leaf * qi.hierarchy.loss[nodes]).sum()) for nodes in qi.levels()])
    return costs
