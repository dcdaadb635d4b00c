"""Several settings; costs before they are chosen."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, Int, Param, check_params, params_of, replace_params
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.places import Places
from anonymizer_gui.engine.room import Attempt
from anonymizer_gui.engine.rooms.places.algorithms.contract import Algorithm, PlaceDemands
from anonymizer_gui.engine.rooms.places.algorithms.mix_zones import MixZones
from anonymizer_gui.engine.rooms.places.algorithms.trajectories import (
    ABSOLUTE,
    RELATIVE,
    NeverWalkAlone,
    TileGeneralisation,
)
from anonymizer_gui.engine.rooms.places.cloaking import SIDE_QUANTILE, CloakedRegions
from anonymizer_gui.engine.rooms.places.project import Project
from anonymizer_gui.engine.rooms.places.trajectories import TrajectoryClasses

K = Param("k", Int(low=1), 5, "k", "Fewest people who fit whatever leaves.", (2, 5, 10, 25, 50))


def numeric_parameters(project: Project) -> list[Param]:
    """List the numbers that can be varied: k, and those of the method."""
    return [K, *(param for param in params_of(type(project.algorithm)) if isinstance(param.kind, Int | Float))]


def sweep_parameter(project: Project, varied: Param, values: Sequence[Any]) -> list[Attempt]:
    """Give a run for each value; raises BadParameter for a value that is not allowed."""
    return [
        Attempt(
            message("{label} = {value}", label=message(varied.label), value=f"{value:g}"), _set(project, varied, value)
        )
        for value in values
    ]


def _set(project: Project, varied: Param, value: Any) -> Project:
    if varied is K:
        return replace(project, k=value)
    return replace(project, algorithm=check_params(replace_params(project.algorithm, **{varied.name: value})))


KS = (2, 5, 10, 25, 50)

ZONES = (1, 2, 5, 10, 20)


@dataclass(frozen=True, slots=True)
class CloakCost:
    """What one k costs: sides in metres, waiting in seconds, and how many regions are reciprocal."""

    k: int
    median_side: float
    p90_side: float
    median_wait: float
    reciprocal: float


@dataclass(frozen=True, slots=True)
class TimeCost:
    """What one kind of time costs: the share of tracks lost, and how far the others are moved."""

    time: str
    lost: float
    displacement: float


def cloak_costs(places: Places, algorithm: Algorithm, progress: Progress, ks: Sequence[int] = KS) -> list[CloakCost]:
    """Run a way to cloak for several k; those that cannot be reached are left out."""
    found = []
    for at, k in enumerate(ks):
        try:
            made = algorithm.run(places, PlaceDemands(k), progress.sub(at / len(ks), (at + 1) / len(ks)))
        except AnonymizerError:
            break
        assert isinstance(made, CloakedRegions)  # ways to cloak make nothing else
        sides = made.sides
        wait = float(np.median(made.waits)) if made.waits is not None and len(made.waits) else 0.0
        found.append(
            CloakCost(k, float(np.median(sides)), float(np.quantile(sides, SIDE_QUANTILE)), wait, made.reciprocal(k))
        )
    return found


@dataclass(frozen=True, slots=True)
class MixCost:
    """What so many zones bring: sets as they look and as they are worth, and points nobody may see."""

    zones: int
    nominal: float
    effective: float
    silent: float


def mix_costs(places: Places, algorithm: MixZones, k: int, progress: Progress) -> list[MixCost]:
    """Run several numbers of zones, from those by hand on."""
    found = []
    least = len(algorithm.by_hand) // 2
    for at, zones in enumerate(ZONES):
        try:
            tried = replace_params(algorithm, zones=max(zones, least))
            made = tried.run(places, PlaceDemands(k), progress.sub(at / len(ZONES), (at + 1) / len(ZONES)))
        except AnonymizerError:
            continue
        sizes = made.mean_sizes()
        silent = 1 - sum(high - low for _track, low, high in made.legs) / max(places.n_points, 1)
        found.append(MixCost(len(made.zones), sizes["nominal"], sizes["both"], silent))
    return found


@dataclass(frozen=True, slots=True)
class TileCost:
    """What one k costs: the loss of tiles and slots, and the share of visits that are deleted."""

    k: int
    loss: float
    deleted: float


def tile_costs(places: Places, algorithm: TileGeneralisation, progress: Progress) -> list[TileCost]:
    """Run several k; those that cannot be reached are left out."""
    found = []
    for at, k in enumerate(KS):
        try:
            made = algorithm.run(places, PlaceDemands(k), progress.sub(at / len(KS), (at + 1) / len(KS)))
        except AnonymizerError:
            break
        found.append(TileCost(k, made.loss, made.deleted / max(made.visits, 1)))
    return found


def time_costs(places: Places, algorithm: NeverWalkAlone, k: int, progress: Progress) -> list[TimeCost]:
    """Run relative and absolute time, so that the loss of both is known before one is chosen."""
    found = []
    for at, time in enumerate((RELATIVE, ABSOLUTE)):
        try:
            made = replace_params(algorithm, time=time).run(places, PlaceDemands(k), progress.sub(at / 2, (at + 1) / 2))
        except AnonymizerError:
            found.append(TimeCost(time, 1.0, 0.0))
            continue
        assert isinstance(made, TrajectoryClasses)
        found.append(TimeCost(time, len(made.lost) / max(len(places), 1), made.mean_displacement))
    return found
