"""Intersection of linked queries; uniqueness by known points."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.params import params_of, replace_params
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.places.places import Floats, Ints, Places
from anonymizer_gui.engine.rooms.places.algorithms.contract import Algorithm, PlaceDemands
from anonymizer_gui.engine.rooms.places.cloaking import CloakedRegions, query_positions
from anonymizer_gui.engine.rooms.places.trajectories import TrajectoryClasses

Flags = npt.NDArray[np.bool_]

_FOLLOWED = 300
"""Users who are followed, evenly spread over all."""


@dataclass(frozen=True, slots=True)
class IntersectionResult:
    """How many users are left after each query, mostly and for the worst off; with new groups and memorised ones."""

    fresh_median: tuple[float, ...]
    fresh_fewest: tuple[int, ...]
    kept_fewest: tuple[int, ...]


def attack_by_intersection(
    places: Places, algorithm: Algorithm, k: int, queries: int, progress: Progress
) -> IntersectionResult:
    """Let everybody ask several times while they move, in new regions each time, and intersect who was in them."""
    x, y = query_positions(places, queries)
    followed = np.unique(np.linspace(0, x.shape[1] - 1, min(_FOLLOWED, x.shape[1])).astype(int))
    left = np.ones((len(followed), x.shape[1]), dtype=bool)
    kept = left.copy()
    medians, fewest, memorised = [], [], []
    group: Flags | None = None
    for query in range(queries):
        progress(query / queries, "Intersecting regions")
        now = Places.of([f"{at:09}" for at in range(x.shape[1])], x[query], y[query])
        made = _once(algorithm).run(now, PlaceDemands(k), progress.sub(query / queries, (query + 1) / queries))
        assert isinstance(made, CloakedRegions)  # only such can be asked again
        inside = _inside(made, followed, k)
        group = inside if group is None else group
        left &= inside
        kept &= group
        sizes = left.sum(axis=1)
        medians.append(float(np.median(sizes)))
        fewest.append(int(sizes.min()))
        memorised.append(int(kept.sum(axis=1).min()))
    return IntersectionResult(tuple(medians), tuple(fewest), tuple(memorised))


def _once(algorithm: Algorithm) -> Algorithm:
    """Give the same way for one query of the moment."""
    known = {param.name for param in params_of(type(algorithm))}
    return replace_params(algorithm, **{name: 1 for name in ("queries", "moment") if name in known})


def _inside(made: CloakedRegions, followed: Ints, k: int) -> Flags:
    """Tell for each followed user who may be meant: all who send the same, or all in the region where not all do."""
    if made.reciprocal(k) == 1:
        return np.asarray(made.region_of[None] == made.region_of[followed][:, None])
    box = made.box[0][followed]
    x, y = made.x[0][None], made.y[0][None]
    return np.asarray((x >= box[:, :1]) & (y >= box[:, 1:2]) & (x <= box[:, 2:3]) & (y <= box[:, 3:]))


MOST_POINTS = 4

_SAMPLED = 400

_EVERY = 50


@dataclass(frozen=True, slots=True)
class KnowledgePrecision:
    """How exactly somebody knows where and when another was: a tile in metres, a slot in seconds."""

    tile: float = 100.0
    slot: float = 300.0


def visited_before(places: Places, sharp: KnowledgePrecision) -> list[frozenset[int]]:
    """Give the tiles and slots every track was in, as numbers."""
    return _items(places.x, places.y, places.t if places.has_time else None, places.track_of.tolist(), len(places),
                  sharp)  # fmt: skip


def visited_after(made: TrajectoryClasses, sharp: KnowledgePrecision) -> list[frozenset[int]]:
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
    x: Floats, y: Floats, t: Floats | None, owner: list[int], many: int, sharp: KnowledgePrecision
) -> list[frozenset[int]]:
    slot = np.zeros(len(x)) if t is None else np.floor(t / sharp.slot)
    cells = np.column_stack([np.floor(x / sharp.tile), np.floor(y / sharp.tile), slot])
    codes = np.unique(cells, axis=0, return_inverse=True)[1].reshape(-1).tolist()
    found: list[set[int]] = [set() for _ in range(many)]
    for track, code in zip(owner, codes, strict=True):
        found[track].add(code)
    return [frozenset(items) for items in found]


def uniqueness_curve(
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


def matching_trajectories(
    places: Places, track: int, known: int, sharp: KnowledgePrecision, seed: int
) -> tuple[list[int], list[int]]:
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
