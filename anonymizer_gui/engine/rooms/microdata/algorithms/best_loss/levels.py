"""Combinations of levels near to those of dear classes, at which new classes may be opened."""

from collections.abc import Iterator

import numpy as np

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.block import Block
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.keys import Keys
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import Ints
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded

_TRIED = 64
_KEPT = 0.5
_CHEAPER = 1e-6


class Levels:
    """The nodes of some units at all levels; `keys` stand for their boxes there."""

    def __init__(self, encoded: Encoded, units: Ints, progress: Progress) -> None:
        self.keys = Keys(encoded, progress, 0, units)
        self._nodes = [qi.levels()[:, encoded.tuples[units, j]] for j, qi in enumerate(encoded.qis)]
        self._shape = [len(nodes) for nodes in self._nodes]

    def drawn(self, block: Block, number: int, random: np.random.Generator) -> Iterator[tuple[int, ...]]:
        """Draw rows by what they lose, and for each a combination of levels at which it loses less, if one is found."""
        until = np.cumsum(block.loss[block.group] * block.counts)
        for unit in np.searchsorted(until, random.random(number) * until[-1], side="right").tolist():
            unit = min(unit, len(until) - 1)
            tried = self._near(block, unit, random)
            cheaper = self.keys.lost_by(unit, tried) < block.loss[block.group[unit]] - _CHEAPER
            if cheaper.any():
                yield tuple(tried[cheaper.argmax()].tolist())

    def _near(self, block: Block, unit: int, random: np.random.Generator) -> Ints:
        """Draw combinations of levels, in about half of the columns those of the class of a unit."""
        mine = block.members(block.group[[unit]])[0][0]
        own = [int((nodes[:, mine] == nodes[:, mine[:1]]).all(axis=1).argmax()) for nodes in self._nodes]
        other = random.integers(0, self._shape, (_TRIED, len(own)))
        return np.where(random.random(other.shape) < _KEPT, own, other)
