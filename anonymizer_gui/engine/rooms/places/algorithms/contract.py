"""What every way to protect places keeps: places and what is wanted come in, what may be published comes out."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.registry import Registry
from anonymizer_gui.engine.shapes.places.places import Places

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.places.cloaking.regions import Regions
    from anonymizer_gui.engine.rooms.places.mixing.mixed import Mixed
    from anonymizer_gui.engine.rooms.places.tiles.tiled import Tiled
    from anonymizer_gui.engine.rooms.places.tracks.grouped import Grouped

    Made = Regions | Grouped | Mixed | Tiled

CLOAK, MIX, TRACKS, TILES = "cloak", "mix", "tracks", "tiles"
WAYS = {
    CLOAK: "Regions instead of points",
    MIX: "Pseudonyms that change in mix zones",
    TRACKS: "Tracks that k people share",
    TILES: "Visits as tiles and slots of time",
}
"""What a release is: promises, files and recount follow the way."""


@dataclass(frozen=True, slots=True)
class Wanted:
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

    def run(self, places: Places, wanted: Wanted, progress: Progress) -> "Made":
        """Make what may leave; raises Infeasible."""


@runtime_checkable
class Loose(Protocol):
    """A way that lets what leaves of a group differ by up to so many metres."""

    @property
    def delta(self) -> float:
        """The uncertainty it relies on."""


@runtime_checkable
class AgainstFew(Protocol):
    """A way that protects against knowing a few visits of somebody."""

    known: int


def known_of(algorithm: Algorithm) -> int:
    """Give how many visits may be known; 0 where that is not what counts."""
    return algorithm.known if isinstance(algorithm, AgainstFew) else 0


def delta_of(algorithm: Algorithm) -> float:
    """Give by how many metres places of one group may differ; 0 where they are the same."""
    return float(algorithm.delta) if isinstance(algorithm, Loose) else 0.0


ALGORITHMS: Registry[Algorithm] = Registry("algorithm", "anonymizer_gui.engine.rooms.places.algorithms")
