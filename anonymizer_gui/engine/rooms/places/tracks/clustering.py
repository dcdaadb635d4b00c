"""Groups of k near tracks: pivots far from each other, their neighbours, a radius that grows until few are lost.

The clustering of Never Walk Alone (Abul, Bonchi and Nanni, ICDE 2008).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.places import Floats, Ints

_GROWS = 1.5
_FIRST_SHARE = 200
"""The first radius is so small a part of the area."""
_MOST_ROUNDS = 60
_MOST_KEPT = 1 << 26
"""Distances that are kept in memory between rounds."""


@dataclass(slots=True)
class Nearness:
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


def clusters(
    tracks: Floats, person: Ints, k: int, most_lost: float, progress: Progress
) -> tuple[list[list[int]], list[int]]:
    """Group tracks, k people at least in each and nobody twice; gives the groups and who is in none.

    `tracks` has a row per track and a column per instant. The radius grows until at most a share is lost.
    """
    near = Nearness(tracks)
    wide = float(np.hypot(*np.ptp(tracks.reshape(-1, 2), axis=0)))
    radius = wide / _FIRST_SHARE
    for number in range(_MOST_ROUNDS):
        groups, lost = _round(near, person, k, radius, progress.sub(number / _MOST_ROUNDS, (number + 1) / _MOST_ROUNDS))
        if len(lost) <= most_lost * len(tracks) or radius > wide:
            return groups, lost
        radius *= _GROWS
    return groups, lost


def _round(
    near: Nearness, person: Ints, k: int, radius: float, progress: Progress
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


def _joined(track: int, groups: list[list[int]], near: Nearness, person: Ints, radius: float) -> bool:
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
