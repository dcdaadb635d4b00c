"""Mix zones, and the best zone to add."""

import hashlib
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter, Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Float, Int, ListOf, param, replace_params
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.places import Floats, Ints, Places
from anonymizer_gui.engine.rooms.places.algorithms.contract import ALGORITHMS, MIX, Algorithm, PlaceDemands
from anonymizer_gui.engine.rooms.places.mix_zones import (
    Legs,
    MixedTrajectories,
    attack_zone,
    busiest_places,
    cut_into_legs,
    group_passages,
    is_apart,
    place_zones,
    zone_at,
)

SAME, BY_TRAFFIC = "same", "traffic"


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class MixZones(Algorithm):
    """Silent zones where people meet; pseudonyms change only for groups of at least k."""

    name: ClassVar[str] = "mix"
    title: ClassVar[str] = "Mix zones"
    summary: ClassVar[str] = (
        "Publishes nothing inside busy zones and changes the pseudonyms of k or more who leave them together."
    )
    way: ClassVar[str] = MIX
    needs_time: ClassVar[bool] = True
    is_usual: ClassVar[bool] = True

    zones: int = param(
        Int(low=0, high=1000), default=10, label="Zones", help="How many there are, those by hand included.",
        series=(1, 5, 10, 20),
    )  # fmt: skip
    radius: float = param(
        Float(low=1, high=100_000), default=150.0, label="Radius in metres", help="How far a zone reaches.",
        series=(75, 150, 300, 600),
    )  # fmt: skip
    sizes: str = param(
        Choice({SAME: "All zones are equally large", BY_TRAFFIC: "The more people pass, the larger"}),
        default=SAME, label="Size of zones", help="By traffic, the radius is that of a zone with usual traffic.",
    )  # fmt: skip
    window: float = param(
        Float(low=1, high=86_400), default=60.0, label="Window in seconds",
        help="Who entered within this time of the first of a group, and meets somebody of it, mixes with them.",
        series=(30, 60, 120, 300),
    )  # fmt: skip
    trim: float = param(
        Float(low=0, high=100_000), default=100.0, label="Trim ends by metres",
        help="Leaves out the beginning and the end of each track near its first and last point: home.",
        series=(0, 100, 200, 500),
    )  # fmt: skip
    by_hand: tuple[float, ...] = param(
        ListOf(Float(), most=200), default=(), label="Zones by hand",
        help="Longitude and latitude, or x and y, of each, one after the other; the others are where most people pass.",
    )  # fmt: skip

    def zones_reach(self) -> float | None:
        """Give the radius, where all zones have it."""
        return self.radius if self.sizes == SAME else None

    def run(self, places: Places, wanted: PlaceDemands, progress: Progress) -> MixedTrajectories:
        """Place zones, find who passes them together, give new pseudonyms, and attack the result; raises Infeasible."""
        progress(0.0, "Placing zones")
        by_traffic = self.sizes == BY_TRAFFIC
        zones = place_zones(places, self.zones, self.radius, self.centres(places), by_traffic=by_traffic)
        found = cut_into_legs(places, zones, zone_at(zones, places.x, places.y), self.trim)
        if not found.legs:
            raise Infeasible(
                "Nothing is left outside the zones and trimmed ends.", "Choose smaller zones, or trim less."
            )
        progress(0.3, "Finding who passes together")
        groups = group_passages(found.passages, self.window, places.person_of)
        mixing = [group for group in groups if len(group) >= max(wanted.k, 2)]
        pseudonym, part = _named(found, mixing, places, wanted.seed)
        told = attack_zone(found.passages, mixing, places.person_of, progress.sub(0.4, 1.0))
        return MixedTrajectories(
            places, zones, tuple(found.legs), pseudonym, part, tuple(found.passages), tuple(map(tuple, groups)),
            tuple(told), wanted.k,
        )  # fmt: skip

    def centres(self, places: Places) -> Floats:
        """Give the zones by hand in metres; raises BadParameter for half a place."""
        if len(self.by_hand) % 2:
            raise BadParameter(
                message("“{label}” needs two numbers for each zone.", label=message("Zones by hand")),
                "Add or take away a number.",
            )
        told = np.array(self.by_hand, dtype=float).reshape(-1, 2)
        return np.column_stack(places.projection.metres(told[:, 0], told[:, 1]))


def _named(found: Legs, mixing: list[list[int]], places: Places, seed: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Give every leg a pseudonym, a new one after a zone where its track mixed, and the number of its part."""
    fresh = {found.passages[at].after for group in mixing for at in group}
    run, part, before = list[int](), list[int](), -1
    for number, (track, _low, _high) in enumerate(found.legs):
        is_same = track == before and number not in fresh
        run.append(run[-1] if is_same and run else (run[-1] + 1 if run else 0))
        part.append(part[-1] + 1 if is_same and part else 1)
        before = track
    shuffled = _order(run[-1] + 1 if run else 0, places, seed)
    return tuple(int(shuffled[each]) for each in run), tuple(part)


def _order(many: int, places: Places, seed: int) -> Ints:
    """Shuffle the numbers: the order depends on all places, so nobody who lacks them can compute it."""
    digest = hashlib.sha256(places.x.tobytes() + places.y.tobytes() + places.t.tobytes()).digest()
    return np.random.default_rng([seed, int.from_bytes(digest, "big")]).permutation(many).astype(np.int64)


_TRIED = 8


def add_best_zone(places: Places, algorithm: MixZones, k: int, progress: Progress) -> MixZones:
    """Give the same with one more zone by hand, and those it has now by hand, too; raises Infeasible."""
    now = algorithm.run(places, PlaceDemands(k), progress.sub(0.0, 0.1))
    kept = _by_hand(now)
    best, most = None, uncertainty(now)
    for number, place in enumerate(_candidates(places, now, algorithm.radius)):
        tried = _with(algorithm, places, [*kept, place])
        part = progress.sub(0.1 + 0.9 * number / _TRIED, 0.1 + 0.9 * (number + 1) / _TRIED)
        try:
            worth = uncertainty(tried.run(places, PlaceDemands(k), part))
        except AnonymizerError:
            continue
        if worth > most:
            best, most = tried, worth
    if best is None:
        raise Infeasible("No further zone would mix anybody.", "Choose a longer window, larger zones, or a smaller k.")
    return best


def uncertainty(made: MixedTrajectories) -> float:
    """Sum up how many people more than one each changed pseudonym could be of."""
    return float(sum((each.effective() - 1).sum() for each in made.attacked))


def _by_hand(made: MixedTrajectories) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y, _radius in made.zones.tolist()]


def _candidates(places: Places, made: MixedTrajectories, radius: float) -> list[tuple[float, float]]:
    free: list[tuple[float, float]] = []
    for x, y in busiest_places(places, radius)[0].tolist():
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
