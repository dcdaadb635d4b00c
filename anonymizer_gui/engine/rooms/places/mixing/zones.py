"""Where mix zones are: by hand, and by traffic where most people pass."""

from collections.abc import Iterable

import numpy as np

from anonymizer_gui.engine.data.places.places import Floats, Ints, Places

Zone = tuple[float, float, float]
"""Its middle, and how far it reaches."""
_SIZES = (0.5, 2.0)
"""How much smaller or larger than usual a zone may be."""
_BETWEEN = 1.0
"""How many usual radii lie between the edges of zones: who goes from one straight into the next is not seen to leave,
so that nobody could be taken for anybody."""


def busiest(places: Places, radius: float) -> tuple[Floats, Ints]:
    """Give places where people pass, and how many people do, the busiest first.

    The ground is cut into cells as wide as a zone's radius; a place is the middle of the points in its cell. Who
    begins or ends there does not pass.
    """
    first, last = places.starts[:-1][places.track_of], places.starts[1:][places.track_of] - 1
    away = [np.hypot(places.x - places.x[end], places.y - places.y[end]) > radius for end in (first, last)]
    passing = np.flatnonzero(away[0] & away[1])
    if not len(passing):
        return np.empty((0, 2)), np.zeros(0, dtype=np.int64)
    x, y = places.x[passing], places.y[passing]
    _kinds, cell = np.unique(np.floor(np.column_stack([x, y]) / radius), axis=0, return_inverse=True)
    cell = cell.reshape(-1)
    person = places.person_of[places.track_of[passing]]
    pairs = np.unique(np.column_stack([cell, person]), axis=0)[:, 0]
    people = np.bincount(pairs, minlength=int(cell.max()) + 1)
    points = np.bincount(cell)
    middle = np.column_stack([np.bincount(cell, x) / points, np.bincount(cell, y) / points])
    order = np.lexsort((np.arange(len(people)), -people))
    return middle[order], people[order]


def placed(places: Places, count: int, radius: float, by_hand: Floats, *, by_traffic: bool = False) -> Floats:
    """Give zones as x, y and radius: those by hand, then the busiest that are apart from all, until there are so many.

    By traffic a zone reaches farther the more people pass it: its ground grows as their number does.
    """
    middles, people = busiest(places, radius)
    usual = float(np.median(people[: max(count, 1)])) if len(people) else 1.0
    zones = [(x, y, _reach(places, (x, y), radius, usual) if by_traffic else radius) for x, y in by_hand.tolist()]
    for (x, y), passing in zip(middles.tolist(), people.tolist(), strict=True):
        if len(zones) >= max(count, len(by_hand)):
            break
        reach = _scaled(radius, passing, usual) if by_traffic else radius
        if is_apart((x, y, reach), zones, radius):
            zones.append((x, y, reach))
    # Whole metres: where zones are is published, and exactly it would tell a mean of points.
    found = np.array(zones, dtype=float).reshape(-1, 3)
    return np.column_stack([np.round(found[:, :2]), found[:, 2]])


def is_apart(zone: Zone, others: Iterable[Zone], radius: float) -> bool:
    """Tell whether there is ground between a zone and all others on which people are seen."""
    x, y, reach = zone
    return all(
        np.hypot(x - other_x, y - other_y) >= reach + other_reach + _BETWEEN * radius
        for other_x, other_y, other_reach in others
    )


def _reach(places: Places, at: tuple[float, float], radius: float, usual: float) -> float:
    """Give how far a zone by hand reaches."""
    near = np.hypot(places.x - at[0], places.y - at[1]) <= radius / 2
    return _scaled(radius, len(set(places.person_of[places.track_of[near]].tolist())), usual)


def _scaled(radius: float, people: int, usual: float) -> float:
    least, most = _SIZES
    return float(np.ceil(radius * min(max((people / max(usual, 1.0)) ** 0.5, least), most)))


def zone_at(zones: Floats, x: Floats, y: Floats) -> Ints:
    """Give the zone every point is in, the first where it is in several; -1 where it is in none."""
    found = np.full(len(x), -1, dtype=np.int64)
    for number in range(len(zones) - 1, -1, -1):
        west, north, radius = zones[number]
        found[np.hypot(x - west, y - north) <= radius] = number
    return found
