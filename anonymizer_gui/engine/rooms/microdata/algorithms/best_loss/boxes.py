"""Boxes: rows that agree at some level of every column, taken from the cheapest combination of levels on."""

import heapq
import itertools
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.crowds import Crowds, Turns, in_crowds
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.keys import Keys
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.trimming import Trimming
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import Ints
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.goals import Judge

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
        trims = single and bool(encoded.sensitive) and judge.about_values
        self._trimming = Trimming(encoded, judge, progress) if trims else None

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

    def _turns(self, nodes: list[Node]) -> Turns:
        """Put the nodes in turn: each twice by what its cheaper half loses at most, and by what all lose.

        A row that loses much at a node waits for a better one. Goals on sensitive values need the rows together, and
        large classes leave so many units until late that looking twice would cost more than it brings.
        """
        levels = np.array(nodes, dtype=np.int64).reshape(len(nodes), len(self.encoded.qis))
        if not self.judge.by_size_alone or self.judge.least_rows > _LARGE or not nodes:
            return Turns(levels, np.full(len(nodes), np.inf, dtype=np.float32))
        cheaper, all_ = self._keys.spread(nodes)
        order = np.argsort(np.concatenate([cheaper, all_]), kind="stable")
        most = np.concatenate([cheaper, np.full(len(nodes), np.inf, dtype=np.float32)])
        return Turns(levels[order % len(nodes)], most[order])

    def _walk(self, turns: Turns, left: Ints, share: float) -> Bools:
        """Walk the nodes with some units; say which ones were not left out.

        `share` is how many of the units will be left in the mean: so many visits are reckoned with.
        """
        visits = max(_VISITS if self.judge.by_size_alone else _VISITS_WITH_VALUES, 50 * len(left))
        size_alone, least = self.judge.by_size_alone, self.judge.least_rows
        crowds = Crowds(self._keys, turns, self.encoded.counts, least, pauses=not size_alone)
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
            crowded = in_crowds(key, self.encoded.counts[left], self.judge.least_rows)
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


def _nodes(encoded: Encoded, progress: Progress, seed: int, highest: float) -> list[Node]:
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


def _level_costs(encoded: Encoded) -> list[list[float]]:
    """Give the mean weighted LM of every column and level."""
    rows = max(int(encoded.counts.sum()), 1)
    costs = []
    for j, qi in enumerate(encoded.qis):
        of_leaf = np.bincount(encoded.tuples[:, j], encoded.counts, qi.hierarchy.n_leaves) / rows
        costs.append([float(qi.weight * (of_leaf * qi.hierarchy.loss[nodes]).sum()) for nodes in qi.levels()])
    return costs
