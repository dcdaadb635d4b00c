"""Where mix zones are: by hand, and by traffic where most people pass."""

import numpy as np

from anonymizer_gui.engine.shapes.places.places import Ints, Places
from anonymizer_gui.engine.shapes.places.projection import Floats


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


def placed(places: Places, count: int, radius: float, by_hand: Floats) -> Floats:
    """Give zones as x, y and radius: those by hand, then the busiest that overlap none, until there are so many."""
    zones = [tuple(place) for place in by_hand.tolist()]
    for x, y in busiest(places, radius)[0].tolist():
        if len(zones) >= max(count, len(by_hand)):
            break
        if all(np.hypot(x - other[0], y - other[1]) >= 2 * radius for other in zones):
            zones.append((x, y))
    # Whole metres: where zones are is published, and exactly it would tell a mean of points.
    found = np.round(np.array(zones, dtype=float).reshape(-1, 2))
    return np.column_stack([found, np.full(len(found), radius)])


def zone_at(zones: Floats, x: Floats, y: Floats) -> Ints:
    """Give the zone every point is in, the first where it is in several; -1 where it is in none."""
    found = np.full(len(x), -1, dtype=np.int64)
    for number in range(len(zones) - 1, -1, -1):
        west, north, radius = zones[number]
        found[np.hypot(x - west, y - north) <= radius] = number
    return found
