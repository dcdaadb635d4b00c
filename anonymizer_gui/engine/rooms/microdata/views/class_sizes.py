"""How large the classes of a release are, as a histogram people can read."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_MOST_BARS = 24


@dataclass(frozen=True, slots=True)
class ClassSizes:
    """Ranges of sizes with the number of classes that have them."""

    labels: tuple[str, ...]
    classes: tuple[int, ...]


def class_sizes(sizes: npt.NDArray[np.int64]) -> ClassSizes:
    """Count classes by size: every size by itself where they are few, else ranges that grow with the size.

    >>> class_sizes(np.array([2, 2, 5])).labels
    ('2', '5')
    """
    held = sizes[sizes > 0]
    distinct = np.unique(held)
    edges = distinct if len(distinct) <= _MOST_BARS else _edges(int(distinct[0]), int(distinct[-1]))
    place = np.searchsorted(edges, held, side="right") - 1
    counts = np.bincount(place, minlength=len(edges))
    used = np.flatnonzero(counts)
    ends = np.append(edges[1:] - 1, distinct[-1:]) if len(distinct) > _MOST_BARS else edges
    labels = [str(a) if a == b else f"{a}-{b}" for a, b in zip(edges.tolist(), ends.tolist(), strict=True)]
    return ClassSizes(tuple(labels[i] for i in used), tuple(counts[used].tolist()))


def _edges(least: int, largest: int) -> npt.NDArray[np.int64]:
    grown = np.geomspace(least, largest + 1, _MOST_BARS // 2 + 1)[:-1]
    return np.asarray(np.unique(np.round(grown)), dtype=np.int64)
