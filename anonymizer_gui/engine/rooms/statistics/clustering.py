"""Clusters of points between -1 and 1: where centres begin, where points belong, and k-means on noisy cells.

Nothing here sees private numbers but `nearest`; the rest works on noisy ones and costs nothing.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_TRIED = 2048
_AT_ONCE = 1 << 16
_ROUNDS = 60
_STARTS = 8
_EDGE = 0.8


def first_centres(clusters: int, columns: int, number: int = 0) -> Floats:
    """Give centres far from each other and from the edges, the same ones every time; nothing of them is private."""
    tried = _spread(_TRIED, columns, number) * _EDGE
    chosen = [number % _TRIED]
    distances = np.linalg.norm(tried - tried[chosen[0]], axis=1)
    while len(chosen) < clusters:
        farthest = int(np.argmax(distances))
        chosen.append(farthest)
        distances = np.minimum(distances, np.linalg.norm(tried - tried[farthest], axis=1))
    return tried[chosen]


def _spread(count: int, columns: int, number: int) -> Floats:
    """Spread points evenly between -1 and 1: multiples of the roots of the golden ratio's equation."""
    ratio = 2.0
    for _ in range(40):
        ratio = (1 + ratio) ** (1 / (columns + 1))
    steps = ratio ** -np.arange(1, columns + 1)
    return np.asarray(2 * ((0.5 + np.outer(np.arange(1, count + 1) + number, steps)) % 1) - 1)


def nearest(points: Floats, centres: Floats) -> Ints:
    """Give the place of the nearest centre of every point."""
    found = np.empty(len(points), dtype=np.int64)
    squares = (centres * centres).sum(axis=1)
    for start in range(0, len(points), _AT_ONCE):
        part = points[start : start + _AT_ONCE]
        found[start : start + _AT_ONCE] = np.argmin(squares - 2 * part @ centres.T, axis=1)
    return found


def moved_centres(centres: Floats, sizes: Floats, sums: Floats, least: float) -> Floats:
    """Move centres to the means of their clusters; one whose size is lost in the noise stays where it is."""
    is_known = sizes > least
    means = sums / np.where(is_known, sizes, 1.0)[:, np.newaxis]
    return np.where(is_known[:, np.newaxis], np.clip(means, -1, 1), centres)


def eased_centres(centres: Floats, sizes: Floats, sums: Floats, spreads: tuple[float, float]) -> Floats:
    """Move centres towards the means of their clusters, less far the more of the way may be noise (shrinkage).

    A mean is expected as far away as any point of a cell, of as many equal cells as there are centres: a step is taken
    by the share that such ways have in what is seen of them. `spreads` are those of the noise of sizes and of sums.
    """
    many = np.maximum(sizes, 1.0)[:, np.newaxis]
    steps = (sums - sizes[:, np.newaxis] * centres) / many
    noise = ((spreads[0] * centres) ** 2 + spreads[1] ** 2) / many**2
    expected = len(centres) ** (-2 / centres.shape[1]) / 3
    taken = np.where(sizes[:, np.newaxis] > 1.0, expected / (expected + noise), 0.0)
    return np.asarray(np.clip(centres + taken * steps, -1, 1))


def of_cells(places: Floats, weights: Floats, clusters: int) -> tuple[Floats, Floats]:
    """Cluster weighted cells by ordinary k-means from several beginnings; give the best centres and their weights."""
    best: tuple[float, Floats] | None = None
    starts = [_heavy_and_far(places, weights, clusters)]
    starts += [first_centres(clusters, places.shape[1], 97 * number) for number in range(_STARTS)]
    for start in starts:
        centres = _settled(places, weights, start)
        loss = float(weights @ _square_distances(places, centres))
        best = (loss, centres) if best is None or loss < best[0] else best
    found = best[1] if best is not None else first_centres(clusters, places.shape[1])
    return found, summed(nearest(places, found), weights, clusters)


def summed(belongs: Ints, weights: npt.NDArray[Any], clusters: int) -> Floats:
    """Add up the weights of each cluster."""
    return np.asarray(np.bincount(belongs, weights, minlength=clusters), dtype=np.float64)


def _heavy_and_far(places: Floats, weights: Floats, clusters: int) -> Floats:
    """Begin at the heaviest cell, then at cells that are heavy and far from those chosen."""
    chosen = [int(np.argmax(weights))]
    away = ((places - places[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < clusters:
        chosen.append(int(np.argmax(weights * away)))
        away = np.minimum(away, ((places - places[chosen[-1]]) ** 2).sum(axis=1))
    return places[chosen]


def _settled(places: Floats, weights: Floats, centres: Floats) -> Floats:
    for _ in range(_ROUNDS):
        belongs = nearest(places, centres)
        sizes = summed(belongs, weights, len(centres))
        sums = np.stack([summed(belongs, weights * axis, len(centres)) for axis in places.T], axis=1)
        moved = moved_centres(centres, sizes, sums, 0.0)
        if np.allclose(moved, centres):
            break
        centres = moved
    return centres


def _square_distances(places: Floats, centres: Floats) -> Floats:
    away = places - centres[nearest(places, centres)]
    return np.asarray((away * away).sum(axis=1))
