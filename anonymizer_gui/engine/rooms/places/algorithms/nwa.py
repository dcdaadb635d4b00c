"""Never Walk Alone: k near tracks are moved onto each other (Abul, Bonchi and Nanni, ICDE 2008)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Float, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.places import Floats, Ints, Places
from anonymizer_gui.engine.rooms.places.algorithms.contract import ALGORITHMS, TRACKS, Algorithm, Wanted
from anonymizer_gui.engine.rooms.places.tracks.clustering import clusters
from anonymizer_gui.engine.rooms.places.tracks.grouped import FAR, Grouped, TrackClass
from anonymizer_gui.engine.rooms.places.tracks.resampling import sampled

RELATIVE, ABSOLUTE = "relative", "absolute"
_MARGIN = 0.2
"""Metres a disc is smaller than allowed, for published numbers are rounded."""


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class Nwa(Algorithm):
    """Tracks over the same time in groups of k people; with a delta of 0 all of a group become the same track."""

    name: ClassVar[str] = "nwa"
    title: ClassVar[str] = "Never Walk Alone"
    summary: ClassVar[str] = (
        "Groups k near tracks and publishes the same track for all of them; who is too far is lost."
    )
    way: ClassVar[str] = TRACKS
    needs_time: ClassVar[bool] = True
    is_usual: ClassVar[bool] = True

    delta: float = param(
        Float(low=0, high=1e6), default=0.0, label="Uncertainty (delta) in metres",
        help="0: k identical tracks. Above, tracks of a group differ by up to this at any time, which protects only "
        "as long as nobody knows places more exactly.", series=(0, 100, 200, 500),
    )  # fmt: skip
    time: str = param(
        Choice({RELATIVE: "Relative: only the time since the start is published", ABSOLUTE: "Absolute"}),
        default=RELATIVE, label="Time", help="Absolute times group only tracks over the same time of the same day.",
    )  # fmt: skip
    step: float = param(
        Float(low=0, high=86_400), default=0.0, label="Seconds between points",
        help="Of what is published; 0 takes the usual step of the file.",
    )  # fmt: skip
    trim: float = param(
        Float(low=0, high=100_000), default=0.0, label="Trim ends by metres",
        help="Leaves out the beginning and the end of each track near its first and last point: home.",
        series=(0, 100, 200, 500),
    )  # fmt: skip
    most_lost: float = param(
        Float(low=0.0, high=1.0), default=0.1, label="Share of far tracks that may be lost",
        help="The radius of groups grows until no more are lost: fewer lost tracks are moved farther.",
    )  # fmt: skip

    def metres_apart(self) -> float:
        """Give the uncertainty it relies on."""
        return self.delta

    def run(self, places: Places, wanted: Wanted, progress: Progress) -> Grouped:
        """Bring tracks to common instants, group them, and move each group together; raises Infeasible."""
        progress(0.0, "Bringing tracks to common times")
        is_relative = self.time == RELATIVE
        found = sampled(places, wanted.k, self.step, self.trim, is_relative=is_relative)
        classes, lost = [], dict(found.lost)
        for at, (span, (tracks, at_instants)) in enumerate(found.spans.items()):
            part = progress.sub(0.1 + 0.9 * at / len(found.spans), 0.1 + 0.9 * (at + 1) / len(found.spans))
            there, numbers = np.array(at_instants), np.array(tracks, dtype=np.int64)
            groups, left = clusters(there, places.person_of[numbers], wanted.k, self.most_lost, part)
            lost |= {int(numbers[track]): FAR for track in left}
            times = (np.arange(span.steps + 1) + span.first) * found.step
            classes += [self._class(numbers, there, times, np.array(group, dtype=np.int64)) for group in groups]
        if not classes:
            raise Infeasible(
                message("No {k} tracks can be put together.", k=wanted.k),
                "Choose a smaller k, or relative time." if not is_relative else "Choose a smaller k.", "k", "",
            )  # fmt: skip
        return Grouped(tuple(classes), lost, len(places), is_relative, self.delta, found.step, found.cut, found.trimmed)

    def _class(self, numbers: Ints, there: Floats, times: Floats, group: Ints) -> TrackClass:
        true = there[group]
        return TrackClass(numbers[group], times, true, moved(true, self.delta))


def moved(true: Floats, delta: float) -> Floats:
    """Move every point onto the disc of half of delta around the mean of its group at that time."""
    middle = true.mean(axis=0, keepdims=True)
    reach = max(delta / 2 - _MARGIN, 0.0)
    away = true - middle
    far = np.sqrt((away**2).sum(axis=2, keepdims=True))
    found: Floats = middle + away * np.minimum(1.0, reach / np.maximum(far, 1e-12))
    return found
