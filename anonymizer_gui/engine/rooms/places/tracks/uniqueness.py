"""How many tracks a few known points identify: the uniqueness curve (de Montjoye et al., Unique in the crowd, 2013)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.places.places import Floats, Places
from anonymizer_gui.engine.rooms.places.tracks.grouped import Grouped

MOST_POINTS = 4
_SAMPLED = 400
_EVERY = 50


@dataclass(frozen=True, slots=True)
class Sharpness:
    """How exactly somebody knows where and when another was: a tile in metres, a slot in seconds."""

    tile: float = 100.0
    slot: float = 300.0


def seen_before(places: Places, sharp: Sharpness) -> list[frozenset[int]]:
    """Give the tiles and slots every track was in, as numbers."""
    return _items(places.x, places.y, places.t if places.has_time else None, places.track_of.tolist(), len(places),
                  sharp)  # fmt: skip


def seen_after(made: Grouped, sharp: Sharpness) -> list[frozenset[int]]:
    """Give the tiles and slots every published track is in; relative times count from its start."""
    if not made.classes:
        return []
    shown = [each.shown.reshape(-1, 2) for each in made.classes]
    times = [np.tile(each.times, len(each.tracks)) for each in made.classes]
    sizes = [len(each.times) for each in made.classes for _track in each.tracks]
    owner = np.repeat(np.arange(len(sizes)), sizes).tolist()
    x, y = np.concatenate(shown).T
    return _items(x, y, np.concatenate(times), owner, len(sizes), sharp)


def _items(
    x: Floats, y: Floats, t: Floats | None, owner: list[int], many: int, sharp: Sharpness
) -> list[frozenset[int]]:
    slot = np.zeros(len(x)) if t is None else np.floor(t / sharp.slot)
    cells = np.column_stack([np.floor(x / sharp.tile), np.floor(y / sharp.tile), slot])
    codes = np.unique(cells, axis=0, return_inverse=True)[1].reshape(-1).tolist()
    found: list[set[int]] = [set() for _ in range(many)]
    for track, code in zip(owner, codes, strict=True):
        found[track].add(code)
    return [frozenset(items) for items in found]


def unique_shares(
    items: Sequence[frozenset[int]], seed: int, most: int = MOST_POINTS, progress: Progress = SILENT
) -> list[float]:
    """Give for 1, 2, ... known points the share of tracks that no other fits; points are drawn by lot with the seed."""
    random = np.random.default_rng(seed)
    holders: dict[int, set[int]] = {}
    for track, held in enumerate(items):
        for item in held:
            holders.setdefault(item, set()).add(track)
    chosen = random.permutation(len(items))[:_SAMPLED].tolist()
    alone = np.zeros(most)
    for at, track in enumerate(chosen):
        if at % _EVERY == 0:
            progress(at / len(chosen), "Counting who is unique")
        order = random.permutation(sorted(items[track])).tolist()
        fitting: set[int] = set(range(len(items)))
        for known in range(most):
            if known < len(order):
                fitting = fitting & holders[order[known]] if known else set(holders[order[known]])
            alone[known] += len(fitting) == 1
    return [float(share) for share in alone / max(len(chosen), 1)]


def fitting_tracks(places: Places, track: int, known: int, sharp: Sharpness, seed: int) -> tuple[list[int], list[int]]:
    """Draw points of a track by lot and tell who was in the same tiles and slots: the points, the tracks that fit."""
    own = places.points(track)
    slot = np.floor(places.t / sharp.slot) if places.has_time else np.zeros(places.n_points)
    cells = np.column_stack([np.floor(places.x / sharp.tile), np.floor(places.y / sharp.tile), slot])
    firsts = np.unique(cells[own], axis=0, return_index=True)[1] + own.start
    drawn = np.random.default_rng([seed, track]).permutation(firsts)[:known]
    fits = np.ones(len(places), dtype=bool)
    for point in drawn.tolist():
        there = (cells == cells[point]).all(axis=1)
        fits &= np.bincount(places.track_of[there], minlength=len(places)) > 0
    return drawn.tolist(), np.flatnonzero(fits).tolist()
