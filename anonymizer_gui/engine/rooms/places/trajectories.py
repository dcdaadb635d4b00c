"""Trajectories resampled and clustered; published classes; visits as tiles.

The clustering of Never Walk Alone (Abul, Bonchi and Nanni, ICDE 2008).
"""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.places import Floats, Ints, Places

FAR, RARE, SHORT = "far", "rare", "short"

REASONS = {
    FAR: "too far from all others",
    RARE: "too few tracks over the same time",
    SHORT: "nothing left after trimming",
}
"""Why a track is lost."""


@dataclass(frozen=True, slots=True, eq=False)
class TrajectoryClass:
    """Tracks that leave together: their numbers, the instants, where they truly were and what is published.

    `true` and `shown` have a row per track, a column per instant, and metres east and north.
    """

    tracks: Ints
    times: Floats
    true: Floats
    shown: Floats


@dataclass(frozen=True, eq=False)
class TrajectoryClasses:
    """The classes of a run, and what became of the rest."""

    classes: tuple[TrajectoryClass, ...]
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


Node = tuple[int, int, int, int]
"""A level, column and row of a square of tiles, and a number of slots; the finest are of level 0."""

DAY = "day"

_SECONDS = 86_400

FOLDS = {DAY: (0, _SECONDS), "week": (3 * _SECONDS, 7 * _SECONDS), "none": (0, 0)}
"""By how many seconds times are shifted, so that weeks begin on Monday, and after how many they begin anew."""


