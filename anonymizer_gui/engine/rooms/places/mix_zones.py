"""Zones, passages, pseudonyms; the linking attack and its entropy.

Beresford and Stajano 2003: the anonymity set of a mix zone is the entropy of the attacker's matching of entries to
exits; Palanisamy and Liu 2011 (MobiMix): timing and transition attacks.
"""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.places.places import Floats, Ints, Places
from anonymizer_gui.engine.rooms.places.trajectories import trim_ends

Zone = tuple[float, float, float]
"""Its middle, and how far it reaches."""

_SIZES = (0.5, 2.0)
"""How much smaller or larger than usual a zone may be."""

_BETWEEN = 1.0
"""How many usual radii lie between the edges of zones: who goes from one straight into the next is not seen to leave,
so that nobody could be taken for anybody."""


def busiest_places(places: Places, radius: float) -> tuple[Floats, Ints]:
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


def place_zones(places: Places, count: int, radius: float, by_hand: Floats, *, by_traffic: bool = False) -> Floats:
    """Give zones as x, y and radius: those by hand, then the busiest that are apart from all, until there are so many.

    By traffic a zone reaches farther the more people pass it: its ground grows as their number does.
    """
    middles, people = busiest_places(places, radius)
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


def cut_into_legs(places: Places, zones: Floats, zone_of: Ints, trim: float) -> Legs:
    """Cut tracks at zones; trimmed ends belong to no leg."""
    state = zone_of.copy()
    for track in range(len(places)):
        own = places.points(track)
        left = trim_ends(places.x[own], places.y[own], trim)
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


def group_passages(passages: list[Passage], window: float, person_of: Ints) -> list[list[int]]:
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


_EXACT = 8
"""Groups up to this size are matched exactly: all ways to match them are summed up."""

_ROUNDS = 60

_LEAST_SPREAD = 2.0

_SEEN_ENOUGH = 3

_TINY = 1e-300


@dataclass(frozen=True, slots=True)
class ZoneStatistics:
    """What an attacker knows of a zone: how likely each turn is, and how long it takes."""

    turns: Floats
    mean: Floats
    spread: Floats


@dataclass(frozen=True, slots=True)
class LinkingResult:
    """What became of one group: its passages, the attacker's probabilities, effective sizes, and whether linked."""

    members: tuple[int, ...]
    timing: Floats
    both: Floats
    """A row per member who entered, a column per member who left."""

    def effective(self, which: str = "both") -> Floats:
        """Give the effective size of the set of each member: two to the entropy."""
        return effective_sizes(self.timing if which == "timing" else self.both)

    def linked(self) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
        """Tell whose true exit the attacker finds most likely."""
        return np.asarray(self.both.argmax(axis=1) == np.arange(len(self.members)))


def learn_statistics(passages: list[Passage], zone: int) -> ZoneStatistics:
    """Learn turns and times of a zone from passages; what was seldom seen is taken from the whole zone."""
    own = [one for one in passages if one.zone == zone]
    turns = np.full((PORTS, PORTS), 0.2)
    times: dict[tuple[int, int], list[float]] = {}
    for one in own:
        turns[one.port_in, one.port_out] += 1
        times.setdefault((one.port_in, one.port_out), []).append(one.t_out - one.t_in)
    every = [one.t_out - one.t_in for one in own] or [60.0]
    mean = np.full((PORTS, PORTS), float(np.mean(every)))
    spread = np.full((PORTS, PORTS), max(float(np.std(every)), _LEAST_SPREAD))
    for (port_in, port_out), seen in times.items():
        if len(seen) >= _SEEN_ENOUGH:
            mean[port_in, port_out] = np.mean(seen)
            spread[port_in, port_out] = max(float(np.std(seen)), _LEAST_SPREAD)
    return ZoneStatistics(turns / turns.sum(axis=1, keepdims=True), mean, spread)


def match_weights(group: list[Passage], known: ZoneStatistics, *, with_turns: bool) -> Floats:
    """Give how well each exit fits each entry: the time it took, and how likely the turn is."""
    t_in, t_out = np.array([one.t_in for one in group]), np.array([one.t_out for one in group])
    ports_in, ports_out = np.array([one.port_in for one in group]), np.array([one.port_out for one in group])
    took = t_out[None, :] - t_in[:, None]
    mean, spread = (known.mean, known.spread)
    at = (ports_in[:, None], ports_out[None, :])
    likely = np.exp(-0.5 * ((took - mean[at]) / spread[at]) ** 2) / spread[at] + 1e-12
    if with_turns:
        likely = likely * known.turns[at]
    last, again = np.array([one.last_seen for one in group]), np.array([one.seen_again for one in group])
    return np.where(again[None, :] > last[:, None], likely, 0.0)


