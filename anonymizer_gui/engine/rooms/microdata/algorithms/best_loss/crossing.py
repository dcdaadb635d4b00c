"""The better halves of two assignments: where they differ, each part that stands alone is taken from the better one."""

import numpy as np

from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import Floats, Ints

_TIE = 1e-7  # rounding alone must not choose


def worse_units(old: Ints, new: Ints, old_cost: Floats, new_cost: Floats) -> tuple[Ints, bool]:
    """Give the units that should go back to their old classes, and whether anything got better.

    Given are the classes before and after, and what every unit costs in each.

    Classes that share units, directly or through others, make up a part (partition crossover): a part holds the same
    units in both assignments, so each may be decided by itself.
    """
    changed = _changed(old, new)
    part = _parts(old[changed], new[changed])
    n_parts = int(part.max(initial=-1)) + 1
    before = np.bincount(part, old_cost[changed], n_parts)
    after = np.bincount(part, new_cost[changed], n_parts)
    worse = after > before - _TIE
    return np.asarray(changed[worse[part]]), bool((~worse[part]).any())


def _changed(old: Ints, new: Ints) -> Ints:
    """Give the units whose class is not the same set in both."""
    n_new = int(new.max(initial=-1)) + 1
    _, of_pair, both = np.unique(old * n_new + new, return_inverse=True, return_counts=True)
    shared = both[of_pair.reshape(-1)]
    same = (shared == np.bincount(old)[old]) & (shared == np.bincount(new)[new])
    return np.flatnonzero(~same)


def _parts(old: Ints, new: Ints) -> Ints:
    """Number the parts: the least old class spreads through all that share units with it."""
    least = np.arange(int(old.max(initial=-1)) + 1)
    while True:
        through = np.full(int(new.max(initial=-1)) + 1, len(least), dtype=np.int64)
        np.minimum.at(through, new, least[old])
        spread = least.copy()
        np.minimum.at(spread, old, through[new])
        spread = spread[spread] if len(spread) else spread
        if (spread == least).all():
            return least[old]
        least = spread