@dataclass(frozen=True, eq=False)
class TiledVisits:
    """Rows of a person's number and a node, every pair once; nodes are given by their number in `nodes`."""

    people: int
    published: Ints
    nodes: tuple[Node, ...]
    tile: float
    slot: float
    clock: str
    known: int
    visits: int
    deleted: int
    loss: float
    kinds: int
    """How many different tiles and slots there were."""

    @property
    def kinds_left(self) -> int:
        """How many different ones are told."""
        return len(np.unique(self.published[:, 1]))

    @cached_property
    def sets(self) -> tuple[tuple[Node, ...], ...]:
        """What is told of each person of whom anything is, in an order that tells nothing."""
        held: dict[int, list[Node]] = {}
        for person, node in self.published.tolist():
            held.setdefault(person, []).append(self.nodes[node])
        return tuple(sorted(tuple(sorted(nodes)) for nodes in held.values()))

    def box(self, node: Node) -> tuple[float, float, float, float]:
        """Give west, south, east and north of a node in metres."""
        level, x, y, _slot = node
        side = self.tile * (1 << level)
        return x * side, y * side, (x + 1) * side, (y + 1) * side

    def span(self, node: Node) -> tuple[float, float]:
        """Give the seconds from which to which a node reaches."""
        level, _x, _y, slot = node
        wide = self.slot * 4 ** (level // 2)
        fold = FOLDS[self.clock][1]
        return slot * wide, min((slot + 1) * wide, fold) if fold else (slot + 1) * wide


_MOST_IN_A_UNIT, _UNITS = 16, 4
"""In relative time spans end at multiples of so many steps, so that many tracks share one; the usual track has at least
so many units, or short ones would be cut down to a point."""

_TRIED = 64
"""In absolute time units up to so many steps are tried."""

_MOST_STEPS = 2000
"""Steps of the longest span: a longer track is cut into no more, by a wider step."""

_TINY = 1e-9


@dataclass(frozen=True, slots=True)
class Span:
    """The instants some tracks are published at: the first, and how many steps follow."""

    first: int
    steps: int


@dataclass(frozen=True, slots=True, eq=False)
class ResampledTrajectories:
    """Tracks by span, each with its places at the instants of the span; those that fit in none, with the reason."""

    spans: dict[Span, tuple[list[int], list[Floats]]]
    lost: dict[int, str]
    step: float
    cut: int
    trimmed: dict[int, float]


def median_step(places: Places) -> float:
    """Give the usual time between two points of a track, in seconds."""
    inner = np.diff(places.track_of) == 0
    steps = np.diff(places.t)[inner]
    return max(float(np.median(steps)), 1.0) if len(steps) else 1.0


def trim_ends(x: Floats, y: Floats, metres: float) -> slice:
    """Give what is left of a track without the beginning near its first and the end near its last point."""
    if not metres or not len(x):
        return slice(0, len(x))
    away = np.flatnonzero(np.hypot(x - x[0], y - y[0]) > metres)
    back = np.flatnonzero(np.hypot(x - x[-1], y - y[-1]) > metres)
    if not len(away) or not len(back):
        return slice(0, 0)
    return slice(int(away[0]), int(back[-1]) + 1)


def resample(places: Places, k: int, step: float, trim: float, *, is_relative: bool) -> ResampledTrajectories:
    """Bring tracks to common instants, in spans that at least k people share where that is possible.

    In relative time only the length counts, and a length that too few have is cut to the next shorter one.
    """
    step = step or median_step(places)
    longest = max((float(places.t[end - 1] - places.t[begin]) for begin, end in _ends(places)), default=0.0)
    step = max(step, longest / _MOST_STEPS)
    kept, off = _trimmed(places, trim)
    unit = _unit(places, kept, step) if is_relative else _unit_of_the_day(places, kept, step, k)
    spans: dict[Span, list[int]] = {}
    lost = {track: SHORT for track in range(len(places)) if track not in kept}
    for track, part in kept.items():
        span = _span(places.t[part], step, unit, is_relative)
        if span is None:
            lost[track] = SHORT
        else:
            spans.setdefault(span, []).append(track)
    if is_relative:
        _shorten(spans, k, places)
    for span in [span for span, tracks in spans.items() if _people(places, tracks) < k]:
        lost |= dict.fromkeys(spans.pop(span), RARE)
    cut = sum(_steps(places.t[kept[track]], step) - span.steps for span, tracks in spans.items() for track in tracks)
    found = {
        span: (tracks, [_at_instants(places, kept[track], span, step, is_relative) for track in tracks])
        for span, tracks in sorted(spans.items(), key=lambda item: (item[0].first, item[0].steps))
    }
    return ResampledTrajectories(found, lost, step, cut, off)


def _ends(places: Places) -> list[tuple[int, int]]:
    starts = places.starts.tolist()
    return list(itertools.pairwise(starts))


def _length(places: Places, part: slice) -> float:
    return float(np.hypot(np.diff(places.x[part]), np.diff(places.y[part])).sum())


def _people(places: Places, tracks: list[int]) -> int:
    return len(set(places.person_of[tracks].tolist()))


def _trimmed(places: Places, trim: float) -> tuple[dict[int, slice], dict[int, float]]:
    """Give the points that are left of each track, and how many metres were trimmed."""
    kept: dict[int, slice] = {}
    off: dict[int, float] = {}
    for track, (begin, end) in enumerate(_ends(places)):
        left = trim_ends(places.x[begin:end], places.y[begin:end], trim)
        part = slice(begin + left.start, begin + left.stop)
        if trim:
            off[track] = _length(places, slice(begin, end)) - _length(places, part)
        if part.stop > part.start:
            kept[track] = part
    return kept, off


def _steps(t: Floats, step: float) -> int:
    """Count the whole steps from the first point to the last."""
    return int((t[-1] - t[0]) / step + _TINY)


def _unit(places: Places, kept: dict[int, slice], step: float) -> int:
    """Give how many steps a span grows by: of those that cut off least of a usual track, the longest."""
    usual = int(np.median([_steps(places.t[part], step) for part in kept.values()])) if kept else 0
    most = min(_MOST_IN_A_UNIT, max(usual // _UNITS, 1))
    return max(range(most // 2 + 1, most + 1), key=lambda unit: (-(usual % unit), unit))


def _unit_of_the_day(places: Places, kept: dict[int, slice], step: float, k: int) -> int:
    """Give how many steps lie between the instants at which spans begin and end: pi of Abul et al.

    The coarser, the more people share a span and the shorter it is: the one by which most points are left is taken.
    """
    begin, end = (np.array([places.t[part][at] for part in kept.values()]) for at in (0, -1))
    people = places.person_of[np.array(list(kept), dtype=np.int64)]

    def left(unit: int) -> int:
        first, last = _within(begin, end, step * unit)
        some = np.flatnonzero(last >= first)
        _spans, span = np.unique(np.column_stack([first, last])[some], axis=0, return_inverse=True)
        shared = np.unique(np.column_stack([span.reshape(-1), people[some]]), axis=0)[:, 0]
        is_shared = np.bincount(shared, minlength=1)[span.reshape(-1)] >= k
        return int(((last - first)[some] * unit + 1)[is_shared].sum())

    return max(range(1, _TRIED + 1), key=lambda unit: (left(unit), unit))


def _within(begin: Floats, end: Floats, width: float) -> tuple[Ints, Ints]:
    """Give the first and the last multiple of a width between two instants."""
    first, last = np.ceil(begin / width - _TINY), np.floor(end / width + _TINY)
    return first.astype(np.int64), last.astype(np.int64)


def _span(t: Floats, step: float, unit: int, is_relative: bool) -> Span | None:
    width = step * unit
    if is_relative:
        return Span(0, _steps(t, width) * unit)
    first, last = (int(at[0]) for at in _within(t[:1], t[-1:], width))
    return Span(first * unit, (last - first) * unit) if last >= first else None


def _shorten(spans: dict[Span, list[int]], k: int, places: Places) -> None:
    """Cut lengths that too few tracks have to the next shorter one, from the longest on."""
    for span in sorted(spans, key=lambda span: -span.steps):
        shorter = max((other.steps for other in spans if other.steps < span.steps), default=-1)
        if _people(places, spans[span]) < k and shorter >= 0:
            spans[Span(0, shorter)] += spans.pop(span)


def _at_instants(places: Places, part: slice, span: Span, step: float, is_relative: bool) -> Floats:
    t = places.t[part]
    instants = (np.arange(span.steps + 1) + span.first) * step + (t[0] if is_relative else 0.0)
    return np.column_stack([np.interp(instants, t, places.x[part]), np.interp(instants, t, places.y[part])])


_GROWS = 1.5

_FIRST_SHARE = 200
"""The first radius is so small a part of the area."""

_MOST_ROUNDS = 60

_MOST_KEPT = 1 << 26
"""Distances that are kept in memory between rounds."""


@dataclass(slots=True)
class TrajectoryDistances:
    """Mean distances between tracks at the same instants; each row is computed when it is first asked for."""

    tracks: Floats
    rows: dict[int, Floats] = field(default_factory=dict)

    def to(self, pivot: int) -> Floats:
        """Give how far every track is from one of them, in metres."""
        if pivot in self.rows:
            return self.rows[pivot]
        found = self.from_track(self.tracks[pivot])
        if len(self.rows) * len(found) < _MOST_KEPT:
            self.rows[pivot] = found
        return found

    def from_track(self, track: Floats) -> Floats:
        """Give how far every track is from any other track."""
        apart = self.tracks - track
        found: Floats = np.sqrt((apart**2).sum(axis=2)).mean(axis=1)
        return found


def cluster_trajectories(
    tracks: Floats, person: Ints, k: int, most_lost: float, progress: Progress
) -> tuple[list[list[int]], list[int]]:
    """Group tracks, k people at least in each and nobody twice; gives the groups and who is in none.

    `tracks` has a row per track and a column per instant. The radius grows until at most a share is lost.
    """
    near = TrajectoryDistances(tracks)
    wide = float(np.hypot(*np.ptp(tracks.reshape(-1, 2), axis=0)))
    radius = wide / _FIRST_SHARE
    for number in range(_MOST_ROUNDS):
        groups, lost = _round(near, person, k, radius, progress.sub(number / _MOST_ROUNDS, (number + 1) / _MOST_ROUNDS))
        if len(lost) <= most_lost * len(tracks) or radius > wide:
            return groups, lost
        radius *= _GROWS
    return groups, lost


def _round(
    near: TrajectoryDistances, person: Ints, k: int, radius: float, progress: Progress
) -> tuple[list[list[int]], list[int]]:
    """Try one radius: pivots take their neighbours, who is left joins a pivot nearby."""
    many = len(near.tracks)
    is_free, is_active = np.ones(many, dtype=bool), np.ones(many, dtype=bool)
    far = near.from_track(near.tracks.mean(axis=0))
    groups: list[list[int]] = []
    while (candidates := np.flatnonzero(is_active & is_free)).size:
        progress(1 - len(candidates) / many, "Grouping tracks")
        pivot = int(candidates[np.argmax(far[candidates])])
        far = near.to(pivot)
        group = _nearest(far, np.flatnonzero(is_free), person, pivot, k)
        if len(group) == k and far[group[-1]] <= radius:
            groups.append(group)
            is_free[group] = False
        else:
            is_active[pivot] = False
    lost = [track for track in np.flatnonzero(is_free).tolist() if not _joined(track, groups, near, person, radius)]
    return groups, lost


def _nearest(far: Floats, free: Ints, person: Ints, pivot: int, k: int) -> list[int]:
    """Take the pivot and its nearest free neighbours, each of another person, in the order of their distance."""
    group, people = [pivot], {int(person[pivot])}
    for track in _by_distance(far, free, k):
        if len(group) == k:
            break
        if int(person[track]) not in people:
            group.append(track)
            people.add(int(person[track]))
    return group


def _by_distance(far: Floats, free: Ints, k: int) -> Iterator[int]:
    """Give the free tracks by distance; mostly the first few are enough, so only they are sorted first."""
    few = 4 * k
    if len(free) > few:
        part = free[np.argpartition(far[free], few)[:few]]
        near = part[np.lexsort((part, far[part]))]
        yield from near.tolist()
        free = np.setdiff1d(free, part)
    yield from free[np.lexsort((free, far[free]))].tolist()


def _joined(track: int, groups: list[list[int]], near: TrajectoryDistances, person: Ints, radius: float) -> bool:
    """Let a track join the group of the nearest pivot in reach that has no other track of its person."""
    if not groups:
        return False
    far = near.to(track)
    for at in sorted(range(len(groups)), key=lambda at: float(far[groups[at][0]])):
        if far[groups[at][0]] > radius:
            return False
        if int(person[track]) not in {int(person[member]) for member in groups[at]}:
            groups[at].append(track)
            return True
    return False
