"""MDAV: maximum distance to average vector, the usual heuristic of multivariate microaggregation.

Domingo-Ferrer, Torra, Ordinal, continuous and heterogeneous k-anonymity through microaggregation, DMKD 11, 2005.
"""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def mdav(points: Floats, k: int) -> Ints:
    """Give every point its group, of at least k and fewer than 2k points; ties go to the first."""
    group = np.full(len(points), -1, dtype=np.int64)
    left = np.arange(len(points))
    number = 0
    while len(left) >= 3 * k:
        here = points[left]
        far = int(_distances(here, here.mean(axis=0)).argmax())
        nearest = _nearest(here, here[far], k)
        group[left[nearest]] = number
        opposite = left[int(_distances(here, here[far]).argmax())]
        left = left[group[left] < 0]
        # The farthest from the far one may have joined it, where many points are the same.
        start = opposite if group[opposite] < 0 else left[int(_distances(points[left], points[opposite]).argmin())]
        group[left[_nearest(points[left], points[start], k)]] = number + 1
        left = left[group[left] < 0]
        number += 2
    if len(left) >= 2 * k:
        here = points[left]
        far = int(_distances(here, here.mean(axis=0)).argmax())
        group[left[_nearest(here, here[far], k)]] = number
        left = left[group[left] < 0]
        number += 1
    group[left] = number
    return group


def _distances(points: Floats, centre: Floats) -> Floats:
    apart = points - centre
    return np.asarray(np.einsum("ij,ij->i", apart, apart))


def _nearest(points: Floats, centre: Floats, k: int) -> Ints:
    """Give the k nearest points; of equally near ones the first."""
    distances = _distances(points, centre)
    limit = np.partition(distances, k - 1)[k - 1]
    surely, maybe = np.flatnonzero(distances < limit), np.flatnonzero(distances == limit)
    return np.concatenate([surely, maybe[: k - len(surely)]])
