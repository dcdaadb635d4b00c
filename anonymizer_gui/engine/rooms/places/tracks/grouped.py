"""Tracks in classes: what leaves of them, how far it is from the truth, and which were lost and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from anonymizer_gui.engine.data.places.places import Floats, Ints

FAR, RARE, SHORT = "far", "rare", "short"
REASONS = {
    FAR: "too far from all others",
    RARE: "too few tracks over the same time",
    SHORT: "nothing left after trimming",
}
"""Why a track is lost."""


@dataclass(frozen=True, slots=True, eq=False)
class TrackClass:
    """Tracks that leave together: their numbers, the instants, where they truly were and what is published.

    `true` and `shown` have a row per track, a column per instant, and metres east and north.
    """

    tracks: Ints
    times: Floats
    true: Floats
    shown: Floats


@dataclass(frozen=True, eq=False)
class Grouped:
    """The classes of a run, and what became of the rest."""

    classes: tuple[TrackClass, ...]
    lost: Mapping[int, str]
    """The tracks that do not leave, with the reason."""
    n_tracks: int
    is_relative: bool
    delta: float
    step: float
    cut: int = 0
    """Instants that were cut off so that more tracks are equally long."""
    trimmed: Mapping[int, float] = field(default_factory=dict)
    """Metres that were trimmed off both ends of a track."""

    @property
    def n_kept(self) -> int:
        """How many tracks leave."""
        return sum(len(each.tracks) for each in self.classes)

    @property
    def smallest(self) -> int:
        """How many tracks the smallest class has; 0 when there is none."""
        return min((len(each.tracks) for each in self.classes), default=0)

    @cached_property
    def displacements(self) -> Floats:
        """How far every published point is from where somebody truly was, in metres."""
        apart = [np.hypot(*(each.shown - each.true).transpose(2, 0, 1)).reshape(-1) for each in self.classes]
        return np.concatenate(apart) if apart else np.empty(0)

    @property
    def mean_displacement(self) -> float:
        """The mean displacement in metres."""
        return float(self.displacements.mean()) if len(self.displacements) else 0.0
