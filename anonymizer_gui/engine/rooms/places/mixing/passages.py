"""Passages through zones: who went in and out when and where, and the legs of tracks between them."""

import itertools
from dataclasses import dataclass, field

import numpy as np

from anonymizer_gui.engine.data.places.places import Floats, Ints, Places
from anonymizer_gui.engine.rooms.places.tracks.resampling import trimmed_ends

PORTS = 8
"""Directions a zone is entered from and left to."""
_GONE = -2
_STANDS = 1e-9


@dataclass(frozen=True, slots=True)
class Passage:
    """Somebody going through a zone as published points tell it, and the legs of their track before and after it.

    Who watches sees the last point before a zone and the first after it, and reckons when the edge was crossed.
    """

    zone: int
    track: int
    t_in: float
    t_out: float
    port_in: int
    port_out: int
    before: int
    after: int
    last_seen: float
    seen_again: float


@dataclass(slots=True)
class Legs:
    """Pieces of tracks outside all zones, as ranges of points, and the passages that lie between two of one track."""

    legs: list[tuple[int, int, int]] = field(default_factory=list)
    """The track, the first point, and the one after the last."""
    passages: list[Passage] = field(default_factory=list)


def legs_of(places: Places, zones: Floats, zone_of: Ints, trim: float) -> Legs:
    """Cut tracks at zones; trimmed ends belong to no leg."""
    state = zone_of.copy()
    for track in range(len(places)):
        own = places.points(track)
        left = trimmed_ends(places.x[own], places.y[own], trim)
        state[own.start : own.start + left.start] = _GONE
        state[own.start + left.stop : own.stop] = _GONE
    found = Legs()
    changes = np.flatnonzero((np.diff(state) != 0) | (np.diff(places.track_of) != 0)) + 1
    bounds = [0, *changes.tolist(), places.n_points] if places.n_points else [0]
    runs = [(low, high, int(state[low]), int(places.track_of[low])) for low, high in itertools.pairwise(bounds)]
    last: tuple[int, int, int] | None = None
    """Track, zone and number of the leg before the zone that was just gone through."""
    for number, (low, high, where, track) in enumerate(runs):
        if where == -1:
            found.legs.append((track, low, high))
            if last is not None and last[0] == track:
                found.passages.append(_passage(places, zones[last[1]], last, found.legs))
            last = None
        elif where >= 0 and number and runs[number - 1][2] == -1 and runs[number - 1][3] == track:
            last = (track, where, len(found.legs) - 1)
        else:
            last = None
    return found


def _passage(places: Places, zone: Floats, entered: tuple[int, int, int], legs: list[tuple[int, int, int]]) -> Passage:
    track, number, before = entered
    _track, start, end = legs[before]
    _track, again, stop = legs[-1]
    t_in, port_in = _crossing(places, zone, end - 1, max(end - 2, start))
    t_out, port_out = _crossing(places, zone, again, min(again + 1, stop - 1))
    seen = float(places.t[end - 1]), float(places.t[again])
    return Passage(number, track, t_in, t_out, port_in, port_out, before, len(legs) - 1, *seen)


def _crossing(places: Places, zone: Floats, near: int, other: int) -> tuple[float, int]:
    """Reckon when and where the edge of a zone was crossed, going on straight and as fast as between two points.

    Points inside are not published, so nobody can do better than that; it took no longer than between the points.
    """
    at = np.array([places.x[near], places.y[near]]) - zone[:2]
    step = np.array([places.x[near] - places.x[other], places.y[near] - places.y[other]])
    share = _share_to_edge(at, step, float(zone[2]))
    x, y = (at + share * step).tolist()
    sector = int((np.arctan2(y, x) / (2 * np.pi) * PORTS + PORTS + 0.5) % PORTS)
    return float(places.t[near] + share * (places.t[near] - places.t[other])), sector


def _share_to_edge(at: Floats, step: Floats, radius: float) -> float:
    """Give after which share of a step the circle is met; by the distance alone where the step leads past it."""
    far, length = float(np.hypot(*at)), float(np.hypot(*step))
    if length < _STANDS:
        return 0.0
    along = float(at @ step) / length
    root = along * along - (far * far - radius * radius)
    way = -along - np.sqrt(root) if root >= 0 and along < 0 else far - radius
    return float(min(max(way / length, 0.0), 1.0))


def grouped(passages: list[Passage], window: float, person_of: Ints) -> list[list[int]]:
    """Put passages of a zone together that overlap and entered within a window: who may be taken for each other.

    Whoever is alone, or comes when the others are gone, mixes with nobody; nobody is in a group twice.
    """
    groups: list[list[int]] = []
    until, people = -np.inf, set[int]()
    for at in sorted(range(len(passages)), key=lambda at: (passages[at].zone, passages[at].t_in, at)):
        one, person = passages[at], int(person_of[passages[at].track])
        first = passages[groups[-1][0]] if groups else one
        meets = one.zone == first.zone and one.t_in <= first.t_in + window and one.t_in < until
        if groups and meets and person not in people:
            groups[-1].append(at)
            until = max(until, one.t_out)
        else:
            groups.append([at])
            until, people = one.t_out, set()
        people.add(person)
    return groups
