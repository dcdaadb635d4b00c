"""Counts released tracks under pseudonyms: how many mix together, and that nothing inside a zone is told."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from anonymizer_gui.engine.rooms.places.recount.regions import METRES_PER_DEGREE

_TRACK_COLUMNS, _MIX_COLUMNS = 5, 4
_SLACK_METRES = 0.2
"""Published numbers are rounded to a decimetre."""


@dataclass(frozen=True, slots=True)
class CountedMix:
    """What was counted in the files of a release with pseudonyms."""

    pseudonyms: int
    points: int
    mixes: int
    smallest: int
    inside: int
    """Published points that lie inside a zone."""


def count_mix(
    rows: Sequence[Sequence[str]],
    mixes: Sequence[Sequence[str]],
    zones: Sequence[Sequence[float]],
    latitude: float | None,
) -> CountedMix:
    """Count pseudonyms, mixes and points in zones; raises ValueError when the two tables do not fit together."""
    first, last = _ends(rows)
    ended: dict[str, list[str]] = {}
    begun: dict[str, list[str]] = {}
    zone_of: dict[str, str] = {}
    for row in mixes:
        if len(row) != _MIX_COLUMNS or row[3] not in ("in", "out") or row[2] not in first:
            raise ValueError
        (ended if row[3] == "in" else begun).setdefault(row[0], []).append(row[2])
        if zone_of.setdefault(row[0], row[1]) != row[1] or not 1 <= int(row[1]) <= len(zones):
            raise ValueError
    for sides in (ended, begun):
        listed = [track for tracks in sides.values() for track in tracks]
        if len(set(listed)) < len(listed):
            raise ValueError
    for group in {*ended, *begun}:
        _check(ended.get(group, []), begun.get(group, []), first, last)
    inside = sum(_is_inside(float(row[3]), float(row[4]), zones, latitude) for row in rows)
    smallest = min((len(tracks) for tracks in ended.values()), default=0)
    return CountedMix(len(first), len(rows), len(ended), smallest, inside)


def _ends(rows: Sequence[Sequence[str]]) -> tuple[dict[str, str], dict[str, str]]:
    """Give when each pseudonym begins and ends; raises ValueError when a track goes back in time."""
    first: dict[str, str] = {}
    last: dict[str, str] = {}
    for row in rows:
        if len(row) != _TRACK_COLUMNS or (row[0] in last and row[2] <= last[row[0]]):
            raise ValueError
        first.setdefault(row[0], row[2])
        last[row[0]] = row[2]
    return first, last


def _check(ended: Sequence[str], begun: Sequence[str], first: dict[str, str], last: dict[str, str]) -> None:
    """Raise ValueError unless as many begin as end, and each that begins could be some that ended."""
    if len(ended) != len(begun) or set(ended) & set(begun):
        raise ValueError
    if not all(any(last[one] < first[other] for one in ended) for other in begun):
        raise ValueError


def _is_inside(x: float, y: float, zones: Sequence[Sequence[float]], latitude: float | None) -> bool:
    for west, north, radius in zones:
        across, up = x - west, y - north
        if latitude is not None:
            across = ((across + 180.0) % 360.0 - 180.0) * METRES_PER_DEGREE * math.cos(math.radians(latitude))
            up *= METRES_PER_DEGREE
        if math.hypot(across, up) < radius - _SLACK_METRES:
            return True
    return False
