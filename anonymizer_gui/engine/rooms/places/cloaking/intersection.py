"""The intersection attack: whoever links the queries of one user keeps only those who were in every region."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.params import params_of, replace_params
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.places import Ints, Places
from anonymizer_gui.engine.rooms.places.algorithms.contract import Algorithm, Wanted
from anonymizer_gui.engine.rooms.places.cloaking.moving import positions
from anonymizer_gui.engine.rooms.places.cloaking.regions import Regions

Flags = npt.NDArray[np.bool_]
_FOLLOWED = 300
"""Users who are followed, evenly spread over all."""


@dataclass(frozen=True, slots=True)
class Shrinking:
    """How many users are left after each query, mostly and for the worst off; with new groups and memorised ones."""

    fresh_median: tuple[float, ...]
    fresh_fewest: tuple[int, ...]
    kept_fewest: tuple[int, ...]


def shrinking(places: Places, algorithm: Algorithm, k: int, queries: int, progress: Progress) -> Shrinking:
    """Let everybody ask several times while they move, in new regions each time, and intersect who was in them."""
    x, y = positions(places, queries)
    followed = np.unique(np.linspace(0, x.shape[1] - 1, min(_FOLLOWED, x.shape[1])).astype(int))
    left = np.ones((len(followed), x.shape[1]), dtype=bool)
    kept = left.copy()
    medians, fewest, memorised = [], [], []
    group: Flags | None = None
    for query in range(queries):
        progress(query / queries, "Intersecting regions")
        now = Places.of([f"{at:09}" for at in range(x.shape[1])], x[query], y[query])
        made = _once(algorithm).run(now, Wanted(k), progress.sub(query / queries, (query + 1) / queries))
        assert isinstance(made, Regions)  # only such can be asked again
        inside = _inside(made, followed, k)
        group = inside if group is None else group
        left &= inside
        kept &= group
        sizes = left.sum(axis=1)
        medians.append(float(np.median(sizes)))
        fewest.append(int(sizes.min()))
        memorised.append(int(kept.sum(axis=1).min()))
    return Shrinking(tuple(medians), tuple(fewest), tuple(memorised))


def _once(algorithm: Algorithm) -> Algorithm:
    """Give the same way for one query of the moment."""
    known = {param.name for param in params_of(type(algorithm))}
    return replace_params(algorithm, **{name: 1 for name in ("queries", "moment") if name in known})


def _inside(made: Regions, followed: Ints, k: int) -> Flags:
    """Tell for each followed user who may be meant: all who send the same, or all in the region where not all do."""
    if made.reciprocal(k) == 1:
        return np.asarray(made.region_of[None] == made.region_of[followed][:, None])
    box = made.box[0][followed]
    x, y = made.x[0][None], made.y[0][None]
    return np.asarray((x >= box[:, :1]) & (y >= box[:, 1:2]) & (x <= box[:, 2:3]) & (y <= box[:, 3:]))
