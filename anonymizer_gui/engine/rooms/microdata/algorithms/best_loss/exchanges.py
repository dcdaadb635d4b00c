"""Exchanges between the classes of one part of the table: chains, classes opened or parted, the better halves kept."""

import numpy as np

from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.block import Block
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.chains import apart, chains
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.crossing import worse_units
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.dissolving import Opened, ways_of
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.dissolving import apart as opened_apart
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.levels import Levels
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.opening import Openings
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.parting import parted
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.state import Bools
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import Ints
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.goals import Judge

NEAR = 8
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


class Exchanges:
    """Improves the classes of one block of units; every method counts what it checks."""

    def __init__(self, units: Ints, block: Block, levels: Levels, judge: Judge, random: np.random.Generator) -> None:
        self.units = units
        self.block = block
        self.levels = levels
        self.judge = judge
        self.random = random
        self.near = block.nearest(np.arange(len(units)), NEAR)
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
            found = chains(self.block, asked, self.near, self.judge.least_rows, _DEPTH)
            self.settled = not self._make(*apart(self.block, found))
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
        back, is_better = worse_units(old, block.group, old_cost, block.loss[block.group] * block.counts)
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
            ways = ways_of(block, self.near)
            openings = Openings(block, self.levels.keys, ways, self.judge.least_rows)
            found = []
            for node in self.levels.drawn(block, min(_NODES, 2 + n_live // 8), random):
                block.progress.check()
                found += openings.at(node, heat * random.random() ** 2)
                self.checks += max(1, len(self.units) // _UNITS_PER_CHECK)
            self._make_opened(opened_apart(block, ways, found), heat)

    def _make_opened(self, opened: Opened, heat: float) -> None:
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
        near, width = self.block.nearest(units, NEAR), self.near.shape[1]
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
        for piece in parted(self.block, self._pairs(), self.judge.least_rows, self.random):
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
