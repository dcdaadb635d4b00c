"""Tracks under changing pseudonyms: what leaves, and what an attacker still links."""

from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.data.places.places import Floats, Places
from anonymizer_gui.engine.rooms.places.mixing.attack import Attacked
from anonymizer_gui.engine.rooms.places.mixing.passages import Passage


@dataclass(frozen=True, slots=True, eq=False)
class Mixed:
    """Legs of tracks, each with a pseudonym and the number of its part; zones, passages and the groups that mix."""

    places: Places
    zones: Floats
    legs: tuple[tuple[int, int, int], ...]
    pseudonym: tuple[int, ...]
    """Of each leg, from 0 on; the same one for legs between which nobody mixed."""
    part: tuple[int, ...]
    passages: tuple[Passage, ...]
    groups: tuple[tuple[int, ...], ...]
    """All groups, as numbers of passages; those below k did not swap."""
    attacked: tuple[Attacked, ...]
    """The attack on the groups that swapped."""
    k: int

    @property
    def swapped(self) -> int:
        """How many passages changed their pseudonym."""
        return sum(len(each.members) for each in self.attacked)

    @property
    def alone(self) -> int:
        """How many passages met nobody."""
        return sum(len(group) == 1 for group in self.groups)

    def mean_sizes(self) -> dict[str, float]:
        """Give the mean size of the set of a passage that swapped: nominal, after timing, after timing and turns."""
        if not self.attacked:
            return {"nominal": 0.0, "timing": 0.0, "both": 0.0}
        nominal = np.concatenate([np.full(len(each.members), len(each.members)) for each in self.attacked])
        timing = np.concatenate([each.effective("timing") for each in self.attacked])
        both = np.concatenate([each.effective() for each in self.attacked])
        return {"nominal": float(nominal.mean()), "timing": float(timing.mean()), "both": float(both.mean())}

    @property
    def linked(self) -> float:
        """The share of passages that swapped and whose true exit an attacker finds most likely."""
        told = [each.linked() for each in self.attacked]
        return float(np.concatenate(told).mean()) if told else 0.0

    def below(self, k: int) -> float:
        """Give the share of passages that swapped with an effective set below k."""
        sizes = [each.effective() for each in self.attacked]
        return float((np.concatenate(sizes) < k).mean()) if sizes else 0.0
