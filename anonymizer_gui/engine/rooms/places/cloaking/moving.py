"""Users who move and ask again: where everybody is at each query."""

import numpy as np

from anonymizer_gui.engine.data.places.places import Floats, Places


def positions(places: Places, queries: int = 1, moment: float = 1.0) -> tuple[Floats, Floats]:
    """Give where everybody is at each query: the last one when so large a part of the time there is has passed.

    Several are spread over the time before it. Who was not seen before a query is where they are seen first.
    """
    _people, x, y = places.latest()
    if not places.has_time or (queries == 1 and moment == 1):
        return np.repeat(x[None], queries, axis=0), np.repeat(y[None], queries, axis=0)
    owner = places.person_of[places.track_of]
    order = np.lexsort((places.t, owner))
    who, begins = np.unique(owner[order], return_index=True)
    first = float(places.t.min())
    instants = np.linspace(first, first + moment * (float(places.t.max()) - first), queries + 1)[1:]
    xs, ys = [], []
    for instant in instants.tolist():
        seen = np.bincount(np.searchsorted(who, owner[places.t <= instant]), minlength=len(who))
        at = order[begins + np.maximum(seen - 1, 0)]
        xs.append(places.x[at])
        ys.append(places.y[at])
    return np.array(xs), np.array(ys)
