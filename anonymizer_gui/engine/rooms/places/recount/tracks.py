"""Counts released tracks: which are the same, how large classes are, how far tracks of a class are apart."""

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from anonymizer_gui.engine.rooms.places.recount.regions import METRES_PER_DEGREE

Point = tuple[str, str, str]
"""Time and both coordinates, as they are written."""
_COLUMNS = 5


@dataclass(frozen=True, slots=True)
class CountedTracks:
    """What was counted in a file of tracks."""

    tracks: int
    points: int
    classes: int
    smallest: int
    widest: float
    """The farthest two tracks of a class ever are apart, in metres; 0 when they are the same."""


def count_tracks(rows: Sequence[Sequence[str]], delta: float, latitude: float | None) -> CountedTracks:
    """Count tracks; with a delta of 0 a class is who is the same, whatever it says. Raises ValueError."""
    tracks: dict[tuple[str, str], list[Point]] = {}
    for row in rows:
        if len(row) != _COLUMNS:
            raise ValueError
        tracks.setdefault((row[0], row[1]), []).append((row[2], row[3], row[4]))
    if len({number for number, _name in tracks}) < len(tracks):  # a track in two classes
        raise ValueError
    named: dict[str, list[list[Point]]] = {}
    for (_number, name), points in tracks.items():
        named.setdefault(name, []).append(points)
    widest = max((_apart(members, latitude) for members in named.values()), default=0.0)
    sizes = Counter(map(tuple, tracks.values())) if delta == 0 else {name: len(each) for name, each in named.items()}
    return CountedTracks(len(tracks), len(rows), len(sizes), min(sizes.values(), default=0), widest)


def _apart(members: Sequence[Sequence[Point]], latitude: float | None) -> float:
    """Give the farthest two tracks are apart at any instant; raises ValueError when their instants differ."""
    if len({tuple(t for t, _x, _y in track) for track in members}) > 1:
        raise ValueError
    kinds = {tuple(track) for track in members}
    if len(kinds) == 1:
        return 0.0
    return max(
        _metres(one, other, latitude)
        for first, second in itertools.combinations(kinds, 2)
        for one, other in zip(first, second, strict=True)
    )


def _metres(one: Point, other: Point, latitude: float | None) -> float:
    across, up = float(one[1]) - float(other[1]), float(one[2]) - float(other[2])
    if latitude is None:
        return math.hypot(across, up)
    across = (across + 180.0) % 360.0 - 180.0
    return math.hypot(across * METRES_PER_DEGREE * math.cos(math.radians(latitude)), up * METRES_PER_DEGREE)
