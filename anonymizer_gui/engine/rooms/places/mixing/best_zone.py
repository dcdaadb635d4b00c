"""The zone to add: of the busiest places apart from all others, the one after which most is left uncertain."""

import numpy as np

from anonymizer_gui.engine.core.errors import AnonymizerError, Infeasible
from anonymizer_gui.engine.core.params import replace_params
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.places import Places
from anonymizer_gui.engine.rooms.places.algorithms.contract import Wanted
from anonymizer_gui.engine.rooms.places.algorithms.mix_zones import MixZones
from anonymizer_gui.engine.rooms.places.mixing.mixed import Mixed
from anonymizer_gui.engine.rooms.places.mixing.zones import busiest, is_apart

_TRIED = 8


def with_best_zone(places: Places, algorithm: MixZones, k: int, progress: Progress) -> MixZones:
    """Give the same with one more zone by hand, and those it has now by hand, too; raises Infeasible."""
    now = algorithm.run(places, Wanted(k), progress.sub(0.0, 0.1))
    kept = _by_hand(now)
    best, most = None, uncertainty(now)
    for number, place in enumerate(_candidates(places, now, algorithm.radius)):
        tried = _with(algorithm, places, [*kept, place])
        part = progress.sub(0.1 + 0.9 * number / _TRIED, 0.1 + 0.9 * (number + 1) / _TRIED)
        try:
            worth = uncertainty(tried.run(places, Wanted(k), part))
        except AnonymizerError:
            continue
        if worth > most:
            best, most = tried, worth
    if best is None:
        raise Infeasible("No further zone would mix anybody.", "Choose a longer window, larger zones, or a smaller k.")
    return best


def uncertainty(made: Mixed) -> float:
    """Sum up how many people more than one each changed pseudonym could be of."""
    return float(sum((each.effective() - 1).sum() for each in made.attacked))


def _by_hand(made: Mixed) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y, _radius in made.zones.tolist()]


def _candidates(places: Places, made: Mixed, radius: float) -> list[tuple[float, float]]:
    free: list[tuple[float, float]] = []
    for x, y in busiest(places, radius)[0].tolist():
        others = [*map(tuple, made.zones.tolist()), *((*at, radius) for at in free)]
        if is_apart((x, y, radius), others, radius):
            free.append((x, y))
        if len(free) == _TRIED:
            break
    return free


def _with(algorithm: MixZones, places: Places, zones: list[tuple[float, float]]) -> MixZones:
    x, y = places.projection.degrees(*np.round(np.array(zones)).T)
    told = tuple(float(np.round(number, 6)) for pair in zip(x, y, strict=True) for number in pair)
    return replace_params(algorithm, zones=len(zones), by_hand=told)
