"""Boxes: rows that agree at some level of every column, taken from the cheapest combination of levels on."""

import heapq
import itertools
import math

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.keys import Keys
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import Floats, Ints
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.goals import Judge
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.space import Rows
from anonymizer_gui.engine.rooms.microdata.privacy.contract import Groups
from anonymizer_gui.engine.rooms.microdata.size import Size
from anonymizer_gui.engine.shapes.tables.classes import Histogram

_ALL_NODES = 20_000
_VISITS = 40_000_000
_VISITS_WITH_VALUES = 13_000_000
# The share of the units that is still left in the mean over all nodes, from experience.
_LEFT = 0.15
_LEFT_WITH_VALUES = 0.45
_FIRST_NODES = 100
_LARGE = 20
_HIGHEST_COST = 0.9
_TRIMS = (2.0, 1.5, 1.2, 1.0)
_LEAST_KEPT = 0.6
_CELLS_AT_ONCE = 1 << 21
Node = tuple[int, ...]
Turn = tuple[Node, float]
"""A node, and what a row may lose there at most to be taken."""
Bools = npt.NDArray[np.bool_]


class Boxes:
    """Takes rows together that fall into the same box, cheap boxes first (the idea of cell-wise local recoding)."""

    def __init__(self, encoded: Encoded, judge: Judge, progress: Progress, seed: int = 0) -> None:
        self.encoded = encoded
        self.judge = judge
        self.progress = progress
        self.seed = seed
        self.group_of_unit = np.full(len(encoded.tuples), -1, dtype=np.int64)
        self.n_groups = 0
        self._keys = Keys(encoded, progress, seed)
        single = all(len(h.values) == len(encoded.counts) for h in encoded.sensitive.values())
        self._trims = single and bool(encoded.sensitive) and judge.about_values
        self._values = {name: h.values for name, h in encoded.sensitive.items()}
        self._shares = {name: _shares(h) for name, h in encoded.sensitive.items()}

    def gather(self) -> Ints:
        """Give every unit its group; -1 where it found no box that satisfies the goals.

        Large classes leave many units until late: where nodes had to be left out, those that found no box walk again,
        being fewer now, until a walk has seen every node or brought nothing.
        """
        nodes = _nodes(self.encoded, self.progress, self.seed)
        turns = self._turns(nodes)
        share = _LEFT if self.judge.by_size_alone else _LEFT_WITH_VALUES
        waiting = np.flatnonzero(self.encoded.counts > 0)
        while len(waiting) and not self._walk(turns, waiting, share):
            still = waiting[self.group_of_unit[waiting] < 0]
            if len(still) == len(waiting) and share == 1:
                break
            waiting, share = still, 1.0
        return self.group_of_unit

    def _turns(self, nodes: list[Node]) -> list[Turn]:
        """Put the nodes in turn: each twice by what its cheaper half loses at most, and by what all lose.

        A row that loses much at a node waits for a better one. Goals on sensitive values need the rows together, and
        large classes leave so many units until late that looking twice would cost more than it brings.
        """
        if not self.judge.by_size_alone or self.judge.least_rows > _LARGE or not nodes:
            return [(node, np.inf) for node in nodes]
        cheaper, all_ = self._keys.spread(nodes)
        order = np.argsort(np.concatenate([cheaper, all_]), kind="stable")
        most = [*cheaper.tolist(), *[np.inf] * len(nodes)]
        return [(nodes[turn % len(nodes)], most[turn]) for turn in order.tolist()]

    def _walk(self, nodes: list[Turn], left: Ints, share: float) -> bool:
        """Walk the nodes with some units; say whether none was left out.

        `share` is how many of the units will be left in the mean: so many visits are reckoned with.
        """
        visits = max(_VISITS if self.judge.by_size_alone else _VISITS_WITH_VALUES, 50 * len(left))
        place = seen = 0
        while place < len(nodes) and len(left) and visits > 0:
            self.progress(place / len(nodes), "Gathering rows in boxes")
            node, most = nodes[place]
            self._take(node, left if most == np.inf else left[self._keys.lost(node, left) <= most])
            left = left[self.group_of_unit[left] < 0]
            ahead = (len(nodes) - place) * len(left) * share
            place += 1 if place < _FIRST_NODES else max(1, math.ceil(ahead / visits))
            visits -= len(left)
            seen += 1
        return seen == len(nodes)

    def _take(self, node: Node, left: Ints) -> None:
        """Make groups of the boxes of a node that satisfy the goals, as they are or trimmed."""
        if int(self.encoded.counts[left].sum()) < self.judge.least_rows:
            return
        key = self._keys.of(node, left)
        self.progress.check()
        box = pd.factorize(key)[0]
        self.progress.check()
        sizes = np.bincount(box, self.encoded.counts[left])
        enough = sizes >= self.judge.least_rows
        inside = np.flatnonzero(enough[box])
        if not len(inside):
            return
        units, box = left[inside], (np.cumsum(enough) - 1)[box[inside]]
        fine = self._fine(units, box, sizes[enough])
        self._keep(units, box, fine)
        if self._trims and not fine.all():
            rest = ~fine[box]
            units, box, sizes = units[rest], (np.cumsum(~fine) - 1)[box[rest]], sizes[enough][~fine]
            for piece in self._pieces(len(sizes)):
                here = np.flatnonzero((box >= piece.start) & (box < piece.stop))
                self._take_trimmed(units[here], box[here] - piece.start, sizes[piece])

    def _fine(self, units: Ints, box: Ints, sizes: Rows) -> Bools:
        if not self._trims or self.judge.persons is not None:
            return self.judge.parts_fine(units.astype(np.int32), box, sizes)
        fine = np.empty(len(sizes), dtype=np.bool_)
        for piece in self._pieces(len(sizes)):
            here = np.flatnonzero((box >= piece.start) & (box < piece.stop))
            counts = self._counts(units[here], box[here] - piece.start, piece.stop - piece.start)
            fine[piece] = self.judge.goals.satisfied(_groups(counts))
        return fine

    def _pieces(self, n_boxes: int) -> list[slice]:
        """Part the boxes so that the matrices of their values stay small."""
        self.progress.check()
        at_once = max(1, _CELLS_AT_ONCE // max(len(shares) for shares in self._shares.values()))
        return [slice(first, min(first + at_once, n_boxes)) for first in range(0, n_boxes, at_once)]

    def _counts(self, units: Ints, box: Ints, n_boxes: int) -> dict[str, Ints]:
        """Count the sensitive values of every box, as a matrix per column."""
        rows = self.encoded.counts[units]
        return {
            name: np.bincount(box * len(self._shares[name]) + values[units], rows, n_boxes * len(self._shares[name]))
            .astype(np.int64)
            .reshape(n_boxes, -1)
            for name, values in self._values.items()
        }

    def _take_trimmed(self, units: Ints, box: Ints, sizes: Rows) -> None:
        """Leave out rows whose sensitive values are too frequent in their box, as few as may be."""
        counts = self._counts(units, box, len(sizes))
        caps = {name: np.zeros_like(matrix) for name, matrix in counts.items()}
        waiting = np.ones(len(sizes), dtype=np.bool_)
        for trim in _TRIMS:
            here = np.flatnonzero(waiting)
            cap = {n: np.floor(trim * share * sizes[here, None]).astype(np.int64) for n, share in self._shares.items()}
            kept = {name: np.minimum(matrix[here], cap[name]) for name, matrix in counts.items()}
            rows = np.min([matrix.sum(axis=1) for matrix in kept.values()], axis=0)
            large = (rows >= self.judge.least_rows) & (rows >= _LEAST_KEPT * sizes[here])
            fine = np.flatnonzero(large)
            fine = fine[self.judge.goals.satisfied(_groups({n: matrix[fine] for n, matrix in kept.items()}))]
            for name, matrix in kept.items():
                caps[name][here[fine]] = matrix[fine]
            waiting[here[fine]] = False
        chosen = np.flatnonzero(~waiting[box])
        if len(chosen):
            self._keep_within(
                units[chosen], (np.cumsum(~waiting) - 1)[box[chosen]], {n: c[~waiting] for n, c in caps.items()}
            )

    def _keep_within(self, units: Ints, box: Ints, caps: dict[str, Ints]) -> None:
        """Keep units until the caps of their values are reached, if what remains satisfies the goals after all."""
        within = np.ones(len(units), dtype=np.bool_)
        for name, values in self._values.items():
            value_of_box = box * len(self._shares[name]) + values[units]
            order = np.argsort(value_of_box, kind="stable")
            run = np.flatnonzero(np.concatenate([[True], np.diff(value_of_box[order]) != 0]))
            rows = np.cumsum(self.encoded.counts[units[order]])
            before = np.concatenate([[0], rows[:-1]])[run]
            rows -= np.repeat(before, np.diff(np.append(run, len(units))))
            within[order] &= rows <= caps[name].reshape(-1)[value_of_box[order]]
        units, box = units[within], box[within]
        n_boxes = len(next(iter(caps.values())))
        fine = self._fine(units, box, np.bincount(box, self.encoded.counts[units], n_boxes))
        self._keep(units, box, fine & (np.bincount(box, minlength=n_boxes) > 0))

    def _keep(self, units: Ints, box: Ints, fine: npt.NDArray[np.bool_]) -> None:
        chosen = fine[box]
        self.group_of_unit[units[chosen]] = self.n_groups + (np.cumsum(fine) - 1)[box[chosen]]
        self.n_groups += int(np.count_nonzero(fine))


def trimming_memory(size: Size) -> int:
    """Give the bytes that matrices of the sensitive values of boxes take at most."""
    cells = min(max(_CELLS_AT_ONCE, size.values), size.values * (size.rows // size.least_rows + 1))
    return 0 if size.by_size_alone else 64 * size.sensitive * cells


def _nodes(encoded: Encoded, progress: Progress, seed: int) -> list[Node]:
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
    most = _HIGHEST_COST * sum(column[-1] for column in costs)
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


def _level_costs(encoded: Encoded) -> list[list[float]]:
    """Give the mean weighted LM of every column and level."""
    rows = max(int(encoded.counts.sum()), 1)
    costs = []
    for j, qi in enumerate(encoded.qis):
        of_leaf = np.bincount(encoded.tuples[:, j], encoded.counts, qi.hierarchy.n_leaves) / rows
        costs.append([float(qi.weight * (of_leaf * qi.hierarchy.loss[nodes]).sum()) for nodes in qi.levels()])
    return costs


def _groups(counts: dict[str, Ints]) -> Groups:
    sizes = next(iter(counts.values())).sum(axis=1)
    return Groups(sizes, {name: _sparse(matrix) for name, matrix in counts.items()})


def _sparse(dense: Ints) -> Histogram:
    groups, values = np.nonzero(dense)
    return Histogram(dense.shape[0], dense.shape[1], groups, values, dense[groups, values])


def _shares(histogram: Histogram) -> Floats:
    counts = np.bincount(histogram.values, histogram.counts, histogram.n_values)
    return np.asarray(counts / max(counts.sum(), 1))
