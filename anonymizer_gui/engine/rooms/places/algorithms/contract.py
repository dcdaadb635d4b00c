"""What every way to protect places keeps: places and what is wanted come in, what may be published comes out."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.places.places import Places

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.places.cloaking import CloakedRegions
    from anonymizer_gui.engine.rooms.places.mix_zones import MixedTrajectories
    from anonymizer_gui.engine.rooms.places.trajectories import TiledVisits, TrajectoryClasses

    ProtectedPlaces = CloakedRegions | TrajectoryClasses | MixedTrajectories | TiledVisits

CLOAK, MIX, TRACKS, TILES = "cloak", "mix", "tracks", "tiles"
WAYS = {
    CLOAK: "Regions instead of points",
    MIX: "Pseudonyms that change in mix zones",
    TRACKS: "Tracks that k people share",
    TILES: "Visits as tiles and slots of time",
}
"""What a release is: promises, files and recount follow the way."""


@dataclass(frozen=True, slots=True)
class PlaceDemands:
    """What must hold: at least k people fit whatever leaves."""

    k: int
    seed: int = 0


class Algorithm(Protocol):
    """A way to protect places; it never judges itself."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    way: ClassVar[str]
    needs_time: ClassVar[bool]
    is_usual: ClassVar[bool] = False
    """Whether it is the first of its way to be offered."""
    is_reciprocal: ClassVar[bool] = False
    """Whether a region is shared by all who are in it, by the way it is made."""

    def run(self, places: Places, wanted: PlaceDemands, progress: Progress) -> "ProtectedPlaces":
        """Make what may leave; raises Infeasible."""

    def known_visits(self) -> int:
        """Give how many visits of somebody may be known; 0 where that is not what counts."""
        return 0

    def metres_apart(self) -> float:
        """Give by how many metres places of one group may differ; 0 where they are the same."""
        return 0.0

    def zones_reach(self) -> float | None:
        """Give how many metres every mix zone reaches; nothing where there are none, or they differ."""
        return None


ALGORITHMS: Registry[Algorithm] = Registry("algorithm", "anonymizer_gui.engine.rooms.places.algorithms")


def methods_of(way: str) -> list[type[Algorithm]]:
    """List the methods of a way, the usual one first."""
    return sorted((kind for kind in ALGORITHMS if kind.way == way), key=lambda kind: (not kind.is_usual, kind.name))
