"""What reading places found and left out: impossible speeds, doubles, gaps, cells that are no place."""

from dataclasses import dataclass, field, replace

import numpy as np

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.shapes.places.places import Ints, Places
from anonymizer_gui.engine.shapes.places.projection import Floats
from anonymizer_gui.engine.shapes.tables.io.read_report import Lines

FASTEST = 100.0
"""Metres per second: 360 km/h, faster than anybody on the ground."""
_GAP_STEPS, _GAP_SECONDS = 20.0, 600.0
_MOST_LISTED = 1000
_MUCH = 0.01
SPEED, GAP, DOUBLE = "speed", "gap", "double"


@dataclass(frozen=True, slots=True)
class Odd:
    """One thing to look at: its sort, the track, when, and how much (metres per second, or seconds; 0 for a double)."""

    sort: str
    track: str
    t: float
    value: float


@dataclass(frozen=True, slots=True)
class Found:
    """What there was to see in a file."""

    tracks: int = 0
    points: int = 0
    bad: Lines = field(default=Lines())
    """Lines whose place or time cannot be read; they were left out."""
    empty: int = 0
    """Tracks without a point."""
    odd: tuple[Odd, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    zone: str = ""
    """The zone that was taken for times that name none."""
    read_as: tuple[Message, ...] = ()
    """How the file was understood."""
    distortion: float = 0.0

    @property
    def problems(self) -> tuple[Message, ...]:
        """Say in sentences what the user should look at."""
        count = dict(self.counts)
        told = (
            (self.bad.total, message("{n:line holds|lines hold} no readable place or time and {n:~was|were} left out: "
                                 "{lines}.", n=self.bad.total, lines=self.bad.named())),
            (self.empty, message("{n:track has|tracks have} no point.", n=self.empty)),
            (count.get(DOUBLE, 0), message("{n:point is|points are} at the same instant as another of its track and "
                                       "{n:~was|were} left out.", n=count.get(DOUBLE, 0))),
            (count.get(SPEED, 0), message("{n:time|times} somebody is faster than 360 km/h.", n=count.get(SPEED, 0))),
            (count.get(GAP, 0), message("{n:gap is|gaps are} much longer than the usual step.", n=count.get(GAP, 0))),
            (self.zone, message("Times that name no zone were read as {zone}.", zone=self.zone)),
            (self.distortion > _MUCH, message("The places are far apart: widths at the edge are wrong by {share:.0%}.",
                                          share=self.distortion)),
        )  # fmt: skip
        return (*self.read_as, *(sentence for is_there, sentence in told if is_there))


def without_doubles(places: Places) -> Places:
    """Leave out points at the same instant as the one before them in their track, and remember which."""
    if not places.has_time or not places.n_points:
        return places
    is_same = (np.diff(places.t, prepend=np.nan) == 0) & (np.diff(places.track_of, prepend=-1) == 0)
    listed = np.flatnonzero(is_same)[:_MOST_LISTED]
    names = [places.names[track] for track in places.track_of[listed].tolist()]
    doubles = tuple(zip(names, places.t[listed].tolist(), strict=True))
    return replace(places.where(~is_same), doubles=doubles, n_doubles=int(is_same.sum()))


def odd_things(places: Places) -> tuple[tuple[Odd, ...], tuple[tuple[str, int], ...]]:
    """List speeds nobody has, gaps nobody expects, the worst first, and doubles; and count all of them."""
    doubles = [Odd(DOUBLE, track, t, 0.0) for track, t in places.doubles]
    counted = (DOUBLE, places.n_doubles)
    if not places.has_time or places.n_points <= 1:
        return tuple(doubles), (counted,)
    inner = np.flatnonzero(np.diff(places.track_of) == 0)
    seconds = places.t[inner + 1] - places.t[inner]
    metres = np.hypot(places.x[inner + 1] - places.x[inner], places.y[inner + 1] - places.y[inner])
    speed = metres / np.maximum(seconds, 1e-9)
    usual = float(np.median(seconds)) if len(seconds) else 0.0
    fast, gap = speed > FASTEST, seconds > max(_GAP_STEPS * usual, _GAP_SECONDS)
    listed = [
        *_listed(places, SPEED, inner[fast], speed[fast]),
        *_listed(places, GAP, inner[gap], seconds[gap]),
        *doubles,
    ]
    return tuple(listed), ((SPEED, int(fast.sum())), (GAP, int(gap.sum())), counted)


def _listed(places: Places, sort: str, at: Ints, values: Floats) -> list[Odd]:
    worst = np.argsort(-values, kind="stable")[:_MOST_LISTED]
    return [
        Odd(sort, places.names[int(places.track_of[place])], float(places.t[place]), float(value))
        for place, value in zip(at[worst].tolist(), values[worst].tolist(), strict=True)
    ]