def match_probabilities(weight: Floats) -> Floats:
    """Give the probability that an entry belongs to an exit when everybody leaves once: the marginals of the matching.

    Small groups exactly, over all ways to match them; larger ones by Sinkhorn's scaling, which may be somewhat less
    sure than the exact sum and so find sets a little larger.
    """
    if len(weight) == 1:
        return np.ones((1, 1))
    found = _exactly(weight) if len(weight) <= _EXACT else _attack_scaled(weight)
    total = found.sum(axis=1, keepdims=True)
    return np.where(total > 0, found / np.maximum(total, _TINY), np.eye(len(weight)))


def _exactly(weight: Floats) -> Floats:
    """Sum over all matchings, by the sets of exits that are taken: forwards and backwards."""
    size = len(weight)
    scale = weight / np.maximum(weight.max(axis=1, keepdims=True), _TINY)
    steps = [(row, taken, column) for row in range(size) for taken in _sets(size, row)
             for column in range(size) if not taken >> column & 1]  # fmt: skip
    ahead, behind = np.zeros((size + 1, 1 << size)), np.zeros((size + 1, 1 << size))
    ahead[0, 0], behind[size, -1] = 1.0, 1.0
    for row, taken, column in steps:
        ahead[row + 1, taken | 1 << column] += ahead[row, taken] * scale[row, column]
    for row, taken, column in reversed(steps):
        behind[row, taken] += behind[row + 1, taken | 1 << column] * scale[row, column]
    found = np.zeros((size, size))
    for row, taken, column in steps:
        found[row, column] += ahead[row, taken] * scale[row, column] * behind[row + 1, taken | 1 << column]
    return found


def _sets(size: int, many: int) -> list[int]:
    """List the sets of so many exits, as bits of a number."""
    return [taken for taken in range(1 << size) if taken.bit_count() == many]


def _attack_scaled(weight: Floats) -> Floats:
    found = weight.copy()
    for _round in range(_ROUNDS):
        found /= np.maximum(found.sum(axis=1, keepdims=True), _TINY)
        found /= np.maximum(found.sum(axis=0, keepdims=True), _TINY)
    return found


def effective_sizes(chances: Floats) -> Floats:
    """Give two to the entropy of each row: as many equally likely exits would be as uncertain.

    >>> effective_sizes(np.array([[0.5, 0.5], [1.0, 0.0]])).tolist()
    [2.0, 1.0]
    """
    safe = np.where(chances > 0, chances, 1.0)
    found: Floats = np.exp2(-(chances * np.log2(safe)).sum(axis=1))
    return found


def attack_zone(
    passages: list[Passage], groups: list[list[int]], person_of: Ints, progress: Progress = SILENT
) -> list[LinkingResult]:
    """Attack every group; what is known of turns and times is learned from the other half of the people.

    Nobody is attacked with their own passages: the statistics of those with even numbers are learned from odd ones.
    """
    known: dict[tuple[int, int], ZoneStatistics] = {}
    halves = [[one for one in passages if person_of[one.track] % 2 == half] for half in (0, 1)]
    found = []
    for number, members in enumerate(groups):
        progress(number / max(len(groups), 1), "Attacking the zones")
        group = [passages[at] for at in members]
        zone = group[0].zone
        timing, both = np.zeros((len(group), len(group))), np.zeros((len(group), len(group)))
        for half in (0, 1):
            if (zone, half) not in known:
                known[zone, half] = learn_statistics(halves[1 - half], zone)
            mine = np.array([person_of[one.track] % 2 == half for one in group])
            if mine.any():
                timing[mine] = match_probabilities(match_weights(group, known[zone, half], with_turns=False))[mine]
                both[mine] = match_probabilities(match_weights(group, known[zone, half], with_turns=True))[mine]
        found.append(LinkingResult(tuple(members), timing, both))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class MixedTrajectories:
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
    attacked: tuple[LinkingResult, ...]
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
