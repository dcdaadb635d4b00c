"""Items in a chain in which each is followed by the one it is found with most."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.rooms.baskets.attack import as_held
from anonymizer_gui.engine.rooms.baskets.trees.contract import TREES, how_many
from anonymizer_gui.engine.sets.support import count_support

_OFTEN = 256


@TREES.register
@dataclass(frozen=True, slots=True)
class CoOccurrence:
    """Items that are often in the same baskets form a group."""

    name: ClassVar[str] = "co-occurrence"
    title: ClassVar[str] = "By what is found together"
    summary: ClassVar[str] = "Items that the same people hold form a group."

    fan_out: int = how_many()

    def order(self, baskets: Baskets, progress: Progress) -> list[str]:
        """Begin with the most frequent item; go on with the one that is found with it most for how frequent it is."""
        progress(0.0, "Looking what is found together")
        counts = baskets.counts()
        held = as_held(baskets)
        keys, together = count_support(held, 2, progress)
        pairs = held.members(keys, 2)
        likeness = together / np.sqrt(counts[pairs[:, 0]] * counts[pairs[:, 1]]) if len(pairs) else together * 1.0
        one, other = np.concatenate([pairs, pairs[:, ::-1]]).T if len(pairs) else (keys, keys)
        order = np.lexsort((other, -np.concatenate([likeness, likeness]), one))
        first = np.searchsorted(one[order], np.arange(len(counts) + 1))
        neighbours = other[order]
        left = np.ones(len(counts), dtype=np.bool_)
        by_frequency = iter(np.lexsort((np.arange(len(counts)), -counts)).tolist())
        chain: list[int] = []
        while len(chain) < len(counts):
            if len(chain) % _OFTEN == 0:
                progress(len(chain) / len(counts))
            near = neighbours[first[chain[-1]] : first[chain[-1] + 1]] if chain else neighbours[:0]
            free = near[left[near]]
            item = int(free[0]) if len(free) else next(item for item in by_frequency if left[item])
            left[item] = False
            chain.append(item)
        return [baskets.items[item] for item in chain]
